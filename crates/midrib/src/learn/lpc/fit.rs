//! Seeds, paths and branches. Einbeck2005.

use std::collections::VecDeque;
use std::ops::ControlFlow;

use super::local::Local;
use super::settings::Lpc;
use super::trace::{Paths, Tracer};
use crate::assign::hard_sums;
use crate::error::{Error, Result};
use crate::graph::PrincipalGraph;
use crate::learn::choices::{AutoOr, NodeCount};
use crate::learn::method::{Method, to_value};
use crate::learn::principal_axes::PrincipalAxes;
use crate::learn::proportion::check_proportion;
use crate::learn::result::{Choice, End, Fit};
use crate::learn::start::working_start;
use crate::learn::weighted_rows::WeightedRows;
use crate::math::{Matrix, squared_distance};
use crate::observe::{Observer, Progress};
use crate::points::{Blocks, Cloud};

/// Bandwidths as shares of the range along the first principal axis: the first covers the points where
/// there is little noise.
const SHARES: [f64; 3] = [0.05, 0.1, 0.025];
/// The share of the points within one bandwidth of the paths that is enough.
const COVERED: f64 = 0.95;
/// Seeds where their number is left open.
const SEEDS: usize = 20;
/// Points farther away from all paths than this many bandwidths are left over.
const FAR: f64 = 3.0;
/// The share of the points that may be left over.
const LEFT_OVER: f64 = 0.01;
/// Branches of branches of branches are not followed.
const DEPTH: usize = 2;

/// Learns the paths.
pub(super) fn fit(
    settings: &Lpc,
    points: &dyn Blocks,
    start: Option<&Matrix>,
    watch: &mut dyn Observer,
) -> Result<Fit> {
    let cloud = Cloud::new(points)?;
    let rows = WeightedRows::new(&cloud)?;
    let given = start.map(|start| working_start(start, &cloud)).transpose()?;
    let mut choices = Vec::new();
    let mut best: Option<Followed> = None;
    let bandwidths = bandwidths(settings, &cloud)?;
    for &bandwidth in &bandwidths {
        let mut next = follow(settings, &rows, bandwidth, given.as_ref(), watch)?;
        if best.as_ref().is_some_and(|best| next.covered <= best.covered) {
            next = Followed { end: next.end, ..best.take().unwrap_or(next) };
        }
        let is_enough = next.covered >= COVERED || next.end == End::Interrupted;
        best = Some(next);
        if is_enough {
            break;
        }
    }
    let remedy = "give starting nodes near the points, or leave them out";
    let found = best.filter(|found| found.graph.nodes().n_rows() > 0).ok_or_else(|| {
        Error::data(format!("no points are within reach of the starting nodes: {remedy}"))
    })?;
    if settings.bandwidth == AutoOr::Auto {
        let reason = format!(
            "{:.0} % of the points are nearer than that to the curve",
            (100.0 * found.covered).floor()
        );
        choices.push(Choice::new("bandwidth", found.bandwidth / cloud.scale(), reason));
    }
    let mass = hard_sums(&cloud, found.graph.nodes(), f64::INFINITY)?.mass;
    let edges = found.graph.edges().iter().map(|edge| (edge.a, edge.b, edge.weight));
    let edges: Vec<_> = edges.collect();
    let nodes = cloud.to_data(found.graph.nodes().clone());
    Ok(Fit {
        method: Lpc::NAME,
        object: PrincipalGraph::new(nodes, &edges, mass)?.into(),
        iterations: found.used,
        trace: Vec::new(),
        end: found.end,
        settings: to_value(settings),
        choices,
        tuning: None,
        notes: Vec::new(),
    })
}

/// Paths with one bandwidth.
struct Followed {
    /// In working units.
    bandwidth: f64,
    graph: PrincipalGraph,
    /// The number of seeds.
    used: usize,
    /// The share of the points within one bandwidth.
    covered: f64,
    end: End,
}

/// Follows the points from all seeds.
fn follow(
    settings: &Lpc,
    rows: &WeightedRows,
    bandwidth: f64,
    given: Option<&Matrix>,
    watch: &mut dyn Observer,
) -> Result<Followed> {
    let local = Local::new(rows, bandwidth);
    let tracer =
        Tracer { local: &local, branch_ratio: settings.branch_ratio, max_steps: settings.max_iter };
    let most = match (given, settings.n_seeds) {
        (Some(given), NodeCount::Auto) => given.n_rows(),
        (_, NodeCount::Exactly(count)) => count,
        _ => SEEDS,
    };
    let mut seeds = Seeds::new(&local, given);
    let mut paths = Paths::default();
    let mut end = End::Converged;
    let mut used = 0;
    for seed in 0..most {
        let stage = "following the points";
        let progress = Progress { stage, done: seed, of: most, objective: None };
        let stop = watch.progress(progress) == ControlFlow::Break(());
        if stop {
            end = End::Interrupted;
        }
        if stop && !paths.nodes.is_empty() {
            break;
        }
        let Some(position) = seeds.next(&paths) else { break };
        used += 1;
        tracer.trace_seed(&mut paths, &position)?;
        if stop {
            break;
        }
        branches(&tracer, &mut paths)?;
    }
    let graph = paths.graph()?;
    let squared = bandwidth * bandwidth;
    let covered = match graph.nodes().n_rows() {
        0 => 0.0,
        _ => {
            let distances = graph.project(&rows.points()?)?.distance;
            let near = |d: &f64| f64::from(u8::from(d * d <= squared));
            rows.mean(&distances.iter().map(near).collect::<Vec<_>>())
        }
    };
    Ok(Followed { bandwidth, graph, used, covered, end })
}

/// Follows the branches that the last path offers, and theirs.
fn branches(tracer: &Tracer<'_>, paths: &mut Paths) -> Result<()> {
    for _ in 0..DEPTH {
        let mut forks: VecDeque<_> = std::mem::take(&mut paths.forks).into();
        while let Some((node, side)) = forks.pop_front() {
            tracer.trace_fork(paths, node, &side)?;
        }
    }
    paths.forks.clear();
    Ok(())
}

/// The values of h that are tried, in working units.
fn bandwidths(settings: &Lpc, cloud: &Cloud<'_>) -> Result<Vec<f64>> {
    match settings.bandwidth {
        AutoOr::Fixed(bandwidth) => {
            let (scale, unit) = (cloud.scale(), cloud.square_unit());
            check_proportion("bandwidth", bandwidth, bandwidth * scale, unit)?;
            Ok(vec![bandwidth * scale])
        }
        AutoOr::Auto => {
            let (low, high) = PrincipalAxes::new(cloud, 1)?.span[0];
            Ok(SHARES.map(|share| share * (high - low)).to_vec())
        }
    }
}

/// Where paths start.
struct Seeds<'l> {
    local: &'l Local<'l>,
    given: Option<VecDeque<Vec<f64>>>,
    densities: Vec<f64>,
    /// The squared distance of each point from the paths.
    away: Vec<f64>,
    seen: usize,
}

impl<'l> Seeds<'l> {
    fn new(local: &'l Local<'l>, given: Option<&Matrix>) -> Self {
        let away = vec![f64::INFINITY; local.rows.len()];
        let given = given.map(|given| given.rows().map(<[f64]>::to_vec).collect());
        let densities = if given.is_none() { local.densities() } else { Vec::new() };
        Self { local, given, densities, away, seen: 0 }
    }

    /// The next given position, or the densest point far away from all paths; none if few are.
    fn next(&mut self, paths: &Paths) -> Option<Vec<f64>> {
        if let Some(given) = &mut self.given {
            return given.pop_front();
        }
        let rows = self.local.rows;
        for node in &paths.nodes[self.seen..] {
            for (away, x) in self.away.iter_mut().zip(rows.x.rows()) {
                *away = away.min(squared_distance(node, x));
            }
        }
        self.seen = paths.nodes.len();
        let far = (FAR * self.local.bandwidth).powi(2);
        let left = || (0..rows.len()).filter(|&i| self.away[i] > far);
        let mass: f64 = left().map(|i| rows.weights[i]).sum();
        if mass <= LEFT_OVER * rows.total {
            return None;
        }
        let densest = left()
            .reduce(|best, i| if self.densities[i] > self.densities[best] { i } else { best });
        densest.map(|i| rows.x.row(i).to_vec())
    }
}
