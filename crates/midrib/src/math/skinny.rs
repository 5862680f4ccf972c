//! Products of matrices with one short side, in few dimensions faster than a general product.
//!
//! All matrices are row-major, and the long side is a multiple of [`LANES`].

use super::simd::{Work, dispatch, fused};

/// The long side comes in multiples of this.
pub(crate) const LANES: usize = 8;
/// Rows that are worked on together.
const ROWS: usize = 4;

/// `out = left · right` for `left` n×w, `right` w×c.
pub(crate) fn multiply(left: &[f64], right: &[f64], width: usize, out: &mut [f64]) {
    dispatch(Multiply { left, right, width, out });
}

/// `out += leftᵀ · right` for `left` n×w, `right` n×c, `out` w×c.
pub(crate) fn accumulate(left: &[f64], right: &[f64], width: usize, out: &mut [f64]) {
    dispatch(Accumulate { left, right, width, out });
}

struct Multiply<'m> {
    left: &'m [f64],
    right: &'m [f64],
    width: usize,
    out: &'m mut [f64],
}

impl Work for Multiply<'_> {
    type Output = ();

    #[inline(always)]
    fn run<const FMA: bool>(self) {
        let Self { left, right, width, out } = self;
        let columns = right.len() / width;
        let fours = left.len() / (ROWS * width) * ROWS;
        let (left, left_rest) = left.split_at(fours * width);
        let (out, out_rest) = out.split_at_mut(fours * columns);
        for (left, out) in left.chunks_exact(ROWS * width).zip(out.chunks_exact_mut(ROWS * columns))
        {
            multiply_rows::<FMA, ROWS>(left, right, width, out);
        }
        for (left, out) in left_rest.chunks_exact(width).zip(out_rest.chunks_exact_mut(columns)) {
            multiply_rows::<FMA, 1>(left, right, width, out);
        }
    }
}

struct Accumulate<'m> {
    left: &'m [f64],
    right: &'m [f64],
    width: usize,
    out: &'m mut [f64],
}

impl Work for Accumulate<'_> {
    type Output = ();

    #[inline(always)]
    fn run<const FMA: bool>(self) {
        let Self { left, right, width, out } = self;
        let columns = out.len() / width;
        let fours = left.len() / (ROWS * width) * ROWS;
        let (left, left_rest) = left.split_at(fours * width);
        let (right, right_rest) = right.split_at(fours * columns);
        for (left, right) in left.chunks_exact(ROWS * width).zip(right.chunks_exact(ROWS * columns))
        {
            accumulate_rows::<FMA, ROWS>(left, right, width, out);
        }
        for (left, right) in left_rest.chunks_exact(width).zip(right_rest.chunks_exact(columns)) {
            accumulate_rows::<FMA, 1>(left, right, width, out);
        }
    }
}

/// `R` rows at once, their sums in registers.
#[inline(always)]
fn multiply_rows<const FMA: bool, const R: usize>(
    left: &[f64],
    right: &[f64],
    width: usize,
    out: &mut [f64],
) {
    let columns = right.len() / width;
    for start in (0..columns).step_by(LANES) {
        let mut sums = [[0.0; LANES]; R];
        for d in 0..width {
            let right = lanes(right, d * columns + start);
            for (r, sum) in sums.iter_mut().enumerate() {
                add_product::<FMA>(sum, left[r * width + d], right);
            }
        }
        for (r, sum) in sums.iter().enumerate() {
            out[r * columns + start..][..LANES].copy_from_slice(sum);
        }
    }
}

/// `R` rows at once, held in registers.
#[inline(always)]
fn accumulate_rows<const FMA: bool, const R: usize>(
    left: &[f64],
    right: &[f64],
    width: usize,
    out: &mut [f64],
) {
    let columns = out.len() / width;
    for start in (0..columns).step_by(LANES) {
        let mut held = [[0.0; LANES]; R];
        for (r, held) in held.iter_mut().enumerate() {
            *held = *lanes(right, r * columns + start);
        }
        for d in 0..width {
            let mut sum = *lanes(out, d * columns + start);
            for (r, held) in held.iter().enumerate() {
                add_product::<FMA>(&mut sum, left[r * width + d], held);
            }
            out[d * columns + start..][..LANES].copy_from_slice(&sum);
        }
    }
}

#[inline(always)]
fn add_product<const FMA: bool>(sum: &mut [f64; LANES], factor: f64, values: &[f64; LANES]) {
    for (sum, value) in sum.iter_mut().zip(values) {
        *sum = fused::<FMA>(factor, *value, *sum);
    }
}

#[inline(always)]
fn lanes(values: &[f64], start: usize) -> &[f64; LANES] {
    values[start..].first_chunk().unwrap_or(&[0.0; LANES])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_products_agree_with_their_definition() {
        for (n, width, columns) in [(1, 2, 8), (4, 4, 16), (7, 3, 24), (9, 9, 8)] {
            let value = |i: usize, seed: usize| ((i * 37 + seed * 11) % 19) as f64 - 9.0;
            let left: Vec<f64> = (0..n * width).map(|i| value(i, 1)).collect();
            let wide: Vec<f64> = (0..width * columns).map(|i| value(i, 2)).collect();
            let tall: Vec<f64> = (0..n * columns).map(|i| value(i, 3)).collect();
            let mut product = vec![7.0; n * columns];
            let mut sum = vec![1.0; width * columns];
            multiply(&left, &wide, width, &mut product);
            accumulate(&left, &tall, width, &mut sum);
            for i in 0..n {
                for j in 0..columns {
                    let expected: f64 =
                        (0..width).map(|d| left[i * width + d] * wide[d * columns + j]).sum();
                    assert_eq!(product[i * columns + j], expected);
                }
            }
            for d in 0..width {
                for j in 0..columns {
                    let expected: f64 =
                        (0..n).map(|i| left[i * width + d] * tall[i * columns + j]).sum();
                    assert_eq!(sum[d * columns + j], 1.0 + expected);
                }
            }
        }
    }
}
