//! The settings of elastic trees.

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Deserialize, Serialize};

use super::moduli::Moduli;
use super::program::Program;
use super::recipe::Recipe;
use super::search::Search;
use crate::connect::{Ceilings, Rule};
use crate::error::Result;
use crate::learn::checks::{self, at_most, whole_or_inf};
use crate::learn::choices::{InfOr, NodeCount, Tips, TrimmingRadius};
use crate::learn::descent::Limits;

/// A tree that grows where it lowers its elastic energy, as in ElPiGraph.
///
/// Each step compares all changes of the tree on 50 points per node; the grown tree is then placed on
/// all points, which may have missing values. Once the tree has all its nodes, branches are moved as
/// long as that lowers the energy.
///
/// ```
/// use midrib::learn::{ElasticTree, Given, Method, NodeCount};
/// use midrib::{Points, Silent};
/// let values: Vec<f64> = (0..200).flat_map(|i| [f64::from(i) / 100.0, f64::from(i % 7) / 50.0]).collect();
/// let points = Points::from_f64(values, 2)?;
/// let settings = ElasticTree { n_nodes: NodeCount::Exactly(10), ..ElasticTree::default() };
/// let fitted = settings.fit(&points, Given::default(), &mut Silent)?;
/// assert_eq!(fitted.graph()?.tips().len(), 2);
/// # Ok::<(), midrib::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct ElasticTree {
    /// Number of nodes to grow to: a number, or `auto` for 50 (a third of the points if that is
    /// fewer).
    #[schemars(schema_with = "count_or_auto")]
    pub n_nodes: NodeCount,
    /// Stretching modulus λ: larger values give shorter edges and pull the tips in.
    pub stretching: f64,
    /// Bending modulus μ: larger values give straighter branches.
    pub bending: f64,
    /// Branching penalty α: when trees are compared, an edge resists stretching by this much more for
    /// each neighbor of its nodes beyond the second. Larger values give fewer branches.
    pub branching_penalty: f64,
    /// Star exponent β: when trees are compared, the bending modulus of a star is multiplied by its
    /// order to this power.
    pub star_exponent: f64,
    /// Rules of the grammar, repeated until there are `n_nodes`: `grow` (add a node to a node, or
    /// bisect an edge), `bisect` (an edge) and `shrink` (remove a tip, or contract an edge). More
    /// `shrink` undoes more mistakes and takes longer.
    pub program: Program,
    /// Largest number of branch points: a number, or `inf` for no limit.
    pub max_branch_points: InfOr,
    /// Largest number of neighbors of a node: a number, or `inf` for no limit.
    pub max_star_order: InfOr,
    /// Largest number of growth steps: each adds or removes a node; `inf` for no limit.
    pub max_steps: InfOr,
    /// Points farther than this from every node are ignored: a number, `auto` to estimate it from
    /// the points, or `inf` to use all points. Protects against outliers.
    pub trimming_radius: TrimmingRadius,
    /// What to do with the tips: `tidy` removes those that carry less than 1 % of the points or are
    /// shorter than 2.5 times the noise and extends the others to the end of the data, `keep`
    /// leaves them as grown; `auto` tidies.
    pub tips: Tips,
    /// How the best change is found: `fast` on a sample of the points, or `exact` on all of them.
    pub search: Search,
    /// Largest number of sweeps per placement.
    pub max_iter: usize,
    /// A placement ends when a sweep lowers the energy by less than this share of the variance of
    /// the points, or of the squared trimming radius if that is smaller; while the graph grows, by
    /// less than ten times that. 0 runs until nothing changes.
    pub tol: f64,
}

impl Default for ElasticTree {
    fn default() -> Self {
        Self {
            n_nodes: NodeCount::Auto,
            stretching: 0.01,
            bending: 0.1,
            branching_penalty: 0.0,
            star_exponent: 0.0,
            program: Program(vec![Rule::Grow, Rule::Grow, Rule::Shrink]),
            max_branch_points: InfOr::Infinite,
            max_star_order: InfOr::Infinite,
            max_steps: InfOr::Infinite,
            trimming_radius: TrimmingRadius::Infinite,
            tips: Tips::Auto,
            search: Search::Fast,
            max_iter: 100,
            tol: 1e-5,
        }
    }
}

impl ElasticTree {
    pub(super) fn check_values(&self) -> Result<()> {
        whole_or_inf("max_branch_points", self.max_branch_points, 0)?;
        whole_or_inf("max_star_order", self.max_star_order, 0)?;
        whole_or_inf("max_steps", self.max_steps, 0)?;
        self.recipe().check()
    }

    pub(super) fn recipe(&self) -> Recipe {
        Recipe {
            n_nodes: self.n_nodes,
            moduli: Moduli {
                stretching: self.stretching,
                bending: self.bending,
                branching_penalty: self.branching_penalty,
                star_exponent: self.star_exponent,
            },
            ceilings: Ceilings {
                branch_points: at_most(self.max_branch_points),
                star_order: at_most(self.max_star_order),
            },
            trimming_radius: self.trimming_radius,
            search: self.search,
            tips: self.tips,
            limits: Limits { max_iter: self.max_iter, tol: self.tol },
            program: self.program.clone(),
            max_steps: at_most(self.max_steps),
            rewires: true,
            end_penalty: None,
            closed: false,
        }
    }
}

pub(super) fn count_or_auto(_: &mut SchemaGenerator) -> Schema {
    checks::count_or_auto(2)
}
