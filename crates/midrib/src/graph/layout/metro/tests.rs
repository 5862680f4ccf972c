use std::f64::consts::TAU;

use proptest::prelude::*;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::*;
use crate::graph::random::random_graph;
use crate::math::Matrix;

/// A tree in which the parent of each node is one of the last few before it: long chains and bushes.
fn random_tree(n: usize, reach: usize, rng: &mut ChaCha8Rng) -> PrincipalGraph {
    let mut nodes = vec![[0.0; 3]];
    let mut edges = Vec::new();
    for node in 1..n {
        let parent = node - 1 - rng.random_range(0..reach.min(node));
        let position: [f64; 3] =
            std::array::from_fn(|d| nodes[parent][d] + rng.random::<f64>() - 0.5);
        nodes.push(position);
        edges.push((parent, node, 1.0));
    }
    let nodes = Matrix::from_rows(&nodes).unwrap();
    PrincipalGraph::new(nodes, &edges, vec![1.0; n]).unwrap()
}

/// The direction from one node to another on the map, in turns.
fn heading(map: &MetroMap, from: usize, to: usize) -> f64 {
    let (a, b) = (map.nodes.row(from), map.nodes.row(to));
    (b[1] - a[1]).atan2(b[0] - a[0]) / TAU
}

/// The angles between adjacent branches around a node, in turns.
fn angles(graph: &PrincipalGraph, map: &MetroMap, node: usize) -> Vec<f64> {
    let mut headings: Vec<f64> =
        graph.neighbors(node).iter().map(|&(_, next)| heading(map, node, next)).collect();
    headings.sort_by(f64::total_cmp);
    let n = headings.len();
    (0..n).map(|i| (headings[(i + 1) % n] - headings[i]).rem_euclid(1.0)).collect()
}

/// The number of crossings among all pairs of edges without a common node, by brute force.
fn crossings_of_edges(graph: &PrincipalGraph, map: &MetroMap) -> usize {
    let at = |node: usize| [map.nodes.row(node)[0], map.nodes.row(node)[1]];
    let turn = |a: [f64; 2], b: [f64; 2], c: [f64; 2]| {
        (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
    };
    let edges = graph.edges();
    let mut found = 0;
    for (i, one) in edges.iter().enumerate() {
        for two in &edges[..i] {
            if [two.a, two.b].contains(&one.a) || [two.a, two.b].contains(&one.b) {
                continue;
            }
            let [a, b, c, d] = [at(one.a), at(one.b), at(two.a), at(two.b)];
            found += usize::from(
                turn(a, b, c) * turn(a, b, d) < 0.0 && turn(c, d, a) * turn(c, d, b) < 0.0,
            );
        }
    }
    found
}

/// A tree like those that are learned: long chains attached to each other.
fn branching_tree(most: usize, rng: &mut ChaCha8Rng) -> PrincipalGraph {
    let mut nodes = vec![[0.0; 3]];
    let mut edges: Vec<(usize, usize, f64)> = Vec::new();
    let mut degree = vec![0];
    let chains = rng.random_range(1..=7);
    for chain in 0..chains {
        let inner: Vec<usize> = (0..nodes.len()).filter(|&node| degree[node] == 2).collect();
        let mut last = if chain == 0 { 0 } else { inner[rng.random_range(0..inner.len())] };
        let heading: [f64; 3] = std::array::from_fn(|_| rng.random_range(-1.0..1.0));
        for _ in 0..rng.random_range(3..=(most - 1) / chains) {
            let step = heading.map(|h| 0.1 * h + rng.random_range(-0.05..0.05));
            edges.push((last, nodes.len(), 1.0));
            nodes.push(std::array::from_fn(|d| nodes[last][d] + step[d]));
            degree[last] += 1;
            last = degree.len();
            degree.push(1);
        }
    }
    let n = nodes.len();
    PrincipalGraph::new(Matrix::from_rows(&nodes).unwrap(), &edges, vec![1.0; n]).unwrap()
}

#[test]
fn branching_trees_have_equal_angles_all_around_true_lengths_and_no_crossings() {
    let mut rng = ChaCha8Rng::seed_from_u64(11);
    let (mut equal, mut largest) = (0, 0);
    for round in 0..200 {
        let graph = branching_tree(500, &mut rng);
        largest = largest.max(graph.nodes().n_rows());
        let map = graph.metro_map().unwrap();
        assert_eq!((map.crossings, map.closing.len()), (0, 0), "round {round}");
        assert_eq!(crossings_of_edges(&graph, &map), 0, "round {round}");
        assert_true_lengths(&graph, &map);
        equal += usize::from(graph.branch_points().into_iter().all(|node| {
            let share = 1.0 / graph.degree(node) as f64;
            angles(&graph, &map, node).iter().all(|angle| (angle - share).abs() < 1e-9)
        }));
    }
    assert!(largest > 450, "{largest}");
    // Almost every tree has such a drawing.
    assert!(equal >= 198, "{equal} of 200 have equal angles");
}

fn assert_true_lengths(graph: &PrincipalGraph, map: &MetroMap) {
    for edge in graph.edges() {
        let (a, b) = (map.nodes.row(edge.a), map.nodes.row(edge.b));
        let drawn = f64::hypot(a[0] - b[0], a[1] - b[1]);
        assert!((drawn / edge.length - 1.0).abs() < 1e-9, "{drawn} {}", edge.length);
    }
}

#[test]
fn bushy_trees_have_true_lengths_no_crossings_and_equal_angles_except_next_to_the_parent() {
    let mut rng = ChaCha8Rng::seed_from_u64(7);
    for round in 0..200 {
        let n = rng.random_range(2..=500);
        let reach = [2, 3, 8, 500][round % 4];
        let graph = random_tree(n, reach, &mut rng);
        let map = graph.metro_map().unwrap();
        assert_eq!((map.crossings, map.closing.len()), (0, 0), "{n} nodes, {reach}");
        assert_eq!(crossings_of_edges(&graph, &map), 0, "{n} nodes, {reach}");
        assert_true_lengths(&graph, &map);
        for node in 0..n {
            let mut angles = angles(&graph, &map, node);
            angles.sort_by(f64::total_cmp);
            // All but the two next to the parent are equal; those two are equal and not smaller.
            let inner = angles.len().saturating_sub(2).max(1).min(angles.len());
            for angle in angles.iter().take(inner) {
                assert!((angle - angles[0]).abs() < 1e-6, "{angles:?}");
            }
            if let [.., one, two] = angles[..] {
                assert!((one - two).abs() < 1e-6, "{angles:?}");
            }
        }
    }
}

/// A tree in which the parent of each node is any node before it, with very different lengths.
fn uneven_tree(n: usize, rng: &mut ChaCha8Rng) -> PrincipalGraph {
    let mut nodes = vec![[0.0; 3]];
    let mut edges = Vec::new();
    for node in 1..n {
        let parent = rng.random_range(0..node);
        let [u, v, w]: [f64; 3] = std::array::from_fn(|_| rng.random_range(1e-9..1.0));
        // Normal variates by Box-Muller, for a length and a direction.
        let normal = |u: f64, v: f64| (-2.0 * u.ln()).sqrt() * (TAU * v).cos();
        let length = normal(u, v).exp();
        let step = [normal(v, w), normal(w, u), normal(u * v, w)].map(|x| x * length);
        nodes.push(std::array::from_fn(|d| nodes[parent][d] + step[d]));
        edges.push((parent, node, 1.0));
    }
    PrincipalGraph::new(Matrix::from_rows(&nodes).unwrap(), &edges, vec![1.0; n]).unwrap()
}

#[test]
fn trees_of_uneven_lengths_never_cross() {
    let mut rng = ChaCha8Rng::seed_from_u64(3);
    for round in 0..200 {
        let n = if round % 20 == 0 { 500 } else { rng.random_range(2..=150) };
        let graph = uneven_tree(n, &mut rng);
        let map = graph.metro_map().unwrap();
        assert_eq!(crossings_of_edges(&graph, &map), 0, "round {round}, {n} nodes");
        assert_eq!(map.crossings, 0, "round {round}, {n} nodes");
        assert_true_lengths(&graph, &map);
    }
}

#[test]
fn few_branch_points_use_the_full_turn() {
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    for n in 4..40 {
        let graph = random_tree(n, 2, &mut rng);
        if graph.branch_points().len() > 3 {
            continue;
        }
        let map = graph.metro_map().unwrap();
        for node in graph.branch_points() {
            let share = 1.0 / graph.degree(node) as f64;
            assert!(angles(&graph, &map, node).iter().all(|a| (a - share).abs() < 1e-9));
        }
    }
}

#[test]
fn a_loop_with_a_branch_is_cut_once_and_components_do_not_overlap() {
    let angle = |i: usize| TAU * i as f64 / 12.0;
    let mut nodes: Vec<[f64; 2]> = (0..12).map(|i| [angle(i).cos(), angle(i).sin()]).collect();
    nodes.extend([[5.0, 5.0], [6.0, 5.0], [9.0, 9.0], [1.5, 0.0]]);
    let mut edges: Vec<_> = (0..12).map(|i| (i, (i + 1) % 12, 1.0)).collect();
    edges.extend([(12, 13, 1.0), (0, 15, 1.0)]);
    let graph =
        PrincipalGraph::new(Matrix::from_rows(&nodes).unwrap(), &edges, vec![1.0; 16]).unwrap();
    let map = graph.metro_map().unwrap();
    assert_eq!(map.closing.len(), 1);
    let x = |node: usize| map.nodes.row(node)[0];
    let ring = (0..12).chain([15]).map(x).fold(0.0, f64::max);
    assert!(x(12).min(x(13)) > ring && x(14) > x(12).max(x(13)));
    // An arc starts and ends at its nodes.
    let closing = graph.edges()[map.closing[0]];
    for (pos, node) in [(0.0, closing.a), (1.0, closing.b)] {
        let (position, across) = map.along(&graph, map.closing[0], pos);
        assert_eq!(position, [map.nodes.row(node)[0], map.nodes.row(node)[1]]);
        assert!((across[0].hypot(across[1]) - 1.0).abs() < 1e-12);
    }
    let (top, _) = map.along(&graph, map.closing[0], 0.5);
    let middle = 0.5 * (map.nodes.row(closing.a)[1] + map.nodes.row(closing.b)[1]);
    assert!((top[1] - middle).abs() > 1.0);
}

#[test]
fn isolated_nodes_are_side_by_side() {
    for (nodes, gap) in [([[0.0, 2.0], [4.0, 2.0]], 0.6), ([[1.0, 1.0], [1.0, 1.0]], 1.0)] {
        let nodes = Matrix::from_rows(&nodes).unwrap();
        let map = PrincipalGraph::new(nodes, &[], vec![1.0; 2]).unwrap().metro_map().unwrap();
        let apart = map.nodes.row(1)[0] - map.nodes.row(0)[0];
        assert!((apart - gap).abs() < 1e-12, "{apart}");
    }
}

/// The number of components that are rings and fit on a circle.
fn rings(graph: &PrincipalGraph) -> usize {
    let components = graph.components();
    let is_ring = |component: &usize| {
        let of_it = |node: usize| components.of_node[node] == *component;
        let nodes = (0..graph.nodes().n_rows()).filter(|&node| of_it(node));
        let lengths = graph.edges().iter().filter(|edge| of_it(edge.a)).map(|edge| edge.length);
        let (longest, sum) = (lengths.clone().fold(0.0, f64::max), lengths.sum::<f64>());
        nodes.map(|node| graph.degree(node)).all(|degree| degree == 2)
            && sum - longest > (1.0 + 1e-6) * longest
    };
    (0..components.count).filter(is_ring).count()
}

proptest! {
    #[test]
    fn any_graph_is_drawn(graph in random_graph(14, 30), exponent in -140..140_i32) {
        let scale = 10_f64.powi(exponent);
        let scaled = graph.nodes().as_slice().iter().map(|x| x * scale).collect();
        let nodes = Matrix::new(graph.nodes().n_rows(), 2, scaled).unwrap();
        let edges: Vec<_> = graph.edges().iter().map(|e| (e.a, e.b, 1.0)).collect();
        let graph = PrincipalGraph::new(nodes, &edges, graph.mass().to_vec()).unwrap();
        let map = graph.metro_map().unwrap();
        prop_assert!(map.nodes.as_slice().iter().all(|x| x.is_finite()));
        prop_assert_eq!(map.closing.len() + rings(&graph), graph.loops());
        prop_assert_eq!(map.crossings, 0);
        for (index, edge) in graph.edges().iter().enumerate() {
            if !map.closing.contains(&index) {
                let (a, b) = (map.nodes.row(edge.a), map.nodes.row(edge.b));
                let drawn = f64::hypot(a[0] - b[0], a[1] - b[1]);
                prop_assert!((drawn - edge.length).abs() <= 1e-9 * scale);
            }
        }
    }
}
