use super::*;
use crate::graph::Edge;
use crate::math::{Matrix, squared_distance};
use proptest::prelude::*;
use std::f64::consts::TAU;

/// Numbers from 0 to 1, the same for the same seed.
struct Dice(u64);

impl Dice {
    fn roll(&mut self) -> f64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 ^ (self.0 >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9) >> 11) as f64
            / 2_f64.powi(53)
    }

    /// Approximately normal.
    fn noise(&mut self) -> f64 {
        (0..6).map(|_| self.roll()).sum::<f64>() * 2_f64.sqrt() - 3.0 * 2_f64.sqrt()
    }
}

/// The parameters of a raw graph.
#[derive(Clone, Copy, Debug)]
struct Raw {
    n: usize,
    noise: f64,
    n_neighbors: usize,
    /// Rounds of smoothing.
    smooth: usize,
    seed: u64,
}

type Curve = fn(f64) -> [f64; 2];

fn circle(t: f64) -> [f64; 2] {
    [(TAU * t).cos(), (TAU * t).sin()]
}

fn moons(t: f64) -> [f64; 2] {
    let angle = TAU * t.min(1.0 - t);
    if t < 0.5 { [angle.cos(), angle.sin()] } else { [1.0 - angle.cos(), 0.4 - angle.sin()] }
}

fn cross(t: f64) -> [f64; 2] {
    let along = 4.0 * t.min(1.0 - t) - 1.0;
    [along, if t < 0.5 { 0.8 * along } else { -0.8 * along }]
}

/// Five unit strokes, two branch points.
fn tree(t: f64) -> [f64; 2] {
    let at = (5.0 * t).fract();
    match (5.0 * t) as usize {
        0 => [-0.7 * at, 0.7 * at],
        1 => [-0.7 * at, -0.7 * at],
        2 => [at, 0.0],
        3 => [1.0 + 0.7 * at, 0.7 * at],
        _ => [1.0 + 0.7 * at, -0.7 * at],
    }
}

fn eight(t: f64) -> [f64; 2] {
    [1.5 * (TAU * t).cos(), (2.0 * TAU * t).sin()]
}

/// A graph like the result of a linear program over neighbors: connected points, smoothed.
fn raw_graph(curve: Curve, raw: Raw) -> PrincipalGraph {
    let mut dice = Dice(raw.seed);
    let points: Vec<[f64; 2]> = (0..raw.n)
        .map(|i| {
            let [x, y] = curve((i as f64 + dice.roll()) / raw.n as f64);
            [x + raw.noise * dice.noise(), y + raw.noise * dice.noise()]
        })
        .collect();
    let mut pairs = std::collections::BTreeSet::new();
    for (i, p) in points.iter().enumerate() {
        let mut others: Vec<usize> = (0..raw.n).filter(|&j| j != i).collect();
        others.sort_by(|&a, &b| {
            squared_distance(p, &points[a]).total_cmp(&squared_distance(p, &points[b]))
        });
        pairs.extend(others[..raw.n_neighbors].iter().map(|&j| (i.min(j), i.max(j))));
    }
    // The linear program leaves out many pairs.
    let edges: Vec<_> = pairs
        .into_iter()
        .map(|(a, b)| (a, b, dice.roll(), dice.roll()))
        .filter(|edge| edge.3 < 0.7)
        .map(|(a, b, weight, _)| (a, b, weight))
        .collect();
    let mut nodes = points;
    for _ in 0..raw.smooth {
        let mut sums: Vec<[f64; 3]> = nodes.iter().map(|p| [p[0], p[1], 1.0]).collect();
        for &(a, b, _) in &edges {
            for (to, from) in [(a, b), (b, a)] {
                let other = nodes[from];
                sums[to] = [sums[to][0] + other[0], sums[to][1] + other[1], sums[to][2] + 1.0];
            }
        }
        nodes = sums.iter().map(|s| [s[0] / s[2], s[1] / s[2]]).collect();
    }
    // Points with the same neighbors coincide now; break the ties.
    for x in nodes.iter_mut().flatten() {
        *x += 1e-4 * dice.noise();
    }
    PrincipalGraph::new(Matrix::from_rows(&nodes).unwrap(), &edges, vec![1.0; raw.n]).unwrap()
}

/// Components, loops, tips and the degrees of the branch points.
fn shape(graph: &PrincipalGraph) -> (usize, usize, usize, Vec<usize>) {
    let degrees = graph.branch_points().iter().map(|&node| graph.degree(node)).collect();
    (graph.components().count, graph.loops(), graph.tips().len(), degrees)
}

const NOISY: Raw = Raw { n: 200, noise: 0.04, n_neighbors: 10, smooth: 3, seed: 0 };

fn skeleton(graph: &PrincipalGraph) -> PrincipalGraph {
    graph.simplify(&Simplify::default()).unwrap().graph
}

fn check_shape(curve: Curve, expected: (usize, usize, usize, Vec<usize>)) {
    let mut seen = 0;
    for n in [100, 200, 300] {
        for seed in 0..5 {
            let raw = Raw { n, seed, ..NOISY };
            let graph = raw_graph(curve, raw);
            if graph.components().count != expected.0 {
                // Neighbors may bridge a gap between components, or leave one within a component.
                continue;
            }
            seen += 1;
            assert!(graph.loops() > n);
            let skeleton = skeleton(&graph);
            assert_eq!(shape(&skeleton), expected, "{raw:?}");
            assert!((skeleton.mass().iter().sum::<f64>() - n as f64).abs() < 1e-9);
        }
    }
    assert!(seen >= 10, "{seen}");
}

#[test]
fn a_circle_is_one_loop() {
    check_shape(circle, (1, 1, 0, vec![]));
    let skeleton = skeleton(&raw_graph(circle, NOISY));
    let length = skeleton.minimum_cycle_basis()[0].length;
    assert!((5.5..7.5).contains(&length), "{length}");
}

#[test]
fn two_moons_are_two_paths() {
    check_shape(moons, (2, 0, 4, vec![]));
}

#[test]
fn crossing_lines_meet_once() {
    check_shape(cross, (1, 0, 4, vec![4]));
}

#[test]
fn a_tree_keeps_its_branch_points() {
    check_shape(tree, (1, 0, 4, vec![3, 3]));
}

#[test]
fn a_figure_eight_is_two_loops() {
    check_shape(eight, (1, 2, 0, vec![4]));
}

fn graph(nodes: &[[f64; 2]], pairs: &[(usize, usize)]) -> PrincipalGraph {
    let edges: Vec<_> = pairs.iter().map(|&(a, b)| (a, b, 1.0)).collect();
    PrincipalGraph::new(Matrix::from_rows(nodes).unwrap(), &edges, vec![1.0; nodes.len()]).unwrap()
}

#[test]
fn parallel_paths_between_distant_rungs_are_not_a_loop() {
    // Two lines of 40 nodes, 0.5 apart, with rungs at both ends; triangles define the thickness.
    let mut nodes: Vec<[f64; 2]> = (0..40).map(|i| [i as f64, 0.0]).collect();
    nodes.extend((0..40).map(|i| [i as f64 + 0.3, 0.5]));
    let mut pairs: Vec<_> = (0..39).flat_map(|i| [(i, i + 1), (40 + i, 41 + i)]).collect();
    pairs.extend([(0, 40), (39, 79), (0, 2), (41, 43)]);
    let thin = graph(&nodes, &pairs);
    let longest = thin.minimum_cycle_basis().last().unwrap().length;
    assert!(longest > 70.0);
    assert_eq!(shape(&skeleton(&thin)), (1, 0, 2, vec![]));
    // Ten times as far apart, they are a loop.
    nodes[40..].iter_mut().for_each(|node| node[1] = 5.0);
    assert_eq!(shape(&skeleton(&graph(&nodes, &pairs))), (1, 1, 0, vec![]));
}

/// A line of 40 nodes drawn twice, connected only at one end. Triangles define the thickness.
fn doubled_line() -> (Vec<[f64; 2]>, Vec<(usize, usize)>) {
    let nodes = (0..80).map(|i| [f64::from(i % 40), 0.01 * f64::from(i / 40)]).collect();
    let mut pairs: Vec<_> = (0..39).flat_map(|i| [(i, i + 1), (40 + i, 41 + i)]).collect();
    pairs.extend([(39, 79), (3, 5), (41, 43)]);
    (nodes, pairs)
}

#[test]
fn a_line_drawn_twice_becomes_one_line() {
    let (nodes, pairs) = doubled_line();
    let line = skeleton(&graph(&nodes, &pairs));
    assert_eq!(shape(&line), (1, 0, 2, vec![]));
    let mut tips: Vec<f64> = line.tips().iter().map(|&tip| line.nodes().row(tip)[0]).collect();
    tips.sort_by(f64::total_cmp);
    assert_eq!(tips, [0.0, 39.0]);
    assert!((line.length() - 39.0).abs() < 0.1, "{}", line.length());
    assert!(line.nodes().n_rows() <= 41, "{}", line.nodes().n_rows());
    assert_eq!(line.mass().iter().sum::<f64>(), 80.0);
}

#[test]
fn a_line_drawn_twice_keeps_its_tips_and_its_branch() {
    let (mut nodes, mut pairs) = doubled_line();
    // One line stops in the middle and a branch leaves there.
    nodes[40..60].iter_mut().enumerate().for_each(|(i, node)| *node = [20.0, i as f64 - 20.0]);
    pairs.retain(|&pair| pair != (41, 43));
    let forked = skeleton(&graph(&nodes, &pairs));
    assert_eq!(shape(&forked), (1, 0, 3, vec![3]));
    let mut tips: Vec<f64> = forked.tips().iter().map(|&tip| forked.nodes().row(tip)[0]).collect();
    tips.sort_by(f64::total_cmp);
    assert_eq!(tips, [0.0, 20.0, 39.0]);
}

#[test]
fn tips_that_nearly_meet_are_not_joined() {
    let nodes: Vec<[f64; 2]> = (0..60).map(|i| circle(f64::from(i) / 60.0)).collect();
    let pairs: Vec<_> = (0..59).flat_map(|i| [(i, i + 1), (i, i + 2)]).collect();
    let pairs: Vec<_> = pairs.into_iter().filter(|&(_, b)| b < 60).collect();
    assert_eq!(shape(&skeleton(&graph(&nodes, &pairs))), (1, 0, 2, vec![]));
}

#[test]
fn weak_edges_are_dropped() {
    let nodes = Matrix::from_rows(&[[0.0], [1.0], [2.0], [3.0]]).unwrap();
    let edges = [(0, 1, 1.0), (1, 2, 1e-7), (2, 3, 2.0)];
    let graph = PrincipalGraph::new(nodes, &edges, vec![1.0; 4]).unwrap();
    assert_eq!(skeleton(&graph).components().count, 2);
    let all = Simplify { drop_below: 0.0, ..Simplify::default() };
    assert_eq!(graph.simplify(&all).unwrap().graph, graph);
}

#[test]
fn given_lengths_apply_to_trees_too() {
    let nodes = [[0.0, 0.0], [1.0, 0.0], [2.0, 0.0], [3.0, 0.0], [1.0, 0.4], [2.0, -1.0]];
    let graph = graph(&nodes, &[(0, 1), (1, 2), (2, 3), (1, 4), (2, 5)]);
    assert_eq!(skeleton(&graph), graph);
    let given = |min_tip| Simplify { min_tip: Length::Fixed(min_tip), ..Simplify::default() };
    let pruned = graph.simplify(&given(0.5)).unwrap();
    assert_eq!(pruned.kept, [0, 1, 2, 3, 5]);
    assert_eq!(pruned.graph.mass(), [1.0, 2.0, 1.0, 1.0, 1.0]);
    // With a tip at both ends of the inner branch, they become one crossing.
    let crossed = graph.simplify(&Simplify { drop_below: 0.0, ..given(0.4) }).unwrap().graph;
    assert_eq!(shape(&crossed), (1, 0, 4, vec![3, 3]));
    let nodes = [[0.0, 0.0], [1.0, 0.0], [1.1, 0.0], [2.0, 0.0], [1.0, 1.0], [1.1, -1.0]];
    let graph = self::graph(&nodes, &[(0, 1), (1, 2), (2, 3), (1, 4), (2, 5)]);
    let crossed = graph.simplify(&given(0.1)).unwrap().graph;
    assert_eq!(shape(&crossed), (1, 0, 4, vec![4]));
    assert_eq!(crossed.mass().iter().sum::<f64>(), 6.0);
}

#[test]
fn chains_are_merged_on_request() {
    let merge = Simplify { merge_chains: true, ..Simplify::default() };
    for (curve, nodes, edges) in
        [(circle as Curve, 3, 3), (tree, 6, 5), (cross, 5, 4), (moons, 4, 2), (eight, 5, 6)]
    {
        let raw = raw_graph(curve, Raw { seed: 1, ..NOISY });
        let merged = raw.simplify(&merge).unwrap().graph;
        assert_eq!((merged.nodes().n_rows(), merged.edges().len()), (nodes, edges));
        assert_eq!(merged.loops(), skeleton(&raw).loops());
        assert!((merged.mass().iter().sum::<f64>() - 200.0).abs() < 1e-9);
    }
    // Three paths between two nodes stay three.
    let nodes: Vec<[f64; 2]> = (0..11).map(|i| [i as f64, (i * i % 7) as f64]).collect();
    let ways = [(0, 2), (2, 3), (3, 4), (4, 1), (0, 5), (5, 6), (6, 7), (7, 1), (0, 8), (8, 9)];
    let graph = graph(&nodes, &[&ways[..], &[(9, 10), (10, 1)]].concat());
    let keep = Simplify { min_loop: Length::Fixed(0.0), ..merge };
    let merged = graph.simplify(&keep).unwrap().graph;
    assert_eq!((merged.nodes().n_rows(), merged.edges().len(), merged.loops()), (4, 5, 2));
    assert_eq!(merged.simplify(&keep).unwrap().graph, merged);
}

#[test]
fn settings_are_checked() {
    let graph = graph(&[[0.0, 0.0]], &[]);
    let default = Simplify::default();
    for bad in [-1.0, f64::NAN, f64::INFINITY] {
        let min_loop = Simplify { min_loop: Length::Fixed(bad), ..default };
        let min_tip = Simplify { min_tip: Length::Fixed(bad), ..default };
        let drop_below = Simplify { drop_below: bad, ..default };
        for settings in [min_loop, min_tip, drop_below] {
            let message = graph.simplify(&settings).unwrap_err().to_string();
            assert!(message.contains("must be"), "{message}");
        }
    }
    assert_eq!(skeleton(&graph), graph);
}

#[test]
fn a_coarse_ring_stays() {
    for n in 5..12 {
        let nodes: Vec<[f64; 2]> = (0..n).map(|i| circle(i as f64 / n as f64)).collect();
        let pairs: Vec<_> = (0..n).map(|i| (i, (i + 1) % n)).collect();
        let ring = graph(&nodes, &pairs);
        assert_eq!(skeleton(&ring), ring);
    }
}

/// The graph rotated, scaled and moved, with its nodes in another order.
fn moved(graph: &PrincipalGraph, scale: f64, angle: f64, order: &[usize]) -> PrincipalGraph {
    let (sin, cos) = angle.sin_cos();
    let mut nodes = Matrix::zeros(order.len(), 2);
    for (old, &new) in order.iter().enumerate() {
        let row = graph.nodes().row(old);
        let turned = [cos * row[0] - sin * row[1], sin * row[0] + cos * row[1]];
        nodes.row_mut(new).copy_from_slice(&turned.map(|x| scale * x + 3.0 * scale));
    }
    let edges = graph.edges().iter().map(|e| (order[e.a], order[e.b], e.weight));
    let mut mass = vec![0.0; order.len()];
    graph.mass().iter().enumerate().for_each(|(old, m)| mass[order[old]] = *m);
    PrincipalGraph::new(nodes, &edges.collect::<Vec<_>>(), mass).unwrap()
}

/// The positions in `raw` of both nodes of each edge.
fn edge_positions(
    simplified: &Simplified,
    raw: &PrincipalGraph,
    name: impl Fn(usize) -> usize,
) -> Vec<[f64; 4]> {
    let position = |node: usize| raw.nodes().row(name(simplified.kept[node]));
    let ends = |edge: &Edge| {
        let (a, b) = (position(edge.a), position(edge.b));
        let swap = (a[0], a[1]) > (b[0], b[1]);
        let (a, b) = if swap { (b, a) } else { (a, b) };
        [a[0], a[1], b[0], b[1]]
    };
    simplified.graph.edges().iter().map(ends).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]
    #[test]
    fn simplify_is_idempotent_and_commutes_with_motion_and_scaling(
        which in 0_usize..5,
        seed in 0_u64..1000,
        scale in -30_i32..30,
        angle in 0.0..TAU,
        order in Just((0..90).collect::<Vec<usize>>()).prop_shuffle(),
        drop_below in 0.0..0.3,
    ) {
        let curve = [circle as Curve, moons, cross, tree, eight][which];
        let settings = Simplify { drop_below, ..Simplify::default() };
        let raw = raw_graph(curve, Raw { n: 90, seed, ..NOISY });
        let done = raw.simplify(&settings).unwrap();
        let again = done.graph.simplify(&settings).unwrap();
        prop_assert_eq!(&again.graph, &done.graph);
        prop_assert!((done.graph.mass().iter().sum::<f64>() - 90.0).abs() < 1e-9);

        let other = moved(&raw, 2_f64.powi(scale), angle, &order);
        let other = other.simplify(&settings).unwrap();
        let mut old = vec![0; order.len()];
        order.iter().enumerate().for_each(|(node, &new)| old[new] = node);
        let expected = edge_positions(&done, &raw, |node| node);
        let found = edge_positions(&other, &raw, |node| old[node]);
        prop_assert_eq!(expected.len(), found.len());
        for edge in &found {
            prop_assert!(expected.iter().any(|same| squared_distance(same, edge) < 1e-20));
        }
    }

    #[test]
    fn components_and_mass_are_kept_on_any_graph(
        positions in proptest::collection::vec((0.0..1.0, 0.0..1.0), 30),
        pairs in proptest::collection::btree_set((0_usize..30, 0_usize..30), 0..70),
        lengths in proptest::option::of((0.0..1.0, 0.0..0.3)),
        merge_chains in any::<bool>(),
    ) {
        let nodes: Vec<[f64; 2]> = positions.iter().map(|&(x, y)| [x, y]).collect();
        let pairs: Vec<_> = pairs.into_iter().filter(|(a, b)| a < b).collect();
        let raw = graph(&nodes, &pairs);
        let fixed = |length: f64| Length::Fixed(length);
        let (min_loop, min_tip) =
            lengths.map_or(Default::default(), |(l, t)| (fixed(l), fixed(t)));
        let settings = Simplify { min_loop, min_tip, merge_chains, ..Simplify::default() };
        let done = raw.simplify(&settings).unwrap();
        let before = raw.components();
        let after = done.graph.components();
        prop_assert_eq!(before.count, after.count);
        for (node, &kept) in done.kept.iter().enumerate() {
            for (other, &also) in done.kept.iter().enumerate() {
                prop_assert_eq!(
                    after.of_node[node] == after.of_node[other],
                    before.of_node[kept] == before.of_node[also]
                );
            }
        }
        prop_assert!((done.graph.mass().iter().sum::<f64>() - 30.0).abs() < 1e-9);
        let basis = raw.minimum_cycle_basis();
        let long = basis.iter().filter(|cycle| cycle.length > done.min_loop).count();
        prop_assert!(done.graph.loops() <= long);
        if !merge_chains {
            prop_assert_eq!(&done.graph.simplify(&settings).unwrap().graph, &done.graph);
        }
        let forest = raw.loops() == 0 && lengths.is_none() && !merge_chains;
        prop_assert!(!forest || done.graph == raw);
    }
}
