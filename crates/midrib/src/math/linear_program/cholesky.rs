//! Sparse symmetric positive definite matrices of one pattern: ordered once, factored often.

use faer::dyn_stack::{MemBuffer, MemStack};
use faer::linalg::cholesky::llt::factor::LltRegularization;
use faer::sparse::linalg::cholesky::supernodal::{SupernodalLltRef, SymbolicSupernodalCholesky};
use faer::sparse::linalg::cholesky::{
    CholeskySymbolicParams, LltRef, SymbolicCholesky, SymbolicCholeskyRaw, SymmetricOrdering,
    factorize_symbolic_cholesky,
};
use faer::sparse::linalg::{SupernodalThreshold, SymbolicSupernodalParams};
use faer::sparse::{SparseColMatRef, SymbolicSparseColMat};
use faer::{Conj, MatMut, Par, Side, Spec};

use super::small_blocks::SmallBlocks;
use crate::error::{Error, Result};

/// Up to this many columns neighbouring blocks of the factor are joined if the share of zeros
/// that this stores stays below the second number.
const JOIN: [(usize, f64); 4] = [(4, 1.0), (16, 0.6), (48, 0.1), (usize::MAX, 0.05)];
/// Added to the unit diagonal of the scaled matrix: the first that makes it definite in spite
/// of rounding. Refinement undoes what it does to a solution.
pub(super) const LIFTS: [f64; 4] = [1e-14, 1e-12, 1e-10, 1e-8];

/// Where the entries of a matrix and of its factor stand: the part that is found only once.
///
/// The matrix is given by its lower triangle in compressed columns, the diagonal first in each
/// column.
pub(crate) struct FactorPattern {
    matrix: SymbolicSparseColMat<usize>,
    factor: SymbolicCholesky<usize>,
}

impl FactorPattern {
    /// Orders the unknowns and finds the pattern of the factor.
    pub fn new(column_starts: Vec<usize>, row_indices: Vec<usize>) -> Result<Self> {
        let size = column_starts.len() - 1;
        let matrix =
            SymbolicSparseColMat::new_checked(size, size, column_starts, None, row_indices);
        let factor = factorize_symbolic_cholesky(
            matrix.as_ref(),
            Side::Lower,
            SymmetricOrdering::Amd,
            CholeskySymbolicParams {
                supernodal_flop_ratio_threshold: SupernodalThreshold::FORCE_SUPERNODAL,
                supernodal_params: SymbolicSupernodalParams { relax: Some(&JOIN) },
                ..CholeskySymbolicParams::default()
            },
        )
        .map_err(|error| Error::Numerical(format!("sparse factorisation: {error}")))?;
        Ok(Self { matrix, factor })
    }

    /// The multiplications of one factorisation.
    pub fn work(&self) -> f64 {
        let of_columns = |columns: usize, rows: usize| columns as f64 * (rows as f64).powi(2);
        match self.factor.raw() {
            SymbolicCholeskyRaw::Simplicial(raw) => {
                raw.col_ptr().windows(2).map(|ends| of_columns(1, ends[1] - ends[0])).sum()
            }
            SymbolicCholeskyRaw::Supernodal(raw) => {
                let columns = raw.supernode_begin().iter().zip(raw.supernode_end());
                let below = raw.col_ptr_for_row_idx().windows(2);
                let blocks = columns.zip(below);
                blocks
                    .map(|((first, end), below)| {
                        let columns = end - first;
                        of_columns(columns, columns + below[1] - below[0])
                    })
                    .sum()
            }
        }
    }

    /// The numbers in the factor.
    pub fn stored(&self) -> usize {
        self.factor.len_val()
    }

    /// Where each column starts among the values.
    pub fn column_starts(&self) -> &[usize] {
        self.matrix.col_ptr()
    }

    /// Where each entry of the lower triangle stands, column after column.
    pub fn row_indices(&self) -> &[usize] {
        self.matrix.row_idx()
    }

    /// The blocks of columns of the factor.
    pub fn blocks(&self) -> Option<&SymbolicSupernodalCholesky<usize>> {
        match self.factor.raw() {
            SymbolicCholeskyRaw::Supernodal(blocks) => Some(blocks),
            SymbolicCholeskyRaw::Simplicial(_) => None,
        }
    }

    /// The place of each unknown in the factor's order.
    pub fn places(&self) -> Option<&[usize]> {
        self.factor.perm().map(|order| order.arrays().1)
    }
}

/// A matrix and its factor.
///
/// The matrix is factored with its diagonal scaled to 1. The factor does not depend on the number
/// of threads.
pub(crate) struct Cholesky {
    pattern: FactorPattern,
    values: Vec<f64>,
    scale: Vec<f64>,
    factor: Vec<f64>,
    scratch: MemBuffer,
    small: Option<SmallBlocks>,
}

impl Cholesky {
    /// Orders the unknowns, and makes room for the factor.
    pub fn new(column_starts: Vec<usize>, row_indices: Vec<usize>) -> Result<Self> {
        Self::of(FactorPattern::new(column_starts, row_indices)?)
    }

    /// Makes room for the factor.
    pub fn of(pattern: FactorPattern) -> Result<Self> {
        let request = pattern
            .factor
            .factorize_numeric_llt_scratch::<f64>(Par::Seq, Spec::default())
            .or(pattern.factor.solve_in_place_scratch::<f64>(1, Par::Seq));
        let stored = pattern.stored();
        let too_large = || {
            Error::Numerical(format!(
                "sparse factorisation: no memory for {stored} numbers; use fewer pairs"
            ))
        };
        let scratch = MemBuffer::try_new(request).map_err(|_| too_large())?;
        let mut factor = Vec::new();
        factor.try_reserve_exact(stored).map_err(|_| too_large())?;
        factor.resize(stored, 0.0);
        Ok(Self {
            values: vec![0.0; pattern.row_indices().len()],
            scale: vec![0.0; pattern.column_starts().len() - 1],
            pattern,
            factor,
            scratch,
            small: None,
        })
    }

    /// Factors and solves by plain loops from now on, if the pattern is such that these are faster.
    pub fn by_loops_if_small(mut self) -> Self {
        self.small = SmallBlocks::new(&self.pattern);
        self
    }

    /// Where the entries stand.
    pub fn pattern(&self) -> &FactorPattern {
        &self.pattern
    }

    /// The values of the lower triangle, column after column.
    pub fn values_mut(&mut self) -> &mut [f64] {
        &mut self.values
    }

    /// Factors the present values, which it scales; false if they are not those of a definite
    /// matrix.
    pub fn factor(&mut self) -> bool {
        self.factor_lifted(&LIFTS)
    }

    /// As [`Cholesky::factor`], for matrices that are far from singular.
    pub fn factor_exactly(&mut self) -> bool {
        self.factor_lifted(&[0.0])
    }

    fn factor_lifted(&mut self, lifts: &[f64]) -> bool {
        let Self { pattern, values, scale, factor, scratch, small } = self;
        let (starts, rows) = (pattern.column_starts(), pattern.row_indices());
        for (scale, &start) in scale.iter_mut().zip(starts) {
            *scale = 1.0 / values[start].sqrt();
        }
        if !scale.iter().all(|scale| scale.is_finite() && *scale > 0.0) {
            return false;
        }
        for (column, ends) in starts.windows(2).enumerate() {
            for entry in ends[0]..ends[1] {
                values[entry] *= scale[column] * scale[rows[entry]];
            }
        }
        lifts.iter().any(|lift| {
            for &diagonal in &starts[..scale.len()] {
                values[diagonal] = 1.0 + lift;
            }
            if let Some(small) = small {
                return small.factor(values, factor);
            }
            let matrix = SparseColMatRef::new(pattern.matrix.as_ref(), values.as_slice());
            let stack = MemStack::new(scratch);
            let (whole, params) = (LltRegularization::default(), Spec::default());
            pattern
                .factor
                .factorize_numeric_llt(factor, matrix, Side::Lower, whole, Par::Seq, stack, params)
                .is_ok()
        })
    }

    /// The logarithm of the determinant of the matrix last factored.
    pub fn log_determinant(&self) -> f64 {
        let Some(blocks) = self.blocks() else { return f64::NAN };
        let of_factor: f64 = (0..blocks.symbolic().n_supernodes())
            .map(|block| {
                let values = blocks.supernode(block).val();
                (0..values.ncols()).map(|i| values[(i, i)].ln()).sum::<f64>()
            })
            .sum();
        2.0 * (of_factor - self.scale.iter().map(|scale| scale.ln()).sum::<f64>())
    }

    /// The numbers of the factor, block of columns by block.
    pub fn numbers(&self) -> &[f64] {
        &self.factor
    }

    /// The factor of the scaled matrix in its own order, block of columns by block.
    pub fn blocks(&self) -> Option<SupernodalLltRef<'_, usize, f64>> {
        Some(SupernodalLltRef::new(self.pattern.blocks()?, &self.factor))
    }

    /// What the rows and columns of the matrix last factored were multiplied with.
    pub fn scale(&self) -> &[f64] {
        &self.scale
    }

    /// Solves with the last factor for several right sides, one column after the other.
    pub fn solve_columns(&self, right: &mut [f64]) {
        let size = self.scale.len();
        let count = right.len() / size;
        let mut scratch =
            MemBuffer::new(self.pattern.factor.solve_in_place_scratch::<f64>(count, Par::Seq));
        let rescale = |right: &mut [f64]| {
            for column in right.chunks_exact_mut(size) {
                column.iter_mut().zip(&self.scale).for_each(|(x, scale)| *x *= scale);
            }
        };
        rescale(right);
        LltRef::new(&self.pattern.factor, &self.factor).solve_in_place_with_conj(
            Conj::No,
            MatMut::from_column_major_slice_mut(right, size, count),
            Par::Seq,
            MemStack::new(&mut scratch),
        );
        rescale(right);
    }

    /// Solves with the last factor, in place.
    pub fn solve(&mut self, right: &mut [f64]) {
        let Self { pattern, scale, factor, scratch, small, .. } = self;
        right.iter_mut().zip(&*scale).for_each(|(x, scale)| *x *= scale);
        match small {
            Some(small) => small.solve(factor, right),
            None => {
                let size = right.len();
                LltRef::new(&pattern.factor, factor).solve_in_place_with_conj(
                    Conj::No,
                    MatMut::from_column_major_slice_mut(right, size, 1),
                    Par::Seq,
                    MemStack::new(scratch),
                );
            }
        }
        right.iter_mut().zip(&*scale).for_each(|(x, scale)| *x *= scale);
    }
}

#[cfg(test)]
mod tests;
