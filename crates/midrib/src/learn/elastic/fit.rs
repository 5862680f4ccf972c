//! The loop of elastic graphs.
#![allow(non_snake_case)]

use std::ops::ControlFlow;
use std::sync::Arc;

use serde_json::json;

use super::grow::{Grown, Growth};
use super::moduli::Moduli;
use super::settings::{Plan, Search};
use super::subspace::Subspace;
use crate::assign::{Rows, Sums, hard_sums};
use crate::cloud::Cloud;
use crate::connect::{Rule, Topology, spanning_tree};
use crate::error::{Error, Result};
use crate::graph::PrincipalGraph;
use crate::learn::choices::{InfOr, NodeCount, Tips};
use crate::learn::descent::Limits;
use crate::learn::fitted::{Choice, End, Fitted};
use crate::learn::given::Given;
use crate::learn::ppt::{check_start, distinct_points, noise, tidy, working_start};
use crate::learn::registry::{Method, to_value};
use crate::math::{Matrix, dot};
use crate::observe::{Observer, Progress};
use crate::place::elimination_order;
use crate::points::Points;
use crate::prepare::{Components, Pca, sample};

/// Nodes, if not given.
const NODES: usize = 50;
/// A fast search takes at least this many points,
const GROWTH_POINTS: usize = 1_000;
/// and this many for each node.
const PER_NODE: usize = 50;
/// By how much their number grows at once.
const MORE_POINTS: f64 = 1.5;
/// Other joins are taken where they lower the energy by at least this part.
const WORTH_A_JOIN: f64 = 1e-4;

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
    let cloud = Cloud::new(points)?;
    if cloud.spread() == 0.0 {
        return Err(Error::data(match cloud.len() {
            1 => "there is a single point: a graph needs at least two that differ".into(),
            n => format!("all {n} points are equal: there is nothing to learn"),
        }));
    }
    let mut choices = Vec::new();
    let count = node_count(plan, given.start, &cloud, &mut choices)?;
    let radius = match plan.trimming_radius {
        InfOr::Infinite => f64::INFINITY,
        InfOr::Finite(radius) => radius * cloud.scale(),
    };
    let variance = cloud.spread() / points.total_weight();
    let limits = Limits { tol: plan.limits.tol * variance, ..plan.limits };
    let growth = Growth {
        moduli: plan.moduli,
        ceilings: plan.ceilings,
        search: plan.search,
        variance,
        limits,
    };
    let space = match plan.search {
        Search::Fast if radius == f64::INFINITY => Subspace::of(points)?,
        _ => Subspace::whole(),
    };
    let most = match plan.search {
        Search::Fast => GROWTH_POINTS.max(PER_NODE * count),
        Search::Exact => usize::MAX,
    };
    let mut rows = rows(&cloud, most, radius)?;
    rows.values = space.enter(rows.values);
    let (topology, start) = start(plan, given.start, count, &cloud, points)?;

    let mut sample = Sample::new(plan.search, rows, topology.len());
    let mut here = growth.start(topology, space.enter(start), &sample.rows);
    let mut trace = vec![here.U];
    let mut notes = Vec::new();
    let mut end = grow(&growth, plan, count, &mut sample, &mut here, &mut trace, &mut notes, watch);
    if plan.rewires && end == End::Converged {
        end = rewire(&growth, &mut here, &mut trace, watch);
    }
    trace.iter_mut().for_each(|U| *U += space.rest * variance);
    here.nodes = space.leave(here.nodes);
    let placed = place_on_all(&cloud, here, &plan.moduli, radius, limits)?;
    trace.push(placed.U);

    let edges: Vec<_> = placed.topology.edges().map(|(a, b)| (a, b, 1.0)).collect();
    let mut graph = PrincipalGraph::new(cloud.to_data(placed.nodes), &edges, placed.sums.mass)?;
    if plan.tips != Tips::Keep {
        let reason = "cut off where only noise, the others drawn to the end of the data";
        if plan.tips == Tips::Auto {
            let value = json!("tidy");
            choices.push(Choice { setting: "tips", value, reason: reason.into() });
        }
        let scatter = noise(&graph, points, &graph.project(points)?)?;
        graph = tidy(graph, points, scatter)?;
    }
    let unit = cloud.square_unit();
    Ok(Fitted {
        method: M::NAME,
        graph,
        trace: trace.iter().map(|U| U * unit).collect(),
        end,
        settings: to_value(settings),
        latent: None,
        choices,
        notes,
    })
}

/// The points that a graph grows on: the more, the more nodes it has.
struct Sample {
    all: Arc<Rows>,
    /// Those of now.
    rows: Arc<Rows>,
}

impl Sample {
    fn new(search: Search, all: Rows, nodes: usize) -> Self {
        let all = Arc::new(all);
        let mut sample = Self { rows: all.clone(), all };
        if search == Search::Fast {
            sample.resize(GROWTH_POINTS.max(PER_NODE * nodes));
        }
        sample
    }

    fn resize(&mut self, size: usize) {
        self.rows = match size < self.all.weights.len() {
            true => Arc::new(self.all.thinned(size)),
            false => self.all.clone(),
        };
    }

    /// Takes more points if there are more and the nodes ask for them; tells whether it did.
    fn suit(&mut self, nodes: usize) -> bool {
        let now = self.rows.weights.len();
        let asks = now < self.all.weights.len() && now < PER_NODE * nodes;
        if asks {
            self.resize((MORE_POINTS * now as f64) as usize);
        }
        asks
    }
}

/// Applies the rules in turn until there are enough nodes.
#[allow(clippy::too_many_arguments)]
fn grow(
    growth: &Growth,
    plan: &Plan,
    count: usize,
    sample: &mut Sample,
    here: &mut Grown,
    trace: &mut Vec<f64>,
    notes: &mut Vec<String>,
    watch: &mut dyn Observer,
) -> End {
    let first = here.topology.len();
    let ask = |here: &Grown, watch: &mut dyn Observer| {
        let progress = Progress {
            stage: "growing the graph",
            done: here.topology.len().saturating_sub(first),
            of: count.saturating_sub(first),
            objective: Some(here.U),
        };
        watch.progress(progress) == ControlFlow::Break(())
    };
    if ask(here, watch) {
        return End::Interrupted;
    }
    while here.topology.len() < count {
        if sample.suit(here.topology.len()) {
            *here = growth.start(here.topology.clone(), here.nodes.clone(), &sample.rows);
        }
        for &rule in plan.program {
            let Some(next) = growth.step(here, rule) else {
                notes.push(format!(
                    "growth ended at {} nodes: the ceilings allow no change",
                    here.topology.len()
                ));
                return End::Stalled;
            };
            *here = next;
            trace.push(here.U);
            if ask(here, watch) {
                return End::Interrupted;
            }
        }
    }
    End::Converged
}

/// Joins the parts of a tree elsewhere as long as that lowers its energy; with each other join a
/// node may also find a better place.
fn rewire(
    growth: &Growth,
    here: &mut Grown,
    trace: &mut Vec<f64>,
    watch: &mut dyn Observer,
) -> End {
    let better = |next: Option<Grown>, here: &Grown| {
        next.filter(|next| next.compared < (1.0 - WORTH_A_JOIN) * here.compared)
    };
    let mut joins = 0;
    while let Some(mut next) = better(growth.step(here, Rule::Rewire), here) {
        if let Some(more) = growth.step(&next, Rule::Grow)
            && let Some(moved) = better(growth.step(&more, Rule::Shrink), &next)
        {
            next = moved;
        }
        *here = next;
        trace.push(here.U);
        joins += 1;
        let stage = "joining parts elsewhere";
        let progress = Progress { stage, done: joins, of: joins, objective: Some(here.U) };
        if watch.progress(progress) == ControlFlow::Break(()) {
            return End::Interrupted;
        }
    }
    End::Converged
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
        NodeCount::Exactly(count) => count,
        NodeCount::Auto | NodeCount::All => {
            let points = cloud.points().count_distinct(3 * NODES);
            let count = NODES.min(points / 3).max(fewest);
            let reason = if count == NODES {
                "the default".into()
            } else {
                format!("a third of the {points} {}", distinct_points(points, cloud))
            };
            choices.push(Choice { setting: "n_nodes", value: json!(count), reason });
            count
        }
    };
    Ok(count.max(start.map_or(0, Matrix::n_rows)))
}

/// At most `most` of the points, in working coordinates.
fn rows(cloud: &Cloud<'_>, most: usize, radius: f64) -> Result<Rows> {
    let few = sample(cloud, most)?;
    let mut values = Matrix::zeros(few.len(), few.dims());
    for i in 0..few.len() {
        few.copy_row(i, values.row_mut(i));
    }
    let weights = (0..few.len()).map(|i| few.weight(i)).collect();
    Ok(Rows { values: cloud.to_working(values), weights, radius })
}

/// The first graph, in working coordinates: as given, or on the first principal axes.
fn start(
    plan: &Plan,
    given: Option<&Matrix>,
    count: usize,
    cloud: &Cloud<'_>,
    points: &Points<'_>,
) -> Result<(Topology, Matrix)> {
    let chain = |n: usize| (1..n).map(|node| (node - 1, node));
    if let Some(start) = given {
        check_start(start, cloud.dims())?;
        let nodes = working_start(start, cloud)?;
        let n = nodes.n_rows();
        if n < plan.fewest_nodes() {
            return Err(Error::data(format!(
                "the given start has {n} nodes: give at least {}",
                plan.fewest_nodes()
            )));
        }
        let edges: Vec<(usize, usize)> = match (plan.closed, plan.ceilings.star_order) {
            (true, _) => chain(n).chain([(0, n - 1)]).collect(),
            (false, 2) => chain(n).collect(),
            (false, _) => spanning_tree(&nodes).edges,
        };
        return Ok((Topology::new(n, &edges), nodes));
    }
    let axes = if plan.closed { cloud.dims().min(2) } else { 1 };
    let pca = Pca::fit(Components::Count(axes.min(cloud.len() - 1).max(1)), points)?;
    let deviation = |axis: usize| {
        let share = pca.shares.get(axis).copied().unwrap_or(0.0);
        (share * cloud.spread() / points.total_weight()).sqrt()
    };
    // Points that lie farther out on one side tell the two ends of an axis apart.
    let forward: Vec<Vec<f64>> = pca
        .axes
        .rows()
        .map(|axis| {
            let skew = cloud.total(|row, weight| weight * dot(row, axis).powi(3));
            axis.iter().map(|x| x * skew.signum()).collect()
        })
        .collect();
    let along = |axis: usize, by: f64| -> Vec<f64> {
        forward[axis.min(forward.len() - 1)].iter().map(|x| by * x).collect()
    };
    let nodes: Vec<Vec<f64>> = if plan.closed {
        let corners = count.min(4);
        (0..corners)
            .map(|corner| {
                let angle = std::f64::consts::TAU * corner as f64 / corners as f64;
                let (first, second) = (
                    along(0, std::f64::consts::SQRT_2 * deviation(0) * angle.cos()),
                    along(1, std::f64::consts::SQRT_2 * deviation(1) * angle.sin()),
                );
                first.iter().zip(second).map(|(a, b)| a + b).collect()
            })
            .collect()
    } else {
        let (low, high) = extremes(cloud, |row| dot(row, &forward[0]));
        vec![along(0, low), along(0, high)]
    };
    let n = nodes.len();
    let edges: Vec<(usize, usize)> = chain(n).chain(plan.closed.then_some((0, n - 1))).collect();
    Ok((Topology::new(n, &edges), Matrix::from_rows(&nodes)?))
}

/// The least and the largest value of any point that counts.
fn extremes(cloud: &Cloud<'_>, value: impl Fn(&[f64]) -> f64 + Sync) -> (f64, f64) {
    let blocks = cloud.per_block(|rows| {
        let mut row = vec![0.0; cloud.dims()];
        let mut ends = (f64::INFINITY, f64::NEG_INFINITY);
        for i in rows.filter(|&i| cloud.points().weight(i) > 0.0) {
            cloud.copy_row(i, &mut row);
            let value = value(&row);
            ends = (ends.0.min(value), ends.1.max(value));
        }
        ends
    });
    let join = |a: (f64, f64), b: (f64, f64)| (a.0.min(b.0), a.1.max(b.1));
    blocks.into_iter().fold((f64::INFINITY, f64::NEG_INFINITY), join)
}

/// A graph placed on all points, in working units.
struct Placed {
    topology: Topology,
    nodes: Matrix,
    sums: Sums,
    U: f64,
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
    let energy = |sums: &Sums, nodes: &Matrix| {
        let (stretching, bending) = springs.energies(nodes);
        sums.cost / sums.weight + stretching + bending
    };
    let mut sums = hard_sums(cloud, &nodes, radius);
    let mut U = energy(&sums, &nodes);
    for _ in 0..limits.max_iter {
        let Some(placed) = springs.place(&sums, &order) else { break };
        let next_sums = hard_sums(cloud, &placed, radius);
        let next = energy(&next_sums, &placed);
        let fall = U - next;
        (nodes, sums, U) = (placed, next_sums, next);
        if fall <= limits.tol {
            break;
        }
    }
    Ok(Placed { topology, nodes, sums, U })
}
