//! The steps of a sweep over a spanning tree, for every method that learns one by soft assignment.
//! Mao2015, Algorithm 1.
#![allow(non_snake_case)]

use super::descent::{Descent, Limits};
use super::result::End;
use crate::assign::{Cutoff, Sums, soft_sums};
use crate::connect::{Links, SpanningTree, linked_spanning_tree};
use crate::error::Result;
use crate::graph::PrincipalGraph;
use crate::math::{Matrix, laplacian_apply, squared_distance, tree_solve};
use crate::observe::Observer;
use crate::place::place_weighted;
use crate::points::Cloud;

/// The e-step: assigns points to nodes, in working units. Mao2015, lines 7 and 8, eq. (3.14).
pub(super) fn estep(cloud: &Cloud<'_>, nodes: &Matrix, bandwidth: f64) -> Result<Sums> {
    soft_sums(cloud, nodes, bandwidth, Cutoff::EXACT)
}

/// A spanning tree whose squared edge lengths have a price. Connecting and placing the nodes is the
/// m-step.
pub(super) struct Tree {
    /// λ.
    pub length_penalty: f64,
    pub links: Links,
}

impl Tree {
    /// The minimum spanning tree of the nodes, and its price. Mao2015, lines 4 to 6.
    pub fn connect(&self, nodes: &Matrix) -> Result<(SpanningTree, f64)> {
        let tree = linked_spanning_tree(nodes, &self.links)?;
        let squared_length = if self.links.must().is_empty() {
            tree.squared_length
        } else {
            let squared = |(a, b, _)| squared_distance(nodes.row(a), nodes.row(b));
            self.priced(&tree).into_iter().map(squared).sum()
        };
        Ok((tree, self.length_penalty * squared_length))
    }

    /// The best nodes for a tree and an assignment; `nodes` are the current ones. Mao2015, line 9,
    /// eq. (3.13), without the edges of must-links.
    pub fn place(&self, tree: &SpanningTree, sums: &Sums, nodes: &Matrix) -> Result<Matrix> {
        let Sums { mass, weighted, .. } = sums;
        if self.links.must().is_empty() {
            return tree_solve(&tree.edges, self.length_penalty, mass, weighted);
        }
        place_weighted(&self.priced(tree), self.length_penalty, mass, weighted, nodes)
    }

    /// The matrix of the placement, `λL + Λ`, times rows.
    pub fn metric(&self, tree: &SpanningTree, mass: &[f64], rows: &[f64]) -> Vec<f64> {
        let mut edges = self.priced(tree);
        edges.iter_mut().for_each(|edge| edge.2 *= self.length_penalty);
        laplacian_apply(&edges, mass, rows)
    }

    /// The edges whose length has a price. Must-links have none: they would pull their nodes away
    /// from the points that they stand for.
    fn priced(&self, tree: &SpanningTree) -> Vec<(usize, usize, f64)> {
        let is_free = |edge: &&(usize, usize)| self.links.must().binary_search(edge).is_err();
        tree.edges.iter().filter(is_free).map(|&(a, b)| (a, b, 1.0)).collect()
    }
}

/// Nodes with the best tree and the best assignment for them, in working units.
pub(super) struct TreeState {
    pub nodes: Matrix,
    pub tree: SpanningTree,
    pub sums: Sums,
    /// The objective.
    pub J: f64,
}

impl TreeState {
    /// The tree in the coordinates of the points.
    pub fn graph(&self, cloud: &Cloud<'_>) -> Result<PrincipalGraph> {
        let nodes = cloud.to_data(self.nodes.clone());
        let edges: Vec<_> = self.tree.edges.iter().map(|&(a, b)| (a, b, 1.0)).collect();
        PrincipalGraph::new(nodes, &edges, self.sums.mass.clone())
    }
}

/// Trees over one cloud with one bandwidth.
pub(super) struct TreeSweeps<'c> {
    pub cloud: &'c Cloud<'c>,
    /// σ, in working units.
    pub bandwidth: f64,
    pub tree: Tree,
}

impl TreeSweeps<'_> {
    /// Connects the nodes and assigns the points.
    pub fn at(&self, nodes: Matrix) -> Result<TreeState> {
        let (tree, price) = self.tree.connect(&nodes)?;
        let sums = estep(self.cloud, &nodes, self.bandwidth)?;
        let J = sums.cost + price;
        Ok(TreeState { nodes, tree, sums, J })
    }

    /// A few plain sweeps, for a first look at the points.
    pub fn plain(
        &self,
        nodes: Matrix,
        sweeps: usize,
        watch: &mut dyn Observer,
    ) -> Result<(TreeState, End)> {
        let limits = Limits { max_iter: sweeps, tol: 0.0 };
        let mut here = self.at(nodes)?;
        let mut descent = Descent::new("learning the graph", here.J, self.cloud.spread(), limits);
        let mut end = descent.ask(watch);
        while end.is_none() {
            let next = self.at(self.tree.place(&here.tree, &here.sums, &here.nodes)?)?;
            end = descent.push(next.J, watch);
            if end != Some(End::Stalled) {
                here = next;
            }
        }
        Ok((here, end.unwrap_or(End::MaxIter)))
    }
}
