//! Sparse symmetric positive definite systems: ordered once per pattern, factored often.

use std::ops::Range;

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

/// Supernodes of up to this many columns are merged if the share of stored zeros stays below the
/// second number.
const MERGE: [(usize, f64); 4] = [(4, 1.0), (16, 0.6), (48, 0.1), (usize::MAX, 0.05)];
/// Supernodes are used from this share of the density at which faer would use them: measured on the
/// programs of l1 graphs and on SPL.
const SUPERNODAL: f64 = 0.1;
/// Added to the unit diagonal of the scaled matrix: the first one that makes it definite despite
/// rounding is used. Refinement removes its effect on a solution.
pub(crate) const SHIFTS: [f64; 4] = [1e-14, 1e-12, 1e-10, 1e-8];

/// A matrix of a fixed pattern and its Cholesky factor, by faer in the order of Amestoy1996.
///
/// The matrix is given by its lower triangle in compressed columns, the diagonal first in each
/// column. The factor does not depend on the number of threads.
pub(crate) struct SparseCholesky {
    pattern: SymbolicSparseColMat<usize>,
    symbolic: SymbolicCholesky<usize>,
    values: Vec<f64>,
    /// What the rows and columns of the values were multiplied by; empty if by nothing.
    scale: Vec<f64>,
    factor: Vec<f64>,
    scratch: MemBuffer,
}

/// Consecutive columns of the factor with the same rows below them.
pub(crate) struct Supernode<'a> {
    pub columns: Range<usize>,
    /// The rows below its columns, ascending.
    pub rows: &'a [usize],
    /// Where it starts in the factor.
    start: usize,
    /// Whether its columns are stored from the diagonal on; otherwise all have the same length.
    is_packed: bool,
}

impl Supernode<'_> {
    pub fn width(&self) -> usize {
        self.columns.len()
    }

    /// The number of rows, those of its columns included.
    pub fn height(&self) -> usize {
        self.width() + self.rows.len()
    }

    /// Where column `k`, from its diagonal on, is stored in the factor.
    pub fn column(&self, k: usize) -> Range<usize> {
        let height = self.height();
        let before = if self.is_packed { k * height - (k * k - k) / 2 } else { k * (height + 1) };
        self.start + before..self.start + before + height - k
    }

    /// Where it is stored in the factor as a dense matrix, column after column, if it is.
    pub fn dense(&self) -> Option<Range<usize>> {
        (!self.is_packed).then(|| self.start..self.start + self.width() * self.height())
    }
}

impl SparseCholesky {
    /// Orders the unknowns and allocates the factor.
    pub fn new(column_starts: Vec<usize>, row_indices: Vec<usize>) -> Result<Self> {
        let too_large = || Error::Numerical("sparse factorization: too large".into());
        Self::up_to(usize::MAX, column_starts, row_indices)?.ok_or_else(too_large)
    }

    /// The same, unless the factor would take more than `most` numbers.
    fn up_to(
        most: usize,
        column_starts: Vec<usize>,
        row_indices: Vec<usize>,
    ) -> Result<Option<Self>> {
        let size = column_starts.len() - 1;
        let pattern =
            SymbolicSparseColMat::new_checked(size, size, column_starts, None, row_indices);
        let params = CholeskySymbolicParams {
            supernodal_flop_ratio_threshold: SupernodalThreshold(SUPERNODAL),
            supernodal_params: SymbolicSupernodalParams { relax: Some(&MERGE) },
            ..CholeskySymbolicParams::default()
        };
        let ordering = SymmetricOrdering::Amd;
        let symbolic = factorize_symbolic_cholesky(pattern.as_ref(), Side::Lower, ordering, params)
            .map_err(|error| Error::Numerical(format!("sparse factorization: {error}")))?;
        let stored = symbolic.len_val();
        if stored > most {
            return Ok(None);
        }
        let too_large = || {
            Error::Numerical(format!(
                "sparse factorization: not enough memory for {stored} numbers; use fewer pairs"
            ))
        };
        let request = symbolic.factorize_numeric_llt_scratch::<f64>(Par::Seq, Spec::default());
        let scratch = MemBuffer::try_new(request).map_err(|_| too_large())?;
        let mut factor = Vec::new();
        factor.try_reserve_exact(stored).map_err(|_| too_large())?;
        factor.resize(stored, 0.0);
        let values = vec![0.0; pattern.row_idx().len()];
        Ok(Some(Self { pattern, symbolic, values, scale: Vec::new(), factor, scratch }))
    }

    /// A matrix with a diagonal of `size` entries and with entries at these pairs, in any order.
    pub fn of_pairs(size: usize, pairs: &[(usize, usize)]) -> Result<Self> {
        let (column_starts, row_indices) = lower_triangle(size, pairs);
        Self::new(column_starts, row_indices)
    }

    /// The same, unless the factor would take more than `most` numbers.
    pub fn of_pairs_up_to(
        most: usize,
        size: usize,
        pairs: &[(usize, usize)],
    ) -> Result<Option<Self>> {
        let (column_starts, row_indices) = lower_triangle(size, pairs);
        Self::up_to(most, column_starts, row_indices)
    }

    /// Where each column starts among the values, which is where its diagonal is.
    pub fn column_starts(&self) -> &[usize] {
        self.pattern.col_ptr()
    }

    /// The row of each value, column after column.
    pub fn row_indices(&self) -> &[usize] {
        self.pattern.row_idx()
    }

    /// The values of the lower triangle, column after column.
    pub fn values_mut(&mut self) -> &mut [f64] {
        &mut self.values
    }

    /// The index of the value at two unknowns, which the pattern must contain.
    pub fn index(&self, a: usize, b: usize) -> usize {
        let (column, row) = (a.min(b), a.max(b));
        let starts = self.column_starts();
        let rows = &self.row_indices()[starts[column]..starts[column + 1]];
        starts[column] + rows.partition_point(|&other| other < row)
    }

    /// The number of multiplications of a factorization.
    pub fn work(&self) -> f64 {
        let work = |node: &Supernode<'_>| node.width() as f64 * (node.height() as f64).powi(2);
        self.supernodes().iter().map(work).sum()
    }

    /// How much more a factorization costs than a solve.
    pub fn factor_per_solve(&self) -> f64 {
        self.work() / self.factor.len().max(1) as f64
    }

    /// Factors the current values; false if the matrix is not definite.
    pub fn factor(&mut self) -> bool {
        self.scale.clear();
        self.factor_values()
    }

    /// As [`SparseCholesky::factor`], for matrices that may be singular up to rounding: scales the
    /// values to a unit diagonal, and adds a little to it.
    pub fn factor_regularized(&mut self) -> bool {
        let Self { pattern, values, scale, .. } = self;
        let (starts, rows) = (pattern.col_ptr(), pattern.row_idx());
        let size = starts.len() - 1;
        scale.clear();
        scale.extend(starts[..size].iter().map(|&start| 1.0 / values[start].sqrt()));
        if !scale.iter().all(|scale| scale.is_finite() && *scale > 0.0) {
            return false;
        }
        for (column, ends) in starts.windows(2).enumerate() {
            for entry in ends[0]..ends[1] {
                values[entry] *= scale[column] * scale[rows[entry]];
            }
        }
        SHIFTS.iter().any(|shift| {
            for column in 0..size {
                let diagonal = self.pattern.col_ptr()[column];
                self.values[diagonal] = 1.0 + shift;
            }
            self.factor_values()
        })
    }

    fn factor_values(&mut self) -> bool {
        let Self { pattern, symbolic, values, factor, scratch, .. } = self;
        let matrix = SparseColMatRef::new(pattern.as_ref(), values.as_slice());
        let stack = MemStack::new(scratch);
        let (whole, params) = (LltRegularization::default(), Spec::default());
        symbolic
            .factorize_numeric_llt(factor, matrix, Side::Lower, whole, Par::Seq, stack, params)
            .is_ok()
    }

    /// Solves in place with the last factor for one or several right-hand sides, one after the other.
    pub fn solve(&self, right: &mut [f64]) {
        let size = self.symbolic.nrows();
        let count = right.len().checked_div(size).unwrap_or(0);
        let rescale = |right: &mut [f64]| {
            for column in right.chunks_exact_mut(size.max(1)) {
                column.iter_mut().zip(&self.scale).for_each(|(x, scale)| *x *= scale);
            }
        };
        rescale(right);
        let request = self.symbolic.solve_in_place_scratch::<f64>(count, Par::Seq);
        LltRef::new(&self.symbolic, &self.factor).solve_in_place_with_conj(
            Conj::No,
            MatMut::from_column_major_slice_mut(right, size, count),
            Par::Seq,
            MemStack::new(&mut MemBuffer::new(request)),
        );
        rescale(right);
    }

    /// The logarithm of the determinant of the matrix last factored, if it was not regularized.
    pub fn log_determinant(&self) -> f64 {
        let of_node = |node: &Supernode<'_>| -> f64 {
            (0..node.width()).map(|k| self.factor[node.column(k).start].ln()).sum()
        };
        2.0 * self.supernodes().iter().map(of_node).sum::<f64>()
    }

    /// The numbers of the factor, stored as [`Supernode`] says.
    pub fn numbers(&self) -> &[f64] {
        &self.factor
    }

    /// The position of each unknown in the order of the factor.
    pub fn positions(&self) -> &[usize] {
        self.symbolic.perm().map_or(&[], |order| order.arrays().1)
    }

    /// The supernodes of the factor, in its order.
    pub fn supernodes(&self) -> Vec<Supernode<'_>> {
        match self.symbolic.raw() {
            SymbolicCholeskyRaw::Simplicial(raw) => {
                let (starts, rows) = (raw.col_ptr(), raw.row_idx());
                let mut nodes: Vec<Supernode<'_>> = Vec::new();
                for (column, ends) in starts.windows(2).enumerate() {
                    let below = &rows[ends[0] + 1..ends[1]];
                    match nodes.last_mut() {
                        Some(last) if last.rows.split_first() == Some((&column, below)) => {
                            last.columns.end += 1;
                            last.rows = below;
                        }
                        _ => nodes.push(Supernode {
                            columns: column..column + 1,
                            rows: below,
                            start: ends[0],
                            is_packed: true,
                        }),
                    }
                }
                nodes
            }
            SymbolicCholeskyRaw::Supernodal(raw) => {
                let columns = raw.supernode_begin().iter().zip(raw.supernode_end());
                let rows = raw.col_ptr_for_row_idx().windows(2);
                let nodes = columns.zip(rows).zip(raw.col_ptr_for_val());
                let node = |((columns, rows), &start): ((_, &[usize]), _)| {
                    let (&first, &end): (&usize, &usize) = columns;
                    let rows = &raw.row_idx()[rows[0]..rows[1]];
                    Supernode { columns: first..end, rows, start, is_packed: false }
                };
                nodes.map(node).collect()
            }
        }
    }
}

/// The columns of a lower triangle with a whole diagonal and with entries at these pairs: where each
/// starts, and the rows of all.
fn lower_triangle(size: usize, pairs: &[(usize, usize)]) -> (Vec<usize>, Vec<usize>) {
    let mut fill = vec![0; size + 1];
    pairs.iter().for_each(|&(a, b)| fill[a.min(b) + 1] += 1);
    (0..size).for_each(|column| fill[column + 1] += fill[column]);
    let starts = fill.clone();
    let mut others = vec![0; pairs.len()];
    for &(a, b) in pairs {
        let at = &mut fill[a.min(b)];
        others[*at] = a.max(b);
        *at += 1;
    }
    let mut column_starts = Vec::with_capacity(size + 1);
    let mut row_indices = Vec::with_capacity(size + pairs.len());
    column_starts.push(0);
    for (column, ends) in starts.windows(2).enumerate() {
        let rows = &mut others[ends[0]..ends[1]];
        rows.sort_unstable();
        row_indices.push(column);
        for &row in &*rows {
            if row_indices.last() != Some(&row) {
                row_indices.push(row);
            }
        }
        column_starts.push(row_indices.len());
    }
    (column_starts, row_indices)
}

#[cfg(test)]
mod tests;
