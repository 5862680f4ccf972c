//! The settings of elastic graphs with loops and components.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::fit;
use super::program::Program;
use super::settings::{ElasticTree, GROWN, Plan, Search, count_or_auto, whole};
use crate::error::Result;
use crate::graph::PrincipalGraph;
use crate::learn::choices::{InfOr, NodeCount, Tips, TrimmingRadius};
use crate::learn::fitted::Fitted;
use crate::learn::given::Given;
use crate::learn::registry::{Method, Promises};
use crate::observe::Observer;
use crate::place::Springs;
use crate::points::Points;

/// A graph that grows as a tree, joins its open ends where the data go on, and falls apart where
/// they do not: loops and components are found, not given.
///
/// Beside what an [`ElasticTree`] costs, each loop or component that is looked for costs a few
/// placements; components are learnt anew, which costs about as much again.
///
/// ```
/// use midrib::learn::{ElasticGraph, Given, Method};
/// use midrib::{Points, Silent};
/// let values: Vec<f64> = (0..300).flat_map(|i| [f64::from(i).cos(), f64::from(i).sin()]).collect();
/// let points = Points::from_f64(values, 2)?;
/// let fitted = ElasticGraph::default().fit(&points, Given::default(), &mut Silent)?;
/// assert_eq!((fitted.graph.loops(), fitted.graph.tips().len()), (1, 0));
/// # Ok::<(), midrib::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct ElasticGraph {
    /// Number of nodes to grow to: `auto` for 50, or a third of the points if those are fewer.
    #[schemars(schema_with = "count_or_auto")]
    pub n_nodes: NodeCount,
    /// Stretching modulus λ: larger values give shorter edges and pull the tips in.
    pub stretching: f64,
    /// Bending modulus μ: larger values give straighter branches.
    pub bending: f64,
    /// α: how much more an edge resists stretching, where graphs are compared, for each neighbour
    /// of its ends beyond the second. Larger values give fewer branches.
    pub branching_penalty: f64,
    /// β: the power of a star's order that multiplies its bending modulus where graphs are compared.
    pub star_exponent: f64,
    /// Rules of the grammar that follow one another: again and again, until there are `n_nodes`,
    /// `grow` (add a node to a node, or bisect an edge), `bisect` and `shrink` (remove a leaf, or
    /// contract an edge). More `shrink` undoes more of what went wrong, and takes longer.
    pub program: Program,
    /// Largest number of branch points, or `inf` for any.
    pub max_branch_points: InfOr,
    /// Largest number of neighbours of a node, or `inf` for any.
    pub max_star_order: InfOr,
    /// Largest number of steps of the growth: each adds or takes away a node; `inf` for any.
    pub max_steps: InfOr,
    /// Price of open ends and of edges without points: what two open ends, or an edge with hardly
    /// any points, cost where graphs are compared, in parts of the variance of the points. Larger
    /// values close more loops and cut more edges.
    pub end_penalty: f64,
    /// Distance from every node beyond which points do not pull: outliers then do no harm. `auto` to
    /// estimate it from the points, `inf` to let all points pull.
    pub trimming_radius: TrimmingRadius,
    /// What becomes of the tips: `tidy` removes those that carry less than 1 % of the points or
    /// are shorter than 2.5 times the noise and extends the others to the end of the data, `keep`
    /// leaves them as grown; `auto` tidies.
    pub tips: Tips,
    /// How the best change is found: `fast`, on a sample of the points, or `exact`, on all of them.
    pub search: Search,
    /// Largest number of sweeps of one placement.
    pub max_iter: usize,
    /// When nodes rest: if placing them anew lowers the energy by less than this part of the
    /// variance of the points, or of the square of the trimming radius if that is less; while the
    /// graph grows, by less than ten times that. 0 goes on until nothing changes.
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

    fn plan(&self) -> Plan {
        Plan { end_penalty: Some(self.end_penalty), ..self.tree().plan() }
    }
}

impl Method for ElasticGraph {
    const NAME: &'static str = "elastic-graph";
    const SUMMARY: &'static str =
        "graph of smooth branches that closes loops and falls into components as the data do";
    const CITATION: &'static str = "Gorban2009, section 5";
    const STEP: &'static str = "step";
    const START_GRAPH: bool = true;
    const GAPS: bool = true;

    /// How sure an edge is to have no points depends on the number of rows.
    fn promises(&self) -> Promises {
        Promises { weights_as_repeats: false, ..GROWN }
    }

    fn check(&self) -> Result<()> {
        whole("max_branch_points", self.max_branch_points)?;
        whole("max_star_order", self.max_star_order)?;
        whole("max_steps", self.max_steps)?;
        self.plan().check()
    }

    fn fit(
        &self,
        points: &Points<'_>,
        given: Given<'_>,
        watch: &mut dyn Observer,
    ) -> Result<Fitted> {
        self.check()?;
        fit::fit(self, &self.plan(), points, given, watch)
    }

    fn springs(&self, graph: &PrincipalGraph) -> Result<Option<Springs>> {
        Ok(Some(self.plan().springs(graph)))
    }
}
