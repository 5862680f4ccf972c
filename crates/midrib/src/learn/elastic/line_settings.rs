//! The settings of elastic curves and rings.

use std::fmt;
use std::marker::PhantomData;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::moduli::Moduli;
use super::program::Program;
use super::recipe::Recipe;
use super::search::Search;
use super::settings::{ElasticTree, count_or_auto};
use crate::connect::{Ceilings, Rule};
use crate::learn::choices::{NodeCount, Tips, TrimmingRadius};
use crate::learn::descent::Limits;

/// Whether an [`ElasticLine`] is open or closed.
pub trait LineKind: Clone + fmt::Debug + Default + PartialEq + Send + Sync + 'static {
    /// The name on the command line.
    const NAME: &'static str;
    /// The name of the Python estimator.
    const CLASS: &'static str;
    /// When to use it, in one line.
    const SUMMARY: &'static str;
    /// Whether its tips are joined.
    const CLOSED: bool;
}

/// A line with two tips.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Curve;

impl LineKind for Curve {
    const NAME: &'static str = "elastic-curve";
    const CLASS: &'static str = "ElasticPrincipalCurve";
    const SUMMARY: &'static str = "one smooth curve without branches, by elastic energy";
    const CLOSED: bool = false;
}

/// A closed line.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Ring;

impl LineKind for Ring {
    const NAME: &'static str = "elastic-ring";
    const CLASS: &'static str = "ElasticPrincipalRing";
    const SUMMARY: &'static str = "one smooth closed curve, by elastic energy: cycles, rotations";
    const CLOSED: bool = true;
}

/// An elastic curve with two tips.
pub type ElasticCurve = ElasticLine<Curve>;
/// An elastic closed curve.
pub type ElasticRing = ElasticLine<Ring>;

/// A line that grows by bisecting the edge where that lowers its elastic energy most.
///
/// ```
/// use midrib::learn::{ElasticRing, Given, Method, NodeCount};
/// use midrib::{Points, Silent};
/// let values: Vec<f64> = (0..200).flat_map(|i| [f64::from(i).cos(), f64::from(i).sin()]).collect();
/// let points = Points::from_f64(values, 2)?;
/// let settings = ElasticRing { n_nodes: NodeCount::Exactly(12), ..ElasticRing::default() };
/// let fitted = settings.fit(&points, Given::default(), &mut Silent)?;
/// assert_eq!((fitted.graph()?.loops(), fitted.graph()?.tips().len()), (1, 0));
/// # Ok::<(), midrib::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields, bound = "")]
#[schemars(bound = "", rename = "ElasticLine")]
pub struct ElasticLine<K: LineKind> {
    /// Number of nodes to grow to: a number, or `auto` for 50 (a third of the points if that is
    /// fewer).
    #[schemars(schema_with = "count_or_auto")]
    pub n_nodes: NodeCount,
    /// Stretching modulus λ: larger values give shorter edges and pull the tips in.
    pub stretching: f64,
    /// Bending modulus μ: larger values give a straighter line.
    pub bending: f64,
    /// Rules of the grammar, repeated until there are `n_nodes`: `bisect` (an edge), `grow` (that, or
    /// add a node beyond a tip) and `shrink` (remove a tip, or contract an edge).
    pub program: Program,
    /// Points farther than this from every node are ignored: a number, `auto` to estimate it from
    /// the points, or `inf` to use all points. Protects against outliers.
    pub trimming_radius: TrimmingRadius,
    /// How the best change is found: `fast` on a sample of the points, or `exact` on all of them.
    pub search: Search,
    /// Largest number of sweeps per placement.
    pub max_iter: usize,
    /// A placement ends when a sweep lowers the energy by less than this share of the variance of
    /// the points, or of the squared trimming radius if that is smaller; while the graph grows, by
    /// less than ten times that. 0 runs until nothing changes.
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
    pub(super) fn recipe(&self) -> Recipe {
        Recipe {
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
