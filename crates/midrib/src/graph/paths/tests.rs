use proptest::prelude::*;

use super::*;
use crate::graph::random::{projection_at, random_graph, shortest};

/// The length of the shortest of all simple paths, by brute force.
fn exhaustive(graph: &PrincipalGraph, from: usize, to: usize, seen: &mut Vec<usize>) -> f64 {
    if from == to {
        return 0.0;
    }
    seen.push(from);
    let mut least = f64::INFINITY;
    for &(edge, next) in graph.neighbors(from) {
        if !seen.contains(&next) {
            let rest = exhaustive(graph, next, to, seen);
            least = least.min(graph.edges()[edge].length + rest);
        }
    }
    seen.pop();
    least
}

proptest! {
    #[test]
    fn no_simple_path_is_shorter(
        graph in random_graph(7, 10), from in 0_usize..7, to in 0_usize..7,
    ) {
        let n = graph.nodes().n_rows();
        let (from, to) = (from % n, to % n);
        let least = exhaustive(&graph, from, to, &mut Vec::new());
        match graph.path(from, to).unwrap() {
            None => prop_assert!(least.is_infinite()),
            Some(path) => {
                prop_assert!((path.length - least).abs() < 1e-12);
                prop_assert_eq!((path.nodes[0], *path.nodes.last().unwrap()), (from, to));
                for (pair, &edge) in path.nodes.windows(2).zip(&path.edges) {
                    prop_assert_eq!(graph.edges()[edge].other(pair[0]), pair[1]);
                }
            }
        }
    }

    #[test]
    fn no_shortest_path_is_longer_than_the_longest_path(graph in random_graph(9, 12)) {
        let all = shortest(&graph, &projection_at(&graph, &[]));
        let reached = all.into_iter().flatten().filter(|d| d.is_finite());
        let longest = graph.longest_path().unwrap().unwrap();
        prop_assert!((longest.length - reached.fold(0.0, f64::max)).abs() < 1e-12);
    }

    #[test]
    fn points_along_a_path_are_ordered_by_distance(
        graph in random_graph(8, 10),
        seeds in proptest::collection::vec((0_usize..1000, 0.0..=1.0_f64), 1..12),
        from in 0_usize..8,
        to in 0_usize..8,
    ) {
        let n = graph.nodes().n_rows();
        let projection = projection_at(&graph, &seeds);
        let Some(path) = graph.path(from % n, to % n).unwrap() else { return Ok(()) };
        let all = shortest(&graph, &projection);
        let along = graph.points_along(&path, &projection).unwrap();
        prop_assert!(along.windows(2).all(|w| w[0].position <= w[1].position));
        for at in &along {
            prop_assert!((at.position - all[from % n][n + at.point]).abs() < 1e-12);
        }
        for (i, edge) in projection.edge.iter().enumerate() {
            let on_path = edge.is_some_and(|edge| path.edges.contains(&edge));
            prop_assert!(!on_path || along.iter().any(|at| at.point == i));
        }
    }
}

#[test]
fn paths_through_unknown_nodes_are_errors() {
    let nodes = crate::math::Matrix::from_rows(&[[0.0], [1.0]]).unwrap();
    let graph = PrincipalGraph::new(nodes, &[(0, 1, 1.0)], vec![1.0; 2]).unwrap();
    let message = graph.path(0, 2).unwrap_err().to_string();
    assert_eq!(message, "a path to node 2: the graph has 2 nodes");
    let projection = projection_at(&graph, &[(0, 0.5)]);
    let invalid = Path { nodes: vec![0, 7], edges: vec![0], length: 1.0 };
    assert!(graph.points_along(&invalid, &projection).is_err());
    let invalid = Path { nodes: vec![0, 1], edges: vec![7], length: 1.0 };
    assert!(graph.points_along(&invalid, &projection).is_err());
}
