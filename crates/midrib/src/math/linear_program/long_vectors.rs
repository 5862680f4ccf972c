//! Numbers computed one by one from several long vectors, with wide instructions and by all threads.

use std::ops::Range;

use rayon::prelude::*;

use crate::math::lanes::{LANES, Lanes};
use crate::math::simd::{Work, dispatch, sum};

/// Numbers that one task computes: with fewer, waking a thread takes longer.
const TASK: usize = 32_768;

/// Sets a vector to what `f` makes of the numbers of each place.
pub(super) fn each<const N: usize, F>(to: &mut Vec<f64>, from: [&[f64]; N], f: F)
where
    F: Fn([f64; N]) -> f64 + Copy + Sync,
{
    to.resize(from[0].len(), 0.0);
    update(to, from, |_, numbers| f(numbers));
}

/// Sets each number of a vector to what `f` makes of it and of the others' numbers of its place.
pub(super) fn update<const N: usize, F>(to: &mut [f64], from: [&[f64]; N], f: F)
where
    F: Fn(f64, [f64; N]) -> f64 + Copy + Sync,
{
    to.par_chunks_mut(TASK).enumerate().for_each(|(task, to)| {
        let place = task * TASK..task * TASK + to.len();
        dispatch(Update { from: cut(from, place), to, f });
    });
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

struct Update<'a, const N: usize, F> {
    from: [&'a [f64]; N],
    to: &'a mut [f64],
    f: F,
}

impl<const N: usize, F: Fn(f64, [f64; N]) -> f64> Work for Update<'_, N, F> {
    type Output = ();

    #[inline(always)]
    fn run<const FMA: bool>(self) {
        let length = self.to.len();
        let from = self.from.map(|from| &from[..length]);
        for place in 0..length {
            self.to[place] = (self.f)(self.to[place], at(from, place));
        }
    }
}

/// Takes the numbers of each place, in turn for each lane.
#[inline(always)]
fn in_lanes<const N: usize>(from: [&[f64]; N], mut take: impl FnMut(usize, [f64; N])) {
    let parts = from.map(|from| from.as_chunks::<LANES>());
    let n_chunks = parts[0].0.len();
    let chunks = parts.map(|(chunks, _)| &chunks[..n_chunks]);
    let rests = parts.map(|(_, rest)| rest);
    for chunk in 0..n_chunks {
        let numbers = chunks.map(|chunks| chunks[chunk]);
        for lane in 0..LANES {
            take(lane, numbers.map(|numbers| numbers[lane]));
        }
    }
    for lane in 0..rests[0].len() {
        take(lane, at(rests, lane));
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
        let mut sums = [0.0; LANES];
        in_lanes(self.from, |lane, numbers| sums[lane] += (self.f)(numbers));
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
        let mut most = [0.0; LANES];
        in_lanes(self.from, |lane, numbers| {
            let x = (self.f)(numbers);
            most[lane] = if x > most[lane] { x } else { most[lane] };
        });
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
            // Used vectors, longer and shorter than needed.
            for used in [0, n / 2, 2 * n] {
                let mut found = vec![f64::NAN; used];
                each(&mut found, [&a, &b], f);
                assert_eq!(found, plain);
                update(&mut found, [&b], |x, [b]| x * b);
                let products: Vec<f64> = plain.iter().zip(&b).map(|(x, b)| x * b).collect();
                assert_eq!(found, products);
            }
            assert_eq!(most_of([&a, &b], f), plain.iter().copied().fold(0.0, f64::max));
            let total: f64 = plain.iter().sum();
            assert!((sum_of([&a, &b], f) - total).abs() < 1e-12 * (1.0 + n as f64));
        }
        assert_eq!(most_of([&[-1.0, f64::NAN, -2.0]], |[x]| x), 0.0);
    }
}
