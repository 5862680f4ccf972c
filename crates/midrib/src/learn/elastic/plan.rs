//! The points that a graph grows on, its first nodes and the trimming radius.

use super::first_graph::{given_graph, principal_graph};
use super::growth::Growth;
use super::growth_sample::growth_rows;
use super::recipe::Recipe;
use super::search::Search;
use super::subspace::Subspace;
use crate::assign::Rows;
use crate::connect::Topology;
use crate::error::{Error, Result};
use crate::learn::choices::{NodeCount, Tips};
use crate::learn::descent::Limits;
use crate::learn::given::{Given, StartGraph};
use crate::learn::result::Choice;
use crate::learn::tips::TIDIED;
use crate::learn::trimming::Trimming;
use crate::math::Matrix;
use crate::points::{Blocks, Cloud, all_rows};
use crate::prepare::fill_gaps;

/// Nodes where their number is left open.
const NODES: usize = 50;

/// Everything that the loop needs, in working units.
pub(super) struct Plan {
    pub task: Task,
    pub space: Subspace,
    pub trimming: Trimming,
    /// The variance of the points.
    pub variance: f64,
    /// Of the last placement.
    pub limits: Limits,
    pub tidies: bool,
    pub choices: Vec<Choice>,
}

/// Points, a first graph among them and how it grows.
pub(super) struct Task {
    pub rows: Rows,
    pub topology: Topology,
    pub nodes: Matrix,
    /// The number of nodes to grow to.
    pub count: usize,
    pub growth: Growth,
    /// The price of two tips, or of an edge without points, if tips may be joined and edges cut.
    pub price: Option<f64>,
}

/// Prepares the growth.
pub(super) fn plan(
    recipe: &Recipe,
    method: &str,
    cloud: &Cloud<'_>,
    given: Given<'_>,
) -> Result<Plan> {
    cloud.require_spread()?;
    let points = cloud.source();
    let (tidies, tip_choice) = tips(recipe.tips, given.start_graph)?;
    let mut choices = Vec::new();
    let count = node_count(recipe, given.start, cloud, &mut choices)?;
    let filled = match cloud.missing_values() {
        0 => None,
        _ => {
            let points = all_rows(points, method, 2 * points.dims())?;
            Some(fill_gaps(&points, if recipe.closed { 2 } else { 1 }.min(points.dims()))?)
        }
    };
    let whole: &dyn Blocks = filled.as_ref().map_or(points, |filled| &filled.points);
    let radius = recipe.trimming_radius;
    let trimming = Trimming::new(radius, whole, cloud.scale(), count, &mut choices)?;
    let variance = cloud.spread() / points.total_weight();
    // Outliers inflate the variance; trimmed, each counts at most the squared radius.
    let scale = variance.min(trimming.radius() * trimming.radius());
    let limits = Limits { tol: recipe.limits.tol * scale, ..recipe.limits };
    let has_pins = given.start_graph.is_some_and(|graph| !graph.pinned.is_empty());
    let space = match recipe.search {
        Search::Fast if trimming.is_infinite() && !has_pins && filled.is_none() => {
            Subspace::of(points)?
        }
        _ => Subspace::whole(),
    };
    let mut rows = growth_rows(cloud, recipe.search, count, trimming.radius())?;
    rows.values = space.enter(rows.values);
    let (topology, nodes) = match given_graph(recipe, given, cloud)? {
        Some(graph) => graph,
        None => principal_graph(recipe, count, cloud, whole, &trimming)?,
    };
    let growth = Growth {
        moduli: recipe.moduli,
        ceilings: recipe.ceilings,
        search: recipe.search,
        variance,
        limits,
    };
    let nodes = space.enter(nodes);
    let price = recipe.end_penalty.map(|penalty| penalty * variance);
    let task = Task { rows, topology, nodes, count, growth, price };
    choices.extend(tip_choice);
    Ok(Plan { task, space, trimming, variance, limits, tidies, choices })
}

/// Whether the tips are tidied, and the choice to report.
fn tips(wanted: Tips, start: Option<&StartGraph>) -> Result<(bool, Option<Choice>)> {
    let fixed = start.is_some_and(StartGraph::has_pins_or_moduli);
    match wanted {
        Tips::Keep => Ok((false, None)),
        Tips::Tidy if fixed => {
            let reason = "could move pinned nodes, or remove nodes and edges with their own moduli: \
                          use keep";
            Err(Error::setting("tips", "tidy", reason))
        }
        Tips::Tidy => Ok((true, None)),
        Tips::Auto if fixed => {
            let reason = "kept as grown, since nodes are pinned or have their own moduli";
            Ok((false, Some(Choice::new("tips", "keep", reason))))
        }
        Tips::Auto => Ok((true, Some(Choice::new("tips", "tidy", TIDIED)))),
    }
}

fn node_count(
    recipe: &Recipe,
    start: Option<&Matrix>,
    cloud: &Cloud<'_>,
    choices: &mut Vec<Choice>,
) -> Result<usize> {
    let fewest = recipe.fewest_nodes();
    let n = cloud.len();
    if n < fewest {
        return Err(Error::data(format!("there are {n} points: a ring needs at least 3")));
    }
    let count = match recipe.n_nodes {
        NodeCount::Exactly(count) if count > n => {
            let reason = format!("there are only {n} points: give at most that many");
            return Err(Error::setting("n_nodes", count, reason));
        }
        NodeCount::Exactly(count) => match start {
            Some(start) if start.n_rows() > count => {
                let reason = format!("the given start has {} nodes already", start.n_rows());
                return Err(Error::setting("n_nodes", count, reason));
            }
            _ => count,
        },
        NodeCount::Auto | NodeCount::All => {
            let points = cloud.source().count_up_to(3 * NODES)?;
            let count = NODES.min(points / 3).max(fewest);
            let given = start.map_or(0, Matrix::n_rows);
            if given > count {
                choices.push(Choice::new("n_nodes", given, "as many as the given start has"));
                return Ok(given);
            }
            choices.push(Choice::of_nodes(count, NODES, points));
            count
        }
    };
    Ok(count.max(start.map_or(0, Matrix::n_rows)))
}
