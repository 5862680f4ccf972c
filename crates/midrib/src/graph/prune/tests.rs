use proptest::prelude::*;

use super::*;
use crate::graph::random::random_graph;
use crate::math::Matrix;

/// Arms of lengths 1, 2 and 3 around node 0, with a point on each.
fn three_arms() -> (PrincipalGraph, Points<'static>) {
    let nodes = Matrix::from_rows(&[[0.0, 0.0], [1.0, 0.0], [0.0, 2.0], [-3.0, 0.0]]).unwrap();
    let edges = [(0, 1, 1.0), (0, 2, 1.0), (0, 3, 1.0)];
    let graph = PrincipalGraph::new(nodes, &edges, vec![1.0; 4]).unwrap();
    (graph, Points::from_f64(vec![0.5, 0.0, 0.0, 1.0, -1.0, 0.0, -2.0, 0.0], 2).unwrap())
}

#[test]
fn limits_that_nothing_meets_are_errors() {
    let (graph, points) = three_arms();
    let none = TipRule { min_share: 0.0, ..TipRule::default() };
    let pruned = |rule| graph.prune(&rule, &points);
    // A path that is itself long enough, or has all points, is fine.
    assert_eq!(pruned(TipRule { min_length: 5.0, ..none }).unwrap().kept, [0, 2, 3]);
    assert_eq!(pruned(TipRule { min_share: 1.0, ..none }).unwrap().kept, [0, 2, 3]);
    let error = pruned(TipRule { min_length: 5.1, ..none }).unwrap_err().to_string();
    let message = "min_length = 5.1: nothing would be left: the last path is 5 long, and the \
                   longest terminal branch was 3; use a lower limit";
    assert_eq!(error, message);
    let support = [0.1, 0.2, 0.5];
    let rule = TipRule { min_support: 0.6, support: Some(&support), ..none };
    let error = pruned(rule).unwrap_err().to_string();
    let message = "min_support = 0.6: nothing would be left: the last path has a support of 0.38; \
                   use a lower limit";
    assert_eq!(error, message);
}

#[test]
fn a_path_or_a_ring_is_kept() {
    let nodes = Matrix::from_rows(&[[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]]).unwrap();
    let points = Points::from_f64(vec![0.5, 0.0], 2).unwrap();
    let rule = TipRule { min_length: 100.0, ..TipRule::default() };
    for edges in [&[(0, 1, 1.0), (0, 2, 1.0)][..], &[(0, 1, 1.0), (0, 2, 1.0), (1, 2, 1.0)]] {
        let graph = PrincipalGraph::new(nodes.clone(), edges, vec![1.0; 3]).unwrap();
        assert_eq!(graph.prune(&rule, &points).unwrap().graph, graph);
    }
}

proptest! {
    #[test]
    fn no_branch_is_empty_afterwards(
        graph in random_graph(30, 50),
        cloud in proptest::collection::vec(-6.0..6.0_f64, 2..80),
        min_share in 0.0..0.1_f64,
        min_length in 0.0..2.0_f64,
    ) {
        let points = Points::from_f64(cloud[..cloud.len() / 2 * 2].to_vec(), 2).unwrap();
        let rule = TipRule { min_share, min_length, ..TipRule::default() };
        if let Ok(pruned) = graph.prune(&rule, &points) {
            let shares = shares(&pruned.graph, &points).unwrap();
            prop_assert!(shares.iter().all(|&share| share > 0.0), "{shares:?}");
            let kept = graph.nodes().select_rows(pruned.kept.iter().copied());
            prop_assert_eq!(pruned.graph.nodes(), &kept);
        }
    }
}
