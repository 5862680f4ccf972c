//! Products and distances of any points with fixed ones.

use faer::linalg::matmul::matmul;
use faer::{Accum, MatMut, MatRef, Par};

use super::matrix::{Matrix, squared_distance};

/// Rows that are worked on together. A fixed number, so that a row comes out the same among any
/// others and on any number of threads.
pub(crate) const TILE: usize = 64;

/// Squared distances below this share of the squared norms are taken again without cancellation.
const NEAR: f64 = 1e-6;

/// Products of any points with fixed ones, relative to their mean.
pub(crate) struct RowProducts {
    center: Vec<f64>,
    rows: Matrix,
    squared: Vec<f64>,
}

impl RowProducts {
    pub fn new(rows: &Matrix) -> Self {
        let mut center = vec![0.0; rows.n_cols()];
        for row in rows.rows() {
            for (c, x) in center.iter_mut().zip(row) {
                *c += x / rows.n_rows() as f64;
            }
        }
        Self::about(center, rows)
    }

    pub fn uncentered(rows: &Matrix) -> Self {
        Self::about(vec![0.0; rows.n_cols()], rows)
    }

    fn about(center: Vec<f64>, rows: &Matrix) -> Self {
        let mut rows = rows.clone();
        move_to(&center, rows.as_mut_slice());
        let squared = rows.rows().map(squared_norm).collect();
        Self { center, rows, squared }
    }

    /// The number of fixed points.
    pub fn n_rows(&self) -> usize {
        self.rows.n_rows()
    }

    /// The number of coordinates.
    pub fn n_cols(&self) -> usize {
        self.rows.n_cols()
    }

    /// Moves the points `x` to the center and multiplies them with all rows; their squared norms.
    pub fn multiply(&self, x: &mut [f64], products: &mut [f64]) -> Vec<f64> {
        let (m, dims) = (self.rows.n_rows(), self.rows.n_cols());
        move_to(&self.center, x);
        let n = x.len() / dims;
        matmul(
            MatMut::from_row_major_slice_mut(products, n, m),
            Accum::Replace,
            MatRef::from_row_major_slice(x, n, dims),
            self.rows.as_faer().transpose(),
            1.0,
            Par::Seq,
        );
        x.chunks_exact(dims).map(squared_norm).collect()
    }

    /// The squared distance of a centered point from row `j`, by their product.
    pub fn squared_distance(&self, x: &[f64], x_squared: f64, j: usize, product: f64) -> f64 {
        let sum = x_squared + self.squared[j];
        let squared = sum - 2.0 * product;
        if squared > NEAR * sum { squared } else { squared_distance(x, self.rows.row(j)) }
    }
}

fn move_to(center: &[f64], values: &mut [f64]) {
    for row in values.chunks_exact_mut(center.len()) {
        for (x, c) in row.iter_mut().zip(center) {
            *x -= c;
        }
    }
}

fn squared_norm(row: &[f64]) -> f64 {
    row.iter().map(|x| x * x).sum()
}
