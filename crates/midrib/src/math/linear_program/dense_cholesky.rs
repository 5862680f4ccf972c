//! The factor of a small dense matrix: memory is taken once and used for every matrix after.

use faer::dyn_stack::{MemBuffer, MemStack};
use faer::linalg::cholesky::llt::factor::{
    LltRegularization, cholesky_in_place, cholesky_in_place_scratch,
};
use faer::{MatMut, Par, Spec};

use super::cholesky::LIFTS;
use super::mapping::Factor;
use crate::math::simd::{Work, dispatch, dot_lanes, fused};

/// The lower triangle, column after column. It is factored with its diagonal scaled to 1.
#[derive(Default)]
pub(super) struct DenseCholesky {
    pub size: usize,
    /// The matrix, to be filled in before each factorisation.
    pub values: Vec<f64>,
    scale: Vec<f64>,
    factor: Vec<f64>,
    scratch: Option<MemBuffer>,
}

impl DenseCholesky {
    /// Makes room for matrices of this size.
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

    /// Factors the present values; false if they are not those of a definite matrix.
    pub fn factor(&mut self) -> bool {
        let Self { size, values, scale, factor, scratch } = self;
        let (n, Some(scratch)) = (*size, scratch) else { return false };
        for (i, scale) in scale.iter_mut().enumerate() {
            *scale = 1.0 / values[i * n + i].sqrt();
        }
        if !scale.iter().all(|scale| scale.is_finite() && *scale > 0.0) {
            return false;
        }
        LIFTS.iter().any(|lift| {
            for column in 0..n {
                let at = column * n;
                for row in column + 1..n {
                    factor[at + row] = values[at + row] * scale[column] * scale[row];
                }
                factor[at + column] = 1.0 + lift;
            }
            let (whole, params) = (LltRegularization::default(), Spec::default());
            let lower = MatMut::from_column_major_slice_mut(factor, n, n);
            cholesky_in_place(lower, whole, Par::Seq, MemStack::new(scratch), params).is_ok()
        })
    }
}

impl Factor for DenseCholesky {
    fn solve(&mut self, right: &mut [f64]) {
        right.iter_mut().zip(&self.scale).for_each(|(x, scale)| *x *= scale);
        dispatch(Solve { size: self.size, factor: &self.factor, right });
        right.iter_mut().zip(&self.scale).for_each(|(x, scale)| *x *= scale);
    }
}

/// Forward through the columns of the factor, and back.
struct Solve<'t> {
    size: usize,
    factor: &'t [f64],
    right: &'t mut [f64],
}

impl Work for Solve<'_> {
    type Output = ();

    #[inline(always)]
    fn run<const FMA: bool>(self) {
        let n = self.size;
        for (i, column) in self.factor.chunks_exact(n).enumerate() {
            let (done, below) = self.right.split_at_mut(i + 1);
            done[i] /= column[i];
            let x = -done[i];
            for (to, l) in below.iter_mut().zip(&column[i + 1..]) {
                *to = fused::<FMA>(x, *l, *to);
            }
        }
        for (i, column) in self.factor.chunks_exact(n).enumerate().rev() {
            let (open, done) = self.right.split_at_mut(i + 1);
            open[i] = (open[i] - dot_lanes::<FMA>(&column[i + 1..], done)) / column[i];
        }
    }
}
