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
    pub starts: Vec<usize>,
    pub columns: Vec<u32>,
    pub values: Vec<f64>,
}

impl SparseRows {
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

    /// The rows of all blocks, of which the i-th becomes row `order[i]`.
    pub fn reordered(blocks: &[Self], order: &[u32]) -> Self {
        let ranges = |block: &'_ Self| (0..block.len()).map(|i| block.range(i)).collect::<Vec<_>>();
        let sources: Vec<(usize, Range<usize>)> = blocks
            .iter()
            .enumerate()
            .flat_map(|(b, block)| ranges(block).into_iter().map(move |range| (b, range)))
            .collect();
        let mut source_of = vec![0; order.len()];
        for (source, &row) in order.iter().enumerate() {
            source_of[row as usize] = source;
        }
        let total = blocks.iter().map(|block| block.values.len()).sum();
        let mut rows = Self {
            starts: Vec::with_capacity(order.len() + 1),
            columns: Vec::with_capacity(total),
            values: Vec::with_capacity(total),
        };
        rows.starts.push(0);
        for source in source_of {
            let (block, range) = &sources[source];
            rows.columns.extend_from_slice(&blocks[*block].columns[range.clone()]);
            rows.values.extend_from_slice(&blocks[*block].values[range.clone()]);
            rows.starts.push(rows.columns.len());
        }
        rows
    }

    /// Columns as rows, each value times the weight of the row that it came from.
    pub fn transposed(&self, n_columns: usize, weights: &[f64]) -> Self {
        let mut starts = vec![0; n_columns + 1];
        for &column in &self.columns {
            starts[column as usize + 1] += 1;
        }
        for column in 0..n_columns {
            starts[column + 1] += starts[column];
        }
        let mut fill = starts.clone();
        let mut columns = vec![0; self.columns.len()];
        let mut values = vec![0.0; self.values.len()];
        for (row, weight) in weights.iter().enumerate() {
            for (column, value) in self.row(row) {
                let at = fill[column];
                fill[column] += 1;
                columns[at] = row as u32;
                values[at] = weight * value;
            }
        }
        Self { starts, columns, values }
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
        let width = right.n_cols();
        let padded = Padded::new(right);
        let step = self.len().div_ceil(PASSES).max(1);
        let parts: Vec<Padded> = (0..self.len().div_ceil(step))
            .into_par_iter()
            .map(|part| {
                let rows = part * step..((part + 1) * step).min(self.len());
                let mut sums = Padded::new(&Matrix::zeros(right.n_rows(), width));
                #[cfg(target_arch = "x86_64")]
                if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma") {
                    // SAFETY: the processor has both features.
                    unsafe { self.add_squares_avx2(weights, &padded, rows, &mut sums) };
                    return sums;
                }
                self.add_squares::<false>(weights, &padded, rows, &mut sums);
                sums
            })
            .collect();
        let mut product = Matrix::zeros(right.n_rows(), width);
        for part in &parts {
            let rows = part.values.as_flattened().chunks_exact((part.groups * LANES).max(1));
            for (i, row) in rows.enumerate() {
                product.row_mut(i).iter_mut().zip(row).for_each(|(to, x)| *to += x);
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
        let range = self.range(row);
        for (&column, &value) in self.columns[range.clone()].iter().zip(&self.values[range]) {
            let start = column as usize * right.groups + first;
            for (sum, group) in sums.values[start..start + G].iter_mut().zip(&product) {
                for (sum, x) in sum.iter_mut().zip(group) {
                    *sum = if FMA { value.mul_add(*x, *sum) } else { *sum + value * x };
                }
            }
        }
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
}

impl Padded {
    fn new(rows: &Matrix) -> Self {
        let groups = rows.n_cols().div_ceil(LANES);
        let mut values = vec![[0.0; LANES]; rows.n_rows() * groups];
        for (i, row) in rows.rows().enumerate() {
            values.as_flattened_mut()[i * groups * LANES..][..row.len()].copy_from_slice(row);
        }
        Self { values, groups }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn products_are_those_of_the_dense_matrix() {
        let (n, k) = (600, 23);
        let mut dense = Matrix::zeros(n, k);
        let mut sparse = SparseRows { starts: vec![0], columns: Vec::new(), values: Vec::new() };
        for i in 0..n {
            for j in (0..k).filter(|j| (i * 7 + j * j) % 5 == 0) {
                let value = (i as f64 * 0.3 + j as f64).sin();
                dense.row_mut(i)[j] = value;
                sparse.columns.push(j as u32);
                sparse.values.push(value);
            }
            sparse.starts.push(sparse.columns.len());
        }
        let weights: Vec<f64> = (0..n).map(|i| 1.0 + (i % 4) as f64).collect();
        let transposed = sparse.transposed(k, &weights);
        for width in [0, 1, 2, 5, 10, 16, 19, 33] {
            let wave = |rows: usize| (0..rows * width).map(|i| (i as f64 * 1.1).cos()).collect();
            let right = Matrix::new(k, width, wave(k)).unwrap();
            let expected = dense.as_faer() * right.as_faer();
            assert!((sparse.multiply(&right).as_faer() - expected).norm_max() < 1e-12);
            let square = sparse.square_times(&weights, &right);
            let through = transposed.multiply(&sparse.multiply(&right));
            for (a, b) in square.as_slice().iter().zip(through.as_slice()) {
                assert!((a - b).abs() < 1e-10);
            }
            let left = Matrix::new(n, width, wave(n)).unwrap();
            let product = transposed.multiply(&left);
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
