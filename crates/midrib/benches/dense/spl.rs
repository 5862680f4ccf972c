//! SPL with Q and its inverse as N×N matrices, as the paper holds them, and steps by the plain
//! recursion of limited-memory BFGS.

use faer::linalg::solvers::{DenseSolveCore, Llt, SelfAdjointEigen};
use faer::prelude::Solve;
use faer::{Mat, Side};

const NEIGHBORS: usize = 10;
const COMPONENTS: usize = 2;
const TOLERANCE_WEIGHT: f64 = 1000.0;
/// Steps that are remembered.
const MEMORY: usize = 4;
/// A number below this share of its own step towards 0 will end there.
const HELD: f64 = 0.1;
/// A step must lower the cost by at least this share of what its slope promises.
const ENOUGH: f64 = 1e-4;
/// Costs that differ by less than this share of them are the same.
const ROUNDING: f64 = 1e-13;

pub struct Learnt {
    pub objective: f64,
    pub steps: usize,
    /// One point a row.
    #[expect(dead_code, reason = "made, as a fit makes it, not compared")]
    pub embedding: Mat<f64>,
}

/// Learns similarities and embedding of the rows of `x`.
pub fn fit(x: &Mat<f64>, noise: f64, tol: f64) -> Learnt {
    let model = Model::new(x, noise);
    let mean = model.squared.iter().sum::<f64>() / model.squared.len() as f64;
    let mut s = model.start();
    let factor = model.factor(&s);
    let mut cost = model.cost(&s, &factor);
    let (mut slope, mut embedding) = model.slope(&s, &factor);
    let mut memory: Vec<[Vec<f64>; 2]> = Vec::new();
    let mut steps = 0;
    while violation(&s, &slope.gradient) / 2.0 > tol * mean {
        let direction = direction(&memory, &s, &slope);
        let mut length = 1.0;
        let (next, factor) = loop {
            let next: Vec<f64> =
                s.iter().zip(&direction).map(|(s, by)| (s + length * by).max(0.0)).collect();
            let promised = dot(&difference(&next, &s), &slope.gradient);
            let factor = model.factor(&next);
            let found = model.cost(&next, &factor);
            if found <= cost + ENOUGH * promised + ROUNDING * cost.abs() {
                cost = found;
                break (next, factor);
            }
            length *= (-promised / (2.0 * (found - cost - promised))).clamp(0.1, 0.5);
        };
        let (slope_there, embedding_there) = model.slope(&next, &factor);
        let change = difference(&slope_there.gradient, &slope.gradient);
        memory.push([difference(&next, &s), change]);
        if memory.len() > MEMORY {
            memory.remove(0);
        }
        (s, slope, embedding) = (next, slope_there, embedding_there);
        steps += 1;
    }
    if noise == 0.0 {
        embedding = model.kernel_components(&s);
    }
    Learnt { objective: cost, steps, embedding }
}

struct Model {
    /// Centred.
    x: Mat<f64>,
    pairs: Vec<(usize, usize)>,
    squared: Vec<f64>,
    noise: f64,
}

struct Slope {
    gradient: Vec<f64>,
    curvature: Vec<f64>,
}

/// Q in triangles, and the top axes and values of `Xᵀ Q⁻¹ X` with `Q⁻¹ X`.
struct Factor {
    llt: Llt<f64>,
    top: Option<Top>,
}

struct Top {
    smoothed: Mat<f64>,
    axes: Mat<f64>,
    sum: f64,
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
        for a in 0..n {
            let distances: Vec<f64> = (0..n).map(|b| squared(b, a)).collect();
            let mut others: Vec<usize> = (0..n).filter(|b| *b != a).collect();
            others
                .select_nth_unstable_by(NEIGHBORS, |i, j| distances[*i].total_cmp(&distances[*j]));
            pairs.extend(others[..NEIGHBORS].iter().map(|&b| (a.min(b), a.max(b))));
        }
        pairs.sort_unstable();
        pairs.dedup();
        let squared = pairs.iter().map(|&(a, b)| squared(a, b)).collect();
        Self { x, pairs, squared, noise }
    }

    /// The start of the sparse fit: all pairs share equally in the N unknowns.
    fn start(&self) -> Vec<f64> {
        let share = self.x.nrows() as f64 / self.pairs.len() as f64 * COMPONENTS as f64 / 2.0;
        let best = |phi: &f64| share / (phi + (phi * phi + share / TOLERANCE_WEIGHT).sqrt());
        self.squared.iter().map(best).collect()
    }

    fn factor(&self, s: &[f64]) -> Factor {
        let n = self.x.nrows();
        let mut q = Mat::<f64>::identity(n, n) * ((self.noise + 1.0) / 4.0);
        for (&(a, b), s) in self.pairs.iter().zip(s) {
            q[(a, a)] += s;
            q[(b, b)] += s;
            q[(b, a)] -= s;
        }
        let llt = Llt::new(q.as_ref(), Side::Lower).expect("a definite matrix");
        let top = (self.noise > 0.0).then(|| {
            let smoothed = llt.solve(&self.x);
            let form = self.x.transpose() * &smoothed;
            let eigen = SelfAdjointEigen::new(form.as_ref(), Side::Lower).expect("eigenvectors");
            let first = self.x.ncols() - COMPONENTS;
            let axes = eigen.U().subcols(first, COMPONENTS).to_owned();
            Top { smoothed, axes, sum: (first..self.x.ncols()).map(|i| eigen.S()[i]).sum() }
        });
        Factor { llt, top }
    }

    /// The negative objective.
    fn cost(&self, s: &[f64], factor: &Factor) -> f64 {
        let log_det: f64 = (0..self.x.nrows()).map(|i| 2.0 * factor.llt.L()[(i, i)].ln()).sum();
        let top = factor.top.as_ref().map_or(0.0, |top| top.sum);
        let kept = 2.0 * dot(s, &self.squared) + dot(s, s) / (2.0 * TOLERANCE_WEIGHT);
        kept + self.noise.powi(2) / 8.0 * top - COMPONENTS as f64 / 2.0 * log_det
    }

    /// The slope of the cost, and the embedding.
    fn slope(&self, s: &[f64], factor: &Factor) -> (Slope, Mat<f64>) {
        let inverse = factor.llt.inverse();
        let half = COMPONENTS as f64 / 2.0;
        let e = factor
            .top
            .as_ref()
            .map_or_else(Mat::new, |top| &top.smoothed * &top.axes * (self.noise / 4.0));
        let mut slope = Slope { gradient: Vec::new(), curvature: Vec::new() };
        for ((&(a, b), s), squared) in self.pairs.iter().zip(s).zip(&self.squared) {
            let resistance = inverse[(a, a)] + inverse[(b, b)] - 2.0 * inverse[(b, a)];
            let apart: f64 = (0..e.ncols()).map(|i| (e[(a, i)] - e[(b, i)]).powi(2)).sum();
            let kept = s / TOLERANCE_WEIGHT + 2.0 * squared;
            slope.gradient.push(kept - half * resistance - 2.0 * apart);
            slope.curvature.push(half * resistance.powi(2) + 1.0 / TOLERANCE_WEIGHT);
        }
        (slope, e)
    }

    /// The components of the centred kernel; no noise.
    fn kernel_components(&self, s: &[f64]) -> Mat<f64> {
        let n = self.x.nrows();
        let mut kernel = self.factor(s).llt.inverse();
        for _ in 0..2 {
            for column in 0..n {
                let mean = kernel.col(column).iter().sum::<f64>() / n as f64;
                (0..n).for_each(|row| kernel[(row, column)] -= mean);
            }
            kernel = kernel.transpose().to_owned();
        }
        let eigen = SelfAdjointEigen::new(kernel.as_ref(), Side::Lower).expect("eigenvectors");
        eigen.U().subcols(n - COMPONENTS, COMPONENTS).to_owned()
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
