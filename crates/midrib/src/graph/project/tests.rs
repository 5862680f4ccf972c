use proptest::prelude::*;

use crate::graph::PrincipalGraph;
use crate::math::Matrix;
use crate::points::Points;

/// The distance to every edge and isolated node, by the book.
fn distances(graph: &PrincipalGraph, x: &[f64]) -> Vec<(f64, Option<usize>)> {
    let nodes = graph.nodes();
    let to = |a: &[f64], b: &[f64]| {
        let along: f64 = (0..x.len()).map(|d| (x[d] - a[d]) * (b[d] - a[d])).sum();
        let squared: f64 = (0..x.len()).map(|d| (b[d] - a[d]).powi(2)).sum();
        let t = if squared > 0.0 { (along / squared).clamp(0.0, 1.0) } else { 0.0 };
        (0..x.len()).map(|d| (x[d] - a[d] - t * (b[d] - a[d])).powi(2)).sum::<f64>().sqrt()
    };
    let edges = graph.edges().iter().enumerate();
    edges
        .map(|(e, edge)| (to(nodes.row(edge.a), nodes.row(edge.b)), Some(e)))
        .chain(
            (0..nodes.n_rows())
                .filter(|&node| graph.degree(node) == 0)
                .map(|node| (to(nodes.row(node), nodes.row(node)), None)),
        )
        .collect()
}

fn check(graph: &PrincipalGraph, points: &Points) {
    let projection = graph.project(points).unwrap();
    let mut x = vec![0.0; points.dims()];
    for i in 0..points.len() {
        points.copy_row(i, &mut x);
        let all = distances(graph, &x);
        let least = all.iter().map(|found| found.0).fold(f64::INFINITY, f64::min);
        let reach = x.iter().map(|v| v.abs()).fold(1.0, f64::max);
        assert!((projection.distance[i] - least).abs() <= 1e-12 * reach);
        let near = |found: &&(f64, Option<usize>)| found.0 <= least + 1e-12 * reach;
        assert!(all.iter().filter(near).any(|found| found.1 == projection.edge[i]));
        let (pos, node) = (projection.edge_pos[i], projection.node[i]);
        assert!((0.0..=1.0).contains(&pos));
        let at: Vec<f64> = match projection.edge[i].map(|e| graph.edges()[e]) {
            Some(edge) => (graph.nodes().row(edge.a).iter().zip(graph.nodes().row(edge.b)))
                .map(|(a, b)| a + pos * (b - a))
                .collect(),
            None => graph.nodes().row(node).to_vec(),
        };
        let distance = crate::math::squared_distance(&at, &x).sqrt();
        assert!((distance - projection.distance[i]).abs() <= 1e-12 * reach);
        let squared = |k: usize| crate::math::squared_distance(graph.nodes().row(k), &x);
        let nearest = (0..graph.nodes().n_rows()).map(squared).fold(f64::INFINITY, f64::min);
        assert!(squared(node) <= nearest * (1.0 + 1e-12));
    }
}

proptest! {
    #[test]
    fn nearest_positions_are_the_brute_force_ones(
        dims in 1_usize..13,
        n_nodes in 1_usize..40,
        density in 0_usize..3,
        values in proptest::collection::vec(-4_i32..5, 700),
        single in any::<bool>(),
    ) {
        let value = |i: usize| f64::from(values[i % values.len()]) * 0.5;
        let nodes = Matrix::new(n_nodes, dims, (0..n_nodes * dims).map(value).collect()).unwrap();
        let mut edges = std::collections::BTreeSet::new();
        for i in 0..density * n_nodes / 2 {
            let end = |j: usize| (values[(7 * i + j) % 700] + 4) as usize * 31 % n_nodes;
            let (a, b) = ((end(0) + i) % n_nodes, end(3));
            if a != b {
                edges.insert((a.min(b), a.max(b)));
            }
        }
        let edges: Vec<_> = edges.into_iter().map(|(a, b)| (a, b, 1.0)).collect();
        let graph = PrincipalGraph::new(nodes, &edges, vec![1.0; n_nodes]).unwrap();
        let queries: Vec<f64> = (0..20 * dims).map(|i| value(3 * i + 1) * 1.3 + value(i) * 0.01).collect();
        let points = if single {
            Points::from_f32(queries.iter().map(|&x| x as f32).collect::<Vec<f32>>(), dims).unwrap()
        } else {
            Points::from_f64(queries, dims).unwrap()
        };
        check(&graph, &points);
    }

    #[test]
    fn equal_edges_go_to_the_smaller(spokes in 2_usize..30, dims in 2_usize..12, seed in 0_u32..1000) {
        let mut rows = vec![vec![0.0; dims]];
        for s in 0..spokes {
            rows.push((0..dims).map(|d| 1.0 + (f64::from(seed) * 1.7 + (s * dims + d) as f64 * 0.37).sin()).collect());
        }
        let edges: Vec<_> = (1..=spokes).map(|s| (0, s, 1.0)).collect();
        let graph = PrincipalGraph::new(Matrix::from_rows(&rows).unwrap(), &edges, vec![1.0; spokes + 1]).unwrap();
        let points = Points::from_f64(vec![-0.3; dims], dims).unwrap();
        prop_assert_eq!(graph.project(&points).unwrap().edge[0], Some(0));
    }
}

fn square_and_long_edge() -> PrincipalGraph {
    let nodes = Matrix::from_rows(&[[-10.0, 0.0], [10.0, 0.0], [0.0, 1.5], [1.0, 2.5]]).unwrap();
    PrincipalGraph::new(nodes, &[(0, 1, 1.0), (2, 3, 1.0)], vec![1.0; 4]).unwrap()
}

#[test]
fn the_nearest_edge_need_not_touch_the_nearest_node() {
    let graph = square_and_long_edge();
    let projection = graph.project(&Points::from_f64(vec![0.0, 0.5], 2).unwrap()).unwrap();
    assert_eq!(projection.node, [2]);
    assert_eq!(projection.edge, [Some(0)]);
    assert_eq!(projection.edge_pos, [0.5]);
    assert_eq!(projection.distance, [0.5]);
    assert_eq!(projection.branch(&graph), [0]);
    assert_eq!(projection.component(&graph), [0]);
}

#[test]
fn any_scale_gives_the_same_positions() {
    let values = [0.3, 0.7, -20.0, 4.0, 0.6, 2.1, 5.0, -0.2, 1.0, 2.5, 12.0, 0.0];
    let graph = square_and_long_edge();
    let plain = graph.project(&Points::from_f64(values.to_vec(), 2).unwrap()).unwrap();
    for scale in [2_f64.powi(498), 2_f64.powi(-498), 2_f64.powi(-900), 2_f64.powi(900)] {
        let nodes = graph.nodes().as_slice().iter().map(|x| x * scale).collect();
        let scaled = PrincipalGraph::new(
            Matrix::new(4, 2, nodes).unwrap(),
            &[(0, 1, 1.0), (2, 3, 1.0)],
            vec![1.0; 4],
        )
        .unwrap();
        let points = Points::from_f64(values.map(|x| x * scale).to_vec(), 2).unwrap();
        let found = scaled.project(&points).unwrap();
        assert_eq!(found.node, plain.node);
        assert_eq!(found.edge, plain.edge);
        assert_eq!(found.edge_pos, plain.edge_pos);
        for (far, near) in found.distance.iter().zip(&plain.distance) {
            assert!((far / scale - near).abs() <= 1e-14 * near);
        }
        if scale.log2().abs() < 500.0 {
            let mean = found.mean_squared_distance(&points).unwrap();
            assert!(mean.is_finite() && mean > 0.0);
        }
    }
}

#[test]
fn nothing_becomes_nan() {
    let nodes =
        Matrix::from_rows(&[[1.0, 1.0], [1.0, 1.0], [1.0 + 1e-16, 1.0], [1e-160, 0.0]]).unwrap();
    let graph = PrincipalGraph::new(nodes, &[(0, 1, 1.0), (1, 2, 1.0)], vec![1.0; 4]).unwrap();
    let values = vec![1e300, -1e300, 1e-300, 0.0, 1.0, 1.0, 1e150, 2.0];
    let projection = graph.project(&Points::from_f64(values, 2).unwrap()).unwrap();
    assert!(projection.edge_pos.iter().all(|pos| (0.0..=1.0).contains(pos)));
    assert!(projection.distance.iter().all(|distance| distance.is_finite()));
    assert_eq!(projection.edge[1], None);
    assert_eq!(projection.node[1], 3);
    assert_eq!((projection.edge[2], projection.distance[2]), (Some(0), 0.0));
}

#[test]
fn any_number_of_threads_gives_the_same_bytes() {
    let graph = square_and_long_edge();
    let values: Vec<f64> = (0..20_000).map(|i| (f64::from(i) * 0.7).sin() * 11.0).collect();
    let points = Points::from_f64(values, 2).unwrap();
    let with_threads = |n: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(n).build().unwrap();
        pool.install(|| graph.project(&points).unwrap())
    };
    let one = with_threads(1);
    assert_eq!(one, with_threads(2));
    assert_eq!(one, with_threads(3));
}

#[test]
fn weights_count() {
    let graph = square_and_long_edge();
    let points = Points::from_f64(vec![0.0, 0.5, -5.0, -1.0], 2).unwrap();
    let points = points.with_weights(vec![3.0, 1.0]).unwrap();
    let projection = graph.project(&points).unwrap();
    let mean = projection.mean_squared_distance(&points).unwrap();
    assert!((mean - (3.0 * 0.25 + 1.0) / 4.0).abs() < 1e-15);
}

#[test]
fn unusable_points_are_named() {
    let graph = square_and_long_edge();
    let error = graph.project(&Points::from_f64(vec![1.0; 3], 3).unwrap()).unwrap_err();
    assert_eq!(error.to_string(), "columns of the points: expected 2 as the nodes have, found 3");
}

#[test]
fn a_point_with_gaps_lies_where_what_is_known_of_it_says() {
    let nan = f64::NAN;
    let nodes = Matrix::from_rows(&[[0.0, 0.0], [4.0, 0.0], [4.0, 4.0], [9.0, 9.0]]).unwrap();
    let graph = PrincipalGraph::new(nodes, &[(0, 1, 1.0), (1, 2, 1.0)], vec![1.0; 4]).unwrap();
    let points = Points::from_f64(vec![1.0, nan, nan, 3.0, 8.0, nan, 1.0, 2.0], 2).unwrap();
    let projection = graph.project(&points).unwrap();
    assert_eq!(projection.edge, [Some(0), Some(1), None, Some(0)]);
    assert_eq!(projection.edge_pos, [0.25, 0.75, 0.0, 0.25]);
    assert_eq!(projection.distance, [0.0, 0.0, 1.0, 2.0]);
    assert_eq!(projection.node, [0, 2, 3, 0]);
    let empty = Points::from_f64(vec![1.0, 2.0, nan, nan], 2).unwrap();
    let message = graph.project(&empty).unwrap_err().to_string();
    assert!(message.starts_with("row 2 (id 1): every value is missing"), "{message}");
}
