//! The smallest eigenvalues of a sparse positive semidefinite matrix with one known null vector.

use super::matrix::{Matrix, dot};
use super::sparse_cholesky::SparseCholesky;
use super::top_eigen::few_top_eigen;
use crate::error::{Error, Result};

/// Added to the diagonal, as shares of its largest entry, until the matrix is definite despite
/// rounding. A multiple of the unit matrix changes no eigenvector.
const SHIFTS: [f64; 4] = [1e-12, 1e-10, 1e-8, 1e-6];

/// A sparse symmetric matrix: entries of its upper triangle, sorted by row and column, each once.
pub(crate) struct SparseSymmetric {
    size: usize,
    entries: Vec<(u32, u32, f64)>,
}

impl SparseSymmetric {
    /// Adds up entries `(row, column, value)`, `row <= column`, at the same position.
    pub fn new(size: usize, mut entries: Vec<(u32, u32, f64)>) -> Self {
        // A stable sort, so that sums have a fixed order.
        entries.sort_by_key(|&(a, b, _)| (a, b));
        entries.dedup_by(|next, first| {
            let same = (next.0, next.1) == (first.0, first.1);
            first.2 += if same { next.2 } else { 0.0 };
            same
        });
        Self { size, entries }
    }
}

/// The eigenvectors of the `count` smallest eigenvalues beside that of `null`, a vector of length 1,
/// from the smallest upward, one a row. None if the factor of the matrix would take more than `most`
/// numbers.
pub(crate) fn smallest_eigen(
    matrix: &SparseSymmetric,
    null: &[f64],
    count: usize,
    most: usize,
) -> Result<Option<Matrix>> {
    let SparseSymmetric { size, entries } = matrix;
    let off = entries.iter().filter(|(a, b, _)| a != b);
    let pairs: Vec<(usize, usize)> = off.map(|&(a, b, _)| (a as usize, b as usize)).collect();
    let Some(mut factor) = SparseCholesky::of_pairs_up_to(most, *size, &pairs)? else {
        return Ok(None);
    };
    let of_entry: Vec<usize> =
        entries.iter().map(|&(a, b, _)| factor.index(a as usize, b as usize)).collect();
    let largest =
        entries.iter().filter(|(a, b, _)| a == b).map(|entry| entry.2).fold(0.0, f64::max);
    let definite = SHIFTS.iter().any(|shift| {
        for (&(a, b, value), &at) in entries.iter().zip(&of_entry) {
            factor.values_mut()[at] = if a == b { value + shift * largest } else { value };
        }
        factor.factor()
    });
    if !definite {
        let reason = "the neighbor graph's matrix could not be factored: use other neighbors";
        return Err(Error::Numerical(reason.into()));
    }
    let product = |block: &Matrix| {
        let mut block = block.clone();
        let deflate = |block: &mut Matrix| {
            for i in 0..block.n_rows() {
                let row = block.row_mut(i);
                let part = dot(row, null);
                row.iter_mut().zip(null).for_each(|(x, n)| *x -= part * n);
            }
        };
        deflate(&mut block);
        factor.solve(block.as_mut_slice());
        deflate(&mut block);
        block
    };
    few_top_eigen(count, *size, product).map(|top| Some(top.vectors))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modes_of_a_path_are_cosines() {
        let n = 60;
        let mut entries = Vec::new();
        for i in 0..n - 1 {
            entries.extend([(i, i, 1.0), (i + 1, i + 1, 1.0), (i, i + 1, -1.0)]);
        }
        let matrix = SparseSymmetric::new(n as usize, entries);
        let null = vec![1.0 / f64::from(n).sqrt(); n as usize];
        let found = smallest_eigen(&matrix, &null, 3, usize::MAX).unwrap().unwrap();
        for (mode, vector) in found.rows().enumerate() {
            let angle = std::f64::consts::PI * (mode + 1) as f64 / f64::from(n);
            let cosine = |i: usize| (angle * (i as f64 + 0.5)).cos() * (2.0 / f64::from(n)).sqrt();
            let along: f64 = vector.iter().enumerate().map(|(i, x)| x * cosine(i)).sum();
            assert!((along.abs() - 1.0).abs() < 1e-12, "{along}");
        }
        assert!(smallest_eigen(&matrix, &null, 3, 10).unwrap().is_none());
    }
}
