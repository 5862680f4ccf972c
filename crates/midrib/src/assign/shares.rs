//! Soft and hard assignments that are kept: for each point the few nodes that matter to it.

use rayon::prelude::*;

use super::groups::Groups;
use super::hard::nearest_nodes;
use super::soft::Cutoff;
use super::tiles::{Reach, TileScratch, for_each_strip};
use crate::cloud::Cloud;
use crate::error::{Error, Result};
use crate::math::{Matrix, SparseRows, soft_max_in_place};

/// Shares that are kept at most, twice: a little more than a gigabyte.
const MOST: usize = 50_000_000;

/// The sparse N×K matrix of shares, by points and, times the weights of the points, by nodes.
pub(crate) struct Shares {
    by_point: SparseRows,
    by_node: SparseRows,
    weights: Vec<f64>,
}

impl Shares {
    /// `p ∝ exp(−‖x − y‖² / bandwidth)`, but for terms that the cutoff leaves out.
    pub fn soft(
        cloud: &Cloud<'_>,
        nodes: &Matrix,
        bandwidth: f64,
        cutoff: Cutoff,
        weights: &[f64],
    ) -> Result<Self> {
        let groups = Groups::new(nodes);
        let exponent = cutoff.exponent(nodes.n_rows());
        let order = cloud.by_place();
        let most_of_block = MOST / cloud.points().n_blocks();
        let blocks: Vec<Option<SparseRows>> = cloud.per_block(|rows| {
            let shares = soft_rows(cloud, &order[rows], &groups, bandwidth, exponent);
            (shares.values.len() <= most_of_block.max(MOST / 8)).then_some(shares)
        });
        let blocks: Option<Vec<SparseRows>> = blocks.into_iter().collect();
        let blocks = blocks.filter(|b| b.iter().map(|b| b.values.len()).sum::<usize>() <= MOST);
        let Some(blocks) = blocks else {
            return Err(Error::Numerical(format!(
                "{} points are shared among too many of the {} nodes to keep that in memory: \
                 take fewer nodes, or a smaller bandwidth",
                cloud.len(),
                nodes.n_rows()
            )));
        };
        Ok(Self::new(SparseRows::reordered(&blocks, order), nodes.n_rows(), weights))
    }

    /// All of a point to its nearest node.
    pub fn hard(cloud: &Cloud<'_>, nodes: &Matrix, weights: &[f64]) -> Self {
        let nearest = nearest_nodes(cloud, nodes);
        let by_point = SparseRows {
            starts: (0..=nearest.len()).collect(),
            columns: nearest.iter().map(|nearest| nearest.node).collect(),
            values: vec![1.0; nearest.len()],
        };
        Self::new(by_point, nodes.n_rows(), weights)
    }

    fn new(by_point: SparseRows, n_nodes: usize, weights: &[f64]) -> Self {
        let by_node = by_point.transposed(n_nodes, weights);
        Self { by_point, by_node, weights: weights.to_vec() }
    }

    /// The nodes of point `i` and its share in each.
    pub fn of_point(&self, i: usize) -> impl Iterator<Item = (usize, f64)> {
        self.by_point.row(i)
    }

    /// The weight that each node carries (K).
    pub fn mass(&self) -> Vec<f64> {
        let sum = |node| self.by_node.row(node).map(|(_, share)| share).sum();
        (0..self.by_node.len()).map(sum).collect()
    }

    /// For each point the mean of its nodes' rows (N×m).
    pub fn means(&self, of_nodes: &Matrix) -> Matrix {
        self.by_point.multiply(of_nodes)
    }

    /// For each node the weighted sum of its points' rows (K×m).
    pub fn sums(&self, of_points: &Matrix) -> Matrix {
        self.by_node.multiply(of_points)
    }

    /// For each node the weighted sum of the means of its points (K×m): `sums(means(of_nodes))`.
    pub fn sums_of_means(&self, of_nodes: &Matrix) -> Matrix {
        self.by_point.square_times(&self.weights, of_nodes)
    }

    /// The weight that two nodes share, for all pairs (K×K): only for few nodes.
    pub fn overlaps(&self) -> Matrix {
        let k = self.by_node.len();
        let mut overlaps = Matrix::zeros(k, k);
        overlaps.as_mut_slice().par_chunks_mut(k).enumerate().for_each(|(node, row)| {
            for (point, weight) in self.by_node.row(node) {
                for (other, share) in self.by_point.row(point) {
                    row[other] += weight * share;
                }
            }
        });
        overlaps
    }
}

/// The shares of the points `rows`, in their order.
fn soft_rows(
    cloud: &Cloud<'_>,
    rows: &[u32],
    groups: &Groups,
    bandwidth: f64,
    exponent: f64,
) -> SparseRows {
    let reach = Reach { factor: 1.0, extra: exponent * bandwidth };
    let mut shares = SparseRows { starts: vec![0], columns: Vec::new(), values: Vec::new() };
    let mut scratch = TileScratch::default();
    for_each_strip(cloud, rows, groups, 1.0 / bandwidth, reach, &mut scratch, |strip| {
        for logits in strip.logits.chunks_exact_mut(strip.columns) {
            let total = soft_max_in_place(logits, exponent);
            for (&position, &term) in strip.candidates.iter().zip(&*logits) {
                if term > 0.0 {
                    shares.columns.push(groups.node_at[position as usize]);
                    shares.values.push(term / total.sum);
                }
            }
            shares.starts.push(shares.columns.len());
        }
    });
    shares
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::assign::soft_sums;
    use crate::points::Points;

    #[test]
    fn kept_shares_add_up_to_the_streamed_sums() {
        let wave = |n: usize| (0..2 * n).map(|i| (1.7 * i as f64 + (i * i % 31) as f64).sin());
        let weights: Vec<f64> = (0..600).map(|i| (i % 3) as f64 + 0.5).collect();
        let points = Points::from_f64(wave(600).collect::<Vec<_>>(), 2).unwrap();
        let points = points.with_weights(weights.clone()).unwrap();
        let cloud = Cloud::new(&points).unwrap();
        let nodes = Matrix::new(90, 2, wave(90).collect()).unwrap();
        let mut rows = Matrix::zeros(600, 2);
        for i in 0..600 {
            cloud.copy_row(i, rows.row_mut(i));
        }
        let shares = Shares::soft(&cloud, &nodes, 0.01, Cutoff::EXACT, &weights).unwrap();
        let sums = soft_sums(&cloud, &nodes, 0.01, Cutoff::EXACT);
        let near = |a: &[f64], b: &[f64]| a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-10);
        assert!(near(&shares.mass(), &sums.mass));
        assert!(near(shares.sums(&rows).as_slice(), sums.weighted.as_slice()));
        let through = shares.sums_of_means(&nodes);
        let overlaps = shares.overlaps();
        let direct = overlaps.as_faer() * nodes.as_faer();
        for (node, row) in through.rows().enumerate() {
            assert!((row[0] - direct[(node, 0)]).abs() < 1e-10);
        }
    }
}
