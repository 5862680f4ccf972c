//! The least value of a smooth function of numbers that may not be negative.

mod direction;

use super::lanes::LANES;
use super::simd::{Work, dispatch, fused, sum};
use crate::error::Result;
use direction::Memory;

/// A step must lower the value by at least this share of what its slope promises.
const ENOUGH: f64 = 1e-4;
/// Shorter steps that are tried when one does not.
const TRIALS: usize = 30;
/// A step shrinks at most and at least by these factors.
const SHRINK: (f64, f64) = (0.1, 0.5);
/// Values that differ by less than this share of them are the same: rounding.
const ROUNDING: f64 = 1e-13;
/// A way is level where its slope is at most this share of the first.
const LEVEL: f64 = 0.5;

/// A smooth function of numbers that are at least 0.
pub(crate) trait Bounded {
    /// The value at `x`; not a number where it cannot be had.
    fn value(&mut self, x: &[f64]) -> Result<f64>;

    /// Sets `slope` to that at the `x` of the last call of `value`.
    fn slope(&mut self, slope: &mut Slope) -> Result<()>;
}

/// How a function changes at a point.
#[derive(Default)]
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
    memory: Memory,
    trial: Trial,
}

/// A point that may be better than the last.
#[derive(Default)]
struct Trial {
    x: Vec<f64>,
    slope: Slope,
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
    /// Moves `x`, whose slope is given and changes with it, to a lower value, which it returns;
    /// nothing if none can be found, because `x` is as good as rounding lets it be.
    pub fn step(
        &mut self,
        function: &mut impl Bounded,
        x: &mut Vec<f64>,
        value: f64,
        slope: &mut Slope,
    ) -> Result<Option<f64>> {
        let Self { memory, trial } = self;
        loop {
            let direction = memory.direction(x, slope);
            if let Some(found) = search(function, x, value, &slope.gradient, direction, trial)? {
                memory.push(x, &trial.x, &slope.gradient, &trial.slope.gradient);
                std::mem::swap(x, &mut trial.x);
                std::mem::swap(slope, &mut trial.slope);
                return Ok(Some(found));
            }
            if memory.is_empty() {
                return Ok(None);
            }
            memory.clear();
        }
    }
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

/// Makes `trial` the first point along the projected direction whose value is low enough, and
/// returns this value. Where rounding hides whether it is, the conditions must be met better
/// there, or the way must have become level (Hager2005).
fn search(
    function: &mut impl Bounded,
    x: &[f64],
    value: f64,
    gradient: &[f64],
    direction: &[f64],
    trial: &mut Trial,
) -> Result<Option<f64>> {
    let rounding = ROUNDING * value.abs();
    let mut length = 1.0;
    for _ in 0..TRIALS {
        trial.x.clear();
        trial.x.extend(x.iter().zip(direction).map(|(x, by)| (x + length * by).max(0.0)));
        let promised = dispatch(Along { x, to: &trial.x, gradient });
        if promised >= 0.0 {
            return Ok(None);
        }
        let found = function.value(&trial.x)?;
        let enough = value + ENOUGH * promised;
        if found <= enough + rounding {
            function.slope(&mut trial.slope)?;
            let Trial { x: to, slope } = &*trial;
            if found <= enough - rounding
                || violation(to, &slope.gradient) < violation(x, gradient)
                || dispatch(Along { x, to, gradient: &slope.gradient }).abs() <= LEVEL * -promised
            {
                return Ok(Some(found));
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

        fn slope(&mut self, slope: &mut Slope) -> Result<()> {
            let image = self.image(&self.at).into_iter();
            let gradient = image.zip(&self.b).map(|(image, b)| image - b).collect();
            *slope = Slope { gradient, curvature: vec![1.0; self.b.len()] };
            Ok(())
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

        fn slope(&mut self, slope: &mut Slope) -> Result<()> {
            let pairs = || self.at.iter().zip(&self.a);
            slope.gradient = pairs().map(|(x, a)| 1.0 - a / (x + 0.5)).collect();
            slope.curvature = pairs().map(|(x, a)| a / (x + 0.5).powi(2)).collect();
            Ok(())
        }
    }

    /// Steps until the conditions hold; the values may only fall.
    fn minimize(function: &mut impl Bounded, mut x: Vec<f64>, precision: f64) -> Vec<f64> {
        let mut value = function.value(&x).unwrap();
        let mut slope = Slope::default();
        function.slope(&mut slope).unwrap();
        let mut steps = QuasiNewton::default();
        for _ in 0..500 {
            if violation(&x, &slope.gradient) <= precision {
                return x;
            }
            let next = steps.step(function, &mut x, value, &mut slope).unwrap();
            let Some(next) = next else { break };
            assert!(next <= value + 1e-12 * value.abs());
            value = next;
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
            let x = minimize(&mut function, vec![1.0; numbers.len()], 1e-7);
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
            let x = minimize(&mut Logarithms { a: a.clone(), at: Vec::new() }, start, 1e-8);
            for (x, a) in x.iter().zip(a) {
                prop_assert!((x - (a - 0.5).max(0.0)).abs() < 1e-5 * (1.0 + a), "{x} {a}");
            }
        }
    }
}
