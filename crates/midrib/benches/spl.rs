//! SPL beside a dense version of the same method, in one run.
//!
//! The dense version holds Q and its inverse as N×N matrices, as the paper does, evaluates the
//! objective and its gradient as often as the sparse fit took steps, and at γ = 0 ends with the
//! kernel PCA of its inverse. Of the fit everything is timed, the search for neighbours too. Both
//! run on one thread. Fails if the dense value at the learnt similarities is another one.

#![allow(clippy::expect_used)]

use std::time::{Duration, Instant};

use faer::linalg::solvers::{DenseSolveCore, Llt, SelfAdjointEigen};
use faer::{Mat, Par, Side};
use midrib::learn::spl::Scaling;
use midrib::learn::{Fitted, Given, Method, Spl};
use midrib::math::{Matrix, squared_distance};
use midrib::synth::{Shape, Synth};
use midrib::{Points, Silent};

const TOLERANCE_WEIGHT: f64 = 1000.0;
const COMPONENTS: usize = 2;
/// The fit must be this many times faster.
const GOAL: f64 = 20.0;

struct Dense {
    x: Mat<f64>,
    pairs: Vec<(usize, usize)>,
    squared: Vec<f64>,
    noise: f64,
}

impl Dense {
    fn q(&self, s: &[f64]) -> Mat<f64> {
        let n = self.x.nrows();
        let mut q = Mat::<f64>::identity(n, n) * ((self.noise + 1.0) / 4.0);
        for (&(a, b), s) in self.pairs.iter().zip(s) {
            q[(a, a)] += s;
            q[(b, b)] += s;
            q[(a, b)] -= s;
            q[(b, a)] -= s;
        }
        q
    }

    /// The negative objective and its gradient.
    fn evaluate(&self, s: &[f64]) -> (f64, Vec<f64>) {
        let n = self.x.nrows();
        let factor = Llt::new(self.q(s).as_ref(), Side::Lower).expect("a definite matrix");
        let half = COMPONENTS as f64 / 2.0;
        let log_det: f64 = (0..n).map(|i| 2.0 * factor.L()[(i, i)].ln()).sum();
        let inverse = factor.inverse();
        let smoothed = &inverse * &self.x;
        let form = self.x.transpose() * &smoothed;
        let eigen = SelfAdjointEigen::new(form.as_ref(), Side::Lower).expect("eigenvectors");
        let dims = self.x.ncols();
        let top: f64 = (dims - COMPONENTS..dims).map(|i| eigen.S()[i]).sum();
        let e = smoothed * eigen.U().subcols(dims - COMPONENTS, COMPONENTS) * (self.noise / 4.0);
        let mut value = self.noise.powi(2) / 8.0 * top - half * log_det;
        let mut gradient = Vec::with_capacity(s.len());
        for ((&(a, b), s), squared) in self.pairs.iter().zip(s).zip(&self.squared) {
            value += s * (2.0 * squared + s / (2.0 * TOLERANCE_WEIGHT));
            let resistance = inverse[(a, a)] + inverse[(b, b)] - 2.0 * inverse[(a, b)];
            let apart: f64 = (0..COMPONENTS).map(|i| (e[(a, i)] - e[(b, i)]).powi(2)).sum();
            let kept = s / TOLERANCE_WEIGHT + 2.0 * squared;
            gradient.push(kept - half * resistance - 2.0 * apart);
        }
        (value, gradient)
    }

    /// The components of the centred kernel; γ = 0.
    fn kernel_components(&self, s: &[f64]) -> Mat<f64> {
        let factor = Llt::new(self.q(s).as_ref(), Side::Lower).expect("a definite matrix");
        let n = self.x.nrows();
        let mut kernel = factor.inverse();
        for _ in 0..2 {
            for column in 0..n {
                let mean = (0..n).map(|row| kernel[(row, column)]).sum::<f64>() / n as f64;
                (0..n).for_each(|row| kernel[(row, column)] -= mean);
            }
            kernel = kernel.transpose().to_owned();
        }
        let eigen = SelfAdjointEigen::new(kernel.as_ref(), Side::Lower).expect("eigenvectors");
        eigen.U().subcols(n - COMPONENTS, COMPONENTS).to_owned()
    }
}

fn timed<T>(run: impl Fn() -> T) -> (Duration, T) {
    let once = || {
        let start = Instant::now();
        let result = run();
        (start.elapsed(), result)
    };
    let runs = [once(), once(), once()];
    runs.into_iter().min_by_key(|run| run.0).expect("three runs")
}

fn compare(rows: &Matrix, noise: f64) {
    let points = Points::from_f64(rows.as_slice(), rows.n_cols()).expect("complete rows");
    let settings = Spl { noise_weight: noise, scaling: Scaling::None, ..Spl::default() };
    let fit = || settings.fit(&points, Given::default(), &mut Silent).expect("a fit");
    let (ours, fitted): (Duration, Fitted) = timed(fit);
    let n = rows.n_rows();
    let mean: Vec<f64> =
        (0..rows.n_cols()).map(|d| rows.rows().map(|row| row[d]).sum::<f64>() / n as f64).collect();
    let edges = fitted.graph.edges();
    let pairs: Vec<(usize, usize)> = edges.iter().map(|edge| (edge.a, edge.b)).collect();
    let squared = pairs.iter().map(|&(a, b)| squared_distance(rows.row(a), rows.row(b))).collect();
    let x = Mat::from_fn(n, rows.n_cols(), |i, d| rows.row(i)[d] - mean[d]);
    let dense = Dense { x, pairs, squared, noise };
    let s: Vec<f64> = edges.iter().map(|edge| edge.weight).collect();
    let (once, (value, _)) = timed(|| dense.evaluate(&s));
    let expected = fitted.objective();
    assert!((value - expected).abs() < 1e-4 * expected.abs(), "{value} is not {expected}");
    let mut theirs = once * (fitted.n_iter() as u32 + 1);
    if noise == 0.0 {
        theirs += timed(|| dense.kernel_components(&s)).0;
    }
    println!(
        "| {n} | {} | {noise} | {} | {ours:.1?} | {theirs:.1?} | {:.1} | {GOAL} |",
        rows.n_cols(),
        fitted.n_iter(),
        theirs.as_secs_f64() / ours.as_secs_f64()
    );
}

fn main() {
    faer::set_global_parallelism(Par::Seq);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("a thread");
    println!("| N | D | noise weight | steps | sparse fit | dense | ratio | goal |");
    println!("|--:|--:|--:|--:|--:|--:|--:|--:|");
    for (n, dims) in [(500, 2), (500, 10), (2000, 10)] {
        let shape = Shape::Tree { branch_points: 2 };
        let sample = Synth { shape, n, dims, noise: 0.05, seed: 1 }.generate().expect("a sample");
        let mut rows = Matrix::zeros(n, dims);
        (0..n).for_each(|i| sample.points.copy_row(i, rows.row_mut(i)));
        for noise in [0.0, 1.0] {
            pool.install(|| compare(&rows, noise));
        }
    }
}
