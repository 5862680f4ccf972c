use proptest::prelude::*;

use super::*;
use crate::graph::random::{projection_at, random_graph, shortest};

/// A fork with a ring at the end of one arm, and a separate edge.
///
/// ```text
/// 0 - 1 - 2      3 - 4 - 5 - 6 - 3 (ring)     7 - 8
///     |__________|
/// ```
fn fork() -> PrincipalGraph {
    let nodes = [
        [0.0, 0.0],
        [1.0, 0.0],
        [2.0, 0.0],
        [1.0, 1.0],
        [2.0, 1.0],
        [2.0, 2.0],
        [1.0, 2.0],
        [9.0, 0.0],
        [9.0, 1.0],
    ];
    let edges =
        [(0, 1), (1, 2), (1, 3), (3, 4), (4, 5), (5, 6), (3, 6), (7, 8)].map(|(a, b)| (a, b, 1.0));
    let nodes = crate::math::Matrix::from_rows(&nodes).unwrap();
    PrincipalGraph::new(nodes, &edges, vec![1.0; 9]).unwrap()
}

fn at(graph: &PrincipalGraph, seeds: &[(usize, usize, f64)]) -> Projection {
    let edge = |a, b| graph.edges().iter().position(|e| (e.a, e.b) == (a, b)).unwrap();
    Projection {
        node: seeds.iter().map(|&(a, b, pos)| if pos > 0.5 { b } else { a }).collect(),
        edge: seeds.iter().map(|&(a, b, _)| Some(edge(a, b))).collect(),
        edge_pos: seeds.iter().map(|at| at.2).collect(),
        distance: vec![0.0; seeds.len()],
    }
}

#[test]
fn lineages_lead_to_tips_and_around_loops() {
    let graph = fork();
    let rooted = graph.root(&[0]).unwrap();
    let lineages: Vec<Vec<usize>> = rooted.lineages().into_iter().map(|l| l.nodes).collect();
    assert_eq!(lineages, [vec![0, 1, 2], vec![0, 1, 3, 4, 5], vec![0, 1, 3, 6]]);
    assert_eq!(rooted.lineages()[1].length(&graph), 4.0);
    assert_eq!(rooted.unrooted_components(), [1]);
}

#[test]
fn points_off_a_lineage_keep_the_time_at_which_they_left_it() {
    let graph = fork();
    let rooted = graph.root(&[0]).unwrap();
    let lineages = rooted.lineages();
    let projection =
        at(&graph, &[(0, 1, 0.5), (1, 2, 0.25), (3, 4, 0.5), (5, 6, 0.75), (7, 8, 0.5)]);
    let time = rooted.pseudotime(&projection).unwrap();
    assert_eq!(time[..4], [0.5, 1.25, 2.5, 3.25]);
    assert!(time[4].is_nan());
    let to_tip = rooted.on_lineage(&lineages[0], &projection).unwrap();
    assert_eq!(to_tip.pseudotime[..4], [0.5, 1.25, 1.0, 1.0]);
    assert_eq!(to_tip.weight, [1.0, 1.0, 0.0, 0.0, 0.0]);
    assert!(to_tip.pseudotime[4].is_nan());
    let around = rooted.on_lineage(&lineages[2], &projection).unwrap();
    assert_eq!(around.pseudotime[..4], [0.5, 1.0, 2.0, 3.25]);
    assert_eq!(around.weight, [1.0, 0.0, 0.0, 1.0, 0.0]);
}

#[test]
fn an_isolated_node_can_be_a_root() {
    let nodes = crate::math::Matrix::from_rows(&[[0.0], [1.0], [5.0]]).unwrap();
    let graph = PrincipalGraph::new(nodes, &[(0, 1, 1.0)], vec![1.0; 3]).unwrap();
    let points = crate::Points::from_f64(vec![4.0, 0.5], 1).unwrap();
    let rooted = graph.root(&[2, 2]).unwrap();
    assert_eq!(rooted.roots(), [2]);
    let time = rooted.pseudotime(&graph.project(&points).unwrap()).unwrap();
    assert_eq!(time[0], 0.0);
    assert!(time[1].is_nan());
    assert_eq!(rooted.lineages(), [Lineage { nodes: vec![2], edges: vec![] }]);
}

#[test]
fn invalid_roots_and_projections_are_errors() {
    let graph = fork();
    let message = graph.root(&[3, 9]).unwrap_err().to_string();
    assert_eq!(message, "root 9: there is no such node, the graph has 9 nodes (0 to 8)");
    assert!(graph.root(&[]).unwrap_err().to_string().contains("name at least one node"));
    let mut projection = at(&graph, &[(0, 1, 0.5)]);
    projection.edge = vec![Some(8)];
    let message = graph.root(&[0]).unwrap().pseudotime(&projection).unwrap_err().to_string();
    assert_eq!(message, "edges of the projection: expected numbers below 8, found 8");
    projection.edge = vec![Some(0)];
    projection.edge_pos = vec![f64::NAN];
    assert!(graph.root(&[0]).unwrap().pseudotime(&projection).is_err());
}

proptest! {
    /// Each projected point becomes a node of its own, for the Floyd-Warshall algorithm.
    #[test]
    fn pseudotime_is_the_distance_on_the_subdivided_graph(
        graph in random_graph(9, 14),
        seeds in proptest::collection::vec((0_usize..1000, 0.0..1.0_f64), 1..12),
        roots in proptest::collection::vec(0_usize..1000, 1..3),
    ) {
        let n = graph.nodes().n_rows();
        let roots: Vec<usize> = roots.into_iter().map(|root| root % n).collect();
        let projection = projection_at(&graph, &seeds);
        let rooted = graph.root(&roots).unwrap();
        let time = rooted.pseudotime(&projection).unwrap();
        let all = shortest(&graph, &projection);
        for i in 0..seeds.len() {
            let expected = roots.iter().map(|&root| all[root][n + i]).fold(f64::INFINITY, f64::min);
            if expected.is_finite() {
                prop_assert!((time[i] - expected).abs() < 1e-12, "{} {}", time[i], expected);
            } else {
                prop_assert!(time[i].is_nan());
            }
        }
    }

    /// Every reachable point is on a lineage, with its own pseudotime; on other lineages its
    /// pseudotime is never later.
    #[test]
    fn lineages_cover_all_reachable_points(
        graph in random_graph(9, 14),
        seeds in proptest::collection::vec((0_usize..1000, 0.0..1.0_f64), 1..12),
        root in 0_usize..1000,
    ) {
        let projection = projection_at(&graph, &seeds);
        let rooted = graph.root(&[root % graph.nodes().n_rows()]).unwrap();
        let time = rooted.pseudotime(&projection).unwrap();
        let mut weight = vec![0.0; time.len()];
        for lineage in rooted.lineages() {
            let on = rooted.on_lineage(&lineage, &projection).unwrap();
            for i in 0..time.len() {
                weight[i] += on.weight[i];
                if on.weight[i] > 0.0 {
                    prop_assert_eq!(on.pseudotime[i], time[i]);
                } else if time[i].is_finite() {
                    prop_assert!(on.pseudotime[i] <= time[i]);
                } else {
                    prop_assert!(on.pseudotime[i].is_nan());
                }
            }
        }
        for i in 0..time.len() {
            prop_assert_eq!(time[i].is_finite(), weight[i] > 0.0);
        }
    }
}
