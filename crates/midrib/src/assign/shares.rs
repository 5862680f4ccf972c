//! Soft and hard assignments that are kept: for each point the few nodes that matter to it.

use std::sync::atomic::{AtomicUsize, Ordering};

use rayon::prelude::*;

use super::groups::Groups;
use super::hard::nearest_nodes;
use super::soft::Cutoff;
use super::strips::{Encounter, TileScratch};
use super::tile::Reach;
use crate::error::{Error, Result};
use crate::math::{Matrix, SparseRows, dot, soft_max_in_place, squared_distance};
use crate::points::{Cloud, WorkingChunk};

/// The most shares that are kept, for a moment twice: a little more than a gigabyte.
const MOST: usize = 50_000_000;
/// Points per task.
const POINTS: usize = 256;

/// The sparse N×K matrix of shares. Points and nodes are in spatial order, so that the nodes of
/// points that follow each other are close together in memory.
pub(crate) struct Shares {
    ordered: SparseRows,
    /// The point of each row.
    points: Vec<u32>,
    /// The node of each column.
    nodes: Vec<u32>,
    /// The weight of each row's point.
    weights: Vec<f64>,
    /// The weighted sum of share · ln share.
    entropy: f64,
}

impl Shares {
    /// `p ∝ exp(−‖x − y‖² / bandwidth)`, except for terms that the cutoff drops.
    pub fn soft(
        cloud: &Cloud<'_>,
        nodes: &Matrix,
        bandwidth: f64,
        cutoff: Cutoff,
        weights: &[f64],
    ) -> Result<Self> {
        let groups = Groups::new(nodes);
        let exponent = cutoff.exponent(nodes.n_rows());
        let reach = Reach { factor: 1.0, extra: exponent * bandwidth };
        let kept = AtomicUsize::new(0);
        let mut blocks = Vec::new();
        let of_chunk = |chunk: &WorkingChunk<'_>| {
            chunk.order();
            let sharpness = 1.0 / bandwidth;
            let encounter = Encounter { chunk, groups: &groups, sharpness, reach };
            chunk.per_block(|rows| soft_rows(&encounter, &chunk.in_order(&rows), exponent, &kept))
        };
        cloud.per_chunk(of_chunk, |of_chunk| blocks.extend(of_chunk))?;
        if kept.into_inner() > MOST {
            return Err(Error::Numerical(format!(
                "{} points are shared among too many of the {} nodes to keep that in memory: \
                 take fewer nodes, or a smaller bandwidth",
                cloud.len(),
                nodes.n_rows()
            )));
        }
        let entropies: Vec<f64> =
            blocks.iter().flat_map(|block| &block.entropies).copied().collect();
        let ordered = joined(blocks, nodes.n_rows());
        let order = cloud.spatial_order()?;
        let mut shares = Self::new(ordered, order, groups.node_at, weights);
        shares.entropy = dot(&shares.weights, &entropies);
        Ok(shares)
    }

    /// All of a point to its nearest node.
    pub fn hard(cloud: &Cloud<'_>, nodes: &Matrix, weights: &[f64]) -> Result<Self> {
        let nearest = nearest_nodes(cloud, nodes)?;
        let n = nearest.len();
        let columns = nearest.iter().map(|nearest| nearest.node).collect();
        let rows = SparseRows::new((0..=n).collect(), columns, vec![1.0; n], nodes.n_rows());
        let (points, nodes) = ((0..n as u32).collect(), (0..nodes.n_rows() as u32).collect());
        Ok(Self::new(rows, points, nodes, weights))
    }

    /// The entropy is that of undivided points: 0.
    fn new(ordered: SparseRows, points: Vec<u32>, nodes: Vec<u32>, weights: &[f64]) -> Self {
        let weights = points.iter().map(|&point| weights[point as usize]).collect();
        Self { ordered, points, nodes, weights, entropy: 0.0 }
    }

    /// The weighted sum of share · ln share.
    pub fn entropy(&self) -> f64 {
        self.entropy
    }

    /// The weighted sum of share · squared distance, for rows of points and of nodes.
    pub fn squared_distances(&self, of_points: &Matrix, of_nodes: &Matrix) -> f64 {
        let of_nodes = gathered(of_nodes, &self.nodes);
        match of_nodes.n_cols() {
            2 => self.squared_distances_in::<2>(of_points, &of_nodes),
            3 => self.squared_distances_in::<3>(of_points, &of_nodes),
            _ => self.squared_distances_in::<0>(of_points, &of_nodes),
        }
    }

    /// The same in `D` dimensions, or any number if that is 0; the nodes are in the order of the
    /// columns.
    fn squared_distances_in<const D: usize>(&self, of_points: &Matrix, of_nodes: &Matrix) -> f64 {
        let n_points = self.points.len();
        let of_row = |row: usize| {
            let point = of_points.row_of::<D>(self.points[row] as usize);
            let shares = self.ordered.row(row);
            let squares = shares.map(|(column, share)| {
                share * squared_distance(point, of_nodes.row_of::<D>(column))
            });
            self.weights[row] * squares.sum::<f64>()
        };
        let of_chunk = |chunk: usize| {
            let rows = chunk * POINTS..((chunk + 1) * POINTS).min(n_points);
            rows.map(of_row).sum::<f64>()
        };
        let chunks: Vec<f64> =
            (0..n_points.div_ceil(POINTS)).into_par_iter().map(of_chunk).collect();
        chunks.iter().sum()
    }

    /// The shares, one row per point, its nodes in ascending order.
    pub fn by_point(&self) -> SparseRows {
        let n_points = self.points.len();
        let mut row_of = vec![0; n_points];
        for (row, &point) in self.points.iter().enumerate() {
            row_of[point as usize] = row;
        }
        let (mut starts, mut nodes, mut values) = (vec![0], Vec::new(), Vec::new());
        let mut shares: Vec<(u32, f64)> = Vec::new();
        for &row in &row_of {
            shares.clear();
            shares.extend(self.ordered.row(row).map(|(column, p)| (self.nodes[column], p)));
            shares.sort_unstable_by_key(|&(node, _)| node);
            nodes.extend(shares.iter().map(|&(node, _)| node));
            values.extend(shares.iter().map(|&(_, share)| share));
            starts.push(values.len());
        }
        SparseRows::new(starts, nodes, values, self.nodes.len())
    }

    /// Point, node and share, for all shares.
    #[cfg(test)]
    pub fn iter(&self) -> impl Iterator<Item = (usize, usize, f64)> {
        self.points.iter().enumerate().flat_map(move |(row, &point)| {
            let of_row = self.ordered.row(row);
            of_row.map(move |(column, share)| (point as usize, self.nodes[column] as usize, share))
        })
    }

    /// The weight that each node carries (K).
    pub fn mass(&self) -> Vec<f64> {
        let mut mass = vec![0.0; self.nodes.len()];
        for (sum, &node) in self.ordered.column_sums(&self.weights).iter().zip(&self.nodes) {
            mass[node as usize] = *sum;
        }
        mass
    }

    /// For each point the mean of its nodes' rows (N×m).
    pub fn means(&self, of_nodes: &Matrix) -> Matrix {
        scattered(&self.ordered.multiply(&gathered(of_nodes, &self.nodes)), &self.points)
    }

    /// For each node the weighted sum of its points' rows (K×m).
    pub fn sums(&self, of_points: &Matrix) -> Matrix {
        let of_points = gathered(of_points, &self.points);
        scattered(&self.ordered.transposed_times(&self.weights, &of_points), &self.nodes)
    }

    /// For each node the weighted sum of the means of its points (K×m): `sums(means(of_nodes))`.
    pub fn sums_of_means(&self, of_nodes: &Matrix) -> Matrix {
        let of_nodes = gathered(of_nodes, &self.nodes);
        scattered(&self.ordered.square_times(&self.weights, &of_nodes), &self.nodes)
    }

    /// The weight that two nodes share, for all pairs (K×K): only for few nodes.
    pub fn overlaps(&self) -> Matrix {
        let ordered = self.ordered.square(&self.weights);
        let mut overlaps = Matrix::zeros(ordered.n_rows(), ordered.n_cols());
        for (row, &node) in ordered.rows().zip(&self.nodes) {
            let to = overlaps.row_mut(node as usize);
            row.iter().zip(&self.nodes).for_each(|(x, &other)| to[other as usize] = *x);
        }
        overlaps
    }
}

/// Row `order[i]` as row i.
fn gathered(rows: &Matrix, order: &[u32]) -> Matrix {
    rows.select_rows(order.iter().map(|&i| i as usize))
}

/// Row i as row `order[i]`.
fn scattered(rows: &Matrix, order: &[u32]) -> Matrix {
    let mut scattered = Matrix::zeros(rows.n_rows(), rows.n_cols());
    for (row, &to) in rows.rows().zip(order) {
        scattered.row_mut(to as usize).copy_from_slice(row);
    }
    scattered
}

/// The shares of some points.
struct Block {
    /// For each point how many,
    counts: Vec<usize>,
    /// and their sum of share · ln share.
    entropies: Vec<f64>,
    columns: Vec<u32>,
    values: Vec<f64>,
}

/// The shares of the points `rows`, in their order, by the nodes' positions in the groups; counted
/// in `kept`, and dropped once all blocks together have too many.
fn soft_rows(encounter: &Encounter<'_>, rows: &[u32], exponent: f64, kept: &AtomicUsize) -> Block {
    let mut block = Block {
        counts: Vec::new(),
        entropies: Vec::new(),
        columns: Vec::new(),
        values: Vec::new(),
    };
    let mut scratch = TileScratch::default();
    let mut exponents = Vec::new();
    encounter.for_each_strip(rows, &mut scratch, |strip| {
        if kept.load(Ordering::Relaxed) > MOST {
            return;
        }
        let before_strip = block.values.len();
        for logits in strip.logits.chunks_exact_mut(strip.columns) {
            exponents.clear();
            exponents.extend_from_slice(logits);
            let all = soft_max_in_place(logits, exponent);
            let over = 1.0 / all.sum;
            // The logarithm of a share is its logit minus that of the sum of all: one per row.
            block.entropies.push(over * dot(logits, &exponents) - all.log_sum());
            let before = block.columns.len();
            for (&position, &term) in strip.candidates.iter().zip(&*logits) {
                if term > 0.0 {
                    block.columns.push(position);
                    block.values.push(over * term);
                }
            }
            block.counts.push(block.columns.len() - before);
        }
        kept.fetch_add(block.values.len() - before_strip, Ordering::Relaxed);
    });
    block
}

/// The rows of all blocks.
fn joined(blocks: Vec<Block>, n_columns: usize) -> SparseRows {
    let total = blocks.iter().map(|block| block.values.len()).sum();
    let (mut columns, mut values) = (Vec::with_capacity(total), Vec::with_capacity(total));
    let mut starts = vec![0];
    let mut end = 0;
    for block in blocks {
        columns.extend_from_slice(&block.columns);
        values.extend_from_slice(&block.values);
        starts.extend(block.counts.iter().map(|count| {
            end += count;
            end
        }));
    }
    SparseRows::new(starts, columns, values, n_columns)
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
            cloud.copy_row(i, rows.row_mut(i)).unwrap();
        }
        let shares = Shares::soft(&cloud, &nodes, 0.01, Cutoff::EXACT, &weights).unwrap();
        let sums = soft_sums(&cloud, &nodes, 0.01, Cutoff::EXACT).unwrap();
        let near = |a: &[f64], b: &[f64]| a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-10);
        assert!(near(&shares.mass(), &sums.mass));
        let squares = |(i, k, p): (usize, usize, f64)| {
            weights[i] * p * squared_distance(rows.row(i), nodes.row(k))
        };
        let expected: f64 = shares.iter().map(squares).sum();
        assert!((shares.squared_distances(&rows, &nodes) / expected - 1.0).abs() < 1e-12);
        let expected: f64 = shares.iter().map(|(i, _, p)| weights[i] * p * p.ln()).sum();
        assert!((shares.entropy() / expected - 1.0).abs() < 1e-12);
        assert!(near(shares.sums(&rows).as_slice(), sums.weighted.as_slice()));
        let through = shares.sums_of_means(&nodes);
        let overlaps = shares.overlaps();
        let direct = overlaps.as_faer() * nodes.as_faer();
        for (node, row) in through.rows().enumerate() {
            assert!((row[0] - direct[(node, 0)]).abs() < 1e-10);
        }
    }
}
