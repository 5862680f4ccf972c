//! Products with short columns that are filled up with zeros, so that loops have no ends.

use crate::math::simd::{fused, short_dot};

/// Columns are filled up to a multiple of this.
pub(super) const LANES: usize = 4;

/// The length of a column that is filled up.
#[inline(always)]
pub(super) fn filled_up(length: usize) -> usize {
    length.next_multiple_of(LANES)
}

/// The sum of multiples of columns, which are filled up from as many numbers as there is room for.
/// The sums stay in registers.
#[inline(always)]
pub(super) fn combine<'c, const FMA: bool>(
    terms: impl Iterator<Item = (f64, &'c [f64])> + Clone,
    to: &mut [f64],
) {
    let mut first = 0;
    while first < to.len() {
        if to.len() - first > LANES {
            put(&lanes::<FMA, { 2 * LANES }>(terms.clone(), first), &mut to[first..]);
            first += 2 * LANES;
        } else {
            put(&lanes::<FMA, LANES>(terms.clone(), first), &mut to[first..]);
            first += LANES;
        }
    }
}

#[inline(always)]
fn lanes<'c, const FMA: bool, const L: usize>(
    terms: impl Iterator<Item = (f64, &'c [f64])>,
    first: usize,
) -> [f64; L] {
    let mut sums = [0.0; L];
    for (factor, column) in terms {
        let column = &column[first..][..L];
        for lane in 0..L {
            sums[lane] = fused::<FMA>(factor, column[lane], sums[lane]);
        }
    }
    sums
}

#[inline(always)]
fn put(sums: &[f64], to: &mut [f64]) {
    to.iter_mut().zip(sums).for_each(|(to, sum)| *to = *sum);
}

/// The product of a column, filled up from this length, with as many of the numbers from `first` on.
/// These must be finite: those after them are multiplied by the zeros.
#[inline(always)]
pub(super) fn dot<const FMA: bool>(
    column: &[f64],
    length: usize,
    numbers: &[f64],
    first: usize,
) -> f64 {
    let Some(numbers) = numbers.get(first..first + column.len()) else {
        return short_dot::<FMA>(&column[..length], &numbers[first..first + length]);
    };
    let mut sums = [0.0; LANES];
    for (a, b) in column.as_chunks::<LANES>().0.iter().zip(numbers.as_chunks::<LANES>().0) {
        for lane in 0..LANES {
            sums[lane] = fused::<FMA>(a[lane], b[lane], sums[lane]);
        }
    }
    (sums[0] + sums[2]) + (sums[1] + sums[3])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn products_are_those_of_plain_loops() {
        let number = |i: usize| (i as f64 * 0.7).sin();
        for length in 0..20 {
            let columns: Vec<Vec<f64>> = (0..5)
                .map(|column| {
                    let mut numbers: Vec<f64> =
                        (0..length).map(|i| number(7 * column + i)).collect();
                    numbers.resize(filled_up(length), 0.0);
                    numbers
                })
                .collect();
            let terms = || (0..5).map(|column| number(99 + column)).zip(columns.iter());
            let mut found = vec![f64::NAN; length];
            combine::<false>(terms().map(|(factor, column)| (factor, &**column)), &mut found);
            for (i, found) in found.iter().enumerate() {
                let expected: f64 = terms().map(|(factor, column)| factor * column[i]).sum();
                assert!((found - expected).abs() < 1e-14, "{length}: {found} {expected}");
            }
            // With numbers after those of the column, and without.
            let numbers: Vec<f64> = (0..length + 3 + LANES).map(number).collect();
            let expected: f64 = columns[0].iter().zip(&numbers[3..]).map(|(a, b)| a * b).sum();
            for end in [length + 3, numbers.len()] {
                let found = dot::<false>(&columns[0], length, &numbers[..end], 3);
                assert!((found - expected).abs() < 1e-14, "{length}: {found} {expected}");
            }
        }
    }
}
