//! Those entries of the inverse of a sparse matrix that stand where the matrix has entries.

use std::ops::Range;

use faer::linalg::matmul::matmul;
use faer::linalg::triangular_inverse::invert_lower_triangular;
use faer::{Accum, Mat, MatMut, MatRef, Par};
use rayon::prelude::*;

use super::Cholesky;
use crate::error::{Error, Result};

/// Columns that are multiplied at once; they are shared out over the threads.
const TILE: usize = 32;

/// Entries of the inverse on the pattern of the factor, by the recursion of Takahashi1973 over
/// blocks of columns: with `L = [L₁; L₂]` the columns of a block and `U = L₂ L₁⁻¹`,
///
/// ```text
/// Z₂₁ = −Z₂₂ U,   Z₁₁ = L₁⁻ᵀ L₁⁻¹ − Uᵀ Z₂₁
/// ```
///
/// where Z₂₂ is known from the blocks to the right. Memory and time are those of the factor.
pub(crate) struct SelectedInverse {
    blocks: Vec<Block>,
    /// The block of each column.
    block_of: Vec<u32>,
    /// The entries block by block, laid out like the factor.
    values: Vec<f64>,
    /// Where each entry of the matrix stands among the values.
    entries: Vec<usize>,
}

/// A block of columns with the same rows.
struct Block {
    columns: Range<usize>,
    /// The rows below the block's own.
    below: Vec<usize>,
    values: Range<usize>,
}

impl Block {
    fn height(&self) -> usize {
        self.columns.len() + self.below.len()
    }

    /// Where a row stands in the block's columns.
    fn place(&self, row: usize) -> Option<usize> {
        if self.columns.contains(&row) {
            return Some(row - self.columns.start);
        }
        self.below.binary_search(&row).ok().map(|at| at + self.columns.len())
    }
}

impl SelectedInverse {
    /// Prepares for matrices of the pattern of `matrix`, which is not diagonal.
    pub fn new(matrix: &Cholesky) -> Result<Self> {
        let unknown = || Error::Numerical("the selected inverse needs an ordered factor".into());
        let symbolic = matrix.blocks().ok_or_else(unknown)?.symbolic();
        let offsets = symbolic.col_ptr_for_val();
        let blocks: Vec<Block> = (0..symbolic.n_supernodes())
            .map(|b| Block {
                columns: symbolic.supernode_begin()[b]..symbolic.supernode_end()[b],
                below: symbolic.supernode(b).pattern().to_vec(),
                values: offsets[b]..offsets[b + 1],
            })
            .collect();
        let block_of: Vec<u32> = blocks
            .iter()
            .enumerate()
            .flat_map(|(b, block)| std::iter::repeat_n(b as u32, block.columns.len()))
            .collect();
        let places = matrix.places().ok_or_else(unknown)?;
        let mut entries = Vec::with_capacity(matrix.row_indices().len());
        for (column, ends) in matrix.column_starts().windows(2).enumerate() {
            for &row in &matrix.row_indices()[ends[0]..ends[1]] {
                let (a, b) = (places[row], places[column]);
                let block = &blocks[block_of[a.min(b)] as usize];
                let row = block.place(a.max(b)).ok_or_else(unknown)?;
                let column = a.min(b) - block.columns.start;
                entries.push(block.values.start + column * block.height() + row);
            }
        }
        Ok(Self { blocks, block_of, values: vec![0.0; symbolic.len_val()], entries })
    }

    /// The inverse of the matrix last factored, entry by entry in the order of its values.
    pub fn of(&mut self, matrix: &Cholesky) -> Result<Vec<f64>> {
        let unknown = || Error::Numerical("the selected inverse needs an ordered factor".into());
        let factor = matrix.blocks().ok_or_else(unknown)?;
        for b in (0..self.blocks.len()).rev() {
            let (before, known) = self.values.split_at_mut(self.blocks[b].values.end);
            let block = &self.blocks[b];
            let (height, width) = (block.height(), block.columns.len());
            let out = &mut before[block.values.clone()];
            let mut out = MatMut::from_column_major_slice_mut(out, height, width);
            let factor = factor.supernode(b).val();
            let corner = gather(&self.blocks, &self.block_of, block, known);
            invert_block(factor, corner.as_ref(), out.as_mut());
        }
        let scale = matrix.scale();
        let starts = matrix.column_starts();
        let columns = starts.windows(2).enumerate().flat_map(|(column, ends)| {
            matrix.row_indices()[ends[0]..ends[1]]
                .iter()
                .map(move |&row| scale[row] * scale[column])
        });
        Ok(self.entries.iter().zip(columns).map(|(&at, scale)| scale * self.values[at]).collect())
    }
}

/// The inverse at the rows below a block; `known` are the values of the blocks to its right.
fn gather(blocks: &[Block], block_of: &[u32], block: &Block, known: &[f64]) -> Mat<f64> {
    let below = &block.below;
    let mut corner = Mat::zeros(below.len(), below.len());
    let mut places: Vec<usize> = Vec::with_capacity(below.len());
    let mut first = 0;
    while first < below.len() {
        let source = &blocks[block_of[below[first]] as usize];
        let end = first + below[first..].partition_point(|&row| row < source.columns.end);
        places.clear();
        places.extend(below[first..end].iter().map(|row| row - source.columns.start));
        let mut at = 0;
        for row in &below[end..] {
            while source.below[at] < *row {
                at += 1;
            }
            places.push(source.columns.len() + at);
        }
        let offset = source.values.start - block.values.end;
        for column in first..end {
            let start = offset + places[column - first] * source.height();
            let values = &known[start..start + source.height()];
            let to = corner.as_mut().col_mut(column).subrows_mut(column, below.len() - column);
            for (to, &place) in to.iter_mut().zip(&places[column - first..]) {
                *to = values[place];
            }
        }
        first = end;
    }
    mirror(&mut corner);
    corner
}

/// Copies the lower triangle to the upper one, tile by tile.
fn mirror(matrix: &mut Mat<f64>) {
    let n = matrix.nrows();
    for left in (0..n).step_by(TILE) {
        for top in (left..n).step_by(TILE) {
            for column in left..(left + TILE).min(n) {
                for row in top.max(column + 1)..(top + TILE).min(n) {
                    matrix[(column, row)] = matrix[(row, column)];
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
mod tests {
    use super::*;
    use faer::Side;
    use faer::linalg::solvers::{DenseSolveCore, Llt};
    use proptest::prelude::*;
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    /// `diag + Laplacian` of a random graph: values of the lower triangle, diagonal first.
    fn random(seed: u64, size: usize, density: f64) -> (Cholesky, Mat<f64>) {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let mut dense = Mat::<f64>::zeros(size, size);
        for column in 0..size {
            dense[(column, column)] += 0.1 + rng.random::<f64>();
            for row in column + 1..size {
                let near = density / (1.0 + (row - column) as f64 / 16.0);
                if row == 1 || rng.random::<f64>() < near {
                    let pull = rng.random::<f64>();
                    dense[(row, column)] = -pull;
                    dense[(column, row)] = -pull;
                    dense[(row, row)] += pull;
                    dense[(column, column)] += pull;
                }
            }
        }
        let (mut starts, mut rows, mut values) = (vec![0], Vec::new(), Vec::new());
        for column in 0..size {
            for row in column..size {
                if dense[(row, column)] != 0.0 {
                    rows.push(row);
                    values.push(dense[(row, column)]);
                }
            }
            starts.push(rows.len());
        }
        let mut matrix = Cholesky::new(starts, rows).unwrap();
        matrix.values_mut().copy_from_slice(&values);
        assert!(matrix.factor_exactly());
        (matrix, dense)
    }

    fn check(matrix: &Cholesky, dense: &Mat<f64>) {
        let found = SelectedInverse::new(matrix).unwrap().of(matrix).unwrap();
        let llt = Llt::new(dense.as_ref(), Side::Lower).unwrap();
        let inverse = llt.inverse();
        let mut at = found.iter();
        for (column, ends) in matrix.column_starts().windows(2).enumerate() {
            for &row in &matrix.row_indices()[ends[0]..ends[1]] {
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
