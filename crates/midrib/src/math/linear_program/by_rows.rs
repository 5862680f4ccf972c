//! The Newton matrix condensed on the rows' values: `diag(slackness) + M diag(1/stiffness) Mᵀ`.
//!
//! Smaller than the one on the pairs where rows are short and pairs are many: with all pairs
//! of 300 rows in two dimensions it has 600 unknowns instead of 44,850.

use super::condensed::Diagonals;
use super::pair_matrix::{Incident, PairMatrix};
use crate::error::Result;
use crate::math::SparseCholesky;

pub(super) struct ByRows {
    pub cholesky: SparseCholesky,
}

impl ByRows {
    /// Entries of the triangle.
    pub fn entries(matrix: &PairMatrix) -> usize {
        let dims = matrix.dims;
        matrix.n_rows * dims * (dims + 1) / 2 + matrix.pairs.len() * dims * dims
    }

    pub fn new(matrix: &PairMatrix) -> Result<Self> {
        let dims = matrix.dims;
        let mut column_starts = Vec::with_capacity(matrix.rows.len() + 1);
        let mut row_indices: Vec<usize> = Vec::with_capacity(Self::entries(matrix));
        column_starts.push(0);
        let values = |row: usize, d: usize| row * dims + d..(row + 1) * dims;
        for row in 0..matrix.n_rows {
            for d in 0..dims {
                row_indices.extend(values(row, d));
                for &Incident { other, .. } in later(matrix, row) {
                    row_indices.extend(values(other, 0));
                }
                column_starts.push(row_indices.len());
            }
        }
        Ok(Self { cholesky: SparseCholesky::new(column_starts, row_indices)? })
    }

    /// Assembles and factors; false if the numbers are not finite.
    pub fn factor(&mut self, matrix: &PairMatrix, diagonals: &Diagonals) -> bool {
        let Diagonals { stiffness, slackness } = diagonals;
        let dims = matrix.dims;
        let mut rest = self.cholesky.values_mut();
        for (at, slackness) in slackness.iter().enumerate() {
            let (row, d) = (at / dims, at % dims);
            let later = later(matrix, row);
            let (column, after) = rest.split_at_mut(dims - d + later.len() * dims);
            rest = after;
            let (own, others) = column.split_at_mut(dims - d);
            own.fill(0.0);
            for &Incident { pair, other } in matrix.incident(row) {
                let neighbor = &matrix.row(other)[d..];
                let share = neighbor[0] / stiffness[pair];
                own.iter_mut().zip(neighbor).for_each(|(to, from)| *to += share * from);
            }
            own[0] += slackness;
            for (block, &Incident { pair, other }) in others.chunks_exact_mut(dims).zip(later) {
                let share = matrix.row(other)[d] / stiffness[pair];
                let from = matrix.row(row);
                block.iter_mut().zip(from).for_each(|(to, from)| *to = share * from);
            }
        }
        self.cholesky.factor_regularized()
    }
}

/// The pairs of a row with rows after it, in the order of those.
fn later(matrix: &PairMatrix, row: usize) -> &[Incident] {
    let incident = matrix.incident(row);
    &incident[incident.partition_point(|incident| incident.other < row)..]
}
