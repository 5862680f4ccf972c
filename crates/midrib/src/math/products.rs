//! Products of tall matrices, in parallel over blocks of rows; sums in a fixed order.

use faer::linalg::matmul::matmul;
use faer::{Accum, Mat, MatMut, MatRef, Par};
use rayon::prelude::*;

use super::matrix::Matrix;

/// Rows per block.
const ROWS: usize = 512;
/// Sums that are held at once.
const LANES: usize = 16;

/// `left · right`.
pub(crate) fn times(left: &Matrix, right: MatRef<'_, f64>) -> Matrix {
    let mut product = Matrix::zeros(left.n_rows(), right.ncols());
    if right.ncols() == 0 {
        return product;
    }
    let inner = left.n_cols();
    let blocks = product.as_mut_slice().par_chunks_mut(ROWS * right.ncols());
    blocks.enumerate().for_each(|(block, out)| {
        let n = out.len() / right.ncols();
        let rows = &left.as_slice()[block * ROWS * inner..][..n * inner];
        matmul(
            MatMut::from_row_major_slice_mut(out, n, right.ncols()),
            Accum::Replace,
            MatRef::from_row_major_slice(rows, n, inner),
            right,
            1.0,
            Par::Seq,
        );
    });
    product
}

/// `leftᵀ · diag(weights) · right`.
pub(crate) fn transposed_times(left: &Matrix, weights: &[f64], right: &Matrix) -> Mat<f64> {
    let n_blocks = left.n_rows().div_ceil(ROWS);
    let lanes: Vec<Mat<f64>> = (0..LANES.min(n_blocks))
        .into_par_iter()
        .map(|lane| {
            let mut sum = Mat::zeros(left.n_cols(), right.n_cols());
            for block in (lane..n_blocks).step_by(LANES) {
                let rows = block * ROWS..(block * ROWS + ROWS).min(left.n_rows());
                let part =
                    |of| &Matrix::as_slice(of)[rows.start * of.n_cols()..rows.end * of.n_cols()];
                let mut weighted = part(right).to_vec();
                for (row, i) in weighted.chunks_exact_mut(right.n_cols()).zip(rows.clone()) {
                    row.iter_mut().for_each(|x| *x *= weights[i]);
                }
                let left = MatRef::from_row_major_slice(part(left), rows.len(), left.n_cols());
                let right = MatRef::from_row_major_slice(&weighted, rows.len(), right.n_cols());
                matmul(sum.as_mut(), Accum::Add, left.transpose(), right, 1.0, Par::Seq);
            }
            sum
        })
        .collect();
    lanes.into_iter().fold(Mat::zeros(left.n_cols(), right.n_cols()), |sum, lane| sum + lane)
}

/// Rows become columns.
pub(crate) fn transposed(matrix: &Matrix) -> Matrix {
    let mut out = Matrix::zeros(matrix.n_cols(), matrix.n_rows());
    for (i, row) in matrix.rows().enumerate() {
        row.iter().enumerate().for_each(|(j, x)| out.row_mut(j)[i] = *x);
    }
    out
}
