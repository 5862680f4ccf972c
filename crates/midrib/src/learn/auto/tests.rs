//! Structures that are known, and the pieces against slower forms.

use super::AutoGraph;
use crate::graph::PrincipalGraph;
use crate::learn::{Fit, Given, Method};
use crate::observe::Silent;
use crate::points::Points;
use crate::synth::{Shape, Synth};

fn fit(points: &Points<'_>) -> Fit {
    AutoGraph::default().fit(points, Given::default(), &mut Silent).unwrap()
}

/// Tips, branch points, loops and components.
fn counts(graph: &PrincipalGraph) -> [usize; 4] {
    let components = graph.components().count;
    [graph.tips().len(), graph.branch_points().len(), graph.loops(), components]
}

fn found(shape: Shape, n: usize, dims: usize, seed: u64) -> [usize; 4] {
    let data = Synth { shape, n, dims, noise: 0.05, seed }.generate().unwrap();
    counts(fit(&data.points).graph().unwrap())
}

#[test]
fn known_structures_are_found() {
    for seed in 1..4 {
        assert_eq!(found(Shape::Circle, 400, 2, seed), [0, 0, 1, 1], "circle {seed}");
        assert_eq!(
            found(Shape::Tree { branch_points: 2 }, 800, 5, seed),
            [4, 2, 0, 1],
            "tree {seed}"
        );
    }
}

/// Numbers in [0, 1) that look random.
fn uniform(seed: u64) -> impl FnMut() -> f64 {
    let mut state = seed;
    move || {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 11) as f64 / (1_u64 << 53) as f64
    }
}

#[test]
fn a_filled_square_follows_no_lines() {
    let mut next = uniform(7);
    let values: Vec<f64> = (0..1200).map(|_| next()).collect();
    let fit = fit(&Points::from_f64(values, 2).unwrap());
    assert_eq!(counts(fit.graph().unwrap()), [2, 0, 0, 1]);
    assert!(fit.notes[0].starts_with("the points follow no lines"), "{:?}", fit.notes);
}

#[test]
fn blobs_are_components() {
    let mut next = uniform(3);
    let mut normal = || (0..12).map(|_| next()).sum::<f64>() - 6.0;
    let values: Vec<f64> = (0..600)
        .flat_map(|i| {
            [f64::from(i % 3) * 4.0 + 0.25 * normal(), 4.0 * f64::from(i % 2) + 0.25 * normal()]
        })
        .collect();
    let fit = fit(&Points::from_f64(values, 2).unwrap());
    assert_eq!(fit.graph().unwrap().components().count, 6);
}

#[test]
fn few_points_get_an_axis() {
    let values: Vec<f64> = (0..10).flat_map(|i| [f64::from(i), f64::from(i % 2)]).collect();
    let fit = fit(&Points::from_f64(values, 2).unwrap());
    assert_eq!(counts(fit.graph().unwrap()), [2, 0, 0, 1]);
    assert!(fit.notes[0].contains("fewer than 20 distinct points"), "{:?}", fit.notes);
}
