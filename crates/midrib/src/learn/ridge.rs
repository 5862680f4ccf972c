//! Ridges of a kernel density: where it is largest in all directions but one.
//!
//! Ozertem2011, subspace constrained mean shift, for the density
//!
//! ```text
//! p(x) = (πσ)^(−D/2) / W · Σᵢ wᵢ exp(−‖x − xᵢ‖²/σ)
//! ```

use faer::linalg::solvers::SelfAdjointEigen;
use faer::{Mat, Par, Side};
use rayon::prelude::*;

use super::weighted_rows::WeightedRows;
use crate::error::{Error, Result};
use crate::math::{Best, Matrix, SpaceTree, dot, exp_in_place, squared_distance};

/// Points farther away than the root of this many bandwidths do not count: their share is below
/// 1e-17.
const REACH: f64 = 40.0;
/// Points per leaf of the search tree.
const LEAF: usize = 16;
/// Neighbors up to which the automatic bandwidth reaches: this times log₂ N.
const NEIGHBORS_PER_DOUBLING: f64 = 1.0;
/// Where most points have equals, the automatic bandwidth as a share of the variance.
const LEAST_SHARE: f64 = 1e-3;

/// A bandwidth for the density of these points, in working units: the mean squared distance to the
/// ⌈log₂ N⌉-th nearest point, about four times what leave-one-out likelihood gives for noisy
/// curves, so that ridges are smooth.
pub(super) fn density_bandwidth(rows: &WeightedRows) -> f64 {
    let unit = rows.unit();
    let k = (NEIGHBORS_PER_DOUBLING * (rows.total / unit).log2()).ceil().max(1.0);
    let tree = SpaceTree::of_points(&rows.x, LEAF);
    let most = 4 * (k as usize + 1);
    let reach = |i: usize| {
        let x = rows.x.row(i);
        let near = tree.nearest_several(x, most, |j| squared_distance(x, rows.x.row(j)));
        let mut mass = 0.0;
        let enough = near.iter().find(|(j, _)| {
            mass += rows.weights[*j];
            mass >= (k + 1.0) * unit * (1.0 - 1e-12)
        });
        enough.or(near.last()).map_or(0.0, |near| near.1)
    };
    let squares: Vec<f64> = (0..rows.len()).into_par_iter().map(reach).collect();
    let mean = vec![0.0; rows.x.n_cols()];
    let sizes: Vec<f64> = rows.x.rows().map(|x| squared_distance(x, &mean)).collect();
    rows.mean(&squares).max(LEAST_SHARE * rows.mean(&sizes))
}

/// The density of weighted points.
pub(super) struct Density<'r> {
    rows: &'r WeightedRows,
    /// σ, in working units.
    bandwidth: f64,
    tree: SpaceTree,
}

/// What the density is like at a position.
struct Here {
    log_density: f64,
    /// The mean shift, projected on all directions but that of the ridge.
    shift: Vec<f64>,
}

/// Positions on their path to the ridge.
pub(super) struct Ascent {
    /// One row per position.
    pub positions: Matrix,
    /// log p at each position, in working units.
    pub log_density: Vec<f64>,
    /// The length of the next step of each.
    pub step: Vec<f64>,
}

impl<'r> Density<'r> {
    pub fn new(rows: &'r WeightedRows, bandwidth: f64) -> Self {
        faer::set_global_parallelism(Par::Seq);
        Self { rows, bandwidth, tree: SpaceTree::of_points(&rows.x, LEAF) }
    }

    /// The density and the next step at each position.
    pub fn start(&self, positions: Matrix) -> Result<Ascent> {
        let n = positions.n_rows();
        let mut ascent = Ascent { positions, log_density: vec![0.0; n], step: vec![0.0; n] };
        self.look(&mut ascent, &vec![true; n], false)?;
        Ok(ascent)
    }

    /// One step of all positions that have more than `least` to go; how many these are.
    pub fn climb(&self, ascent: &mut Ascent, least: f64) -> Result<usize> {
        let moving: Vec<bool> = ascent.step.iter().map(|&step| step > least).collect();
        self.look(ascent, &moving, true)?;
        Ok(moving.iter().filter(|moves| **moves).count())
    }

    fn look(&self, ascent: &mut Ascent, moving: &[bool], moves: bool) -> Result<()> {
        let dims = ascent.positions.n_cols();
        let positions = ascent.positions.as_mut_slice().par_chunks_mut(dims);
        let found = positions.zip(&mut ascent.log_density).zip(&mut ascent.step).zip(moving);
        found.filter(|(_, moving)| **moving).try_for_each(|(((x, log_density), step), _)| {
            let mut here = self.at(x)?;
            if moves {
                x.iter_mut().zip(&here.shift).for_each(|(x, shift)| *x += shift);
                here = self.at(x)?;
            }
            *log_density = here.log_density;
            *step = dot(&here.shift, &here.shift).sqrt();
            Ok(())
        })
    }

    /// The density, and the mean shift across the ridge.
    fn at(&self, x: &[f64]) -> Result<Here> {
        let (rows, dims) = (self.rows, x.len());
        let mut near: Vec<u32> = Vec::new();
        let mut reach = Best { squared: REACH * self.bandwidth, item: u32::MAX };
        let items = self.tree.items();
        self.tree.search(x, &mut reach, &|_| false, &mut |at, _: &mut Best| near.push(items[at]));
        let mut kernel: Vec<f64> = near
            .iter()
            .map(|&i| -squared_distance(x, rows.x.row(i as usize)) / self.bandwidth)
            .collect();
        exp_in_place(&mut kernel);
        let (mut sum, mut mean, mut second) = (0.0, vec![0.0; dims], Mat::<f64>::zeros(dims, dims));
        let mut away = vec![0.0; dims];
        for (&i, kernel) in near.iter().zip(&kernel) {
            let share = kernel * rows.weights[i as usize];
            sum += share;
            let to = rows.x.row(i as usize).iter().zip(x);
            away.iter_mut().zip(to).for_each(|(away, (to, x))| *away = to - x);
            for a in 0..dims {
                let weighted = share * away[a];
                mean[a] += weighted;
                for b in 0..=a {
                    second[(a, b)] += weighted * away[b];
                }
            }
        }
        let log_density = (sum / rows.total).ln()
            - 0.5 * dims as f64 * (std::f64::consts::PI * self.bandwidth).ln();
        if sum <= 0.0 {
            return Ok(Here { log_density, shift: vec![0.0; dims] });
        }
        mean.iter_mut().for_each(|m| *m /= sum);
        // The Hessian of log p is this covariance times 4/σ² minus 2/σ on the diagonal.
        for a in 0..dims {
            for b in 0..=a {
                second[(a, b)] = second[(a, b)] / sum - mean[a] * mean[b];
            }
        }
        let eigen = SelfAdjointEigen::new(second.as_ref(), Side::Lower)
            .map_err(|_| Error::Numerical("the axes of the density did not converge".into()))?;
        let ridge: Vec<f64> = (0..dims).map(|a| eigen.U()[(a, dims - 1)]).collect();
        let along = dot(&mean, &ridge);
        mean.iter_mut().zip(&ridge).for_each(|(m, v)| *m -= along * v);
        Ok(Here { log_density, shift: mean })
    }
}

/// These positions moved to the ridge of the density.
pub(super) fn on_ridge(rows: &WeightedRows, bandwidth: f64, positions: Matrix) -> Result<Matrix> {
    let density = Density::new(rows, bandwidth);
    let mut ascent = density.start(positions)?;
    for _ in 0..STARTING_STEPS {
        if density.climb(&mut ascent, STARTING_TOLERANCE * bandwidth.sqrt())? == 0 {
            break;
        }
    }
    Ok(ascent.positions)
}

/// Steps that starting nodes take at most.
const STARTING_STEPS: usize = 200;
/// How exactly starting nodes are moved to the ridge, as a share of the root of the bandwidth.
const STARTING_TOLERANCE: f64 = 1e-4;
