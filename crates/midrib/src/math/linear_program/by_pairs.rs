//! The Newton matrix condensed on the pairs: `diag(stiffness) + Mᵀ diag(1/slackness) M`.
//!
//! Two pairs meet in it only if they share a row, and then they share just that one: each row
//! owns a dense block over its pairs, and every entry off the diagonal comes from one block.

use faer::linalg::matmul::triangular::{self, BlockStructure};
use faer::{Accum, MatMut, MatRef, Par};
use rayon::prelude::*;

use super::assembly_tree::{AssemblyTree, Front};
use super::cholesky::LIFTS;
use super::condensed::{Changes, Condensed, Diagonals, OnPairs, System};
use super::front_factor::{Assemble, FrontFactor};
use super::long_vectors::each;
use super::mapping::{Factor, Mapping, Steps};
use super::minimum_degree::Cliques;
use super::pair_matrix::OverPairs;
use super::spare::{Spare, too_many};
use super::tiles::{ROWS, Tiles};
use crate::error::Result;
use crate::math::simd::{Work, dispatch};

/// Rows per task: small blocks are cheaper than a task.
const TASK: usize = 64;
/// From this many pairs the general matrix product is faster.
const LARGE: usize = 32;

/// The matrix, its blocks row by row, and its factor.
pub(super) struct ByPairs {
    fronts: FrontFactor,
    blocks: Blocks,
    entries: Entries,
    /// The roots of the inverse slackness.
    roots: Vec<f64>,
}

/// The lower triangles of the rows' blocks, column after column. Those of rows whose first pairs are
/// close in the order of the factor stand together.
struct Blocks {
    numbers: Vec<f64>,
    /// The rows in the order of their blocks, and where these start.
    rows: Vec<u32>,
    starts: Vec<usize>,
    /// The pairs of each row in the order of the factor: their ranks among those of the row.
    ranks: Vec<u32>,
    first_ranks: Vec<usize>,
}

/// The entries of the matrix, one column after the other, in the order of the factor.
struct Entries {
    pairs: Vec<u32>,
    entries: Vec<Entry>,
    /// The first of each column, and the number of all.
    first: Vec<usize>,
}

/// Where an entry stands in the blocks, and in the columns of its front.
struct Entry {
    from: u32,
    to: u32,
}

impl ByPairs {
    /// Entries of the triangle.
    pub fn entries(matrix: &impl OverPairs) -> usize {
        let meet = |row| matrix.incident(row).len() * matrix.incident(row).len().saturating_sub(1);
        matrix.pairs().len() + (0..matrix.n_rows()).map(meet).sum::<usize>() / 2
    }

    /// Orders the pairs, and makes room for the factor.
    pub fn new(matrix: &impl OverPairs, spare: &mut Spare) -> Result<Self> {
        let pairs_of = |row: usize| matrix.incident(row).iter().map(|at| at.pair);
        let n_pairs = matrix.pairs().len();
        // Places are told in 32 bits.
        let entries = Self::entries(matrix) + n_pairs;
        if entries > u32::MAX as usize {
            return Err(too_many(entries));
        }
        let tree = AssemblyTree::new(&Cliques::new(n_pairs, (0..matrix.n_rows()).map(pairs_of)));
        let largest = tree.fronts.iter().map(|front| front.values().len()).max().unwrap_or(0);
        if largest > u32::MAX as usize {
            return Err(too_many(largest));
        }
        let blocks = Blocks::new(matrix, &tree, spare)?;
        let entries = blocks.entries(matrix, &tree);
        let roots = Vec::new();
        Ok(Self { fronts: FrontFactor::new(tree, spare)?, blocks, entries, roots })
    }

    /// Gives the room back.
    pub fn leave(self, spare: &mut Spare) {
        self.fronts.leave(spare);
        spare.give(self.blocks.numbers);
    }

    /// About the multiplications of a factorisation.
    pub fn work(&self) -> f64 {
        self.fronts.tree.work()
    }

    /// The numbers in the factor.
    pub fn stored(&self) -> usize {
        self.fronts.tree.stored()
    }

    /// How much dearer a factorisation is than a solve.
    pub fn factor_per_solve(&self) -> f64 {
        self.work() / self.stored().max(1) as f64
    }

    /// Assembles and factors; false if the matrix is not definite, however much it is lifted.
    pub fn factor(&mut self, matrix: &impl OverPairs, diagonals: &Diagonals) -> bool {
        let Diagonals { stiffness, slackness } = diagonals;
        let Self { fronts, blocks, entries, roots } = self;
        each(roots, [slackness], |[slackness]| 1.0 / slackness.sqrt());
        blocks.fill(matrix, roots);
        let blocks = &blocks.numbers;
        LIFTS.iter().any(|&lift| fronts.factor(&Lifted { blocks, entries, stiffness, lift }))
    }
}

impl<M: OverPairs + Mapping> Steps<M> for ByPairs {
    fn factor(&mut self, matrix: &M, diagonals: &Diagonals) -> bool {
        Self::factor(self, matrix, diagonals)
    }

    fn solve(&mut self, system: System<'_, M>, accuracy: f64, changes: &mut Changes) {
        OnPairs(system).solve(self, accuracy, changes);
    }

    fn factor_per_solve(&self) -> f64 {
        self.factor_per_solve()
    }
}

impl Factor for ByPairs {
    fn solve(&mut self, right: &mut [f64]) {
        self.fronts.solve(right);
    }
}

/// The matrix with its diagonal lifted by a share of it.
struct Lifted<'a> {
    blocks: &'a [f64],
    entries: &'a Entries,
    stiffness: &'a [f64],
    lift: f64,
}

impl Assemble for Lifted<'_> {
    #[inline(always)]
    fn add_to(&self, front: &Front, columns: &mut [f64]) {
        let Entries { pairs, entries, first } = self.entries;
        // One loop for all columns: each has so few entries that the processor would guess the end of
        // a loop of its own wrongly.
        for entry in &entries[first[front.columns.start]..first[front.columns.end]] {
            columns[entry.to as usize] += self.blocks[entry.from as usize];
        }
        let diagonal = columns.iter_mut().step_by(front.height() + 1);
        for (to, &pair) in diagonal.zip(&pairs[front.columns.clone()]) {
            *to = (*to + self.stiffness[pair as usize]) * (1.0 + self.lift);
        }
    }
}

impl Blocks {
    fn new(matrix: &impl OverPairs, tree: &AssemblyTree, spare: &mut Spare) -> Result<Self> {
        let n_rows = matrix.n_rows();
        let mut first_ranks = Vec::with_capacity(n_rows + 1);
        first_ranks.push(0);
        for row in 0..n_rows {
            first_ranks.push(first_ranks[row] + matrix.incident(row).len());
        }
        // The ranks of each pair at its two ends.
        let mut seen = vec![0; n_rows];
        let rank = |&(a, b): &(usize, usize)| {
            let ranks = [seen[a], seen[b]];
            seen[a] += 1;
            seen[b] += 1;
            ranks
        };
        let ranks_of: Vec<[u32; 2]> = matrix.pairs().iter().map(rank).collect();

        let mut ranks = vec![0; first_ranks[n_rows]];
        let (mut rows, mut starts) = (Vec::with_capacity(n_rows), vec![0]);
        let mut ends = first_ranks.clone();
        for &pair in &tree.unknowns {
            let (a, b) = matrix.pairs()[pair as usize];
            for (row, rank) in [a, b].into_iter().zip(ranks_of[pair as usize]) {
                if ends[row] == first_ranks[row] {
                    rows.push(row as u32);
                    starts.push(starts[rows.len() - 1] + triangle(matrix.incident(row).len()));
                }
                ranks[ends[row]] = rank;
                ends[row] += 1;
            }
        }
        let numbers = spare.take(starts[rows.len()])?;
        Ok(Self { numbers, rows, starts, ranks, first_ranks })
    }

    /// Where the entries of each column stand, here and in the fronts.
    fn entries(&self, matrix: &impl OverPairs, tree: &AssemblyTree) -> Entries {
        let Self { rows, starts, ranks, first_ranks, .. } = self;
        // The columns of each row's pairs, and the next entries of its block.
        let mut in_order = vec![0; ranks.len()];
        let mut next = vec![0; matrix.n_rows()];
        for (&row, &start) in rows.iter().zip(starts) {
            let row = row as usize;
            let incident = matrix.incident(row);
            let own = first_ranks[row]..first_ranks[row + 1];
            for (to, &rank) in in_order[own.clone()].iter_mut().zip(&ranks[own]) {
                *to = tree.columns[incident[rank as usize].pair];
            }
            next[row] = start as u32;
        }
        let mut later = first_ranks.clone();
        let mut entries = Vec::with_capacity(self.numbers.len());
        let mut first = Vec::with_capacity(tree.columns.len() + 1);
        let mut in_front = vec![0; tree.columns.len()];
        for front in &tree.fronts {
            tree.place_rows(front, &mut in_front);
            let height = front.height() as u32;
            for (&pair, k) in tree.unknowns[front.columns.clone()].iter().zip(0..) {
                first.push(entries.len());
                let (a, b) = matrix.pairs()[pair as usize];
                for row in [a, b] {
                    let own = &in_order[later[row]..first_ranks[row + 1]];
                    let places = own.iter().map(|&column| k * height + in_front[column as usize]);
                    entries.extend(places.zip(next[row]..).map(|(to, from)| Entry { from, to }));
                    later[row] += 1;
                    next[row] += own.len() as u32;
                }
            }
        }
        first.push(entries.len());
        Entries { pairs: tree.unknowns.clone(), entries, first }
    }

    fn fill(&mut self, matrix: &impl OverPairs, roots: &[f64]) {
        let Self { numbers, rows, starts, ranks, first_ranks } = self;
        let mut rest = numbers.as_mut_slice();
        let tasks: Vec<(&[u32], &mut [f64])> = rows
            .chunks(TASK)
            .zip(starts.chunks(TASK))
            .enumerate()
            .map(|(task, (rows, own))| {
                let end = starts[task * TASK + rows.len()];
                let (entries, after) = std::mem::take(&mut rest).split_at_mut(end - own[0]);
                rest = after;
                (rows, entries)
            })
            .collect();
        tasks.into_par_iter().for_each_init(Room::default, |room, (rows, mut rest)| {
            for &row in rows {
                let row = row as usize;
                let ranks = &ranks[first_ranks[row]..first_ranks[row + 1]];
                let (block, after) = rest.split_at_mut(triangle(ranks.len()));
                rest = after;
                let factors = &roots[matrix.values(row)];
                dispatch(Block { matrix, row, ranks, factors, room, block });
            }
        });
    }
}

/// The entries of a lower triangle.
fn triangle(size: usize) -> usize {
    size * (size + 1) / 2
}

/// The block of one row: the products of its neighbours, whose values are times these factors.
struct Block<'t, M> {
    matrix: &'t M,
    row: usize,
    ranks: &'t [u32],
    factors: &'t [f64],
    room: &'t mut Room,
    block: &'t mut [f64],
}

/// Room for the neighbours of a row, one value after the other, and for large blocks.
#[derive(Default)]
struct Room {
    neighbors: Vec<f64>,
    square: Vec<f64>,
}

impl<M: OverPairs> Work for Block<'_, M> {
    type Output = ();

    #[inline(always)]
    fn run<const FMA: bool>(self) {
        let Self { matrix, row, ranks, factors, room, block } = self;
        let degree = ranks.len();
        let height = if degree > LARGE { degree } else { degree.next_multiple_of(ROWS) };
        room.neighbors.clear();
        room.neighbors.resize(factors.len() * height, 0.0);
        for (position, &rank) in ranks.iter().enumerate() {
            let to = room.neighbors.iter_mut().skip(position).step_by(height);
            for ((to, factor), x) in to.zip(factors).zip(matrix.column(row, rank as usize)) {
                *to = factor * x;
            }
        }
        if degree > LARGE {
            room.large_block(block, degree, factors.len());
            return;
        }
        let tiles = Tiles { columns: &room.neighbors, height, first: 0, least: 0 };
        tiles.products::<FMA>(degree, |column, row, sums| {
            // Rows beyond the degree were filled up.
            let (from, end) = (row.max(column), degree.min(row + sums.len()));
            if from < end {
                let start = triangle(degree) - triangle(degree - column) + from - column;
                let to = &mut block[start..][..end - from];
                to.iter_mut().zip(&sums[from - row..]).for_each(|(to, sum)| *to = *sum);
            }
        });
    }
}

impl Room {
    fn large_block(&mut self, block: &mut [f64], degree: usize, n_values: usize) {
        let neighbors = MatRef::from_row_major_slice(&self.neighbors, n_values, degree);
        self.square.resize(degree * degree, 0.0);
        triangular::matmul(
            MatMut::from_column_major_slice_mut(&mut self.square, degree, degree),
            BlockStructure::TriangularLower,
            Accum::Replace,
            neighbors.transpose(),
            BlockStructure::Rectangular,
            neighbors,
            BlockStructure::Rectangular,
            1.0,
            Par::Seq,
        );
        let mut rest = block;
        for column in 0..degree {
            let (to, after) = rest.split_at_mut(degree - column);
            to.copy_from_slice(&self.square[column * degree + column..][..degree - column]);
            rest = after;
        }
    }
}

#[cfg(test)]
mod tests;
