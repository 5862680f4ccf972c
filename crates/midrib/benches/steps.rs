//! The steps of a sweep at fixed sizes; the bare matrix products beside them are the yardstick.
#![allow(clippy::unwrap_used, missing_docs)]

use criterion::{Criterion, criterion_group, criterion_main};
use faer::linalg::matmul::matmul;
use faer::{Accum, Mat, MatRef, Par};
use midrib::assign::{Cutoff, soft_sums};
use midrib::connect::spanning_tree;
use midrib::math::{Matrix, tree_solve};
use midrib::{Cloud, Points};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;

const N: usize = 100_000;
const D: usize = 50;
const K: usize = 1_000;
const TILE: usize = 512;

fn uniform(rows: usize, cols: usize, seed: u64) -> Vec<f64> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    (0..rows * cols).map(|_| rng.random::<f64>() - 0.5).collect()
}

/// Points around a star of seven straight arms, the nodes on the arms.
fn star(rows: usize, dims: usize, noise: f64, seed: u64) -> Vec<f64> {
    let arms = uniform(7, dims, 99);
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut values = Vec::with_capacity(rows * dims);
    for _ in 0..rows {
        let arm = rng.random_range(0..7) * dims;
        let along = rng.random::<f64>();
        values
            .extend((0..dims).map(|d| along * arms[arm + d] + noise * (rng.random::<f64>() - 0.5)));
    }
    values
}

/// The two products that a dense sweep cannot do without, in the fastest form.
fn bare_products(points: &[f64], nodes: &[f64]) -> f64 {
    points
        .par_chunks(TILE * D)
        .map_init(
            || (Mat::<f64>::zeros(K, TILE), Mat::<f64>::zeros(D, K)),
            |(similarity, sums), tile| {
                let rows = tile.len() / D;
                let x = MatRef::from_column_major_slice(tile, D, rows);
                let y = MatRef::from_column_major_slice(nodes, D, K);
                let mut s = similarity.as_mut().subcols_mut(0, rows);
                matmul(&mut s, Accum::Replace, y.transpose(), x, 1.0, Par::Seq);
                matmul(sums.as_mut(), Accum::Add, x, s.as_ref().transpose(), 1.0, Par::Seq);
                sums[(0, 0)]
            },
        )
        .sum()
}

fn sweeps(c: &mut Criterion) {
    let mut group = c.benchmark_group("soft sweep, N=100000 D=50 K=1000");
    group.sample_size(10);
    let values = star(N, D, 0.2, 1);
    let nodes = star(K, D, 0.0, 2);
    group.bench_function("two bare products", |b| b.iter(|| bare_products(&values, &nodes)));
    let points = Points::from_f64(&values, D).unwrap();
    let cloud = Cloud::new(&points).unwrap();
    let nodes = cloud.to_working(Matrix::new(K, D, nodes).unwrap());
    group
        .bench_function("no cutoff", |b| b.iter(|| soft_sums(&cloud, &nodes, 0.01, Cutoff::Never)));
    group.bench_function("cutoff, small bandwidth", |b| {
        b.iter(|| soft_sums(&cloud, &nodes, 1e-4, Cutoff::EXACT))
    });
    group.finish();
}

fn one_node_per_point(c: &mut Criterion) {
    let mut group = c.benchmark_group("soft sweep, N=K=30000 D=3");
    group.sample_size(10);
    let values = star(30_000, 3, 0.05, 1);
    let points = Points::from_f64(&values, 3).unwrap();
    let cloud = Cloud::new(&points).unwrap();
    let nodes = cloud.to_working(Matrix::new(30_000, 3, values.clone()).unwrap());
    for bandwidth in [1e-4, 1e-3] {
        group.bench_function(format!("bandwidth {bandwidth}"), |b| {
            b.iter(|| soft_sums(&cloud, &nodes, bandwidth, Cutoff::EXACT))
        });
    }
    group.finish();
}

fn trees(c: &mut Criterion) {
    let mut group = c.benchmark_group("spanning tree");
    group.sample_size(10);
    for (dims, n) in [(2, 100_000), (3, 100_000), (50, 1_000)] {
        let nodes = Matrix::new(n, dims, uniform(n, dims, 3)).unwrap();
        group.bench_function(format!("{n} points in {dims}-D"), |b| {
            b.iter(|| spanning_tree(&nodes))
        });
    }
    let nodes = Matrix::new(100_000, 3, star(100_000, 3, 0.02, 5)).unwrap();
    group
        .bench_function("100000 points around a star in 3-D", |b| b.iter(|| spanning_tree(&nodes)));
    group.finish();

    let mut group = c.benchmark_group("tree solve");
    group.sample_size(10);
    let n = 1_000_000;
    let mut rng = ChaCha8Rng::seed_from_u64(4);
    let edges: Vec<_> =
        (1..n).map(|i: usize| (rng.random_range(i.saturating_sub(50)..i), i)).collect();
    let sums = Matrix::new(n, 3, uniform(n, 3, 5)).unwrap();
    let mass = vec![1.0; n];
    group.bench_function("1000000 nodes in 3-D", |b| {
        b.iter(|| tree_solve(&edges, 10.0, &mass, &sums).unwrap())
    });
    group.finish();
}

criterion_group!(benches, sweeps, one_node_per_point, trees);
criterion_main!(benches);
