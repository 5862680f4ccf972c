use super::*;
use crate::graph::Branch;
use crate::math::Matrix;
use crate::points::Points;
use proptest::prelude::*;

/// A slow reference: measures everything again after each removal. The weight of an edge is its
/// support.
fn prune_slowly(graph: &PrincipalGraph, rule: &TipRule<'_>, points: &Points) -> PrincipalGraph {
    let mut graph = graph.clone();
    loop {
        let projection = graph.project(points).unwrap();
        let is_twig = |branch: &&Branch| {
            let ends = [branch.nodes[0], branch.nodes[branch.nodes.len() - 1]];
            let degrees = ends.map(|end| graph.degree(end));
            degrees.contains(&1) && degrees.iter().any(|&degree| degree >= 3)
        };
        let strength = |branch: &Branch| {
            let weight: f64 = (0..points.len())
                .filter(|&i| {
                    let Some(e) = projection.edge[i] else {
                        return false;
                    };
                    let edge = graph.edges()[e];
                    match projection.edge_pos[i] {
                        0.0 => branch.nodes.contains(&edge.a) && graph.degree(edge.a) < 3,
                        1.0 => branch.nodes.contains(&edge.b) && graph.degree(edge.b) < 3,
                        _ => branch.edges.contains(&e),
                    }
                })
                .map(|i| points.weight(i))
                .sum();
            let support: Vec<f64> = graph.edges().iter().map(|edge| edge.weight).collect();
            let support = branch.support(&graph, &support).unwrap();
            rule.strength(weight / points.total_weight(), branch.length(&graph), support)
        };
        let tip_of =
            |branch: &Branch| *branch.nodes.iter().find(|&&k| graph.degree(k) == 1).unwrap();
        let branches = graph.branches();
        let weakest = branches
            .iter()
            .filter(is_twig)
            .map(|branch| (strength(branch), tip_of(branch), branch))
            .min_by(|p, q| p.0.total_cmp(&q.0).then(p.1.cmp(&q.1)));
        let Some((_, _, branch)) = weakest.filter(|twig| twig.0 < 1.0) else {
            return graph;
        };
        let gone = |node: usize| branch.nodes.contains(&node) && graph.degree(node) < 3;
        let joint = *branch.nodes.iter().find(|&&k| graph.degree(k) >= 3).unwrap();
        let kept: Vec<usize> = (0..graph.nodes().n_rows()).filter(|&k| !gone(k)).collect();
        let number = |node: usize| kept.iter().position(|&k| k == node).unwrap();
        let mut mass = graph.mass().to_vec();
        mass[joint] +=
            branch.nodes.iter().filter(|&&k| gone(k)).map(|&k| graph.mass()[k]).sum::<f64>();
        let edges: Vec<_> = (graph.edges().iter())
            .filter(|edge| !gone(edge.a) && !gone(edge.b))
            .map(|edge| (number(edge.a), number(edge.b), edge.weight))
            .collect();
        graph = PrincipalGraph::new(
            graph.nodes().select_rows(kept.iter().copied()),
            &edges,
            kept.iter().map(|&k| mass[k]).collect(),
        )
        .unwrap();
    }
}

proptest! {
    #[test]
    fn pruning_matches_the_slow_reference(
        parents in proptest::collection::vec(0_usize..1000, 1..40),
        extra in proptest::collection::vec((0_usize..40, 0_usize..40), 0..3),
        positions in proptest::collection::vec(-1.0_f64..1.0, 80),
        cloud in proptest::collection::vec(-1.2_f64..1.2, 2..160),
        min_share in 0.0_f64..0.2,
        min_length in 0.0_f64..0.8,
        min_support in 0.0_f64..0.8,
        supports in proptest::collection::vec(0.0_f64..1.0, 43),
    ) {
        let n = parents.len() + 1;
        let mut pairs: std::collections::BTreeSet<(usize, usize)> =
            parents.iter().enumerate().map(|(i, p)| (p % (i + 1), i + 1)).collect();
        pairs.extend(extra.iter().map(|&(a, b)| (a.min(b), a.max(b))).filter(|&(a, b)| a < b && b < n));
        let edges: Vec<_> = pairs.into_iter().zip(supports).map(|((a, b), s)| (a, b, s)).collect();
        let nodes = Matrix::new(n, 2, positions[..2 * n].to_vec()).unwrap();
        let graph = PrincipalGraph::new(nodes, &edges, (0..n).map(|i| i as f64).collect()).unwrap();
        let m = cloud.len() / 2;
        let points = Points::from_f64(cloud[..2 * m].to_vec(), 2).unwrap()
            .with_weights((0..m).map(|i| 1.0 + (i % 4) as f64).collect::<Vec<f64>>()).unwrap();
        let support: Vec<f64> = graph.edges().iter().map(|edge| edge.weight).collect();
        let rule = TipRule { min_share, min_length, min_support, support: Some(&support) };
        let pruned = graph.prune_tips(&rule, &points, &graph.project(&points).unwrap()).unwrap();
        prop_assert_eq!(&pruned.graph, &prune_slowly(&graph, &rule, &points));
        prop_assert_eq!(pruned.graph.nodes(), &graph.nodes().select_rows(pruned.kept.iter().copied()));
        prop_assert_eq!(pruned.graph.mass().iter().sum::<f64>(), graph.mass().iter().sum::<f64>());
        prop_assert_eq!(pruned.graph.loops(), graph.loops());
    }
}

/// Node 0 with three rays along the axes, of lengths 1, 2 and 3 in steps of 1.
fn three_rays() -> PrincipalGraph {
    let rows =
        [[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [0.0, 2.0], [-1.0, 0.0], [-2.0, 0.0], [-3.0, 0.0]];
    let edges = [(0, 1), (0, 2), (2, 3), (0, 4), (4, 5), (5, 6)].map(|(a, b)| (a, b, 1.0));
    PrincipalGraph::new(Matrix::from_rows(&rows).unwrap(), &edges, vec![1.0; 7]).unwrap()
}

#[test]
fn a_path_is_kept_however_strict_the_rule() {
    let graph = three_rays();
    let points = Points::from_f64(vec![0.0, 0.5, 0.0, 1.5], 2).unwrap();
    let rule = TipRule { min_share: 1.0, min_length: 100.0, ..TipRule::default() };
    let pruned = graph.prune_tips(&rule, &points, &graph.project(&points).unwrap()).unwrap();
    assert_eq!((pruned.removed, pruned.kept.len()), (1, 6));
    assert_eq!(pruned.graph.mass()[0], 2.0);
    assert_eq!(pruned.graph.degree(0), 2);
}

#[test]
fn a_rule_without_limits_removes_nothing() {
    let graph = three_rays();
    let points = Points::from_f64(vec![9.0, 9.0], 2).unwrap();
    let rule = TipRule { min_share: 0.0, ..TipRule::default() };
    let pruned = graph.prune_tips(&rule, &points, &graph.project(&points).unwrap()).unwrap();
    assert_eq!(pruned.graph, graph);
    assert_eq!(pruned.removed, 0);
}

#[test]
fn invalid_rules_are_errors() {
    let graph = three_rays();
    let points = Points::from_f64(vec![9.0, 9.0], 2).unwrap();
    let projection = graph.project(&points).unwrap();
    let message =
        |rule: TipRule<'_>| graph.prune_tips(&rule, &points, &projection).unwrap_err().to_string();
    let rule = TipRule::default();
    for (rule, expected) in [
        (TipRule { min_share: 1.5, ..rule }, "min_share = 1.5: must be between 0 and 1"),
        (TipRule { min_length: f64::NAN, ..rule }, "min_length = NaN: must be at least 0"),
        (TipRule { min_support: -1.0, ..rule }, "min_support = -1: must be between 0 and 1"),
        (TipRule { min_support: 0.5, ..rule }, "min_support = 0.5: the graph has no edge support"),
        (TipRule { support: Some(&[1.0]), ..rule }, "support of the edges: expected 6, found 1"),
    ] {
        assert_eq!(message(rule), expected);
    }
    let other = Points::from_f64(vec![9.0; 4], 2).unwrap();
    let error = graph.prune_tips(&TipRule::default(), &other, &projection).unwrap_err();
    assert_eq!(error.to_string(), "points of the projection: expected 1, found 2");
}

#[test]
fn weakly_supported_tips_are_removed() {
    let graph = three_rays();
    let points = Points::from_f64(vec![0.0, 0.5, 0.0, 1.5], 2).unwrap();
    let projection = graph.project(&points).unwrap();
    let kept = |support: &[f64]| {
        let rule = TipRule {
            min_share: 0.0,
            min_support: 0.5,
            support: Some(support),
            ..TipRule::default()
        };
        graph.prune_tips(&rule, &points, &projection).unwrap().kept
    };
    assert_eq!(kept(&[0.4, 0.9, 0.9, 0.9, 0.9, 0.9]), [0, 2, 3, 4, 5, 6]);
    // The mean over the branch decides.
    assert_eq!(kept(&[0.9, 0.4, 0.4, 0.8, 0.4, 0.8]), [0, 1, 2, 3, 4, 5, 6]);
    assert_eq!(kept(&[0.9, 0.4, 0.2, 0.4, 0.4, 0.8]), [0, 1, 4, 5, 6]);
}
