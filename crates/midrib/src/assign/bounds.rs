//! Bounds on the distances of points from groups of nodes that move.

use super::sums::Sums;
use crate::math::{Matrix, SpaceTree, skinny, squared_distance};
use crate::points::WorkingChunk;

/// Nodes per group, at most, unless that makes more groups than coordinates.
const GROUP: usize = 16;
/// Points that are measured together.
const TILE: usize = 256;
/// Allowance for rounding in the bounds, which are kept in single precision.
const SLACK: f64 = 1e-6;
/// Smaller bounds are 0: single precision ends soon below.
const LEAST: f64 = 1e-30;

/// Nodes in groups that stay together while the nodes move.
pub(super) struct NodeGroups {
    nodes: Matrix,
    /// The nodes of each group, in ascending order.
    members: Vec<Vec<u32>>,
    of_node: Vec<u32>,
    /// For each group −2 y for its nodes y, coordinate by coordinate, and their squared norms.
    columns: Vec<Vec<f64>>,
}

impl NodeGroups {
    pub fn new(nodes: Matrix) -> Self {
        let size = GROUP.max(2 * nodes.n_rows().div_ceil(nodes.n_cols()));
        let tree = SpaceTree::of_points(&nodes, size);
        let leaves = tree.cells().iter().filter(|cell| cell.is_leaf());
        let mut members: Vec<Vec<u32>> =
            leaves.map(|leaf| tree.items()[leaf.positions()].to_vec()).collect();
        let mut of_node = vec![0; nodes.n_rows()];
        for (group, members) in members.iter_mut().enumerate() {
            members.sort_unstable();
            members.iter().for_each(|&node| of_node[node as usize] = group as u32);
        }
        let columns = members.iter().map(|members| columns(&nodes, members)).collect();
        Self { nodes, members, of_node, columns }
    }

    pub fn count(&self) -> usize {
        self.members.len()
    }

    pub fn nodes(&self) -> &Matrix {
        &self.nodes
    }

    pub fn into_nodes(self) -> Matrix {
        self.nodes
    }

    /// Moves the nodes; the largest distance that a node of each group moved.
    pub fn move_to(&mut self, nodes: Matrix) -> Vec<f32> {
        let moved = |node: &u32| {
            let node = *node as usize;
            squared_distance(self.nodes.row(node), nodes.row(node)).sqrt()
        };
        let farthest = |members: &Vec<u32>| members.iter().map(moved).fold(0.0, f64::max);
        let moved = self.members.iter().map(farthest).map(round_up).collect();
        self.columns = self.members.iter().map(|members| columns(&nodes, members)).collect();
        self.nodes = nodes;
        moved
    }
}

/// The columns of [`NodeGroups`].
fn columns(nodes: &Matrix, members: &[u32]) -> Vec<f64> {
    let (dims, count) = (nodes.n_cols(), members.len().next_multiple_of(skinny::LANES));
    let mut columns = vec![0.0; (dims + 1) * count];
    for (at, &node) in members.iter().enumerate() {
        let row = nodes.row(node as usize);
        row.iter().enumerate().for_each(|(d, y)| columns[d * count + at] = -2.0 * y);
        columns[dims * count + at] = row.iter().map(|y| y * y).sum();
    }
    columns
}

fn round_up(distance: f64) -> f32 {
    (distance * (1.0 + SLACK)) as f32
}

/// A lower bound on the root of `squared`.
fn root_below(squared: f64) -> f32 {
    let root = squared.max(0.0).sqrt();
    if root > LEAST { (root * (1.0 - SLACK)) as f32 } else { 0.0 }
}

/// Points with their nodes and bounds.
pub(super) struct Block {
    points: Vec<u32>,
    /// Their nodes.
    nodes: Vec<u32>,
    /// For each point and group: no node of the group is nearer, the point's own aside.
    bounds: Vec<f32>,
}

impl Block {
    /// Before anything is known about the points.
    pub fn new(points: Vec<u32>, groups: usize) -> Self {
        let n = points.len();
        Self { points, nodes: vec![u32::MAX; n], bounds: vec![0.0; n * groups] }
    }

    /// Widens the bounds by as far as each group may have moved.
    pub fn loosen(&mut self, moved: &[f32]) {
        for bounds in self.bounds.chunks_exact_mut(moved.len()) {
            for (bound, moved) in bounds.iter_mut().zip(moved) {
                *bound = (*bound - moved) * (1.0 - f32::EPSILON);
            }
        }
    }

    /// Finds the nearest nodes and adds the points to the sums; how many changed their node.
    pub fn assign(
        &mut self,
        chunk: &WorkingChunk<'_>,
        groups: &NodeGroups,
        sums: &mut Sums,
    ) -> usize {
        let count = groups.count();
        let mut tile = Tile::default();
        let mut changed = 0;
        let tiles = self.points.chunks(TILE).zip(self.nodes.chunks_mut(TILE));
        for ((points, nodes), bounds) in tiles.zip(self.bounds.chunks_mut(TILE * count)) {
            tile.gather(chunk, points, nodes, groups);
            for group in 0..count {
                tile.meet(group, groups, bounds);
            }
            changed += tile.settle(nodes);
            for (x, (&i, winner)) in tile.rows().zip(points.iter().zip(&tile.winners)) {
                let (weight, node) = (chunk.weight(i as usize), winner.node as usize);
                sums.weight += weight;
                sums.cost += weight * winner.squared;
                sums.mass[node] += weight;
                let to = sums.weighted.row_mut(node).iter_mut();
                to.zip(x).for_each(|(sum, x)| *sum += weight * x);
            }
        }
        changed
    }
}

/// The nearest node of a point so far.
#[derive(Clone, Copy)]
struct Winner {
    squared: f64,
    node: u32,
}

/// Some points, while their nodes are sought.
#[derive(Default)]
struct Tile {
    /// Each followed by a 1.
    points: Vec<f64>,
    squared_norms: Vec<f64>,
    winners: Vec<Winner>,
    width: usize,
    unsure: Vec<usize>,
    gathered: Vec<f64>,
    products: Vec<f64>,
}

impl Tile {
    fn rows(&self) -> impl Iterator<Item = &[f64]> {
        self.points.chunks_exact(self.width).map(|row| &row[..row.len() - 1])
    }

    fn row(&self, at: usize) -> &[f64] {
        &self.points[at * self.width..(at + 1) * self.width - 1]
    }

    /// Copies the points and measures how far they are from their present nodes.
    fn gather(
        &mut self,
        chunk: &WorkingChunk<'_>,
        points: &[u32],
        nodes: &[u32],
        groups: &NodeGroups,
    ) {
        self.width = chunk.dims() + 1;
        self.points.resize(points.len() * self.width, 0.0);
        self.squared_norms.clear();
        self.winners.clear();
        let rows = self.points.chunks_exact_mut(self.width);
        for (row, (&i, &node)) in rows.zip(points.iter().zip(nodes)) {
            let dims = row.len() - 1;
            chunk.copy_row(i as usize, &mut row[..dims]);
            row[dims] = 1.0;
            let x = &row[..dims];
            self.squared_norms.push(x.iter().map(|x| x * x).sum());
            let squared = match node {
                u32::MAX => f64::INFINITY,
                node => squared_distance(x, groups.nodes.row(node as usize)),
            };
            self.winners.push(Winner { squared, node });
        }
    }

    /// Measures the points that may be nearer to a node of this group than to their own.
    fn meet(&mut self, group: usize, groups: &NodeGroups, bounds: &mut [f32]) {
        let count = groups.count();
        self.unsure.clear();
        self.gathered.clear();
        for (at, winner) in self.winners.iter().enumerate() {
            let bound = f64::from(bounds[at * count + group]);
            if bound <= 0.0 || bound * bound <= winner.squared {
                self.unsure.push(at);
                let row = at * self.width..(at + 1) * self.width;
                self.gathered.extend_from_slice(&self.points[row]);
            }
        }
        if self.unsure.is_empty() {
            return;
        }
        let columns = &groups.columns[group];
        let n_columns = columns.len() / self.width;
        self.products.resize(self.unsure.len() * n_columns, 0.0);
        skinny::multiply(&self.gathered, columns, self.width, &mut self.products);
        let members = &groups.members[group];
        for (&at, products) in self.unsure.iter().zip(self.products.chunks_exact(n_columns)) {
            let (winner, least) = self.compare(at, &products[..members.len()], members, groups);
            let before = self.winners[at];
            if winner.node != before.node
                && let Some(&left) = groups.of_node.get(before.node as usize)
            {
                let bound = &mut bounds[at * count + left as usize];
                *bound = bound.min(root_below(before.squared));
            }
            self.winners[at] = winner;
            bounds[at * count + group] = root_below(least);
        }
    }

    /// The nearer of a point's winner so far and the nodes of a group, and a bound on the squared
    /// distances of the group's other nodes.
    fn compare(
        &self,
        at: usize,
        products: &[f64],
        members: &[u32],
        groups: &NodeGroups,
    ) -> (Winner, f64) {
        let norm = self.squared_norms[at];
        let error = self.width as f64 * f64::EPSILON;
        let x = self.row(at);
        let mut winner = self.winners[at];
        let mut least = f64::INFINITY;
        for (&product, &node) in products.iter().zip(members) {
            if node == winner.node {
                continue;
            }
            let about = norm + product;
            // ‖y‖² is at most 2 ‖x‖² + 2 ‖x − y‖².
            let below = about - error * (6.0 * norm + 4.0 * about.abs());
            if below > winner.squared {
                least = least.min(below);
                continue;
            }
            let squared = squared_distance(x, groups.nodes.row(node as usize));
            let wins =
                squared < winner.squared || (squared == winner.squared && node < winner.node);
            least = least.min(if wins { winner.squared } else { squared });
            if wins {
                winner = Winner { squared, node };
            }
        }
        (winner, least)
    }

    /// Writes down the nearest nodes; how many changed.
    fn settle(&self, nodes: &mut [u32]) -> usize {
        let mut changed = 0;
        for (node, winner) in nodes.iter_mut().zip(&self.winners) {
            changed += usize::from(*node != winner.node);
            *node = winner.node;
        }
        changed
    }
}
