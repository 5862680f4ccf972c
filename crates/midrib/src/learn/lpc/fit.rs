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

/// The bandwidth as a share of the range along the first principal axis.
const SHARE: f64 = 0.1;
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
    let bandwidth = bandwidth(settings, &cloud, &mut choices)?;
    let local = Local::new(&rows, bandwidth);
    let tracer =
        Tracer { local: &local, branch_ratio: settings.branch_ratio, max_steps: settings.max_iter };
    let most = match (&given, settings.n_seeds) {
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
    if paths.nodes.is_empty() {
        let remedy = "give starting nodes near the points, or leave them out";
        return Err(Error::data(format!(
            "no points are within reach of the starting nodes: {remedy}"
        )));
    }
    let nodes = Matrix::from_rows(&paths.nodes)?;
    let mass = hard_sums(&cloud, &nodes, f64::INFINITY)?.mass;
    let mut edges: Vec<(usize, usize)> =
        paths.edges.iter().map(|&(a, b)| (a.min(b), a.max(b))).filter(|(a, b)| a != b).collect();
    edges.sort_unstable();
    edges.dedup();
    let edges: Vec<_> = edges.into_iter().map(|(a, b)| (a, b, 1.0)).collect();
    Ok(Fit {
        method: Lpc::NAME,
        object: PrincipalGraph::new(cloud.to_data(nodes), &edges, mass)?.into(),
        iterations: used,
        trace: Vec::new(),
        end,
        settings: to_value(settings),
        choices,
        tuning: None,
        notes: Vec::new(),
    })
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

/// h, in working units.
fn bandwidth(settings: &Lpc, cloud: &Cloud<'_>, choices: &mut Vec<Choice>) -> Result<f64> {
    let scale = cloud.scale();
    match settings.bandwidth {
        AutoOr::Fixed(bandwidth) => {
            let unit = cloud.square_unit();
            check_proportion("bandwidth", bandwidth, bandwidth * scale, unit)?;
            Ok(bandwidth * scale)
        }
        AutoOr::Auto => {
            let (low, high) = PrincipalAxes::new(cloud, 1)?.span[0];
            let bandwidth = SHARE * (high - low);
            let reason = "a tenth of the range along the first principal axis";
            choices.push(Choice::new("bandwidth", bandwidth / scale, reason));
            Ok(bandwidth)
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
    fn new(local: &'l Local<'l>, given: Option<Matrix>) -> Self {
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
