//! Cache-line-aligned `[f64; 8]`.

use std::ops::{Deref, DerefMut};

use super::simd::fused;

/// Numbers that are worked on at once.
pub(crate) const LANES: usize = 8;
/// Numbers that are worked on at once.
pub(crate) type Lanes = [f64; LANES];

/// Lanes, at first all 0.
#[derive(Default)]
pub(crate) struct AlignedLanes {
    /// One more than needed, so that the first can start at a cache line.
    numbers: Vec<f64>,
    start: usize,
    length: usize,
}

impl AlignedLanes {
    pub fn new(length: usize) -> Self {
        let numbers = vec![0.0; (length + 1) * LANES];
        let start = numbers.as_ptr().align_offset(size_of::<Lanes>()).min(LANES);
        Self { numbers, start, length }
    }
}

impl Deref for AlignedLanes {
    type Target = [Lanes];

    #[inline(always)]
    fn deref(&self) -> &[Lanes] {
        self.numbers[self.start..][..self.length * LANES].as_chunks().0
    }
}

impl DerefMut for AlignedLanes {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut [Lanes] {
        self.numbers[self.start..][..self.length * LANES].as_chunks_mut().0
    }
}

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lanes_start_with_a_cache_line() {
        for length in [0, 1, 7, 1000] {
            let mut lanes = AlignedLanes::new(length);
            assert_eq!(lanes.len(), length);
            assert!((lanes.as_ptr() as usize).is_multiple_of(size_of::<Lanes>()) || length == 0);
            lanes.fill([2.0; LANES]);
            assert!(lanes.as_flattened().iter().all(|x| *x == 2.0));
        }
    }
}
