//! Components of a centered matrix of similarities.

use rayon::prelude::*;

use crate::error::{Error, Result};
use crate::math::{Matrix, few_top_eigen, times, transposed};

/// Eigenvalues up to this share of the largest are rounding.
const ROUNDING: f64 = 1e-12;

/// What turns the similarities of a row to the reference rows into its coordinates:
/// `(similarities − mean) · projection`.
pub(super) struct Axes {
    pub mean: Vec<f64>,
    /// One row per reference row, one column per component.
    pub projection: Matrix,
}

impl Axes {
    /// The components of rows that count `weights` times, from the similarities of all pairs.
    pub fn of_similarities(mut similar: Matrix, weights: &[f64], count: usize) -> Result<Self> {
        let n = weights.len();
        let total: f64 = weights.iter().sum();
        let mean_of =
            |row: &[f64]| row.iter().zip(weights).map(|(s, w)| s * w).sum::<f64>() / total;
        let mean: Vec<f64> = similar.as_slice().par_chunks_exact(n).map(mean_of).collect();
        let overall = mean_of(&mean);
        let roots: Vec<f64> = weights.iter().map(|w| w.sqrt()).collect();
        similar.as_mut_slice().par_chunks_exact_mut(n).enumerate().for_each(|(i, row)| {
            for ((s, m), root) in row.iter_mut().zip(&mean).zip(&roots) {
                *s = (*s - m - (mean[i] - overall)) * root * roots[i];
            }
        });
        let product = |block: &Matrix| transposed(&times(&similar, block.as_faer().transpose()));
        let top = few_top_eigen(count, n, product)?;
        require_positive(&top.values)?;
        let mut projection = Matrix::zeros(n, count);
        for (j, (vector, value)) in top.vectors.rows().zip(&top.values).enumerate() {
            for (i, (x, root)) in vector.iter().zip(&roots).enumerate() {
                projection.row_mut(i)[j] = x * root / value.sqrt();
            }
        }
        Ok(Self { mean, projection })
    }

    /// The coordinates of rows with these similarities, one row each.
    pub fn place(&self, mut similar: Matrix) -> Matrix {
        let width = self.mean.len();
        similar.as_mut_slice().par_chunks_exact_mut(width).for_each(|row| {
            row.iter_mut().zip(&self.mean).for_each(|(s, m)| *s -= m);
        });
        times(&similar, self.projection.as_faer())
    }

    /// The coordinates of the rows that the axes belong to, whose largest coordinate along each
    /// axis is made positive, the axis with it. Coordinates are multiplied by `unit`.
    pub fn oriented(&mut self, mut coordinates: Matrix, unit: f64) -> Matrix {
        for (j, sign) in signs(&coordinates).into_iter().enumerate() {
            for matrix in [&mut coordinates, &mut self.projection] {
                (0..matrix.n_rows()).for_each(|i| matrix.row_mut(i)[j] *= sign * unit);
            }
        }
        coordinates
    }
}

/// Refuses components without variance.
pub(super) fn require_positive(values: &[f64]) -> Result<()> {
    let least = ROUNDING * values.first().copied().unwrap_or_default();
    let positive = values.iter().take_while(|value| **value > least).count();
    if positive == values.len() {
        return Ok(());
    }
    let remedy = match positive {
        0 => "the centered similarities have no positive eigenvalue: nothing to embed".into(),
        most => format!("only {most} eigenvalues are positive: must be at most {most}"),
    };
    Err(Error::setting("n_components", values.len(), remedy))
}

/// For each column 1 or −1: the sign of its largest entry.
pub(super) fn signs(columns: &Matrix) -> Vec<f64> {
    let mut largest = vec![0.0_f64; columns.n_cols()];
    for row in columns.rows() {
        for (most, x) in largest.iter_mut().zip(row) {
            *most = if x.abs() > most.abs() { *x } else { *most };
        }
    }
    largest.into_iter().map(|x| if x < 0.0 { -1.0 } else { 1.0 }).collect()
}
