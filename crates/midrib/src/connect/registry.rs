//! The graphs of points by name.

use crate::error::{Error, Result};
use crate::words::nearest_word;

/// A graph of points as lists show it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PointGraphEntry {
    /// The graph.
    pub kind: PointGraphKind,
    /// Its name on the command line.
    pub name: &'static str,
    /// What it is, in a line.
    pub summary: &'static str,
    /// Key in `papers.bib` and place.
    pub citation: &'static str,
}

/// Which graph of points.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PointGraphKind {
    /// [`fused_lasso`](super::fused_lasso()).
    #[default]
    FusedLasso,
    /// [`kernel_knn_l1`](super::kernel_knn_l1()).
    KnnL1,
    /// [`sparse_l1`](super::sparse_l1()).
    L1,
    /// [`knn`](super::knn()).
    Knn,
}

/// All graphs of points.
pub const POINT_GRAPHS: &[PointGraphEntry] = &[
    PointGraphEntry {
        kind: PointGraphKind::FusedLasso,
        name: "fused-lasso",
        summary: "each point rebuilt from its k1 neighbours, the k2 nearest with like weights",
        citation: "Zhou2013, section 4",
    },
    PointGraphEntry {
        kind: PointGraphKind::KnnL1,
        name: "knn-l1",
        summary: "each point rebuilt from as few as it needs of its k1 neighbours",
        citation: "Zhou2013, section 3.2",
    },
    PointGraphEntry {
        kind: PointGraphKind::L1,
        name: "l1",
        summary: "each point rebuilt from as few as it needs of all others; for small sets",
        citation: "Zhou2013, section 2",
    },
    PointGraphEntry {
        kind: PointGraphKind::Knn,
        name: "knn",
        summary: "each point joined to its k1 neighbours, weighted by the kernel",
        citation: "Zhou2013, section 6.2",
    },
];

impl PointGraphKind {
    /// The graph of this name.
    ///
    /// ```
    /// use midrib::connect::PointGraphKind;
    /// assert_eq!(PointGraphKind::named("knn-l1")?, PointGraphKind::KnnL1);
    /// let message = PointGraphKind::named("fused").unwrap_err().to_string();
    /// assert!(message.contains("give fused-lasso, knn-l1, l1 or knn"));
    /// # Ok::<(), midrib::Error>(())
    /// ```
    pub fn named(name: &str) -> Result<Self> {
        if let Some(entry) = POINT_GRAPHS.iter().find(|entry| entry.name == name) {
            return Ok(entry.kind);
        }
        let known = "give fused-lasso, knn-l1, l1 or knn";
        let remedy = match nearest_word(name, POINT_GRAPHS.iter().map(|entry| entry.name)) {
            Some(near) => format!("unknown, did you mean \"{near}\"? Otherwise {known}"),
            None => format!("unknown; {known}"),
        };
        Err(Error::setting("graph", name, remedy))
    }
}
