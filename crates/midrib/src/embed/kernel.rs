//! Kernels of many rows.

use rayon::prelude::*;

use crate::math::{Matrix, RowProducts, TILE, exp_in_place};

/// The kernel of rows with the reference rows: `exp(−γ ‖x − y‖²)`, or `x·y` without a γ.
pub(super) fn similarities(against: &RowProducts, gamma: Option<f64>, rows: &Matrix) -> Matrix {
    let (m, dims) = (against.n_rows(), rows.n_cols());
    let mut similar = Matrix::zeros(rows.n_rows(), m);
    let tiles = similar.as_mut_slice().par_chunks_mut(TILE * m).enumerate();
    tiles.for_each(|(tile, out)| {
        let mut x = rows.as_slice()[tile * TILE * dims..][..out.len() / m * dims].to_vec();
        let x_squared = against.multiply(&mut x, out);
        let Some(gamma) = gamma else { return };
        let rows = x.chunks_exact(dims).zip(x_squared).zip(out.chunks_exact_mut(m));
        for ((x, x_squared), out) in rows {
            for (j, k) in out.iter_mut().enumerate() {
                *k = -gamma * against.squared_distance(x, x_squared, j, *k);
            }
            exp_in_place(out);
        }
    });
    similar
}
