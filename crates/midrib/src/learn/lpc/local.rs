//! The local mean and the local principal directions.

use faer::linalg::solvers::SelfAdjointEigen;
use faer::{Mat, Par, Side};
use rayon::prelude::*;

use crate::error::{Error, Result};
use crate::learn::weighted_rows::WeightedRows;
use crate::math::{Best, SpaceTree, dot, squared_distance};

/// Points farther away than the root of this many squared bandwidths do not count: 1e-17.
const REACH: f64 = 80.0;
/// Points per leaf of the search tree.
const LEAF: usize = 16;

/// The points under a Gaussian kernel.
pub(super) struct Local<'r> {
    pub rows: &'r WeightedRows,
    /// h, in working units.
    pub bandwidth: f64,
    tree: SpaceTree,
}

/// The points around a position.
pub(super) struct Around {
    /// μ(x).
    pub mean: Vec<f64>,
    /// The first two principal directions, each toward the longer tail of the points; the second only
    /// where there is one.
    pub axes: Vec<Vec<f64>>,
    /// The second local variance as a share of the first.
    pub ratio: f64,
    /// The sum of the kernels.
    pub density: f64,
}

impl<'r> Local<'r> {
    pub fn new(rows: &'r WeightedRows, bandwidth: f64) -> Self {
        faer::set_global_parallelism(Par::Seq);
        Self { rows, bandwidth, tree: SpaceTree::of_points(&rows.x, LEAF) }
    }

    /// The points within reach of `x`, each with its weight.
    fn near(&self, x: &[f64]) -> Vec<(usize, f64)> {
        let square = self.bandwidth * self.bandwidth;
        let mut reach = Best { squared: REACH * square, item: u32::MAX };
        let mut near = Vec::new();
        let items = self.tree.items();
        self.tree.search(x, &mut reach, &|_| false, &mut |at, _: &mut Best| {
            let i = items[at] as usize;
            let kernel = (-0.5 * squared_distance(x, self.rows.x.row(i)) / square).exp();
            near.push((i, kernel * self.rows.weights[i]));
        });
        near
    }

    /// The sum of the kernels at a point.
    pub fn density(&self, x: &[f64]) -> f64 {
        self.near(x).iter().map(|(_, weight)| weight).sum()
    }

    /// Mean, directions and density around `x`; none where no point is within reach.
    pub fn around(&self, x: &[f64]) -> Result<Option<Around>> {
        let dims = x.len();
        let near = self.near(x);
        let density: f64 = near.iter().map(|(_, weight)| weight).sum();
        if density <= 0.0 {
            return Ok(None);
        }
        let mut mean = vec![0.0; dims];
        for &(i, weight) in &near {
            let row = self.rows.x.row(i);
            mean.iter_mut().zip(row).for_each(|(m, x)| *m += weight / density * x);
        }
        let mut covariance = Mat::<f64>::zeros(dims, dims);
        let mut away = vec![0.0; dims];
        for &(i, weight) in &near {
            let row = self.rows.x.row(i).iter().zip(&mean);
            away.iter_mut().zip(row).for_each(|(away, (x, m))| *away = x - m);
            for a in 0..dims {
                for b in 0..=a {
                    covariance[(a, b)] += weight / density * away[a] * away[b];
                }
            }
        }
        let eigen = SelfAdjointEigen::new(covariance.as_ref(), Side::Lower)
            .map_err(|_| Error::Numerical("the local directions did not converge".into()))?;
        let axis = |from_last: usize| -> Vec<f64> {
            let axis: Vec<f64> = (0..dims).map(|a| eigen.U()[(a, dims - 1 - from_last)]).collect();
            let center = dot(&mean, &axis);
            let cube = |&(i, weight): &(usize, f64)| {
                weight * (dot(self.rows.x.row(i), &axis) - center).powi(3)
            };
            let tail = near.iter().map(cube).sum::<f64>().signum();
            axis.iter().map(|x| tail * x).collect()
        };
        let variance = |from_last: usize| eigen.S()[dims - 1 - from_last].max(0.0);
        let two = dims > 1 && variance(0) > 0.0;
        let axes = (0..1 + usize::from(two)).map(axis).collect();
        Ok(Some(Around {
            mean,
            axes,
            ratio: if two { variance(1) / variance(0) } else { 0.0 },
            density,
        }))
    }

    /// The nearest row of `nodes` and its squared distance.
    pub fn nearest(nodes: &[Vec<f64>], x: &[f64]) -> Option<(usize, f64)> {
        let squares = nodes.iter().map(|node| squared_distance(node, x)).enumerate();
        squares.min_by(|a, b| a.1.total_cmp(&b.1).then(a.0.cmp(&b.0)))
    }

    /// The density at every point.
    pub fn densities(&self) -> Vec<f64> {
        (0..self.rows.len()).into_par_iter().map(|i| self.density(self.rows.x.row(i))).collect()
    }
}
