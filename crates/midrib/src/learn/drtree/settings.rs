//! The settings of DRTree.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::fit;
use crate::error::{Error, Result};
use crate::learn::choices::{AutoOr, ComponentCount};
use crate::learn::descent::Limits;
use crate::learn::fitted::Fitted;
use crate::learn::given::Given;
use crate::learn::registry::{Method, Promises};
use crate::observe::Observer;
use crate::points::Points;

/// A tree with one node per point in fewer dimensions: for small sets where every point matters.
///
/// A sweep costs O(N·D²), or O(N·D·d) with many columns; memory is that of the points.
///
/// ```
/// use midrib::learn::{AutoOr, DrTree, Given, Method};
/// use midrib::{Points, Silent};
/// let values: Vec<f64> = (0..300).map(|i| (f64::from(i) * 0.7).sin() / f64::from(i % 3 + 1)).collect();
/// let settings = DrTree { tree_weight: AutoOr::Fixed(1.0), ..DrTree::default() };
/// let fitted = settings.fit(&Points::from_f64(values, 3)?, Given::default(), &mut Silent)?;
/// assert_eq!(fitted.latent.unwrap().embedding.n_cols(), 2);
/// # Ok::<(), midrib::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct DrTree {
    /// Number of latent dimensions: a number, a share of the variance such as 0.95 that as many
    /// principal components hold, or `auto` for 2.
    pub n_components: ComponentCount,
    /// Weight λ of the squared edge lengths. Larger values give a smoother, shorter tree; 0 gives
    /// principal components. `auto` evens out bends about as short as the scatter of the principal
    /// components around a tree.
    pub tree_weight: AutoOr,
    /// Largest number of sweeps, at least 1.
    pub max_iter: usize,
    /// Stop when a sweep lowers the objective by less than this part of the total squared
    /// distance of the points from their mean; 0 runs all sweeps.
    pub tol: f64,
    /// Seed of the tree that the automatic tree weight is found with.
    pub seed: u64,
}

impl Default for DrTree {
    fn default() -> Self {
        Self {
            n_components: ComponentCount::Auto,
            tree_weight: AutoOr::Auto,
            max_iter: 100,
            tol: 1e-5,
            seed: 0,
        }
    }
}

impl Method for DrTree {
    const NAME: &'static str = "drtree";
    const SUMMARY: &'static str =
        "tree in fewer dimensions with a node at every point: dimensions and tree learnt together";
    const CITATION: &'static str = "Wang2016, problem (29)";
    const UNTRACED: usize = 1;

    fn promises(&self) -> Promises {
        Promises {
            cost_falls: true,
            rigid_motions: true,
            scaling: true,
            any_row_order: false,
            weights_as_repeats: false,
            tree: true,
        }
    }

    fn check(&self) -> Result<()> {
        check_weight("tree_weight", self.tree_weight)?;
        check_limits(Limits { max_iter: self.max_iter, tol: self.tol })
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

/// Refuses a fixed weight that is negative or no number.
pub(in crate::learn) fn check_weight(name: &str, value: AutoOr) -> Result<()> {
    match value {
        AutoOr::Fixed(value) if !(value >= 0.0 && value.is_finite()) => {
            Err(Error::setting(name, value, "must be 0 or positive"))
        }
        _ => Ok(()),
    }
}

/// There is no objective, and so no result, before the first sweep.
pub(in crate::learn) fn check_limits(limits: Limits) -> Result<()> {
    if limits.max_iter == 0 {
        return Err(Error::setting(
            "max_iter",
            0,
            "must be at least 1: the first sweep finds the basis",
        ));
    }
    limits.check()
}
