//! Principal components.

use std::cell::RefCell;
use std::ops::Range;

use faer::linalg::matmul::matmul;
use faer::linalg::solvers::SelfAdjointEigen;
use faer::{Accum, Mat, MatMut, MatRef, Par, Side};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::moments::Moments;
use crate::error::{Error, Result};
use crate::math::{Matrix, top_eigen};
use crate::points::{Blocks, Chunk, for_each_chunk};

/// Partial sums of the covariance: a fixed number, so that neither the memory nor the order of
/// additions depends on the number of points or threads.
const LANES: usize = 16;

/// With more columns than this only the components that are kept are computed: the covariance
/// matrix would take too much memory and its eigenvectors too much time.
const WIDE: usize = 1000;

/// Values of centered rows per thread where there are many columns.
const HELD: usize = 1 << 20;

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
    /// One principal axis per row.
    pub axes: Matrix,
    /// The share of the variance along each axis.
    pub shares: Vec<f64>,
}

impl Pca {
    pub(crate) fn fit(components: Components, points: &dyn Blocks) -> Result<Self> {
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
        let Moments { mean, deviation, .. } = Moments::of(points)?;
        let total: f64 = deviation.iter().map(|d| d * d).sum();
        let wanted = |variances: &[f64]| match components {
            Components::Count(count) => Some(count),
            Components::Share(share) => {
                let mut held = 0.0;
                let reached = variances.iter().take(most).position(|variance| {
                    held += variance;
                    held >= share * total
                });
                reached.map(|at| at + 1)
            }
        };
        let (variances, mut axes) = if dims > WIDE {
            leading_axes(points, &mean, wanted)?
        } else {
            all_axes(points, &mean)?
        };
        let count = wanted(&variances).unwrap_or(most);
        axes = axes.select_rows(0..count);
        for axis in 0..count {
            point_forward(axes.row_mut(axis));
        }
        let share = |variance: &f64| if total > 0.0 { variance / total } else { 0.0 };
        Ok(Self { mean, axes, shares: variances[..count].iter().map(share).collect() })
    }

    /// The components of rows of scaled values.
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
pub(crate) fn point_forward(axis: &mut [f64]) {
    let largest = axis.iter().fold(0.0_f64, |max, &x| if x.abs() > max.abs() { x } else { max });
    if largest < 0.0 {
        for x in axis {
            *x = -*x;
        }
    }
}

/// The variances along all principal axes, and the axes, one per row; the largest first.
fn all_axes(points: &dyn Blocks, mean: &[f64]) -> Result<(Vec<f64>, Matrix)> {
    let dims = points.dims();
    let covariance = covariance(points, mean)?;
    // Inside faer the order of sums would follow the threads.
    faer::set_global_parallelism(Par::Seq);
    let eigen = SelfAdjointEigen::new(covariance.as_ref(), Side::Lower)
        .map_err(|_| Error::Numerical("the principal components did not converge".into()))?;
    // Ascending, so the last come first.
    let variances = (0..dims).rev().map(|i| eigen.S()[i].max(0.0)).collect();
    let mut axes = Matrix::zeros(dims, dims);
    for axis in 0..dims {
        for (d, x) in axes.row_mut(axis).iter_mut().enumerate() {
            *x = eigen.U()[(d, dims - 1 - axis)];
        }
    }
    Ok((variances, axes))
}

/// The largest variances along principal axes, and the axes, one per row.
fn leading_axes(
    points: &dyn Blocks,
    mean: &[f64],
    wanted: impl Fn(&[f64]) -> Option<usize>,
) -> Result<(Vec<f64>, Matrix)> {
    let dims = points.dims();
    let failed = RefCell::new(None);
    let product = |rows: &Matrix| match through(points, mean, rows) {
        Ok(product) => product,
        Err(error) => {
            failed.replace(Some(error));
            Matrix::zeros(rows.n_rows(), dims)
        }
    };
    let top = top_eigen(dims, product, wanted);
    match failed.into_inner() {
        Some(error) => Err(error),
        None => top.map(|top| (top.values, top.vectors)),
    }
}

fn covariance(points: &dyn Blocks, mean: &[f64]) -> Result<Mat<f64>> {
    let dims = points.dims();
    let mut lanes = vec![Mat::zeros(dims, dims); LANES];
    for_each_chunk(points, |chunk| {
        let blocks = chunk.blocks();
        lanes.par_iter_mut().enumerate().for_each(|(lane, sum)| {
            for rows in blocks.iter().skip(lane).step_by(LANES) {
                let n = rows.len();
                let centered = centered(chunk, rows.clone(), mean);
                let centered = MatRef::from_row_major_slice(&centered, n, dims);
                matmul(sum.as_mut(), Accum::Add, centered.transpose(), centered, 1.0, Par::Seq);
            }
        });
        Ok(())
    })?;
    let sum = lanes.into_iter().fold(Mat::zeros(dims, dims), |sum, lane| sum + lane);
    Ok(sum / points.total_weight())
}

/// `rows · covariance`, without the covariance.
fn through(points: &dyn Blocks, mean: &[f64], rows: &Matrix) -> Result<Matrix> {
    let (dims, k) = (points.dims(), rows.n_rows());
    let step = (HELD / dims).max(1);
    let mut lanes = vec![Matrix::zeros(k, dims); LANES];
    for_each_chunk(points, |chunk| {
        let Range { start, end } = chunk.rows();
        lanes.par_iter_mut().enumerate().for_each(|(lane, sum)| {
            for first in (start..end).step_by(step).skip(lane).step_by(LANES) {
                let block = first..(first + step).min(end);
                let n = block.len();
                let centered = centered(chunk, block, mean);
                let centered = MatRef::from_row_major_slice(&centered, n, dims);
                let mut scores = Mat::zeros(k, n);
                let rows = rows.as_faer();
                matmul(scores.as_mut(), Accum::Replace, rows, centered.transpose(), 1.0, Par::Seq);
                let sum = MatMut::from_row_major_slice_mut(sum.as_mut_slice(), k, dims);
                matmul(sum, Accum::Add, scores.as_ref(), centered, 1.0, Par::Seq);
            }
        });
        Ok(())
    })?;
    let mut product = Matrix::zeros(k, dims);
    for lane in lanes {
        for (x, y) in product.as_mut_slice().iter_mut().zip(lane.as_slice()) {
            *x += y / points.total_weight();
        }
    }
    Ok(product)
}

/// Rows relative to the mean, times the square root of their weight.
fn centered(chunk: &Chunk<'_>, rows: Range<usize>, mean: &[f64]) -> Vec<f64> {
    let dims = chunk.dims();
    let mut values = vec![0.0; rows.len() * dims];
    for (i, row) in rows.zip(values.chunks_exact_mut(dims)) {
        chunk.copy_row(i, row);
        let root = chunk.weight(i).sqrt();
        for (x, mean) in row.iter_mut().zip(mean) {
            *x = (*x - mean) * root;
        }
    }
    values
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::points::Points;

    #[test]
    fn few_axes_of_many_columns_are_the_first_of_all() {
        let (n, dims) = (700, 150);
        let values: Vec<f64> = (0..n * dims)
            .map(|i| (0.7 * i as f64 + (i * i % 29) as f64).sin() / (i % dims + 1) as f64 + 3.0)
            .collect();
        let weights: Vec<f64> = (0..n).map(|i| (i % 3) as f64).collect();
        let points = Points::from_f64(values, dims).unwrap().with_weights(weights).unwrap();
        let mean = Moments::of(&points).unwrap().mean;
        let (variances, axes) = all_axes(&points, &mean).unwrap();
        let (found, vectors) = leading_axes(&points, &mean, |_| Some(8)).unwrap();
        for i in 0..8 {
            assert!((found[i] - variances[i]).abs() < 1e-13 * variances[0]);
            let pairs = vectors.row(i).iter().zip(axes.row(i));
            let cosine: f64 = pairs.map(|(a, b)| a * b).sum();
            assert!((cosine.abs() - 1.0).abs() < 1e-10, "{cosine}");
        }
    }
}
