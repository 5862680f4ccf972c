//! One source, three machine codes: plain, and for processors with fused products and vectors of
//! four or eight numbers, AVX2 and AVX-512.

/// Work that is worth compiling three times.
pub(crate) trait Work {
    /// What the work gives.
    type Output;

    /// Does it; `FMA` says whether `a * b + c` is one instruction. Must be inlined always.
    fn run<const FMA: bool>(self) -> Self::Output;
}

/// Whether [`dispatch`] works on eight numbers at once, in 32 registers of these.
#[cfg(target_arch = "x86_64")]
pub(crate) fn has_eight_lanes() -> bool {
    std::arch::is_x86_feature_detected!("avx512f")
        && std::arch::is_x86_feature_detected!("avx512dq")
        && std::arch::is_x86_feature_detected!("avx512vl")
}

/// Whether [`dispatch`] works on eight numbers at once, in 32 registers of these.
#[cfg(not(target_arch = "x86_64"))]
pub(crate) fn has_eight_lanes() -> bool {
    false
}

/// Does the work with the widest instructions that the processor has.
pub(crate) fn dispatch<W: Work>(work: W) -> W::Output {
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("avx2") && std::arch::is_x86_feature_detected!("fma") {
        if has_eight_lanes() {
            // SAFETY: the processor has just been found to have all features.
            return unsafe { with_avx512(work) };
        }
        // SAFETY: the processor has just been found to have both features.
        return unsafe { with_avx2(work) };
    }
    work.run::<false>()
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma")]
fn with_avx2<W: Work>(work: W) -> W::Output {
    work.run::<true>()
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512dq,avx512vl,avx2,fma")]
fn with_avx512<W: Work>(work: W) -> W::Output {
    work.run::<true>()
}

/// `a * b + c`.
#[inline(always)]
pub(crate) fn fused<const FMA: bool>(a: f64, b: f64, c: f64) -> f64 {
    if FMA { a.mul_add(b, c) } else { a * b + c }
}

/// The sum of eight lanes. Not inlined: the compiler would break up the lanes before this.
#[inline(never)]
pub(crate) fn sum(lanes: &[f64; 8]) -> f64 {
    ((lanes[0] + lanes[4]) + (lanes[2] + lanes[6]))
        + ((lanes[1] + lanes[5]) + (lanes[3] + lanes[7]))
}

/// Adds a multiple of a vector.
#[inline(always)]
pub(crate) fn add<const FMA: bool>(factor: f64, from: &[f64], to: &mut [f64]) {
    to.iter_mut().zip(from).for_each(|(to, from)| *to = fused::<FMA>(factor, *from, *to));
}

/// Adds multiples of vectors as long as `to`, one after the other, four of them at a time.
#[inline(always)]
pub(crate) fn add_multiples<'v, const FMA: bool>(
    mut terms: impl Iterator<Item = (f64, &'v [f64])>,
    to: &mut [f64],
) {
    loop {
        match [terms.next(), terms.next(), terms.next(), terms.next()] {
            [Some((f, a)), Some((g, b)), Some((h, c)), Some((i, d))] => {
                for ((((to, a), b), c), d) in to.iter_mut().zip(a).zip(b).zip(c).zip(d) {
                    let two = fused::<FMA>(g, *b, fused::<FMA>(f, *a, *to));
                    *to = fused::<FMA>(i, *d, fused::<FMA>(h, *c, two));
                }
            }
            rest => {
                rest.into_iter().flatten().for_each(|(f, from)| add::<FMA>(f, from, to));
                return;
            }
        }
    }
}

/// The number of the least value, the first of equals; none if all are infinite.
#[inline(always)]
pub(crate) fn position_of_least(values: &[f64]) -> Option<usize> {
    let mut lanes = [f64::INFINITY; 8];
    let (chunks, rest) = values.as_chunks::<8>();
    for chunk in chunks {
        for lane in 0..8 {
            lanes[lane] = if chunk[lane] < lanes[lane] { chunk[lane] } else { lanes[lane] };
        }
    }
    let least = lanes.iter().chain(rest).copied().fold(f64::INFINITY, f64::min);
    if least == f64::INFINITY {
        return None;
    }
    let holds = |chunk: &[f64; 8]| chunk.iter().fold(false, |found, x| found | (*x == least));
    let start = 8 * chunks.iter().position(holds).unwrap_or(chunks.len());
    let within = values[start..].iter().position(|x| *x == least)?;
    Some(start + within)
}

/// The largest value, in eight lanes; minus infinity of nothing.
pub(crate) fn largest(values: &[f64]) -> f64 {
    let mut lanes = [f64::NEG_INFINITY; 8];
    let (chunks, rest) = values.as_chunks::<8>();
    for chunk in chunks {
        for lane in 0..8 {
            lanes[lane] = if chunk[lane] > lanes[lane] { chunk[lane] } else { lanes[lane] };
        }
    }
    lanes.iter().chain(rest).copied().fold(f64::NEG_INFINITY, f64::max)
}

/// The largest absolute value, in eight lanes; 0 of nothing.
pub(crate) fn largest_size(values: &[f64]) -> f64 {
    let mut lanes = [0.0; 8];
    let (chunks, rest) = values.as_chunks::<8>();
    for chunk in chunks {
        for lane in 0..8 {
            let size = chunk[lane].abs();
            lanes[lane] = if size > lanes[lane] { size } else { lanes[lane] };
        }
    }
    lanes.into_iter().chain(rest.iter().map(|x| x.abs())).fold(0.0, f64::max)
}

/// Whether no value is infinite or NaN, many at a time.
pub(crate) fn all_finite(values: &[f64]) -> bool {
    let finite = |chunk: &[f64]| chunk.iter().fold(true, |all, x| all & x.is_finite());
    values.chunks(64).all(finite)
}

/// The scalar product in eight lanes, in a fixed order.
#[inline(always)]
pub(crate) fn dot_lanes<const FMA: bool>(a: &[f64], b: &[f64]) -> f64 {
    let mut lanes = [0.0; 8];
    let (a_chunks, b_chunks) = (a.chunks_exact(8), b.chunks_exact(8));
    let (a_rest, b_rest) = (a_chunks.remainder(), b_chunks.remainder());
    for (a, b) in a_chunks.zip(b_chunks) {
        for lane in 0..8 {
            lanes[lane] = fused::<FMA>(a[lane], b[lane], lanes[lane]);
        }
    }
    for (lane, (a, b)) in lanes.iter_mut().zip(a_rest.iter().zip(b_rest)) {
        *lane = fused::<FMA>(*a, *b, *lane);
    }
    ((lanes[0] + lanes[4]) + (lanes[2] + lanes[6]))
        + ((lanes[1] + lanes[5]) + (lanes[3] + lanes[7]))
}

/// The scalar product of long vectors.
pub(crate) fn dot_in_lanes(a: &[f64], b: &[f64]) -> f64 {
    struct Dot<'a>(&'a [f64], &'a [f64]);

    impl Work for Dot<'_> {
        type Output = f64;

        #[inline(always)]
        fn run<const FMA: bool>(self) -> f64 {
            dot_lanes::<FMA>(self.0, self.1)
        }
    }

    dispatch(Dot(a, b))
}

/// The squared distance of points in many dimensions, with the same bits on every machine.
pub(crate) fn squared_distance_in_lanes(a: &[f64], b: &[f64]) -> f64 {
    struct Squared<'a>(&'a [f64], &'a [f64]);

    impl Work for Squared<'_> {
        type Output = f64;

        #[inline(always)]
        fn run<const FMA: bool>(self) -> f64 {
            let (a_chunks, a_rest) = self.0.as_chunks::<16>();
            let (b_chunks, b_rest) = self.1.as_chunks::<16>();
            let mut lanes = [0.0; 16];
            for (a, b) in a_chunks.iter().zip(b_chunks) {
                for lane in 0..16 {
                    let gap = a[lane] - b[lane];
                    lanes[lane] += gap * gap;
                }
            }
            let rest = plain_squared_distance(a_rest, b_rest);
            lanes.iter().fold(rest, |sum, lane| sum + lane)
        }
    }

    dispatch(Squared(a, b))
}

/// The squared distance of points in few dimensions: four lanes and a plain rest.
#[inline(always)]
pub(crate) fn short_squared_distance<const FMA: bool>(a: &[f64], b: &[f64]) -> f64 {
    let (mut lanes, mut rest) = ([0.0; 4], 0.0);
    let (a_chunks, a_rest) = a.as_chunks::<4>();
    let (b_chunks, b_rest) = b.as_chunks::<4>();
    for (a, b) in a_rest.iter().zip(b_rest) {
        rest = fused::<FMA>(a - b, a - b, rest);
    }
    for (a, b) in a_chunks.iter().zip(b_chunks) {
        for lane in 0..4 {
            let gap = a[lane] - b[lane];
            lanes[lane] = fused::<FMA>(gap, gap, lanes[lane]);
        }
    }
    (lanes[0] + lanes[2]) + (lanes[1] + lanes[3]) + rest
}

/// The same without fused products, hence with the same bits on every machine.
#[inline(always)]
pub(crate) fn plain_squared_distance(a: &[f64], b: &[f64]) -> f64 {
    short_squared_distance::<false>(a, b)
}

/// The scalar product of short vectors: four lanes and a plain rest.
#[inline(always)]
pub(crate) fn short_dot<const FMA: bool>(a: &[f64], b: &[f64]) -> f64 {
    let mut lanes = [0.0; 4];
    let mut rest = 0.0;
    let (a_chunks, b_chunks) = (a.chunks_exact(4), b.chunks_exact(4));
    for (a, b) in a_chunks.remainder().iter().zip(b_chunks.remainder()) {
        rest = fused::<FMA>(*a, *b, rest);
    }
    for (a, b) in a_chunks.zip(b_chunks) {
        for lane in 0..4 {
            lanes[lane] = fused::<FMA>(a[lane], b[lane], lanes[lane]);
        }
    }
    (lanes[0] + lanes[2]) + (lanes[1] + lanes[3]) + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn searches_agree_with_plain_ones() {
        for n in 0..70 {
            let value = |i: usize| (f64::from(i as u32 * 7 % 13) - 6.0) / 3.0;
            let mut values: Vec<f64> = (0..n).map(value).collect();
            let least = (0..n).min_by(|&a, &b| values[a].total_cmp(&values[b]).then(a.cmp(&b)));
            assert_eq!(position_of_least(&values), least);
            assert_eq!(largest(&values), values.iter().copied().fold(f64::NEG_INFINITY, f64::max));
            assert_eq!(largest_size(&values), values.iter().fold(0.0, |most, x| x.abs().max(most)));
            assert!(all_finite(&values));
            for (at, odd) in [(n / 2, f64::NAN), (n / 3, f64::INFINITY)] {
                if let Some(value) = values.get_mut(at) {
                    *value = odd;
                    assert!(!all_finite(&values));
                }
            }
            values.fill(f64::INFINITY);
            assert_eq!(position_of_least(&values), None);
        }
    }

    #[test]
    fn several_multiples_are_added_like_one_after_the_other() {
        for n_terms in 0..10 {
            let value = |i: usize| (i as f64 * 1.7).sin();
            let rows: Vec<Vec<f64>> =
                (0..n_terms).map(|r| (0..11).map(|i| value(r * 11 + i)).collect()).collect();
            let terms = || rows.iter().enumerate().map(|(r, row)| (value(r + 99), row.as_slice()));
            let (mut together, mut single) = (vec![0.5; 11], vec![0.5; 11]);
            add_multiples::<false>(terms(), &mut together);
            terms().for_each(|(factor, row)| add::<false>(factor, row, &mut single));
            assert_eq!(together, single);
        }
    }
}
