//! How the tree would look with other length penalties.

use std::ops::ControlFlow;

use super::default_rule::{Pilot, ROUNDS, pilot_nodes};
use super::fit::tidy_rule;
use super::tree::Tree;
use crate::cloud::Cloud;
use crate::connect::Links;
use crate::error::Result;
use crate::learn::choices::Acceleration;
use crate::learn::descent::Limits;
use crate::learn::lloyd::lloyd;
use crate::learn::sweep::{Pace, sweep};
use crate::learn::tuning::{Scale, Tuning, TuningPoint};
use crate::math::Matrix;
use crate::observe::{Observer, Progress, Silent};
use crate::points::Points;
use crate::prepare::{landmarks, sample};

/// Points that are looked at, at most: few, so that the scan takes little of the time of a fit.
const POINTS: usize = 400;
/// Penalties on either side of the chosen one, each so many times the one before.
const STEPS: usize = 3;
const RATIO: f64 = 2.5;
/// Sweeps for each, which begin where those of its neighbor ended.
const SWEEPS: usize = 6;

/// Learns trees on a sample with length penalties around that of a fit with `count` nodes; none if
/// asked to stop.
pub(super) fn scan(
    cloud: &Cloud<'_>,
    pilot: &Pilot,
    count: usize,
    length_penalty: f64,
    seed: u64,
    watch: &mut dyn Observer,
) -> Result<Option<Tuning>> {
    let points = sample(cloud, POINTS)?;
    let small = Cloud::new(&points)?;
    let nodes =
        lloyd(&small, landmarks(&small, count.min(pilot_nodes(points.len())), seed), ROUNDS);
    let trees = Trees {
        bandwidth: pilot.bandwidth * (cloud.square_unit() / small.square_unit()),
        // The same smoothness with fewer nodes.
        eased: nodes.n_rows() as f64 / count as f64,
        noise: pilot.noise,
        small,
        points: &points,
    };
    let (near, _) = trees.learn(nodes, length_penalty)?;
    let (middle, chosen) = trees.learn(near, length_penalty)?;
    let mut curve = vec![chosen];
    for ratio in [1.0 / RATIO, RATIO] {
        let (mut nodes, mut value) = (middle.clone(), length_penalty);
        for _ in 0..STEPS {
            let stage = "trying other length penalties";
            let progress =
                Progress { stage, done: curve.len() - 1, of: 2 * STEPS, objective: None };
            if watch.progress(progress) == ControlFlow::Break(()) {
                return Ok(None);
            }
            value *= ratio;
            let (moved, graph) = trees.learn(nodes, value)?;
            curve.push(graph);
            nodes = moved;
        }
    }
    curve.sort_by(|a, b| a.value.total_cmp(&b.value));
    Ok(Some(Tuning {
        setting: "length_penalty".into(),
        chosen: length_penalty,
        scale: Scale::Logarithmic,
        points: points.len(),
        pilot: pilot.rounds.clone(),
        curve,
    }))
}

/// Trees over a sample.
struct Trees<'s> {
    small: Cloud<'s>,
    points: &'s Points<'s>,
    /// In working units of the sample.
    bandwidth: f64,
    /// A length penalty here for one of the fit.
    eased: f64,
    /// Per transverse dimension.
    noise: f64,
}

impl Trees<'_> {
    /// Sweeps from these nodes; returns where they end and what the tree is like.
    fn learn(&self, nodes: Matrix, value: f64) -> Result<(Matrix, TuningPoint)> {
        let mut tree = Tree { length_penalty: value * self.eased, links: Links::default() };
        let pace = Pace {
            limits: Limits { max_iter: SWEEPS, tol: 0.0 },
            acceleration: Acceleration::None,
        };
        let swept = sweep(&self.small, nodes, self.bandwidth, &mut tree, pace, &mut Silent)?;
        let graph = swept.graph(&self.small)?;
        let projection = graph.project(self.points)?;
        let pruned = graph.prune_tips(&tidy_rule(self.noise), self.points, &projection)?.graph;
        let graph = TuningPoint {
            value,
            energy: None,
            mean_squared_distance: projection.mean_squared_distance(self.points)?,
            length: pruned.length(),
            tips: pruned.tips().len(),
        };
        Ok((swept.nodes, graph))
    }
}
