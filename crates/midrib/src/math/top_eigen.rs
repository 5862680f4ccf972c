//! The largest eigenvalues of a matrix that is too large to be taken apart as a whole.

use faer::linalg::matmul::matmul;
use faer::linalg::solvers::SelfAdjointEigen;
use faer::{Accum, Mat, MatMut, MatRef, Par, Side};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::Matrix;
use crate::error::{Error, Result};

/// Vectors that are multiplied at once.
const BLOCK: usize = 16;
/// Rows of a block beyond the vectors that are wanted, where these are few.
const GUARD: usize = 2;
/// The pairs are first checked when the space is this large.
const FIRST_LOOK: usize = 28;
/// A pair is found when `‖A v − θ v‖` is below this share of the largest eigenvalue.
const PRECISION: f64 = 1e-10;
/// What is left of a vector beside the others counts as nothing below this share of it.
const DEPENDENT: f64 = 1e-10;
/// The pairs are checked each time the space has grown by this factor.
const GROWTH: f64 = 1.25;
/// Blocks from a second start before the pairs are checked again.
const SECOND_LOOK: usize = 4;
/// Sums of eigenvalues are the same within this share of the largest.
const SAME: f64 = 1e-9;

/// The largest eigenvalues of a symmetric positive semidefinite matrix and their vectors.
pub(crate) struct TopEigen {
    /// From the largest downward.
    pub values: Vec<f64>,
    /// One vector of length 1 a row.
    pub vectors: Matrix,
}

/// The largest eigenvalues of a matrix of which only products are known: `product` takes vectors
/// as rows. `wanted` says how many are enough, given the largest found so far; those never exceed
/// the true ones.
///
/// Block Lanczos with full orthogonalisation and without restarts: few products for spectra that
/// fall fast, and the exact result once the space is complete. Where more are wanted than a block
/// has rows, what is found must be found again after a second start.
pub(crate) fn top_eigen(
    size: usize,
    product: impl Fn(&Matrix) -> Matrix,
    wanted: impl Fn(&[f64]) -> Option<usize>,
) -> Result<TopEigen> {
    top_eigen_by(BLOCK, size, product, wanted)
}

/// As [`top_eigen`], for `count` eigenvalues that are few: in blocks of little more rows, the space
/// grows to a smaller size.
pub(crate) fn few_top_eigen(
    count: usize,
    size: usize,
    product: impl Fn(&Matrix) -> Matrix,
) -> Result<TopEigen> {
    top_eigen_by(count + GUARD, size, product, |_| Some(count))
}

fn top_eigen_by(
    width: usize,
    size: usize,
    product: impl Fn(&Matrix) -> Matrix,
    wanted: impl Fn(&[f64]) -> Option<usize>,
) -> Result<TopEigen> {
    let mut rng = ChaCha8Rng::seed_from_u64(0);
    let mut space = Space { size, basis: Vec::new(), images: Vec::new(), projected: Vec::new() };
    let mut block = space.beside(random(width, size, &mut rng));
    let mut look_at = FIRST_LOOK.max(2 * width);
    let mut seen: Option<(usize, f64)> = None;
    loop {
        let images = product(&block);
        space.grow(&block, &images);
        block = space.beside(images);
        let complete = space.len() == size;
        if block.n_rows() == 0 && !complete {
            // The space is invariant: what is beside it can only be found from elsewhere.
            block = space.beside(random(width, size, &mut rng));
        }
        if !complete && space.len() < look_at {
            continue;
        }
        look_at = (GROWTH * space.len() as f64) as usize;
        let (values, mixes) = space.pairs()?;
        let count = match wanted(&values) {
            Some(count) if count <= values.len() => count,
            _ if complete => values.len(),
            _ => continue,
        };
        let values = &values[..count];
        let Some(vectors) = space.found(values, &mixes, complete) else {
            continue;
        };
        let sum: f64 = values.iter().sum();
        let is_same = |(n, s): (usize, f64)| n == count && (sum - s).abs() <= SAME * values[0];
        // A block finds as many vectors of an eigenvalue as it has rows.
        if complete || count <= width || seen.is_some_and(is_same) {
            return Ok(TopEigen { values: values.to_vec(), vectors });
        }
        // An eigenvalue that is more fold than a block is wide shows in full only from a second start.
        seen = Some((count, sum));
        look_at = look_at.max(space.len() + SECOND_LOOK * width);
        block = space.beside(random(width, size, &mut rng));
    }
}

fn random(width: usize, size: usize, rng: &mut ChaCha8Rng) -> Matrix {
    let mut block = Matrix::zeros(width.min(size), size);
    block.as_mut_slice().iter_mut().for_each(|x| *x = rng.random::<f64>() - 0.5);
    block
}

/// An orthonormal basis Q of growing size, and what the matrix A makes of it.
struct Space {
    size: usize,
    /// Q, one vector per row.
    basis: Vec<f64>,
    /// A Q.
    images: Vec<f64>,
    /// The rows of Qᵀ A Q up to the diagonal, block by block.
    projected: Vec<Vec<f64>>,
}

impl Space {
    fn len(&self) -> usize {
        self.basis.len() / self.size
    }

    /// The part of the rows that lies beside the space, orthonormal; fewer rows where they depend
    /// on each other or on the space.
    fn beside(&self, mut rows: Matrix) -> Matrix {
        let size = self.size;
        let before: Vec<f64> = rows.rows().map(norm).collect();
        // Twice is enough.
        remove(rows.as_mut_slice(), &self.basis, size);
        remove(rows.as_mut_slice(), &self.basis, size);
        let mut kept: Vec<f64> = Vec::with_capacity(rows.as_slice().len());
        for (i, before) in before.into_iter().enumerate() {
            if kept.len() / size + self.len() >= size {
                break;
            }
            let row = rows.row_mut(i);
            remove(row, &kept, size);
            remove(row, &kept, size);
            let after = norm(row);
            if after > DEPENDENT * before {
                kept.extend(row.iter().map(|x| x / after));
            }
        }
        // Once more, now that rounding has been blown up by a small norm.
        remove(&mut kept, &self.basis, size);
        let mut matrix = Matrix::zeros(kept.len() / size, size);
        for i in 0..matrix.n_rows() {
            let (others, row) = kept.split_at_mut(i * size);
            let row = &mut row[..size];
            remove(row, others, size);
            let after = norm(row);
            row.iter_mut().for_each(|x| *x /= after);
        }
        matrix.as_mut_slice().copy_from_slice(&kept);
        matrix
    }

    fn grow(&mut self, block: &Matrix, images: &Matrix) {
        self.basis.extend_from_slice(block.as_slice());
        self.images.extend_from_slice(images.as_slice());
        let mut new = vec![0.0; block.n_rows() * self.len()];
        multiply(images.as_slice(), &self.basis, self.size, &mut new);
        self.projected.extend(new.chunks_exact(self.len()).map(<[f64]>::to_vec));
    }

    /// The eigenvalues of A within the space, largest first, and how their vectors are mixed of
    /// the basis, one a row.
    fn pairs(&self) -> Result<(Vec<f64>, Matrix)> {
        let m = self.len();
        let projected = Mat::from_fn(m, m, |i, j| self.projected[i.max(j)][i.min(j)]);
        // In parallel the order of sums would follow the threads.
        faer::set_global_parallelism(Par::Seq);
        let eigen = SelfAdjointEigen::new(projected.as_ref(), Side::Lower)
            .map_err(|_| Error::Numerical("the largest eigenvalues did not converge".into()))?;
        let values = (0..m).rev().map(|i| eigen.S()[i].max(0.0)).collect();
        let mut mixes = Matrix::zeros(m, m);
        for i in 0..m {
            for (j, x) in mixes.row_mut(i).iter_mut().enumerate() {
                *x = eigen.U()[(j, m - 1 - i)];
            }
        }
        Ok((values, mixes))
    }

    /// The vectors of the first pairs, if all of these are found.
    fn found(&self, values: &[f64], mixes: &Matrix, complete: bool) -> Option<Matrix> {
        let mixes = &mixes.as_slice()[..values.len() * self.len()];
        let vectors = self.mix(mixes, &self.basis);
        let images = self.mix(mixes, &self.images);
        let allowed = PRECISION * values.first().copied().unwrap_or_default();
        let is_found = |(i, &value): (usize, &f64)| {
            let pairs = images.row(i).iter().zip(vectors.row(i));
            pairs.map(|(image, x)| (image - value * x).powi(2)).sum::<f64>().sqrt() <= allowed
        };
        (complete || values.iter().enumerate().all(is_found)).then_some(vectors)
    }

    /// `mixes · rows`.
    fn mix(&self, mixes: &[f64], rows: &[f64]) -> Matrix {
        let m = self.len();
        let mut mixed = Matrix::zeros(mixes.len() / m, self.size);
        let n = mixed.n_rows();
        matmul(
            MatMut::from_row_major_slice_mut(mixed.as_mut_slice(), n, self.size),
            Accum::Replace,
            MatRef::from_row_major_slice(mixes, n, m),
            MatRef::from_row_major_slice(rows, m, self.size),
            1.0,
            Par::Seq,
        );
        mixed
    }
}

/// `out = left · rightᵀ` for rows of `width`.
fn multiply(left: &[f64], right: &[f64], width: usize, out: &mut [f64]) {
    let (n, m) = (left.len() / width, right.len() / width);
    matmul(
        MatMut::from_row_major_slice_mut(out, n, m),
        Accum::Replace,
        MatRef::from_row_major_slice(left, n, width),
        MatRef::from_row_major_slice(right, m, width).transpose(),
        1.0,
        Par::Seq,
    );
}

/// Removes from rows of `width` their parts along orthonormal `others`.
fn remove(rows: &mut [f64], others: &[f64], width: usize) {
    let (n, m) = (rows.len() / width, others.len() / width);
    if n == 0 || m == 0 {
        return;
    }
    let mut parts = vec![0.0; n * m];
    multiply(rows, others, width, &mut parts);
    matmul(
        MatMut::from_row_major_slice_mut(rows, n, width),
        Accum::Add,
        MatRef::from_row_major_slice(&parts, n, m),
        MatRef::from_row_major_slice(others, m, width),
        -1.0,
        Par::Seq,
    );
}

fn norm(row: &[f64]) -> f64 {
    row.iter().map(|x| x * x).sum::<f64>().sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A diagonal matrix seen through a reflection, so that its eigenvalues are known.
    fn product(values: &[f64]) -> impl Fn(&Matrix) -> Matrix {
        let n = values.len();
        let axis: Vec<f64> = (0..n).map(|i| 1.0 + (i % 7) as f64).collect();
        let squared: f64 = axis.iter().map(|x| x * x).sum();
        move |rows: &Matrix| {
            let mut out = rows.clone();
            let reflect = |row: &mut [f64]| {
                let part: f64 = row.iter().zip(&axis).map(|(x, a)| x * a).sum();
                row.iter_mut().zip(&axis).for_each(|(x, a)| *x -= 2.0 * part / squared * a);
            };
            for i in 0..out.n_rows() {
                let row = out.row_mut(i);
                reflect(row);
                row.iter_mut().zip(values).for_each(|(x, v)| *x *= v);
                reflect(row);
            }
            out
        }
    }

    fn check(values: &[f64], count: usize) {
        let product = product(values);
        let found = top_eigen(values.len(), &product, |_| Some(count)).unwrap();
        check_found(values, count, &found);
        check_found(values, count, &few_top_eigen(count, values.len(), &product).unwrap());
    }

    fn check_found(values: &[f64], count: usize, found: &TopEigen) {
        let product = product(values);
        let mut sorted = values.to_vec();
        sorted.sort_by(|a, b| b.total_cmp(a));
        assert_eq!(found.values.len(), count);
        for (found, expected) in found.values.iter().zip(&sorted) {
            assert!((found - expected).abs() < 1e-12 * sorted[0], "{found} {expected}");
        }
        let images = product(&found.vectors);
        for i in 0..count {
            for j in 0..count {
                let dot: f64 =
                    found.vectors.row(i).iter().zip(found.vectors.row(j)).map(|(a, b)| a * b).sum();
                assert!((dot - f64::from(u8::from(i == j))).abs() < 1e-12);
            }
            let pairs = images.row(i).iter().zip(found.vectors.row(i));
            let rest: f64 = pairs.map(|(a, x)| (a - found.values[i] * x).powi(2)).sum();
            assert!(rest.sqrt() <= 1e-9 * sorted[0]);
        }
    }

    #[test]
    fn values_and_vectors_are_those_of_the_matrix() {
        check(&(0..300).map(|i| 0.9_f64.powi(i)).collect::<Vec<_>>(), 12);
        check(&(0..300).map(|i| f64::from(i) + 1.0).collect::<Vec<_>>(), 5);
        // Few that are not 0, and more wanted than that.
        check(&(0..200).map(|i| f64::from(u8::from(i < 3)) * 4.0).collect::<Vec<_>>(), 40);
        // More fold than a block is wide.
        check(&(0..120).map(|i| if i < 50 { 2.0 } else { 1.0 }).collect::<Vec<_>>(), 60);
        check(
            &(0..400).map(|i| if i < 40 { 2.0 } else { 0.95_f64.powi(i) }).collect::<Vec<_>>(),
            45,
        );
        check(&[3.0, 1.0], 2);
    }

    #[test]
    fn as_many_as_are_wanted() {
        let values: Vec<f64> = (0..300).map(|i| 0.8_f64.powi(i)).collect();
        let total: f64 = values.iter().sum();
        let wanted = |found: &[f64]| {
            let mut held = 0.0;
            found.iter().position(|v| {
                held += v;
                held >= 0.95 * total
            })
        };
        let found = top_eigen(300, product(&values), |v| wanted(v).map(|at| at + 1)).unwrap();
        assert_eq!(found.values.len(), 14);
    }
}
