//! The settings of SimplePPT.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::error::{Error, Result};
use crate::learn::checks::{not_negative, positive};
use crate::learn::choices::{Acceleration, AutoOr, Bandwidth, NodeCount, Start, Tips};
use crate::learn::descent::Limits;
use crate::learn::plan::Wanted;

/// A principal tree: the method to start with for branching data without loops.
///
/// A sweep costs at most O(N·K·D), and far less if the bandwidth is small; memory is that of the
/// points and the nodes.
///
/// ```
/// use midrib::learn::{Given, Method, SimplePpt};
/// use midrib::{Points, Silent};
/// let values: Vec<f64> = (0..200).flat_map(|i| [f64::from(i) / 100.0, f64::from(i % 7) / 50.0]).collect();
/// let points = Points::from_f64(values, 2)?;
/// let fitted = SimplePpt::default().fit(&points, Given::default(), &mut Silent)?;
/// assert_eq!(fitted.graph()?.tips().len(), 2);
/// # Ok::<(), midrib::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct SimplePpt {
    /// Number of nodes: a number, `all` for one per point, or `auto` for 100 (a third of the points
    /// if that is fewer). More nodes draw a finer line and take longer.
    pub n_nodes: NodeCount,
    /// Bandwidth σ of the soft assignment, a squared length: each point is shared among the nodes
    /// within about its square root. Larger values smooth more. `auto` takes half the mean squared
    /// distance of the points to the nearest starting node.
    pub bandwidth: Bandwidth,
    /// Weight λ of the squared edge lengths. Larger values give a smoother, shorter tree with fewer
    /// branches. `auto` smooths bends shorter than 2.2 times the scatter of the points around the
    /// tree and keeps longer ones.
    pub length_penalty: AutoOr,
    /// Smoothing length as a share of the tree's length: sets the length penalty to
    /// smoothing² · nodes · points. Give either this or length_penalty.
    pub smoothing: Option<f64>,
    /// Where the nodes start: `auto`, or `ridge` to move them to the ridge of the density of the points
    /// with the same bandwidth first, which takes fewer sweeps and all points in memory.
    pub start: Start,
    /// What to do with the tips: `tidy` removes those that carry less than 1 % of the points or are
    /// shorter than 2.5 times the noise and extends the others to the end of the data, `keep`
    /// leaves them as learned, `auto` tidies if the length penalty is automatic.
    pub tips: Tips,
    /// How to speed up the sweeps: `anderson`, or `none` for the plain sweeps of the paper.
    pub acceleration: Acceleration,
    /// Largest number of sweeps.
    pub max_iter: usize,
    /// Stop when a sweep lowers the objective by less than this share of the total squared distance
    /// of the points from their mean; 0 runs all sweeps.
    pub tol: f64,
    /// Seed of the starting nodes.
    pub seed: u64,
}

impl Default for SimplePpt {
    fn default() -> Self {
        Self {
            n_nodes: NodeCount::Auto,
            bandwidth: Bandwidth::Auto,
            length_penalty: AutoOr::Auto,
            smoothing: None,
            start: Start::Auto,
            tips: Tips::Auto,
            acceleration: Acceleration::Anderson,
            max_iter: 500,
            tol: 1e-5,
            seed: 0,
        }
    }
}

impl SimplePpt {
    pub(super) fn check_values(&self) -> Result<()> {
        positive("bandwidth", self.bandwidth)?;
        not_negative("length_penalty", self.length_penalty)?;
        if let Some(smoothing) = self.smoothing {
            if self.length_penalty != AutoOr::Auto {
                let remedy = "give either smoothing or length_penalty, not both";
                return Err(Error::setting("smoothing", smoothing, remedy));
            }
            positive("smoothing", AutoOr::Fixed(smoothing))?;
        }
        self.limits().check()
    }

    pub(super) fn limits(&self) -> Limits {
        Limits { max_iter: self.max_iter, tol: self.tol }
    }

    /// The settings that the plan fills in.
    pub(super) fn wanted(&self) -> Wanted {
        Wanted {
            n_nodes: self.n_nodes,
            bandwidth: self.bandwidth,
            length_penalty: self.length_penalty,
            smoothing: self.smoothing,
            start: self.start,
            seed: self.seed,
        }
    }

    /// Whether neither the length penalty nor the smoothing is given.
    pub(super) fn smoothness_is_auto(&self) -> bool {
        self.length_penalty == AutoOr::Auto && self.smoothing.is_none()
    }
}
