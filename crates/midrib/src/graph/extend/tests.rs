use super::*;
use crate::math::{Matrix, squared_distance};
use crate::points::Points;
use crate::synth::{Sample, Shape, Synth};

fn sample(dims: usize, noise: f64) -> Sample {
    let shape = Shape::Tree { branch_points: 2 };
    Synth { shape, n: 4000, dims, noise, seed: 5 }.generate().unwrap()
}

/// The true tree with each edge divided into `steps` edges and its tips `short` too short.
fn shortened(truth: &PrincipalGraph, steps: usize, short: f64) -> PrincipalGraph {
    let mut rows: Vec<Vec<f64>> = truth.nodes().rows().map(<[f64]>::to_vec).collect();
    for tip in truth.tips() {
        let (edge, inner) = truth.neighbors(tip)[0];
        let share = short / truth.edges()[edge].length;
        for d in 0..rows[tip].len() {
            rows[tip][d] += share * (rows[inner][d] - rows[tip][d]);
        }
    }
    let mut edges = Vec::new();
    for edge in truth.edges() {
        let mut last = edge.a;
        for step in 1..steps {
            let t = step as f64 / steps as f64;
            let ends = rows[edge.a].iter().zip(&rows[edge.b]);
            let row = ends.map(|(a, b)| a + t * (b - a)).collect();
            edges.push((last, rows.len(), 1.0));
            last = rows.len();
            rows.push(row);
        }
        edges.push((last, edge.b, 1.0));
    }
    let mass = vec![1.0; rows.len()];
    PrincipalGraph::new(Matrix::from_rows(&rows).unwrap(), &edges, mass).unwrap()
}

fn extend(graph: &PrincipalGraph, points: &Points) -> PrincipalGraph {
    graph.extend_tips(points, &graph.project(points).unwrap()).unwrap()
}

#[test]
fn tips_reach_the_true_tips_without_overshooting() {
    for dims in [2, 10, 50] {
        for noise in [0.05, 0.15] {
            let sample = sample(dims, noise);
            let deviation = noise * (3.0 / dims.max(3) as f64).sqrt();
            for short in [0.0, deviation, 3.0 * deviation] {
                let longer = extend(&shortened(&sample.truth, 8, short), &sample.points);
                for tip in sample.truth.tips() {
                    let end = sample.truth.nodes().row(tip);
                    let inner = sample.truth.nodes().row(sample.truth.neighbors(tip)[0].1);
                    let length = squared_distance(end, inner).sqrt();
                    let found = longer.nodes().row(tip);
                    let over: f64 =
                        (0..dims).map(|d| (found[d] - end[d]) * (end[d] - inner[d]) / length).sum();
                    assert!(over.abs() < deviation, "D {dims}, noise {noise}, {short}: {over}");
                }
            }
        }
    }
}

#[test]
fn only_tips_move_and_only_outward() {
    let sample = sample(3, 0.15);
    let graph = shortened(&sample.truth, 8, 0.3);
    let longer = extend(&graph, &sample.points);
    for node in 0..graph.nodes().n_rows() {
        if graph.degree(node) != 1 {
            assert_eq!(graph.nodes().row(node), longer.nodes().row(node));
        }
    }
    for (before, after) in graph.edges().iter().zip(longer.edges()) {
        assert!(after.length >= before.length);
    }
}

#[test]
fn tips_without_points_beyond_stay() {
    let nodes = Matrix::from_rows(&[[0.0, 0.0], [1.0, 0.0], [1.0, 0.0]]).unwrap();
    let graph = PrincipalGraph::new(nodes, &[(0, 1, 1.0), (1, 2, 1.0)], vec![1.0; 3]).unwrap();
    let points = Points::from_f64(vec![0.2, 0.3, 0.7, 0.0, 5.0, 0.0], 2).unwrap();
    let points = points.with_weights(vec![1.0, 1.0, 0.0]).unwrap();
    assert_eq!(extend(&graph, &points), graph);
}

#[test]
fn a_hooked_tip_is_not_turned_around() {
    let nodes = Matrix::from_rows(&[[0.0, 0.0], [1.0, 0.0], [2.0, 0.0], [1.0, 0.1]]).unwrap();
    let edges = [(0, 1, 1.0), (1, 2, 1.0), (2, 3, 1.0)];
    let graph = PrincipalGraph::new(nodes, &edges, vec![1.0; 4]).unwrap();
    let points = Points::from_f64(vec![0.5, 2.0, 0.8, 2.0, 0.6, 1.0], 2).unwrap();
    let longer = extend(&graph, &points);
    assert!(longer.edges()[2].length > graph.edges()[2].length);
    assert!(longer.nodes().row(3)[0] <= 1.0);
}

/// Moves nodes and points alike, and reverses the order of the points.
fn moved(
    graph: &PrincipalGraph,
    points: &Points,
    motion: impl Fn(&[f64]) -> Vec<f64>,
) -> (PrincipalGraph, Points<'static>) {
    let mut row = vec![0.0; points.dims()];
    let values: Vec<f64> = (0..points.len())
        .rev()
        .flat_map(|i| {
            points.copy_row(i, &mut row);
            motion(&row)
        })
        .collect();
    let rows: Vec<Vec<f64>> = graph.nodes().rows().map(&motion).collect();
    let edges: Vec<_> = graph.edges().iter().map(|e| (e.a, e.b, e.weight)).collect();
    let nodes = Matrix::from_rows(&rows).unwrap();
    (
        PrincipalGraph::new(nodes, &edges, graph.mass().to_vec()).unwrap(),
        Points::from_f64(values, points.dims()).unwrap(),
    )
}

#[test]
fn extension_commutes_with_motion_and_scaling() {
    let sample = sample(2, 0.1);
    let graph = shortened(&sample.truth, 8, 0.2);
    let plain = extend(&graph, &sample.points);
    for scale in [1e-3, 1.0, 1e3, 1e-140, 1e140] {
        let motion = |x: &[f64]| {
            vec![scale * (0.6 * x[0] - 0.8 * x[1] + 3.0), scale * (0.8 * x[0] + 0.6 * x[1] - 7.0)]
        };
        let (other, points) = moved(&graph, &sample.points, motion);
        let found = extend(&other, &points);
        for (row, expected) in found.nodes().rows().zip(plain.nodes().rows().map(motion)) {
            for (x, y) in row.iter().zip(&expected) {
                assert!((x - y).abs() < 1e-9 * scale, "{x} is not {y}");
            }
        }
    }
}
