//! Soft assignment: each point is shared among the nodes by `p ∝ exp(−‖x − y‖² / bandwidth)`.

use std::ops::Range;

use rayon::prelude::*;

use super::groups::Groups;
use super::products::Gathered;
use super::strips::{Encounter, TileScratch};
use super::sums::Sums;
use super::tile::Reach;
use crate::error::Result;
use crate::math::{Matrix, soft_max_in_place};
use crate::points::{Cloud, WorkingChunk};

/// Which shares are small enough to be dropped.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Cutoff {
    /// None: every point meets every node.
    Never,
    /// Those that together change a point's cost by at most this fraction of the bandwidth.
    ///
    /// Terms with `(d² − d²_min) / bandwidth > t` are dropped, `t = ln(K / ε)`; the
    /// objective changes by at most N · bandwidth · ε.
    Relative(f64),
}

impl Cutoff {
    /// Changes the sum over all points by less than rounding does.
    pub const EXACT: Self = Self::Relative(1e-12);

    pub(super) fn exponent(self, nodes: usize) -> f64 {
        match self {
            Self::Never => f64::INFINITY,
            Self::Relative(error) => (nodes as f64 / error).ln().max(1.0),
        }
    }
}

/// About how many values the partial sums of a chunk may hold together.
const PARTIAL_VALUES: usize = 1 << 22;

/// One pass over the points: masses, weighted sums, and the cost
/// `Σ p (‖x − y‖² + bandwidth · log p)`, which for these p is `−bandwidth · Σ log Σ exp`.
///
/// Costs O(N·K·D) without a cutoff; with one, only pairs within reach of each other are visited.
/// There is no N×K array in either case.
///
/// ```
/// use midrib::assign::{Cutoff, soft_sums};
/// use midrib::{Cloud, Points, math::Matrix};
/// let points = Points::from_f64(vec![-1.0, 1.0], 1)?;
/// let cloud = Cloud::new(&points)?;
/// let nodes = Matrix::from_rows(&[[-1.0], [1.0]])?;
/// let sums = soft_sums(&cloud, &nodes, 0.01, Cutoff::EXACT)?;
/// assert_eq!(sums.mass, [1.0, 1.0]);
/// # Ok::<(), midrib::Error>(())
/// ```
pub fn soft_sums(
    cloud: &Cloud<'_>,
    nodes: &Matrix,
    bandwidth: f64,
    cutoff: Cutoff,
) -> Result<Sums> {
    let groups = Groups::new(nodes);
    let exponent = cutoff.exponent(nodes.n_rows());
    let partial = nodes.n_rows() * (nodes.n_cols() + 1);
    let lanes = (PARTIAL_VALUES / partial).clamp(4, 64);
    let mut total = Sums::zeros(nodes.n_rows(), nodes.n_cols());
    let of_chunk = |chunk: &WorkingChunk<'_>| {
        chunk_sums(chunk, lanes, || Worker::new(chunk, &groups, bandwidth, exponent))
    };
    cloud.per_chunk(of_chunk, |part| total.merge(&part))?;
    Ok(groups.restore_order(total))
}

/// The sums of a chunk's points, which do not depend on other chunks.
fn chunk_sums<'a>(
    chunk: &WorkingChunk<'_>,
    lanes: usize,
    worker: impl Fn() -> Worker<'a> + Sync,
) -> Sums {
    // Found before threads ask for it.
    chunk.order();
    let blocks: Vec<Range<usize>> = chunk.blocks();
    let lanes = lanes.min(blocks.len());
    let at = |lane: usize| lane * blocks.len() / lanes;
    let parts: Vec<Sums> = (0..lanes)
        .into_par_iter()
        .map(|lane| {
            let mut worker = worker();
            for block in &blocks[at(lane)..at(lane + 1)] {
                let mut rows = chunk.in_order(block);
                // Points without weight may lie anywhere: they would only widen their tile.
                rows.retain(|&i| chunk.weight(i as usize) > 0.0);
                worker.add(&rows);
            }
            worker.sums
        })
        .collect();
    let mut total = worker().sums;
    for part in &parts {
        total.merge(part);
    }
    total
}

/// Adds up blocks in the order of the groups.
struct Worker<'a> {
    chunk: &'a WorkingChunk<'a>,
    groups: &'a Groups,
    bandwidth: f64,
    exponent: f64,
    scratch: TileScratch,
    shares: Vec<f64>,
    gathered: Gathered,
    sums: Sums,
}

impl<'a> Worker<'a> {
    fn new(chunk: &'a WorkingChunk<'a>, groups: &'a Groups, bandwidth: f64, exponent: f64) -> Self {
        Self {
            chunk,
            groups,
            bandwidth,
            exponent,
            scratch: TileScratch::default(),
            shares: Vec::new(),
            gathered: Gathered::default(),
            sums: Sums::zeros(groups.nodes.n_rows(), chunk.dims()),
        }
    }

    fn add(&mut self, rows: &[u32]) {
        let Self { chunk, groups, bandwidth, exponent, scratch, shares, gathered, sums } = self;
        let (bandwidth, exponent) = (*bandwidth, *exponent);
        let width = chunk.dims() + 1;
        let reach = if exponent.is_finite() {
            Reach { factor: 1.0, extra: exponent * bandwidth }
        } else {
            Reach::ALL
        };
        let encounter = Encounter { chunk, groups, sharpness: 1.0 / bandwidth, reach };
        encounter.for_each_strip(rows, scratch, |strip| {
            let columns = strip.columns;
            shares.clear();
            for ((&i, x), logits) in strip
                .rows
                .iter()
                .zip(strip.points.chunks_exact(width))
                .zip(strip.logits.chunks_exact_mut(columns))
            {
                let total = soft_max_in_place(logits, exponent);
                let squared_norm: f64 = x[..width - 1].iter().map(|x| x * x).sum();
                let weight = chunk.weight(i as usize);
                sums.weight += weight;
                sums.cost += weight * (squared_norm - bandwidth * total.log_sum());
                let share = weight / total.sum;
                shares.extend(x.iter().map(|x| share * x));
            }
            gathered.add(shares, strip.logits, width);
            if strip.ends_tile {
                for (&position, added) in strip.candidates.iter().zip(gathered.rows(width)) {
                    let mass = added[width - 1];
                    sums.mass[position as usize] += mass;
                    let row = sums.weighted.row_mut(position as usize);
                    for ((to, added), center) in row.iter_mut().zip(added).zip(strip.center) {
                        *to += added + mass * center;
                    }
                }
                gathered.clear();
            }
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::points::Points;
    use proptest::prelude::*;

    /// The definition, pair by pair.
    fn brute_force(points: &Points<'_>, nodes: &Matrix, bandwidth: f64) -> Sums {
        let cloud = Cloud::new(points).unwrap();
        let mut sums = Sums::zeros(nodes.n_rows(), nodes.n_cols());
        let mut x = vec![0.0; points.dims()];
        for i in 0..points.len() {
            cloud.copy_row(i, &mut x).unwrap();
            let squared: Vec<f64> =
                nodes.rows().map(|y| crate::math::squared_distance(&x, y)).collect();
            let min = squared.iter().copied().fold(f64::INFINITY, f64::min);
            let terms: Vec<f64> = squared.iter().map(|d| ((min - d) / bandwidth).exp()).collect();
            let total: f64 = terms.iter().sum();
            let weight = points.weight(i);
            for (k, term) in terms.iter().enumerate() {
                let p = term / total;
                sums.mass[k] += weight * p;
                if p > 0.0 {
                    sums.cost += weight * p * (squared[k] + bandwidth * p.ln());
                }
                for (to, x) in sums.weighted.row_mut(k).iter_mut().zip(&x) {
                    *to += weight * p * x;
                }
            }
            sums.weight += weight;
        }
        sums
    }

    fn wave(n: usize, dims: usize, seed: f64) -> Vec<f64> {
        (0..n * dims).map(|i| (seed + 1.7 * i as f64 + (i * i % 31) as f64).sin()).collect()
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(40))]
        #[test]
        fn agrees_with_the_definition(
            n in 1_usize..700,
            k in 1_usize..90,
            dims in 1_usize..12,
            log_bandwidth in -4.0_f64..1.0,
            seed in 0.0_f64..100.0,
        ) {
            let weights: Vec<f64> = (0..n).map(|i| (i % 3) as f64 + 0.5).collect();
            let points = Points::from_f64(wave(n, dims, seed), dims).unwrap().with_weights(weights).unwrap();
            let nodes = Matrix::new(k, dims, wave(k, dims, seed + 0.3)).unwrap();
            let bandwidth = 10_f64.powf(log_bandwidth);
            let cloud = Cloud::new(&points).unwrap();
            let reference = brute_force(&points, &nodes, bandwidth);
            for cutoff in [Cutoff::Never, Cutoff::EXACT] {
                let ours = soft_sums(&cloud, &nodes, bandwidth, cutoff).unwrap();
                prop_assert!((ours.cost - reference.cost).abs() < 1e-11 * n as f64);
                prop_assert!((ours.weight - reference.weight).abs() < 1e-9);
                for (a, b) in ours.mass.iter().zip(&reference.mass) {
                    prop_assert!((a - b).abs() < 1e-10 * n as f64, "{a} {b}");
                }
                for (a, b) in ours.weighted.as_slice().iter().zip(reference.weighted.as_slice()) {
                    prop_assert!((a - b).abs() < 1e-10 * n as f64);
                }
            }
        }
    }

    #[test]
    fn a_far_outlier_goes_to_its_nearest_node() {
        let points = Points::from_f64(vec![0.0, 1.0, 1000.0], 1).unwrap();
        let cloud = Cloud::new(&points).unwrap();
        let nodes = cloud.to_working(Matrix::from_rows(&[[0.0], [1.0]]).unwrap());
        let sums = soft_sums(&cloud, &nodes, 1e-9 / cloud.square_unit(), Cutoff::EXACT).unwrap();
        assert_eq!(sums.mass, [1.0, 2.0]);
        assert!(sums.cost.is_finite());
    }
}
