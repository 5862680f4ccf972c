//! Chunks of a source, and passes over them.

use std::ops::Range;

use rayon::prelude::*;

use super::blocks::Blocks;
use super::chunking::{block_size, blocks, chunks};
use super::points::Values;
use crate::error::Result;

/// Chunks of points in memory that are processed at the same time.
const AT_ONCE: usize = 4;

/// Consecutive rows of a source, in the caller's coordinates. Rows are addressed by their numbers in
/// the source.
pub(crate) struct Chunk<'c> {
    rows: Range<usize>,
    dims: usize,
    values: Values<'c>,
    /// Those of all points.
    weights: Option<&'c [f64]>,
}

impl Chunk<'_> {
    /// The numbers of its rows.
    pub fn rows(&self) -> Range<usize> {
        self.rows.clone()
    }

    /// The number of coordinates of each point.
    pub fn dims(&self) -> usize {
        self.dims
    }

    /// The blocks that threads work on, as ranges of rows.
    pub fn blocks(&self) -> Vec<Range<usize>> {
        blocks(&self.rows)
    }

    /// Rows per block.
    pub fn block_size(&self) -> usize {
        block_size(&self.rows)
    }

    /// The weight of point `i`.
    pub fn weight(&self, i: usize) -> f64 {
        self.weights.map_or(1.0, |weights| weights[i])
    }

    /// The value of point `i` in a column.
    pub fn value(&self, i: usize, column: usize) -> f64 {
        let at = (i - self.rows.start) * self.dims + column;
        match &self.values {
            Values::F32(values) => f64::from(values[at]),
            Values::F64(values) => values[at],
        }
    }

    /// Copies row `i` into `row`.
    pub fn copy_row(&self, i: usize, row: &mut [f64]) {
        let at = (i - self.rows.start) * self.dims;
        match &self.values {
            Values::F32(values) => {
                for (to, from) in row.iter_mut().zip(&values[at..at + self.dims]) {
                    *to = f64::from(*from);
                }
            }
            Values::F64(values) => row.copy_from_slice(&values[at..at + self.dims]),
        }
    }
}

/// Calls `work` on each chunk in order. Rows that are not in memory are read into one buffer.
pub(crate) fn for_each_chunk(
    source: &dyn Blocks,
    mut work: impl FnMut(&Chunk<'_>) -> Result<()>,
) -> Result<()> {
    let (dims, weights) = (source.dims(), source.weights());
    if let Some(points) = source.in_memory() {
        return chunks(points.len()).try_for_each(|rows| {
            work(&Chunk { values: points.values(rows.clone()), rows, dims, weights })
        });
    }
    let mut buffer = Vec::new();
    chunks(source.len()).try_for_each(|rows| {
        buffer.resize(rows.len() * dims, 0.0);
        source.read(rows.clone(), &mut buffer)?;
        work(&Chunk { rows, dims, values: Values::F64(buffer.as_slice().into()), weights })
    })
}

/// Calls `work` on each chunk with its own state, and `take` on the results in the order of the
/// chunks. Chunks in memory are processed several at a time, others one by one as they are read.
pub(crate) fn update_chunks<S: Send, T: Send>(
    source: &dyn Blocks,
    states: &mut [S],
    work: impl Fn(&Chunk<'_>, &mut S) -> T + Sync,
    mut take: impl FnMut(T),
) -> Result<()> {
    let Some(points) = source.in_memory() else {
        let mut states = states.iter_mut();
        return for_each_chunk(source, |chunk| {
            if let Some(state) = states.next() {
                take(work(chunk, state));
            }
            Ok(())
        });
    };
    let (dims, weights) = (points.dims(), points.weights());
    let ranges: Vec<Range<usize>> = chunks(points.len()).collect();
    for (ranges, states) in ranges.chunks(AT_ONCE).zip(states.chunks_mut(AT_ONCE)) {
        let on_chunk = |(rows, state): (&Range<usize>, &mut S)| {
            let values = points.values(rows.clone());
            work(&Chunk { rows: rows.clone(), dims, values, weights }, state)
        };
        let results: Vec<T> = ranges.par_iter().zip(states).map(on_chunk).collect();
        results.into_iter().for_each(&mut take);
    }
    Ok(())
}

/// Rows that were gathered from a source, as a chunk without weights.
pub(super) fn gathered(values: &[f64], dims: usize) -> Chunk<'_> {
    let rows = 0..values.len() / dims;
    Chunk { rows, dims, values: Values::F64(values.into()), weights: None }
}
