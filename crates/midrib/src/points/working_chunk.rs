//! Chunks in working coordinates.

use std::ops::Range;
use std::sync::OnceLock;

use rayon::prelude::*;

use super::chunk::Chunk;
use super::spatial_order::spatial_order;
use super::working::WorkingFrame;

/// A chunk in working coordinates.
pub(crate) struct WorkingChunk<'c> {
    chunk: &'c Chunk<'c>,
    frame: &'c WorkingFrame,
    order: &'c OnceLock<Box<[u16]>>,
}

impl<'c> WorkingChunk<'c> {
    pub(super) fn new(
        chunk: &'c Chunk<'c>,
        frame: &'c WorkingFrame,
        order: &'c OnceLock<Box<[u16]>>,
    ) -> Self {
        Self { chunk, frame, order }
    }

    /// The number of coordinates of each point.
    pub fn dims(&self) -> usize {
        self.chunk.dims()
    }

    /// The weight of point `i`.
    pub fn weight(&self, i: usize) -> f64 {
        self.chunk.weight(i)
    }

    /// Copies point `i` in working coordinates into `row`.
    #[inline]
    pub fn copy_row(&self, i: usize, row: &mut [f64]) {
        self.chunk.copy_row(i, row);
        self.frame.enter(row);
    }

    /// The blocks that threads work on, as ranges of rows.
    pub fn blocks(&self) -> Vec<Range<usize>> {
        self.chunk.blocks()
    }

    /// The results of `work` on each block, in the order of the blocks.
    pub fn per_block<T: Send>(&self, work: impl Fn(Range<usize>) -> T + Sync) -> Vec<T> {
        self.blocks().into_par_iter().map(&work).collect()
    }

    /// The row numbers of a block of the chunk's rows in spatial order: neighbors follow each
    /// other.
    pub fn in_order(&self, block: &Range<usize>) -> Vec<u32> {
        let first = self.chunk.rows().start;
        let order = &self.order()[block.start - first..block.end - first];
        order.iter().map(|&at| first as u32 + u32::from(at)).collect()
    }

    /// The spatial order of the rows, counted from the first of the chunk; kept once found.
    pub fn order(&self) -> &[u16] {
        if self.order.get().is_none() {
            // Found outside of the lock: while threads wait for each other, they may take up other
            // work that asks for the same order.
            let order = spatial_order(self.chunk, self.frame);
            return self.order.get_or_init(|| order);
        }
        self.order.get_or_init(Box::default)
    }
}
