//! The least value of a smooth function of numbers that may not be negative.

use std::collections::VecDeque;

use super::simd::{Work, dispatch, fused, sum};
use crate::error::Result;

/// Steps that are remembered.
const MEMORY: usize = 6;
/// A step must lower the value by at least this share of what its slope promises.
const ENOUGH: f64 = 1e-4;
/// Shorter steps that are tried when one does not.
const TRIALS: usize = 30;
/// A step shrinks at most and at least by these factors.
const SHRINK: (f64, f64) = (0.1, 0.5);
/// Values that differ by less than this share of them are the same: rounding.
const ROUNDING: f64 = 1e-13;
/// A remembered step shows no curvature where its angle to the change of the slope is that small.
const FLAT: f64 = 1e-12;
/// A way is level where its slope is at most this share of the first.
const LEVEL: f64 = 0.5;
/// Numbers that are worked on at once.
const LANES: usize = 8;
/// A number below this share of its own step towards 0 will end there.
const HELD: f64 = 0.1;

/// A smooth function of numbers that are at least 0.
pub(crate) trait Bounded {
    /// The value at `x`; not a number where it cannot be had.
    fn value(&mut self, x: &[f64]) -> Result<f64>;

    /// The slope at the `x` whose value was last asked for.
    fn slope(&mut self) -> Result<Slope>;
}

/// How a function changes at a place.
pub(crate) struct Slope {
    /// Its derivatives.
    pub gradient: Vec<f64>,
    /// About its second derivatives, all positive.
    pub curvature: Vec<f64>,
}

/// Projected quasi-Newton steps: limited-memory BFGS in the numbers that are free to move, with
/// the function's own curvature, scaled to what the latest step showed, as the first guess, and a
/// search along the projected step. The two-metric projection of Bertsekas1982.
#[derive(Default)]
pub(crate) struct QuasiNewton {
    /// Steps and the changes of the gradient over them, oldest first.
    memory: VecDeque<(Vec<f64>, Vec<f64>)>,
    room: Room,
}

/// What a direction is made of, kept so that its room is.
#[derive(Default)]
struct Room {
    /// The step of each number by its own curvature.
    own: Vec<f64>,
    /// 1 where free, else 0.
    free: Vec<f64>,
    /// 1 / curvature.
    yields: Vec<f64>,
    direction: Vec<f64>,
}

/// How far `x` is from the conditions of a least value: the largest derivative along which it could
/// move.
pub(crate) fn violation(x: &[f64], gradient: &[f64]) -> f64 {
    dispatch(Violation { x, gradient })
}

struct Violation<'a> {
    x: &'a [f64],
    gradient: &'a [f64],
}

impl Work for Violation<'_> {
    type Output = f64;

    #[inline(always)]
    fn run<const FMA: bool>(self) -> f64 {
        let of = |x: f64, g: f64| if x > 0.0 { g.abs() } else { -g };
        let mut most = [0.0; LANES];
        let (x, x_rest) = self.x.as_chunks::<LANES>();
        let (gradient, gradient_rest) = self.gradient.as_chunks::<LANES>();
        for (x, g) in x.iter().zip(gradient) {
            for lane in 0..LANES {
                let here = of(x[lane], g[lane]);
                most[lane] = if here > most[lane] { here } else { most[lane] };
            }
        }
        let rest = x_rest.iter().zip(gradient_rest).map(|(x, g)| of(*x, *g));
        most.into_iter().chain(rest).fold(0.0, f64::max)
    }
}

impl QuasiNewton {
    /// Moves `x` to a lower value, which it returns with its slope; nothing if none can be found,
    /// because `x` is as good as rounding lets it be.
    pub fn step(
        &mut self,
        function: &mut impl Bounded,
        x: &mut Vec<f64>,
        value: f64,
        slope: &Slope,
    ) -> Result<Option<(f64, Slope)>> {
        loop {
            dispatch(Direction { memory: &self.memory, x, slope, room: &mut self.room });
            let direction = &self.room.direction;
            if let Some(found) = search(function, x, value, &slope.gradient, direction)? {
                self.remember(x, &found.x, &slope.gradient, &found.slope.gradient);
                *x = found.x;
                return Ok(Some((found.value, found.slope)));
            }
            if self.memory.is_empty() {
                return Ok(None);
            }
            self.memory.clear();
        }
    }

    fn remember(&mut self, x: &[f64], next: &[f64], gradient: &[f64], after: &[f64]) {
        let difference = |mut to: Vec<f64>, a: &[f64], b: &[f64]| {
            to.clear();
            to.extend(a.iter().zip(b).map(|(a, b)| a - b));
            to
        };
        let oldest = if self.memory.len() == MEMORY { self.memory.pop_front() } else { None };
        let (step, change) = oldest.unwrap_or_default();
        self.memory.push_back((difference(step, next, x), difference(change, after, gradient)));
    }
}

/// The step that the curvature seen so far suggests. A number that the slope holds at 0 or will
/// take there goes by its own curvature alone: it must not bend the steps of the others.
struct Direction<'a> {
    memory: &'a VecDeque<(Vec<f64>, Vec<f64>)>,
    x: &'a [f64],
    slope: &'a Slope,
    room: &'a mut Room,
}

impl Work for Direction<'_> {
    type Output = ();

    #[inline(always)]
    fn run<const FMA: bool>(self) {
        let Self { memory, x, slope, room } = self;
        let n = x.len();
        let Room { own, free, yields, direction } = room;
        for vector in [&mut *own, free, yields, direction] {
            vector.resize(n, 0.0);
        }
        let (own, free, yields) = (&mut own[..n], &mut free[..n], &mut yields[..n]);
        let (gradient, curvature) = (&slope.gradient[..n], &slope.curvature[..n]);
        let direction = &mut direction[..n];
        // Loops, not adaptors, which would not be compiled for wide instructions.
        for i in 0..n {
            yields[i] = 1.0 / curvature[i];
            own[i] = -gradient[i] * yields[i];
            free[i] = if own[i] >= 0.0 || x[i] > HELD * -own[i] { 1.0 } else { 0.0 };
            direction[i] = -gradient[i];
        }
        let mut seen: Vec<(&[f64], &[f64], f64)> = Vec::with_capacity(memory.len());
        for (step, change) in memory {
            let [bend, steps, changes] = products::<FMA>(step, change, free);
            if bend > FLAT * (steps * changes).sqrt() {
                seen.push((step, change, bend));
            }
        }
        // The latest of them tells how far the curvatures are off.
        if let Some((_, change, bend)) = seen.last() {
            let scale = bend / weighted_square::<FMA>(change, free, yields);
            for x in &mut *yields {
                *x *= scale;
            }
        }
        // What these sums put where numbers are not free is never looked at.
        let mut shares = vec![0.0; seen.len()];
        let mut last: (f64, &[f64]) = (0.0, free);
        for ((step, change, bend), share) in seen.iter().zip(&mut shares).rev() {
            *share = add_then_dot::<FMA>(direction, last, step, free) / bend;
            last = (-*share, change);
        }
        let from = &last.1[..n];
        for i in 0..n {
            direction[i] = fused::<FMA>(last.0, from[i], direction[i]) * yields[i];
        }
        last = (0.0, free);
        for ((step, change, bend), share) in seen.iter().zip(&shares) {
            let back = add_then_dot::<FMA>(direction, last, change, free) / bend;
            last = (share - back, step);
        }
        let from = &last.1[..n];
        for i in 0..n {
            let step = fused::<FMA>(last.0, from[i], direction[i]);
            direction[i] = if free[i] > 0.0 { step } else { own[i] };
        }
    }
}

/// The weighted products of a step with the change over it, with itself, and of the change with
/// itself.
#[inline(always)]
fn products<const FMA: bool>(step: &[f64], change: &[f64], weights: &[f64]) -> [f64; 3] {
    let mut lanes = [[0.0; LANES]; 3];
    let (s_chunks, s_rest) = step.as_chunks::<LANES>();
    let (c_chunks, c_rest) = change.as_chunks::<LANES>();
    let (w_chunks, w_rest) = weights.as_chunks::<LANES>();
    for ((s, c), w) in s_chunks.iter().zip(c_chunks).zip(w_chunks) {
        for lane in 0..LANES {
            let (weighted, change) = (s[lane] * w[lane], c[lane] * w[lane]);
            lanes[0][lane] = fused::<FMA>(weighted, c[lane], lanes[0][lane]);
            lanes[1][lane] = fused::<FMA>(weighted, s[lane], lanes[1][lane]);
            lanes[2][lane] = fused::<FMA>(change, c[lane], lanes[2][lane]);
        }
    }
    let mut sums = [sum(&lanes[0]), sum(&lanes[1]), sum(&lanes[2])];
    for ((s, c), w) in s_rest.iter().zip(c_rest).zip(w_rest) {
        sums[0] += s * c * w;
        sums[1] += s * s * w;
        sums[2] += c * c * w;
    }
    sums
}

/// The product of a vector with itself, weighted twice.
#[inline(always)]
fn weighted_square<const FMA: bool>(vector: &[f64], weights: &[f64], others: &[f64]) -> f64 {
    let mut lanes = [0.0; LANES];
    let (v_chunks, v_rest) = vector.as_chunks::<LANES>();
    let (w_chunks, w_rest) = weights.as_chunks::<LANES>();
    let (o_chunks, o_rest) = others.as_chunks::<LANES>();
    for ((v, w), other) in v_chunks.iter().zip(w_chunks).zip(o_chunks) {
        for lane in 0..LANES {
            lanes[lane] = fused::<FMA>(v[lane] * w[lane], v[lane] * other[lane], lanes[lane]);
        }
    }
    let mut square = sum(&lanes);
    for ((v, w), other) in v_rest.iter().zip(w_rest).zip(o_rest) {
        square += v * w * v * other;
    }
    square
}

/// Adds a multiple of a vector; the weighted product of the result with `other`.
#[inline(always)]
fn add_then_dot<const FMA: bool>(
    to: &mut [f64],
    (factor, from): (f64, &[f64]),
    other: &[f64],
    weights: &[f64],
) -> f64 {
    let mut lanes = [0.0; LANES];
    let (t_chunks, t_rest) = to.as_chunks_mut::<LANES>();
    let (f_chunks, f_rest) = from.as_chunks::<LANES>();
    let (o_chunks, o_rest) = other.as_chunks::<LANES>();
    let (w_chunks, w_rest) = weights.as_chunks::<LANES>();
    for (((t, f), by), w) in t_chunks.iter_mut().zip(f_chunks).zip(o_chunks).zip(w_chunks) {
        let mut sums = *t;
        for lane in 0..LANES {
            sums[lane] = fused::<FMA>(factor, f[lane], sums[lane]);
            lanes[lane] = fused::<FMA>(sums[lane] * w[lane], by[lane], lanes[lane]);
        }
        *t = sums;
    }
    let mut dot = sum(&lanes);
    for (((t, f), by), w) in t_rest.iter_mut().zip(f_rest).zip(o_rest).zip(w_rest) {
        *t = fused::<FMA>(factor, *f, *t);
        dot += *t * w * by;
    }
    dot
}

/// How a function of this gradient changes on the way from `x`.
struct Along<'a> {
    x: &'a [f64],
    to: &'a [f64],
    gradient: &'a [f64],
}

impl Work for Along<'_> {
    type Output = f64;

    #[inline(always)]
    fn run<const FMA: bool>(self) -> f64 {
        let mut lanes = [0.0; LANES];
        let (t_chunks, t_rest) = self.to.as_chunks::<LANES>();
        let (x_chunks, x_rest) = self.x.as_chunks::<LANES>();
        let (g_chunks, g_rest) = self.gradient.as_chunks::<LANES>();
        for ((t, x), g) in t_chunks.iter().zip(x_chunks).zip(g_chunks) {
            for lane in 0..LANES {
                lanes[lane] = fused::<FMA>(t[lane] - x[lane], g[lane], lanes[lane]);
            }
        }
        let mut along = sum(&lanes);
        for ((t, x), g) in t_rest.iter().zip(x_rest).zip(g_rest) {
            along += (t - x) * g;
        }
        along
    }
}

/// A place that is better than the last.
struct Found {
    x: Vec<f64>,
    value: f64,
    slope: Slope,
}

/// The first place along the projected direction whose value is low enough. Where rounding hides
/// whether it is, the conditions must be met better there, or the way must have become level
/// (Hager2005).
fn search(
    function: &mut impl Bounded,
    x: &[f64],
    value: f64,
    gradient: &[f64],
    direction: &[f64],
) -> Result<Option<Found>> {
    let rounding = ROUNDING * value.abs();
    let mut length = 1.0;
    for _ in 0..TRIALS {
        let trial: Vec<f64> =
            x.iter().zip(direction).map(|(x, by)| (x + length * by).max(0.0)).collect();
        let promised = dispatch(Along { x, to: &trial, gradient });
        if promised >= 0.0 {
            return Ok(None);
        }
        let found = function.value(&trial)?;
        let enough = value + ENOUGH * promised;
        if found <= enough + rounding {
            let slope = function.slope()?;
            if found <= enough - rounding
                || violation(&trial, &slope.gradient) < violation(x, gradient)
                || dispatch(Along { x, to: &trial, gradient: &slope.gradient }).abs()
                    <= LEVEL * -promised
            {
                return Ok(Some(Found { x: trial, value: found, slope }));
            }
        }
        // The least value of the parabola through what is known.
        let parabola = -promised / (2.0 * (found - value - promised));
        let shrink = if parabola.is_finite() { parabola } else { SHRINK.0 };
        length *= shrink.clamp(SHRINK.0, SHRINK.1);
    }
    Ok(None)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// `½ xᵀ A x − bᵀ x` with `A = diag(stiff) + v vᵀ`.
    struct Quadratic {
        stiff: Vec<f64>,
        v: Vec<f64>,
        b: Vec<f64>,
        at: Vec<f64>,
    }

    impl Quadratic {
        fn image(&self, x: &[f64]) -> Vec<f64> {
            let along: f64 = self.v.iter().zip(x).map(|(v, x)| v * x).sum();
            let terms = self.stiff.iter().zip(&self.v).zip(x);
            terms.map(|((stiff, v), x)| stiff * x + v * along).collect()
        }
    }

    impl Bounded for Quadratic {
        fn value(&mut self, x: &[f64]) -> Result<f64> {
            self.at = x.to_vec();
            let terms = self.image(x).into_iter().zip(&self.b).zip(x);
            Ok(terms.map(|((image, b), x)| (0.5 * image - b) * x).sum())
        }

        fn slope(&mut self) -> Result<Slope> {
            let image = self.image(&self.at).into_iter();
            let gradient = image.zip(&self.b).map(|(image, b)| image - b).collect();
            Ok(Slope { gradient, curvature: vec![1.0; self.b.len()] })
        }
    }

    /// `Σ x − a log(x + ½)`: least at `max(a − ½, 0)`.
    struct Logarithms {
        a: Vec<f64>,
        at: Vec<f64>,
    }

    impl Bounded for Logarithms {
        fn value(&mut self, x: &[f64]) -> Result<f64> {
            self.at = x.to_vec();
            Ok(x.iter().zip(&self.a).map(|(x, a)| x - a * (x + 0.5).ln()).sum())
        }

        fn slope(&mut self) -> Result<Slope> {
            let pairs = || self.at.iter().zip(&self.a);
            Ok(Slope {
                gradient: pairs().map(|(x, a)| 1.0 - a / (x + 0.5)).collect(),
                curvature: pairs().map(|(x, a)| a / (x + 0.5).powi(2)).collect(),
            })
        }
    }

    /// Steps until the conditions hold; the values may only fall.
    fn minimise(function: &mut impl Bounded, mut x: Vec<f64>, precision: f64) -> Vec<f64> {
        let mut value = function.value(&x).unwrap();
        let mut slope = function.slope().unwrap();
        let mut steps = QuasiNewton::default();
        for _ in 0..500 {
            if violation(&x, &slope.gradient) <= precision {
                return x;
            }
            let Some(next) = steps.step(function, &mut x, value, &slope).unwrap() else { break };
            assert!(next.0 <= value + 1e-12 * value.abs());
            (value, slope) = next;
        }
        assert!(violation(&x, &slope.gradient) < 10.0 * precision, "not found");
        x
    }

    proptest! {
        #[test]
        fn quadratics_meet_their_conditions(
            numbers in proptest::collection::vec((0.1_f64..50.0, -1.0_f64..1.0, -1.0_f64..1.0), 1..40),
        ) {
            let (stiff, v): (Vec<f64>, Vec<f64>) = numbers.iter().map(|n| (n.0, n.1)).unzip();
            let b: Vec<f64> = numbers.iter().map(|n| n.2).collect();
            let mut function = Quadratic { stiff, v, b, at: Vec::new() };
            let x = minimise(&mut function, vec![1.0; numbers.len()], 1e-7);
            let image = function.image(&x);
            for ((x, image), b) in x.iter().zip(image).zip(&function.b) {
                // A convex problem: these conditions are a proof.
                let holds = if *x > 0.0 { (image - b).abs() < 1e-6 } else { image - b > -1e-6 };
                prop_assert!(holds);
            }
        }

        #[test]
        fn logarithms_end_where_they_must(a in proptest::collection::vec(0.01_f64..100.0, 1..40)) {
            let start = vec![0.0; a.len()];
            let x = minimise(&mut Logarithms { a: a.clone(), at: Vec::new() }, start, 1e-8);
            for (x, a) in x.iter().zip(a) {
                prop_assert!((x - (a - 0.5).max(0.0)).abs() < 1e-5 * (1.0 + a), "{x} {a}");
            }
        }
    }
}
