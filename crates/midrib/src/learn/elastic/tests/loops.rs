//! Loops and components.

use std::ops::ControlFlow;

use super::*;
use crate::observe::{Observer, Progress};

/// Tips, loops and components.
fn found(points: &Points<'_>, search: Search) -> (usize, usize, usize) {
    let settings =
        ElasticGraph { n_nodes: NodeCount::Exactly(30), search, ..ElasticGraph::default() };
    let graph = grow(&settings, points).graph().unwrap().clone();
    (graph.tips().len(), graph.loops(), graph.components().count)
}

#[test]
fn loops_and_components_are_found() {
    let (pi, round) = (std::f64::consts::PI, std::f64::consts::TAU);
    let circle = arcs(&[([0.0, 0.0], 0.0, round)], 400);
    let moons = arcs(&[([0.0, 0.0], 0.0, pi), ([1.0, 0.4], pi, round)], 300);
    let few = arcs(&[([0.0, 0.0], 0.0, pi), ([1.0, 0.4], pi, round)], 100);
    let eight = arcs(&[([0.0, 0.0], 0.0, round), ([2.0, 0.0], 0.0, round)], 400);
    let apart = arcs(&[([0.0, 0.0], 0.0, round), ([4.0, 0.0], 0.0, round)], 400);
    let far = arcs(&[([0.0, 0.0], 0.0, round), ([0.0, 20.0], 0.0, round)], 400);
    let horseshoe = arcs(&[([0.0, 0.0], 0.5, round - 0.1)], 400);
    for search in [Search::Fast, Search::Exact] {
        assert_eq!(found(&circle, search), (0, 1, 1), "circle");
        assert_eq!(found(&moons, search), (4, 0, 2), "moons");
        assert_eq!(found(&few, search), (4, 0, 2), "moons of few points");
        assert_eq!(found(&eight, search), (0, 2, 1), "eight");
        assert_eq!(found(&apart, search), (0, 2, 2), "two circles");
        assert_eq!(found(&far, search), (0, 2, 2), "two circles far apart");
        assert_eq!(found(&horseshoe, search), (2, 0, 1), "horseshoe");
    }
    for branch_points in [0, 1, 2] {
        let shape = Shape::Tree { branch_points };
        let tree =
            Synth { shape, n: 600, dims: 3, noise: 0.05, seed: 1 }.generate().unwrap().points;
        assert_eq!(found(&tree, Search::Fast), (2 + branch_points, 0, 1));
    }
}

/// Three round clouds, four of their widths apart.
#[test]
fn separate_clouds_are_components() {
    let values: Vec<f64> = (0..300)
        .flat_map(|i: usize| {
            let center = [[0.0, 0.0], [4.0, 0.0], [2.0, 3.5]][i % 3];
            let turn = 2.4 * i as f64;
            let off = ((i / 3) as f64 / 100.0).sqrt();
            [center[0] + off * turn.cos(), center[1] + off * turn.sin()]
        })
        .collect();
    let points = Points::from_f64(values, 2).unwrap();
    assert_eq!(found(&points, Search::Fast).2, 3);
}

/// Stopping a fit while components are learned again returns the graph before, as interrupted.
#[test]
fn relearning_components_can_be_stopped() {
    struct StopAtComponents;
    impl Observer for StopAtComponents {
        fn progress(&mut self, progress: Progress<'_>) -> ControlFlow<()> {
            match progress.stage {
                "learning components again" => ControlFlow::Break(()),
                _ => ControlFlow::Continue(()),
            }
        }
    }
    let round = std::f64::consts::TAU;
    let points = arcs(&[([0.0, 0.0], 0.0, round), ([9.0, 0.0], 0.0, round)], 200);
    let fitted =
        ElasticGraph::default().fit(&points, Given::default(), &mut StopAtComponents).unwrap();
    assert_eq!(fitted.end, End::Interrupted);
    assert_eq!(fitted.graph().unwrap().components().count, 2);
}

/// Three circles of unequal size and number of points have the requested number of nodes.
#[test]
fn components_have_the_requested_number_of_nodes() {
    for count in [18, 30, 47] {
        let mut values = Vec::new();
        for (at, size, n) in [(0.0, 1.0, 300), (6.0, 2.0, 300), (12.0, 0.2, 60)] {
            for i in 0..n {
                let (angle, off) = (2.4 * f64::from(i), 0.05 * (3.7 * f64::from(i)).sin());
                values.extend([at + (size + off) * angle.cos(), (size + off) * angle.sin()]);
            }
        }
        let points = Points::from_f64(values, 2).unwrap();
        let n_nodes = NodeCount::Exactly(count);
        let settings = ElasticGraph { n_nodes, tips: Tips::Keep, ..ElasticGraph::default() };
        let graph = grow(&settings, &points).graph().unwrap().clone();
        assert_eq!((graph.components().count, graph.nodes().n_rows()), (3, count));
    }
}

/// Circles of random points: what once joined them leaves no spur, and does not keep them open.
#[test]
fn circles_at_any_distance_are_two_loops() {
    for (seed, far) in [(0, 3.0), (1, 5.0), (2, 8.0), (3, 20.0)] {
        let circle = Synth { shape: Shape::Circle, n: 400, dims: 2, noise: 0.08, seed };
        let mut values = Vec::new();
        for (part, seed) in [(0.0, seed), (far, seed + 10)] {
            let points = Synth { seed, ..circle }.generate().unwrap().points;
            let mut row = [0.0; 2];
            for i in 0..points.len() {
                points.copy_row(i, &mut row);
                values.extend([row[0] + part, row[1]]);
            }
        }
        let points = Points::from_f64(values, 2).unwrap();
        let graph = grow(&ElasticGraph::default(), &points).graph().unwrap().clone();
        let shape = (graph.tips().len(), graph.loops(), graph.components().count);
        assert_eq!(shape, (0, 2, 2), "{far} apart");
    }
}
