//! SPL beside a dense version of the same method, in one run.
//!
//! Both are timed from the points to the embedding, on one thread: neighbours, quasi-Newton steps
//! from the same start to the same violation of the conditions of the maximum, and the embedding.
//! Fails if the two do not end at the same objective.

#![allow(clippy::expect_used)]

#[path = "dense/spl.rs"]
mod dense;

use std::time::{Duration, Instant};

use faer::{Mat, Par};
use midrib::learn::spl::Scaling;
use midrib::learn::{Given, Method, Spl};
use midrib::math::Matrix;
use midrib::synth::{Shape, Synth};
use midrib::{Points, Silent};

/// The fit must be this many times faster.
const GOAL: f64 = 20.0;
/// A run is repeated this long, and at least [`RUNS`] times.
const LONG_ENOUGH: Duration = Duration::from_secs(4);
const RUNS: usize = 3;

/// The shortest of several runs, and the last result.
fn timed<T>(run: impl Fn() -> T) -> (Duration, T) {
    let begin = Instant::now();
    let mut shortest = Duration::MAX;
    let mut runs = 0;
    loop {
        let start = Instant::now();
        let result = run();
        shortest = shortest.min(start.elapsed());
        runs += 1;
        if runs >= RUNS && begin.elapsed() > LONG_ENOUGH {
            return (shortest, result);
        }
    }
}

fn compare(rows: &Matrix, noise: f64) {
    let points = Points::from_f64(rows.as_slice(), rows.n_cols()).expect("complete rows");
    let settings = Spl { noise_weight: noise, scaling: Scaling::None, ..Spl::default() };
    let fit = || settings.fit(&points, Given::default(), &mut Silent).expect("a fit");
    let (ours, fitted) = timed(fit);
    let x = Mat::from_fn(rows.n_rows(), rows.n_cols(), |i, d| rows.row(i)[d]);
    let (theirs, dense) = timed(|| dense::fit(&x, noise, settings.tol));
    let expected = fitted.objective();
    let apart = (dense.objective - expected).abs();
    assert!(apart < 1e-6 * expected.abs(), "{} is not {expected}", dense.objective);
    println!(
        "| {} | {} | {noise} | {} | {} | {ours:.1?} | {theirs:.1?} | {:.1} | {GOAL} |",
        rows.n_rows(),
        rows.n_cols(),
        fitted.n_iter(),
        dense.steps,
        theirs.as_secs_f64() / ours.as_secs_f64()
    );
}

fn main() {
    faer::set_global_parallelism(Par::Seq);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("a thread");
    println!("| N | D | noise weight | steps | dense steps | sparse fit | dense | ratio | goal |");
    println!("|--:|--:|--:|--:|--:|--:|--:|--:|--:|");
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
