//! Squared distances in rows padded with zeros.

use crate::math::simd::Work;

/// Coordinates are padded with zeros to a multiple of this and summed in this many lanes.
pub(super) const LANES: usize = 4;

/// The squared distance from `x` to a segment, and the position on it.
pub(super) struct ToSegment<'s> {
    pub x: &'s [f64],
    pub a: &'s [f64],
    pub b: &'s [f64],
    /// 1 / length², or 0 if that is not finite.
    pub inverse_square: f64,
}

impl Work for ToSegment<'_> {
    type Output = (f64, f64);

    #[inline(always)]
    fn run<const FMA: bool>(self) -> (f64, f64) {
        let Self { x, a, b, inverse_square } = self;
        let t = dot_of_differences(x, a, b) * inverse_square;
        if t <= 0.0 {
            (squared_distance(x, a), 0.0)
        } else if t >= 1.0 {
            (squared_distance(x, b), 1.0)
        } else {
            (squared_distance_inside(x, a, b, t), t)
        }
    }
}

#[inline(always)]
pub(super) fn squared_distance(x: &[f64], y: &[f64]) -> f64 {
    let mut lanes = [0.0; LANES];
    for (x, y) in x.chunks_exact(LANES).zip(y.chunks_exact(LANES)) {
        for l in 0..LANES {
            let offset = x[l] - y[l];
            lanes[l] += offset * offset;
        }
    }
    sum(lanes)
}

/// (x − a)·(b − a)
#[inline(always)]
fn dot_of_differences(x: &[f64], a: &[f64], b: &[f64]) -> f64 {
    let mut lanes = [0.0; LANES];
    let chunks = x.chunks_exact(LANES).zip(a.chunks_exact(LANES));
    for ((x, a), b) in chunks.zip(b.chunks_exact(LANES)) {
        for l in 0..LANES {
            lanes[l] += (x[l] - a[l]) * (b[l] - a[l]);
        }
    }
    sum(lanes)
}

/// The squared distance from `x` to the position `t` between `a` and `b`.
#[inline(always)]
fn squared_distance_inside(x: &[f64], a: &[f64], b: &[f64], t: f64) -> f64 {
    let mut lanes = [0.0; LANES];
    let chunks = x.chunks_exact(LANES).zip(a.chunks_exact(LANES));
    for ((x, a), b) in chunks.zip(b.chunks_exact(LANES)) {
        for l in 0..LANES {
            let offset = (x[l] - a[l]) - t * (b[l] - a[l]);
            lanes[l] += offset * offset;
        }
    }
    sum(lanes)
}

#[inline(always)]
fn sum(lanes: [f64; LANES]) -> f64 {
    (lanes[0] + lanes[2]) + (lanes[1] + lanes[3])
}
