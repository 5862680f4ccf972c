//! Those entries of the inverse of a sparse matrix that stand where the matrix has entries.

use faer::linalg::matmul::matmul;
use faer::linalg::triangular_inverse::invert_lower_triangular;
use faer::{Accum, Mat, MatMut, MatRef, Par};
use rayon::prelude::*;

use super::linear_program::{Block, Cholesky, InvertColumns, Layout, invert_columns};
use crate::error::{Error, Result};

/// Columns that are multiplied at once; they are shared out over the threads.
const TILE: usize = 32;
/// Blocks of at most this many rows are taken column by column.
const SMALL: usize = 48;

/// Entries of the inverse on the pattern of the factor, by the recursion of Takahashi1973 over
/// blocks of columns: with `L = [L₁; L₂]` the columns of a block and `U = L₂ L₁⁻¹`,
///
/// ```text
/// Z₂₁ = −Z₂₂ U,   Z₁₁ = L₁⁻ᵀ L₁⁻¹ − Uᵀ Z₂₁
/// ```
///
/// where Z₂₂ is known from the blocks to the right. Memory and time are those of the factor.
pub(crate) struct SelectedInverse {
    layout: Layout,
    /// The entries block by block, laid out like the factor.
    values: Vec<f64>,
    /// The inverse at the rows of one block.
    corner: Vec<f64>,
}

impl SelectedInverse {
    /// Prepares for matrices of the pattern of `matrix`, which is not diagonal.
    pub fn new(matrix: &Cholesky) -> Result<Self> {
        let layout = Layout::new(matrix.pattern()).ok_or_else(unordered)?;
        let most = layout.blocks.iter().map(|block| block.corner().0).max().unwrap_or_default();
        let values = vec![0.0; matrix.pattern().stored()];
        Ok(Self { layout, values, corner: vec![0.0; most * most] })
    }

    /// The inverse of the matrix last factored, entry by entry in the order of its values.
    pub fn of(&mut self, matrix: &Cholesky) -> Result<Vec<f64>> {
        let factor = matrix.blocks().ok_or_else(unordered)?;
        for (b, block) in self.layout.blocks.iter().enumerate().rev() {
            let (before, known) = self.values.split_at_mut(block.values.end);
            let (height, width) = (block.height(), block.width());
            let out = &mut before[block.values.clone()];
            let (size, first) = block.corner();
            let corner = &mut self.corner[..size * size];
            gather(&self.layout, block, known, corner, size, first);
            if block.is_small() {
                let factor = &matrix.numbers()[block.values.clone()];
                invert_columns(InvertColumns { factor, width, whole: corner, out });
            } else {
                let corner = MatRef::from_column_major_slice(corner, size, size);
                let out = MatMut::from_column_major_slice_mut(out, height, width);
                invert_block(factor.supernode(b).val(), corner, out);
            }
        }
        let scale = matrix.scale();
        let mut found = Vec::with_capacity(self.layout.entries.len());
        for (ends, of_column) in matrix.pattern().column_starts().windows(2).zip(scale) {
            let rows = &matrix.pattern().row_indices()[ends[0]..ends[1]];
            let entries = rows.iter().zip(&self.layout.entries[ends[0]..ends[1]]);
            found.extend(entries.map(|(&row, &at)| scale[row] * of_column * self.values[at]));
        }
        Ok(found)
    }
}

fn unordered() -> Error {
    Error::Numerical("the selected inverse needs an ordered factor".into())
}

impl Block {
    fn is_small(&self) -> bool {
        self.height() <= SMALL
    }

    /// The size of the part of the inverse that the block needs, and where the rows below it start.
    fn corner(&self) -> (usize, usize) {
        if self.is_small() { (self.height(), self.width()) } else { (self.below.len(), 0) }
    }
}

/// The inverse at the rows below a block, from the row and column `shift` of the square `corner`
/// on; `known` are the values of the blocks to its right.
fn gather(
    layout: &Layout,
    block: &Block,
    known: &[f64],
    corner: &mut [f64],
    size: usize,
    shift: usize,
) {
    let below = &block.below;
    let mut places: Vec<usize> = Vec::with_capacity(below.len());
    let mut first = 0;
    while first < below.len() {
        let source = &layout.blocks[layout.block_of[below[first]] as usize];
        let end = first + below[first..].partition_point(|&row| row < source.columns.end);
        places.clear();
        places.extend(below[first..end].iter().map(|row| row - source.columns.start));
        let mut at = 0;
        for row in &below[end..] {
            while source.below[at] < *row {
                at += 1;
            }
            places.push(source.width() + at);
        }
        let offset = source.values.start - block.values.end;
        for column in first..end {
            let start = offset + places[column - first] * source.height();
            let values = &known[start..start + source.height()];
            let to = &mut corner[(shift + column) * size + shift + column..];
            for (to, &place) in to.iter_mut().zip(&places[column - first..]) {
                *to = values[place];
            }
        }
        first = end;
    }
    mirror(corner, size, shift);
}

/// Copies the lower triangle to the upper one, tile by tile.
fn mirror(matrix: &mut [f64], size: usize, shift: usize) {
    for left in (shift..size).step_by(TILE) {
        for top in (left..size).step_by(TILE) {
            for column in left..(left + TILE).min(size) {
                for row in top.max(column + 1)..(top + TILE).min(size) {
                    matrix[row * size + column] = matrix[column * size + row];
                }
            }
        }
    }
}

/// The recursion for one block.
fn invert_block(factor: MatRef<'_, f64>, corner: MatRef<'_, f64>, out: MatMut<'_, f64>) {
    let (width, rest) = (factor.ncols(), factor.nrows() - factor.ncols());
    let mut inverse = Mat::zeros(width, width);
    invert_lower_triangular(inverse.as_mut(), factor.subrows(0, width), Par::Seq);
    let inverse = inverse.as_ref();
    let mut mixed = Mat::zeros(rest, width);
    by_tiles(mixed.as_mut(), |first, tile| {
        let right = inverse.subcols(first, tile.ncols());
        matmul(tile, Accum::Replace, factor.subrows(width, rest), right, 1.0, Par::Seq);
    });
    let mixed = mixed.as_ref();
    by_tiles(out, |first, tile| {
        let columns = tile.ncols();
        let (mut own, mut below) = tile.split_at_row_mut(width);
        let right = inverse.subcols(first, columns);
        matmul(own.as_mut(), Accum::Replace, inverse.transpose(), right, 1.0, Par::Seq);
        let right = mixed.subcols(first, columns);
        matmul(below.as_mut(), Accum::Replace, corner, right, -1.0, Par::Seq);
        matmul(own, Accum::Add, mixed.transpose(), below, -1.0, Par::Seq);
    });
}

/// Works on a few columns at a time, always the same ones; the number of the first comes with them.
fn by_tiles(matrix: MatMut<'_, f64>, work: impl Fn(usize, MatMut<'_, f64>) + Sync) {
    if matrix.ncols() <= TILE {
        work(0, matrix);
    } else {
        let tiles = matrix.par_col_chunks_mut(TILE).enumerate();
        tiles.for_each(|(tile, columns)| work(tile * TILE, columns));
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use faer::Side;
    use faer::linalg::solvers::{DenseSolveCore, Llt};
    use proptest::prelude::*;
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    /// Adds an edge to a graph's Laplacian.
    pub(in crate::math) fn draw_together(
        dense: &mut Mat<f64>,
        row: usize,
        column: usize,
        pull: f64,
    ) {
        dense[(row, column)] = -pull;
        dense[(column, row)] = -pull;
        dense[(row, row)] += pull;
        dense[(column, column)] += pull;
    }

    /// In compressed columns, the diagonal first in each: their starts, rows and values.
    pub(in crate::math) fn lower_triangle(dense: &Mat<f64>) -> (Vec<usize>, Vec<usize>, Vec<f64>) {
        let (mut starts, mut rows, mut values) = (vec![0], Vec::new(), Vec::new());
        for column in 0..dense.ncols() {
            for row in column..dense.nrows() {
                if dense[(row, column)] != 0.0 {
                    rows.push(row);
                    values.push(dense[(row, column)]);
                }
            }
            starts.push(rows.len());
        }
        (starts, rows, values)
    }

    /// `diag + Laplacian` of a random graph: values of the lower triangle, diagonal first.
    fn random(seed: u64, size: usize, density: f64) -> (Cholesky, Mat<f64>) {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let mut dense = Mat::<f64>::zeros(size, size);
        for column in 0..size {
            dense[(column, column)] += 0.1 + rng.random::<f64>();
            for row in column + 1..size {
                let near = density / (1.0 + (row - column) as f64 / 16.0);
                if row == 1 || rng.random::<f64>() < near {
                    draw_together(&mut dense, row, column, rng.random::<f64>());
                }
            }
        }
        let (starts, rows, values) = lower_triangle(&dense);
        let mut matrix = Cholesky::new(starts, rows).unwrap();
        if seed.is_multiple_of(2) {
            matrix = matrix.by_loops_if_small();
        }
        matrix.values_mut().copy_from_slice(&values);
        assert!(matrix.factor_exactly());
        (matrix, dense)
    }

    fn check(matrix: &Cholesky, dense: &Mat<f64>) {
        let found = SelectedInverse::new(matrix).unwrap().of(matrix).unwrap();
        let llt = Llt::new(dense.as_ref(), Side::Lower).unwrap();
        let inverse = llt.inverse();
        let mut at = found.iter();
        for (column, ends) in matrix.pattern().column_starts().windows(2).enumerate() {
            for &row in &matrix.pattern().row_indices()[ends[0]..ends[1]] {
                let (found, expected) = (*at.next().unwrap(), inverse[(row, column)]);
                let size = (inverse[(row, row)] * inverse[(column, column)]).sqrt();
                assert!((found - expected).abs() < 1e-12 * size, "{found} {expected}");
            }
        }
        let lower = llt.L();
        let expected: f64 = (0..dense.nrows()).map(|i| 2.0 * lower[(i, i)].ln()).sum();
        assert!((matrix.log_determinant() - expected).abs() < 1e-11 * (1.0 + expected.abs()));
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(60))]
        #[test]
        fn entries_are_those_of_the_dense_inverse(
            seed in 0_u64..1 << 32,
            size in 2_usize..260,
            density in 0.0_f64..0.8,
        ) {
            let (matrix, dense) = random(seed, size, density);
            check(&matrix, &dense);
        }
    }

    #[test]
    fn any_number_of_threads_gives_the_same_bits() {
        let (matrix, _) = random(1, 700, 0.6);
        let of = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| SelectedInverse::new(&matrix).unwrap().of(&matrix).unwrap())
        };
        assert_eq!(of(1), of(3));
    }
}
