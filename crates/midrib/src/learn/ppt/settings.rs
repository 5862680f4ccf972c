//! The settings of SimplePPT.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::fit;
use crate::error::{Error, Result};
use crate::learn::choices::{Acceleration, AutoOr, Bandwidth, NodeCount, Tips};
use crate::learn::descent::Limits;
use crate::learn::fitted::Fitted;
use crate::learn::given::Given;
use crate::learn::registry::{Method, Promises};
use crate::learn::sweep::Pace;
use crate::observe::Observer;
use crate::points::Points;

/// A principal tree: the method to begin with for branching data without loops.
///
/// A sweep costs O(N·K·D) at most, and far less when the bandwidth is small; memory is that of
/// the points and the nodes.
///
/// ```
/// use midrib::learn::{Given, Method, SimplePpt};
/// use midrib::{Points, Silent};
/// let values: Vec<f64> = (0..200).flat_map(|i| [f64::from(i) / 100.0, f64::from(i % 7) / 50.0]).collect();
/// let points = Points::from_f64(values, 2)?;
/// let fitted = SimplePpt::default().fit(&points, Given::default(), &mut Silent)?;
/// assert_eq!(fitted.graph.tips().len(), 2);
/// # Ok::<(), midrib::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct SimplePpt {
    /// Number of nodes: a number, `all` for one per point, or `auto` for 100 (a third of the
    /// points if those are fewer). More nodes draw a finer line and cost more time.
    pub n_nodes: NodeCount,
    /// Bandwidth σ of the soft assignment, a squared length: points share themselves among
    /// nodes within about its root. Larger values smooth more. `auto` takes half the mean
    /// squared distance of the points to the nearest starting node.
    pub bandwidth: Bandwidth,
    /// Weight λ of the squared edge lengths. Larger values give a smoother, shorter tree with
    /// fewer branches. `auto` evens out bends shorter than 2.2 times the scatter of the points
    /// around the tree, and keeps longer ones.
    pub length_penalty: AutoOr,
    /// Smoothing length as a share of the tree's length: sets the length penalty to
    /// smoothing² · nodes · points, whatever their number. Give either this or length_penalty.
    pub smoothing: Option<f64>,
    /// What becomes of the tips: `tidy` removes those that carry less than 1 % of the points or
    /// are shorter than 2.5 times the noise and extends the others to the end of the data,
    /// `keep` leaves them as learnt, `auto` tidies when the length penalty is automatic.
    pub tips: Tips,
    /// How sweeps are sped up: `anderson`, or `none` for the plain sweeps of the paper.
    pub acceleration: Acceleration,
    /// Largest number of sweeps.
    pub max_iter: usize,
    /// Stop when a sweep lowers the objective by less than this part of the total squared
    /// distance of the points from their mean; 0 runs all sweeps.
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
            tips: Tips::Auto,
            acceleration: Acceleration::Anderson,
            max_iter: 500,
            tol: 1e-5,
            seed: 0,
        }
    }
}

impl SimplePpt {
    pub(in crate::learn) fn pace(&self) -> Pace {
        let limits = Limits { max_iter: self.max_iter, tol: self.tol };
        Pace { limits, acceleration: self.acceleration }
    }

    /// Whether the tips are to be tidied.
    pub(super) fn tidies(&self) -> bool {
        match self.tips {
            Tips::Auto => self.length_penalty == AutoOr::Auto && self.smoothing.is_none(),
            Tips::Tidy => true,
            Tips::Keep => false,
        }
    }
}

impl Method for SimplePpt {
    const NAME: &'static str = "ppt";
    const SUMMARY: &'static str =
        "principal tree by soft assignment; begin here for branching data without loops";
    const CITATION: &'static str = "Mao2015, Algorithm 1";

    fn promises(&self) -> Promises {
        Promises {
            cost_falls: true,
            rigid_motions: true,
            scaling: true,
            any_row_order: true,
            weights_as_repeats: true,
            tree: true,
        }
    }

    fn check(&self) -> Result<()> {
        positive("bandwidth", self.bandwidth)?;
        if let AutoOr::Fixed(penalty) = self.length_penalty {
            if !(penalty >= 0.0 && penalty.is_finite()) {
                return Err(Error::setting("length_penalty", penalty, "must be 0 or positive"));
            }
            if self.smoothing.is_some() {
                return Err(Error::setting(
                    "smoothing",
                    self.smoothing.unwrap_or_default(),
                    "give either smoothing or length_penalty, not both",
                ));
            }
        }
        if let Some(smoothing) = self.smoothing {
            positive("smoothing", AutoOr::Fixed(smoothing))?;
        }
        self.pace().limits.check()
    }

    fn fit(
        &self,
        points: &Points<'_>,
        given: Given<'_>,
        watch: &mut dyn Observer,
    ) -> Result<Fitted> {
        fit::fit(self, points, given, watch)
    }
}

/// Refuses a fixed value that is not positive.
pub(in crate::learn) fn positive(name: &str, value: AutoOr) -> Result<()> {
    match value {
        AutoOr::Fixed(value) if !(value > 0.0 && value.is_finite()) => {
            Err(Error::setting(name, value, "must be positive"))
        }
        _ => Ok(()),
    }
}
