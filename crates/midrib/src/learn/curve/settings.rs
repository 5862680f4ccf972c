//! Settings of principal curves.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::error::{Error, Result};
use crate::learn::choices::NodeCount;
use crate::learn::descent::Limits;

/// Whether a curve is open or closed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(rename = "Structure")]
pub enum LineStructure {
    /// A curve with two tips.
    #[default]
    Open,
    /// A closed curve.
    Closed,
}

/// A principal curve: smooth, without branches, and locally the mean of the points.
///
/// A round costs O(N·D·(log K + K·span)) for K nodes.
///
/// ```
/// use midrib::learn::{Given, Method, PrincipalCurve};
/// use midrib::{Points, Silent};
/// let values: Vec<f64> = (0..200)
///     .flat_map(|i| [f64::from(i) / 100.0, (f64::from(i) / 100.0).powi(2)])
///     .collect();
/// let points = Points::from_f64(values, 2)?;
/// let fit = PrincipalCurve::default().fit(&points, Given::default(), &mut Silent)?;
/// assert_eq!(fit.graph()?.tips().len(), 2);
/// assert!(fit.objective() < 0.01 * fit.trace[0]);
/// # Ok::<(), midrib::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct PrincipalCurve {
    /// `open` or `closed`.
    pub structure: LineStructure,
    /// Share of the points over which a position is averaged. Larger values give a smoother curve.
    #[schemars(range(min = 0.0, max = 1.0))]
    pub span: f64,
    /// Number of nodes: a number, `all` for one per distinct projection, or `auto` for 1000 (all if
    /// that is fewer).
    pub n_nodes: NodeCount,
    /// Largest number of rounds.
    pub max_iter: usize,
    /// Stop when a round changes the mean squared distance by less than this share of it; 0 runs
    /// all rounds.
    pub tol: f64,
}

impl Default for PrincipalCurve {
    fn default() -> Self {
        Self {
            structure: LineStructure::Open,
            span: 0.2,
            n_nodes: NodeCount::Auto,
            max_iter: 30,
            tol: 1e-3,
        }
    }
}

impl PrincipalCurve {
    pub(super) fn check_values(&self) -> Result<()> {
        if !(self.span > 0.0 && self.span <= 1.0) {
            return Err(Error::setting("span", self.span, "must be positive and at most 1"));
        }
        let least = match self.structure {
            LineStructure::Open => 2,
            LineStructure::Closed => 3,
        };
        if let NodeCount::Exactly(count) = self.n_nodes
            && count < least
        {
            return Err(Error::setting("n_nodes", count, format!("must be at least {least}")));
        }
        if self.max_iter == 0 {
            return Err(Error::setting("max_iter", 0, "must be at least 1"));
        }
        self.limits().check()
    }

    pub(super) fn limits(&self) -> Limits {
        Limits { max_iter: self.max_iter, tol: self.tol }
    }
}
