//! Settings of the polygonal line algorithm.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::error::{Error, Result};
use crate::learn::checks::{count_or_auto, not_negative, positive};
use crate::learn::choices::{AutoOr, NodeCount};
use crate::learn::descent::Limits;

/// An open polygonal line through the middle of the points.
///
/// Use it for points along one curve. On branching points it turns in wide bends outside of them, which
/// its penalty prefers to sharp ones.
///
/// An evaluation costs O(N·D), and each of the O(N^(1/3)) segments takes some tens of them.
///
/// ```
/// use midrib::learn::{Given, Method, Polyline};
/// use midrib::{Points, Silent};
/// let values: Vec<f64> = (0..200)
///     .flat_map(|i| [f64::from(i) / 100.0, (f64::from(i) / 100.0 - 1.0).abs() + f64::from(i % 3) / 30.0])
///     .collect();
/// let points = Points::from_f64(values, 2)?;
/// let fit = Polyline::default().fit(&points, Given::default(), &mut Silent)?;
/// assert_eq!(fit.graph()?.tips().len(), 2);
/// # Ok::<(), midrib::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Polyline {
    /// Number of nodes: a number, or `auto` to stop by the rule of `stop_factor`.
    #[schemars(schema_with = "two_or_more")]
    pub n_nodes: NodeCount,
    /// Weight λ′ of the angles: larger values give a straighter line.
    pub curvature_penalty: f64,
    /// Factor β of the stopping rule: larger values give more segments.
    pub stop_factor: f64,
    /// Largest number of descent steps per segment.
    pub max_iter: usize,
    /// A descent stops when a round of steps lowers the objective by less than this share of it.
    pub tol: f64,
}

impl Default for Polyline {
    fn default() -> Self {
        Self {
            n_nodes: NodeCount::Auto,
            curvature_penalty: 0.13,
            stop_factor: 0.3,
            max_iter: 300,
            tol: 1e-8,
        }
    }
}

fn two_or_more(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
    count_or_auto(2)
}

impl Polyline {
    pub(super) fn check_values(&self) -> Result<()> {
        not_negative("curvature_penalty", AutoOr::Fixed(self.curvature_penalty))?;
        positive("stop_factor", AutoOr::Fixed(self.stop_factor))?;
        match self.n_nodes {
            NodeCount::All => {
                let reason = "a polygonal line has fewer nodes than points: give a number, or auto";
                return Err(Error::setting("n_nodes", "all", reason));
            }
            NodeCount::Exactly(count) if count < 2 => {
                return Err(Error::setting("n_nodes", count, "must be at least 2"));
            }
            _ => {}
        }
        self.limits().check()
    }

    pub(super) fn limits(&self) -> Limits {
        Limits { max_iter: self.max_iter, tol: self.tol }
    }
}
