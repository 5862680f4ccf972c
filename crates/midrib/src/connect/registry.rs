//! The point graphs, by name.

use crate::error::{Error, Result};
use crate::suggest::nearest_word;

/// A point graph with its name and description.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PointGraphEntry {
    /// The graph.
    pub kind: PointGraphKind,
    /// Its name on the command line.
    pub name: &'static str,
    /// A one-line description.
    pub summary: &'static str,
    /// The key in `papers.bib` and the section.
    pub citation: &'static str,
}

/// The kinds of point graphs.
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

/// All point graphs.
pub const POINT_GRAPHS: &[PointGraphEntry] = &[
    PointGraphEntry {
        kind: PointGraphKind::FusedLasso,
        name: "fused-lasso",
        summary: "each point rebuilt from its k1 neighbors, with similar weights for the k2 nearest",
        citation: "Zhou2013, section 4",
    },
    PointGraphEntry {
        kind: PointGraphKind::KnnL1,
        name: "knn-l1",
        summary: "each point rebuilt from as few of its k1 neighbors as it needs",
        citation: "Zhou2013, section 3.2",
    },
    PointGraphEntry {
        kind: PointGraphKind::L1,
        name: "l1",
        summary: "each point rebuilt from as few of all other points as it needs; for small data",
        citation: "Zhou2013, section 2",
    },
    PointGraphEntry {
        kind: PointGraphKind::Knn,
        name: "knn",
        summary: "each point connected to its k1 neighbors, weighted by the kernel",
        citation: "Zhou2013, section 6.2",
    },
];

impl PointGraphKind {
    /// The point graph with this name.
    ///
    /// ```
    /// use midrib::connect::PointGraphKind;
    /// assert_eq!(PointGraphKind::named("knn-l1")?, PointGraphKind::KnnL1);
    /// let message = PointGraphKind::named("fused").unwrap_err().to_string();
    /// assert!(message.contains("use fused-lasso, knn-l1, l1 or knn"));
    /// # Ok::<(), midrib::Error>(())
    /// ```
    pub fn named(name: &str) -> Result<Self> {
        if let Some(entry) = POINT_GRAPHS.iter().find(|entry| entry.name == name) {
            return Ok(entry.kind);
        }
        let choices = "use fused-lasso, knn-l1, l1 or knn";
        let remedy = match nearest_word(name, POINT_GRAPHS.iter().map(|entry| entry.name)) {
            Some(near) => format!("unknown; did you mean \"{near}\"? Otherwise {choices}"),
            None => format!("unknown; {choices}"),
        };
        Err(Error::setting("graph", name, remedy))
    }
}
