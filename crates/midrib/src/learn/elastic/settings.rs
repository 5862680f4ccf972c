//! The settings of elastic curves, rings and trees.

use std::fmt;
use std::marker::PhantomData;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};

use super::fit;
use super::moduli::Moduli;
use super::program::Program;
use crate::connect::{Ceilings, Rule, Topology};
use crate::error::{Error, Result};
use crate::graph::PrincipalGraph;
use crate::learn::choices::{InfOr, NodeCount, Tips, TrimmingRadius};
use crate::learn::descent::Limits;
use crate::learn::fitted::Fitted;
use crate::learn::given::Given;
use crate::learn::registry::{Method, Promises};
use crate::observe::Observer;
use crate::place::Springs;
use crate::points::Points;

/// How the best change of a growing graph is found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Search {
    /// Grows on a sample; looks only at points whose nearest node may be another one.
    #[default]
    Fast,
    /// Grows on all points, every one of which is looked at in each sweep.
    Exact,
}

/// What all elastic graphs have in common, as the loop takes it.
pub(super) struct Plan {
    pub n_nodes: NodeCount,
    pub moduli: Moduli,
    pub ceilings: Ceilings,
    pub trimming_radius: TrimmingRadius,
    pub search: Search,
    pub tips: Tips,
    pub limits: Limits,
    /// The rules that are applied in turn, again and again.
    pub program: Program,
    /// How often a rule is applied at most.
    pub max_steps: usize,
    /// Whether the parts of the grown graph may be joined elsewhere.
    pub rewires: bool,
    /// What two open ends, or an edge without points, cost in parts of the variance, where open
    /// ends may be joined and edges cut.
    pub end_penalty: Option<f64>,
    pub closed: bool,
}

impl Plan {
    pub fn check(&self) -> Result<()> {
        for (name, value, least) in [
            ("stretching", self.moduli.stretching, f64::MIN_POSITIVE),
            ("bending", self.moduli.bending, 0.0),
            ("branching_penalty", self.moduli.branching_penalty, 0.0),
            ("star_exponent", self.moduli.star_exponent, 0.0),
        ] {
            if !(value >= least && value.is_finite()) {
                let must = if least > 0.0 { "must be positive" } else { "must be 0 or positive" };
                return Err(Error::setting(name, value, must));
            }
        }
        if let Some(penalty) = self.end_penalty
            && !(penalty >= 0.0 && penalty.is_finite())
        {
            return Err(Error::setting("end_penalty", penalty, "must be 0 or positive"));
        }
        self.trimming_radius.check()?;
        if self.ceilings.star_order < 2 {
            return Err(Error::setting(
                "max_star_order",
                self.ceilings.star_order,
                "every inner node has two neighbours: give at least 2",
            ));
        }
        self.program.check()?;
        if self.n_nodes == NodeCount::All {
            let why = "an elastic graph grows node by node: give a number";
            return Err(Error::setting("n_nodes", "all", why));
        }
        if let NodeCount::Exactly(count) = self.n_nodes
            && count < self.fewest_nodes()
        {
            let what = if self.closed { "a ring needs at least 3" } else { "give at least 2" };
            return Err(Error::setting("n_nodes", count, what));
        }
        self.limits.check()
    }

    /// The springs of a graph as it was placed with.
    pub fn springs(&self, graph: &PrincipalGraph) -> Springs {
        let edges: Vec<(usize, usize)> = graph.edges().iter().map(|e| (e.a, e.b)).collect();
        self.moduli.springs(&Topology::new(graph.nodes().n_rows(), &edges))
    }

    pub fn fewest_nodes(&self) -> usize {
        if self.closed { 3 } else { 2 }
    }
}

/// A tree that grows where it lowers its elastic energy: the way of ElPiGraph.
///
/// Each step of the growth compares all changes of the tree, on 50 points for each node; what
/// grew is then placed on all points, which may have gaps. When the tree has all its nodes, its parts are joined
/// elsewhere as long as that lowers the energy.
///
/// ```
/// use midrib::learn::{ElasticTree, Given, Method, NodeCount};
/// use midrib::{Points, Silent};
/// let values: Vec<f64> = (0..200).flat_map(|i| [f64::from(i) / 100.0, f64::from(i % 7) / 50.0]).collect();
/// let points = Points::from_f64(values, 2)?;
/// let settings = ElasticTree { n_nodes: NodeCount::Exactly(10), ..ElasticTree::default() };
/// let fitted = settings.fit(&points, Given::default(), &mut Silent)?;
/// assert_eq!(fitted.graph.tips().len(), 2);
/// # Ok::<(), midrib::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct ElasticTree {
    /// Number of nodes to grow to: `auto` for 50, or a third of the points if those are fewer.
    #[schemars(schema_with = "count_or_auto")]
    pub n_nodes: NodeCount,
    /// Stretching modulus λ: larger values give shorter edges and pull the tips in.
    pub stretching: f64,
    /// Bending modulus μ: larger values give straighter branches.
    pub bending: f64,
    /// Branching penalty α: how much more an edge resists stretching, where trees are compared, for
    /// each neighbour of its ends beyond the second. Larger values give fewer branches.
    pub branching_penalty: f64,
    /// Star exponent β: the power of a star's order that multiplies its bending modulus where trees
    /// are compared.
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
    pub(super) fn plan(&self) -> Plan {
        Plan {
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

impl Method for ElasticTree {
    const NAME: &'static str = "elastic-tree";
    const SUMMARY: &'static str =
        "tree grown where it lowers its elastic energy; smooth branches, robust to outliers";
    const CITATION: &'static str = "Gorban2009, section 5";
    const STEP: &'static str = "step";
    const START_GRAPH: bool = true;
    const GAPS: bool = true;

    fn promises(&self) -> Promises {
        Promises { tree: true, ..GROWN }
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

/// Refuses a ceiling that is no whole number.
pub(super) fn whole(name: &str, most: InfOr) -> Result<()> {
    match most {
        InfOr::Finite(most) if !(most >= 0.0 && most.fract() == 0.0) => {
            Err(Error::setting(name, most, "must be a whole number, or inf"))
        }
        _ => Ok(()),
    }
}

/// A graph that grows node by node cannot take all points.
pub(super) fn count_or_auto(_: &mut SchemaGenerator) -> Schema {
    json_schema!({"anyOf": [{"type": "integer", "minimum": 2}, {"const": "auto"}]})
}

fn at_most(count: InfOr) -> usize {
    match count {
        InfOr::Infinite => usize::MAX,
        InfOr::Finite(count) => count as usize,
    }
}

pub(super) const GROWN: Promises = Promises {
    cost_falls: false,
    rigid_motions: true,
    scaling: true,
    any_row_order: true,
    weights_as_repeats: true,
    tree: false,
};

/// Which line an [`ElasticLine`] is.
pub trait LineKind: Clone + fmt::Debug + Default + PartialEq {
    /// The name on the command line.
    const NAME: &'static str;
    /// One line that tells a scientist when to use it.
    const SUMMARY: &'static str;
    /// Whether its ends are joined.
    const CLOSED: bool;
}

/// A line with two ends.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Curve;

impl LineKind for Curve {
    const NAME: &'static str = "elastic-curve";
    const SUMMARY: &'static str = "one smooth curve without branches, by elastic energy";
    const CLOSED: bool = false;
}

/// A line without ends.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Ring;

impl LineKind for Ring {
    const NAME: &'static str = "elastic-ring";
    const SUMMARY: &'static str = "one smooth closed curve, by elastic energy: cycles, rotations";
    const CLOSED: bool = true;
}

/// An elastic curve with two ends.
pub type ElasticCurve = ElasticLine<Curve>;
/// An elastic closed curve.
pub type ElasticRing = ElasticLine<Ring>;

/// A line that grows by bisecting its edges where that lowers its elastic energy most.
///
/// ```
/// use midrib::learn::{ElasticRing, Given, Method, NodeCount};
/// use midrib::{Points, Silent};
/// let values: Vec<f64> = (0..200).flat_map(|i| [f64::from(i).cos(), f64::from(i).sin()]).collect();
/// let points = Points::from_f64(values, 2)?;
/// let settings = ElasticRing { n_nodes: NodeCount::Exactly(12), ..ElasticRing::default() };
/// let fitted = settings.fit(&points, Given::default(), &mut Silent)?;
/// assert_eq!((fitted.graph.loops(), fitted.graph.tips().len()), (1, 0));
/// # Ok::<(), midrib::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields, bound = "")]
#[schemars(bound = "", rename = "ElasticLine")]
pub struct ElasticLine<K: LineKind> {
    /// Number of nodes to grow to: `auto` for 50, or a third of the points if those are fewer.
    #[schemars(schema_with = "count_or_auto")]
    pub n_nodes: NodeCount,
    /// Stretching modulus λ: larger values give shorter edges and pull the ends in.
    pub stretching: f64,
    /// Bending modulus μ: larger values give a straighter line.
    pub bending: f64,
    /// Rules of the grammar that follow one another: again and again, until there are `n_nodes`,
    /// `bisect` (an edge), `grow` (that, or add a node beyond an end) and `shrink` (remove an end, or
    /// contract an edge).
    pub program: Program,
    /// Distance from every node beyond which points do not pull: outliers then do no harm. `auto` to
    /// estimate it from the points, `inf` to let all points pull.
    pub trimming_radius: TrimmingRadius,
    /// How the best change is found: `fast`, on a sample of the points, or `exact`, on all of them.
    pub search: Search,
    /// Largest number of sweeps of one placement.
    pub max_iter: usize,
    /// When nodes rest: if placing them anew lowers the energy by less than this part of the
    /// variance of the points, or of the square of the trimming radius if that is less; while the
    /// graph grows, by less than ten times that. 0 goes on until nothing changes.
    pub tol: f64,
    #[serde(skip)]
    #[allow(missing_docs)]
    pub kind: PhantomData<K>,
}

impl<K: LineKind> Default for ElasticLine<K> {
    fn default() -> Self {
        let ElasticTree {
            n_nodes,
            stretching,
            bending,
            trimming_radius,
            search,
            max_iter,
            tol,
            ..
        } = ElasticTree::default();
        let program = Program(vec![Rule::Lengthen]);
        let kind = PhantomData;
        Self { n_nodes, stretching, bending, program, trimming_radius, search, max_iter, tol, kind }
    }
}

impl<K: LineKind> ElasticLine<K> {
    fn plan(&self) -> Plan {
        Plan {
            n_nodes: self.n_nodes,
            moduli: Moduli {
                stretching: self.stretching,
                bending: self.bending,
                branching_penalty: 0.0,
                star_exponent: 0.0,
            },
            ceilings: Ceilings { branch_points: 0, star_order: 2 },
            trimming_radius: self.trimming_radius,
            search: self.search,
            tips: Tips::Keep,
            limits: Limits { max_iter: self.max_iter, tol: self.tol },
            program: self.program.clone(),
            max_steps: usize::MAX,
            rewires: false,
            end_penalty: None,
            closed: K::CLOSED,
        }
    }
}

impl<K: LineKind> Method for ElasticLine<K> {
    const NAME: &'static str = K::NAME;
    const SUMMARY: &'static str = K::SUMMARY;
    const CITATION: &'static str = "Gorban2009, section 5";
    const STEP: &'static str = "step";
    const START_GRAPH: bool = true;
    const GAPS: bool = true;

    fn promises(&self) -> Promises {
        Promises { tree: !K::CLOSED, ..GROWN }
    }

    fn check(&self) -> Result<()> {
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
