//! The linear program of l1 graphs: the structured solver against Clarabel, in one run.
//!
//! Prints the best time of several solves, on the clock and of all processors together, with
//! their ratio, and fails if the values differ. Clarabel is given the program twice: as the paper
//! writes it, and as its dual.
//! The first solve also orders the unknowns of the sparse factor; a later sweep over the same
//! candidates does not, which is the second column. Arguments select cases by name.

#![allow(clippy::expect_used)]

#[path = "written/l1.rs"]
mod written;

use std::time::{Duration, Instant};

use midrib::connect::{Candidates, NeighborRule};
use midrib::math::{Matrix, PairProgram, squared_distance};
use midrib::synth::{Shape, Synth};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// As in the command line, and for both solvers.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

const NEIGHBORS: usize = 10;
/// What both solvers aim at.
const ACCURACY: f64 = 1e-9;

struct Case {
    name: &'static str,
    rows: Matrix,
    /// How often each solver runs: ours, Clarabel.
    runs: (usize, usize),
    /// Our solver must be this many times faster.
    goal: f64,
}

/// Random harmonics of an angle: a closed curve that uses every dimension, with noise.
fn ring(n: usize, dims: usize, noise: f64, seed: u64) -> Matrix {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut uniform = || rng.random::<f64>() - 0.5;
    let waves: Vec<[f64; 6]> = (0..dims).map(|_| std::array::from_fn(|_| uniform())).collect();
    let mut values = Vec::with_capacity(n * dims);
    for _ in 0..n {
        let angle = std::f64::consts::TAU * uniform();
        for wave in &waves {
            let on_curve: f64 = (0..3)
                .map(|k| {
                    let (sine, cosine) = ((k + 1) as f64 * angle).sin_cos();
                    (wave[2 * k] * sine + wave[2 * k + 1] * cosine) / (k + 1) as f64
                })
                .sum();
            values.push(on_curve + noise * uniform());
        }
    }
    matrix(n, dims, values)
}

/// Straight arms from one center, with noise.
fn star(n: usize, dims: usize, noise: f64, seed: u64) -> Matrix {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut uniform = || rng.random::<f64>() - 0.5;
    let arms: Vec<f64> = (0..7 * dims).map(|_| uniform()).collect();
    let mut values = Vec::with_capacity(n * dims);
    for i in 0..n {
        let along = uniform() + 0.5;
        let arm = &arms[i % 7 * dims..][..dims];
        values.extend(arm.iter().map(|arm| along * arm + noise * uniform()));
    }
    matrix(n, dims, values)
}

/// The tree of the bench `spl`.
fn tree(n: usize, dims: usize, noise: f64, seed: u64) -> Matrix {
    let shape = Shape::Tree { branch_points: 2 };
    let sample = Synth { shape, n, dims, noise, seed }.generate().expect("a sample");
    let mut rows = Matrix::zeros(n, dims);
    (0..n).for_each(|i| sample.points.copy_row(i, rows.row_mut(i)));
    rows
}

/// No structure at all: everyone is soon a neighbor of a neighbor.
fn scattered(n: usize, dims: usize, seed: u64) -> Matrix {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    matrix(n, dims, (0..n * dims).map(|_| rng.random::<f64>() - 0.5).collect())
}

fn matrix(n: usize, dims: usize, values: Vec<f64>) -> Matrix {
    Matrix::new(n, dims, values).expect("as many values as requested")
}

/// What all threads of this process have computed, where the system reports it.
fn processor_time() -> Option<Duration> {
    let threads = std::fs::read_dir("/proc/self/task").ok()?;
    let nanoseconds = threads.map(|thread| {
        let text = std::fs::read_to_string(thread.ok()?.path().join("schedstat")).ok()?;
        text.split_whitespace().next()?.parse::<u64>().ok()
    });
    nanoseconds.sum::<Option<u64>>().map(Duration::from_nanos)
}

/// The fastest of several runs: time on the clock, time of the processors, result.
fn best<T>(runs: usize, mut run: impl FnMut() -> T) -> (Duration, Duration, T) {
    let mut timed = || {
        let (start, before) = (Instant::now(), processor_time());
        let result = run();
        let clock = start.elapsed();
        let computed = before.and_then(|before| processor_time()?.checked_sub(before));
        (clock, computed.unwrap_or(clock), result)
    };
    let mut best = timed();
    for _ in 1..runs {
        let next = timed();
        if next.0 < best.0 {
            best = next;
        }
    }
    best
}

fn main() {
    let wanted: Vec<String> =
        std::env::args().skip(1).filter(|arg| !arg.starts_with('-')).collect();
    let cases = [
        Case { name: "ring-400x36", rows: ring(400, 36, 0.02, 1), runs: (5, 3), goal: 5.0 },
        Case { name: "star-400x36", rows: star(400, 36, 0.1, 2), runs: (5, 3), goal: 5.0 },
        Case { name: "ring-2000x10", rows: ring(2000, 10, 0.02, 3), runs: (3, 2), goal: 10.0 },
        Case { name: "tree-2000x10", rows: tree(2000, 10, 0.05, 1), runs: (3, 1), goal: 10.0 },
        Case { name: "star-2000x10", rows: star(2000, 10, 0.1, 4), runs: (3, 1), goal: 10.0 },
        Case { name: "wide-2000x10", rows: star(2000, 10, 0.3, 4), runs: (1, 1), goal: 10.0 },
        Case { name: "scattered-400x36", rows: scattered(400, 36, 5), runs: (1, 1), goal: 5.0 },
    ];
    println!(
        "| case | pairs | steps | gap | first solve | later solves | Clarabel | ratio | its dual | ratio | goal |"
    );
    println!("|---|---|---|---|---|---|---|---|---|---|---|");
    for case in cases {
        if !wanted.is_empty() && !wanted.iter().any(|name| case.name.contains(name.as_str())) {
            continue;
        }
        compare(&case);
    }
}

fn compare(case: &Case) {
    let candidates = Candidates::Nearest { k: NEIGHBORS, rule: NeighborRule::Union };
    let pairs = candidates.pairs(&case.rows).expect("more rows than neighbors");
    let squared = |&(a, b): &(usize, usize)| squared_distance(case.rows.row(a), case.rows.row(b));
    let costs: Vec<f64> = pairs.iter().map(|pair| 2.0 * squared(pair)).collect();
    let program = || PairProgram::new(&case.rows, pairs.clone(), 1.0).expect("sorted pairs");
    let (first, first_cpu, ours) =
        best(case.runs.0, || program().solve(&costs).expect("a solution"));
    let mut prepared = program();
    prepared.solve(&costs).expect("a solution");
    let (later, later_cpu, _) = best(case.runs.0, || prepared.solve(&costs).expect("a solution"));
    let (written, written_cpu, as_written) =
        best(case.runs.1, || written::value(&case.rows, &pairs, &costs, ACCURACY));
    let (dual, dual_cpu, by_dual) = best(case.runs.1, || {
        program().solve_by_reference(&costs, ACCURACY).expect("a solution").value
    });
    for theirs in [as_written, by_dual] {
        let difference = (ours.value - theirs).abs() / ours.value;
        assert!(difference < 1e-7, "{}: {} is not {theirs}", case.name, ours.value);
    }
    let ratio = |theirs: Duration, ours: Duration| theirs.as_secs_f64() / ours.as_secs_f64();
    println!(
        "| {} | {} | {} | {:.0e} | {first:.1?} / {first_cpu:.1?} | {later:.1?} / {later_cpu:.1?} | {written:.1?} / {written_cpu:.1?} | {:.1} / {:.1} | {dual:.1?} / {dual_cpu:.1?} | {:.1} / {:.1} | {} |",
        case.name,
        pairs.len(),
        ours.iterations,
        ours.relative_gap,
        ratio(written, first),
        ratio(written_cpu, first_cpu),
        ratio(dual, first),
        ratio(dual_cpu, first_cpu),
        case.goal,
    );
}
