//! Solves with the dense columns of a front, a few columns at a time.
//!
//! Chunks of rows end with the last one, so that few are left over: the topmost chunk may reach above
//! the diagonal. What stands there in the columns is arbitrary, but finite: `forward` puts it where
//! nothing is read, `backward` multiplies it by the zeros of `whole`.

use crate::math::lanes::{LANES, Lanes, add, add_products};
use crate::math::simd::{fused, sum};

/// Columns that are handled at once.
const PANEL: usize = 4;

/// Multiplies right sides with the inverse of the columns' factor. In `whole` stand the own ones and
/// what rows below have come to, which the columns add to; `own` is the solution.
#[inline(always)]
pub(super) fn forward<const FMA: bool>(columns: &[f64], whole: &mut [f64], own: &mut [f64]) {
    let height = whole.len();
    let (panels, rest) = own.as_chunks_mut::<PANEL>();
    let n_whole = panels.len() * PANEL;
    for (panel, own) in panels.iter_mut().enumerate() {
        let columns = &columns[panel * PANEL * height..][..PANEL * height];
        *own = forward_panel::<FMA, PANEL>(columns, panel * PANEL, whole);
    }
    let columns = &columns[n_whole * height..];
    match rest {
        [a] => [*a] = forward_panel::<FMA, 1>(columns, n_whole, whole),
        [a, b] => [*a, *b] = forward_panel::<FMA, 2>(columns, n_whole, whole),
        [a, b, c] => [*a, *b, *c] = forward_panel::<FMA, 3>(columns, n_whole, whole),
        _ => {}
    }
}

/// Of the columns from `first` on, whose solution it gives.
#[inline(always)]
fn forward_panel<const FMA: bool, const P: usize>(
    columns: &[f64],
    first: usize,
    whole: &mut [f64],
) -> [f64; P] {
    let height = whole.len();
    let mut solved = [0.0; P];
    for k in 0..P {
        let mut x = whole[first + k];
        for i in 0..k {
            x = fused::<FMA>(-columns[i * height + first + k], solved[i], x);
        }
        solved[k] = x * columns[k * height + first + k];
    }
    let (top, chunks) = whole.as_rchunks_mut::<LANES>();
    for row in first + P..top.len() {
        for k in 0..P {
            top[row] = fused::<FMA>(-columns[k * height + row], solved[k], top[row]);
        }
    }
    let skipped = (first + P).saturating_sub(top.len()) / LANES;
    let chunks = &mut chunks[skipped..];
    let columns = below::<P>(columns, height, chunks.len());
    for (i, to) in chunks.iter_mut().enumerate() {
        let mut sums: Lanes = *to;
        for k in 0..P {
            add::<FMA>(&mut sums, -solved[k], &columns[k][i]);
        }
        *to = sums;
    }
    solved
}

/// The last `count` chunks of each column.
#[inline(always)]
fn below<const P: usize>(columns: &[f64], height: usize, count: usize) -> [&[Lanes]; P] {
    std::array::from_fn(|k| {
        let chunks = columns[k * height..][..height].as_rchunks::<LANES>().1;
        &chunks[chunks.len() - count..][..count]
    })
}

/// Multiplies right sides with the inverse of the transposed factor. In `whole` stand the solutions
/// of the rows below, and zeros for the own ones, which are filled in; `own` is the right side and
/// becomes the solution.
#[inline(always)]
pub(super) fn backward<const FMA: bool>(columns: &[f64], whole: &mut [f64], own: &mut [f64]) {
    let height = whole.len();
    let (panels, rest) = own.as_chunks_mut::<PANEL>();
    let n_whole = panels.len() * PANEL;
    let last = &columns[n_whole * height..];
    match rest {
        [a] => [*a] = backward_panel::<FMA, 1>(last, n_whole, whole, [*a]),
        [a, b] => [*a, *b] = backward_panel::<FMA, 2>(last, n_whole, whole, [*a, *b]),
        [a, b, c] => [*a, *b, *c] = backward_panel::<FMA, 3>(last, n_whole, whole, [*a, *b, *c]),
        _ => {}
    }
    for (panel, own) in panels.iter_mut().enumerate().rev() {
        let columns = &columns[panel * PANEL * height..][..PANEL * height];
        *own = backward_panel::<FMA, PANEL>(columns, panel * PANEL, whole, *own);
    }
}

#[inline(always)]
fn backward_panel<const FMA: bool, const P: usize>(
    columns: &[f64],
    first: usize,
    whole: &mut [f64],
    mut own: [f64; P],
) -> [f64; P] {
    let height = whole.len();
    let (top, chunks) = whole.as_rchunks::<LANES>();
    let chunks = &chunks[(first + P).saturating_sub(top.len()) / LANES..];
    let lanes = below::<P>(columns, height, chunks.len());
    let mut sums = [[0.0; LANES]; P];
    for (i, known) in chunks.iter().enumerate() {
        for k in 0..P {
            add_products::<FMA>(&mut sums[k], &lanes[k][i], known);
        }
    }
    for k in 0..P {
        own[k] -= sum(&sums[k]);
        for row in first + P..top.len() {
            own[k] = fused::<FMA>(-columns[k * height + row], top[row], own[k]);
        }
    }
    for k in (0..P).rev() {
        for i in k + 1..P {
            own[k] = fused::<FMA>(-columns[k * height + first + i], own[i], own[k]);
        }
        own[k] *= columns[k * height + first + k];
        whole[first + k] = own[k];
    }
    own
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn solves_are_those_of_plain_loops(
            width in 1_usize..12,
            n_below in 0_usize..30,
            numbers in proptest::collection::vec(-1.0_f64..1.0, 600),
        ) {
            let height = width + n_below;
            // Above the diagonal stands what must not count, in it the inverse.
            let number = |column: usize, row: usize| match row.cmp(&column) {
                std::cmp::Ordering::Less => 1e9 * numbers[column],
                std::cmp::Ordering::Equal => 0.5,
                std::cmp::Ordering::Greater => numbers[(column * height + row) % numbers.len()],
            };
            let columns: Vec<f64> =
                (0..width * height).map(|i| number(i / height, i % height)).collect();
            let mut whole = numbers[..height].to_vec();
            let mut own = whole[..width].to_vec();
            let mut expected = whole.clone();
            for column in 0..width {
                expected[column] *= 0.5;
                for row in column + 1..height {
                    expected[row] -= number(column, row) * expected[column];
                }
            }
            forward::<false>(&columns, &mut whole, &mut own);
            whole[..width].copy_from_slice(&own);
            let close = |found: &[f64], expected: &[f64]| {
                found.iter().zip(expected).all(|(a, b)| (a - b).abs() <= 1e-9 * b.abs().max(1.0))
            };
            prop_assert!(close(&whole, &expected), "{:?} {:?}", whole, expected);

            let mut whole = numbers[..height].to_vec();
            let mut own = whole[..width].to_vec();
            let mut expected = whole.clone();
            for column in (0..width).rev() {
                for row in column + 1..height {
                    expected[column] -= number(column, row) * expected[row];
                }
                expected[column] *= 0.5;
            }
            whole[..width].fill(0.0);
            backward::<false>(&columns, &mut whole, &mut own);
            prop_assert!(close(&own, &expected) && close(&whole, &expected));
        }
    }
}
