//! The leading eigenvectors of a large sparse matrix whose eigenvalues crowd below 1.
//!
//! Normalized matrices of graphs are like this: the eigenvalues that separate clusters lie so
//! near to each other that Krylov spaces grow large. Chebyshev polynomials of the matrix spread
//! them, and a block of little more than the wanted vectors is all that is kept (Zhou2006).

use faer::linalg::solvers::SelfAdjointEigen;
use faer::{Mat, MatRef, Par, Side};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;

use super::matrix::Matrix;
use super::products::{times, transposed_times};
use super::sparse_rows::SparseRows;
use crate::error::{Error, Result};

/// A pair is found when `‖A v − θ v‖` is below this.
const PRECISION: f64 = 1e-8;
/// Vectors beside those wanted: they speed up the last of these.
const GUARD: usize = 10;
/// Matrices up to this size are taken whole.
const WHOLE: usize = 200;
/// A polynomial separates eigenvalue 1 from the damped ones by about this at most: beyond it rounding
/// would hide the others.
const AMPLIFIED: f64 = 1e6;
/// At most this degree.
const DEGREE: f64 = 120.0;
/// Eigenvalues nearer to 1 than this are never damped.
const NEAR_ONE: f64 = 1e-4;
/// At most this many polynomials.
const ROUNDS: usize = 200;
/// Parts of a block that are smaller than this share of the largest are rounding.
const LOST: f64 = 1e-14;
/// Numbers that one task works on.
const TASK: usize = 1 << 14;

/// The largest eigenvalues and their vectors.
#[derive(Debug)]
pub(crate) struct LeadingEigen {
    /// From the largest downwards.
    pub values: Vec<f64>,
    /// One vector of length 1 a column.
    pub vectors: Matrix,
    /// The largest `‖A v − θ v‖` of a pair.
    pub residual: f64,
}

/// The `count` largest eigenvalues of a symmetric matrix with all eigenvalues in −1..=1.
pub(crate) fn leading_eigen(matrix: &SparseRows, count: usize) -> Result<LeadingEigen> {
    let n = matrix.len();
    let width = if n <= WHOLE { n } else { (count + GUARD).next_multiple_of(4).min(n) };
    let mut rng = ChaCha8Rng::seed_from_u64(0);
    let mut block = Matrix::zeros(n, width);
    block.as_mut_slice().iter_mut().for_each(|x| *x = rng.random::<f64>() - 0.5);
    let mut found = ritz(matrix, &orthonormal(block)?, count)?;
    for _ in 0..ROUNDS {
        if found.residual <= PRECISION {
            break;
        }
        let last = found.all_values[width - 1];
        let filtered = filter(matrix, found.block, last.min(1.0 - NEAR_ONE));
        found = ritz(matrix, &orthonormal(filtered)?, count)?;
    }
    let mut vectors = Matrix::zeros(n, count);
    for i in 0..n {
        vectors.row_mut(i).copy_from_slice(&found.block.row(i)[..count]);
    }
    found.all_values.truncate(count);
    Ok(LeadingEigen { values: found.all_values, vectors, residual: found.residual })
}

/// The eigenpairs of the matrix within a block.
struct Ritz {
    all_values: Vec<f64>,
    /// One vector a column.
    block: Matrix,
    /// Of the wanted ones.
    residual: f64,
}

fn ritz(matrix: &SparseRows, basis: &Matrix, count: usize) -> Result<Ritz> {
    let images = matrix.multiply(basis);
    let projected = transposed_times(basis, &vec![1.0; basis.n_rows()], &images);
    let (all_values, mixes) = eigen(projected.as_ref())?;
    let (block, images) = (times(basis, mixes.as_ref()), times(&images, mixes.as_ref()));
    let mut off = vec![0.0; count];
    for (image, x) in images.rows().zip(block.rows()) {
        for (i, off) in off.iter_mut().enumerate() {
            *off += (image[i] - all_values[i] * x[i]).powi(2);
        }
    }
    let residual = off.into_iter().fold(0.0, f64::max).sqrt();
    Ok(Ritz { all_values, block, residual })
}

/// The Chebyshev polynomial that is at most 1 between −1 and `damped` and grows above, times a
/// block.
fn filter(matrix: &SparseRows, block: Matrix, damped: f64) -> Matrix {
    let (center, half) = ((damped - 1.0) / 2.0, (damped + 1.0).max(0.1) / 2.0);
    let degree = (AMPLIFIED.acosh() / ((1.0 - center) / half).acosh()).clamp(2.0, DEGREE) as usize;
    let mut before = block;
    let mut at = matrix.multiply(&before);
    let step = |to: &mut Matrix, at: &Matrix, before: Option<&Matrix>| {
        let factor = if before.is_some() { 2.0 / half } else { 1.0 / half };
        let tasks = to.as_mut_slice().par_chunks_mut(TASK).enumerate();
        tasks.for_each(|(task, to)| {
            let part = |of: &'_ Matrix| task * TASK..(task * TASK + TASK).min(of.as_slice().len());
            let at = &at.as_slice()[part(at)];
            match before {
                None => {
                    to.iter_mut().zip(at).for_each(|(to, at)| *to = factor * (*to - center * at));
                }
                Some(before) => {
                    let before = &before.as_slice()[part(before)];
                    for ((to, at), before) in to.iter_mut().zip(at).zip(before) {
                        *to = factor * (*to - center * at) - before;
                    }
                }
            }
        });
    };
    step(&mut at, &before, None);
    for _ in 1..degree {
        let mut next = matrix.multiply(&at);
        step(&mut next, &at, Some(&before));
        before = std::mem::replace(&mut at, next);
    }
    at
}

/// An orthonormal basis of the columns: their products' eigenvectors, twice for the digits.
fn orthonormal(mut block: Matrix) -> Result<Matrix> {
    let ones = vec![1.0; block.n_rows()];
    for _ in 0..2 {
        let mut sizes = vec![0.0; block.n_cols()];
        for row in block.rows() {
            sizes.iter_mut().zip(row).for_each(|(size, x)| *size += x * x);
        }
        for i in 0..block.n_rows() {
            for (x, size) in block.row_mut(i).iter_mut().zip(&sizes) {
                *x /= size.sqrt();
            }
        }
        let products = transposed_times(&block, &ones, &block);
        let (values, mut mixes) = eigen(products.as_ref())?;
        if !(values.last().is_some_and(|least| *least > LOST * values[0])) {
            return Err(Error::Numerical(
                "the leading eigenvectors of the graph lost their independence".into(),
            ));
        }
        for (column, value) in values.iter().enumerate() {
            mixes.col_mut(column).iter_mut().for_each(|x| *x /= value.sqrt());
        }
        block = times(&block, mixes.as_ref());
    }
    Ok(block)
}

/// Eigenvalues, largest first, and their vectors, one a column.
fn eigen(symmetric: MatRef<'_, f64>) -> Result<(Vec<f64>, Mat<f64>)> {
    // In parallel the order of sums would follow the threads.
    faer::set_global_parallelism(Par::Seq);
    let eigen = SelfAdjointEigen::new(symmetric, Side::Lower)
        .map_err(|_| Error::Numerical("the eigenvalues of the graph did not converge".into()))?;
    let n = symmetric.nrows();
    let values = (0..n).rev().map(|i| eigen.S()[i]).collect();
    Ok((values, Mat::from_fn(n, n, |i, j| eigen.U()[(i, n - 1 - j)])))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The normalized matrix of a ring of n points: its eigenvalues are cos(2πj/n).
    fn ring(n: usize) -> SparseRows {
        let columns = (0..n).flat_map(|i| [(i + n - 1) % n, (i + 1) % n].map(|j| j as u32));
        let starts = (0..=n).map(|i| 2 * i).collect();
        SparseRows::new(starts, columns.collect(), vec![0.5; 2 * n], n)
    }

    fn check(matrix: &SparseRows, count: usize, expected: impl Fn(usize) -> f64) {
        let found = leading_eigen(matrix, count).unwrap();
        assert!(found.residual <= PRECISION, "{}", found.residual);
        for (i, value) in found.values.iter().enumerate() {
            assert!((value - expected(i)).abs() < 1e-12, "{i}: {value} {}", expected(i));
        }
        let products =
            transposed_times(&found.vectors, &vec![1.0; found.vectors.n_rows()], &found.vectors);
        for i in 0..count {
            for j in 0..count {
                assert!((products[(i, j)] - f64::from(u8::from(i == j))).abs() < 1e-12);
            }
        }
    }

    #[test]
    fn eigenvalues_of_rings_are_cosines() {
        for (n, count) in [(5, 5), (150, 9), (201, 3), (900, 12)] {
            let angle = |i: usize| std::f64::consts::TAU * i.div_ceil(2) as f64 / n as f64;
            check(&ring(n), count, |i| angle(i).cos());
        }
    }

    #[test]
    fn more_components_than_vectors_are_no_trouble() {
        // 300 pairs of points: the eigenvalue 1 is 300-fold, and so is −1.
        let columns = (0..600).map(|i: u32| i ^ 1).collect();
        let pairs = SparseRows::new((0..=600).collect(), columns, vec![1.0; 600], 600);
        check(&pairs, 6, |_| 1.0);
    }
}
