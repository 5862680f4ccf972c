//! SPL with Q and its inverse as N×N matrices, as the paper holds them, and steps by the plain
//! recursion of limited-memory BFGS with the constants of `math/quasi_newton`.

use faer::dyn_stack::{MemBuffer, MemStack};
use faer::linalg::cholesky::llt;
use faer::linalg::cholesky::llt::factor::LltRegularization;
use faer::linalg::solvers::SelfAdjointEigen;
use faer::{Mat, Par, Side, Spec};

pub const NEIGHBORS: usize = 10;
pub const COMPONENTS: usize = 2;
pub const TOLERANCE_WEIGHT: f64 = 1000.0;
/// Steps that are remembered.
const MEMORY: usize = 4;
/// A number below this share of its own step toward 0 will end there.
const HELD: f64 = 0.1;
/// A step must lower the cost by at least this share of what its slope promises.
const ENOUGH: f64 = 1e-4;
/// Costs that differ by less than this share of them are the same.
const ROUNDING: f64 = 1e-13;
const MAX_STEPS: usize = 1000;

/// Where the steps end.
pub struct Learned {
    /// The negative objective.
    pub cost: f64,
    pub steps: usize,
    /// One point per row.
    pub embedding: Mat<f64>,
}

/// Learns similarities and embedding of the rows of `x`.
pub fn fit(x: &Mat<f64>, noise: f64, tol: f64) -> Learned {
    let mut model = Model::new(x, noise);
    let mean = model.squared.iter().sum::<f64>() / model.squared.len() as f64;
    let mut s = model.start();
    let mut cost = model.cost(&s);
    let mut slope = model.slope(&s);
    let mut memory: Vec<[Vec<f64>; 2]> = Vec::new();
    let mut steps = 0;
    while violation(&s, &slope.gradient) / 2.0 > tol * mean {
        let direction = direction(&memory, &s, &slope);
        let mut length = 1.0;
        let next = loop {
            let next: Vec<f64> =
                s.iter().zip(&direction).map(|(s, by)| (s + length * by).max(0.0)).collect();
            let promised = dot(&difference(&next, &s), &slope.gradient);
            let found = model.cost(&next);
            assert!(found.is_finite() && length > 0.0, "no lower cost is found");
            if found <= cost + ENOUGH * promised + ROUNDING * cost.abs() {
                cost = found;
                break next;
            }
            length *= (-promised / (2.0 * (found - cost - promised))).clamp(0.1, 0.5);
        };
        let slope_there = model.slope(&next);
        let change = difference(&slope_there.gradient, &slope.gradient);
        memory.push([difference(&next, &s), change]);
        if memory.len() > MEMORY {
            memory.remove(0);
        }
        (s, slope) = (next, slope_there);
        steps += 1;
        assert!(steps < MAX_STEPS, "the conditions are not met");
    }
    let embedding = if noise > 0.0 { model.embedding() } else { model.kernel_components() };
    Learned { cost, steps, embedding }
}

struct Model {
    /// Centered.
    x: Mat<f64>,
    pairs: Vec<(usize, usize)>,
    squared: Vec<f64>,
    noise: f64,
    /// The factor of Q at the last similarities, and the inverse, in their lower
    /// triangles.
    factor: Mat<f64>,
    inverse: Mat<f64>,
    /// `Q⁻¹ X`, and the top axes of `Xᵀ Q⁻¹ X`; with noise.
    smoothed: Mat<f64>,
    axes: Mat<f64>,
    scratch: MemBuffer,
}

struct Slope {
    gradient: Vec<f64>,
    curvature: Vec<f64>,
}

impl Model {
    fn new(x: &Mat<f64>, noise: f64) -> Self {
        let (n, dims) = (x.nrows(), x.ncols());
        let mean: Vec<f64> = (0..dims).map(|d| x.col(d).iter().sum::<f64>() / n as f64).collect();
        let x = Mat::from_fn(n, dims, |i, d| x[(i, d)] - mean[d]);
        let products = &x * x.transpose();
        let squared =
            |a: usize, b: usize| products[(a, a)] + products[(b, b)] - 2.0 * products[(a, b)];
        let mut pairs = Vec::with_capacity(n * NEIGHBORS);
        let (mut distances, mut others) = (vec![0.0; n], Vec::with_capacity(n));
        for a in 0..n {
            distances.iter_mut().enumerate().for_each(|(b, to)| *to = squared(b, a));
            others.clear();
            others.extend((0..n).filter(|b| *b != a));
            others
                .select_nth_unstable_by(NEIGHBORS, |i, j| distances[*i].total_cmp(&distances[*j]));
            pairs.extend(others[..NEIGHBORS].iter().map(|&b| (a.min(b), a.max(b))));
        }
        pairs.sort_unstable();
        pairs.dedup();
        let squared = pairs.iter().map(|&(a, b)| squared(a, b)).collect();
        let params = Spec::default();
        let scratch = llt::factor::cholesky_in_place_scratch::<f64>(n, Par::Seq, params)
            .or(llt::inverse::inverse_scratch::<f64>(n, Par::Seq))
            .or(llt::solve::solve_in_place_scratch::<f64>(n, dims, Par::Seq));
        Self {
            smoothed: x.clone(),
            axes: Mat::new(),
            x,
            pairs,
            squared,
            noise,
            factor: Mat::zeros(n, n),
            inverse: Mat::zeros(n, n),
            scratch: MemBuffer::new(scratch),
        }
    }

    /// The start of the sparse fit: all pairs share equally in the N unknowns.
    fn start(&self) -> Vec<f64> {
        let share = self.x.nrows() as f64 / self.pairs.len() as f64 * COMPONENTS as f64 / 2.0;
        let best = |phi: &f64| share / (phi + (phi * phi + share / TOLERANCE_WEIGHT).sqrt());
        self.squared.iter().map(best).collect()
    }

    /// The negative objective.
    fn cost(&mut self, s: &[f64]) -> f64 {
        let Self { factor, smoothed, scratch, .. } = self;
        let n = self.x.nrows();
        factor.fill(0.0);
        for i in 0..n {
            factor[(i, i)] = (self.noise + 1.0) / 4.0;
        }
        for (&(a, b), s) in self.pairs.iter().zip(s) {
            factor[(a, a)] += s;
            factor[(b, b)] += s;
            factor[(b, a)] -= s;
        }
        let (whole, params) = (LltRegularization::default(), Spec::default());
        let stack = MemStack::new(scratch);
        llt::factor::cholesky_in_place(factor.as_mut(), whole, Par::Seq, stack, params)
            .expect("a definite matrix");
        let mut top = 0.0;
        if self.noise > 0.0 {
            smoothed.copy_from(&self.x);
            let stack = MemStack::new(scratch);
            llt::solve::solve_in_place(factor.as_ref(), smoothed.as_mut(), Par::Seq, stack);
            let form = self.x.transpose() * &*smoothed;
            let eigen = SelfAdjointEigen::new(form.as_ref(), Side::Lower).expect("eigenvectors");
            let first = self.x.ncols() - COMPONENTS;
            self.axes = eigen.U().subcols(first, COMPONENTS).to_owned();
            top = (first..self.x.ncols()).map(|i| eigen.S()[i]).sum();
        }
        let log_det: f64 = (0..n).map(|i| 2.0 * factor[(i, i)].ln()).sum();
        let kept = 2.0 * dot(s, &self.squared) + dot(s, s) / (2.0 * TOLERANCE_WEIGHT);
        kept + self.noise.powi(2) / 8.0 * top - COMPONENTS as f64 / 2.0 * log_det
    }

    /// The embedding at the similarities whose cost was computed last; with noise.
    fn embedding(&self) -> Mat<f64> {
        &self.smoothed * &self.axes * (self.noise / 4.0)
    }

    /// The slope of the cost at the similarities of the last call.
    fn slope(&mut self, s: &[f64]) -> Slope {
        let Self { factor, inverse, scratch, .. } = self;
        let stack = MemStack::new(scratch);
        llt::inverse::inverse(inverse.as_mut(), factor.as_ref(), Par::Seq, stack);
        let half = COMPONENTS as f64 / 2.0;
        let e = if self.noise > 0.0 { self.embedding() } else { Mat::new() };
        let inverse = &self.inverse;
        let mut slope =
            Slope { gradient: Vec::with_capacity(s.len()), curvature: Vec::with_capacity(s.len()) };
        for ((&(a, b), s), squared) in self.pairs.iter().zip(s).zip(&self.squared) {
            let resistance = inverse[(a, a)] + inverse[(b, b)] - 2.0 * inverse[(b, a)];
            let apart: f64 = (0..e.ncols()).map(|i| (e[(a, i)] - e[(b, i)]).powi(2)).sum();
            let kept = s / TOLERANCE_WEIGHT + 2.0 * squared;
            slope.gradient.push(kept - half * resistance - 2.0 * apart);
            slope.curvature.push(half * resistance.powi(2) + 1.0 / TOLERANCE_WEIGHT);
        }
        slope
    }

    /// The components of the centered kernel `(4Q)⁻¹`, by all its eigenvectors; without noise.
    fn kernel_components(&self) -> Mat<f64> {
        let n = self.x.nrows();
        let mut kernel = Mat::from_fn(n, n, |a, b| self.inverse[(a.max(b), a.min(b))] / 4.0);
        for _ in 0..2 {
            for column in 0..n {
                let mean = kernel.col(column).iter().sum::<f64>() / n as f64;
                kernel.col_mut(column).iter_mut().for_each(|x| *x -= mean);
            }
            kernel = kernel.transpose().to_owned();
        }
        let eigen = SelfAdjointEigen::new(kernel.as_ref(), Side::Lower).expect("eigenvectors");
        Mat::from_fn(n, COMPONENTS, |i, c| {
            let place = n - COMPONENTS + c;
            eigen.U()[(i, place)] * eigen.S()[place].sqrt()
        })
    }
}

/// How far `s` is from the conditions of a least cost.
fn violation(s: &[f64], gradient: &[f64]) -> f64 {
    let of = |(s, g): (&f64, &f64)| if *s > 0.0 { g.abs() } else { -g };
    s.iter().zip(gradient).map(of).fold(0.0, f64::max)
}

/// The step that the curvature seen suggests to the numbers that are free to move; the others go
/// by their own.
fn direction(memory: &[[Vec<f64>; 2]], s: &[f64], slope: &Slope) -> Vec<f64> {
    let own = |i: usize| -slope.gradient[i] / slope.curvature[i];
    let free: Vec<bool> = (0..s.len()).map(|i| own(i) >= 0.0 || s[i] > HELD * -own(i)).collect();
    let of_free = |v: &[f64]| -> Vec<f64> {
        v.iter().zip(&free).map(|(x, free)| if *free { *x } else { 0.0 }).collect()
    };
    let seen: Vec<[Vec<f64>; 2]> = memory
        .iter()
        .map(|[step, change]| [of_free(step), of_free(change)])
        .filter(|[step, change]| {
            dot(step, change) > 1e-12 * (dot(step, step) * dot(change, change)).sqrt()
        })
        .collect();
    let mut left = of_free(&slope.gradient);
    left.iter_mut().for_each(|x| *x = -*x);
    let mut shares = Vec::new();
    for [step, change] in seen.iter().rev() {
        let share = dot(step, &left) / dot(step, change);
        left.iter_mut().zip(change).for_each(|(x, c)| *x -= share * c);
        shares.push(share);
    }
    let yields =
        |v: &[f64]| -> Vec<f64> { v.iter().zip(&slope.curvature).map(|(x, c)| x / c).collect() };
    let scale =
        seen.last().map_or(1.0, |[step, change]| dot(step, change) / dot(change, &yields(change)));
    let mut way: Vec<f64> = yields(&left).iter().map(|x| scale * x).collect();
    for ([step, change], share) in seen.iter().zip(shares.iter().rev()) {
        let back = dot(change, &way) / dot(step, change);
        way.iter_mut().zip(step).for_each(|(x, s)| *x += (share - back) * s);
    }
    (0..s.len()).map(|i| if free[i] { way[i] } else { own(i) }).collect()
}

fn difference(a: &[f64], b: &[f64]) -> Vec<f64> {
    a.iter().zip(b).map(|(a, b)| a - b).collect()
}

/// In eight sums, which need not wait for one another.
fn dot(a: &[f64], b: &[f64]) -> f64 {
    let ((a, a_rest), (b, b_rest)) = (a.as_chunks::<8>(), b.as_chunks::<8>());
    let mut sums = [0.0; 8];
    for (a, b) in a.iter().zip(b) {
        (0..8).for_each(|i| sums[i] += a[i] * b[i]);
    }
    let rest: f64 = a_rest.iter().zip(b_rest).map(|(a, b)| a * b).sum();
    sums.iter().sum::<f64>() + rest
}
