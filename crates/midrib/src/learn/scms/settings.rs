//! Settings of subspace constrained mean shift.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::error::Result;
use crate::learn::checks::positive;
use crate::learn::choices::{Bandwidth, NodeCount};
use crate::learn::descent::Limits;

/// The ridge of a kernel density of the points, joined by a spanning tree.
///
/// A step costs O(N·M·D²) for M neighbors within six times the root of the bandwidth.
///
/// ```
/// use midrib::learn::{Given, Method, Scms};
/// use midrib::{Points, Silent};
/// let values: Vec<f64> = (0..200).flat_map(|i| [f64::from(i) / 50.0, f64::from(i % 7) / 50.0]).collect();
/// let points = Points::from_f64(values, 2)?;
/// let fit = Scms::default().fit(&points, Given::default(), &mut Silent)?;
/// // The points climb.
/// assert!(fit.trace.windows(2).all(|pair| pair[1] >= pair[0] - 1e-12));
/// assert_eq!(fit.graph()?.tips().len(), 2);
/// # Ok::<(), midrib::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Scms {
    /// Bandwidth σ of the kernel exp(−‖·‖²/σ), a squared length: larger values give a smoother ridge
    /// with fewer branches. `auto` takes the mean squared distance to the ⌈log₂ N⌉-th nearest point.
    pub bandwidth: Bandwidth,
    /// Number of nodes: a number, `all` for every distinct ridge point, or `auto` for one per half
    /// root of the bandwidth, at most 1000.
    pub n_nodes: NodeCount,
    /// Largest number of steps.
    pub max_iter: usize,
    /// A point stops when its next step is shorter than this share of the root of the bandwidth.
    pub tol: f64,
}

impl Default for Scms {
    fn default() -> Self {
        Self { bandwidth: Bandwidth::Auto, n_nodes: NodeCount::Auto, max_iter: 500, tol: 1e-10 }
    }
}

impl Scms {
    pub(super) fn check_values(&self) -> Result<()> {
        positive("bandwidth", self.bandwidth)?;
        self.limits().check()
    }

    pub(super) fn limits(&self) -> Limits {
        Limits { max_iter: self.max_iter, tol: self.tol }
    }
}
