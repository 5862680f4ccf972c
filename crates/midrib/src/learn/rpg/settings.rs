//! The settings of the regularised principal graph.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::fit;
use crate::connect::NeighborRule;
use crate::error::{Error, Result};
use crate::learn::choices::{Acceleration, AutoOr, Bandwidth, NodeCount, Tips};
use crate::learn::fitted::Fitted;
use crate::learn::given::Given;
use crate::learn::ppt::{SimplePpt, positive};
use crate::learn::registry::{Method, Promises, as_given};
use crate::observe::Observer;
use crate::points::Points;

/// What the nodes are joined by.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Structure {
    /// A spanning tree.
    #[default]
    Tree,
    /// Edges with weights by which nodes rebuild one another: loops, crossings and several
    /// components come out as they are in the data.
    L1,
}

/// How an l1 graph rebuilds a node from its neighbours.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Rebuild {
    /// Affine where the reconstruction weight is automatic, linear where it is given.
    #[default]
    Auto,
    /// As the paper has it: weights may add up to anything, so that the origin matters.
    Linear,
    /// Weights are drawn to add up to 1, wherever the origin is.
    Affine,
}

/// What edges of an l1 graph do where there are no points.
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
    /// What the nodes are joined by: `tree`, or `l1` for a graph that may have loops, crossings and
    /// several components.
    pub structure: Structure,
    /// Number of nodes: a number, `all` for one per point (Algorithm 1), or `auto` for 100 (a
    /// third of the points if those are fewer). Fewer nodes than points are landmarks found by
    /// k-means (Algorithm 2).
    pub n_nodes: NodeCount,
    /// Bandwidth σ of the soft assignment, a squared length: points share themselves among
    /// nodes within about its root. `auto` takes half the mean squared distance of the points
    /// to the nearest starting node.
    pub bandwidth: Bandwidth,
    /// Weight γ of the data against the length of the graph. Smaller values give a smoother,
    /// shorter graph. `auto` evens out bends shorter than 2.2 times the scatter of the points
    /// around the graph, and keeps longer ones.
    pub data_weight: AutoOr,
    /// Nearest nodes that an edge of an l1 graph may join a node to: a number, `all`, or `auto` for
    /// 5, or 8 if each point has its own.
    pub n_neighbors: NodeCount,
    /// Which nearest nodes make a pair in an l1 graph: `union` if one node is among those of the
    /// other, `mutual` if each is.
    pub neighbors: NeighborRule,
    /// Weight λ of rebuilding nodes of an l1 graph from neighbours, a length. Larger values give more
    /// edges. `auto` takes the root mean square distance of the points from their mean.
    pub reconstruction_weight: AutoOr,
    /// How nodes of an l1 graph are rebuilt: `linear` as in the paper, from the coordinates as they
    /// are, so that a shifted cloud gives another graph, in pieces where it lies around the origin;
    /// `affine` by weights that add up to about 1, wherever the cloud lies; `auto` is linear with
    /// a given reconstruction_weight, else affine.
    pub rebuild: Rebuild,
    /// Whether edges of an l1 graph may cross voids between points: `avoid`, or `cross` as in the
    /// paper. With fewer nodes than points the graph is learnt again without such edges, up to six
    /// times.
    pub voids: VoidRule,
    /// What becomes of the tips of a tree: `tidy` removes those that carry less than 1 % of the points or
    /// are shorter than 2.5 times the noise and extends the others to the end of the data,
    /// `keep` leaves them as learnt, `auto` tidies when the data weight is automatic.
    pub tips: Tips,
    /// How sweeps are sped up: `anderson`, or `none` for the plain sweeps of the paper.
    pub acceleration: Acceleration,
    /// Largest number of sweeps; of an l1 graph that is learnt again, each time.
    pub max_iter: usize,
    /// Stop when a sweep lowers the objective (divided by data_weight) by less than this part
    /// of the total squared distance of the points from their mean; 0 runs all sweeps.
    pub tol: f64,
    /// Seed of the starting nodes.
    pub seed: u64,
}

impl Default for Rpg {
    fn default() -> Self {
        let SimplePpt { n_nodes, bandwidth, tips, acceleration, max_iter, tol, seed, .. } =
            SimplePpt::default();
        Self {
            structure: Structure::Tree,
            n_nodes,
            bandwidth,
            data_weight: AutoOr::Auto,
            n_neighbors: NodeCount::Auto,
            neighbors: NeighborRule::Union,
            reconstruction_weight: AutoOr::Auto,
            rebuild: Rebuild::Auto,
            voids: VoidRule::Avoid,
            tips,
            acceleration,
            max_iter,
            tol,
            seed,
        }
    }
}

/// Why a setting of the l1 graph is refused for a tree.
const NEEDS_L1: &str = "has no meaning for a tree: add structure = l1, or leave it out";

impl Rpg {
    /// The same problem in the scale of SimplePPT.
    pub(super) fn as_tree(&self) -> SimplePpt {
        SimplePpt {
            n_nodes: self.n_nodes,
            bandwidth: self.bandwidth,
            length_penalty: match self.data_weight {
                AutoOr::Fixed(weight) => AutoOr::Fixed(2.0 / weight),
                AutoOr::Auto => AutoOr::Auto,
            },
            smoothing: None,
            tips: match self.structure {
                Structure::Tree => self.tips,
                Structure::L1 => Tips::Keep,
            },
            acceleration: self.acceleration,
            max_iter: self.max_iter,
            tol: self.tol,
            seed: self.seed,
        }
    }
}

impl Method for Rpg {
    const NAME: &'static str = "rpg";
    const SUMMARY: &'static str =
        "principal graph: a tree like ppt's, or with --structure l1 loops, crossings, components";
    const CITATION: &'static str = "Mao2017, Algorithms 1 and 2";

    fn promises(&self) -> Promises {
        match self.structure {
            Structure::Tree => SimplePpt::default().promises(),
            Structure::L1 => Promises {
                cost_falls: true,
                rigid_motions: false,
                scaling: true,
                any_row_order: true,
                weights_as_repeats: true,
                tree: false,
            },
        }
    }

    fn check(&self) -> Result<()> {
        positive("data_weight", self.data_weight)?;
        positive("reconstruction_weight", self.reconstruction_weight)?;
        let defaults = Self::default();
        let (word, unused) = match self.structure {
            Structure::L1 if self.tips == Tips::Tidy => ("tips", "works on trees only"),
            Structure::Tree if self.n_neighbors != defaults.n_neighbors => {
                ("n_neighbors", NEEDS_L1)
            }
            Structure::Tree if self.neighbors != defaults.neighbors => ("neighbors", NEEDS_L1),
            Structure::Tree if self.reconstruction_weight != defaults.reconstruction_weight => {
                ("reconstruction_weight", NEEDS_L1)
            }
            Structure::Tree if self.rebuild != defaults.rebuild => ("rebuild", NEEDS_L1),
            Structure::Tree if self.voids != defaults.voids => ("voids", NEEDS_L1),
            _ => return self.as_tree().check(),
        };
        Err(Error::setting(word, as_given(self, word), unused))
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
