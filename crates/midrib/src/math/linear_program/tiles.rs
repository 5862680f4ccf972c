//! Sums over columns of products of their rows, a few rows and columns at a time, so that the
//! sums stay in registers.

use crate::math::simd::{fused, has_eight_lanes};

/// Rows of the lowest tile; others have two or three times as many where the registers hold their
/// sums. The taller a tile, the more often a number that was read is used.
pub(super) const ROWS: usize = 8;
/// Columns of a tile.
pub(super) const COLUMNS: usize = 4;

/// Columns of one height, one after the other, of which the rows from `first` on count. With
/// `X` these rows, [`Tiles::products`] gives entries of `X Xᵀ`.
#[derive(Clone, Copy)]
pub(super) struct Tiles<'a> {
    pub columns: &'a [f64],
    pub height: usize,
    pub first: usize,
    /// Rows from this on may be given where they do not count, above the diagonal.
    pub least: usize,
}

impl Tiles<'_> {
    /// The first `n_columns` columns of the product's lower triangle: gives number of the column,
    /// the first row, counted from the top of the columns, and the rows from there on, part by part.
    #[inline(always)]
    pub fn products<const FMA: bool>(
        self,
        n_columns: usize,
        mut give: impl FnMut(usize, usize, &[f64]),
    ) {
        let whole = n_columns - n_columns % COLUMNS;
        for column in (0..whole).step_by(COLUMNS) {
            self.products_of::<FMA, COLUMNS>(column, &mut give);
        }
        match n_columns - whole {
            0 => {}
            1 => self.products_of::<FMA, 1>(whole, &mut give),
            2 => self.products_of::<FMA, 2>(whole, &mut give),
            _ => self.products_of::<FMA, 3>(whole, &mut give),
        }
    }

    /// `C` columns of the product, from the diagonal of the first of them down.
    #[inline(always)]
    fn products_of<const FMA: bool, const C: usize>(
        self,
        column: usize,
        give: &mut impl FnMut(usize, usize, &[f64]),
    ) {
        let (diagonal, tallest) = (self.first + column, tallest(C));
        let mut lanes = (self.height - diagonal).div_ceil(ROWS);
        // The first tile reaches up, so that the last one ends with the columns.
        let top = self.height.checked_sub(lanes * ROWS).filter(|top| *top >= self.least);
        let mut row = top.unwrap_or(diagonal);
        while lanes > 0 {
            let own = lanes.min(tallest);
            match (own, top.is_some()) {
                (1, true) => self.whole::<FMA, C, ROWS>(column, row, give),
                (2, true) => self.whole::<FMA, C, { 2 * ROWS }>(column, row, give),
                (_, true) => self.whole::<FMA, C, { 3 * ROWS }>(column, row, give),
                (1, false) => self.part::<FMA, C, ROWS>(column, row, give),
                (2, false) => self.part::<FMA, C, { 2 * ROWS }>(column, row, give),
                (_, false) => self.part::<FMA, C, { 3 * ROWS }>(column, row, give),
            }
            row += own * ROWS;
            lanes -= own;
        }
    }

    /// The products of `C` columns in `R` rows.
    #[inline(always)]
    fn whole<const FMA: bool, const C: usize, const R: usize>(
        self,
        column: usize,
        row: usize,
        give: &mut impl FnMut(usize, usize, &[f64]),
    ) {
        let sums = self.tile::<FMA, C, R>(row, self.first + column);
        for (c, sums) in sums.iter().enumerate() {
            give(column + c, row, sums);
        }
    }

    /// The products of `C` columns in `R` rows, or as many as there are, from the diagonal on.
    #[inline(always)]
    fn part<const FMA: bool, const C: usize, const R: usize>(
        self,
        column: usize,
        row: usize,
        give: &mut impl FnMut(usize, usize, &[f64]),
    ) {
        // The last tile reaches up instead of beyond the end.
        let start = row.min(self.height.saturating_sub(R));
        let skipped = row - start;
        let length = R.min(self.height - row);
        let sums = self.tile::<FMA, C, R>(start, self.first + column);
        for (c, sums) in sums.iter().enumerate() {
            let above = (self.first + column + c).saturating_sub(row).min(length);
            give(column + c, row + above, &sums[skipped + above..skipped + length]);
        }
    }

    #[inline(always)]
    fn tile<const FMA: bool, const C: usize, const R: usize>(
        self,
        start: usize,
        pivot: usize,
    ) -> [[f64; R]; C] {
        // Apart, since numbers of which only some are asked for do not stay in registers.
        if start + R > self.height || pivot + C > self.height {
            return self.short_tile::<FMA, C, R>(start, pivot);
        }
        let mut sums = [[0.0; R]; C];
        for column in self.columns.chunks_exact(self.height) {
            let rows = column[start..].first_chunk::<R>();
            let (Some(rows), Some(factors)) = (rows, column[pivot..].first_chunk::<C>()) else {
                break;
            };
            for c in 0..C {
                for row in 0..R {
                    sums[c][row] = fused::<FMA>(rows[row], factors[c], sums[c][row]);
                }
            }
        }
        sums
    }

    /// A tile that is taller than the columns, or reaches beyond them.
    #[inline(always)]
    fn short_tile<const FMA: bool, const C: usize, const R: usize>(
        self,
        start: usize,
        pivot: usize,
    ) -> [[f64; R]; C] {
        let mut sums = [[0.0; R]; C];
        for column in self.columns.chunks_exact(self.height) {
            for (sums, factor) in sums.iter_mut().zip(&column[pivot..]) {
                for (sum, row) in sums.iter_mut().zip(&column[start..]) {
                    *sum = fused::<FMA>(*row, *factor, *sum);
                }
            }
        }
        sums
    }
}

/// How many times [`ROWS`] a tile of so many columns has at the most: sixteen registers of four
/// numbers hold the sums of eight rows and four columns, 32 registers of eight those of 24 rows.
fn tallest(columns: usize) -> usize {
    if has_eight_lanes() { 3 } else { (COLUMNS / columns).min(3) }
}
