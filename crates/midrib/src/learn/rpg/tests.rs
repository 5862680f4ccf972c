//! The figures of the golden rows, computed once by an independent dense program.

use super::{Rpg, Structure};
use crate::connect::{Candidates, L1Edges, L1Graph, Links, NeighborRule};
use crate::error::Result;
use crate::learn::{Acceleration, AutoOr, End, Fit, Given, Method, NodeCount};
use crate::math::{Matrix, squared_distance};
use crate::observe::Silent;
use crate::place::place_weighted;
use crate::points::Points;

const DISTORTED_S: &str = include_str!("../../../tests/data/distorted_s.csv");
const CIRCLE: &str = include_str!("../../../tests/data/circle.csv");
const TREE: &str = include_str!("../../../tests/data/tree.csv");

/// All columns but the last, which holds labels.
fn read(table: &str) -> Points<'static> {
    let mut values = Vec::new();
    let mut dims = 0;
    for line in table.lines().skip(1) {
        let fields: Vec<f64> = line.split(',').map(|field| field.parse().unwrap()).collect();
        dims = fields.len() - 1;
        values.extend_from_slice(&fields[..dims]);
    }
    Points::from_f64(values, dims).unwrap()
}

fn fit(table: &str, settings: Rpg) -> Result<Fit> {
    settings.fit(&read(table), Given::default(), &mut Silent)
}

fn settings(bandwidth: f64, data_weight: f64) -> Rpg {
    Rpg {
        n_nodes: NodeCount::All,
        bandwidth: AutoOr::Fixed(bandwidth),
        data_weight: AutoOr::Fixed(data_weight),
        ..Rpg::default()
    }
}

fn plain(bandwidth: f64, data_weight: f64) -> Rpg {
    Rpg {
        acceleration: Acceleration::None,
        max_iter: 60,
        tol: 0.0,
        ..settings(bandwidth, data_weight)
    }
}

fn assert_near(found: f64, expected: f64, tolerance: f64) {
    assert!((found - expected).abs() <= tolerance, "{found} is not {expected} within {tolerance}");
}

#[test]
fn plain_sweeps_on_the_distorted_s() {
    let fitted = fit(DISTORTED_S, plain(0.01, 0.5)).unwrap();
    assert_eq!(fitted.trace.len(), 61);
    assert_eq!(fitted.end, End::MaxIter);
    assert_near(fitted.trace[0], 0.640980035, 1e-9);
    assert_near(fitted.trace[10], -0.263290818, 1e-9);
    assert_near(fitted.trace[60], -0.268140967, 1e-9);
}

#[test]
fn plain_sweeps_on_the_circle() {
    let fitted = fit(CIRCLE, plain(0.1, 0.5)).unwrap();
    assert_near(fitted.trace[0], -7.670458830, 1e-9);
    assert_near(fitted.trace[10], -10.151911684, 1e-9);
}

#[test]
fn plain_sweeps_on_the_tree() {
    let fitted = fit(TREE, plain(0.01, 10.0)).unwrap();
    assert_near(fitted.trace[10], -72.785992771, 1e-9);
    assert_near(fitted.trace[60], -72.804232586, 1e-9);
}

#[test]
fn accelerated_sweeps_reach_the_limits() {
    for (table, bandwidth, data_weight, limit, tips, branch_points) in [
        (DISTORTED_S, 0.01, 0.5, -0.270821546, 2, 0),
        (CIRCLE, 0.1, 0.5, -10.152685327, 2, 0),
        (TREE, 0.01, 10.0, -72.805068578, 4, 2),
    ] {
        let settings = Rpg { tol: 1e-13, max_iter: 149, ..settings(bandwidth, data_weight) };
        let fitted = fit(table, settings).unwrap();
        // Or lower: the tree has several minima that differ by a few millionths.
        assert!(fitted.objective() < limit + 1e-7, "{}", fitted.objective());
        assert_near(fitted.objective(), limit, 1e-4);
        assert_eq!(fitted.graph().unwrap().tips().len(), tips);
        assert_eq!(fitted.graph().unwrap().branch_points().len(), branch_points);
    }
}

/// The l1 rows.
fn l1(bandwidth: f64, data_weight: f64, neighbors: usize, max_iter: usize) -> Rpg {
    Rpg {
        structure: Structure::L1,
        n_neighbors: NodeCount::Exactly(neighbors),
        reconstruction_weight: AutoOr::Fixed(1.0),
        acceleration: Acceleration::None,
        max_iter,
        tol: 0.0,
        ..settings(bandwidth, data_weight)
    }
}

#[test]
fn l1_sweeps_on_the_distorted_s() {
    let fitted = fit(DISTORTED_S, l1(0.01, 0.5, 5, 20)).unwrap();
    assert_near(fitted.trace[0], 0.648496790, 1e-7);
    assert_near(fitted.trace[5], 0.134022791, 1e-7);
    assert_near(fitted.trace[20], 0.129735273, 1e-7);
}

#[test]
fn l1_sweeps_on_the_circle() {
    let fitted = fit(CIRCLE, l1(0.1, 0.5, 10, 20)).unwrap();
    assert_near(fitted.trace[20], -9.972836076, 1e-7);
}

/// The objective by its definition, from all its parts: nodes, edges and shares.
fn objective(
    points: &Matrix,
    nodes: &Matrix,
    edges: &L1Edges,
    rebuilt: f64,
    shares: &[Vec<f64>],
) -> f64 {
    let squared = |a: &[f64], b: &[f64]| squared_distance(a, b);
    let length: f64 =
        edges.edges.iter().map(|&(a, b, w)| 2.0 * w * squared(nodes.row(a), nodes.row(b))).sum();
    let mut fit = 0.0;
    for (x, shares) in points.rows().zip(shares) {
        for (y, &p) in nodes.rows().zip(shares).filter(|(_, p)| **p > 0.0) {
            fit += p * (squared(x, y) + BANDWIDTH * p.ln());
        }
    }
    length + rebuilt + WEIGHT * fit
}

const BANDWIDTH: f64 = 0.1;
const WEIGHT: f64 = 0.5;

/// Shares by their definition.
fn shares(points: &Matrix, nodes: &Matrix) -> Vec<Vec<f64>> {
    let of_point = |x: &[f64]| {
        let squared: Vec<f64> = nodes.rows().map(|y| squared_distance(x, y)).collect();
        let least = squared.iter().copied().fold(f64::INFINITY, f64::min);
        let terms: Vec<f64> = squared.iter().map(|d| ((least - d) / BANDWIDTH).exp()).collect();
        let total: f64 = terms.iter().sum();
        terms.iter().map(|term| term / total).collect()
    };
    points.rows().map(of_point).collect()
}

/// λ Σ ‖z − Σ w z‖₁ for these edges.
fn reconstruction_error(dictionary: &Matrix, edges: &L1Edges) -> f64 {
    let mut rest = dictionary.clone();
    for &(a, b, weight) in &edges.edges {
        for (to, from) in [(a, b), (b, a)] {
            for (rest, z) in rest.row_mut(to).iter_mut().zip(dictionary.row(from)) {
                *rest -= weight * z;
            }
        }
    }
    rest.as_slice().iter().map(|x| x.abs()).sum()
}

#[test]
fn no_half_step_raises_the_objective() {
    let points = read(CIRCLE);
    let mut dictionary = Matrix::zeros(points.len(), points.dims());
    for i in 0..points.len() {
        points.copy_row(i, dictionary.row_mut(i));
    }
    let candidates = Candidates::Nearest { k: 10, rule: NeighborRule::Union };
    let mut graph = L1Graph::new(&dictionary, &candidates, &Links::default(), 1.0).unwrap();
    let mut nodes = dictionary.clone();
    let mut edges = graph.connect(&nodes).unwrap();
    let mut p = shares(&dictionary, &nodes);
    let trace = fit(CIRCLE, l1(BANDWIDTH, WEIGHT, 10, 6)).unwrap().trace;
    let mut last = f64::INFINITY;
    let mut falls = |what: &str, nodes: &Matrix, edges: &L1Edges, p: &[Vec<f64>]| {
        let rebuilt = reconstruction_error(&dictionary, edges);
        let next = objective(&dictionary, nodes, edges, rebuilt, p);
        assert!(next <= last + 1e-8 * last.abs().min(1e9), "{what}: {last} to {next}");
        last = next;
        next
    };
    for expected in trace {
        assert_near(falls("assign", &nodes, &edges, &p), expected, 1e-7);
        let mass: Vec<f64> = (0..nodes.n_rows()).map(|k| p.iter().map(|p| p[k]).sum()).collect();
        let mut sums = Matrix::zeros(nodes.n_rows(), nodes.n_cols());
        for (x, p) in dictionary.rows().zip(&p) {
            for (k, p) in p.iter().enumerate() {
                sums.row_mut(k).iter_mut().zip(x).for_each(|(sum, x)| *sum += p * x);
            }
        }
        nodes = place_weighted(&edges.edges, 2.0 / WEIGHT, &mass, &sums, &nodes).unwrap();
        falls("place", &nodes, &edges, &p);
        edges = graph.connect(&nodes).unwrap();
        falls("connect", &nodes, &edges, &p);
        p = shares(&dictionary, &nodes);
    }
}
