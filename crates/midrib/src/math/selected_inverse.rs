//! The entries of the inverse of a sparse matrix where the matrix has entries.

use faer::linalg::matmul::matmul;
use faer::linalg::triangular_inverse::invert_lower_triangular;
use faer::{Accum, Mat, MatMut, MatRef, Par};

use super::lanes::LANES;
use super::simd::{Work, dispatch, fused};
use super::sparse_cholesky::{SparseCholesky, Supernode};

/// Blocks of at most this many rows are inverted column by column.
const SMALL: usize = 48;

/// Entries of the inverse on the pattern of the factor, by the recursion of Takahashi1973 over
/// supernodes: with `L = [L₁; L₂]` the columns of a supernode and `U = L₂ L₁⁻¹`,
///
/// ```text
/// Z₂₁ = −Z₂₂ U,   Z₁₁ = L₁⁻ᵀ L₁⁻¹ − Uᵀ Z₂₁
/// ```
///
/// where Z₂₂ is part of the inverse at the rows of the parent: the supernode that holds the first
/// row below. Takes about the time of the factorization.
pub(crate) struct SelectedInverse {
    blocks: Vec<Block>,
    /// For each entry of the matrix, block after block: where it is in the block's inverse, and its
    /// index among the values.
    entries: Vec<(usize, usize)>,
    /// Reusable memory.
    free: Vec<Vec<f64>>,
}

/// A supernode.
struct Block {
    parent: Option<usize>,
    n_children: usize,
    /// The positions of its rows below among the rows of the parent.
    in_parent: Vec<u32>,
    /// The end of its entries.
    end: usize,
}

impl SelectedInverse {
    /// Prepares for matrices of the pattern of `matrix`.
    pub fn new(matrix: &SparseCholesky) -> Self {
        let nodes = matrix.supernodes();
        let mut node_of = vec![0; matrix.positions().len()];
        for (number, node) in nodes.iter().enumerate() {
            node_of[node.columns.clone()].fill(number);
        }
        let entries = entries(matrix, &nodes, &node_of);
        let mut blocks: Vec<Block> = Vec::with_capacity(nodes.len());
        let mut end = 0;
        for (number, node) in nodes.iter().enumerate() {
            end += entries[end..].partition_point(|entry| entry.0 <= number);
            let parent = node.rows.first().map(|&row| node_of[row]);
            let in_parent = parent.map_or(Vec::new(), |parent| {
                node.rows.iter().map(|&row| row_in(&nodes[parent], row) as u32).collect()
            });
            blocks.push(Block { parent, n_children: 0, in_parent, end });
        }
        for number in 0..blocks.len() {
            if let Some(parent) = blocks[number].parent {
                blocks[parent].n_children += 1;
            }
        }
        let entries = entries.into_iter().map(|(_, at, value)| (at, value)).collect();
        Self { blocks, entries, free: Vec::new() }
    }

    /// The inverse of the matrix last factored, which was not regularized, entry by entry in the
    /// order of its values.
    pub fn of(&mut self, matrix: &SparseCholesky, found: &mut [f64]) {
        let Self { blocks, entries, free } = self;
        let nodes = matrix.supernodes();
        // The inverse at the rows of each block, as long as a block below needs it.
        let mut squares: Vec<Vec<f64>> = vec![Vec::new(); blocks.len()];
        let mut waiting: Vec<usize> = blocks.iter().map(|block| block.n_children).collect();
        for (number, (block, node)) in blocks.iter().zip(&nodes).enumerate().rev() {
            let height = node.height();
            let mut square = free.pop().unwrap_or_default();
            square.resize(height * stride(node), 0.0);
            if let Some(parent) = block.parent {
                let known = (&*squares[parent], stride(&nodes[parent]));
                gather(known, &block.in_parent, node, &mut square);
                waiting[parent] -= 1;
                if waiting[parent] == 0 {
                    free.push(std::mem::take(&mut squares[parent]));
                }
            }
            match node.dense() {
                Some(range) if height > SMALL => {
                    let factor = &matrix.numbers()[range];
                    let factor = MatRef::from_column_major_slice(factor, height, node.width());
                    invert_block(factor, &mut square, stride(node));
                }
                _ => {
                    dispatch(InvertColumns { factor: matrix.numbers(), node, square: &mut square })
                }
            }
            let first = number.checked_sub(1).map_or(0, |before| blocks[before].end);
            for &(at, value) in &entries[first..block.end] {
                found[value] = square[at];
            }
            if block.n_children > 0 {
                squares[number] = square;
            } else {
                free.push(square);
            }
        }
    }
}

/// The block of each entry, where it is in the block's square, and its index, in the order of the
/// blocks.
fn entries(
    matrix: &SparseCholesky,
    nodes: &[Supernode<'_>],
    node_of: &[usize],
) -> Vec<(usize, usize, usize)> {
    let positions = matrix.positions();
    let mut entries = Vec::with_capacity(matrix.row_indices().len());
    for (column, ends) in matrix.column_starts().windows(2).enumerate() {
        for value in ends[0]..ends[1] {
            let (a, b) = (positions[matrix.row_indices()[value]], positions[column]);
            let number = node_of[a.min(b)];
            let node = &nodes[number];
            let at = row_in(node, a.min(b)) * stride(node) + row_in(node, a.max(b));
            entries.push((number, at, value));
        }
    }
    entries.sort_unstable();
    entries
}

/// The position of a row among those of a supernode, which must have it.
fn row_in(node: &Supernode<'_>, row: usize) -> usize {
    match row.checked_sub(node.columns.start) {
        Some(at) if row < node.columns.end => at,
        _ => node.width() + node.rows.partition_point(|&other| other < row),
    }
}

/// The distance of the columns of a supernode's square: its height, padded.
fn stride(node: &Supernode<'_>) -> usize {
    node.height().next_multiple_of(LANES)
}

/// Copies the inverse at the rows below a supernode from the lower triangle of its parent's square
/// to the last rows and columns of its own, both triangles.
fn gather(
    (parent, parent_stride): (&[f64], usize),
    rows: &[u32],
    node: &Supernode<'_>,
    square: &mut [f64],
) {
    let (first, height, stride) = (node.width(), node.height(), stride(node));
    for (j, &column) in rows.iter().enumerate() {
        let from = &parent[column as usize * parent_stride..][..parent_stride];
        let to = &mut square[(first + j) * stride + first + j..];
        for (to, &row) in to.iter_mut().zip(&rows[j..]) {
            *to = from[row as usize];
        }
    }
    for column in first..height {
        for row in column + 1..height {
            square[row * stride + column] = square[column * stride + row];
        }
    }
}

/// The recursion for one column after the other, from the last: with `l = L[k+1.., k] / L[k, k]`,
///
/// ```text
/// Z[k+1.., k] = −Z[k+1.., k+1..] l,   Z[k, k] = 1 / L[k, k]² − lᵀ Z[k+1.., k]
/// ```
struct InvertColumns<'a> {
    factor: &'a [f64],
    node: &'a Supernode<'a>,
    square: &'a mut [f64],
}

impl Work for InvertColumns<'_> {
    type Output = ();

    #[inline(always)]
    fn run<const FMA: bool>(self) {
        let Self { factor, node, square } = self;
        let stride = stride(node);
        for k in (0..node.width()).rev() {
            let column = &factor[node.column(k)];
            let pivot = 1.0 / column[0];
            let column = &column[1..];
            let (left, right) = square.split_at_mut((k + 1) * stride);
            let found = &mut left[k * stride..];
            // Sums for rows up to k are of no use, and are overwritten.
            for first in (k / LANES * LANES..stride).step_by(LANES) {
                let mut sums = [0.0; LANES];
                for (l, known) in column.iter().zip(right.chunks_exact(stride)) {
                    for (sum, x) in sums.iter_mut().zip(&known[first..first + LANES]) {
                        *sum = fused::<FMA>(*l, *x, *sum);
                    }
                }
                let found = found[first..].iter_mut().zip(&sums);
                found.for_each(|(found, sum)| *found = -pivot * sum);
            }
            let mut own = pivot;
            for ((x, l), row) in
                found[k + 1..].iter().zip(column).zip(right.chunks_exact_mut(stride))
            {
                own = fused::<FMA>(-*l, *x, own);
                row[k] = *x;
            }
            found[k] = own * pivot;
        }
    }
}

/// The recursion for all columns of a supernode at once.
fn invert_block(factor: MatRef<'_, f64>, square: &mut [f64], stride: usize) {
    let (height, width) = (factor.nrows(), factor.ncols());
    let (top, bottom) = factor.split_at_row(width);
    let mut inverse = Mat::zeros(width, width);
    invert_lower_triangular(inverse.as_mut(), top, Par::Seq);
    let mut mixed = Mat::zeros(height - width, width);
    matmul(mixed.as_mut(), Accum::Replace, bottom, inverse.as_ref(), 1.0, Par::Seq);
    let (own, corner) = square.split_at_mut(width * stride);
    let known = MatRef::from_column_major_slice(corner, stride, height - width);
    let known = known.subrows(width, height - width);
    let own = MatMut::from_column_major_slice_mut(own, stride, width).subrows_mut(0, height);
    let (mut own, mut below) = own.split_at_row_mut(width);
    matmul(below.as_mut(), Accum::Replace, known, mixed.as_ref(), -1.0, Par::Seq);
    matmul(own.as_mut(), Accum::Replace, inverse.transpose(), inverse.as_ref(), 1.0, Par::Seq);
    matmul(own, Accum::Add, mixed.transpose(), below.as_ref(), -1.0, Par::Seq);
}

#[cfg(test)]
mod tests;
