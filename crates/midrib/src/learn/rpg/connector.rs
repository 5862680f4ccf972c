//! The two structures of the sweeps: a spanning tree and an l1 graph.

use crate::assign::Sums;
use crate::connect::{L1Edges, L1Graph, SpanningTree};
use crate::error::Result;
use crate::learn::tree::Tree;
use crate::math::{Matrix, laplacian_apply};
use crate::place::place_weighted;

/// How nodes are connected, and how their edges hold them. The objective is divided by γ.
pub(super) trait Connector {
    type Edges;

    /// The best edges between the nodes, and their cost. Mao2017, Algorithm 1, line 6.
    fn connect(&mut self, nodes: &Matrix) -> Result<(Self::Edges, f64)>;

    /// The best nodes for these edges and this assignment; `nodes` are the current ones.
    /// Mao2017, Algorithm 1, line 7, eq. (22).
    fn place(&self, edges: &Self::Edges, sums: &Sums, nodes: &Matrix) -> Result<Matrix>;

    /// The matrix of the placement, `2/γ L + Λ`, times rows.
    fn metric(&self, edges: &Self::Edges, mass: &[f64], rows: &[f64]) -> Vec<f64>;

    /// The edges with their weights.
    fn weighted(edges: &Self::Edges) -> Vec<(usize, usize, f64)>;
}

/// Eq. (20).
impl Connector for Tree {
    type Edges = SpanningTree;

    fn connect(&mut self, nodes: &Matrix) -> Result<(SpanningTree, f64)> {
        Tree::connect(self, nodes)
    }

    fn place(&self, tree: &SpanningTree, sums: &Sums, nodes: &Matrix) -> Result<Matrix> {
        Tree::place(self, tree, sums, nodes)
    }

    fn metric(&self, tree: &SpanningTree, mass: &[f64], rows: &[f64]) -> Vec<f64> {
        Tree::metric(self, tree, mass, rows)
    }

    fn weighted(tree: &SpanningTree) -> Vec<(usize, usize, f64)> {
        tree.edges.iter().map(|&(a, b)| (a, b, 1.0)).collect()
    }
}

/// Weights up to this share of the largest are what an interior point leaves of zero.
const NEGLIGIBLE: f64 = 1e-8;

/// Eq. (19), with the dictionary of (24).
pub(super) struct L1 {
    pub graph: L1Graph,
    /// γ.
    pub data_weight: f64,
    /// The largest relative duality gap of all linear programs so far.
    pub widest_gap: f64,
}

impl L1 {
    /// The stiffness of an edge of weight 1: the paper's sum counts every edge twice.
    fn stiffness(&self) -> f64 {
        2.0 / self.data_weight
    }
}

impl Connector for L1 {
    type Edges = L1Edges;

    fn connect(&mut self, nodes: &Matrix) -> Result<(L1Edges, f64)> {
        let found = self.graph.connect(nodes)?;
        self.widest_gap = self.widest_gap.max(found.relative_gap);
        let cost = found.value / self.data_weight;
        Ok((found, cost))
    }

    fn place(&self, found: &L1Edges, sums: &Sums, nodes: &Matrix) -> Result<Matrix> {
        place_weighted(&found.edges, self.stiffness(), &sums.mass, &sums.weighted, nodes)
    }

    fn metric(&self, found: &L1Edges, mass: &[f64], rows: &[f64]) -> Vec<f64> {
        let stiffness = self.stiffness();
        let edges = found.edges.iter().map(|&(a, b, weight)| (a, b, stiffness * weight));
        laplacian_apply(&edges.collect::<Vec<_>>(), mass, rows)
    }

    fn weighted(found: &L1Edges) -> Vec<(usize, usize, f64)> {
        let largest = found.edges.iter().fold(0.0, |most: f64, edge| most.max(edge.2));
        let counts = |edge: &&(usize, usize, f64)| edge.2 > NEGLIGIBLE * largest;
        found.edges.iter().filter(counts).copied().collect()
    }
}
