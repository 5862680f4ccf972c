//! The figures of the tree rows, computed once by an independent dense program.

use super::{Rpg, Structure};
use crate::error::Result;
use crate::learn::{Acceleration, AutoOr, End, Fitted, Given, Method, NodeCount};
use crate::observe::Silent;
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

fn fit(table: &str, settings: Rpg) -> Result<Fitted> {
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
        assert_eq!(fitted.graph.tips().len(), tips);
        assert_eq!(fitted.graph.branch_points().len(), branch_points);
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
