//! Sparse matrices row by row, and their products with matrices of few columns.

use std::ops::Range;

use rayon::prelude::*;

use super::matrix::Matrix;

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
        let padded = Padded::new(right);
        let chunks = product.as_mut_slice().par_chunks_mut(ROWS * width);
        chunks.enumerate().for_each(|(chunk, out)| {
            let rows = chunk * ROWS..chunk * ROWS + out.len() / width;
            #[cfg(target_arch = "x86_64")]
            if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma") {
                // SAFETY: the processor has both features.
                return unsafe { self.multiply_avx2(&padded, rows, out) };
            }
            self.multiply_rows::<false>(&padded, rows, out);
        });
        product
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2,fma")]
    fn multiply_avx2(&self, right: &Padded, rows: Range<usize>, out: &mut [f64]) {
        self.multiply_rows::<true>(right, rows, out);
    }

    #[inline(always)]
    fn multiply_rows<const FMA: bool>(&self, right: &Padded, rows: Range<usize>, out: &mut [f64]) {
        let width = out.len() / rows.len();
        for (row, out) in rows.zip(out.chunks_exact_mut(width)) {
            let mut first = 0;
            while first < right.groups {
                let rest = &mut out[first * LANES..];
                first += match right.groups - first {
                    1 => self.multiply_groups::<FMA, 1>(right, row, first, rest),
                    2 => self.multiply_groups::<FMA, 2>(right, row, first, rest),
                    3 => self.multiply_groups::<FMA, 3>(right, row, first, rest),
                    _ => self.multiply_groups::<FMA, 4>(right, row, first, rest),
                };
            }
        }
    }

    /// `AᵀWA · right` in one pass over the rows; W the weights of the rows.
    pub fn square_times(&self, weights: &[f64], right: &Matrix) -> Matrix {
        let padded = Padded::new(right);
        self.sum_parts(right.n_cols(), |rows, sums| {
            #[cfg(target_arch = "x86_64")]
            if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma") {
                // SAFETY: the processor has both features.
                return unsafe { self.add_squares_avx2(weights, &padded, rows, sums) };
            }
            self.add_squares::<false>(weights, &padded, rows, sums);
        })
    }

    /// `AᵀW · right`.
    pub fn transposed_times(&self, weights: &[f64], right: &Matrix) -> Matrix {
        let padded = Padded::new(right);
        self.sum_parts(right.n_cols(), |rows, sums| {
            #[cfg(target_arch = "x86_64")]
            if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma") {
                // SAFETY: the processor has both features.
                return unsafe { self.add_rows_avx2(weights, &padded, rows, sums) };
            }
            self.add_rows::<false>(weights, &padded, rows, sums);
        })
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2,fma")]
    fn add_rows_avx2(
        &self,
        weights: &[f64],
        right: &Padded,
        rows: Range<usize>,
        sums: &mut Padded,
    ) {
        self.add_rows::<true>(weights, right, rows, sums);
    }

    #[inline(always)]
    fn add_rows<const FMA: bool>(
        &self,
        weights: &[f64],
        right: &Padded,
        rows: Range<usize>,
        sums: &mut Padded,
    ) {
        for row in rows {
            let weight = weights[row];
            let mut first = 0;
            while first < right.groups {
                first += match right.groups - first {
                    1 => self.add_row::<FMA, 1>(weight, right, row, first, sums),
                    2 => self.add_row::<FMA, 2>(weight, right, row, first, sums),
                    _ => self.add_row::<FMA, 3>(weight, right, row, first, sums),
                };
            }
        }
    }

    /// One row of A on `G` groups of columns.
    #[inline(always)]
    fn add_row<const FMA: bool, const G: usize>(
        &self,
        weight: f64,
        right: &Padded,
        row: usize,
        first: usize,
        sums: &mut Padded,
    ) -> usize {
        let mut own = [[0.0; LANES]; G];
        own.copy_from_slice(&right.values[row * right.groups + first..][..G]);
        own.as_flattened_mut().iter_mut().for_each(|x| *x *= weight);
        self.spread::<FMA, G>(&own, row, first, sums);
        G
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
                for (sum, x) in sum.iter_mut().zip(group) {
                    *sum = if FMA { value.mul_add(*x, *sum) } else { *sum + value * x };
                }
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

    /// Sums over the rows that `add` adds up by column, part after part.
    fn sum_parts(&self, width: usize, add: impl Fn(Range<usize>, &mut Padded) + Sync) -> Matrix {
        let parts: Vec<Padded> = self
            .parts
            .par_iter()
            .map(|part| {
                let mut sums = Padded::zeros(part.columns.clone(), width);
                add(part.rows.clone(), &mut sums);
                sums
            })
            .collect();
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

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2,fma")]
    fn add_squares_avx2(
        &self,
        weights: &[f64],
        right: &Padded,
        rows: Range<usize>,
        sums: &mut Padded,
    ) {
        self.add_squares::<true>(weights, right, rows, sums);
    }

    #[inline(always)]
    fn add_squares<const FMA: bool>(
        &self,
        weights: &[f64],
        right: &Padded,
        rows: Range<usize>,
        sums: &mut Padded,
    ) {
        for row in rows {
            let weight = weights[row];
            let mut first = 0;
            while first < right.groups {
                first += match right.groups - first {
                    1 => self.add_square::<FMA, 1>(weight, right, row, first, sums),
                    2 => self.add_square::<FMA, 2>(weight, right, row, first, sums),
                    3 => self.add_square::<FMA, 3>(weight, right, row, first, sums),
                    _ => self.add_square::<FMA, 4>(weight, right, row, first, sums),
                };
            }
        }
    }

    /// One row of A on `G` groups of columns.
    #[inline(always)]
    fn add_square<const FMA: bool, const G: usize>(
        &self,
        weight: f64,
        right: &Padded,
        row: usize,
        first: usize,
        sums: &mut Padded,
    ) -> usize {
        let mut product = [[0.0; LANES]; G];
        self.multiply_groups::<FMA, G>(right, row, first, product.as_flattened_mut());
        product.as_flattened_mut().iter_mut().for_each(|x| *x *= weight);
        self.spread::<FMA, G>(&product, row, first, sums);
        G
    }

    /// `G` groups of columns at once, their sums in registers.
    #[inline(always)]
    fn multiply_groups<const FMA: bool, const G: usize>(
        &self,
        right: &Padded,
        row: usize,
        first: usize,
        out: &mut [f64],
    ) -> usize {
        let mut sums = [[0.0; LANES]; G];
        let range = self.range(row);
        for (&column, &value) in self.columns[range.clone()].iter().zip(&self.values[range]) {
            let start = column as usize * right.groups + first;
            for (sum, group) in sums.iter_mut().zip(&right.values[start..start + G]) {
                for (sum, x) in sum.iter_mut().zip(group) {
                    *sum = if FMA { value.mul_add(*x, *sum) } else { *sum + value * x };
                }
            }
        }
        for (to, sum) in out.iter_mut().zip(sums.as_flattened()) {
            *to = *sum;
        }
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
