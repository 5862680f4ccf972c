//! Sparse matrices row by row, and their products with matrices of few columns.

use std::ops::Range;

use rayon::prelude::*;

use super::matrix::Matrix;
use super::simd::{Work, add, dispatch};

/// Rows that one task works off.
const ROWS: usize = 256;
/// Parts of the rows that are summed on their own, whatever the number of threads.
const PASSES: usize = 8;
/// Numbers that are worked on together.
const LANES: usize = 4;

/// Rows of a sparse matrix one after the other.
pub(crate) struct SparseRows {
    /// Where each row starts, and where the last one ends.
    starts: Vec<usize>,
    columns: Vec<u32>,
    values: Vec<f64>,
    n_columns: usize,
    parts: Vec<Part>,
}

/// Rows that are summed on their own, and the columns that they reach: few, if rows that follow
/// each other have columns that do.
struct Part {
    rows: Range<usize>,
    columns: Range<usize>,
}

impl SparseRows {
    /// From where each row starts, and the last one ends, and the entries of all rows.
    pub fn new(starts: Vec<usize>, columns: Vec<u32>, values: Vec<f64>, n_columns: usize) -> Self {
        let len = starts.len() - 1;
        let step = len.div_ceil(PASSES).max(1);
        let part = |first: usize| {
            let rows = first..(first + step).min(len);
            let reached = &columns[starts[rows.start]..starts[rows.end]];
            let least = reached.iter().min().map_or(0, |&column| column as usize);
            let end = reached.iter().max().map_or(0, |&column| column as usize + 1);
            Part { rows, columns: least..end }
        };
        let parts = (0..len).step_by(step).map(part).collect();
        Self { starts, columns, values, n_columns, parts }
    }

    /// Where each row starts, and the columns and values of all rows.
    pub fn into_parts(self) -> (Vec<usize>, Vec<u32>, Vec<f64>) {
        (self.starts, self.columns, self.values)
    }

    pub fn len(&self) -> usize {
        self.starts.len() - 1
    }

    fn range(&self, row: usize) -> Range<usize> {
        self.starts[row]..self.starts[row + 1]
    }

    /// The columns and values of a row.
    pub fn row(&self, row: usize) -> impl Iterator<Item = (usize, f64)> {
        let range = self.range(row);
        let columns = self.columns[range.clone()].iter().map(|&column| column as usize);
        columns.zip(self.values[range].iter().copied())
    }

    /// Its product with `right`.
    pub fn multiply(&self, right: &Matrix) -> Matrix {
        let width = right.n_cols();
        let mut product = Matrix::zeros(self.len(), width);
        if width == 0 {
            return product;
        }
        let right = &Padded::new(right);
        let chunks = product.as_mut_slice().par_chunks_mut(ROWS * width);
        chunks.enumerate().for_each(|(chunk, out)| {
            let rows = chunk * ROWS..chunk * ROWS + out.len() / width;
            dispatch(Multiply { matrix: self, right, rows, out });
        });
        product
    }

    /// `AᵀWA · right` in one pass over the rows; W the weights of the rows.
    pub fn square_times(&self, weights: &[f64], right: &Matrix) -> Matrix {
        self.sum_parts::<true>(weights, right)
    }

    /// `AᵀW · right`.
    pub fn transposed_times(&self, weights: &[f64], right: &Matrix) -> Matrix {
        self.sum_parts::<false>(weights, right)
    }

    /// Adds `what` to the sums of a row's columns, times its values.
    #[inline(always)]
    fn spread<const FMA: bool, const G: usize>(
        &self,
        what: &[[f64; LANES]; G],
        row: usize,
        first: usize,
        sums: &mut Padded,
    ) {
        let range = self.range(row);
        for (&column, &value) in self.columns[range.clone()].iter().zip(&self.values[range]) {
            let start = (column as usize - sums.first) * sums.groups + first;
            for (sum, group) in sums.values[start..start + G].iter_mut().zip(what) {
                add::<FMA>(value, group, sum);
            }
        }
    }

    /// The sums of the columns, row by row times a weight.
    pub fn column_sums(&self, weights: &[f64]) -> Vec<f64> {
        let mut sums = vec![0.0; self.n_columns];
        for (row, weight) in weights.iter().enumerate() {
            self.row(row).for_each(|(column, value)| sums[column] += weight * value);
        }
        sums
    }

    /// `AᵀWA`, for few columns.
    pub fn square(&self, weights: &[f64]) -> Matrix {
        let k = self.n_columns;
        let parts: Vec<Matrix> = self
            .parts
            .par_iter()
            .map(|part| {
                let mut sums = Matrix::zeros(k, k);
                for row in part.rows.clone() {
                    let range = self.range(row);
                    let (columns, values) = (&self.columns[range.clone()], &self.values[range]);
                    for (i, (&column, value)) in columns.iter().zip(values).enumerate() {
                        let to = sums.row_mut(column as usize);
                        let factor = weights[row] * value;
                        for (&other, value) in columns[i..].iter().zip(&values[i..]) {
                            to[other as usize] += factor * value;
                        }
                    }
                }
                sums
            })
            .collect();
        let mut square = Matrix::zeros(k, k);
        for part in &parts {
            square.as_mut_slice().iter_mut().zip(part.as_slice()).for_each(|(to, x)| *to += x);
        }
        // Each pair stands on one side of the diagonal or the other.
        for i in 0..k {
            for j in 0..i {
                let both = square.row(i)[j] + square.row(j)[i];
                square.row_mut(i)[j] = both;
                square.row_mut(j)[i] = both;
            }
        }
        square
    }

    /// `AᵀW · right`, or with `SQUARED` `AᵀWA · right`, part after part.
    fn sum_parts<const SQUARED: bool>(&self, weights: &[f64], right: &Matrix) -> Matrix {
        let width = right.n_cols();
        let right = &Padded::new(right);
        let of_part = |part: &Part| {
            let mut sums = Padded::zeros(part.columns.clone(), width);
            let rows = part.rows.clone();
            dispatch(Sum::<SQUARED> { matrix: self, weights, right, rows, sums: &mut sums });
            sums
        };
        let parts: Vec<Padded> = self.parts.par_iter().map(of_part).collect();
        let mut product = Matrix::zeros(self.n_columns, width);
        for part in &parts {
            let rows = part.values.as_flattened().chunks_exact((part.groups * LANES).max(1));
            for (i, row) in rows.enumerate() {
                let to = product.row_mut(part.first + i);
                to.iter_mut().zip(row).for_each(|(to, x)| *to += x);
            }
        }
        product
    }

    /// `G` groups of columns of a row's product, their sums in registers.
    #[inline(always)]
    fn product<const FMA: bool, const G: usize>(
        &self,
        right: &Padded,
        row: usize,
        first: usize,
    ) -> [[f64; LANES]; G] {
        let mut sums = [[0.0; LANES]; G];
        let range = self.range(row);
        for (&column, &value) in self.columns[range.clone()].iter().zip(&self.values[range]) {
            let start = column as usize * right.groups + first;
            for (sum, group) in sums.iter_mut().zip(&right.values[start..start + G]) {
                add::<FMA>(value, group, sum);
            }
        }
        sums
    }
}

/// The work of [`SparseRows::multiply`] on some rows.
struct Multiply<'m> {
    matrix: &'m SparseRows,
    right: &'m Padded,
    rows: Range<usize>,
    out: &'m mut [f64],
}

impl Work for Multiply<'_> {
    type Output = ();

    #[inline(always)]
    fn run<const FMA: bool>(self) {
        let width = self.out.len() / self.rows.len();
        for (row, out) in self.rows.clone().zip(self.out.chunks_exact_mut(width)) {
            let mut first = 0;
            while first < self.right.groups {
                let rest = &mut out[first * LANES..];
                first += match self.right.groups - first {
                    1 => write::<1>(&self.matrix.product::<FMA, 1>(self.right, row, first), rest),
                    2 => write::<2>(&self.matrix.product::<FMA, 2>(self.right, row, first), rest),
                    3 => write::<3>(&self.matrix.product::<FMA, 3>(self.right, row, first), rest),
                    _ => write::<4>(&self.matrix.product::<FMA, 4>(self.right, row, first), rest),
                };
            }
        }
    }
}

/// Writes groups up to the end of `out`; how many.
#[inline(always)]
fn write<const G: usize>(groups: &[[f64; LANES]; G], out: &mut [f64]) -> usize {
    out.iter_mut().zip(groups.as_flattened()).for_each(|(to, x)| *to = *x);
    G
}

/// The work of [`SparseRows::sum_parts`] on some rows.
struct Sum<'m, const SQUARED: bool> {
    matrix: &'m SparseRows,
    weights: &'m [f64],
    right: &'m Padded,
    rows: Range<usize>,
    sums: &'m mut Padded,
}

impl<const SQUARED: bool> Work for Sum<'_, SQUARED> {
    type Output = ();

    #[inline(always)]
    fn run<const FMA: bool>(mut self) {
        for row in self.rows.clone() {
            let mut first = 0;
            while first < self.right.groups {
                first += match self.right.groups - first {
                    1 => self.add::<FMA, 1>(row, first),
                    2 => self.add::<FMA, 2>(row, first),
                    3 => self.add::<FMA, 3>(row, first),
                    _ => self.add::<FMA, 4>(row, first),
                };
            }
        }
    }
}

impl<const SQUARED: bool> Sum<'_, SQUARED> {
    /// One row of A on `G` groups of columns.
    #[inline(always)]
    fn add<const FMA: bool, const G: usize>(&mut self, row: usize, first: usize) -> usize {
        let Self { matrix, right, .. } = *self;
        let mut own = [[0.0; LANES]; G];
        if SQUARED {
            own = matrix.product::<FMA, G>(right, row, first);
        } else {
            own.copy_from_slice(&right.values[row * right.groups + first..][..G]);
        }
        own.as_flattened_mut().iter_mut().for_each(|x| *x *= self.weights[row]);
        matrix.spread::<FMA, G>(&own, row, first, self.sums);
        G
    }
}

/// Rows with zeros behind them up to a multiple of [`LANES`].
struct Padded {
    values: Vec<[f64; LANES]>,
    /// Per row.
    groups: usize,
    /// The number of the first row.
    first: usize,
}

impl Padded {
    fn new(rows: &Matrix) -> Self {
        let mut padded = Self::zeros(0..rows.n_rows(), rows.n_cols());
        let stride = padded.groups * LANES;
        for (i, row) in rows.rows().enumerate() {
            padded.values.as_flattened_mut()[i * stride..][..row.len()].copy_from_slice(row);
        }
        padded
    }

    fn zeros(rows: Range<usize>, width: usize) -> Self {
        let groups = width.div_ceil(LANES);
        Self { values: vec![[0.0; LANES]; rows.len() * groups], groups, first: rows.start }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn products_are_those_of_the_dense_matrix() {
        let (n, k) = (600, 23);
        let mut dense = Matrix::zeros(n, k);
        let (mut starts, mut columns, mut values) = (vec![0], Vec::new(), Vec::new());
        for i in 0..n {
            for j in (0..k).filter(|j| (i * 7 + j * j) % 5 == 0) {
                let value = (i as f64 * 0.3 + j as f64).sin();
                dense.row_mut(i)[j] = value;
                columns.push(j as u32);
                values.push(value);
            }
            starts.push(columns.len());
        }
        let sparse = SparseRows::new(starts, columns, values, k);
        let weights: Vec<f64> = (0..n).map(|i| 1.0 + (i % 4) as f64).collect();
        let square = sparse.square(&weights);
        for width in [0, 1, 2, 5, 10, 16, 19, 33] {
            let wave = |rows: usize| (0..rows * width).map(|i| (i as f64 * 1.1).cos()).collect();
            let right = Matrix::new(k, width, wave(k)).unwrap();
            let expected = dense.as_faer() * right.as_faer();
            assert!((sparse.multiply(&right).as_faer() - expected).norm_max() < 1e-12);
            let through = sparse.transposed_times(&weights, &sparse.multiply(&right));
            let at_once = sparse.square_times(&weights, &right);
            assert!((at_once.as_faer() - through.as_faer()).norm_max() < 1e-10);
            assert!((at_once.as_faer() - square.as_faer() * right.as_faer()).norm_max() < 1e-10);
            let left = Matrix::new(n, width, wave(n)).unwrap();
            let product = sparse.transposed_times(&weights, &left);
            for j in 0..k {
                for d in 0..width {
                    let sum: f64 =
                        (0..n).map(|i| weights[i] * dense.row(i)[j] * left.row(i)[d]).sum();
                    assert!((product.row(j)[d] - sum).abs() < 1e-10);
                }
            }
        }
    }
}
