//! Factors whose blocks are so small that plain loops beat matrix products.

use rayon::prelude::*;

use super::FactorPattern;
use super::dense_columns::factor_columns;
use super::layout::{Block, Layout};
use super::right_sides::RightSides;
use super::subtrees::Subtrees;
use super::tiles::Tiles;
use crate::math::simd::{Work, dispatch};

/// A factor is taken by loops if its columns have at most this many rows on the average.
const FEW: f64 = 300.0;

/// What is known beforehand of a factorisation, block by block, that looks to the left.
pub(super) struct SmallBlocks {
    layout: Layout,
    /// What earlier blocks take from each block.
    updates: Vec<Vec<Update>>,
    subtrees: Subtrees,
    /// The number of each block among those of its part.
    ranks: Vec<usize>,
    right_sides: RightSides,
}

/// The rows of an earlier block that stand in a block's columns, and all below these.
struct Update {
    from: usize,
    /// The first of these rows in the earlier block.
    first: usize,
    /// How many stand in the block's columns.
    columns: usize,
    /// Where each row stands in the block.
    places: Vec<u32>,
}

impl SmallBlocks {
    /// Nothing if matrix products will do better.
    pub fn new(pattern: &FactorPattern) -> Option<Self> {
        if pattern.work() > FEW * pattern.stored() as f64 {
            return None;
        }
        let layout = Layout::new(pattern)?;
        let mut updates: Vec<Vec<Update>> = layout.blocks.iter().map(|_| Vec::new()).collect();
        for (from, block) in layout.blocks.iter().enumerate() {
            let mut first = 0;
            while let Some(&row) = block.below.get(first) {
                let to = layout.block_of[row] as usize;
                let target = &layout.blocks[to];
                let rest = &block.below[first..];
                let columns = rest.partition_point(|&row| row < target.columns.end);
                let places = rest.iter().map(|&row| target.place(row).map(|at| at as u32));
                let places = places.collect::<Option<Vec<u32>>>()?;
                updates[to].push(Update { from, first: block.width() + first, columns, places });
                first += columns;
            }
        }
        let parent = |block: &Block| block.below.first().map(|&row| layout.block_of[row] as usize);
        let parents: Vec<Option<usize>> = layout.blocks.iter().map(parent).collect();
        let work = |block: &Block| (block.width() * block.height() * block.height()) as f64;
        let work: Vec<f64> = layout.blocks.iter().map(work).collect();
        let subtrees = Subtrees::new(&parents, &work);
        let mut ranks = vec![0; work.len()];
        for part in &subtrees.parts {
            part.iter().enumerate().for_each(|(rank, &block)| ranks[block] = rank);
        }
        let right_sides = RightSides::new(&layout, &subtrees, pattern.places()?);
        Some(Self { layout, updates, subtrees, ranks, right_sides })
    }

    /// Factors the matrix of these values; false if it is not definite.
    pub fn factor(&self, values: &[f64], factor: &mut [f64]) -> bool {
        factor.fill(0.0);
        for (&at, value) in self.layout.entries.iter().zip(values) {
            factor[at] = *value;
        }
        let mut rest = &mut *factor;
        let mut numbers: Vec<Option<&mut [f64]>> = Vec::with_capacity(self.layout.blocks.len());
        for block in &self.layout.blocks {
            let (own, after) = rest.split_at_mut(block.values.len());
            numbers.push(Some(own));
            rest = after;
        }
        let mut of_part = |part: &[usize]| -> Vec<&mut [f64]> {
            part.iter().filter_map(|&block| numbers[block].take()).collect()
        };
        let parts: Vec<_> =
            self.subtrees.parts.iter().map(|part| (&**part, of_part(part))).collect();
        parts
            .into_par_iter()
            .all(|(part, numbers)| dispatch(FactorPart { of: self, part, numbers }))
            && dispatch(FactorTop { of: self, factor })
    }

    /// How many parts of the factor wait for none of another.
    #[cfg(test)]
    pub fn n_parts(&self) -> usize {
        self.subtrees.parts.len()
    }

    /// Solves in place with a factor.
    pub fn solve(&mut self, factor: &[f64], right: &mut [f64]) {
        self.right_sides.solve(&self.layout, factor, right);
    }
}

/// Factors the blocks of a part, whose numbers these are.
struct FactorPart<'a> {
    of: &'a SmallBlocks,
    part: &'a [usize],
    numbers: Vec<&'a mut [f64]>,
}

impl Work for FactorPart<'_> {
    type Output = bool;

    #[inline(always)]
    fn run<const FMA: bool>(mut self) -> bool {
        for (rank, &block) in self.part.iter().enumerate() {
            let (before, own) = self.numbers.split_at_mut(rank);
            let earlier = |block: usize| &*before[self.of.ranks[block]];
            if !self.of.factor_next::<FMA>(block, earlier, own[0]) {
                return false;
            }
        }
        true
    }
}

/// Factors the blocks at the top.
struct FactorTop<'a> {
    of: &'a SmallBlocks,
    factor: &'a mut [f64],
}

impl Work for FactorTop<'_> {
    type Output = bool;

    #[inline(always)]
    fn run<const FMA: bool>(self) -> bool {
        let blocks = &self.of.layout.blocks;
        for &block in &self.of.subtrees.top {
            let values = blocks[block].values.clone();
            let (before, own) = self.factor.split_at_mut(values.start);
            let earlier = |block: usize| &before[blocks[block].values.clone()];
            if !self.of.factor_next::<FMA>(block, earlier, &mut own[..values.len()]) {
                return false;
            }
        }
        true
    }
}

impl SmallBlocks {
    /// Factors a block, given the numbers of earlier ones; false if it is not definite.
    #[inline(always)]
    fn factor_next<'f, const FMA: bool>(
        &self,
        block: usize,
        earlier: impl Fn(usize) -> &'f [f64],
        own: &mut [f64],
    ) -> bool {
        let Self { layout, updates, .. } = self;
        let height = layout.blocks[block].height();
        for update in &updates[block] {
            let tiles = Tiles {
                columns: earlier(update.from),
                height: layout.blocks[update.from].height(),
                first: update.first,
                least: usize::MAX,
            };
            tiles.products::<FMA>(update.columns, |column, row, sums| {
                let to = &mut own[update.places[column] as usize * height..][..height];
                for (&place, sum) in update.places[row - update.first..].iter().zip(sums) {
                    to[place as usize] -= sum;
                }
            });
        }
        // Solves and determinants want the diagonal itself.
        let is_definite = factor_columns::<FMA>(own, height, 0);
        own.iter_mut().step_by(height + 1).for_each(|inverse| *inverse = 1.0 / *inverse);
        is_definite
    }
}
