//! The components of a graph, each with its nearest points.

use std::cmp::Ordering;

use crate::assign::Rows;
use crate::connect::Topology;
use crate::learn::voids::distance;
use crate::math::{Matrix, observed_squared_distance};

/// Components with fewer nodes can only be lines,
const FEW_NODES: usize = 4;
/// and with fewer points per node nothing can be learned.
const POINTS_PER_NODE: usize = 3;
/// Distances within this factor are equal.
const EQUALLY: f64 = 1.0 - 1e-9;

/// A component.
pub(super) struct Component {
    pub topology: Topology,
    pub nodes: Matrix,
    /// The points whose nearest node is one of these.
    pub rows: Rows,
    /// Their share of the total weight.
    pub share: f64,
    /// The number of nodes that it should have: the total stays the same, divided by length.
    pub count: usize,
}

/// All components of a graph.
pub(super) fn components(topology: &Topology, nodes: &Matrix, rows: &Rows) -> Vec<Component> {
    let members_of = topology.components();
    let mut of_node = vec![0; topology.len()];
    for (number, members) in members_of.iter().enumerate() {
        members.iter().for_each(|&node| of_node[node] = number);
    }
    let mut of_rows = vec![Vec::new(); members_of.len()];
    for (row, x) in rows.values.rows().enumerate() {
        let squares = nodes.rows().map(|node| observed_squared_distance(x, node));
        let nearest = squares.enumerate().min_by(|a, b| a.1.total_cmp(&b.1));
        of_rows[nearest.map_or(0, |(node, _)| of_node[node])].push(row);
    }
    let total: f64 = rows.weights.iter().sum();
    let component = |(members, own): (Vec<usize>, Vec<usize>)| {
        let weights: Vec<f64> = own.iter().map(|&row| rows.weights[row]).collect();
        let number = |node: usize| members.binary_search(&node).ok();
        let edges = topology.edges().filter_map(|(a, b)| Some((number(a)?, number(b)?)));
        Component {
            topology: Topology::new(members.len(), &edges.collect::<Vec<_>>()),
            share: weights.iter().sum::<f64>() / total,
            rows: Rows::new(rows.values.select_rows(own), weights, rows.radius),
            count: members.len(),
            nodes: nodes.select_rows(members),
        }
    };
    let mut found: Vec<Component> = members_of.into_iter().zip(of_rows).map(component).collect();
    distribute_nodes(found.iter_mut().filter(|component| !component.is_small()).collect());
    found
}

/// Distributes the nodes by length, as far as the points of each component allow. Nodes that used to
/// bridge components may still sit at the end of one of them.
fn distribute_nodes(mut parts: Vec<&mut Component>) {
    let count: usize = parts.iter().map(|part| part.topology.len()).sum();
    let length: f64 = parts.iter().map(|part| part.length()).sum();
    let wanted: Vec<f64> = parts.iter().map(|part| count as f64 * part.length() / length).collect();
    let most: Vec<usize> =
        parts.iter().map(|part| part.rows.weights.len() / POINTS_PER_NODE).collect();
    let mut shares: Vec<usize> =
        wanted.iter().zip(&most).map(|(w, &most)| (*w as usize).clamp(FEW_NODES, most)).collect();
    // One by one, to those that lack most or from those that have the most excess.
    loop {
        let total: usize = shares.iter().sum();
        let lacks = |&i: &usize| wanted[i] - shares[i] as f64;
        let by_lack = |a: &usize, b: &usize| lacks(a).total_cmp(&lacks(b));
        let all = 0..shares.len();
        match total.cmp(&count) {
            Ordering::Equal => break,
            Ordering::Less => match all.filter(|&i| shares[i] < most[i]).max_by(by_lack) {
                Some(i) => shares[i] += 1,
                None => return,
            },
            Ordering::Greater => match all.filter(|&i| shares[i] > FEW_NODES).min_by(by_lack) {
                Some(i) => shares[i] -= 1,
                None => return,
            },
        }
    }
    parts.iter_mut().zip(shares).for_each(|(part, share)| part.count = share);
}

impl Component {
    /// Whether it is too small to be learned again.
    pub fn is_small(&self) -> bool {
        let (nodes, points) = (self.topology.len(), self.rows.weights.len());
        nodes < FEW_NODES || points < POINTS_PER_NODE * nodes || self.variance() == 0.0
    }

    fn length(&self) -> f64 {
        let length = |(a, b)| distance(self.nodes.row(a), self.nodes.row(b));
        self.topology.edges().map(length).sum()
    }

    /// The variance of its points, skipping missing values.
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

    /// Its two nodes that are farthest apart.
    pub fn farthest_nodes(&self) -> Matrix {
        let n = self.nodes.n_rows();
        let pairs = (0..n).flat_map(|a| (a + 1..n).map(move |b| (a, b)));
        let apart = |&(a, b): &(usize, usize)| distance(self.nodes.row(a), self.nodes.row(b));
        let farthest = pairs.clone().map(|pair| apart(&pair)).fold(0.0, f64::max);
        // The first of equally distant pairs, whatever the rounding.
        let (a, b) =
            pairs.into_iter().find(|pair| apart(pair) >= farthest * EQUALLY).unwrap_or((0, n - 1));
        self.nodes.select_rows([a, b])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A line of twelve nodes, four nodes with long edges among few points, and a lone node without
    /// points.
    fn some_components() -> (Topology, Matrix, Rows) {
        let line = (0..12).map(|i| [f64::from(i), 0.0]);
        let long = [[0.0, 50.0], [4.0, 50.0], [8.0, 50.0], [12.0, 50.0]];
        let nodes: Vec<[f64; 2]> = line.chain(long).chain([[900.0, 900.0]]).collect();
        let edges: Vec<(usize, usize)> = (1..16).filter(|&i| i != 12).map(|i| (i - 1, i)).collect();
        let near_line = (0..100).map(|i| [11.0 * f64::from(i) / 99.0, 0.1]);
        let near_long = (0..40).map(|i| [12.0 * f64::from(i) / 39.0, 50.1]);
        let points: Vec<[f64; 2]> = near_line.chain(near_long).collect();
        let weights = (0..140).map(|i| if i < 100 { 1.0 } else { 5.0 }).collect();
        let rows = Rows::new(Matrix::from_rows(&points).unwrap(), weights, f64::INFINITY);
        (Topology::new(17, &edges), Matrix::from_rows(&nodes).unwrap(), rows)
    }

    #[test]
    fn nodes_are_distributed_by_length_and_none_is_lost() {
        let (topology, nodes, rows) = some_components();
        let parts = components(&topology, &nodes, &rows);
        let sizes: Vec<usize> = parts.iter().map(|part| part.topology.len()).collect();
        let points: Vec<usize> = parts.iter().map(|part| part.rows.weights.len()).collect();
        let counts: Vec<usize> = parts.iter().map(|part| part.count).collect();
        assert_eq!((sizes, points), (vec![12, 4, 1], vec![100, 40, 0]));
        assert_eq!(counts, [8, 8, 1]);
        assert_eq!(parts[0].share, 100.0 / 300.0);
        assert_eq!(parts[1].farthest_nodes().as_slice(), [0.0, 50.0, 12.0, 50.0]);
        assert!(parts[2].is_small());
        let variance = parts[1].variance();
        let expected = (0..40).map(|i| (12.0 * (f64::from(i) / 39.0 - 0.5)).powi(2)).sum::<f64>();
        assert!((variance - expected / 40.0).abs() < 1e-9, "{variance}");
    }

    #[test]
    fn few_points_have_few_nodes() {
        let (topology, nodes, mut rows) = some_components();
        rows =
            Rows::new(rows.values.select_rows(0..115), rows.weights[..115].to_vec(), f64::INFINITY);
        let counts: Vec<usize> =
            components(&topology, &nodes, &rows).iter().map(|part| part.count).collect();
        assert_eq!(counts, [11, 5, 1]);
    }

    #[test]
    fn missing_values_add_no_distance() {
        let (topology, nodes, mut rows) = some_components();
        rows.values.row_mut(0)[0] = f64::NAN;
        let rows = Rows::new(rows.values, rows.weights, f64::INFINITY);
        let parts = components(&topology, &nodes, &rows);
        assert_eq!(parts[0].rows.weights.len(), 100);
        assert!(parts[0].variance().is_finite());
    }
}
