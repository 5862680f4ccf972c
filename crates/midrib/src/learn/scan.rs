//! How a tree changes with its length penalty.

use std::ops::ControlFlow;

use super::pilot::{Pilot, pilot_centers};
use super::plan::Plan;
use super::tips::noise_tips;
use super::tree::{Tree, TreeSweeps};
use super::tuning::{Scale, Tuning, TuningPoint};
use crate::connect::Links;
use crate::error::Result;
use crate::math::Matrix;
use crate::observe::{Observer, Progress, Silent};
use crate::points::{Cloud, Points};
use crate::prepare::sample;

/// The most points of the sample: few, so that the scan takes a small part of the time of a fit.
const POINTS: usize = 400;
/// Penalties on either side of the chosen one, and the ratio between neighbors.
const STEPS: usize = 3;
const RATIO: f64 = 2.5;
/// Sweeps for each penalty, starting where those of its neighbor ended.
const SWEEPS: usize = 6;

/// The curve of trees over length penalties around the one that was chosen; none if the penalty
/// was given, the observer asked to stop, or a number of the curve is not finite: the fit counts
/// without it.
pub(super) fn scan(
    cloud: &Cloud<'_>,
    plan: &Plan,
    seed: u64,
    watch: &mut dyn Observer,
) -> Option<Tuning> {
    let pilot = plan.pilot.as_ref().filter(|_| plan.chose_length_penalty())?;
    let curve = curve(cloud, plan, pilot, seed, watch);
    curve.ok().flatten().filter(Tuning::is_finite)
}

fn curve(
    cloud: &Cloud<'_>,
    plan: &Plan,
    pilot: &Pilot,
    seed: u64,
    watch: &mut dyn Observer,
) -> Result<Option<Tuning>> {
    let (count, chosen) = (plan.nodes.n_rows(), plan.length_penalty);
    let points = sample(cloud, POINTS)?;
    let small = Cloud::new(&points)?;
    let nodes = pilot_centers(&small, points.len(), count, seed)?;
    let trees = Trees {
        bandwidth: pilot.bandwidth * (cloud.square_unit() / small.square_unit()),
        eased: nodes.n_rows() as f64 / count as f64,
        noise: pilot.noise,
        small: &small,
        points: &points,
    };
    let (near, _) = trees.learn(nodes, chosen)?;
    let (middle, tree) = trees.learn(near, chosen)?;
    let mut curve = vec![tree];
    for ratio in [1.0 / RATIO, RATIO] {
        let (mut nodes, mut value) = (middle.clone(), chosen);
        for _ in 0..STEPS {
            let stage = "trying other length penalties";
            let progress =
                Progress { stage, done: curve.len() - 1, of: 2 * STEPS, objective: None };
            if watch.progress(progress) == ControlFlow::Break(()) {
                return Ok(None);
            }
            value *= ratio;
            let (moved, tree) = trees.learn(nodes, value)?;
            curve.push(tree);
            nodes = moved;
        }
    }
    curve.sort_by(|a, b| a.value.total_cmp(&b.value));
    Ok(Some(Tuning {
        setting: "length_penalty".into(),
        chosen,
        scale: Scale::Logarithmic,
        points: points.len(),
        pilot: pilot.rounds.clone(),
        curve,
    }))
}

/// Trees over a sample.
struct Trees<'s> {
    small: &'s Cloud<'s>,
    points: &'s Points<'s>,
    /// In working units of the sample.
    bandwidth: f64,
    /// The length penalty that is as smooth with fewer nodes, as a share of that of the fit.
    eased: f64,
    /// Per transverse dimension.
    noise: f64,
}

impl Trees<'_> {
    /// Sweeps from these nodes; returns the last nodes and the measures of the tree.
    fn learn(&self, nodes: Matrix, value: f64) -> Result<(Matrix, TuningPoint)> {
        let tree = Tree { length_penalty: value * self.eased, links: Links::default() };
        let sweeps = TreeSweeps { cloud: self.small, bandwidth: self.bandwidth, tree };
        let (state, _) = sweeps.plain(nodes, SWEEPS, &mut Silent)?;
        let graph = state.graph(self.small)?;
        let projection = graph.project(self.points)?;
        let pruned = graph.prune_tips(&noise_tips(self.noise), self.points, &projection)?.graph;
        let measures = TuningPoint {
            value,
            energy: None,
            mean_squared_distance: projection.mean_squared_distance(self.points)?,
            length: pruned.length(),
            tips: pruned.tips().len(),
        };
        Ok((state.nodes, measures))
    }
}
