//! The components of a graph with the points that are nearest to each.

use super::voids::distance;
use crate::assign::Rows;
use crate::connect::Topology;
use crate::math::Matrix;

/// With fewer nodes there is nothing to learn but a line,
const FEW_NODES: usize = 4;
/// with fewer points for each node no way to tell.
const POINTS_PER_NODE: usize = 3;

/// A component.
pub(super) struct Part {
    pub topology: Topology,
    pub nodes: Matrix,
    /// The points whose nearest node is one of these.
    pub rows: Rows,
    /// Their share in the weight of all.
    pub share: f64,
    /// The number of nodes that it deserves: all components together have as many as before, each
    /// by its length.
    pub count: usize,
}

/// All components. Nodes that once led from one to the other may be where they were left: each is
/// told how many it deserves.
pub(super) fn parts(topology: &Topology, nodes: &Matrix, rows: &Rows) -> Vec<Part> {
    let of_nodes = topology.components();
    let mut component = vec![0; topology.len()];
    for (number, members) in of_nodes.iter().enumerate() {
        members.iter().for_each(|&node| component[node] = number);
    }
    let mut of_rows = vec![Vec::new(); of_nodes.len()];
    for (row, x) in rows.values.rows().enumerate() {
        let squares = nodes.rows().map(|node| squared_distance_of_known(x, node));
        let nearest = squares.enumerate().min_by(|a, b| a.1.total_cmp(&b.1));
        of_rows[nearest.map_or(0, |(node, _)| component[node])].push(row);
    }
    let total: f64 = rows.weights.iter().sum();
    let part = |(members, own): (Vec<usize>, Vec<usize>)| {
        let weights: Vec<f64> = own.iter().map(|&row| rows.weights[row]).collect();
        let place = |node: usize| members.binary_search(&node).ok();
        let edges = topology.edges().filter_map(|(a, b)| Some((place(a)?, place(b)?)));
        Part {
            topology: Topology::new(members.len(), &edges.collect::<Vec<_>>()),
            share: weights.iter().sum::<f64>() / total,
            rows: Rows::new(rows.values.select_rows(own), weights, rows.radius),
            count: members.len(),
            nodes: nodes.select_rows(members),
        }
    };
    let mut parts: Vec<Part> = of_nodes.into_iter().zip(of_rows).map(part).collect();
    let large = || parts.iter().filter(|part| !part.is_small());
    let count: usize = large().map(|part| part.count).sum();
    let length: f64 = large().map(Part::length).sum();
    for part in parts.iter_mut().filter(|part| !part.is_small()) {
        let share = (count as f64 * part.length() / length).round() as usize;
        part.count = share.min(part.rows.weights.len() / POINTS_PER_NODE).max(FEW_NODES);
    }
    parts
}

impl Part {
    /// Whether it is too small to be learnt once more.
    pub fn is_small(&self) -> bool {
        let (nodes, points) = (self.topology.len(), self.rows.weights.len());
        nodes < FEW_NODES || points < POINTS_PER_NODE * nodes || self.variance() == 0.0
    }

    fn length(&self) -> f64 {
        let length = |(a, b)| distance(self.nodes.row(a), self.nodes.row(b));
        self.topology.edges().map(length).sum()
    }

    /// The variance of its points, over what is known.
    pub fn variance(&self) -> f64 {
        let Rows { values, weights, .. } = &self.rows;
        let column = |d: usize| {
            let known = || {
                let column = values.rows().map(move |row| row[d]);
                column.zip(weights).filter(|(x, _)| !x.is_nan())
            };
            let weight: f64 = known().map(|(_, w)| w).sum();
            let mean = known().map(|(x, w)| x * w).sum::<f64>() / weight;
            known().map(|(x, w)| w * (x - mean).powi(2)).sum::<f64>()
        };
        (0..values.n_cols()).map(column).sum::<f64>() / weights.iter().sum::<f64>()
    }

    /// Its two nodes that are farthest from one another.
    pub fn farthest_nodes(&self) -> Matrix {
        let n = self.nodes.n_rows();
        let pairs = (0..n).flat_map(|a| (a + 1..n).map(move |b| (a, b)));
        let apart = |&(a, b): &(usize, usize)| distance(self.nodes.row(a), self.nodes.row(b));
        let farthest = pairs.max_by(|p, q| apart(p).total_cmp(&apart(q)));
        let (a, b) = farthest.unwrap_or_default();
        self.nodes.select_rows([a, b])
    }
}

fn squared_distance_of_known(x: &[f64], node: &[f64]) -> f64 {
    let known = x.iter().zip(node).filter(|(x, _)| !x.is_nan());
    known.map(|(x, y)| (x - y).powi(2)).sum()
}
