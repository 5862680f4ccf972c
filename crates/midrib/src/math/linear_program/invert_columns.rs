//! The columns of one block of a selected inverse.

use crate::math::simd::{Work, dispatch, fused};

/// The recursion of the selected inverse for the columns of one block, one by one from the last:
/// with `l = L[k+1.., k] / L[k, k]`,
///
/// ```text
/// Z[k+1.., k] = −Z[k+1.., k+1..] l,   Z[k, k] = 1 / L[k, k]² − lᵀ Z[k+1.., k]
/// ```
///
/// `whole` is the inverse at all rows of the block, of which those below are known.
pub(crate) struct InvertColumns<'a> {
    pub factor: &'a [f64],
    pub width: usize,
    pub whole: &'a mut [f64],
    /// The entries of the block's columns.
    pub out: &'a mut [f64],
}

impl Work for InvertColumns<'_> {
    type Output = ();

    #[inline(always)]
    fn run<const FMA: bool>(self) {
        let Self { factor, width, whole, out } = self;
        let height = out.len() / width;
        for k in (0..width).rev() {
            let column = &factor[k * height..][..height];
            let pivot = 1.0 / column[k];
            let column = &column[k + 1..];
            let (left, right) = whole.split_at_mut((k + 1) * height);
            let found = &mut left[k * height..];
            let below = &mut found[k + 1..];
            below.fill(0.0);
            let known = &right[..column.len() * height];
            let mut fours = known.chunks_exact(4 * height);
            let mut factors = column.chunks_exact(4);
            for (four, by) in (&mut fours).zip(&mut factors) {
                let (a, b) = four.split_at(2 * height);
                let ((a, b), (c, d)) = (a.split_at(height), b.split_at(height));
                let (a, b, c, d) = (&a[k + 1..], &b[k + 1..], &c[k + 1..], &d[k + 1..]);
                for ((((to, a), b), c), d) in below.iter_mut().zip(a).zip(b).zip(c).zip(d) {
                    let first = fused::<FMA>(*b, by[1], fused::<FMA>(*a, by[0], *to));
                    *to = fused::<FMA>(*d, by[3], fused::<FMA>(*c, by[2], first));
                }
            }
            for (one, by) in fours.remainder().chunks_exact(height).zip(factors.remainder()) {
                for (to, x) in below.iter_mut().zip(&one[k + 1..]) {
                    *to = fused::<FMA>(*x, *by, *to);
                }
            }
            let mut own = pivot;
            for (below, l) in below.iter_mut().zip(column) {
                *below *= -pivot;
                own = fused::<FMA>(-*l, *below, own);
            }
            found[k] = own * pivot;
            let found = &found[k..];
            for (x, row) in found[1..].iter().zip(right.chunks_exact_mut(height)) {
                row[k] = *x;
            }
            out[k * height + k..][..found.len()].copy_from_slice(found);
        }
    }
}

/// See [`InvertColumns`].
pub(crate) fn invert_columns(work: InvertColumns<'_>) {
    dispatch(work);
}
