//! Changes of a graph's nodes and edges, whatever the points.

use crate::error::Result;
use crate::graph::PrincipalGraph;
use crate::math::Matrix;

/// A graph from positions and edges; nodes without edges are dropped.
pub(super) fn graph_of(nodes: &Matrix, edges: &[(usize, usize)]) -> Result<PrincipalGraph> {
    let mut used = vec![false; nodes.n_rows()];
    for &(a, b) in edges {
        used[a] = true;
        used[b] = true;
    }
    let kept: Vec<usize> = (0..used.len()).filter(|&node| used[node]).collect();
    let mut number = vec![usize::MAX; used.len()];
    kept.iter().enumerate().for_each(|(new, &old)| number[old] = new);
    let mut edges: Vec<(usize, usize, f64)> = edges
        .iter()
        .map(|&(a, b)| (number[a].min(number[b]), number[a].max(number[b]), 1.0))
        .filter(|(a, b, _)| a != b)
        .collect();
    edges.sort_by_key(|&(a, b, _)| (a, b));
    edges.dedup();
    let mass = vec![0.0; kept.len()];
    PrincipalGraph::new(nodes.select_rows(kept), &edges, mass)
}

/// The edges of a graph as pairs.
pub(super) fn pairs(graph: &PrincipalGraph) -> Vec<(usize, usize)> {
    graph.edges().iter().map(|edge| (edge.a, edge.b)).collect()
}

/// The graph without some edges.
pub(super) fn without(graph: &PrincipalGraph, edges: &[usize]) -> Result<PrincipalGraph> {
    let left: Vec<(usize, usize)> = pairs(graph)
        .into_iter()
        .enumerate()
        .filter(|(edge, _)| !edges.contains(edge))
        .map(|(_, pair)| pair)
        .collect();
    graph_of(graph.nodes(), &left)
}

/// The graph with one more edge.
pub(super) fn with_edge(graph: &PrincipalGraph, a: usize, b: usize) -> Result<PrincipalGraph> {
    let mut edges = pairs(graph);
    edges.push((a, b));
    graph_of(graph.nodes(), &edges)
}

/// The same lines with evenly spaced nodes, about `spacing` apart on every branch.
pub(super) fn respaced(graph: &PrincipalGraph, spacing: f64) -> Result<PrincipalGraph> {
    let dims = graph.nodes().n_cols();
    let mut rows: Vec<f64> = Vec::new();
    let mut number = vec![None; graph.nodes().n_rows()];
    let mut edges = Vec::new();
    let mut add = |row: &[f64]| {
        rows.extend_from_slice(row);
        rows.len() / dims - 1
    };
    for branch in graph.branches().iter().filter(|branch| !branch.edges.is_empty()) {
        let (first, last) = (branch.nodes[0], branch.nodes[branch.nodes.len() - 1]);
        for end in [first, last] {
            number[end].get_or_insert_with(|| add(graph.nodes().row(end)));
        }
        let line = Line::new(graph, &branch.nodes);
        let fewest = if branch.closed { 3 } else { 1 };
        let count = ((line.length() / spacing).round() as usize).max(fewest);
        let mut before = number[first];
        for step in 1..=count {
            let next = if step == count {
                number[last]
            } else {
                Some(add(&line.at(line.length() * step as f64 / count as f64)))
            };
            edges.extend(before.zip(next));
            before = next;
        }
    }
    let nodes = Matrix::new(rows.len() / dims, dims, rows)?;
    graph_of(&nodes, &edges)
}

/// A polygonal line.
struct Line<'g> {
    graph: &'g PrincipalGraph,
    nodes: &'g [usize],
    /// The length up to each node.
    reached: Vec<f64>,
}

impl<'g> Line<'g> {
    fn new(graph: &'g PrincipalGraph, nodes: &'g [usize]) -> Self {
        let mut reached = vec![0.0];
        for pair in nodes.windows(2) {
            let squared = crate::math::squared_distance(
                graph.nodes().row(pair[0]),
                graph.nodes().row(pair[1]),
            );
            reached.push(reached[reached.len() - 1] + squared.sqrt());
        }
        Self { graph, nodes, reached }
    }

    fn length(&self) -> f64 {
        self.reached[self.reached.len() - 1]
    }

    /// The position at this length along the line.
    fn at(&self, length: f64) -> Vec<f64> {
        let after = self.reached.partition_point(|&reached| reached < length);
        let after = after.clamp(1, self.reached.len() - 1);
        let (start, end) = (self.reached[after - 1], self.reached[after]);
        let share = if end > start { (length - start) / (end - start) } else { 0.0 };
        let rows = [after - 1, after].map(|at| self.graph.nodes().row(self.nodes[at]));
        rows[0].iter().zip(rows[1]).map(|(a, b)| a + share * (b - a)).collect()
    }
}

/// Contracts the branch between two branch points to one node in its middle.
pub(super) fn contracted(graph: &PrincipalGraph, branch: &[usize]) -> Result<PrincipalGraph> {
    let (a, b) = (branch[0], branch[branch.len() - 1]);
    let line = Line::new(graph, branch);
    let mut nodes = graph.nodes().clone();
    nodes.row_mut(a).copy_from_slice(&line.at(0.5 * line.length()));
    let inner = &branch[1..branch.len() - 1];
    let outside = |&(p, q): &(usize, usize)| !inner.contains(&p) && !inner.contains(&q);
    let moved = |node: usize| if node == b { a } else { node };
    let edges: Vec<(usize, usize)> = pairs(graph)
        .into_iter()
        .filter(outside)
        .map(|(p, q)| (moved(p), moved(q)))
        .filter(|(p, q)| p != q)
        .collect();
    graph_of(&nodes, &edges)
}
