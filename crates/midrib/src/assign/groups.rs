//! Nodes in groups that lie close together, so that points can pass over most of them.

use super::sums::Sums;
use crate::math::{Matrix, SpaceTree, squared_distance};

/// Nodes per group, at most.
const GROUP: usize = 16;

/// The nodes, reordered group after group; a group is a leaf of the tree over them.
pub(super) struct Groups {
    /// The nodes in the order of the groups.
    pub nodes: Matrix,
    /// For each position its node.
    pub node_at: Vec<u32>,
    pub tree: SpaceTree,
}

impl Groups {
    pub fn new(nodes: &Matrix) -> Self {
        let tree = SpaceTree::of_points(nodes, GROUP);
        Self {
            nodes: nodes.select_rows(tree.items().iter().map(|&i| i as usize)),
            node_at: tree.items().to_vec(),
            tree,
        }
    }

    /// True if there is nothing to pass over.
    pub fn is_single(&self) -> bool {
        self.tree.cells().len() <= 1
    }

    /// The positions in group `cell`.
    pub fn positions(&self, cell: u32) -> std::ops::Range<usize> {
        self.tree.cells()[cell as usize].positions()
    }

    /// A group close to `x`: the one that a walk down the tree ends in.
    pub fn near(&self, x: &[f64]) -> u32 {
        let cells = self.tree.cells();
        let mut cell = 0;
        while !cells[cell].is_leaf() {
            let (left, right) = (cell + 1, cells[cell].right as usize);
            let squared = |cell| squared_distance(x, self.tree.center(cell));
            cell = if squared(left) <= squared(right) { left } else { right };
        }
        cell as u32
    }

    /// Appends the groups that may hold a node within the distance `radius` of `x`.
    pub fn within(&self, x: &[f64], radius: f64, found: &mut Vec<u32>) {
        self.within_cell(0, x, radius * radius, found);
    }

    fn within_cell(&self, cell: usize, x: &[f64], squared: f64, found: &mut Vec<u32>) {
        if self.tree.bound(cell, x) > squared {
            return;
        }
        let here = self.tree.cells()[cell];
        if here.is_leaf() {
            found.push(cell as u32);
        } else {
            self.within_cell(cell + 1, x, squared, found);
            self.within_cell(here.right as usize, x, squared, found);
        }
    }

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
