//! The growth of elastic graphs. Gorban2009, Algorithm for estimating the elastic principal graph.
#![allow(non_snake_case)]

use std::ops::ControlFlow;
use std::sync::Arc;

use super::components::{Component, components};
use super::growth::{Grown, Growth};
use super::growth_sample::GrowthSample;
use super::history::History;
use super::join_or_cut::{join_or_cut, penalized};
use super::placement::{Placed, place_on_all};
use super::plan::{Plan, Task, plan};
use super::recipe::Recipe;
use crate::assign::Rows;
use crate::connect::{Rule, Topology};
use crate::error::Result;
use crate::graph::PrincipalGraph;
use crate::learn::all_rows::all_rows;
use crate::learn::descent::Limits;
use crate::learn::given::Given;
use crate::learn::method::{Method, to_value};
use crate::learn::noise::noise;
use crate::learn::result::{End, Fit};
use crate::learn::tips::tidy;
use crate::learn::trimming::Trimming;
use crate::math::Matrix;
use crate::object::{GraphObject, Object};
use crate::observe::{Observer, Progress};
use crate::points::{Blocks, Cloud, Points};

/// A moved branch must lower the energy by at least this share.
const WORTH_MOVING: f64 = 1e-4;

/// While the graph grows, a placement converges at this many times `tol`: which change is the best,
/// or nearly so, shows before the last nodes have moved.
const WHILE_GROWING: f64 = 10.0;

/// How often components are learned again at most: each time their nodes are distributed better.
const PASSES: usize = 3;

/// Learns the graph.
pub(super) fn fit<M: Method>(
    settings: &M,
    recipe: &Recipe,
    points: &dyn Blocks,
    given: Given<'_>,
    watch: &mut dyn Observer,
) -> Result<Fit> {
    let held = match settings.needs_all_rows() {
        true => Some(all_rows(points, M::NAME, 2 * points.dims())?),
        false => None,
    };
    let points: &dyn Blocks = held.as_deref().map_or(points, |held| held);
    let cloud = Cloud::with_gaps(points)?;
    let Plan { task, space, trimming, variance, limits, tidies, choices } =
        plan(recipe, M::NAME, &cloud, given)?;
    let learner = Learner { recipe, trimming: &trimming, is_given: given.start.is_some() };

    let Learned { here, history, rows, mut end, mut notes } = learner.learn(task, watch);
    let rest = space.rest * variance;
    let unit = cloud.square_unit();
    let tuning = history.tuning(here.topology.len(), rows.weights.len(), rest, unit);
    let mut trace: Vec<f64> = history.trace.iter().map(|U| U + rest).collect();

    let (topology, nodes) = (here.topology, space.leave(here.nodes));
    let radius = trimming.radius();
    let Placed { nodes, sums, U, converged } =
        place_on_all(&cloud, &topology, nodes, &recipe.moduli, radius, limits)?;
    trace.push(U);
    if is_grown(end) && !converged {
        end = End::MaxIter;
    }
    notes.extend(trimming.note(&sums));

    let edges: Vec<_> = topology.edges().map(|(a, b)| (a, b, 1.0)).collect();
    let mut graph = PrincipalGraph::new(cloud.to_data(nodes), &edges, sums.mass)?;
    if tidies {
        graph = tidied(graph, points, cloud.missing_values(), &trimming, M::NAME)?;
    }
    let springs = match topology.has_own_moduli() {
        true => recipe.moduli.springs(&topology),
        false => recipe.springs(&graph),
    };
    let springs = Some(springs);
    Ok(Fit {
        method: M::NAME,
        object: Object::Graph(GraphObject { graph, embedding: None, springs }),
        iterations: trace.len() - 1,
        trace: trace.iter().map(|U| U * unit).collect(),
        end,
        settings: to_value(settings),
        choices,
        tuning: Some(tuning),
        notes,
    })
}

/// The graph with tidied tips, judged by points within the trimming radius whose missing values are
/// filled in from the graph.
fn tidied(
    graph: PrincipalGraph,
    points: &dyn Blocks,
    missing: usize,
    trimming: &Trimming,
    method: &str,
) -> Result<PrincipalGraph> {
    let filled = match missing {
        0 => None,
        _ => Some(filled(&graph, &*all_rows(points, method, 2 * points.dims())?)?),
    };
    let points: &dyn Blocks = filled.as_ref().map_or(points, |filled| filled);
    let near = trimming.within_radius(&graph, points)?;
    let points = near.as_ref().map_or(points, |near| near);
    let noise = noise(&graph, points, &graph.project(points)?)?;
    tidy(graph, points, noise)
}

/// The points with missing values filled in from their projections onto the graph.
fn filled(graph: &PrincipalGraph, points: &Points<'_>) -> Result<Points<'static>> {
    let projection = graph.project(points)?;
    let dims = points.dims();
    let mut values = vec![0.0; points.len() * dims];
    for (i, row) in values.chunks_exact_mut(dims).enumerate() {
        points.copy_row(i, row);
        let projected = projection.place(graph, i);
        let missing = row.iter_mut().zip(projected).filter(|(x, _)| x.is_nan());
        missing.for_each(|(x, projected)| *x = projected);
    }
    let weights: Vec<f64> = (0..points.len()).map(|i| points.weight(i)).collect();
    Points::from_f64(values, dims)?.with_weights(weights)
}

/// What is the same for a graph and for its components.
struct Learner<'p> {
    recipe: &'p Recipe,
    trimming: &'p Trimming,
    /// Whether the first nodes are given: then components are not learned again.
    is_given: bool,
}

/// The graph, the points that it was last placed on, and how it grew.
struct Learned {
    here: Grown,
    history: History,
    rows: Arc<Rows>,
    end: End,
    notes: Vec<String>,
}

/// The observer asked to stop.
struct Stopped;

/// Whether a growth that ended like this has all its nodes, or as many as are allowed.
fn is_grown(end: End) -> bool {
    matches!(end, End::Converged | End::Ceiling)
}

impl Learner<'_> {
    /// Grows the graph, moves its branches, joins tips or cuts edges, and learns its components
    /// again.
    fn learn(&self, task: Task, watch: &mut dyn Observer) -> Learned {
        let Task { rows, topology, nodes, count, growth, price } = task;
        let limits = growth.limits;
        let quick = growth.with_tol(WHILE_GROWING * limits.tol);
        let search = self.recipe.search;
        let mut sample = GrowthSample::new(search, rows, topology.len(), self.trimming);
        let start = quick.start(topology, nodes, &sample.rows); // step 1
        let mut steps = Steps { history: History::new(growth.moduli, &start), here: start, watch };
        let (mut end, note) = self.grow(&quick, count, &mut sample, &mut steps); // steps 2 to 7
        sample.finish();
        if is_grown(end) {
            steps.replace(&growth, &sample.rows);
        }
        if self.recipe.rewires && is_grown(end) {
            let next = |here: &Grown, moved| moved_branch(&growth, here, moved);
            end = steps.repeat("moving branches", next).unwrap_or(end);
        }
        if let Some(price) = price
            && is_grown(end)
        {
            // Distant components inflate the variance, but not the energy.
            let fine = growth.with_tol(limits.tol.min(self.recipe.limits.tol * steps.here.U));
            steps.replace(&fine, &sample.rows);
            let next = |here: &Grown, _| join_or_cut(&fine, here, &sample.rows, price);
            end = steps.repeat("joining tips", next).unwrap_or(end);
            for _ in 0..PASSES {
                if !is_grown(end) {
                    break;
                }
                match self.relearn(&fine, &steps.here, &sample.rows, price, steps.watch) {
                    Ok(Some(better)) => steps.take(better),
                    Ok(None) => break,
                    Err(Stopped) => end = End::Interrupted,
                }
            }
        }
        let Steps { here, history, .. } = steps;
        Learned { here, history, rows: sample.rows, end, notes: note.into_iter().collect() }
    }

    /// Applies the rules in turn until there are enough nodes; also returns a note on limits.
    fn grow(
        &self,
        growth: &Growth,
        count: usize,
        sample: &mut GrowthSample<'_>,
        steps: &mut Steps<'_>,
    ) -> (End, Option<String>) {
        let Recipe { program, max_steps, .. } = self.recipe;
        let first = steps.n_nodes();
        let shrinks = program.0.contains(&Rule::Shrink);
        if steps.asked_to_stop(first, count) {
            return (End::Interrupted, None);
        }
        while steps.n_nodes() < count {
            if sample.adapt(steps.n_nodes()) {
                steps.replace(growth, &sample.rows);
            }
            for &rule in &program.0 {
                let is_allowed = steps.history.trace.len() <= *max_steps;
                let next = if is_allowed { growth.step(&steps.here, rule) } else { None }; // steps 3 to 5
                let Some(next) = next else {
                    if is_allowed && rule == Rule::Shrink {
                        continue;
                    }
                    let why = if is_allowed {
                        "the limits allow no change"
                    } else {
                        "max_steps was reached"
                    };
                    let note = format!("growth ended at {} nodes: {why}", steps.n_nodes());
                    return (End::Ceiling, Some(note));
                };
                steps.take(next); // step 6
                if steps.asked_to_stop(first, count) {
                    return (End::Interrupted, None);
                }
                if !shrinks && steps.n_nodes() >= count {
                    break;
                }
            }
        }
        // A program that adds several nodes in a row may have added too many.
        let most = count.max(first);
        while shrinks && steps.n_nodes() > most && steps.history.trace.len() <= *max_steps {
            let Some(next) = growth.step(&steps.here, Rule::Shrink) else { break };
            steps.take(next);
            if steps.asked_to_stop(first, count) {
                return (End::Interrupted, None);
            }
        }
        (End::Converged, None)
    }

    /// The components, each learned from its own points: nodes that used to bridge them may still
    /// lie between them. None if that is no better, or there is only one component.
    fn relearn(
        &self,
        growth: &Growth,
        here: &Grown,
        rows: &Arc<Rows>,
        price: f64,
        watch: &mut dyn Observer,
    ) -> std::result::Result<Option<Grown>, Stopped> {
        let is_limited =
            self.recipe.max_steps < usize::MAX || growth.ceilings.branch_points < usize::MAX;
        if self.is_given || is_limited || !self.trimming.is_infinite() {
            return Ok(None);
        }
        let components = components(&here.topology, &here.nodes, rows);
        if components.len() == 1 {
            return Ok(None);
        }
        let (mut values, mut edges) = (Vec::new(), Vec::new());
        let (mut n, dims) = (0, here.nodes.n_cols());
        for component in components {
            let (topology, nodes) = match component.is_small() {
                true => (component.topology, component.nodes),
                false => {
                    let task = self.task_of(component, growth, price);
                    let learned = self.learn(task, &mut OfComponent(watch));
                    if !is_grown(learned.end) {
                        return Err(Stopped);
                    }
                    (learned.here.topology, learned.here.nodes)
                }
            };
            edges.extend(topology.edges().map(|(a, b)| (n + a, n + b)));
            values.extend_from_slice(nodes.as_slice());
            n += topology.len();
        }
        let mut nodes = Matrix::zeros(n, dims);
        nodes.as_mut_slice().copy_from_slice(&values);
        let relearned = growth.start(Topology::new(n, &edges), nodes, rows);
        let most = (1.0 - WORTH_MOVING) * penalized(here, rows, price);
        Ok((penalized(&relearned, rows, price) < most).then_some(relearned))
    }

    /// Energies are weighted as in the whole graph, of whose points the component has a share.
    fn task_of(&self, component: Component, whole: &Growth, price: f64) -> Task {
        let (variance, count) = (component.variance(), component.count);
        let limits = Limits { tol: self.recipe.limits.tol * variance, ..whole.limits };
        let moduli = whole.moduli.times(1.0 / component.share);
        let growth = Growth { moduli, variance, limits, ..*whole };
        let (topology, nodes) = (Topology::new(2, &[(0, 1)]), component.farthest_nodes());
        let price = Some(price / component.share);
        Task { rows: component.rows, topology, nodes, count, growth, price }
    }
}

/// The current graph, with its history and its observer.
struct Steps<'w> {
    here: Grown,
    history: History,
    watch: &'w mut dyn Observer,
}

impl Steps<'_> {
    fn n_nodes(&self) -> usize {
        self.here.topology.len()
    }

    /// Takes the next graph.
    fn take(&mut self, next: Grown) {
        self.here = next;
        self.history.push(&self.here);
    }

    /// Places the current graph again, on other points or more precisely.
    fn replace(&mut self, growth: &Growth, rows: &Arc<Rows>) {
        self.here = growth.start(self.here.topology.clone(), self.here.nodes.clone(), rows);
    }

    /// Reports the growth from `first` to `count` nodes.
    fn asked_to_stop(&mut self, first: usize, count: usize) -> bool {
        let progress = Progress {
            stage: "growing the graph",
            done: self.n_nodes().saturating_sub(first),
            of: count.saturating_sub(first),
            objective: Some(self.here.U),
        };
        self.watch.progress(progress) == ControlFlow::Break(())
    }

    /// Takes one graph after another as long as there is a next one, or until asked to stop; `next`
    /// also gets whether one was taken.
    fn repeat(&mut self, stage: &str, next: impl Fn(&Grown, bool) -> Option<Grown>) -> Option<End> {
        let mut done = 0;
        while let Some(better) = next(&self.here, done > 0) {
            self.take(better);
            done += 1;
            let progress = Progress { stage, done, of: done, objective: Some(self.here.U) };
            if self.watch.progress(progress) == ControlFlow::Break(()) {
                return Some(End::Interrupted);
            }
        }
        None
    }
}

/// Reports the progress of a component, without its energy.
struct OfComponent<'w>(&'w mut dyn Observer);

impl Observer for OfComponent<'_> {
    fn progress(&mut self, progress: Progress<'_>) -> ControlFlow<()> {
        let stage = "learning components again";
        self.0.progress(Progress { stage, objective: None, ..progress })
    }

    fn go_on(&mut self) -> ControlFlow<()> {
        self.0.go_on()
    }
}

/// The tree with a branch moved, if that lowers its energy; once a branch was `moved`, single nodes
/// may also be better off elsewhere.
fn moved_branch(growth: &Growth, here: &Grown, moved: bool) -> Option<Grown> {
    let better = |next: Grown, here: &Grown| {
        (next.compared < (1.0 - WORTH_MOVING) * here.compared).then_some(next)
    };
    let rewired = |here: &Grown| better(growth.step(here, Rule::Rewire)?, here);
    if let Some(next) = rewired(here) {
        return Some(next);
    }
    if !moved {
        return None;
    }
    let elsewhere = growth.step(&growth.step(here, Rule::Grow)?, Rule::Shrink)?;
    better(rewired(&elsewhere).unwrap_or(elsewhere), here)
}
