//! The spanning tree as the structure of the sweeps. Mao2015, Algorithm 1.

use crate::assign::Sums;
use crate::connect::{Links, SpanningTree, linked_spanning_tree};
use crate::error::Result;
use crate::learn::sweep::Structure;
use crate::math::{Matrix, laplacian_apply, tree_solve};

/// A spanning tree that pulls its nodes together.
pub(super) struct Tree {
    /// λ.
    pub length_penalty: f64,
    pub links: Links,
}

impl Structure for Tree {
    type Edges = SpanningTree;

    /// Lines 4 to 6.
    fn connect(&mut self, nodes: &Matrix) -> Result<(SpanningTree, f64)> {
        let tree = linked_spanning_tree(nodes, &self.links)?;
        let cost = self.length_penalty * tree.squared_length;
        Ok((tree, cost))
    }

    /// Line 9, eq. (3.13).
    fn place(&self, tree: &SpanningTree, sums: &Sums, _nodes: &Matrix) -> Result<Matrix> {
        tree_solve(&tree.edges, self.length_penalty, &sums.mass, &sums.weighted)
    }

    fn apply(&self, tree: &SpanningTree, mass: &[f64], rows: &[f64]) -> Vec<f64> {
        let edges = tree.edges.iter().map(|&(a, b)| (a, b, self.length_penalty));
        laplacian_apply(&edges.collect::<Vec<_>>(), mass, rows)
    }

    fn weighted(tree: &SpanningTree) -> Vec<(usize, usize, f64)> {
        tree.edges.iter().map(|&(a, b)| (a, b, 1.0)).collect()
    }
}
