//! Links between nodes so close that they count as one.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use super::loops::Forest;
use crate::error::Result;
use crate::graph::PrincipalGraph;
use crate::math::{shortest_tree, squared_distance};

/// A graph with links between close nodes.
///
/// Parallel paths along one curve may coincide and yet have few edges between them. Without links,
/// their minimum spanning forest would run along one of them and back along the other.
pub(super) struct Linked<'g> {
    pub graph: Cow<'g, PrincipalGraph>,
    /// The wanted edges of the original graph.
    pub edges: Vec<usize>,
    /// The added links.
    pub links: Vec<usize>,
}

impl<'g> Linked<'g> {
    /// Links nodes of the same tree of the forest that are at most `reach` apart. The weight of a
    /// link is the smaller of the largest weights of `edges` at its two nodes.
    pub fn new(
        graph: &'g PrincipalGraph,
        edges: &[usize],
        forest: &Forest,
        reach: f64,
    ) -> Result<Self> {
        let ends = |edge: usize| (graph.edges()[edge].a, graph.edges()[edge].b);
        let wanted: BTreeSet<_> = edges.iter().map(|&edge| ends(edge)).collect();
        let mut near = near_pairs(graph, forest, reach);
        near.retain(|pair| !wanted.contains(pair));
        if near.is_empty() {
            return Ok(Self {
                graph: Cow::Borrowed(graph),
                edges: edges.to_vec(),
                links: Vec::new(),
            });
        }
        let heaviest = heaviest(graph, edges);
        let mut weights: BTreeMap<_, _> =
            graph.edges().iter().map(|edge| ((edge.a, edge.b), edge.weight)).collect();
        weights.extend(near.iter().map(|&(a, b)| ((a, b), heaviest[a].min(heaviest[b]))));
        let all: Vec<_> = weights.into_iter().map(|((a, b), weight)| (a, b, weight)).collect();
        let linked = PrincipalGraph::new(graph.nodes().clone(), &all, graph.mass().to_vec())?;
        let among = |pairs: &BTreeSet<(usize, usize)>| {
            linked.edges_where(|edge| {
                pairs.contains(&(linked.edges()[edge].a, linked.edges()[edge].b))
            })
        };
        let (edges, links) = (among(&wanted), among(&near));
        Ok(Self { graph: Cow::Owned(linked), edges, links })
    }
}

/// The weight of the heaviest of `edges` at each node.
fn heaviest(graph: &PrincipalGraph, edges: &[usize]) -> Vec<f64> {
    let mut heaviest = vec![0.0; graph.nodes().n_rows()];
    for edge in edges.iter().map(|&edge| &graph.edges()[edge]) {
        for end in [edge.a, edge.b] {
            heaviest[end] = f64::max(heaviest[end], edge.weight);
        }
    }
    heaviest
}

/// Pairs of nodes at most `reach` apart that connect all such nodes of a tree. The Euclidean minimum
/// spanning tree is enough.
fn near_pairs(graph: &PrincipalGraph, forest: &Forest, reach: f64) -> BTreeSet<(usize, usize)> {
    let nodes = graph.nodes();
    let mut pairs = BTreeSet::new();
    if reach == 0.0 {
        return pairs;
    }
    for members in forest.trees() {
        let edges = shortest_tree(&nodes.select_rows(members.iter().copied()));
        let edges = edges.iter().map(|&(a, b)| (members[a], members[b]));
        pairs.extend(
            edges.filter(|&(a, b)| squared_distance(nodes.row(a), nodes.row(b)) <= reach * reach),
        );
    }
    pairs
}
