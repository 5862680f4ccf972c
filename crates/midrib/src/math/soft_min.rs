//! The exponentials of a soft minimum, one row of negated, scaled distances at a time.
//!
//! The row's largest entry is subtracted first, so that a row never underflows as a whole
//! however far its point is from every node.

use super::simd::{self, Work, dispatch};

/// What a row of logits sums to: `Σ exp(logit) = exp(max) · sum`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SoftMax {
    /// The largest logit.
    pub max: f64,
    /// The sum of `exp(logit − max)`, at least 1.
    pub sum: f64,
}

impl SoftMax {
    /// The logarithm of the sum of exponentials.
    pub fn log_sum(&self) -> f64 {
        self.max + self.sum.ln()
    }
}

/// Replaces each logit by `exp(logit − max)`, and by 0 where that is below `exp(−cutoff)`.
///
/// ```
/// use midrib::math::soft_max_in_place;
/// let mut row = [-1000.0, -1000.0, -5000.0];
/// let total = soft_max_in_place(&mut row, 40.0);
/// assert_eq!(row, [1.0, 1.0, 0.0]);
/// assert_eq!((total.max, total.sum), (-1000.0, 2.0));
/// ```
pub fn soft_max_in_place(row: &mut [f64], cutoff: f64) -> SoftMax {
    dispatch(SoftMaxRow { row, cutoff })
}

struct SoftMaxRow<'r> {
    row: &'r mut [f64],
    cutoff: f64,
}

impl Work for SoftMaxRow<'_> {
    type Output = SoftMax;

    #[inline(always)]
    fn run<const FMA: bool>(self) -> SoftMax {
        soft_max::<FMA>(self.row, self.cutoff)
    }
}

/// Replaces each x, which is at most 0, by exp(x), and by 0 where that is below exp(−708).
pub(crate) fn exp_in_place(row: &mut [f64]) {
    dispatch(ExpRow(row));
}

struct ExpRow<'r>(&'r mut [f64]);

impl Work for ExpRow<'_> {
    type Output = ();

    #[inline(always)]
    fn run<const FMA: bool>(self) {
        exp_all::<FMA>(self.0);
    }
}

/// Independent partial results per row, enough to keep the vector units busy.
const LANES: usize = 8;

#[inline(always)]
fn soft_max<const FMA: bool>(row: &mut [f64], cutoff: f64) -> SoftMax {
    let mut maxima = [f64::NEG_INFINITY; LANES];
    let mut chunks = row.chunks_exact(LANES);
    for chunk in &mut chunks {
        for (max, &x) in maxima.iter_mut().zip(chunk) {
            *max = if x > *max { x } else { *max };
        }
    }
    let tail = chunks.remainder().iter().copied();
    let max = maxima.into_iter().chain(tail).fold(f64::NEG_INFINITY, f64::max);

    let lowest = -cutoff.min(LARGEST_EXPONENT);
    let mut sums = [0.0; LANES];
    let (chunks, tail) = row.as_chunks_mut::<LANES>();
    for chunk in chunks {
        *chunk = shifted_exponentials::<FMA>(*chunk, max, lowest);
        for (sum, x) in sums.iter_mut().zip(chunk) {
            *sum += *x;
        }
    }
    let mut sum: f64 = sums.into_iter().sum();
    if !tail.is_empty() {
        let mut padded = [f64::NEG_INFINITY; LANES];
        padded[..tail.len()].copy_from_slice(tail);
        let exponentials = shifted_exponentials::<FMA>(padded, max, lowest);
        tail.copy_from_slice(&exponentials[..tail.len()]);
        sum += tail.iter().sum::<f64>();
    }
    SoftMax { max, sum }
}

#[inline(always)]
fn exp_all<const FMA: bool>(row: &mut [f64]) {
    let (chunks, tail) = row.as_chunks_mut::<LANES>();
    for chunk in chunks {
        *chunk = shifted_exponentials::<FMA>(*chunk, 0.0, -LARGEST_EXPONENT);
    }
    let mut padded = [0.0; LANES];
    padded[..tail.len()].copy_from_slice(tail);
    let exponentials = shifted_exponentials::<FMA>(padded, 0.0, -LARGEST_EXPONENT);
    tail.copy_from_slice(&exponentials[..tail.len()]);
}

/// exp(x − max), and 0 where x − max is below `lowest`.
#[inline(always)]
fn shifted_exponentials<const FMA: bool>(x: [f64; LANES], max: f64, lowest: f64) -> [f64; LANES] {
    let mut shifted = [0.0; LANES];
    let mut clamped = [0.0; LANES];
    for lane in 0..LANES {
        shifted[lane] = x[lane] - max;
        clamped[lane] = if shifted[lane] < lowest { lowest } else { shifted[lane] };
    }
    let mut exponentials = exp_nonpositive::<FMA>(clamped);
    for lane in 0..LANES {
        exponentials[lane] = if shifted[lane] < lowest { 0.0 } else { exponentials[lane] };
    }
    exponentials
}

/// Beyond this `exp(−x)` would be subnormal.
const LARGEST_EXPONENT: f64 = 708.0;

/// exp(x) for −708 ≤ x ≤ 0 to 2 units in the last place, lane by lane so that it vectorizes:
/// x = n·ln 2 + r, and a polynomial that interpolates exp at the Chebyshev nodes of
/// |r| ≤ ln 2 / 2 (relative error 1.7e-17 before rounding).
#[inline(always)]
fn exp_nonpositive<const FMA: bool>(x: [f64; LANES]) -> [f64; LANES] {
    /// Adding this rounds to an integer and leaves it in the low bits.
    const ROUND: f64 = 6_755_399_441_055_744.0;
    const LN_2_HIGH: f64 = 6.931_471_803_691_238e-1;
    const LN_2_LOW: f64 = 1.908_214_929_270_587_7e-10;
    const COEFFICIENTS: [f64; 12] = [
        2.511_004_920_481_865_8e-8,
        2.763_265_472_252_779e-7,
        2.755_724_088_722_987e-6,
        2.480_148_544_156_131_3e-5,
        1.984_126_989_007_640_3e-4,
        1.388_888_895_235_286_3e-3,
        8.333_333_333_319_589e-3,
        4.166_666_666_648_795e-2,
        1.666_666_666_666_668e-1,
        5.000_000_000_000_019e-1,
        1.0,
        1.0,
    ];
    let shifted = fused::<FMA>(x, [std::f64::consts::LOG2_E; LANES], [ROUND; LANES]);
    let mut n = [0.0; LANES];
    for lane in 0..LANES {
        n[lane] = shifted[lane] - ROUND;
    }
    let r = fused::<FMA>(n, [-LN_2_HIGH; LANES], x);
    let r = fused::<FMA>(n, [-LN_2_LOW; LANES], r);
    let mut exp = [COEFFICIENTS[0]; LANES];
    for c in &COEFFICIENTS[1..] {
        exp = fused::<FMA>(exp, r, [*c; LANES]);
    }
    for lane in 0..LANES {
        exp[lane] *= f64::from_bits(shifted[lane].to_bits().wrapping_add(1023) << 52);
    }
    exp
}

/// a·b + c in each lane.
#[inline(always)]
fn fused<const FMA: bool>(a: [f64; LANES], b: [f64; LANES], c: [f64; LANES]) -> [f64; LANES] {
    let mut out = [0.0; LANES];
    for lane in 0..LANES {
        out[lane] = simd::fused::<FMA>(a[lane], b[lane], c[lane]);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exponentials_agree_with_the_standard_library() {
        let mut worst: f64 = 0.0;
        for i in 0..200_000 {
            let x = -708.0 * f64::from(i) / 200_000.0;
            for ours in
                [exp_nonpositive::<true>([x; LANES])[0], exp_nonpositive::<false>([x; LANES])[0]]
            {
                worst = worst.max((ours / x.exp() - 1.0).abs());
            }
        }
        assert!(worst < 5e-16, "{worst}");
        assert_eq!(exp_nonpositive::<true>([0.0; LANES]), [1.0; LANES]);
    }

    #[test]
    fn both_code_paths_give_the_softmax() {
        let logits: Vec<f64> = (0..37).map(|i| -f64::from(i * i % 23) * 3.0 - 900.0).collect();
        let max = logits.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let sum: f64 = logits.iter().map(|x| (x - max).exp()).sum();
        for found in [
            soft_max_in_place(&mut logits.clone(), 700.0),
            soft_max::<false>(&mut logits.clone(), 700.0),
        ] {
            assert_eq!(found.max, max);
            assert!((found.sum / sum - 1.0).abs() < 1e-15);
        }
    }

    #[test]
    fn exponentials_alone() {
        let row: Vec<f64> = (0..21).map(|i| -f64::from(i * i) * 3.0).collect();
        let (mut fast, mut plain) = (row.clone(), row.clone());
        exp_in_place(&mut fast);
        exp_all::<false>(&mut plain);
        for ((x, fast), plain) in row.iter().zip(fast).zip(plain) {
            let expected = if *x < -708.0 { 0.0 } else { x.exp() };
            assert!((fast - expected).abs() <= 1e-15 * expected, "{x}");
            assert!((plain - expected).abs() <= 1e-15 * expected, "{x}");
        }
    }

    #[test]
    fn entries_below_the_cutoff_vanish() {
        let mut row = vec![0.0, -19.0, -21.0];
        soft_max_in_place(&mut row, 20.0);
        assert_eq!(row[2], 0.0);
        assert!((row[1] - (-19.0_f64).exp()).abs() < 1e-22);
    }
}
