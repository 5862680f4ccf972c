//! A quick tree over a sample, from which smoothness and bandwidth are chosen.
//!
//! The rule is scale-free. With q the mean squared distance of the points to the nearest of K
//! k-means centers, σ = q/2, but at most the largest principal variance: from twice that on, all
//! nodes collapse to the mean. A tree learned with a weak length penalty shows the noise s per
//! transverse dimension and the length ℓ of the tree, at least that of points spread evenly along
//! their first principal axis. Then λ = (2.2 s)²·K·N/ℓ², which smooths over 2.2 s: in the continuum
//! limit of a curve of length ℓ the placement averages over √(λ/(K·N))·ℓ.

use serde_json::json;

use super::noise::noise;
use super::result::{Choice, End};
use super::tips::light_tips;
use super::tree::{Tree, TreeSweeps};
use super::tuning::PilotRound;
use crate::assign::{lloyd, nearest_nodes};
use crate::connect::Links;
use crate::error::Result;
use crate::math::Matrix;
use crate::observe::Observer;
use crate::points::Cloud;
use crate::prepare::{Components, Pca, landmarks, sample};

/// The most nodes of the pilot.
const MOST_NODES: usize = 100;
/// The fewest nodes of the pilot, where a quarter of the points allows it.
const FEWEST_NODES: usize = 40;
/// The most points that the pilot reads.
const POINTS: usize = 3_000;
/// Rounds of k-means for the nodes of the pilot.
const KMEANS_ROUNDS: usize = 10;
/// Rounds of the pilot, and sweeps in each.
const ROUNDS: usize = 2;
const SWEEPS: usize = 15;
/// The pilot's first length penalty, times nodes and points.
const FIRST_PENALTY: f64 = 1e-4;
/// Smoothing length in units of the noise.
const SMOOTHING: f64 = 2.2;
/// Smoothing length of data without noise, as a share of the tree's length.
const LEAST_SMOOTHING: f64 = 1e-3;

/// What the user gave, in working units.
#[derive(Clone, Copy)]
pub(super) struct Fixed {
    pub bandwidth: Option<f64>,
    pub length_penalty: Option<f64>,
}

/// What a quick tree over a sample shows.
pub(super) struct Pilot {
    /// In working units.
    pub nodes: Matrix,
    pub bandwidth: f64,
    /// Whether the bandwidth is the largest that keeps the nodes apart.
    is_largest: bool,
    /// Noise per transverse dimension, in the units of the points.
    pub noise: f64,
    /// Length of the tree without its light tips, in the units of the points.
    pub length: f64,
    weight: f64,
    pub rounds: Vec<PilotRound>,
}

impl Pilot {
    /// The length penalty of a fit with this many nodes.
    pub fn penalty_for(&self, count: usize) -> f64 {
        let smoothing = (SMOOTHING * self.noise / self.length).clamp(LEAST_SMOOTHING, 1.0);
        smoothing * smoothing * count as f64 * self.weight
    }

    /// The bandwidth as a choice; `unit` is the square of a working unit of length.
    pub fn bandwidth_choice(&self, unit: f64) -> Choice {
        let reason = match self.is_largest {
            true => "the largest principal variance; beyond it the nodes collapse",
            false => "half the mean squared distance to the nearest starting node",
        };
        Choice::new("bandwidth", json!(self.bandwidth * unit), reason)
    }

    /// The length penalty as a choice.
    pub fn penalty_choice(&self, count: usize) -> Choice {
        let reason = format!(
            "smooths bends shorter than {:.3}, {SMOOTHING} times the scatter of the points",
            SMOOTHING * self.noise
        );
        Choice::new("length_penalty", json!(self.penalty_for(count)), reason)
    }
}

/// k-means centers for a quick tree over a sample of a fit with `count` nodes: one per twelve
/// points, so that noise does not look like twigs, but enough to follow the shape of a small set.
pub(super) fn pilot_centers(
    small: &Cloud<'_>,
    points: usize,
    count: usize,
    seed: u64,
) -> Result<Matrix> {
    let fewest = FEWEST_NODES.min(points / 4).max(2);
    let count = count.min((points / 12).clamp(fewest, MOST_NODES));
    lloyd(small, landmarks(small, count, seed)?, KMEANS_ROUNDS)
}

/// Learns a tree with few nodes on a sample, twice, and measures it.
pub(super) fn pilot(
    cloud: &Cloud<'_>,
    count: usize,
    fixed: Fixed,
    seed: u64,
    watch: &mut dyn Observer,
) -> Result<Pilot> {
    let points = sample(cloud, POINTS)?;
    let small = Cloud::new(&points)?;
    // From working units of the whole to those of the sample.
    let rescale = cloud.square_unit() / small.square_unit();
    let nodes = pilot_centers(&small, cloud.source().count_up_to(12 * MOST_NODES)?, count, seed)?;
    let weight = points.total_weight();
    let largest = largest_variance(&small)?;
    let scatter = scatter(&small, &nodes)?;
    let is_largest = fixed.bandwidth.is_none() && scatter > largest;
    // Of points spread evenly along their first principal axis.
    let extent = (12.0 * largest * small.square_unit()).sqrt();
    let bandwidth = fixed.bandwidth.map_or(scatter.min(largest), |b| b * rescale);
    let first_penalty =
        fixed.length_penalty.unwrap_or(FIRST_PENALTY * nodes.n_rows() as f64 * weight);
    let tree = Tree { length_penalty: first_penalty, links: Links::default() };
    let mut sweeps = TreeSweeps { cloud: &small, bandwidth, tree };
    let (noise, length, rounds) = (0.0, 0.0, Vec::new());
    let bandwidth = bandwidth / rescale;
    let mut seen = Pilot { nodes, bandwidth, is_largest, noise, length, weight, rounds };
    for _ in 0..ROUNDS {
        let (state, end) = sweeps.plain(seen.nodes.clone(), SWEEPS, watch)?;
        let graph = state.graph(&small)?;
        let projection = graph.project(&points)?;
        seen.noise = self::noise(&graph, &points, &projection)?;
        seen.length =
            graph.prune_tips(&light_tips(), &points, &projection)?.graph.length().max(extent);
        seen.nodes = state.nodes;
        let n_nodes = seen.nodes.n_rows();
        seen.rounds.push(PilotRound {
            bandwidth: seen.bandwidth * cloud.square_unit(),
            length_penalty: sweeps.tree.length_penalty * count as f64 / n_nodes as f64,
            noise: seen.noise,
            length: seen.length,
            mean_squared_distance: projection.mean_squared_distance(&points)?,
        });
        if fixed.length_penalty.is_none() {
            sweeps.tree.length_penalty = seen.penalty_for(n_nodes);
        }
        if end == End::Interrupted {
            break;
        }
    }
    seen.nodes = cloud.to_working(small.to_data(seen.nodes));
    Ok(seen)
}

/// Half the mean squared distance of the points to the nearest node, in working units.
fn scatter(cloud: &Cloud<'_>, nodes: &Matrix) -> Result<f64> {
    let weight = cloud.total_weight();
    let nearest = nearest_nodes(cloud, nodes)?;
    let squares = nearest.iter().enumerate().map(|(i, n)| cloud.weight(i) * n.squared);
    let mean_square = squares.sum::<f64>() / weight;
    let floor = f64::EPSILON * cloud.spread() / weight;
    Ok((0.5 * mean_square).max(floor))
}

/// The variance along the first principal axis, in working units.
fn largest_variance(cloud: &Cloud<'_>) -> Result<f64> {
    let pca = Pca::fit(Components::Count(1), cloud.source())?;
    let share = pca.shares.first().copied().unwrap_or(1.0);
    Ok(share * cloud.spread() / cloud.total_weight())
}
