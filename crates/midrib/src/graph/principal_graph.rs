//! A graph embedded in the data space.

use super::length::length_of;
use crate::error::{Error, Result};
use crate::math::Matrix;

/// An edge between two nodes, `a < b`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Edge {
    /// The smaller node.
    pub a: usize,
    /// The larger node.
    pub b: usize,
    /// Its weight; 1 for trees.
    pub weight: f64,
    /// The distance between its nodes.
    pub length: f64,
}

impl Edge {
    /// The node of the edge that is not `node`.
    pub(crate) fn other(&self, node: usize) -> usize {
        if node == self.a { self.b } else { self.a }
    }
}

/// Nodes in the data space, joined by straight edges. Immutable.
///
/// ```
/// use midrib::graph::PrincipalGraph;
/// use midrib::math::Matrix;
/// let nodes = Matrix::from_rows(&[[0.0, 0.0], [1.0, 0.0], [1.0, 2.0]])?;
/// let graph = PrincipalGraph::new(nodes, &[(0, 1, 1.0), (1, 2, 1.0)], vec![5.0, 3.0, 2.0])?;
/// assert_eq!(graph.length(), 3.0);
/// # Ok::<(), midrib::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct PrincipalGraph {
    nodes: Matrix,
    edges: Vec<Edge>,
    mass: Vec<f64>,
    /// For each node, its `(edge, other node)` pairs, ordered by edge.
    neighbors: Vec<Vec<(usize, usize)>>,
}

impl PrincipalGraph {
    /// A graph with `nodes`, weighted edges `(a, b, weight)` and the mass of points at each node.
    /// Edges are sorted. Self-loops, repeated edges and unknown nodes are errors.
    pub fn new(nodes: Matrix, edges: &[(usize, usize, f64)], mass: Vec<f64>) -> Result<Self> {
        let n = nodes.n_rows();
        if mass.len() != n {
            return Err(Error::shape("mass of the nodes", n, mass.len()));
        }
        let mut sorted = Vec::with_capacity(edges.len());
        for &(a, b, weight) in edges {
            let (a, b) = (a.min(b), a.max(b));
            if b >= n {
                return Err(Error::data(format!(
                    "edge {a}-{b}: there is no node {b}, the graph has {n} nodes (0 to {})",
                    n.saturating_sub(1)
                )));
            }
            if a == b {
                return Err(Error::data(format!("edge {a}-{b} joins a node to itself")));
            }
            if !weight.is_finite() {
                return Err(Error::data(format!(
                    "edge {a}-{b}: the weight {weight} is not finite"
                )));
            }
            let ends = nodes.row(a).iter().zip(nodes.row(b));
            let length = length_of(ends.map(|(a, b)| a - b));
            sorted.push(Edge { a, b, weight, length });
        }
        sorted.sort_by_key(|edge| (edge.a, edge.b));
        if let Some(pair) = sorted.windows(2).find(|w| (w[0].a, w[0].b) == (w[1].a, w[1].b)) {
            return Err(Error::data(format!("edge {}-{} is given twice", pair[0].a, pair[0].b)));
        }
        let mut neighbors = vec![Vec::new(); n];
        for (index, edge) in sorted.iter().enumerate() {
            neighbors[edge.a].push((index, edge.b));
            neighbors[edge.b].push((index, edge.a));
        }
        Ok(Self { nodes, edges: sorted, mass, neighbors })
    }

    /// The positions of the nodes, one per row.
    pub fn nodes(&self) -> &Matrix {
        &self.nodes
    }

    /// The edges, sorted by their nodes.
    pub fn edges(&self) -> &[Edge] {
        &self.edges
    }

    /// The mass of points that each node carries.
    pub fn mass(&self) -> &[f64] {
        &self.mass
    }

    /// The `(edge, other node)` pairs of a node.
    pub fn neighbors(&self, node: usize) -> &[(usize, usize)] {
        &self.neighbors[node]
    }

    /// The number of edges at a node.
    pub fn degree(&self, node: usize) -> usize {
        self.neighbors[node].len()
    }

    /// The total length of all edges.
    pub fn length(&self) -> f64 {
        self.edges.iter().fold(0.0, |sum, edge| sum + edge.length)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edges_have_a_length_at_any_scale() {
        for scale in [1e-300, 1e-154, 1.0, 1e154, 1e300] {
            let nodes = Matrix::from_rows(&[[0.0, 0.0], [3.0 * scale, 4.0 * scale]]).unwrap();
            let graph = PrincipalGraph::new(nodes, &[(0, 1, 1.0)], vec![1.0; 2]).unwrap();
            let length = graph.edges()[0].length;
            assert!((length / (5.0 * scale) - 1.0).abs() < 1e-14, "{length}");
        }
    }
}
