//! Nodes in groups that lie close together, so that a point can pass over most of them.

use super::sums::Sums;
use crate::math::{Matrix, SpaceTree};

/// The nodes, reordered group after group, each group inside a ball.
pub(super) struct Groups {
    /// The nodes in group order.
    pub nodes: Matrix,
    /// For each position its node.
    pub node_at: Vec<u32>,
    /// First position of each group, and the number of nodes at the end.
    starts: Vec<usize>,
    pub centers: Matrix,
    pub radii: Vec<f64>,
}

impl Groups {
    pub fn new(nodes: &Matrix) -> Self {
        let size = ((nodes.n_rows() as f64).sqrt() / 2.0).ceil() as usize;
        let tree = SpaceTree::of_points(nodes, size.max(8));
        let leaves: Vec<usize> =
            (0..tree.cells().len()).filter(|&cell| tree.cells()[cell].is_leaf()).collect();
        let mut centers = Matrix::zeros(leaves.len(), nodes.n_cols());
        let mut starts = Vec::with_capacity(leaves.len() + 1);
        for (group, &cell) in leaves.iter().enumerate() {
            centers.row_mut(group).copy_from_slice(tree.center(cell));
            starts.push(tree.cells()[cell].positions().start);
        }
        starts.push(nodes.n_rows());
        Self {
            nodes: nodes.select_rows(tree.items().iter().map(|&i| i as usize)),
            node_at: tree.items().to_vec(),
            starts,
            centers,
            radii: leaves.iter().map(|&cell| tree.radius(cell)).collect(),
        }
    }

    pub fn len(&self) -> usize {
        self.radii.len()
    }

    pub fn positions(&self, group: usize) -> std::ops::Range<usize> {
        self.starts[group]..self.starts[group + 1]
    }
}

impl Groups {
    /// Sums that were added up by position, by node.
    pub fn restore_order(&self, sums: Sums) -> Sums {
        let mut restored = sums.clone();
        for (position, &node) in self.node_at.iter().enumerate() {
            restored.mass[node as usize] = sums.mass[position];
            restored.weighted.row_mut(node as usize).copy_from_slice(sums.weighted.row(position));
        }
        restored
    }
}
