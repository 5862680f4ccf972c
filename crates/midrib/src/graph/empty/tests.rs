use proptest::prelude::*;

use super::*;
use crate::graph::random::random_graph;

fn graph_of(nodes: &[[f64; 2]], pairs: &[(usize, usize)]) -> PrincipalGraph {
    let edges: Vec<_> = pairs.iter().map(|&(a, b)| (a, b, 1.0)).collect();
    let mass = (0..nodes.len()).map(|node| 1.0 + node as f64).collect();
    PrincipalGraph::new(Matrix::from_rows(nodes).unwrap(), &edges, mass).unwrap()
}

/// The number of points of each branch.
fn counts(graph: &PrincipalGraph, points: &Points) -> Vec<usize> {
    let mut counts = vec![0; graph.branches().len()];
    for branch in graph.project(points).unwrap().branch(graph) {
        counts[branch] += 1;
    }
    counts
}

proptest! {
    #[test]
    fn every_branch_has_a_point(
        graph in random_graph(30, 60),
        cloud in proptest::collection::vec(-6.0..6.0_f64, 2..60),
    ) {
        let points = Points::from_f64(cloud[..cloud.len() / 2 * 2].to_vec(), 2).unwrap();
        let full = graph.without_empty_branches(&points).unwrap();
        let counts = counts(&full.graph, &points);
        prop_assert!(counts.iter().all(|&count| count > 0), "{counts:?}");
        prop_assert_eq!(full.graph.nodes(), &graph.nodes().select_rows(full.kept.iter().copied()));
        prop_assert_eq!(full.graph.mass().iter().sum::<f64>(), graph.mass().iter().sum::<f64>());
        prop_assert!(full.graph.components().count <= graph.components().count);
        prop_assert!(full.graph.loops() <= graph.loops());
        if full.removed + full.contracted == 0 {
            prop_assert_eq!(full.graph, graph);
        }
    }

    #[test]
    fn trees_stay_trees(
        parents in proptest::collection::vec(0_usize..1000, 1..40),
        positions in proptest::collection::vec(-1.0..1.0_f64, 82),
        cloud in proptest::collection::vec(-1.2..1.2_f64, 2..60),
    ) {
        let pairs: Vec<_> = parents.iter().enumerate().map(|(i, p)| (p % (i + 1), i + 1)).collect();
        let rows: Vec<[f64; 2]> =
            positions.chunks_exact(2).take(parents.len() + 1).map(|row| [row[0], row[1]]).collect();
        let graph = graph_of(&rows, &pairs);
        let points = Points::from_f64(cloud[..cloud.len() / 2 * 2].to_vec(), 2).unwrap();
        let full = graph.without_empty_branches(&points).unwrap();
        prop_assert_eq!((full.graph.components().count, full.graph.loops()), (1, 0));
        prop_assert!(counts(&full.graph, &points).iter().all(|&count| count > 0));
    }
}

#[test]
fn removing_an_empty_arm_joins_two_branches() {
    let graph =
        graph_of(&[[0.0, 0.0], [-1.0, 0.0], [1.0, 0.0], [0.0, 9.0]], &[(0, 1), (0, 2), (0, 3)]);
    // The longest arm is empty too, but becomes part of the first once the second is removed.
    let points = Points::from_f64(vec![-0.5, 0.0], 2).unwrap();
    let full = graph.without_empty_branches(&points).unwrap();
    assert_eq!((full.kept, full.removed), (vec![0, 1, 3], 1));
    let points = Points::from_f64(vec![-0.5, 0.0, 0.5, 0.0], 2).unwrap();
    let full = graph.without_empty_branches(&points).unwrap();
    assert_eq!((full.kept, full.removed), (vec![0, 1, 2], 1));
    assert_eq!(full.graph.mass(), [5.0, 2.0, 3.0]);
}

#[test]
fn edges_parallel_to_a_contracted_branch_are_merged() {
    // A triangle on the bridge 1-2; neither the bridge nor the edges next to it have points.
    let nodes = [[-2.0, 0.0], [-1.0, 0.0], [1.0, 0.0], [2.0, 0.0], [0.0, 3.0]];
    let graph = graph_of(&nodes, &[(0, 1), (1, 2), (2, 3), (1, 4), (2, 4)]);
    let points = Points::from_f64(vec![-1.5, 0.0, 1.5, 0.0, 0.1, 3.0], 2).unwrap();
    let full = graph.without_empty_branches(&points).unwrap();
    assert_eq!((full.kept, full.contracted), (vec![0, 2, 3, 4], 1));
    assert_eq!(full.graph.loops(), 0);
    assert_eq!(counts(&full.graph, &points), [1, 1, 1]);
}

#[test]
fn a_component_without_points_is_removed() {
    let nodes = [[0.0, 0.0], [1.0, 0.0], [9.0, 0.0], [9.0, 1.0], [30.0, 0.0]];
    let graph = graph_of(&nodes, &[(0, 1), (2, 3)]);
    let points = Points::from_f64(vec![0.5, 0.5], 2).unwrap();
    let full = graph.without_empty_branches(&points).unwrap();
    assert_eq!((full.kept, full.removed), (vec![0, 1], 2));
    assert_eq!(full.graph.mass(), [1.0, 14.0]);
}
