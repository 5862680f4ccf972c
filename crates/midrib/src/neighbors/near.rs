//! The smallest of many bounds, in lanes.

use super::tiles::{Bound, OTHERS};
use crate::math::simd::Work;

/// The number of lanes; also the number of groups that share one minimum.
pub(super) const GROUP: usize = 8;
/// The number of such minima.
const SHARES: usize = OTHERS / GROUP / GROUP;

/// The largest bound.
pub(super) fn infinity<B: Bound>() -> B {
    B::from(f32::INFINITY)
}

/// A threshold that at least `k`, and hardly more, of the bounds do not exceed.
pub(super) struct Far<'a, B> {
    pub bounds: &'a [B],
    pub k: usize,
}

impl<B: Bound> Work for Far<'_, B> {
    type Output = B;

    #[inline(always)]
    fn run<const FMA: bool>(self) -> B {
        let groups = self.bounds.as_chunks::<GROUP>().0;
        // The minimum of each lane over several groups.
        let mut least = [[infinity(); GROUP]; SHARES];
        for (least, groups) in least.iter_mut().zip(groups.chunks(GROUP)) {
            for group in groups {
                *least = lesser(least, group);
            }
        }
        // Twice as many minima as wanted rows are enough.
        if self.k <= SHARES * GROUP / 4 {
            let half = SHARES / 2;
            let lesser = |at: usize| lesser(&least[at], &least[half + at]);
            kth::<B, { SHARES / 2 }>(&std::array::from_fn(lesser), self.k)
        } else {
            kth(&least, self.k)
        }
    }
}

/// Finds the rows whose bounds are at most `reach`, and counts them.
pub(super) struct Near<'a, B> {
    pub bounds: &'a [B],
    pub reach: B,
    pub near: &'a mut [u32; OTHERS],
}

impl<B: Bound> Work for Near<'_, B> {
    type Output = usize;

    #[inline(always)]
    fn run<const FMA: bool>(self) -> usize {
        let Self { bounds, reach, near } = self;
        let (groups, rest) = bounds.as_chunks::<GROUP>();
        let mut count = 0;
        let mut note = |at: usize, bound: B| {
            near[count] = at as u32;
            count += usize::from(bound <= reach);
        };
        for (at, group) in groups.iter().enumerate() {
            let mut is_near = false;
            for bound in group {
                is_near |= *bound <= reach;
            }
            if is_near {
                (at * GROUP..).zip(group).for_each(|(at, bound)| note(at, *bound));
            }
        }
        (groups.len() * GROUP..).zip(rest).for_each(|(at, bound)| note(at, *bound));
        count
    }
}

#[inline(always)]
fn lesser<B: Bound>(a: &[B; GROUP], b: &[B; GROUP]) -> [B; GROUP] {
    let (mut lesser, b) = (*a, *b);
    for lane in 0..GROUP {
        lesser[lane] = if b[lane] < lesser[lane] { b[lane] } else { lesser[lane] };
    }
    lesser
}

/// The `k`-th smallest value; infinite if there are fewer than `k`.
#[inline(always)]
fn kth<B: Bound, const S: usize>(values: &[[B; GROUP]; S], k: usize) -> B {
    if S * GROUP < k {
        return infinity();
    }
    let (zero, one, k) = (B::from(0.0), B::from(1.0), B::from(k as f32));
    let mut below = [[zero; GROUP]; S];
    for value in values.as_flattened() {
        for (below, values) in below.iter_mut().zip(values) {
            for lane in 0..GROUP {
                below[lane] = below[lane] + if *value < values[lane] { one } else { zero };
            }
        }
    }
    let mut largest = [B::from(f32::NEG_INFINITY); GROUP];
    for (below, values) in below.iter().zip(values) {
        let mut counting = *values;
        for lane in 0..GROUP {
            counting[lane] = if below[lane] < k { counting[lane] } else { largest[lane] };
        }
        for lane in 0..GROUP {
            largest[lane] =
                if counting[lane] > largest[lane] { counting[lane] } else { largest[lane] };
        }
    }
    largest.into_iter().fold(largest[0], |most, x| if x > most { x } else { most })
}
