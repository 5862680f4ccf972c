//! Rows compared tile by tile, by bounds on their distances.

use std::ops::{Add, Range};

/// The number of rows that a tile is compared with at once.
pub(super) const OTHERS: usize = 512;

/// The number type of bounds.
pub(super) trait Bound: Copy + Send + PartialOrd + From<f32> + Add<Output = Self> {}

impl Bound for f32 {}
impl Bound for f64 {}

/// Bounds on squared distances, tile by tile.
pub(super) trait Tiles: Sync {
    /// The number type of the bounds, in any unit.
    type Bound: Bound;
    /// Rows per tile.
    const QUERIES: usize;

    /// Computes bounds on the distances from each of `queries` to all of `others`.
    fn bound(&self, queries: Range<usize>, others: Range<usize>, bounds: &mut [Self::Bound]);

    /// The largest squared distance of a row with at most this bound.
    fn within(&self, query: usize, bound: Self::Bound) -> f64;

    /// The largest bound of a row with at most this squared distance.
    fn reach(&self, squared: f64) -> Self::Bound;
}
