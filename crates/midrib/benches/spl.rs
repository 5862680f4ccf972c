//! SPL beside a dense version of the same method, in one run.
//!
//! Both are timed from the points to the embedding, on one thread: neighbors, quasi-Newton steps
//! from the same start to the same violation of the conditions of the maximum, and the embedding.
//! Fails if the two do not end at the same objective and embedding.

#![allow(clippy::expect_used)]

#[path = "dense/spl.rs"]
mod dense;

use std::time::{Duration, Instant};

use faer::{Mat, Par};
use midrib::learn::spl::Scaling;
use midrib::learn::{ComponentCount, Given, InfOr, Method, NodeCount, Spl};
use midrib::math::Matrix;
use midrib::synth::{Shape, Synth};
use midrib::{Points, Silent};

/// How many times faster the fit is to be.
const GOAL: f64 = 20.0;
/// The two take turns this long, and at least [`RUNS`] times.
const LONG_ENOUGH: Duration = Duration::from_secs(5);
const RUNS: usize = 3;

/// Times a run.
fn timed<T>(run: impl Fn() -> T) -> (Duration, T) {
    let start = Instant::now();
    let result = run();
    (start.elapsed(), result)
}

fn compare(rows: &Matrix, noise: f64) {
    let points = Points::from_f64(rows.as_slice(), rows.n_cols()).expect("complete rows");
    let settings = Spl {
        noise_weight: noise,
        n_neighbors: NodeCount::Exactly(dense::NEIGHBORS),
        n_components: ComponentCount::Exactly(dense::COMPONENTS),
        tolerance_weight: InfOr::Finite(dense::TOLERANCE_WEIGHT),
        scaling: Scaling::None,
        ..Spl::default()
    };
    let fit = || settings.fit(&points, Given::default(), &mut Silent).expect("a fit");
    let x = Mat::from_fn(rows.n_rows(), rows.n_cols(), |i, d| rows.row(i)[d]);
    let begin = Instant::now();
    let (mut sparse_time, mut dense_time) = (Duration::MAX, Duration::MAX);
    let mut runs = 0;
    let (fitted, dense) = loop {
        let (time, fitted) = timed(fit);
        sparse_time = sparse_time.min(time);
        let (time, dense) = timed(|| dense::fit(&x, noise, settings.tol));
        dense_time = dense_time.min(time);
        runs += 1;
        if runs >= RUNS && begin.elapsed() > LONG_ENOUGH {
            break (fitted, dense);
        }
    };
    let expected = fitted.objective();
    let apart = (dense.cost - expected).abs();
    assert!(apart < 1e-6 * expected.abs(), "{} is not {expected}", dense.cost);
    let embedding = fitted.object.embedding().expect("an embedding").coordinates.clone();
    assert_same_embedding(&embedding, &dense.embedding);
    println!(
        "| {} | {} | {noise} | {} | {} | {sparse_time:.1?} | {dense_time:.1?} | {:.1} | {GOAL} |",
        rows.n_rows(),
        rows.n_cols(),
        fitted.iterations,
        dense.steps,
        dense_time.as_secs_f64() / sparse_time.as_secs_f64()
    );
}

/// The same up to the signs of components, which the dense version gives in ascending order.
fn assert_same_embedding(sparse: &Matrix, dense: &Mat<f64>) {
    for component in 0..dense.ncols() {
        let other = dense.col(dense.ncols() - 1 - component);
        let pairs = || sparse.rows().map(|row| row[component]).zip(other.iter());
        let sign = pairs().map(|(a, b)| a * b).sum::<f64>().signum();
        let size = pairs().map(|(a, _)| a * a).sum::<f64>().sqrt();
        let apart = pairs().map(|(a, b)| (a - sign * b).powi(2)).sum::<f64>().sqrt();
        assert!(apart < 1e-2 * size, "component {component} is {apart} off, of {size}");
    }
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
