//! Nets of nodes: what they are made of, and how many inner dimensions they have.

use serde::{Deserialize, Serialize};

use super::mixture::Mixture;
use super::surface::Surface;
use crate::graph::PrincipalGraph;
use crate::place::Springs;

/// A net of nodes with cells between them.
#[derive(Clone, Debug)]
pub struct NetObject {
    /// Nodes and edges in the coordinates of the points.
    pub graph: PrincipalGraph,
    /// What the net is made of.
    pub form: NetForm,
    /// What holds the nodes of an elastic net together.
    pub springs: Option<Springs>,
    /// The Gaussians around the nodes, where these are the centers of a mixture.
    pub mixture: Option<Mixture>,
}

/// What a net is made of.
#[derive(Clone, Debug)]
pub enum NetForm {
    /// Cells that points are projected onto: a sheet, a sphere, a box.
    Surface(Box<Surface>),
    /// All pairs of a node of one tree and a node of another.
    Product(TreeProduct),
    /// Nodes and edges only, as in some results of midrib 0.1.
    Edges {
        /// 1 for a chain or a ring, 2 for a sheet, 3 for a box.
        inner_dims: usize,
    },
}

impl NetObject {
    /// The number of inner dimensions: 1 for a chain or a ring, 2 for a sheet, 3 for a box.
    pub fn inner_dims(&self) -> usize {
        match &self.form {
            NetForm::Surface(surface) => surface.net().shape.dims(),
            NetForm::Product(_) => 2,
            NetForm::Edges { inner_dims } => *inner_dims,
        }
    }

    /// The cells that points are projected onto.
    pub fn surface(&self) -> Option<&Surface> {
        match &self.form {
            NetForm::Surface(surface) => Some(surface),
            NetForm::Product(_) | NetForm::Edges { .. } => None,
        }
    }
}

/// A product of two trees: node `a · n + b` of the net pairs node `a` of the first tree with node `b`
/// of the second, which has `n` nodes.
///
/// ```
/// use midrib::object::TreeProduct;
/// let product = TreeProduct([vec![(0, 1), (1, 2), (1, 3)], vec![(0, 1)]]);
/// let expected = "product of a tree of 4 nodes with 3 tips and a path of 2 nodes";
/// assert_eq!(product.description(), expected);
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct TreeProduct(
    /// The edges of each tree.
    pub [Vec<(usize, usize)>; 2],
);

impl TreeProduct {
    /// The number of nodes of each tree.
    pub fn sides(&self) -> [usize; 2] {
        self.0.each_ref().map(|edges| edges.len() + 1)
    }

    /// What it is, for a summary.
    pub fn description(&self) -> String {
        let [first, second] = self.0.each_ref().map(|edges| tree(edges));
        format!("product of {first} and {second}")
    }

    /// What it is, with the edges of both trees and the numbers of the nodes.
    pub fn note(&self) -> String {
        let with_edges = |edges: &Vec<(usize, usize)>| {
            let listed: Vec<String> = edges.iter().map(|(a, b)| format!("{a}-{b}")).collect();
            format!("{} ({})", tree(edges), listed.join(" "))
        };
        let [first, second] = self.0.each_ref().map(with_edges);
        let n = self.sides()[1];
        format!(
            "product of {first} and {second}; node {n}a + b pairs node a of the first with node b \
             of the second"
        )
    }
}

/// A tree in words.
fn tree(edges: &[(usize, usize)]) -> String {
    let n = edges.len() + 1;
    let degree = |node: usize| edges.iter().filter(|&&(a, b)| a == node || b == node).count();
    match (0..n).filter(|&node| degree(node) == 1).count() {
        0..=2 => format!("a path of {n} nodes"),
        tips => format!("a tree of {n} nodes with {tips} tips"),
    }
}
