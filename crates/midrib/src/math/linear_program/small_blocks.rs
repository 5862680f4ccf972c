//! Factors whose blocks are so small that plain loops beat matrix products.

use rayon::prelude::*;

use super::FactorPattern;
use super::layout::{Block, Layout};
use super::right_sides::RightSides;
use super::subtrees::Subtrees;
use super::tiles::{COLUMNS, Tiles};
use crate::math::simd::{Work, add, dispatch};

/// A factor is taken by loops if its columns have at most this many rows on the average.
/// Those of the bench near thin curves have about 50, near thicker ones 240.
const FEW: f64 = 300.0;

/// What is known beforehand of a factorisation, block by block, that looks to the left.
pub(super) struct SmallBlocks {
    layout: Layout,
    /// What earlier blocks of the same part, or of the top, take from each block.
    updates: Vec<Vec<Update>>,
    /// What blocks of the parts take from the first, second, … block of the top.
    updates_of_top: Vec<Vec<Update>>,
    subtrees: Subtrees,
    /// The number of each block among those of its part, or of the top.
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
        let parent = |block: &Block| block.below.first().map(|&row| layout.block_of[row] as usize);
        let parents: Vec<Option<usize>> = layout.blocks.iter().map(parent).collect();
        let work = |block: &Block| (block.width() * block.height() * block.height()) as f64;
        let work: Vec<f64> = layout.blocks.iter().map(work).collect();
        let subtrees = Subtrees::new(&parents, &work);
        let mut ranks = vec![0; work.len()];
        for blocks in subtrees.parts.iter().chain([&subtrees.top]) {
            blocks.iter().enumerate().for_each(|(rank, &block)| ranks[block] = rank);
        }
        let mut updates: Vec<Vec<Update>> = work.iter().map(|_| Vec::new()).collect();
        let mut updates_of_top: Vec<Vec<Update>> =
            subtrees.top.iter().map(|_| Vec::new()).collect();
        let is_top = |block: usize| subtrees.top.binary_search(&block).is_ok();
        for (from, block) in layout.blocks.iter().enumerate() {
            let mut first = 0;
            while let Some(&row) = block.below.get(first) {
                let to = layout.block_of[row] as usize;
                let target = &layout.blocks[to];
                let rest = &block.below[first..];
                let columns = rest.partition_point(|&row| row < target.columns.end);
                let places = rest.iter().map(|&row| target.place(row).map(|at| at as u32));
                let places = places.collect::<Option<Vec<u32>>>()?;
                let update = Update { from, first: block.width() + first, columns, places };
                if is_top(to) && !is_top(from) {
                    updates_of_top[ranks[to]].push(update);
                } else {
                    updates[to].push(update);
                }
                first += columns;
            }
        }
        let right_sides = RightSides::new(&layout, &subtrees, pattern.places()?);
        Some(Self { layout, updates, updates_of_top, subtrees, ranks, right_sides })
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
        let mut parts: Vec<_> =
            self.subtrees.parts.iter().map(|part| (&**part, of_part(part))).collect();
        let mut top = of_part(&self.subtrees.top);
        let is_definite = parts
            .par_iter_mut()
            .all(|(part, numbers)| dispatch(Factor { of: self, blocks: part, numbers }));
        if !is_definite {
            return false;
        }
        if !parts.is_empty() {
            self.update_top(&parts, &mut top);
        }
        dispatch(Factor { of: self, blocks: &self.subtrees.top, numbers: &mut top })
    }

    /// Subtracts from the blocks of the top the products of those of the parts, once factored.
    fn update_top(&self, parts: &[(&[usize], Vec<&mut [f64]>)], top: &mut [&mut [f64]]) {
        let mut factored: Vec<&[f64]> = vec![&[]; self.layout.blocks.len()];
        for (part, numbers) in parts {
            part.iter().zip(numbers).for_each(|(&block, numbers)| factored[block] = numbers);
        }
        top.par_iter_mut().zip(&self.updates_of_top).zip(&self.subtrees.top).for_each(
            |((own, updates), &block)| {
                dispatch(Take { of: self, block, updates, factored: &factored, own });
            },
        );
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

/// Factors the blocks of a part, or of the top, whose numbers these are; false if one is not
/// definite.
struct Factor<'a, 'n> {
    of: &'a SmallBlocks,
    blocks: &'a [usize],
    numbers: &'a mut [&'n mut [f64]],
}

impl Work for Factor<'_, '_> {
    type Output = bool;

    #[inline(always)]
    fn run<const FMA: bool>(self) -> bool {
        let Self { of, blocks, numbers } = self;
        for (rank, &block) in blocks.iter().enumerate() {
            let (before, own) = numbers.split_at_mut(rank);
            let earlier = |block: usize| &*before[of.ranks[block]];
            of.take::<FMA>(block, &of.updates[block], earlier, own[0]);
            let block = &of.layout.blocks[block];
            if !factor_block::<FMA>(own[0], block.width(), block.height()) {
                return false;
            }
        }
        true
    }
}

/// Subtracts from a block of the top the products of blocks of the parts.
struct Take<'a, 'n> {
    of: &'a SmallBlocks,
    block: usize,
    updates: &'a [Update],
    factored: &'a [&'n [f64]],
    own: &'a mut [f64],
}

impl Work for Take<'_, '_> {
    type Output = ();

    #[inline(always)]
    fn run<const FMA: bool>(self) {
        let earlier = |block: usize| self.factored[block];
        self.of.take::<FMA>(self.block, self.updates, earlier, self.own);
    }
}

impl SmallBlocks {
    /// Subtracts from the numbers of a block the products of earlier ones, whose numbers are given.
    #[inline(always)]
    fn take<'f, const FMA: bool>(
        &self,
        block: usize,
        updates: &[Update],
        earlier: impl Fn(usize) -> &'f [f64],
        own: &mut [f64],
    ) {
        let height = self.layout.blocks[block].height();
        for update in updates {
            let tiles = Tiles {
                columns: earlier(update.from),
                height: self.layout.blocks[update.from].height(),
                first: update.first,
            };
            tiles.products::<FMA>(update.columns, |column, row, sums| {
                let to = &mut own[update.places[column] as usize * height..][..height];
                for (&place, sum) in update.places[row..].iter().zip(sums) {
                    to[place as usize] -= sum;
                }
            });
        }
    }
}

/// Factors the columns of one block, a few at a time; false if it is not definite.
#[inline(always)]
fn factor_block<const FMA: bool>(own: &mut [f64], width: usize, height: usize) -> bool {
    for start in (0..width).step_by(COLUMNS) {
        let (columns, rest) = own.split_at_mut(start * height);
        let panel = &mut rest[..COLUMNS.min(width - start) * height];
        let tiles = Tiles { columns, height, first: start };
        tiles.products::<FMA>(panel.len() / height, |column, row, sums| {
            let to = &mut panel[column * height + start + row..][..sums.len()];
            to.iter_mut().zip(sums).for_each(|(to, sum)| *to -= sum);
        });
        for k in 0..panel.len() / height {
            let (done, rest) = panel.split_at_mut(k * height);
            let own = &mut rest[start + k..height];
            for column in done.chunks_exact(height) {
                let column = &column[start + k..];
                add::<FMA>(-column[0], column, own);
            }
            let pivot = own[0].sqrt();
            if !(pivot > 0.0 && pivot.is_finite()) {
                return false;
            }
            let inverse = 1.0 / pivot;
            own.iter_mut().for_each(|x| *x *= inverse);
            own[0] = pivot;
        }
    }
    true
}
