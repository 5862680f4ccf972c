//! The growth of elastic graphs. Gorban2009, Algorithm for estimating the elastic principal graph.
#![allow(non_snake_case)]

use std::sync::Arc;

use super::growth::{Grown, Growth};
use super::growth_sample::GrowthSample;
use super::history::History;
use super::join_or_cut::join_or_cut;
use super::placement::{Placed, place_on_all};
use super::plan::{Plan, Task, plan};
use super::recipe::Recipe;
use super::relearn::{OfComponent, Relearning, Stopped};
use super::rewire::moved_branch;
use super::steps::{Steps, is_grown};
use super::tidied::tidied;
use crate::assign::Rows;
use crate::connect::{Rule, Topology};
use crate::error::Result;
use crate::graph::PrincipalGraph;
use crate::learn::given::Given;
use crate::learn::method::{Method, to_value};
use crate::learn::result::{End, Fit};
use crate::learn::trimming::Trimming;
use crate::math::Matrix;
use crate::object::{GraphObject, Object};
use crate::observe::Observer;
use crate::points::{Blocks, Cloud, all_rows};

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
    let cloud = Cloud::with_missing(points)?;
    let Plan { task, space, trimming, variance, limits, tidies, choices } =
        plan(recipe, M::NAME, &cloud, given)?;
    let learner = Learner { recipe, trimming: &trimming, is_given: given.start.is_some() };

    let Learned { here, history, steps, rows, mut end, mut notes } = learner.learn(task, watch);
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
        iterations: steps + 1, // the last one places it on all points
        trace: trace.iter().map(|U| U * unit).collect(),
        end,
        settings: to_value(settings),
        choices,
        tuning: Some(tuning),
        notes,
    })
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
    /// How many steps it took.
    steps: usize,
    rows: Arc<Rows>,
    end: End,
    notes: Vec<String>,
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
        let mut steps = Steps::new(start, growth.moduli, watch);
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
            let (rows, tol) = (&sample.rows, self.recipe.limits.tol);
            let relearning = Relearning { growth: &fine, rows, price, tol };
            let passes = if self.relearns(&fine) { PASSES } else { 0 };
            for _ in 0..passes {
                if !is_grown(end) {
                    break;
                }
                match relearning.better(&steps.here, |task| self.component(task, steps.watch)) {
                    Ok(Some(better)) => steps.take(better),
                    Ok(None) => break,
                    Err(Stopped) => end = End::Interrupted,
                }
            }
        }
        let Steps { here, history, count, .. } = steps;
        let notes = note.into_iter().collect();
        Learned { here, history, steps: count, rows: sample.rows, end, notes }
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
        if steps.is_stopped(first, count) {
            return (End::Interrupted, None);
        }
        while steps.n_nodes() < count {
            // steps 2 and 7
            if sample.adapt(steps.n_nodes()) {
                steps.replace(growth, &sample.rows);
            }
            for &rule in &program.0 {
                let is_allowed = steps.count < *max_steps;
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
                if steps.is_stopped(first, count) {
                    return (End::Interrupted, None);
                }
                if !shrinks && steps.n_nodes() >= count {
                    break;
                }
            }
        }
        // A program that adds several nodes in a row may have added too many.
        let most = count.max(first);
        while shrinks && steps.n_nodes() > most && steps.count < *max_steps {
            let Some(next) = growth.step(&steps.here, Rule::Shrink) else { break };
            steps.take(next);
            if steps.is_stopped(first, count) {
                return (End::Interrupted, None);
            }
        }
        (End::Converged, None)
    }

    /// Whether components are learned again: limits, and the radius, apply to the whole graph.
    fn relearns(&self, growth: &Growth) -> bool {
        let is_limited =
            self.recipe.max_steps < usize::MAX || growth.ceilings.branch_points < usize::MAX;
        !self.is_given && !is_limited && self.trimming.is_infinite()
    }

    /// Learns one component.
    fn component(
        &self,
        task: Task,
        watch: &mut dyn Observer,
    ) -> std::result::Result<(Topology, Matrix), Stopped> {
        let learned = self.learn(task, &mut OfComponent(watch));
        match is_grown(learned.end) {
            true => Ok((learned.here.topology, learned.here.nodes)),
            false => Err(Stopped),
        }
    }
}
