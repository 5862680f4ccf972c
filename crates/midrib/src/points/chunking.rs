//! How the rows of a source are split: into chunks that are read, and blocks that threads work on.

use std::ops::Range;

/// Rows per chunk, the unit in which a source is read.
pub const CHUNK_ROWS: usize = 1 << 16;
/// A chunk is split into about this many blocks, whatever the number of threads, ...
const BLOCKS: usize = 32;
/// ... of at least this many rows.
const FEWEST_ROWS: usize = 256;

/// The chunks of so many rows.
pub(super) fn chunks(rows: usize) -> impl Iterator<Item = Range<usize>> {
    (0..rows.div_ceil(CHUNK_ROWS)).map(move |c| c * CHUNK_ROWS..((c + 1) * CHUNK_ROWS).min(rows))
}

/// Rows per block of a chunk. It depends on the number of rows in the chunk alone, so sums over
/// blocks are the same for any number of threads.
pub(super) fn block_size(chunk: &Range<usize>) -> usize {
    (chunk.len() / BLOCKS).max(FEWEST_ROWS)
}

/// The blocks of a chunk.
pub(super) fn blocks(chunk: &Range<usize>) -> Vec<Range<usize>> {
    let size = block_size(chunk);
    chunk.clone().step_by(size).map(|start| start..(start + size).min(chunk.end)).collect()
}

/// The blocks of so many rows, chunk after chunk.
pub(crate) fn blocks_of(rows: usize) -> impl Iterator<Item = Range<usize>> {
    chunks(rows).flat_map(|chunk| blocks(&chunk))
}
