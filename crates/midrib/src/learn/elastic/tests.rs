//! Against the figures of an independent program, and against the brute force.

use super::{ElasticCurve, ElasticRing, ElasticTree, Search};
use crate::learn::{End, Fitted, Given, InfOr, Method, NodeCount, Tips};
use crate::math::Matrix;
use crate::observe::Silent;
use crate::points::Points;
use crate::prepare::{Components, Pca};
use crate::synth::{Shape, Synth};

const DISTORTED_S: &str = include_str!("../../../tests/data/distorted_s.csv");
const CIRCLE: &str = include_str!("../../../tests/data/circle.csv");
const TREE: &str = include_str!("../../../tests/data/tree.csv");

/// All columns but the last, which holds labels.
fn read(table: &str) -> Points<'static> {
    let rows: Vec<Vec<f64>> = table
        .lines()
        .skip(1)
        .map(|line| line.split(',').map(|field| field.parse().unwrap()).collect())
        .collect();
    let dims = rows[0].len() - 1;
    Points::from_f64(rows.iter().flat_map(|row| &row[..dims]).copied().collect::<Vec<_>>(), dims)
        .unwrap()
}

fn grow(settings: &impl Method, points: &Points<'_>) -> Fitted {
    settings.fit(points, Given::default(), &mut Silent).unwrap()
}

/// `count` nodes at equal steps on the part of the first principal axis that the scores span.
fn on_the_axis(points: &Points<'_>, count: usize) -> Matrix {
    let pca = Pca::fit(Components::Count(1), points).unwrap();
    let axis = pca.axes.row(0);
    let mut row = vec![0.0; points.dims()];
    let scores: Vec<f64> = (0..points.len())
        .map(|i| {
            points.copy_row(i, &mut row);
            row.iter().zip(&pca.mean).zip(axis).map(|((x, m), a)| (x - m) * a).sum()
        })
        .collect();
    let low = scores.iter().copied().fold(f64::INFINITY, f64::min);
    let high = scores.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let nodes: Vec<Vec<f64>> = (0..count)
        .map(|node| {
            let score = low + (high - low) * node as f64 / (count - 1) as f64;
            pca.mean.iter().zip(axis).map(|(m, a)| m + score * a).collect()
        })
        .collect();
    Matrix::from_rows(&nodes).unwrap()
}

#[test]
fn the_energy_of_a_chain() {
    let points = read(DISTORTED_S);
    let settings = ElasticCurve {
        n_nodes: NodeCount::Exactly(12),
        stretching: 0.001,
        bending: 0.01,
        tol: 1e-13,
        max_iter: 10_000,
        ..ElasticCurve::default()
    };
    let start = on_the_axis(&points, 12);
    let fitted = settings.fit(&points, Some(&start).into(), &mut Silent).unwrap();
    assert!((fitted.objective() - 0.015_737_580_2).abs() < 1e-9, "{}", fitted.objective());
}

fn golden_tree(search: Search) -> ElasticTree {
    ElasticTree {
        n_nodes: NodeCount::Exactly(20),
        stretching: 0.001,
        bending: 0.01,
        tips: Tips::Keep,
        search,
        tol: 1e-13,
        max_iter: 10_000,
        ..ElasticTree::default()
    }
}

#[test]
fn the_energy_of_a_tree() {
    for search in [Search::Fast, Search::Exact] {
        let fitted = grow(&golden_tree(search), &read(TREE));
        let graph = &fitted.graph;
        assert!(fitted.objective() < 0.005_681_385 + 1e-9, "{search:?} {}", fitted.objective());
        assert_eq!((graph.tips().len(), graph.branch_points().len()), (4, 2));
        assert_eq!(fitted.end, End::Converged);
    }
}

#[test]
fn a_ring_closes_around_a_circle() {
    let settings = ElasticRing { n_nodes: NodeCount::Exactly(20), ..ElasticRing::default() };
    let graph = grow(&settings, &read(CIRCLE)).graph;
    assert_eq!((graph.nodes().n_rows(), graph.edges().len()), (20, 20));
    assert_eq!((graph.loops(), graph.tips().len()), (1, 0));
}

/// The same data for both searches: a tree with noise.
fn sample(seed: u64) -> Points<'static> {
    let shape = Shape::Tree { branch_points: (seed % 4) as usize };
    let (n, dims) = (200 + 40 * (seed % 7) as usize, 2 + (seed % 3) as usize);
    Synth { shape, n, dims, noise: 0.05, seed }.generate().unwrap().points
}

#[test]
fn the_fast_search_picks_the_same_winners() {
    let mut other = Vec::new();
    for seed in 0..50 {
        let points = sample(seed);
        let of = |search| {
            let settings = ElasticTree {
                n_nodes: NodeCount::Exactly(15),
                tips: Tips::Keep,
                search,
                ..ElasticTree::default()
            };
            grow(&settings, &points)
        };
        let (fast, exact) = (of(Search::Fast), of(Search::Exact));
        // The energy after every step: another winner shows at once.
        let steps = fast.trace.iter().zip(&exact.trace);
        if let Some(step) = steps.clone().position(|(a, b)| (a / b - 1.0).abs() > 1e-9) {
            other.push((seed, step));
        }
    }
    assert!(other.is_empty(), "other winners, by seed and step: {other:?}");
}

#[test]
fn points_beyond_the_radius_do_not_pull() {
    let mut values: Vec<f64> =
        (0..200).flat_map(|i| [f64::from(i) / 100.0, f64::from(i % 7) / 50.0]).collect();
    let clean = Points::from_f64(values.clone(), 2).unwrap();
    values.extend([1.0, 40.0]);
    let spoilt = Points::from_f64(values, 2).unwrap();
    let settings = ElasticCurve {
        n_nodes: NodeCount::Exactly(8),
        trimming_radius: InfOr::Finite(0.5),
        ..ElasticCurve::default()
    };
    let start = on_the_axis(&clean, 2);
    let of = |points| settings.fit(points, Some(&start).into(), &mut Silent).unwrap();
    let (a, b) = (of(&clean), of(&spoilt));
    for (x, y) in a.graph.nodes().as_slice().iter().zip(b.graph.nodes().as_slice()) {
        assert!((x - y).abs() < 0.01, "{x} {y}");
    }
    let whole = b.graph.mass().iter().sum::<f64>();
    assert!((whole - 200.0).abs() < 1e-9, "{whole}");
}

#[test]
fn ceilings_hold() {
    let points = sample(3);
    let settings = ElasticTree {
        max_branch_points: InfOr::Finite(1.0),
        max_star_order: InfOr::Finite(3.0),
        tips: Tips::Keep,
        ..ElasticTree::default()
    };
    let graph = grow(&settings, &points).graph;
    assert!(graph.branch_points().len() <= 1);
    assert!((0..graph.nodes().n_rows()).all(|node| graph.degree(node) <= 3));
}

#[test]
fn more_points_than_the_growth_takes_are_placed_in_full() {
    let shape = Shape::Tree { branch_points: 1 };
    let points =
        Synth { shape, n: 25_000, dims: 3, noise: 0.05, seed: 1 }.generate().unwrap().points;
    let settings = ElasticTree { n_nodes: NodeCount::Exactly(10), ..ElasticTree::default() };
    let fitted = grow(&settings, &points);
    assert!((fitted.graph.mass().iter().sum::<f64>() - 25_000.0).abs() < 1e-6);
}

#[test]
fn what_cannot_be_is_refused() {
    let points = read(TREE);
    let refused = |settings: ElasticTree, word: &str| {
        let message = settings.fit(&points, Given::default(), &mut Silent).unwrap_err().to_string();
        assert!(message.contains(word), "{message}");
    };
    let default = ElasticTree::default;
    refused(ElasticTree { stretching: 0.0, ..default() }, "stretching = 0: must be positive");
    refused(ElasticTree { bending: -1.0, ..default() }, "bending = -1: must be 0 or positive");
    refused(
        ElasticTree { n_nodes: NodeCount::Exactly(9999), ..default() },
        "n_nodes = 9999: there are only",
    );
    refused(ElasticTree { n_nodes: NodeCount::Exactly(1), ..default() }, "give at least 2");
    refused(
        ElasticTree { max_star_order: InfOr::Finite(1.0), ..default() },
        "max_star_order = 1: every inner node has two neighbours",
    );
    refused(
        ElasticTree { max_branch_points: InfOr::Finite(0.5), ..default() },
        "max_branch_points = 0.5: must be a whole number",
    );
    refused(
        ElasticTree { trimming_radius: InfOr::Finite(0.0), ..default() },
        "trimming_radius = 0: must be positive",
    );
}
