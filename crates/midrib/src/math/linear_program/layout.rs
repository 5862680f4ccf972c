//! Where the numbers of a sparse factor stand.

use std::ops::Range;

use super::FactorPattern;

/// The blocks of columns of a factor, and the entries of the matrix among its numbers.
pub(crate) struct Layout {
    pub blocks: Vec<Block>,
    /// The block of each column.
    pub block_of: Vec<u32>,
    /// Where each entry of the matrix stands in the factor.
    pub entries: Vec<usize>,
}

/// A block of columns with the same rows, stored column after column.
pub(crate) struct Block {
    pub columns: Range<usize>,
    /// The rows below the block's own.
    pub below: Vec<usize>,
    pub values: Range<usize>,
}

impl Block {
    pub fn width(&self) -> usize {
        self.columns.len()
    }

    pub fn height(&self) -> usize {
        self.columns.len() + self.below.len()
    }

    /// Where a row stands in the block's columns.
    pub fn place(&self, row: usize) -> Option<usize> {
        if self.columns.contains(&row) {
            return Some(row - self.columns.start);
        }
        self.below.binary_search(&row).ok().map(|at| at + self.columns.len())
    }
}

impl Layout {
    /// Nothing if the factor has no blocks or is not ordered.
    pub fn new(pattern: &FactorPattern) -> Option<Self> {
        let symbolic = pattern.blocks()?;
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
            .flat_map(|(b, block)| std::iter::repeat_n(b as u32, block.width()))
            .collect();
        let places = pattern.places()?;
        let mut entries = Vec::with_capacity(pattern.row_indices().len());
        for (column, ends) in pattern.column_starts().windows(2).enumerate() {
            for &row in &pattern.row_indices()[ends[0]..ends[1]] {
                let (a, b) = (places[row], places[column]);
                let block = &blocks[block_of[a.min(b)] as usize];
                let row = block.place(a.max(b))?;
                let column = a.min(b) - block.columns.start;
                entries.push(block.values.start + column * block.height() + row);
            }
        }
        Some(Self { blocks, block_of, entries })
    }
}
