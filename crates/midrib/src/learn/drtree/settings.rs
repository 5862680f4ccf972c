//! The settings of DRTree.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::error::Result;
use crate::learn::checks::not_negative;
use crate::learn::choices::{AutoOr, ComponentCount};
use crate::learn::descent::Limits;

/// A tree in fewer dimensions with one node per point: for small sets where every point matters.
///
/// A sweep costs O(N·D²), or O(N·D·d) with many columns; memory is that of the points.
///
/// ```
/// use midrib::learn::{AutoOr, DrTree, Given, Method};
/// use midrib::{Points, Silent};
/// let values: Vec<f64> = (0..300).map(|i| (f64::from(i) * 0.7).sin() / f64::from(i % 3 + 1)).collect();
/// let settings = DrTree { tree_weight: AutoOr::Fixed(1.0), ..DrTree::default() };
/// let fitted = settings.fit(&Points::from_f64(values, 3)?, Given::default(), &mut Silent)?;
/// assert_eq!(fitted.object.embedding().unwrap().dims(), 2);
/// # Ok::<(), midrib::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct DrTree {
    /// Number of latent dimensions: a number, a share of the variance such as 0.95 for as many
    /// principal components as hold it, or `auto` for 2.
    pub n_components: ComponentCount,
    /// Weight λ of the squared edge lengths. Larger values give a smoother, shorter tree; 0 gives
    /// principal components. `auto` smooths bends about as short as the scatter of the principal
    /// components around a tree.
    pub tree_weight: AutoOr,
    /// Largest number of sweeps, at least 1.
    pub max_iter: usize,
    /// Stop when a sweep lowers the objective by less than this share of the total squared distance
    /// of the points from their mean; 0 runs all sweeps.
    pub tol: f64,
    /// Seed of the tree from which the automatic tree weight is found.
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

impl DrTree {
    pub(super) fn check_values(&self) -> Result<()> {
        not_negative("tree_weight", self.tree_weight)?;
        Limits { max_iter: self.max_iter, tol: self.tol }.check_at_least_one()
    }
}
