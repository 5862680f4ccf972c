//! Principal components.

use std::ops::Range;

use faer::linalg::matmul::matmul;
use faer::linalg::solvers::SelfAdjointEigen;
use faer::{Accum, Mat, MatMut, MatRef, Par, Side};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::moments::Moments;
use crate::error::{Error, Result};
use crate::math::Matrix;
use crate::points::Points;

/// Sums of the covariance that are held at once: a fixed number, so that neither the memory nor
/// the order of additions depends on the number of points or threads.
const LANES: usize = 16;

/// How many principal components to keep.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Components {
    /// This many.
    Count(usize),
    /// As many as hold this share of the variance.
    Share(f64),
}

/// Principal axes and what they hold.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Pca {
    /// The mean of the scaled points.
    pub mean: Vec<f64>,
    /// One principal axis a row.
    pub axes: Matrix,
    /// The share of the variance along each axis.
    pub shares: Vec<f64>,
}

impl Pca {
    pub(super) fn fit(components: Components, points: &Points<'_>) -> Result<Self> {
        points.require_complete("a principal component analysis")?;
        let (n, dims) = (points.len(), points.dims());
        let most = dims.min(n.saturating_sub(1)).max(1);
        match components {
            Components::Count(count) if count == 0 || count > most => {
                return Err(Error::setting(
                    "pca",
                    count,
                    format!("{n} points in {dims} columns have 1 to {most} components"),
                ));
            }
            Components::Share(share) if !(share > 0.0 && share < 1.0) => {
                return Err(Error::setting(
                    "pca",
                    share,
                    "must be a whole number of components, or a share of the variance below 1",
                ));
            }
            _ => {}
        }
        let mean = Moments::of(points).mean;
        let covariance = covariance(points, &mean);
        // Inside faer the order of sums would follow the threads.
        faer::set_global_parallelism(Par::Seq);
        let eigen = SelfAdjointEigen::new(covariance.as_ref(), Side::Lower)
            .map_err(|_| Error::Numerical("the principal components did not converge".into()))?;
        // Ascending, so the last come first.
        let variances: Vec<f64> = (0..dims).rev().map(|i| eigen.S()[i].max(0.0)).collect();
        let total: f64 = variances.iter().sum();
        let shares: Vec<f64> =
            variances.iter().map(|v| if total > 0.0 { v / total } else { 0.0 }).collect();
        let count = match components {
            Components::Count(count) => count,
            Components::Share(share) => {
                let mut held = 0.0;
                1 + shares
                    .iter()
                    .take(most - 1)
                    .take_while(|s| {
                        held += **s;
                        held < share
                    })
                    .count()
            }
        };
        let mut axes = Matrix::zeros(count, dims);
        for axis in 0..count {
            let row = axes.row_mut(axis);
            for (d, x) in row.iter_mut().enumerate() {
                *x = eigen.U()[(d, dims - 1 - axis)];
            }
            point_forward(row);
        }
        Ok(Self { mean, axes, shares: shares[..count].to_vec() })
    }

    /// The components of rows of scaled values, which are centred on the way.
    pub(super) fn scores(&self, mut values: Vec<f64>) -> Vec<f64> {
        let dims = self.mean.len();
        let n = values.len() / dims;
        for row in values.chunks_exact_mut(dims) {
            for (x, mean) in row.iter_mut().zip(&self.mean) {
                *x -= mean;
            }
        }
        let mut scores = vec![0.0; n * self.axes.n_rows()];
        matmul(
            MatMut::from_row_major_slice_mut(&mut scores, n, self.axes.n_rows()),
            Accum::Replace,
            MatRef::from_row_major_slice(&values, n, dims),
            self.axes.as_faer().transpose(),
            1.0,
            Par::Seq,
        );
        scores
    }

    /// The scaled values that have these components, and 0 along all other axes.
    pub(super) fn restore(&self, scores: &Matrix) -> Matrix {
        let mut values = Matrix::zeros(scores.n_rows(), self.mean.len());
        for (i, scores) in scores.rows().enumerate() {
            let row = values.row_mut(i);
            row.copy_from_slice(&self.mean);
            for (score, axis) in scores.iter().zip(self.axes.rows()) {
                for (x, a) in row.iter_mut().zip(axis) {
                    *x += score * a;
                }
            }
        }
        values
    }
}

/// The sign of an axis is free: its largest entry is made positive.
fn point_forward(axis: &mut [f64]) {
    let largest = axis.iter().fold(0.0_f64, |max, &x| if x.abs() > max.abs() { x } else { max });
    if largest < 0.0 {
        for x in axis {
            *x = -*x;
        }
    }
}

fn covariance(points: &Points<'_>, mean: &[f64]) -> Mat<f64> {
    let dims = points.dims();
    let blocks = points.n_blocks();
    let lanes: Vec<Mat<f64>> = (0..LANES.min(blocks))
        .into_par_iter()
        .map(|lane| {
            let mut sum = Mat::zeros(dims, dims);
            for block in (lane..blocks).step_by(LANES) {
                let rows = points.block_rows(block);
                let n = rows.len();
                let centred = centred(points, rows, mean);
                let centred = MatRef::from_row_major_slice(&centred, n, dims);
                matmul(sum.as_mut(), Accum::Add, centred.transpose(), centred, 1.0, Par::Seq);
            }
            sum
        })
        .collect();
    let weight = points.total_weight();
    lanes.into_iter().fold(Mat::zeros(dims, dims), |sum, lane| sum + lane) / weight
}

/// Rows relative to the mean, times the root of their weight.
fn centred(points: &Points<'_>, rows: Range<usize>, mean: &[f64]) -> Vec<f64> {
    let dims = points.dims();
    let mut values = vec![0.0; rows.len() * dims];
    for (i, row) in rows.zip(values.chunks_exact_mut(dims)) {
        points.copy_row(i, row);
        let root = points.weight(i).sqrt();
        for (x, mean) in row.iter_mut().zip(mean) {
            *x = (*x - mean) * root;
        }
    }
    values
}
