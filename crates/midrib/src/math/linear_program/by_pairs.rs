//! The Newton matrix condensed on the pairs: `diag(stiffness) + Mᵀ diag(1/slackness) M`.
//!
//! Two pairs meet in it only if they share a row, and then they share just that one: each row
//! owns a dense block over its pairs, and every entry off the diagonal comes from one block.

use super::condensed::{Changes, Diagonals, On, Steps, System};
use super::pair_matrix::PairMatrix;
use crate::error::Result;
use crate::math::SparseCholesky;
use crate::math::lanes::LANES;
use crate::math::simd::{Work, dispatch, fused};

/// The matrix and its factor.
pub(super) struct ByPairs {
    pub cholesky: SparseCholesky,
    /// The indices of the blocks' entries among the values, row after row: the lower triangle of
    /// each block, column after column.
    indices: Vec<u32>,
    /// The roots of the inverse slackness.
    roots: Vec<f64>,
}

impl ByPairs {
    /// Entries of the lower triangle.
    pub fn entries(matrix: &PairMatrix) -> usize {
        let meet = |row| matrix.incident(row).len() * matrix.incident(row).len().saturating_sub(1);
        matrix.pairs.len() + (0..matrix.n_rows).map(meet).sum::<usize>() / 2
    }

    /// Orders the pairs and allocates the factor.
    pub fn new(matrix: &PairMatrix) -> Result<Self> {
        // Where the next entry of each row's block goes.
        let mut next = Vec::with_capacity(matrix.n_rows);
        let mut n_indices = 0;
        for row in 0..matrix.n_rows {
            next.push(n_indices);
            let degree = matrix.incident(row).len();
            n_indices += degree * (degree + 1) / 2;
        }
        let mut indices = vec![0; n_indices];
        let mut seen = vec![0; matrix.n_rows];
        let mut column_starts = Vec::with_capacity(matrix.pairs.len() + 1);
        let mut row_indices: Vec<usize> = Vec::with_capacity(Self::entries(matrix));
        column_starts.push(0);
        for (pair, &(a, b)) in matrix.pairs.iter().enumerate() {
            for end in [a, b] {
                seen[end] += 1;
                indices[next[end]] = row_indices.len() as u32;
                next[end] += 1;
            }
            row_indices.push(pair);
            // The later pairs at either end, merged.
            let (of_a, of_b) = (&matrix.incident(a)[seen[a]..], &matrix.incident(b)[seen[b]..]);
            let (mut i, mut j) = (0, 0);
            while i < of_a.len() || j < of_b.len() {
                let from_a = j == of_b.len() || (i < of_a.len() && of_a[i].pair < of_b[j].pair);
                let (end, later) = if from_a { (a, of_a[i].pair) } else { (b, of_b[j].pair) };
                if from_a {
                    i += 1
                } else {
                    j += 1
                }
                indices[next[end]] = row_indices.len() as u32;
                next[end] += 1;
                row_indices.push(later);
            }
            column_starts.push(row_indices.len());
        }
        let cholesky = SparseCholesky::new(column_starts, row_indices)?;
        Ok(Self { cholesky, indices, roots: Vec::new() })
    }
}

impl Steps<PairMatrix> for ByPairs {
    /// Assembles and factors; false if the matrix is not definite.
    fn factor(&mut self, matrix: &PairMatrix, diagonals: &Diagonals) -> bool {
        let Self { cholesky, indices, roots } = self;
        let inverse_roots = diagonals.slackness.iter().map(|slackness| 1.0 / slackness.sqrt());
        match &matrix.live {
            None => *roots = inverse_roots.collect(),
            Some(live) => {
                // Values that are not live do not count.
                roots.clear();
                roots.resize(matrix.rows.len(), 0.0);
                live.iter().zip(inverse_roots).for_each(|(&value, root)| roots[value] = root);
            }
        }
        let starts = cholesky.column_starts().to_vec();
        let values = cholesky.values_mut();
        values.fill(0.0);
        starts.iter().zip(&diagonals.stiffness).for_each(|(&at, x)| values[at] = *x);
        dispatch(AddBlocks { matrix, roots, indices, values });
        cholesky.factor_regularized()
    }

    fn solve(&mut self, system: System<'_, PairMatrix>, accuracy: f64, changes: &mut Changes) {
        system.solve_on(On::Pairs, &mut self.cholesky, accuracy, changes);
    }

    fn factor_per_solve(&self) -> f64 {
        self.cholesky.factor_per_solve()
    }
}

/// Adds the products of the neighbors of each row, whose values are multiplied by the roots.
struct AddBlocks<'t> {
    matrix: &'t PairMatrix,
    roots: &'t [f64],
    indices: &'t [u32],
    values: &'t mut [f64],
}

impl Work for AddBlocks<'_> {
    type Output = ();

    #[inline(always)]
    fn run<const FMA: bool>(self) {
        let Self { matrix, roots, mut indices, values } = self;
        let (mut neighbors, mut column) = (Vec::new(), Vec::new());
        for row in 0..matrix.n_rows {
            let incident = matrix.incident(row);
            let degree = incident.len();
            let height = degree.next_multiple_of(LANES);
            // The neighbors side by side, one value after the other, padded with zeros.
            neighbors.clear();
            for (d, root) in roots[row * matrix.dims..][..matrix.dims].iter().enumerate() {
                if *root != 0.0 {
                    neighbors.extend(incident.iter().map(|at| root * matrix.row(at.other)[d]));
                    neighbors.resize(neighbors.len().next_multiple_of(LANES), 0.0);
                }
            }
            column.resize(height, 0.0);
            for j in 0..degree {
                for first in (j / LANES * LANES..height).step_by(LANES) {
                    let mut sums = [0.0; LANES];
                    for values in neighbors.chunks_exact(height) {
                        for (sum, x) in sums.iter_mut().zip(&values[first..first + LANES]) {
                            *sum = fused::<FMA>(values[j], *x, *sum);
                        }
                    }
                    column[first..first + LANES].copy_from_slice(&sums);
                }
                let (own, rest) = indices.split_at(degree - j);
                own.iter().zip(&column[j..]).for_each(|(&at, x)| values[at as usize] += x);
                indices = rest;
            }
        }
    }
}

#[cfg(test)]
mod tests;
