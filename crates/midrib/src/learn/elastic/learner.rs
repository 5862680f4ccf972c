//! How a graph is learnt from its first nodes: it grows, its parts are joined elsewhere, its ends
//! closed; components are then learnt anew, each from its own points.
#![allow(non_snake_case)]

use std::ops::ControlFlow;
use std::sync::Arc;

use super::ends::{better_ends, penalised};
use super::grow::{Grown, Growth};
use super::parts::{Part, parts};
use super::record::Record;
use super::sample::Sample;
use super::settings::Plan;
use crate::assign::Rows;
use crate::connect::{Rule, Topology};
use crate::learn::descent::Limits;
use crate::learn::fitted::End;
use crate::learn::trimming::Trimming;
use crate::math::Matrix;
use crate::observe::{Observer, Progress};

/// Other joins are taken where they lower the energy by at least this part.
const WORTH_A_JOIN: f64 = 1e-4;

/// While the graph grows, a placement rests where the energy falls by less than this many times
/// `tol`: which change is the best, or nearly so, is told before the last nodes have moved.
const WHILE_GROWING: f64 = 10.0;

/// Components are learnt anew this often at most: each time their nodes are shared out better.
const PASSES: usize = 3;

/// What is the same for a graph and for its components.
pub(super) struct Learner<'p> {
    pub plan: &'p Plan,
    pub trimming: &'p Trimming,
    /// Whether the first nodes are given: then components are not learnt anew.
    pub given: bool,
}

/// Points, the first graph among them and how it grows.
pub(super) struct Task {
    pub rows: Rows,
    pub topology: Topology,
    /// In working coordinates, like the rows.
    pub nodes: Matrix,
    /// The number of nodes to grow to.
    pub count: usize,
    pub growth: Growth,
    /// Of two open ends, or an edge without points, where ends may be joined and edges cut.
    pub price: Option<f64>,
}

/// The graph, the points that it was last placed on, and how it came about.
pub(super) struct Learnt {
    pub here: Grown,
    pub record: Record,
    pub rows: Arc<Rows>,
    pub end: End,
    pub notes: Vec<String>,
}

/// The observer asked to stop.
struct Stopped;

/// Tells of a component what is told of the whole graph, but for its energy.
struct OfPart<'w>(&'w mut dyn Observer);

impl Observer for OfPart<'_> {
    fn progress(&mut self, progress: Progress<'_>) -> ControlFlow<()> {
        let stage = "learning components once more";
        self.0.progress(Progress { stage, objective: None, ..progress })
    }

    fn go_on(&mut self) -> ControlFlow<()> {
        self.0.go_on()
    }
}

/// Whether a growth that ended like this has all its nodes, or as many as are allowed.
pub(super) fn is_grown(end: End) -> bool {
    matches!(end, End::Converged | End::Ceiling)
}

impl Learner<'_> {
    pub fn learn(&self, task: Task, watch: &mut dyn Observer) -> Learnt {
        let plan = self.plan;
        let Task { rows, topology, nodes, count, growth, price } = task;
        let limits = growth.limits;
        let tol = WHILE_GROWING * limits.tol;
        let quick = Growth { limits: Limits { tol, ..limits }, ..growth };
        let mut sample = Sample::new(plan.search, rows, topology.len(), self.trimming);
        let mut here = quick.start(topology, nodes, &sample.rows);
        let mut record = Record::new(growth.moduli, &here);
        let mut notes = Vec::new();
        let mut end =
            grow(&quick, plan, count, &mut sample, &mut here, &mut record, &mut notes, watch);
        sample.finish();
        if is_grown(end) {
            here = growth.start(here.topology, here.nodes, &sample.rows);
        }
        if plan.rewires && is_grown(end) {
            let next = |here: &Grown, joined| joined_elsewhere(&growth, here, joined);
            end = as_long_as("joining parts elsewhere", next, &mut here, &mut record, watch)
                .unwrap_or(end);
        }
        if let Some(price) = price
            && is_grown(end)
        {
            // Parts far from one another make the variance as large as they like, not the energy.
            let tol = limits.tol.min(plan.limits.tol * here.U);
            let fine = Growth { limits: Limits { tol, ..limits }, ..growth };
            here = fine.start(here.topology, here.nodes, &sample.rows);
            let next = |here: &Grown, _| better_ends(&fine, here, &sample.rows, price);
            end =
                as_long_as("joining open ends", next, &mut here, &mut record, watch).unwrap_or(end);
            for _ in 0..PASSES {
                if !is_grown(end) {
                    break;
                }
                match self.parts_anew(&fine, &here, &sample.rows, price, watch) {
                    Ok(Some(anew)) => {
                        here = anew;
                        record.push(&here);
                    }
                    Ok(None) => break,
                    Err(Stopped) => end = End::Interrupted,
                }
            }
        }
        Learnt { here, record, rows: sample.rows, end, notes }
    }

    /// The components, each learnt from its own points: where they were joined as the graph grew,
    /// nodes may still lie between them. None if that is no better, or there is one component.
    fn parts_anew(
        &self,
        growth: &Growth,
        here: &Grown,
        rows: &Arc<Rows>,
        price: f64,
        watch: &mut dyn Observer,
    ) -> Result<Option<Grown>, Stopped> {
        let bounded =
            self.plan.max_steps < usize::MAX || growth.ceilings.branch_points < usize::MAX;
        if self.given || bounded || !self.trimming.is_infinite() {
            return Ok(None);
        }
        let parts = parts(&here.topology, &here.nodes, rows);
        if parts.len() == 1 {
            return Ok(None);
        }
        let (mut values, mut edges) = (Vec::new(), Vec::new());
        let (mut n, dims) = (0, here.nodes.n_cols());
        for part in parts {
            let (topology, nodes) = match part.is_small() {
                true => (part.topology, part.nodes),
                false => {
                    let learnt = self.learn(self.task(part, growth, price), &mut OfPart(watch));
                    if !is_grown(learnt.end) {
                        return Err(Stopped);
                    }
                    (learnt.here.topology, learnt.here.nodes)
                }
            };
            edges.extend(topology.edges().map(|(a, b)| (n + a, n + b)));
            values.extend_from_slice(nodes.as_slice());
            n += topology.len();
        }
        let mut nodes = Matrix::zeros(n, dims);
        nodes.as_mut_slice().copy_from_slice(&values);
        let anew = growth.start(Topology::new(n, &edges), nodes, rows);
        let least = (1.0 - WORTH_A_JOIN) * penalised(here, rows, price);
        Ok((penalised(&anew, rows, price) < least).then_some(anew))
    }

    /// Energies weigh as they do in the whole graph, where the part has a share of the points.
    fn task(&self, part: Part, whole: &Growth, price: f64) -> Task {
        let (variance, count) = (part.variance(), part.count);
        let limits = Limits { tol: self.plan.limits.tol * variance, ..whole.limits };
        let moduli = whole.moduli.times(1.0 / part.share);
        let growth = Growth { moduli, variance, limits, ..*whole };
        let (topology, nodes) = (Topology::new(2, &[(0, 1)]), part.farthest_nodes());
        let price = Some(price / part.share);
        Task { rows: part.rows, topology, nodes, count, growth, price }
    }
}

/// Applies the rules in turn until there are enough nodes.
#[allow(clippy::too_many_arguments)]
fn grow(
    growth: &Growth,
    plan: &Plan,
    count: usize,
    sample: &mut Sample<'_>,
    here: &mut Grown,
    record: &mut Record,
    notes: &mut Vec<String>,
    watch: &mut dyn Observer,
) -> End {
    let first = here.topology.len();
    let shrinks = plan.program.0.contains(&Rule::Shrink);
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
        for &rule in &plan.program.0 {
            let allowed = record.trace.len() <= plan.max_steps;
            let next = if allowed { growth.step(here, rule) } else { None };
            let Some(next) = next else {
                if allowed && rule == Rule::Shrink {
                    continue;
                }
                let why =
                    if allowed { "the ceilings allow no change" } else { "max_steps were done" };
                notes.push(format!("growth ended at {} nodes: {why}", here.topology.len()));
                return End::Ceiling;
            };
            *here = next;
            record.push(here);
            if ask(here, watch) {
                return End::Interrupted;
            }
            if !shrinks && here.topology.len() >= count {
                break;
            }
        }
    }
    // A program that adds several nodes at once may have added too many.
    while shrinks && here.topology.len() > count.max(first) && record.trace.len() <= plan.max_steps
    {
        let Some(next) = growth.step(here, Rule::Shrink) else { break };
        *here = next;
        record.push(here);
        if ask(here, watch) {
            return End::Interrupted;
        }
    }
    End::Converged
}

/// Joins the parts of a tree elsewhere, if that lowers its energy; once parts were `joined`, nodes
/// may also be better off elsewhere.
fn joined_elsewhere(growth: &Growth, here: &Grown, joined: bool) -> Option<Grown> {
    let better = |next: Grown, here: &Grown| {
        (next.compared < (1.0 - WORTH_A_JOIN) * here.compared).then_some(next)
    };
    let rewired = |here: &Grown| better(growth.step(here, Rule::Rewire)?, here);
    if let Some(next) = rewired(here) {
        return Some(next);
    }
    if !joined {
        return None;
    }
    let moved = growth.step(&growth.step(here, Rule::Grow)?, Rule::Shrink)?;
    better(rewired(&moved).unwrap_or(moved), here)
}

/// Takes one graph after the other as long as there is a next one, or until asked to stop; `next`
/// is told whether one was taken.
fn as_long_as(
    stage: &str,
    next: impl Fn(&Grown, bool) -> Option<Grown>,
    here: &mut Grown,
    record: &mut Record,
    watch: &mut dyn Observer,
) -> Option<End> {
    let mut done = 0;
    while let Some(better) = next(here, done > 0) {
        *here = better;
        record.push(here);
        done += 1;
        let progress = Progress { stage, done, of: done, objective: Some(here.U) };
        if watch.progress(progress) == ControlFlow::Break(()) {
            return Some(End::Interrupted);
        }
    }
    None
}
