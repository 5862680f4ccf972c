//! The direction of a quasi-Newton step.
//!
//! The two-loop recursion of limited-memory BFGS needs one product of vectors after the other, each
//! with the result of the last. Here all products of the given vectors are computed in one pass, and
//! the recursion works on these few numbers (Chen2014).

use std::collections::VecDeque;

use super::Slope;
use crate::math::lanes::{LANES, Lanes, add, add_products};
use crate::math::simd::{Work, dispatch, sum};

/// Steps that are remembered.
const MEMORY: usize = 4;
/// A remembered step shows no curvature if the cosine of its angle to the change of the gradient is
/// smaller than this.
const FLAT: f64 = 1e-12;
/// A number below this share of its own step toward 0 will end there.
const HELD: f64 = 0.1;
/// Lanes of each vector that are processed together, few enough for the first-level cache.
const CHUNK: usize = 32;

/// The curvature seen in the latest steps, and scratch vectors.
#[derive(Default)]
pub(super) struct Memory {
    /// Oldest first.
    steps: VecDeque<Remembered>,
    scratch: Scratch,
}

/// A step and the change of the gradient over it.
#[derive(Default)]
struct Remembered {
    step: Vec<Lanes>,
    change: Vec<Lanes>,
    /// Smaller products of the two show no curvature.
    least_bend: f64,
}

#[derive(Default)]
struct Scratch {
    /// Down the slope.
    descent: Vec<Lanes>,
    /// 1 where free, else 0.
    free: Vec<Lanes>,
    /// 1 / curvature where free, else 0.
    yields: Vec<Lanes>,
    /// At first the step by its own curvature of each number that is not free, else 0.
    direction: Vec<Lanes>,
}

impl Memory {
    pub fn is_empty(&self) -> bool {
        self.steps.is_empty()
    }

    pub fn clear(&mut self) {
        self.steps.clear();
    }

    /// Remembers the step from `x` to `next`, and the gradients before and after it.
    pub fn push(&mut self, x: &[f64], next: &[f64], gradient: &[f64], after: &[f64]) {
        let oldest = if self.steps.len() == MEMORY { self.steps.pop_front() } else { None };
        let mut latest = oldest.unwrap_or_default();
        let step = dispatch(Difference { after: next, before: x, into: &mut latest.step });
        let change = dispatch(Difference { after, before: gradient, into: &mut latest.change });
        latest.least_bend = FLAT * (step * change).sqrt();
        self.steps.push_back(latest);
    }

    /// The step from `x` that the curvature seen so far suggests. A number that the slope holds at
    /// 0 or will take there goes by its own curvature alone: it must not bend the steps of the
    /// others.
    pub fn direction(&mut self, x: &[f64], slope: &Slope) -> &[f64] {
        dispatch(Direction { steps: &self.steps, x, slope, scratch: &mut self.scratch });
        &self.scratch.direction.as_flattened()[..x.len()]
    }
}

/// The difference of two vectors, and its product with itself.
struct Difference<'a> {
    after: &'a [f64],
    before: &'a [f64],
    into: &'a mut Vec<Lanes>,
}

impl Work for Difference<'_> {
    type Output = f64;

    #[inline(always)]
    fn run<const FMA: bool>(self) -> f64 {
        let n = self.after.len();
        make_scratch(self.into, n);
        let (after, before) = (&self.after[..n], &self.before[..n]);
        let into = &mut self.into.as_flattened_mut()[..n];
        for i in 0..n {
            into[i] = after[i] - before[i];
        }
        let mut squares = [0.0; LANES];
        for lanes in self.into.iter() {
            add_products::<FMA>(&mut squares, lanes, lanes);
        }
        sum(&squares)
    }
}

struct Direction<'a> {
    steps: &'a VecDeque<Remembered>,
    x: &'a [f64],
    slope: &'a Slope,
    scratch: &'a mut Scratch,
}

impl Work for Direction<'_> {
    type Output = ();

    #[inline(always)]
    fn run<const FMA: bool>(self) {
        let Self { steps, x, slope, scratch } = self;
        prepare(scratch, x, slope);
        let Some(last) = steps.len().checked_sub(1) else {
            mix::<FMA, 0>(scratch, [], &Mixture::NONE);
            return;
        };
        // What is not remembered yet is replaced by the last one, and ignored.
        let remembered: [&Remembered; MEMORY] = std::array::from_fn(|i| &steps[i.min(last)]);
        let products = Products::new::<FMA>(remembered, steps.len(), scratch);
        let mixture = products.mixture(&remembered[..=last]);
        mix::<FMA, MEMORY>(scratch, remembered, &mixture);
    }
}

/// Makes the direction.
#[inline(always)]
fn mix<const FMA: bool, const M: usize>(
    scratch: &mut Scratch,
    remembered: [&Remembered; M],
    mixture: &Mixture,
) {
    let Scratch { descent, free, yields, direction } = scratch;
    let n = direction.len();
    let (descent, free) = (&descent[..n], &free[..n]);
    let (yields, direction) = (&yields[..n], &mut direction[..n]);
    let steps = remembered.map(|of| &of.step[..n]);
    let changes = remembered.map(|of| &of.change[..n]);
    for at in 0..n {
        let (mut left, mut bent) = (descent[at], [0.0; LANES]);
        for i in 0..M {
            add::<FMA>(&mut left, -mixture.of_changes[i], &changes[i][at]);
            add::<FMA>(&mut bent, mixture.of_steps[i], &steps[i][at]);
        }
        let mut found = direction[at];
        left.iter_mut().for_each(|x| *x *= mixture.scale);
        add_products::<FMA>(&mut found, &left, &yields[at]);
        add_products::<FMA>(&mut found, &bent, &free[at]);
        direction[at] = found;
    }
}

/// Resizes to `n` numbers; those that pad the last lanes are 0.
fn make_scratch(vector: &mut Vec<Lanes>, n: usize) {
    if vector.len() != n.div_ceil(LANES) {
        *vector = vec![[0.0; LANES]; n.div_ceil(LANES)];
    }
    vector.as_flattened_mut()[n..].fill(0.0);
}

#[inline(always)]
fn prepare(scratch: &mut Scratch, x: &[f64], slope: &Slope) {
    let n = x.len();
    let Scratch { descent, free, yields, direction } = scratch;
    for vector in [&mut *descent, free, yields, direction] {
        make_scratch(vector, n);
    }
    let descent = &mut descent.as_flattened_mut()[..n];
    let direction = &mut direction.as_flattened_mut()[..n];
    let (free, yields) = (&mut free.as_flattened_mut()[..n], &mut yields.as_flattened_mut()[..n]);
    let (gradient, curvature) = (&slope.gradient[..n], &slope.curvature[..n]);
    // Loops, not adaptors, which would not be compiled for wide instructions.
    for i in 0..n {
        let inverse = 1.0 / curvature[i];
        descent[i] = -gradient[i];
        let own = descent[i] * inverse;
        let is_free = own >= 0.0 || x[i] > HELD * -own;
        free[i] = if is_free { 1.0 } else { 0.0 };
        yields[i] = if is_free { inverse } else { 0.0 };
        direction[i] = if is_free { 0.0 } else { own };
    }
}

/// Scalar products of each change, and in the last row of the descent: with the steps, over the free
/// numbers, and with the changes, weighted by `yields`.
struct Products {
    with_steps: [[f64; MEMORY]; MEMORY + 1],
    with_changes: [[f64; MEMORY]; MEMORY + 1],
}

impl Products {
    #[inline(always)]
    fn new<const FMA: bool>(
        remembered: [&Remembered; MEMORY],
        count: usize,
        scratch: &Scratch,
    ) -> Self {
        let mut with_steps = [[[0.0; LANES]; MEMORY]; MEMORY + 1];
        let mut with_changes = with_steps;
        let length = scratch.descent.len();
        for first in (0..length).step_by(CHUNK) {
            let chunk = first..length.min(first + CHUNK);
            let steps = remembered.map(|of| &of.step[chunk.clone()]);
            let changes = remembered.map(|of| &of.change[chunk.clone()]);
            let (free, yields) = (&scratch.free[chunk.clone()], &scratch.yields[chunk.clone()]);
            for (i, by) in changes.into_iter().enumerate().take(count) {
                multiply::<FMA>(by, free, steps, &mut with_steps[i]);
                multiply::<FMA>(by, yields, changes, &mut with_changes[i]);
            }
            let by = &scratch.descent[chunk];
            multiply::<FMA>(by, free, steps, &mut with_steps[MEMORY]);
            multiply::<FMA>(by, yields, changes, &mut with_changes[MEMORY]);
        }
        let all =
            |sums: [[Lanes; MEMORY]; MEMORY + 1]| sums.map(|row| row.map(|lanes| sum(&lanes)));
        Self { with_steps: all(with_steps), with_changes: all(with_changes) }
    }

    /// The recursion of limited-memory BFGS. The initial inverse Hessian is diagonal: `yields`, scaled
    /// by the ratio that the latest step shows.
    fn mixture(&self, steps: &[&Remembered]) -> Mixture {
        let Self { with_steps, with_changes } = self;
        let mut mixture = Mixture::NONE;
        let bends = |&i: &usize| with_steps[i][i] > steps[i].least_bend;
        let Some(latest) = (0..steps.len()).rev().find(bends) else { return mixture };
        mixture.scale = with_steps[latest][latest] / with_changes[latest][latest];
        let Mixture { scale, of_steps, of_changes } = &mut mixture;
        for i in (0..steps.len()).rev().filter(bends) {
            let taken: f64 = (i + 1..steps.len()).map(|j| of_changes[j] * with_steps[j][i]).sum();
            of_changes[i] = (with_steps[MEMORY][i] - taken) / with_steps[i][i];
        }
        for i in (0..steps.len()).filter(bends) {
            let taken: f64 = (0..steps.len()).map(|j| of_changes[j] * with_changes[j][i]).sum();
            let given: f64 = (0..i).map(|j| of_steps[j] * with_steps[i][j]).sum();
            let back = *scale * (with_changes[MEMORY][i] - taken) + given;
            of_steps[i] = of_changes[i] - back / with_steps[i][i];
        }
        mixture
    }
}

/// What of the remembered vectors makes a direction: with D the yields and `d` the descent,
/// `scale · D (d − Σ of_changes · change) + Σ of_steps · step`.
struct Mixture {
    scale: f64,
    of_steps: [f64; MEMORY],
    of_changes: [f64; MEMORY],
}

impl Mixture {
    const NONE: Self = Self { scale: 1.0, of_steps: [0.0; MEMORY], of_changes: [0.0; MEMORY] };
}

/// Adds the products of a weighted vector with others.
#[inline(always)]
fn multiply<const FMA: bool>(
    by: &[Lanes],
    weights: &[Lanes],
    others: [&[Lanes]; MEMORY],
    sums: &mut [Lanes; MEMORY],
) {
    let n = by.len();
    let (weights, others) = (&weights[..n], others.map(|other| &other[..n]));
    let mut held = *sums;
    for at in 0..n {
        let mut weighted = by[at];
        for lane in 0..LANES {
            weighted[lane] *= weights[at][lane];
        }
        for i in 0..MEMORY {
            add_products::<FMA>(&mut held[i], &weighted, &others[i][at]);
        }
    }
    *sums = held;
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::math::dot;

    /// A step from `x` with the gradients before and after it.
    type Taken = [Vec<f64>; 4];

    /// The plain recursion over the numbers that are free.
    fn by_two_loops(taken: &[Taken], x: &[f64], slope: &Slope) -> Vec<f64> {
        let own = |i: usize| -slope.gradient[i] / slope.curvature[i];
        let is_free = |i: usize| own(i) >= 0.0 || x[i] > HELD * -own(i);
        let free = |v: &[f64]| -> Vec<f64> {
            v.iter().enumerate().map(|(i, x)| if is_free(i) { *x } else { 0.0 }).collect()
        };
        let difference = |a: &[f64], b: &[f64]| -> Vec<f64> {
            free(&a.iter().zip(b).map(|(a, b)| a - b).collect::<Vec<_>>())
        };
        let latest = &taken[taken.len().saturating_sub(MEMORY)..];
        let seen: Vec<(Vec<f64>, Vec<f64>)> = latest
            .iter()
            .map(|[x, next, before, after]| (difference(next, x), difference(after, before)))
            .filter(|(step, change)| dot(step, change) > 0.0)
            .collect();
        let mut left = free(&slope.gradient.iter().map(|g| -g).collect::<Vec<_>>());
        let mut shares = Vec::new();
        for (step, change) in seen.iter().rev() {
            let share = dot(step, &left) / dot(step, change);
            left.iter_mut().zip(change).for_each(|(x, c)| *x -= share * c);
            shares.push(share);
        }
        let yields = |v: &[f64]| -> Vec<f64> {
            v.iter().zip(&slope.curvature).map(|(x, c)| x / c).collect()
        };
        let scale = seen
            .last()
            .map_or(1.0, |(step, change)| dot(step, change) / dot(change, &yields(change)));
        let mut way: Vec<f64> = yields(&left).iter().map(|x| scale * x).collect();
        for ((step, change), share) in seen.iter().zip(shares.iter().rev()) {
            let back = dot(change, &way) / dot(step, change);
            way.iter_mut().zip(step).for_each(|(x, s)| *x += (share - back) * s);
        }
        (0..x.len()).map(|i| if is_free(i) { way[i] } else { own(i) }).collect()
    }

    fn vector(n: usize, range: std::ops::Range<f64>) -> impl Strategy<Value = Vec<f64>> {
        prop::collection::vec(range, n)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn directions_are_those_of_the_plain_recursion(
            (taken, x, gradient, curvature) in (1_usize..700, 0_usize..7).prop_flat_map(|(n, steps)| {
                let taken = (vector(n, 0.0..1.0), vector(n, 0.0..1.0), vector(n, -1.0..1.0), vector(n, 0.5..2.0));
                (
                    prop::collection::vec(taken, steps),
                    vector(n, 0.0..1.0),
                    vector(n, -1.0..1.0),
                    vector(n, 0.5..2.0),
                )
            })
        ) {
            let mut memory = Memory::default();
            // The gradient changes by the curvatures along each step, so that all of them bend.
            let taken: Vec<Taken> = taken.into_iter().map(|(x, next, before, bend)| {
                let after = (0..x.len()).map(|i| before[i] + bend[i] * (next[i] - x[i])).collect();
                [x, next, before, after]
            }).collect();
            for [x, next, before, after] in &taken {
                memory.push(x, next, before, after);
            }
            let slope = Slope { gradient, curvature };
            let expected = by_two_loops(&taken, &x, &slope);
            let found = memory.direction(&x, &slope);
            let scale = 1.0 + expected.iter().fold(0.0_f64, |most, x| most.max(x.abs()));
            for (found, expected) in found.iter().zip(&expected) {
                prop_assert!((found - expected).abs() < 1e-8 * scale, "{} {}", found, expected);
            }
        }
    }
}
