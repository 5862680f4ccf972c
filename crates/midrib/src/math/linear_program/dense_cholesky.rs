//! The factor of a small dense matrix, in reusable memory.

use faer::dyn_stack::{MemBuffer, MemStack};
use faer::linalg::cholesky::llt::factor::{
    LltRegularization, cholesky_in_place, cholesky_in_place_scratch,
};
use faer::linalg::cholesky::llt::solve::solve_in_place;
use faer::{MatMut, MatRef, Par, Spec};

use super::condensed::Factor;
use crate::math::sparse_cholesky::SHIFTS;

/// The lower triangle, column after column. It is factored with its diagonal scaled to 1.
#[derive(Default)]
pub(super) struct DenseCholesky {
    pub size: usize,
    /// The matrix, to be filled in before each factorization.
    pub values: Vec<f64>,
    scale: Vec<f64>,
    factor: Vec<f64>,
    scratch: Option<MemBuffer>,
}

impl DenseCholesky {
    /// Allocates for matrices of this size.
    pub fn resize(&mut self, size: usize) {
        if size == self.size && self.scratch.is_some() {
            return;
        }
        self.size = size;
        self.values.resize(size * size, 0.0);
        self.factor.resize(size * size, 0.0);
        self.scale.resize(size, 0.0);
        let request = cholesky_in_place_scratch::<f64>(size, Par::Seq, Spec::default());
        self.scratch = Some(MemBuffer::new(request));
    }

    /// Factors the current values; false if the matrix is not definite.
    pub fn factor(&mut self) -> bool {
        let Self { size, values, scale, factor, scratch } = self;
        let (n, Some(scratch)) = (*size, scratch) else { return false };
        for (i, scale) in scale.iter_mut().enumerate() {
            *scale = 1.0 / values[i * n + i].sqrt();
        }
        if !scale.iter().all(|scale| scale.is_finite() && *scale > 0.0) {
            return false;
        }
        SHIFTS.iter().any(|shift| {
            for column in 0..n {
                let at = column * n;
                for row in column + 1..n {
                    factor[at + row] = values[at + row] * scale[column] * scale[row];
                }
                factor[at + column] = 1.0 + shift;
            }
            let (whole, params) = (LltRegularization::default(), Spec::default());
            let lower = MatMut::from_column_major_slice_mut(factor, n, n);
            cholesky_in_place(lower, whole, Par::Seq, MemStack::new(scratch), params).is_ok()
        })
    }
}

impl Factor for DenseCholesky {
    fn solve(&mut self, right: &mut [f64]) {
        let Self { size, scale, factor, scratch, .. } = self;
        let Some(scratch) = scratch else { return };
        right.iter_mut().zip(&*scale).for_each(|(x, scale)| *x *= scale);
        let lower = MatRef::from_column_major_slice(factor, *size, *size);
        let columns = MatMut::from_column_major_slice_mut(right, *size, 1);
        solve_in_place(lower, columns, Par::Seq, MemStack::new(scratch));
        right.iter_mut().zip(&*scale).for_each(|(x, scale)| *x *= scale);
    }
}
