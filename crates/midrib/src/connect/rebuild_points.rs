//! Rebuilding each point from others by a small linear program, shared by the l1 graphs.

use std::ops::ControlFlow;

use rayon::prelude::*;

use super::point_graph::{PointGraph, Rebuilt};
use crate::error::{Error, Result};
use crate::math::{Matrix, SmallOptimum, SmallProgram};
use crate::observe::{Observer, Progress};

/// The number of points between two progress reports.
const BATCH: usize = 256;
/// Weights up to this share of a point's largest are zeros that the interior-point method did not
/// fully reach.
const ZERO: f64 = 1e-6;

/// The program of one point: `min ‖x‖₁ + ‖B x − b‖₁ + Σ f·|x_j − x_l|`.
pub(super) struct Task {
    /// The points that it may be rebuilt from, one per column of `matrix`.
    pub from: Vec<usize>,
    pub matrix: Matrix,
    pub target: Vec<f64>,
    pub differences: Vec<(usize, usize, f64)>,
}

/// Solves the program of each of `n` points; the weights of the graph are `|x|`.
pub(super) fn rebuild_points(
    n: usize,
    watch: &mut dyn Observer,
    task: impl Fn(usize) -> Task + Sync,
) -> Result<PointGraph> {
    let solve = |programs: &mut SmallProgram, i: usize| {
        let Task { from, matrix, target, differences } = task(i);
        let optimum = programs.solve(&matrix, &target, &differences)?;
        Ok((weights(&from, &optimum), optimum.value, optimum.relative_gap))
    };
    let mut given = Vec::with_capacity(n);
    let mut rebuilt = Rebuilt { costs: Vec::with_capacity(n), widest_gap: 0.0 };
    for start in (0..n).step_by(BATCH) {
        let batch = (start..(start + BATCH).min(n)).into_par_iter();
        let solved: Vec<_> =
            batch.map_init(SmallProgram::default, solve).collect::<Result<Vec<_>>>()?;
        for (weights, cost, gap) in solved {
            given.push(weights);
            rebuilt.costs.push(cost);
            rebuilt.widest_gap = rebuilt.widest_gap.max(gap);
        }
        let stage = "rebuilding points";
        let progress = Progress { stage, done: given.len(), of: n, objective: None };
        if watch.progress(progress) == ControlFlow::Break(()) && given.len() < n {
            return Err(Error::Interrupted(format!(
                "stopped after {} of {n} points: the graph is not complete",
                given.len()
            )));
        }
    }
    Ok(PointGraph::symmetrized(&given, Some(rebuilt)))
}

fn weights(from: &[usize], optimum: &SmallOptimum) -> Vec<(usize, f64)> {
    let sizes = optimum.weights.iter().map(|x| x.abs());
    let largest = sizes.clone().fold(0.0, f64::max);
    let weighted = from.iter().copied().zip(sizes);
    weighted.filter(|(_, size)| *size > ZERO * largest).collect()
}
