//! The factor of a small dense matrix.

use faer::linalg::solvers::{Llt, Solve};
use faer::{Mat, MatMut, Par, Side};

use super::condensed::Factor;
use crate::math::sparse_cholesky::SHIFTS;

/// The lower triangle, column after column. It is factored with its diagonal scaled to 1.
#[derive(Default)]
pub(super) struct DenseCholesky {
    pub size: usize,
    /// The matrix, to be filled in before each factorization.
    pub values: Vec<f64>,
    scale: Vec<f64>,
    factor: Option<Llt<f64>>,
}

impl DenseCholesky {
    /// Allocates for matrices of this size.
    pub fn resize(&mut self, size: usize) {
        self.size = size;
        self.values.resize(size * size, 0.0);
    }

    /// Factors the current values; false if the matrix is not definite.
    pub fn factor(&mut self) -> bool {
        let Self { size: n, ref values, ref mut scale, .. } = *self;
        scale.clear();
        scale.extend((0..n).map(|i| 1.0 / values[i * n + i].sqrt()));
        if !scale.iter().all(|scale| scale.is_finite() && *scale > 0.0) {
            return false;
        }
        // In parallel the order of sums would follow the threads.
        faer::set_global_parallelism(Par::Seq);
        let with_shift = |shift: &f64| {
            let lower = Mat::from_fn(n, n, |row, column| match row == column {
                true => 1.0 + shift,
                false => values[column * n + row] * scale[column] * scale[row],
            });
            Llt::new(lower.as_ref(), Side::Lower).ok()
        };
        self.factor = SHIFTS.iter().find_map(with_shift);
        self.factor.is_some()
    }
}

impl Factor for DenseCholesky {
    fn solve(&mut self, right: &mut [f64]) {
        let Some(factor) = &self.factor else { return };
        right.iter_mut().zip(&self.scale).for_each(|(x, scale)| *x *= scale);
        factor.solve_in_place(MatMut::from_column_major_slice_mut(right, self.size, 1));
        right.iter_mut().zip(&self.scale).for_each(|(x, scale)| *x *= scale);
    }
}
