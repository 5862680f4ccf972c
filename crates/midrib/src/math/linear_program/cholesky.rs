//! Sparse symmetric positive definite matrices of one pattern: ordered once, factored often.

use faer::dyn_stack::{MemBuffer, MemStack};
use faer::linalg::cholesky::llt::factor::LltRegularization;
use faer::sparse::linalg::cholesky::{
    CholeskySymbolicParams, LltRef, SymbolicCholesky, SymbolicCholeskyRaw, SymmetricOrdering,
    factorize_symbolic_cholesky,
};
use faer::sparse::linalg::{SupernodalThreshold, SymbolicSupernodalParams};
use faer::sparse::{SparseColMatRef, SymbolicSparseColMat};
use faer::{Conj, MatMut, Par, Side, Spec};

use crate::error::{Error, Result};

/// Up to this many columns neighbouring blocks of the factor are joined if the share of zeros
/// that this stores stays below the second number. Blocks of this kind everywhere, instead of
/// faer's own choice, save about a tenth of the time on the programs of the bench.
const JOIN: [(usize, f64); 4] = [(4, 1.0), (16, 0.6), (48, 0.1), (usize::MAX, 0.05)];
/// Added to the unit diagonal of the scaled matrix: the first that makes it definite in spite
/// of rounding. Refinement undoes what it does to a solution.
const LIFTS: [f64; 4] = [1e-14, 1e-12, 1e-10, 1e-8];

/// The lower triangle in compressed columns, the diagonal first in each column.
///
/// The matrix is factored with its diagonal scaled to 1, by one thread: the factor does not
/// depend on the number of threads.
pub(crate) struct Cholesky {
    pattern: SymbolicSparseColMat<usize>,
    values: Vec<f64>,
    scale: Vec<f64>,
    symbolic: SymbolicCholesky<usize>,
    factor: Vec<f64>,
    scratch: MemBuffer,
}

impl Cholesky {
    /// Orders the unknowns and finds the pattern of the factor: the part that is done only once.
    pub fn new(column_starts: Vec<usize>, row_indices: Vec<usize>) -> Result<Self> {
        let size = column_starts.len() - 1;
        let entries = row_indices.len();
        let pattern =
            SymbolicSparseColMat::new_checked(size, size, column_starts, None, row_indices);
        let symbolic = factorize_symbolic_cholesky(
            pattern.as_ref(),
            Side::Lower,
            SymmetricOrdering::Amd,
            CholeskySymbolicParams {
                supernodal_flop_ratio_threshold: SupernodalThreshold::FORCE_SUPERNODAL,
                supernodal_params: SymbolicSupernodalParams { relax: Some(&JOIN) },
                ..CholeskySymbolicParams::default()
            },
        )
        .map_err(|error| Error::Numerical(format!("sparse factorisation: {error}")))?;
        let request = symbolic
            .factorize_numeric_llt_scratch::<f64>(Par::Seq, Spec::default())
            .or(symbolic.solve_in_place_scratch::<f64>(1, Par::Seq));
        let stored = symbolic.len_val();
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
            pattern,
            values: vec![0.0; entries],
            scale: vec![0.0; size],
            symbolic,
            factor,
            scratch,
        })
    }

    /// The multiplications of one factorisation.
    pub fn work(&self) -> f64 {
        let of_columns = |columns: usize, rows: usize| columns as f64 * (rows as f64).powi(2);
        match self.symbolic.raw() {
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
        self.factor.len()
    }

    /// Where each column starts among the values.
    pub fn column_starts(&self) -> &[usize] {
        self.pattern.col_ptr()
    }

    /// The values of the lower triangle, column after column.
    pub fn values_mut(&mut self) -> &mut [f64] {
        &mut self.values
    }

    /// Factors the present values, which it scales; false if they are not those of a definite
    /// matrix.
    pub fn factor(&mut self) -> bool {
        let Self { pattern, values, scale, symbolic, factor, scratch } = self;
        let (starts, rows) = (pattern.col_ptr(), pattern.row_idx());
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
        LIFTS.iter().any(|lift| {
            for &diagonal in &starts[..scale.len()] {
                values[diagonal] = 1.0 + lift;
            }
            let matrix = SparseColMatRef::new(pattern.as_ref(), values.as_slice());
            let stack = MemStack::new(scratch);
            let (whole, params) = (LltRegularization::default(), Spec::default());
            symbolic
                .factorize_numeric_llt(factor, matrix, Side::Lower, whole, Par::Seq, stack, params)
                .is_ok()
        })
    }

    /// Solves with the last factor, in place.
    pub fn solve(&mut self, right: &mut [f64]) {
        let Self { scale, symbolic, factor, scratch, .. } = self;
        right.iter_mut().zip(&*scale).for_each(|(x, scale)| *x *= scale);
        let size = right.len();
        LltRef::new(symbolic, factor).solve_in_place_with_conj(
            Conj::No,
            MatMut::from_column_major_slice_mut(right, size, 1),
            Par::Seq,
            MemStack::new(scratch),
        );
        right.iter_mut().zip(&*scale).for_each(|(x, scale)| *x *= scale);
    }
}

#[cfg(test)]
mod tests;
