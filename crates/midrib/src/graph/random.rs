//! Random graphs and all-pairs distances, for tests.

use proptest::prelude::*;

use super::{PrincipalGraph, Projection};
use crate::math::Matrix;

/// A random graph in the plane with at most `nodes` nodes and `edges` edges.
pub fn random_graph(nodes: usize, edges: usize) -> impl Strategy<Value = PrincipalGraph> {
    let positions = proptest::collection::vec((-5.0..5.0_f64, -5.0..5.0_f64), 1..=nodes);
    let pairs = proptest::collection::btree_set((0..nodes, 0..nodes), 0..=edges);
    (positions, pairs).prop_map(|(positions, pairs)| {
        let n = positions.len();
        let rows: Vec<[f64; 2]> = positions.into_iter().map(|(x, y)| [x, y]).collect();
        let edges: Vec<_> =
            pairs.into_iter().filter(|&(a, b)| a < b && b < n).map(|(a, b)| (a, b, 1.0)).collect();
        PrincipalGraph::new(Matrix::from_rows(&rows).unwrap(), &edges, vec![1.0; n]).unwrap()
    })
}

/// Points projected onto a graph: on any edge, or on an isolated node.
pub fn projection_at(graph: &PrincipalGraph, seeds: &[(usize, f64)]) -> Projection {
    let n_edges = graph.edges().len();
    let isolated = (0..graph.nodes().n_rows()).filter(|&node| graph.degree(node) == 0);
    let isolated: Vec<usize> = isolated.collect();
    let mut projection =
        Projection { node: vec![], edge: vec![], edge_pos: vec![], distance: vec![] };
    for &(pick, pos) in seeds {
        let pick = pick % (n_edges + isolated.len());
        let (node, edge, pos) = match graph.edges().get(pick) {
            Some(edge) => (if pos > 0.5 { edge.b } else { edge.a }, Some(pick), pos),
            None => (isolated[pick - n_edges], None, 0.0),
        };
        projection.node.push(node);
        projection.edge.push(edge);
        projection.edge_pos.push(pos);
        projection.distance.push(0.0);
    }
    projection
}

/// All distances between nodes and projected points, by the Floyd-Warshall algorithm on the graph
/// in which the projected points are nodes too.
pub fn shortest(graph: &PrincipalGraph, points: &Projection) -> Vec<Vec<f64>> {
    let n = graph.nodes().n_rows();
    let size = n + points.node.len();
    let mut all = vec![vec![f64::INFINITY; size]; size];
    let mut join = |a: usize, b: usize, length: f64| {
        all[a][b] = all[a][b].min(length);
        all[b][a] = all[b][a].min(length);
    };
    (0..size).for_each(|i| join(i, i, 0.0));
    for (index, edge) in graph.edges().iter().enumerate() {
        let mut stops = vec![(0.0, edge.a), (1.0, edge.b)];
        let inside = (0..points.node.len()).filter(|&i| points.edge[i] == Some(index));
        stops.extend(inside.map(|i| (points.edge_pos[i], n + i)));
        stops.sort_by(|a, b| a.0.total_cmp(&b.0));
        for pair in stops.windows(2) {
            join(pair[0].1, pair[1].1, (pair[1].0 - pair[0].0) * edge.length);
        }
    }
    for i in (0..points.node.len()).filter(|&i| points.edge[i].is_none()) {
        join(n + i, points.node[i], 0.0);
    }
    for through in 0..size {
        for from in 0..size {
            for to in 0..size {
                let length = all[from][through] + all[through][to];
                all[from][to] = all[from][to].min(length);
            }
        }
    }
    all
}
