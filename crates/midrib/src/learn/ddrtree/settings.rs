//! The settings of DDRTree.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::error::Result;
use crate::learn::checks::{not_negative, positive};
use crate::learn::choices::{Assignment, AutoOr, Bandwidth, ComponentCount, NodeCount};
use crate::learn::descent::Limits;

/// A tree in fewer dimensions: for many columns, as in single-cell data.
///
/// The R package DDRTree, and Monocle 2 with it, has these defaults: `n_components` 2, `max_iter`
/// 20, `bandwidth` 0.001, `tree_weight` 5·N, `cluster_weight` 10, `tol` 0.001.
///
/// A sweep costs O(N·D²), or O(N·D·d) with many columns, plus the assignment, which is sparse unless
/// the bandwidth is large.
///
/// ```
/// use midrib::learn::{DdrTree, Given, Method};
/// use midrib::synth::{Shape, Synth};
/// use midrib::Silent;
/// let shape = Shape::Tree { branch_points: 1 };
/// let data = Synth { shape, n: 500, dims: 20, noise: 0.02, seed: 1 }.generate()?;
/// let fitted = DdrTree::default().fit(&data.points, Given::default(), &mut Silent)?;
/// let basis = fitted.object.embedding().unwrap().basis().unwrap();
/// assert_eq!((basis.n_rows(), basis.n_cols()), (20, 2));
/// # Ok::<(), midrib::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct DdrTree {
    /// Number of nodes: a number, `all` for one per point, or `auto` for as many as Monocle 2 takes:
    /// 200·ln N/(ln N + ln 100), or all of up to 100 points.
    pub n_nodes: NodeCount,
    /// Number of latent dimensions: a number, a share of the variance such as 0.95 for as many
    /// principal components as hold it, or `auto` for 2.
    pub n_components: ComponentCount,
    /// Weight λ of the squared edge lengths. Larger values give a smoother, shorter tree. `auto`
    /// smooths bends about as short as the scatter of the principal components around a tree.
    pub tree_weight: AutoOr,
    /// Weight γ that pulls the embedded points to their nodes. Larger values give tighter clusters
    /// along the tree.
    pub cluster_weight: f64,
    /// Bandwidth σ of the soft assignment, a squared latent length: each point is shared among the
    /// nodes within about its square root. `auto` takes the mean squared distance of the principal
    /// components to well-spread centers, divided by the number of latent dimensions, at least 2.
    pub bandwidth: Bandwidth,
    /// Whether points are shared among nodes (`soft`) or belong to the nearest one (`hard`).
    pub assignment: Assignment,
    /// Largest number of sweeps, at least 1.
    pub max_iter: usize,
    /// Stop when a sweep lowers the objective by less than this share of the total squared distance
    /// of the points from their mean; 0 runs all sweeps.
    pub tol: f64,
    /// Seed of the starting nodes.
    pub seed: u64,
}

impl Default for DdrTree {
    fn default() -> Self {
        Self {
            n_nodes: NodeCount::Auto,
            n_components: ComponentCount::Auto,
            tree_weight: AutoOr::Auto,
            cluster_weight: 10.0,
            bandwidth: Bandwidth::Auto,
            assignment: Assignment::Soft,
            max_iter: 100,
            tol: 1e-5,
            seed: 0,
        }
    }
}

impl DdrTree {
    pub(super) fn check_values(&self) -> Result<()> {
        not_negative("tree_weight", self.tree_weight)?;
        positive("cluster_weight", AutoOr::Fixed(self.cluster_weight))?;
        positive("bandwidth", self.bandwidth)?;
        Limits { max_iter: self.max_iter, tol: self.tol }.check_at_least_one()
    }
}
