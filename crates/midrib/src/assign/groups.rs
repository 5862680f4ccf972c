//! Nodes in groups of neighbors, so that points can skip most of them.

use super::sums::Sums;
use crate::math::{Matrix, SpaceTree, squared_distance};

/// Nodes per group, at most.
const GROUP: usize = 16;

/// The nodes, reordered group after group.
///
/// A group is a leaf of a space tree and lies inside a [`Capsule`]: nodes follow curves, so
/// that consecutive nodes fit into a capsule much better than into a ball.
pub(super) struct Groups {
    /// The nodes in the order of the groups.
    pub nodes: Matrix,
    /// For each position its node.
    pub node_at: Vec<u32>,
    pub capsules: Vec<Capsule>,
    tree: SpaceTree,
    /// For each leaf of the tree its group.
    group_of_cell: Vec<u32>,
}

/// All positions within `girth` of the segment from `center + low · axis` to `center + high · axis`.
pub(super) struct Capsule {
    pub positions: std::ops::Range<usize>,
    pub center: Vec<f64>,
    /// Of length 1.
    pub axis: Vec<f64>,
    pub low: f64,
    pub high: f64,
    pub girth: f64,
}

impl Groups {
    pub fn new(nodes: &Matrix) -> Self {
        let tree = SpaceTree::of_points(nodes, GROUP);
        let nodes = nodes.select_rows(tree.items().iter().map(|&i| i as usize));
        let mut capsules = Vec::new();
        let mut group_of_cell = vec![u32::MAX; tree.cells().len()];
        for (cell, group) in group_of_cell.iter_mut().enumerate() {
            if tree.cells()[cell].is_leaf() {
                *group = capsules.len() as u32;
                capsules.push(Capsule::around(&nodes, tree.cells()[cell].positions()));
            }
        }
        Self { nodes, node_at: tree.items().to_vec(), capsules, tree, group_of_cell }
    }

    /// Some node close to `x`: the first of the group that a walk down the tree ends in.
    pub fn near(&self, x: &[f64]) -> &[f64] {
        let cells = self.tree.cells();
        let mut cell = 0;
        while !cells[cell].is_leaf() {
            let (left, right) = (cell + 1, cells[cell].right as usize);
            let squared = |cell| squared_distance(x, self.tree.center(cell));
            cell = if squared(left) <= squared(right) { left } else { right };
        }
        self.nodes.row(cells[cell].positions().start)
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
            found.push(self.group_of_cell[cell]);
        } else {
            self.within_cell(cell + 1, x, squared, found);
            self.within_cell(here.right as usize, x, squared, found);
        }
    }

    /// Reorders sums by position into sums by node.
    pub fn restore_order(&self, sums: Sums) -> Sums {
        let mut restored = sums.clone();
        for (position, &node) in self.node_at.iter().enumerate() {
            restored.mass[node as usize] = sums.mass[position];
            restored.weighted.row_mut(node as usize).copy_from_slice(sums.weighted.row(position));
        }
        restored
    }
}

impl Capsule {
    /// Along the line from a node far out to the node farthest from it.
    fn around(nodes: &Matrix, positions: std::ops::Range<usize>) -> Self {
        let farthest = |from: &[f64]| {
            let squared = |p: &usize| squared_distance(from, nodes.row(*p));
            let far = positions.clone().max_by(|p, q| squared(p).total_cmp(&squared(q)));
            nodes.row(far.unwrap_or(positions.start))
        };
        let start = farthest(nodes.row(positions.start));
        let end = farthest(start);
        let center: Vec<f64> = start.iter().zip(end).map(|(a, b)| 0.5 * (a + b)).collect();
        let length = squared_distance(start, end).sqrt();
        let axis: Vec<f64> = match length {
            0.0 => vec![0.0; center.len()],
            _ => start.iter().zip(end).map(|(a, b)| (b - a) / length).collect(),
        };
        let mut capsule = Self { positions, center, axis, low: 0.0, high: 0.0, girth: 0.0 };
        for position in capsule.positions.clone() {
            let node = nodes.row(position);
            let along = capsule.along(node);
            let on_axis = capsule.center.iter().zip(&capsule.axis).map(|(c, a)| c + along * a);
            let aside: f64 = node.iter().zip(on_axis).map(|(y, p)| (y - p) * (y - p)).sum();
            capsule.low = capsule.low.min(along);
            capsule.high = capsule.high.max(along);
            capsule.girth = capsule.girth.max(aside.sqrt());
        }
        capsule
    }

    /// Where `x` lies along the axis.
    fn along(&self, x: &[f64]) -> f64 {
        x.iter().zip(&self.center).zip(&self.axis).map(|((x, c), a)| (x - c) * a).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn capsules_hold_their_nodes(
            dims in 1_usize..6,
            values in proptest::collection::vec(-3_i32..4, 6..300),
        ) {
            let n = values.len() / dims;
            let values = values[..n * dims].iter().map(|&v| f64::from(v)).collect();
            let groups = Groups::new(&Matrix::new(n, dims, values).unwrap());
            let mut next = 0;
            for capsule in &groups.capsules {
                prop_assert_eq!(capsule.positions.start, next);
                next = capsule.positions.end;
                for position in capsule.positions.clone() {
                    let node = groups.nodes.row(position);
                    let along = capsule.along(node).clamp(capsule.low, capsule.high);
                    let on_axis: Vec<f64> =
                        capsule.center.iter().zip(&capsule.axis).map(|(c, a)| c + along * a).collect();
                    prop_assert!(squared_distance(node, &on_axis).sqrt() <= capsule.girth + 1e-12);
                }
            }
            prop_assert_eq!(next, n);
        }
    }
}
