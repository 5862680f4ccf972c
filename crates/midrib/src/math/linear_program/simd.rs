//! One source, two machine codes: plain, and for processors with AVX2 and fused products.

/// Work that is worth compiling twice.
pub(super) trait Work {
    /// What the work gives.
    type Output;

    /// Does it; `FMA` says whether `a * b + c` is one instruction. Must be inlined always.
    fn run<const FMA: bool>(self) -> Self::Output;
}

/// Does the work with the widest instructions that the processor has.
pub(super) fn dispatch<W: Work>(work: W) -> W::Output {
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("avx2") && std::arch::is_x86_feature_detected!("fma") {
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

/// `a * b + c`.
#[inline(always)]
pub(super) fn fused<const FMA: bool>(a: f64, b: f64, c: f64) -> f64 {
    if FMA { a.mul_add(b, c) } else { a * b + c }
}

/// The scalar product in eight lanes, in a fixed order.
#[inline(always)]
pub(super) fn dot_lanes<const FMA: bool>(a: &[f64], b: &[f64]) -> f64 {
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

/// The scalar product of short vectors: four lanes and a plain rest.
#[inline(always)]
pub(super) fn short_dot<const FMA: bool>(a: &[f64], b: &[f64]) -> f64 {
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
