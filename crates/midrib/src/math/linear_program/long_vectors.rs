//! Numbers computed one by one from several long vectors, with wide instructions and by all threads.

use std::ops::Range;

use rayon::prelude::*;

use crate::math::lanes::{LANES, Lanes};
use crate::math::simd::{Work, dispatch, sum};

/// Numbers that one task computes.
const TASK: usize = 4096;

/// What `f` makes of the numbers of each place.
pub(super) fn each<const N: usize, F>(from: [&[f64]; N], f: F) -> Vec<f64>
where
    F: Fn([f64; N]) -> f64 + Copy + Sync,
{
    let mut found = vec![0.0; from[0].len()];
    found.par_chunks_mut(TASK).enumerate().for_each(|(task, to)| {
        let place = task * TASK..task * TASK + to.len();
        dispatch(Each { from: cut(from, place), to, f });
    });
    found
}

/// The sum of what `f` makes of the numbers of each place, in a fixed order.
pub(super) fn sum_of<const N: usize, F>(from: [&[f64]; N], f: F) -> f64
where
    F: Fn([f64; N]) -> f64 + Copy + Sync,
{
    let sums: Vec<f64> = tasks(from[0].len())
        .map(|place| sum(&dispatch(Sums { from: cut(from, place), f })))
        .collect();
    sums.iter().sum()
}

/// The largest of what `f` makes of the numbers of each place, if it is above 0. What is not a
/// number does not count.
pub(super) fn most_of<const N: usize, F>(from: [&[f64]; N], f: F) -> f64
where
    F: Fn([f64; N]) -> f64 + Copy + Sync,
{
    let most = |place| dispatch(Most { from: cut(from, place), f });
    tasks(from[0].len()).map(most).reduce(|| 0.0, f64::max)
}

fn tasks(length: usize) -> impl IndexedParallelIterator<Item = Range<usize>> {
    let place = move |task: usize| task * TASK..((task + 1) * TASK).min(length);
    (0..length.div_ceil(TASK)).into_par_iter().map(place)
}

fn cut<const N: usize>(from: [&[f64]; N], place: Range<usize>) -> [&[f64]; N] {
    from.map(|from| &from[place.clone()])
}

#[inline(always)]
fn at<const N: usize>(from: [&[f64]; N], place: usize) -> [f64; N] {
    from.map(|from| from[place])
}

struct Each<'a, const N: usize, F> {
    from: [&'a [f64]; N],
    to: &'a mut [f64],
    f: F,
}

impl<const N: usize, F: Fn([f64; N]) -> f64> Work for Each<'_, N, F> {
    type Output = ();

    #[inline(always)]
    fn run<const FMA: bool>(self) {
        let length = self.to.len();
        let from = self.from.map(|from| &from[..length]);
        for place in 0..length {
            self.to[place] = (self.f)(at(from, place));
        }
    }
}

struct Sums<'a, const N: usize, F> {
    from: [&'a [f64]; N],
    f: F,
}

impl<const N: usize, F: Fn([f64; N]) -> f64> Work for Sums<'_, N, F> {
    type Output = Lanes;

    #[inline(always)]
    fn run<const FMA: bool>(self) -> Lanes {
        let length = self.from[0].len();
        let from = self.from.map(|from| &from[..length]);
        let mut sums = [0.0; LANES];
        let whole = length - length % LANES;
        for first in (0..whole).step_by(LANES) {
            for (lane, sum) in sums.iter_mut().enumerate() {
                *sum += (self.f)(at(from, first + lane));
            }
        }
        for place in whole..length {
            sums[place - whole] += (self.f)(at(from, place));
        }
        sums
    }
}

struct Most<'a, const N: usize, F> {
    from: [&'a [f64]; N],
    f: F,
}

impl<const N: usize, F: Fn([f64; N]) -> f64> Work for Most<'_, N, F> {
    type Output = f64;

    #[inline(always)]
    fn run<const FMA: bool>(self) -> f64 {
        let length = self.from[0].len();
        let from = self.from.map(|from| &from[..length]);
        let mut most = [0.0; LANES];
        let whole = length - length % LANES;
        for first in (0..whole).step_by(LANES) {
            for (lane, most) in most.iter_mut().enumerate() {
                let x = (self.f)(at(from, first + lane));
                *most = if x > *most { x } else { *most };
            }
        }
        for place in whole..length {
            let x = (self.f)(at(from, place));
            most[0] = if x > most[0] { x } else { most[0] };
        }
        most.into_iter().fold(0.0, f64::max)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn they_are_what_plain_loops_find() {
        for n in [0, 1, 7, 8, 100, TASK, TASK + 9, 3 * TASK + 1] {
            let a: Vec<f64> = (0..n).map(|i| (i as f64 * 0.7).sin()).collect();
            let b: Vec<f64> = (0..n).map(|i| (i as f64 * 1.3).cos() + 1.5).collect();
            let f = |[a, b]: [f64; 2]| a / b;
            let plain: Vec<f64> = a.iter().zip(&b).map(|(a, b)| a / b).collect();
            assert_eq!(each([&a, &b], f), plain);
            assert_eq!(most_of([&a, &b], f), plain.iter().copied().fold(0.0, f64::max));
            let total: f64 = plain.iter().sum();
            assert!((sum_of([&a, &b], f) - total).abs() < 1e-12 * (1.0 + n as f64));
        }
        assert_eq!(most_of([&[-1.0, f64::NAN, -2.0]], |[x]| x), 0.0);
    }
}
