//! Edges of an l1 graph across voids.
//!
//! A tip is reconstructed best from nodes on both of its sides. Where its own curve does not go on,
//! these may be nodes of another curve, far behind a void.

use crate::connect::Topology;
use crate::error::Result;
use crate::graph::{PrincipalGraph, Simplify};
use crate::learn::voids::Voids;
use crate::points::Cloud;

/// The candidate pairs that are left if the graph has edges across voids: without these edges, and
/// without pairs whose nodes are connected by them alone. Pairs of `must` stay. Pairs are `a < b`,
/// in ascending order.
pub(super) fn without_bridges(
    candidates: &[(usize, usize)],
    must: &[(usize, usize)],
    graph: &PrincipalGraph,
    cloud: &Cloud<'_>,
) -> Result<Option<Vec<(usize, usize)>>> {
    let points = cloud.source();
    // Relative to the mean weight of a distinct point: repeating every row adds no evidence.
    let mean = points.total_weight() / points.count_distinct(usize::MAX)? as f64;
    let mut bridges = Vec::new();
    let mut rest = graph.clone();
    loop {
        let fresh = bridges_of(&rest, must, cloud, mean)?;
        if fresh.is_empty() {
            break;
        }
        bridges.extend(fresh);
        let left = graph.edges().iter().filter(|edge| !bridges.contains(&(edge.a, edge.b)));
        let left: Vec<_> = left.map(|edge| (edge.a, edge.b, edge.weight)).collect();
        rest = PrincipalGraph::new(graph.nodes().clone(), &left, graph.mass().to_vec())?;
    }
    if bridges.is_empty() {
        return Ok(None);
    }
    let component = rest.components().of_node;
    let stays = |pair: &&(usize, usize)| {
        must.binary_search(pair).is_ok()
            || (component[pair.0] == component[pair.1] && !bridges.contains(pair))
    };
    Ok(Some(candidates.iter().filter(stays).copied().collect()))
}

/// The edges across voids that the skeleton shows, given the mean weight of distinct points;
/// without them, others may appear.
fn bridges_of(
    graph: &PrincipalGraph,
    must: &[(usize, usize)],
    cloud: &Cloud<'_>,
    mean: f64,
) -> Result<Vec<(usize, usize)>> {
    let points = cloud.source();
    let skeleton = graph.simplify(&Simplify::default())?;
    let (kept, skeleton) = (skeleton.kept, skeleton.graph);
    let edges: Vec<(usize, usize)> = skeleton.edges().iter().map(|edge| (edge.a, edge.b)).collect();
    let topology = Topology::new(skeleton.nodes().n_rows(), &edges);
    let projection = skeleton.project(points)?;
    let projected = projection.edge.iter().zip(&projection.edge_pos).enumerate();
    let projected = projected
        .filter_map(|(i, (edge, &share))| edge.map(|edge| (edge, share, points.weight(i) / mean)));
    let nodes = cloud.to_working(skeleton.nodes().clone());
    let mut bridges = Vec::new();
    for (a, b) in Voids::of_projection(&topology, &nodes, projected).bridges() {
        // Where the skeleton has merged nodes, a path of several edges may lead across.
        let path = graph.path(kept[a], kept[b])?.map(|path| path.edges).unwrap_or_default();
        let edges = path.into_iter().map(|edge| &graph.edges()[edge]);
        let longest = edges.max_by(|p, q| p.length.total_cmp(&q.length));
        bridges.extend(longest.map(|edge| (edge.a, edge.b)));
    }
    bridges.retain(|pair| must.binary_search(pair).is_err());
    bridges.sort_unstable();
    bridges.dedup();
    Ok(bridges)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Matrix;
    use crate::points::{Cloud, Points};

    /// Two horizontal rows of ten nodes, each joined to the next; the last node of the lower row is
    /// also joined to the upper row, twice. There are twenty points per unit along the rows.
    fn two_rows() -> (PrincipalGraph, Points<'static>) {
        let mut nodes: Vec<[f64; 2]> = (0..10).map(|i| [f64::from(i), 0.0]).collect();
        nodes.extend((0..10).map(|i| [f64::from(i), 5.0]));
        let along = (0..9).flat_map(|i| [(i, i + 1, 1.0), (10 + i, 11 + i, 1.0)]);
        let edges: Vec<_> = along.chain([(9, 18, 0.2), (9, 19, 0.2)]).collect();
        let nodes = Matrix::from_rows(&nodes).unwrap();
        let points = (0..180).flat_map(|i| [0.0, 5.0].map(|y| [f64::from(i) / 20.0, y])).flatten();
        let points = Points::from_f64(points.collect::<Vec<f64>>(), 2).unwrap();
        (PrincipalGraph::new(nodes, &edges, vec![18.0; 20]).unwrap(), points)
    }

    #[test]
    fn nodes_across_a_void_are_not_candidates() {
        let (graph, points) = two_rows();
        let cloud = Cloud::new(&points).unwrap();
        let mut candidates: Vec<_> = graph.edges().iter().map(|edge| (edge.a, edge.b)).collect();
        // Not an edge, but across the void like those two.
        candidates.push((8, 18));
        candidates.sort_unstable();
        let left = without_bridges(&candidates, &[], &graph, &cloud).unwrap().unwrap();
        let along: Vec<_> =
            candidates.iter().filter(|(a, b)| (*a < 10) == (*b < 10)).copied().collect();
        assert_eq!(left, along);
    }

    #[test]
    fn repeated_points_add_no_evidence() {
        let (graph, points) = two_rows();
        let candidates: Vec<_> = graph.edges().iter().map(|edge| (edge.a, edge.b)).collect();
        // So few points that chance may have left the middle of both edges empty.
        let mut few = Vec::new();
        let mut row = [0.0; 2];
        for i in (0..points.len()).step_by(29) {
            points.copy_row(i, &mut row);
            few.extend(row);
        }
        for times in [1, 3, 20] {
            let points = Points::from_f64(few.repeat(times), 2).unwrap();
            let cloud = Cloud::new(&points).unwrap();
            let left = without_bridges(&candidates, &[], &graph, &cloud).unwrap();
            assert_eq!(left, None, "{times} times");
        }
    }

    #[test]
    fn pairs_that_must_be_joined_stay() {
        let (graph, points) = two_rows();
        let cloud = Cloud::new(&points).unwrap();
        let candidates: Vec<_> = graph.edges().iter().map(|edge| (edge.a, edge.b)).collect();
        let left = without_bridges(&candidates, &[(9, 18)], &graph, &cloud).unwrap().unwrap();
        assert!(left.contains(&(9, 18)) && !left.contains(&(9, 19)));
        let all_must = [(9, 18), (9, 19)];
        assert_eq!(without_bridges(&candidates, &all_must, &graph, &cloud).unwrap(), None);
    }
}
