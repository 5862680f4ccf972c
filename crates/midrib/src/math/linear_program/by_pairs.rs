//! The Newton matrix condensed on the pairs: `diag(stiffness) + Mᵀ diag(1/slackness) M`.
//!
//! Two pairs meet in it only if they share a row, and then they share just that one: each row
//! owns a dense block over its pairs, and every entry off the diagonal comes from one block.

use faer::linalg::matmul::triangular::{self, BlockStructure};
use faer::{Accum, MatMut, MatRef, Par};
use rayon::prelude::*;

use super::cholesky::{Cholesky, FactorPattern};
use super::pair_matrix::{Incident, OverPairs};
use super::tiles::{ROWS, Tiles};
use crate::error::Result;
use crate::math::simd::{Work, dispatch};

/// Rows per task: small blocks are cheaper than a task.
const TASK: usize = 16;
/// From this many pairs the general matrix product is faster.
const LARGE: usize = 32;

pub(super) struct ByPairs {
    pub cholesky: Cholesky,
    /// For each entry of the triangle its place in `blocks`.
    source: Vec<usize>,
    /// For each pair the second place that its diagonal adds.
    second_source: Vec<usize>,
    /// The rows' blocks, one after the other, column after column.
    blocks: Vec<f64>,
}

impl ByPairs {
    /// Entries of the triangle.
    pub fn entries(matrix: &impl OverPairs) -> usize {
        let meet = |row| matrix.incident(row).len() * matrix.incident(row).len().saturating_sub(1);
        matrix.pairs().len() + (0..matrix.n_rows()).map(meet).sum::<usize>() / 2
    }

    /// Orders the pairs, by their places in the factor of a larger matrix if these are given.
    pub fn new(matrix: &impl OverPairs, places: Option<&[usize]>) -> Result<Self> {
        let n_pairs = matrix.pairs().len();
        let mut block_starts = vec![0; matrix.n_rows() + 1];
        // Where each pair stands among the pairs of its first and its second end.
        let mut ranks = vec![[0; 2]; n_pairs];
        for row in 0..matrix.n_rows() {
            let incident = matrix.incident(row);
            block_starts[row + 1] = block_starts[row] + incident.len() * incident.len();
            for (rank, &Incident { pair, .. }) in incident.iter().enumerate() {
                ranks[pair][usize::from(matrix.pairs()[pair].0 != row)] = rank;
            }
        }
        let mut column_starts = Vec::with_capacity(n_pairs + 1);
        column_starts.push(0);
        let entries = Self::entries(matrix);
        let (mut row_indices, mut source) =
            (Vec::with_capacity(entries), Vec::with_capacity(entries));
        let mut second_source = Vec::with_capacity(n_pairs);
        for (pair, &(a, b)) in matrix.pairs().iter().enumerate() {
            let [mut at_first, mut at_second] = [(a, ranks[pair][0]), (b, ranks[pair][1])]
                .map(|(row, rank)| Column::new(matrix.incident(row), rank, block_starts[row]));
            row_indices.push(pair);
            source.push(at_first.place());
            second_source.push(at_second.place());
            at_first.rank += 1;
            at_second.rank += 1;
            while let Some(next) = at_first.pair().into_iter().chain(at_second.pair()).min() {
                let from =
                    if at_first.pair() == Some(next) { &mut at_first } else { &mut at_second };
                row_indices.push(next);
                source.push(from.place());
                from.rank += 1;
            }
            column_starts.push(row_indices.len());
        }
        let pattern = match places {
            Some(places) => FactorPattern::in_order(places, column_starts, row_indices)?,
            None => FactorPattern::new(column_starts, row_indices)?,
        };
        Ok(Self {
            cholesky: Cholesky::of(pattern)?.by_loops_if_small(),
            source,
            second_source,
            blocks: vec![0.0; block_starts[matrix.n_rows()]],
        })
    }

    /// Assembles and factors; false if the numbers are not finite.
    pub fn factor(
        &mut self,
        matrix: &impl OverPairs,
        stiffness: &[f64],
        slackness: &[f64],
    ) -> bool {
        self.fill_blocks(matrix, slackness);
        let (blocks, source) = (&self.blocks, &self.source);
        self.cholesky.values_mut().par_iter_mut().with_min_len(4096).zip(source).for_each(
            |(value, &place)| {
                *value = blocks[place];
            },
        );
        for (pair, &place) in self.second_source.iter().enumerate() {
            let diagonal = self.cholesky.pattern().column_starts()[pair];
            self.cholesky.values_mut()[diagonal] += self.blocks[place] + stiffness[pair];
        }
        self.cholesky.factor()
    }

    fn fill_blocks(&mut self, matrix: &impl OverPairs, slackness: &[f64]) {
        let mut rest = self.blocks.as_mut_slice();
        let blocks: Vec<_> = (0..matrix.n_rows())
            .map(|row| {
                let degree = matrix.incident(row).len();
                let (block, after) = std::mem::take(&mut rest).split_at_mut(degree * degree);
                rest = after;
                block
            })
            .collect();
        blocks.into_par_iter().with_min_len(TASK).enumerate().for_each_init(
            Room::default,
            |room, (row, block)| {
                let slackness = &slackness[matrix.values(row)];
                dispatch(Block { matrix, row, slackness, room, block });
            },
        );
    }
}

/// The block of one row: the products of its neighbours, weighted by its inverse slackness.
struct Block<'t, M> {
    matrix: &'t M,
    row: usize,
    slackness: &'t [f64],
    room: &'t mut Room,
    block: &'t mut [f64],
}

/// Room for the neighbours of a row, one value after the other, and for the values' factors.
#[derive(Default)]
struct Room {
    neighbors: Vec<f64>,
    factors: Vec<f64>,
}

impl<M: OverPairs> Work for Block<'_, M> {
    type Output = ();

    #[inline(always)]
    fn run<const FMA: bool>(self) {
        let Self { matrix, row, slackness, room, block } = self;
        let degree = matrix.incident(row).len();
        room.factors.clear();
        room.factors.extend(slackness.iter().map(|slackness| 1.0 / slackness.sqrt()));
        if degree > LARGE {
            room.gather(matrix, row, degree);
            large_block(&room.neighbors, block, slackness.len(), degree);
            return;
        }
        let height = degree.next_multiple_of(ROWS);
        room.gather(matrix, row, height);
        let tiles = Tiles { columns: &room.neighbors, height, first: 0 };
        tiles.products::<FMA>(degree, |column, row, sums| {
            let to = block[column * degree..][..degree].iter_mut().skip(row);
            to.zip(sums).for_each(|(to, sum)| *to = *sum);
        });
    }
}

impl Room {
    /// The neighbours of a row, one value after the other, each times its factor and with zeros up
    /// to the height.
    #[inline(always)]
    fn gather(&mut self, matrix: &impl OverPairs, row: usize, height: usize) {
        let Self { neighbors, factors } = self;
        neighbors.clear();
        neighbors.resize(factors.len() * height, 0.0);
        for rank in 0..matrix.incident(row).len() {
            let to = neighbors.iter_mut().skip(rank).step_by(height);
            for ((to, factor), x) in to.zip(&*factors).zip(matrix.column(row, rank)) {
                *to = factor * x;
            }
        }
    }
}

fn large_block(neighbors: &[f64], block: &mut [f64], n_values: usize, degree: usize) {
    let neighbors = MatRef::from_row_major_slice(neighbors, n_values, degree);
    triangular::matmul(
        MatMut::from_column_major_slice_mut(block, degree, degree),
        BlockStructure::TriangularLower,
        Accum::Replace,
        neighbors.transpose(),
        BlockStructure::Rectangular,
        neighbors,
        BlockStructure::Rectangular,
        1.0,
        Par::Seq,
    );
}

/// Walks down one column of a row's block.
struct Column<'m> {
    incident: &'m [Incident],
    rank: usize,
    column: usize,
}

impl<'m> Column<'m> {
    /// Starts at the diagonal.
    fn new(incident: &'m [Incident], rank: usize, block_start: usize) -> Self {
        Self { incident, rank, column: block_start + rank * incident.len() }
    }

    fn pair(&self) -> Option<usize> {
        self.incident.get(self.rank).map(|incident| incident.pair)
    }

    fn place(&self) -> usize {
        self.column + self.rank
    }
}
