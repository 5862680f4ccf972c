//! The spanning tree as the structure of the sweeps. Mao2015, Algorithm 1.

use crate::assign::Sums;
use crate::connect::{Links, SpanningTree, linked_spanning_tree};
use crate::error::Result;
use crate::learn::sweep::Structure;
use crate::math::{Matrix, laplacian_apply, squared_distance, tree_solve};
use crate::place::place_weighted;

/// A spanning tree that pulls its nodes together.
pub(super) struct Tree {
    /// λ.
    pub length_penalty: f64,
    pub links: Links,
}

impl Tree {
    /// The edges that pull their nodes together: not those of must-links, which would draw their
    /// nodes away from the points that they stand for.
    fn pulling(&self, tree: &SpanningTree) -> Vec<(usize, usize, f64)> {
        let is_free = |edge: &&(usize, usize)| self.links.must().binary_search(edge).is_err();
        tree.edges.iter().filter(is_free).map(|&(a, b)| (a, b, 1.0)).collect()
    }
}

impl Structure for Tree {
    type Edges = SpanningTree;

    /// Lines 4 to 6.
    fn connect(&mut self, nodes: &Matrix) -> Result<(SpanningTree, f64)> {
        let tree = linked_spanning_tree(nodes, &self.links)?;
        let squared_length = if self.links.must().is_empty() {
            tree.squared_length
        } else {
            let squared = |(a, b, _)| squared_distance(nodes.row(a), nodes.row(b));
            self.pulling(&tree).into_iter().map(squared).sum()
        };
        Ok((tree, self.length_penalty * squared_length))
    }

    /// Line 9, eq. (3.13), without the edges of must-links.
    fn place(&self, tree: &SpanningTree, sums: &Sums, nodes: &Matrix) -> Result<Matrix> {
        let Sums { mass, weighted, .. } = sums;
        if self.links.must().is_empty() {
            return tree_solve(&tree.edges, self.length_penalty, mass, weighted);
        }
        place_weighted(&self.pulling(tree), self.length_penalty, mass, weighted, nodes)
    }

    fn apply(&self, tree: &SpanningTree, mass: &[f64], rows: &[f64]) -> Vec<f64> {
        let mut edges = self.pulling(tree);
        edges.iter_mut().for_each(|edge| edge.2 *= self.length_penalty);
        laplacian_apply(&edges, mass, rows)
    }

    fn weighted(tree: &SpanningTree) -> Vec<(usize, usize, f64)> {
        tree.edges.iter().map(|&(a, b)| (a, b, 1.0)).collect()
    }
}
