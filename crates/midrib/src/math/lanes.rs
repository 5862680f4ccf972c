//! Eight numbers at a time.

use super::simd::fused;

/// Numbers that are worked on at once.
pub(crate) const LANES: usize = 8;
/// Numbers that are worked on at once.
pub(crate) type Lanes = [f64; LANES];

/// Adds a multiple of lanes.
#[inline(always)]
pub(crate) fn add<const FMA: bool>(to: &mut Lanes, factor: f64, from: &Lanes) {
    // Copies, so that all lanes are read before one is written.
    let (mut sums, from) = (*to, *from);
    for lane in 0..LANES {
        sums[lane] = fused::<FMA>(from[lane], factor, sums[lane]);
    }
    *to = sums;
}

/// Adds the products of lanes.
#[inline(always)]
pub(crate) fn add_products<const FMA: bool>(to: &mut Lanes, a: &Lanes, b: &Lanes) {
    let (mut sums, a, b) = (*to, *a, *b);
    for lane in 0..LANES {
        sums[lane] = fused::<FMA>(a[lane], b[lane], sums[lane]);
    }
    *to = sums;
}
