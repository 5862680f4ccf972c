//! The settings of elastic graphs with loops and components.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::program::Program;
use super::recipe::Recipe;
use super::search::Search;
use super::settings::{ElasticTree, count_or_auto};
use crate::error::Result;
use crate::learn::choices::{InfOr, NodeCount, Tips, TrimmingRadius};

/// A graph that grows as a tree, joins its tips where the data continue and breaks apart where they
/// do not: it finds loops and components by itself.
///
/// It costs what an [`ElasticTree`] costs, plus a few placements for each loop or component that it
/// tries; relearning the components costs about as much again.
///
/// ```
/// use midrib::learn::{ElasticGraph, Given, Method};
/// use midrib::{Points, Silent};
/// let values: Vec<f64> = (0..300).flat_map(|i| [f64::from(i).cos(), f64::from(i).sin()]).collect();
/// let points = Points::from_f64(values, 2)?;
/// let fitted = ElasticGraph::default().fit(&points, Given::default(), &mut Silent)?;
/// assert_eq!((fitted.graph()?.loops(), fitted.graph()?.tips().len()), (1, 0));
/// # Ok::<(), midrib::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct ElasticGraph {
    /// Number of nodes to grow to: a number, or `auto` for 50 (a third of the points if that is
    /// fewer).
    #[schemars(schema_with = "count_or_auto")]
    pub n_nodes: NodeCount,
    /// Stretching modulus λ: larger values give shorter edges and pull the tips in.
    pub stretching: f64,
    /// Bending modulus μ: larger values give straighter branches.
    pub bending: f64,
    /// Branching penalty α: when graphs are compared, an edge resists stretching by this much more for
    /// each neighbor of its nodes beyond the second. Larger values give fewer branches.
    pub branching_penalty: f64,
    /// Star exponent β: when graphs are compared, the bending modulus of a star is multiplied by its
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
    /// Price of two tips, or of an edge without points: a share of the variance of the points.
    /// Larger values close more loops and cut more edges.
    pub end_penalty: f64,
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

impl Default for ElasticGraph {
    fn default() -> Self {
        let ElasticTree {
            n_nodes,
            stretching,
            bending,
            branching_penalty,
            star_exponent,
            program,
            max_branch_points,
            max_star_order,
            max_steps,
            trimming_radius,
            tips,
            search,
            max_iter,
            tol,
        } = ElasticTree::default();
        Self {
            n_nodes,
            stretching,
            bending,
            branching_penalty,
            star_exponent,
            program,
            max_branch_points,
            max_star_order,
            max_steps,
            end_penalty: 0.01,
            trimming_radius,
            tips,
            search,
            max_iter,
            tol,
        }
    }
}

impl ElasticGraph {
    /// The tree that it grows from.
    fn tree(&self) -> ElasticTree {
        ElasticTree {
            n_nodes: self.n_nodes,
            stretching: self.stretching,
            bending: self.bending,
            branching_penalty: self.branching_penalty,
            star_exponent: self.star_exponent,
            program: self.program.clone(),
            max_branch_points: self.max_branch_points,
            max_star_order: self.max_star_order,
            max_steps: self.max_steps,
            trimming_radius: self.trimming_radius,
            tips: self.tips,
            search: self.search,
            max_iter: self.max_iter,
            tol: self.tol,
        }
    }

    pub(super) fn check_values(&self) -> Result<()> {
        self.tree().check_values()?;
        self.recipe().check()
    }

    pub(super) fn recipe(&self) -> Recipe {
        Recipe { end_penalty: Some(self.end_penalty), ..self.tree().recipe() }
    }
}
