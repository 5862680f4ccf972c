//! Elastic graphs, from the points to the result.
#![allow(non_snake_case)]

use serde_json::json;

use super::grow::{Grown, Growth};
use super::learner::{Learner, Learnt, Task, is_grown};
use super::moduli::Moduli;
use super::sample::rows;
use super::settings::{Plan, Search};
use super::start::start;
use super::subspace::Subspace;
use crate::assign::Sums;
use crate::cloud::Cloud;
use crate::connect::Topology;
use crate::error::{Error, Result};
use crate::graph::PrincipalGraph;
use crate::learn::choices::{NodeCount, Tips};
use crate::learn::descent::Limits;
use crate::learn::fitted::{Choice, End, Fitted};
use crate::learn::given::{Given, StartGraph};
use crate::learn::ppt::{noise, tidy};
use crate::learn::registry::{Method, to_value};
use crate::learn::trimming::Trimming;
use crate::math::Matrix;
use crate::observe::Observer;
use crate::place::{Assigned, Pins, elimination_order};
use crate::points::Points;
use crate::prepare::fill_gaps;

/// Nodes, if not given.
const NODES: usize = 50;

/// Learns the graph.
pub(super) fn fit<M: Method>(
    settings: &M,
    plan: &Plan,
    points: &Points<'_>,
    given: Given<'_>,
    watch: &mut dyn Observer,
) -> Result<Fitted> {
    given.refuse_pairs("an elastic graph")?;
    if !given.links.is_empty() {
        return Err(Error::data("elastic graphs take no links: use the method rpg"));
    }
    let cloud = Cloud::with_gaps(points)?;
    if cloud.spread() == 0.0 {
        return Err(Error::data(match cloud.len() {
            1 => "there is a single point: a graph needs at least two that differ".into(),
            n => format!("all {n} points are equal: there is nothing to learn"),
        }));
    }
    let has_own = given.start_graph.is_some_and(StartGraph::has_own);
    if has_own && plan.tips == Tips::Tidy {
        let reason = "could move pinned nodes, or cut off what has moduli of its own: use keep";
        return Err(Error::setting("tips", "tidy", reason));
    }
    let mut choices = Vec::new();
    let count = node_count(plan, given.start, &cloud, &mut choices)?;
    let filled = match points.gaps() {
        0 => None,
        _ => Some(fill_gaps(points, if plan.closed { 2 } else { 1 }.min(points.dims()))?),
    };
    let whole = filled.as_ref().map_or(points, |filled| &filled.points);
    let trimming = Trimming::new(plan.trimming_radius, whole, cloud.scale(), count, &mut choices)?;
    let variance = cloud.spread() / points.total_weight();
    // Outliers make the variance as large as they like; trimmed, they count the squared radius.
    let most = variance.min(trimming.radius() * trimming.radius());
    let limits = Limits { tol: plan.limits.tol * most, ..plan.limits };
    let growth = Growth {
        moduli: plan.moduli,
        ceilings: plan.ceilings,
        search: plan.search,
        variance,
        limits,
    };
    let pins = given.start_graph.map_or(0, |graph| graph.pinned.len());
    let space = match plan.search {
        Search::Fast if trimming.is_infinite() && pins == 0 && filled.is_none() => {
            Subspace::of(points)?
        }
        _ => Subspace::whole(),
    };
    let mut rows = rows(&cloud, plan.search, count, trimming.radius())?;
    rows.values = space.enter(rows.values);
    let (topology, start) = start(plan, given, count, &cloud, whole, &trimming)?;
    let price = plan.end_penalty.map(|penalty| penalty * variance);
    let task = Task { rows, topology, nodes: space.enter(start), count, growth, price };
    let learner = Learner { plan, trimming: &trimming, given: given.start.is_some() };
    let Learnt { mut here, record, rows, mut end, mut notes } = learner.learn(task, watch);
    let rest = space.rest * variance;
    let unit = cloud.square_unit();
    let tuning = record.tuning(here.topology.len(), rows.weights.len(), rest, unit);
    let mut trace: Vec<f64> = record.trace.iter().map(|U| U + rest).collect();
    here.nodes = space.leave(here.nodes);
    let placed = place_on_all(&cloud, here, &plan.moduli, trimming.radius(), limits)?;
    trace.push(placed.U);
    if is_grown(end) && !placed.rests {
        end = End::MaxIter;
    }
    notes.extend(trimming.note(&placed.sums));

    let own_springs =
        placed.topology.has_own_moduli().then(|| plan.moduli.springs(&placed.topology));
    let edges: Vec<_> = placed.topology.edges().map(|(a, b)| (a, b, 1.0)).collect();
    let mut graph = PrincipalGraph::new(cloud.to_data(placed.nodes), &edges, placed.sums.mass)?;
    if plan.tips == Tips::Auto && has_own {
        let reason = "left as grown, since nodes are pinned or have moduli of their own";
        choices.push(Choice { setting: "tips", value: json!("keep"), reason: reason.into() });
    } else if plan.tips != Tips::Keep {
        let reason = "cut off where only noise, the others drawn to the end of the data";
        if plan.tips == Tips::Auto {
            let value = json!("tidy");
            choices.push(Choice { setting: "tips", value, reason: reason.into() });
        }
        let restored = restored(&graph, points)?;
        let points = restored.as_ref().unwrap_or(points);
        let pulling = trimming.pulling(&graph, points)?;
        let points = pulling.as_ref().unwrap_or(points);
        let scatter = noise(&graph, points, &graph.project(points)?)?;
        graph = tidy(graph, points, scatter)?;
    }
    Ok(Fitted {
        method: M::NAME,
        graph,
        trace: trace.iter().map(|U| U * unit).collect(),
        end,
        settings: to_value(settings),
        latent: None,
        own_springs,
        choices,
        tuning: Some(tuning),
        notes,
    })
}

fn node_count(
    plan: &Plan,
    start: Option<&Matrix>,
    cloud: &Cloud<'_>,
    choices: &mut Vec<Choice>,
) -> Result<usize> {
    let fewest = plan.fewest_nodes();
    let n = cloud.len();
    if n < fewest {
        return Err(Error::data(format!("there are {n} points: a ring needs at least 3")));
    }
    let count = match plan.n_nodes {
        NodeCount::Exactly(count) if count > n => {
            return Err(Error::setting(
                "n_nodes",
                count,
                format!("there are only {n} points: give at most that many"),
            ));
        }
        NodeCount::Exactly(count) => match start {
            Some(start) if start.n_rows() > count => {
                let reason = format!("the given start has {} nodes already", start.n_rows());
                return Err(Error::setting("n_nodes", count, reason));
            }
            _ => count,
        },
        NodeCount::Auto | NodeCount::All => {
            let points = cloud.points().count_up_to(3 * NODES);
            let count = NODES.min(points / 3).max(fewest);
            let reason = if count == NODES {
                "the default".into()
            } else {
                format!("a third of the {points} points")
            };
            choices.push(Choice { setting: "n_nodes", value: json!(count), reason });
            count
        }
    };
    Ok(count.max(start.map_or(0, Matrix::n_rows)))
}

/// Points with gaps, each of which is filled in from its place on the graph.
fn restored(graph: &PrincipalGraph, points: &Points<'_>) -> Result<Option<Points<'static>>> {
    if points.gaps() == 0 {
        return Ok(None);
    }
    let projection = graph.project(points)?;
    let dims = points.dims();
    let mut values = vec![0.0; points.len() * dims];
    for (i, row) in values.chunks_exact_mut(dims).enumerate() {
        points.copy_row(i, row);
        let place = projection.place(graph, i);
        let gaps = row.iter_mut().zip(place).filter(|(x, _)| x.is_nan());
        gaps.for_each(|(x, place)| *x = place);
    }
    let weights: Vec<f64> = (0..points.len()).map(|i| points.weight(i)).collect();
    Ok(Some(Points::from_f64(values, dims)?.with_weights(weights)?))
}

/// A graph placed on all points, in working units.
struct Placed {
    topology: Topology,
    nodes: Matrix,
    sums: Sums,
    U: f64,
    /// Whether the energy came to rest within the sweeps that are allowed.
    rests: bool,
}

/// Assigns all points and places the nodes until the energy rests.
fn place_on_all(
    cloud: &Cloud<'_>,
    grown: Grown,
    moduli: &Moduli,
    radius: f64,
    limits: Limits,
) -> Result<Placed> {
    let Grown { topology, mut nodes, .. } = grown;
    let springs = moduli.springs(&topology);
    let edges: Vec<(usize, usize)> = topology.edges().collect();
    let order = elimination_order(topology.len(), &edges);
    let pinned = topology.pins();
    let mut K = Assigned::new(cloud, &nodes, radius);
    let mut U = K.energy(&springs, &nodes);
    let mut rests = false;
    for _ in 0..limits.max_iter {
        let pins = Pins::new(&pinned, &nodes);
        let Some(placed) = K.place(&springs, &order, &pins) else { break };
        let next = Assigned::new(cloud, &placed, radius);
        let fall = U - next.energy(&springs, &placed);
        (nodes, K, U) = (placed, next, U - fall);
        if fall <= limits.tol {
            rests = true;
            break;
        }
    }
    Ok(Placed { topology, nodes, sums: K.sums, U, rests })
}
