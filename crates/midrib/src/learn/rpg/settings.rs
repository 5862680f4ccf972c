//! The settings of the regularized principal graph.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::connect::NeighborRule;
use crate::error::{Error, Result};
use crate::learn::checks::positive;
use crate::learn::choices::{Acceleration, AutoOr, Bandwidth, NodeCount, Start, Tips};
use crate::learn::descent::Limits;
use crate::learn::method::as_typed;
use crate::learn::plan::Wanted;

/// What connects the nodes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Structure {
    /// A spanning tree.
    #[default]
    Tree,
    /// Weighted edges by which nodes reconstruct one another: loops, crossings and several
    /// components appear as they are in the data.
    L1,
}

/// How an l1 graph reconstructs a node from its neighbors.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Rebuild {
    /// Affine if the reconstruction weight is automatic, linear if it is given.
    #[default]
    Auto,
    /// As in the paper: weights may add up to anything, so that the origin matters.
    Linear,
    /// Weights add up to about 1, wherever the origin is.
    Affine,
}

/// Whether edges of an l1 graph may cross voids.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum VoidRule {
    /// They end before it.
    #[default]
    Avoid,
    /// They may cross it, as in the paper.
    Cross,
}

/// The principal graph of Mao2017, in the paper's own scale.
///
/// ```
/// use midrib::learn::{AutoOr, Given, Method, NodeCount, Rpg};
/// use midrib::{Points, Silent};
/// let values: Vec<f64> = (0..60).flat_map(|i| [f64::from(i) / 30.0, f64::from(i % 5) / 50.0]).collect();
/// let settings = Rpg {
///     n_nodes: NodeCount::All,
///     bandwidth: AutoOr::Fixed(0.01),
///     data_weight: AutoOr::Fixed(0.5),
///     ..Rpg::default()
/// };
/// let fitted = settings.fit(&Points::from_f64(values, 2)?, Given::default(), &mut Silent)?;
/// assert!(fitted.trace.windows(2).all(|pair| pair[1] <= pair[0] + 1e-12));
/// # Ok::<(), midrib::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Rpg {
    /// What connects the nodes: `tree`, or `l1` for a graph that may have loops, crossings and
    /// several components.
    pub structure: Structure,
    /// Number of nodes: a number, `all` for one per point (Algorithm 1), or `auto` for 100 (a third
    /// of the points if that is fewer). Fewer nodes than points are k-means landmarks (Algorithm 2).
    pub n_nodes: NodeCount,
    /// Bandwidth σ of the soft assignment, a squared length: each point is shared among the nodes
    /// within about its square root. `auto` takes half the mean squared distance of the points to
    /// the nearest starting node.
    pub bandwidth: Bandwidth,
    /// Weight γ of the data against the length of the graph. Smaller values give a smoother,
    /// shorter graph. `auto` smooths bends shorter than 2.2 times the scatter of the points around
    /// the graph and keeps longer ones.
    pub data_weight: AutoOr,
    /// Nearest nodes that an edge of an l1 graph may connect a node to: a number, `all`, or `auto`
    /// for 5, or 8 with one node per point.
    pub n_neighbors: NodeCount,
    /// Which nearest nodes form a pair in an l1 graph: `union` if either node is among those of the
    /// other, `mutual` if both are.
    pub neighbors: NeighborRule,
    /// Weight λ of the reconstruction error of an l1 graph, a length. Larger values give more edges.
    /// `auto` takes the root mean square distance of the points from their mean.
    pub reconstruction_weight: AutoOr,
    /// How nodes of an l1 graph are reconstructed: `linear` as in the paper, from the coordinates as
    /// they are, so that shifting the points changes the graph and a cloud around the origin falls
    /// apart; `affine` by weights that add up to about 1, wherever the cloud lies; `auto` is linear
    /// if reconstruction_weight is given, affine otherwise.
    pub rebuild: Rebuild,
    /// Whether edges of an l1 graph may cross voids between points: `avoid`, or `cross` as in the
    /// paper. With fewer nodes than points the graph is learned again without such edges, up to six
    /// times.
    pub voids: VoidRule,
    /// Where the nodes start: `auto`, or `ridge` to move them to the ridge of the density of the points
    /// with the same bandwidth first, which takes fewer sweeps and all points in memory.
    pub start: Start,
    /// What to do with the tips of a tree: `tidy` removes those that carry less than 1 % of the
    /// points or are shorter than 2.5 times the noise and extends the others to the end of the
    /// data, `keep` leaves them as learned, `auto` tidies if the data weight is automatic.
    pub tips: Tips,
    /// How to speed up the sweeps: `anderson`, or `none` for the plain sweeps of the paper.
    pub acceleration: Acceleration,
    /// Largest number of sweeps, counted from 0 each time an l1 graph is learned again.
    pub max_iter: usize,
    /// Stop when a sweep lowers the objective (divided by data_weight) by less than this share of
    /// the total squared distance of the points from their mean; 0 runs all sweeps.
    pub tol: f64,
    /// Seed of the starting nodes.
    pub seed: u64,
}

impl Default for Rpg {
    fn default() -> Self {
        Self {
            structure: Structure::Tree,
            n_nodes: NodeCount::Auto,
            bandwidth: Bandwidth::Auto,
            data_weight: AutoOr::Auto,
            n_neighbors: NodeCount::Auto,
            neighbors: NeighborRule::Union,
            reconstruction_weight: AutoOr::Auto,
            rebuild: Rebuild::Auto,
            voids: VoidRule::Avoid,
            start: Start::Auto,
            tips: Tips::Auto,
            acceleration: Acceleration::Anderson,
            max_iter: 500,
            tol: 1e-5,
            seed: 0,
        }
    }
}

/// Why a setting of the l1 graph is refused for a tree.
const NEEDS_L1: &str = "does not apply to a tree: add structure = l1, or leave it out";

impl Rpg {
    pub(super) fn check_values(&self) -> Result<()> {
        positive("data_weight", self.data_weight)?;
        positive("reconstruction_weight", self.reconstruction_weight)?;
        positive("bandwidth", self.bandwidth)?;
        if let AutoOr::Fixed(weight) = self.data_weight
            && !(2.0 / weight).is_finite()
        {
            return Err(Error::setting("data_weight", weight, "is too small"));
        }
        let Self { n_neighbors, neighbors, reconstruction_weight, rebuild, voids, .. } =
            Self::default();
        let is_l1 = self.structure == Structure::L1;
        let unused = [
            ("tips", is_l1 && self.tips == Tips::Tidy, "applies to trees only"),
            ("n_neighbors", !is_l1 && self.n_neighbors != n_neighbors, NEEDS_L1),
            ("neighbors", !is_l1 && self.neighbors != neighbors, NEEDS_L1),
            (
                "reconstruction_weight",
                !is_l1 && self.reconstruction_weight != reconstruction_weight,
                NEEDS_L1,
            ),
            ("rebuild", !is_l1 && self.rebuild != rebuild, NEEDS_L1),
            ("voids", !is_l1 && self.voids != voids, NEEDS_L1),
        ];
        if let Some((name, _, reason)) = unused.into_iter().find(|(_, is_unused, _)| *is_unused) {
            return Err(Error::setting(name, as_typed(self, name), reason));
        }
        self.limits().check()
    }

    pub(super) fn limits(&self) -> Limits {
        Limits { max_iter: self.max_iter, tol: self.tol }
    }

    /// The settings that the plan fills in, in the scale of SimplePPT: λ = 2/γ.
    pub(super) fn wanted(&self) -> Wanted {
        Wanted {
            n_nodes: self.n_nodes,
            bandwidth: self.bandwidth,
            length_penalty: match self.data_weight {
                AutoOr::Fixed(weight) => AutoOr::Fixed(2.0 / weight),
                AutoOr::Auto => AutoOr::Auto,
            },
            smoothing: None,
            start: self.start,
            seed: self.seed,
        }
    }
}
