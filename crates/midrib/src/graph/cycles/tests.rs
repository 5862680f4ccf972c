use super::*;
use crate::math::Matrix;
use proptest::prelude::*;
use std::collections::BTreeSet;
use std::f64::consts::TAU;

fn graph(nodes: &[[f64; 2]], pairs: &[(usize, usize)]) -> PrincipalGraph {
    let edges: Vec<_> = pairs.iter().map(|&(a, b)| (a, b, 1.0)).collect();
    PrincipalGraph::new(Matrix::from_rows(nodes).unwrap(), &edges, vec![1.0; nodes.len()]).unwrap()
}

fn lengths(graph: &PrincipalGraph) -> Vec<f64> {
    graph.minimum_cycle_basis().iter().map(|cycle| cycle.length).collect()
}

/// A grid of unit squares.
fn grid(rows: usize, cols: usize) -> PrincipalGraph {
    let node = |r: usize, c: usize| r * cols + c;
    let mut nodes = Vec::new();
    let mut pairs = Vec::new();
    for r in 0..rows {
        for c in 0..cols {
            nodes.push([r as f64, c as f64]);
            if r + 1 < rows {
                pairs.push((node(r, c), node(r + 1, c)));
            }
            if c + 1 < cols {
                pairs.push((node(r, c), node(r, c + 1)));
            }
        }
    }
    graph(&nodes, &pairs)
}

#[test]
fn a_forest_has_no_cycle() {
    let nodes: Vec<[f64; 2]> = (0..5).map(|i| [i as f64, 0.0]).collect();
    assert!(graph(&nodes, &[(0, 1), (1, 2), (3, 4)]).minimum_cycle_basis().is_empty());
    assert!(graph(&nodes, &[]).minimum_cycle_basis().is_empty());
}

#[test]
fn rings_with_tails() {
    // A square with a tail to a triangle, and a separate triangle.
    let mut nodes: Vec<[f64; 2]> = vec![[0.0, 0.0], [0.0, 1.0], [1.0, 1.0], [1.0, 0.0], [5.0, 0.0]];
    nodes.extend([[8.0, 0.0], [8.0, 4.0], [20.0, 0.0], [26.0, 0.0], [20.0, 8.0]]);
    let mut pairs = vec![(0, 1), (1, 2), (2, 3), (0, 3), (3, 4), (4, 5), (5, 6), (4, 6)];
    pairs.extend([(7, 8), (8, 9), (7, 9)]);
    let graph = graph(&nodes, &pairs);
    assert_eq!(lengths(&graph), [4.0, 12.0, 24.0]);
    let triangle = &graph.minimum_cycle_basis()[1];
    assert_eq!(triangle.nodes, [4, 5, 6]);
    let ends = |e: usize| (graph.edges()[e].a, graph.edges()[e].b);
    let edges: Vec<_> = triangle.edges.iter().map(|&e| ends(e)).collect();
    assert_eq!(edges, [(4, 5), (5, 6), (4, 6)]);
}

#[test]
fn the_basis_of_a_grid_is_its_squares() {
    assert_eq!(lengths(&grid(6, 9)), vec![4.0; 40]);
}

#[test]
fn the_basis_of_a_wheel_is_its_triangles_and_a_closed_ladder_has_one_long_cycle() {
    let at = |i: usize, n: usize, r: f64| {
        let angle = TAU * i as f64 / n as f64;
        [r * angle.cos(), r * angle.sin()]
    };
    let mut nodes: Vec<[f64; 2]> = (0..7).map(|i| at(i, 7, 1.0)).collect();
    nodes.push([0.0, 0.0]);
    let mut pairs: Vec<_> = (0..7).map(|i| (i, (i + 1) % 7)).collect();
    pairs.extend((0..7).map(|i| (i, 7)));
    let side = 2.0 * (TAU / 14.0).sin();
    for length in lengths(&graph(&nodes, &pairs)) {
        assert!((length - 2.0 - side).abs() < 1e-12);
    }

    let n = 30;
    let mut nodes: Vec<[f64; 2]> = (0..n).map(|i| at(i, n, 1.0)).collect();
    nodes.extend((0..n).map(|i| at(i, n, 1.1)));
    let mut pairs = Vec::new();
    for i in 0..n {
        pairs.extend([(i, (i + 1) % n), (n + i, n + (i + 1) % n), (i, n + i)]);
    }
    let lengths = lengths(&graph(&nodes, &pairs));
    assert_eq!(lengths.len(), n + 1);
    let side = 2.0 * (TAU / (2 * n) as f64).sin();
    assert!((lengths[n - 1] - 0.2 - 2.1 * side).abs() < 1e-12);
    assert!((lengths[n] - n as f64 * side).abs() < 1e-12);
}

#[test]
fn only_cycles_up_to_a_length_are_found() {
    let edges = [(0, 1, 1.0), (1, 2, 1.0), (0, 2, 1.0), (2, 3, 2.0), (0, 3, 2.0)];
    assert_eq!(short_cycles(4, &edges, 3.0), [vec![0, 1, 2]]);
    assert_eq!(short_cycles(4, &edges, 2.9).len(), 0);
    assert_eq!(short_cycles(4, &edges, 5.0).len(), 2);
}

#[test]
fn a_thousand_nodes_take_seconds() {
    // Chords and steps along a closed curve: 1,000 nodes, 2,000 edges, 1,001 cycles.
    let n = 1000;
    let wobble = |i: usize| 1.0 + 0.02 * ((i * i) as f64 * 0.37).sin();
    let at = |i: usize| {
        let angle = TAU * i as f64 / n as f64;
        [wobble(i) * angle.cos(), wobble(i) * angle.sin()]
    };
    let nodes: Vec<[f64; 2]> = (0..n).map(at).collect();
    let steps = (0..n).flat_map(|i| [(i, (i + 1) % n), (i, (i + 2 + i * 7 % 5) % n)]);
    let started = std::time::Instant::now();
    let lengths = lengths(&graph(&nodes, &steps.collect::<Vec<_>>()));
    assert_eq!(lengths.len(), n + 1);
    assert!(lengths[n] > 6.0 && lengths[n - 1] < 1.0, "{} {}", lengths[n - 1], lengths[n]);
    assert!(started.elapsed().as_secs() < 20, "{:?}", started.elapsed());
}

/// All simple cycles as sets of edges.
fn all_cycles(n: usize, edges: &[(usize, usize, f64)]) -> Vec<u64> {
    let is_cycle = |set: &u64| {
        let mut degree = vec![0; n];
        let mut sets = Sets::new(n);
        let members = || (0..edges.len()).filter(|e| set >> e & 1 == 1).map(|e| edges[e]);
        for (a, b, _) in members() {
            degree[a] += 1;
            degree[b] += 1;
            sets.join(a, b);
        }
        let nodes: BTreeSet<usize> = (0..n).filter(|&v| degree[v] > 0).collect();
        let roots: BTreeSet<usize> = nodes.iter().map(|&v| sets.find(v)).collect();
        roots.len() == 1 && nodes.iter().all(|&v| degree[v] == 2)
    };
    (1..1_u64 << edges.len()).filter(is_cycle).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]
    #[test]
    fn the_basis_matches_a_greedy_search_over_all_cycles(
        positions in proptest::collection::vec((0_i32..5, 0_i32..5), 7),
        pairs in proptest::collection::btree_set((0_usize..7, 0_usize..7), 0..22),
    ) {
        // Positions on a grid, some of them equal: many ties, edges of length 0.
        let nodes: Vec<[f64; 2]> = positions.iter().map(|&(x, y)| [x.into(), y.into()]).collect();
        let pairs: Vec<_> = pairs.into_iter().filter(|(a, b)| a < b).take(13).collect();
        let graph = graph(&nodes, &pairs);
        let edges: Vec<_> = graph.edges().iter().map(|e| (e.a, e.b, e.length)).collect();
        let length = |set: u64| -> f64 {
            (0..edges.len()).filter(|e| set >> e & 1 == 1).map(|e| edges[e].2).sum()
        };
        let mut cycles = all_cycles(7, &edges);
        cycles.sort_by(|&c, &d| length(c).total_cmp(&length(d)));
        let mut basis = BitBasis::new(edges.len());
        let expected: Vec<f64> =
            cycles.into_iter().filter(|&c| basis.insert(vec![c])).map(length).collect();
        let found = graph.minimum_cycle_basis();
        prop_assert_eq!(found.len(), graph.loops());
        prop_assert_eq!(found.len(), expected.len());
        let mut independent = BitBasis::new(edges.len());
        for (cycle, expected) in found.iter().zip(expected) {
            prop_assert!((cycle.length - expected).abs() < 1e-9);
            prop_assert!(independent.insert(vec![cycle.edges.iter().map(|e| 1 << e).sum()]));
            prop_assert_eq!(cycle.nodes.len(), cycle.edges.len());
            let next = cycle.nodes.iter().cycle().skip(1);
            for ((&node, &next), &edge) in cycle.nodes.iter().zip(next).zip(&cycle.edges) {
                prop_assert_eq!(graph.edges()[edge].other(node), next);
            }
        }
    }
}
