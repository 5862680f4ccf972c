//! Where to start, and the settings that were left to midrib.
//!
//! The rule is scale-free. With K nodes at k-means centers, q the mean squared distance of the
//! points to the nearest one, σ = q/2, but at most the largest principal variance: from twice that
//! on, all nodes fall together in the mean. A pilot tree learnt with a weak length penalty shows the
//! noise s per transverse dimension and the length ℓ of the tree, at least that of points spread
//! evenly along their first principal axis; then λ = (2.2 s)²·K·N/ℓ²,
//! which smooths over 2.2 s: in the continuum limit of a curve of length ℓ the placement
//! averages over √(λ/(K·N))·ℓ.

use serde_json::json;

use super::fit::LIGHT_TIP;
use super::settings::SimplePpt;
use super::tree::Tree;
use crate::cloud::Cloud;
use crate::connect::Links;
use crate::error::{Error, Result};
use crate::graph::{PrincipalGraph, Projection, TipRule};
use crate::learn::choices::{Acceleration, AutoOr, NodeCount};
use crate::learn::descent::Limits;
use crate::learn::fitted::{Choice, End};
use crate::learn::lloyd::lloyd;
use crate::learn::sweep::{Pace, sweep};
use crate::learn::tuning::PilotRound;
use crate::math::Matrix;
use crate::observe::Observer;
use crate::points::Points;
use crate::prepare::{Components, Pca, landmarks, sample};

/// Nodes where their number is left open, and at most in the pilot.
const NODES: usize = 100;
/// Nodes in the pilot where a quarter of the points allows it.
const FEWEST_PILOT_NODES: usize = 40;
/// Points that the pilot looks at, at most.
const PILOT_POINTS: usize = 3_000;
/// Points per node from which the starting nodes are found, at least.
const POINTS_PER_NODE: usize = 20;
/// Rounds of k-means for the nodes of the pilot.
pub(super) const ROUNDS: usize = 10;
/// Rounds of k-means for starting nodes, which the sweeps move on.
const STARTING_ROUNDS: usize = 3;
/// Rounds of the pilot, and sweeps in each.
const PILOT_ROUNDS: usize = 2;
const PILOT_SWEEPS: usize = 15;
/// The pilot's first length penalty, times nodes and points.
const FIRST_PENALTY: f64 = 1e-4;
/// Smoothing length in units of the noise.
const SMOOTHING: f64 = 2.2;
/// Smoothing length of data without noise, as a share of the tree's length.
const LEAST_SMOOTHING: f64 = 1e-3;
/// Residuals from which the noise's number of dimensions is found, at most.
const RESIDUALS: usize = 2_000;

/// Everything that the sweeps need, in working units.
pub(in crate::learn) struct Plan {
    pub nodes: Matrix,
    pub bandwidth: f64,
    pub length_penalty: f64,
    /// Noise per transverse dimension, in the caller's units; 0 where nothing was left open.
    pub noise: f64,
    pub choices: Vec<Choice>,
    /// What the choices were made from; none where nothing was left open.
    pub(super) pilot: Option<Pilot>,
}

/// What a plan is for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(in crate::learn) enum Planned {
    Tree,
    /// To tidy its tips the noise is needed in any case.
    TidyTree,
    /// Its nodes do not start at those of the pilot: a tree leaves a gap in every loop, and
    /// bridges what is apart.
    Graph,
}

/// Finds the starting nodes and fills in what the settings leave open.
pub(in crate::learn) fn plan(
    settings: &SimplePpt,
    planned: Planned,
    cloud: &Cloud<'_>,
    start: Option<&Matrix>,
    watch: &mut dyn Observer,
) -> Result<Plan> {
    if cloud.spread() == 0.0 {
        return Err(Error::data(match cloud.len() {
            1 => "there is a single point: give at least two that differ".into(),
            n => format!("all {n} points are equal: there is nothing to learn"),
        }));
    }
    let mut choices = Vec::new();
    let count = node_count(settings, cloud, start, &mut choices)?;
    let unit = cloud.square_unit();
    let weight = cloud.points().total_weight();
    let given_penalty = match (settings.length_penalty, settings.smoothing) {
        (AutoOr::Fixed(penalty), _) => Some(penalty),
        (AutoOr::Auto, Some(smoothing)) => Some(smoothing * smoothing * count as f64 * weight),
        (AutoOr::Auto, None) => None,
    };
    let given_bandwidth = match settings.bandwidth {
        AutoOr::Fixed(bandwidth) => Some(working_bandwidth(bandwidth, unit)?),
        AutoOr::Auto => None,
    };
    let mut piloted = None;
    let (bandwidth, length_penalty, noise) = match (given_bandwidth, given_penalty) {
        (Some(bandwidth), Some(penalty)) if planned != Planned::TidyTree => {
            (bandwidth, penalty, 0.0)
        }
        _ => {
            let pilot = pilot(cloud, count, given_bandwidth, given_penalty, settings.seed, watch)?;
            if given_bandwidth.is_none() {
                choices.push(pilot.bandwidth_choice(unit));
            }
            if given_penalty.is_none() {
                choices.push(pilot.penalty_choice(count));
            }
            let penalty = given_penalty.unwrap_or(pilot.penalty_for(count));
            let found = (pilot.bandwidth, penalty, pilot.noise);
            piloted = Some(pilot);
            found
        }
    };
    let nodes = match (start, settings.n_nodes, &piloted) {
        (Some(start), ..) => working_start(start, cloud)?,
        (None, NodeCount::All, _) => all_points(cloud),
        (None, _, Some(pilot)) if pilot.nodes.n_rows() == count && planned != Planned::Graph => {
            pilot.nodes.clone()
        }
        _ => centers(cloud, count, settings.seed)?,
    };
    Ok(Plan { nodes, bandwidth, length_penalty, noise, choices, pilot: piloted })
}

fn node_count(
    settings: &SimplePpt,
    cloud: &Cloud<'_>,
    start: Option<&Matrix>,
    choices: &mut Vec<Choice>,
) -> Result<usize> {
    if let Some(start) = start {
        check_start(start, cloud.dims())?;
        let wanted = match settings.n_nodes {
            NodeCount::Auto => start.n_rows(),
            NodeCount::All => cloud.len(),
            NodeCount::Exactly(count) => count,
        };
        if wanted != start.n_rows() {
            return Err(Error::setting(
                "n_nodes",
                wanted,
                format!("the given start has {} nodes: leave n_nodes out", start.n_rows()),
            ));
        }
        return Ok(wanted);
    }
    match settings.n_nodes {
        NodeCount::All => Ok(cloud.len()),
        NodeCount::Exactly(count) if count > cloud.len() => Err(Error::setting(
            "n_nodes",
            count,
            format!("there are only {} points: give at most that many, or \"all\"", cloud.len()),
        )),
        NodeCount::Exactly(count) => Ok(count),
        NodeCount::Auto => {
            let points = cloud.points().count_up_to(3 * NODES);
            let count = NODES.min(points / 3).max(2);
            choices.push(Choice {
                setting: "n_nodes",
                value: json!(count),
                reason: if count == NODES {
                    "the default".into()
                } else {
                    format!("a third of the {points} points")
                },
            });
            Ok(count)
        }
    }
}

pub(in crate::learn) fn check_start(start: &Matrix, dims: usize) -> Result<()> {
    if start.n_cols() != dims {
        return Err(Error::shape("starting nodes", format!("{dims} columns"), start.n_cols()));
    }
    if start.n_rows() == 0 {
        return Err(Error::data("the given start has no nodes"));
    }
    match start.as_slice().iter().position(|x| !x.is_finite()) {
        Some(i) => Err(Error::data(format!(
            "starting node {}: {} is not a finite number",
            i / dims,
            start.as_slice()[i]
        ))),
        None => Ok(()),
    }
}

/// Bandwidths, weights and coordinates in working units, where the points fill the unit box, beyond
/// which squares would leave the range of numbers.
const FARTHEST: f64 = 1e60;

pub(in crate::learn) fn working_bandwidth(bandwidth: f64, unit: f64) -> Result<f64> {
    let working = bandwidth / unit;
    check_proportion("bandwidth", bandwidth, working, unit)?;
    Ok(working)
}

/// Refuses a setting that is far too large or too small in working units; `unit` is the square of
/// one of these in units of the points.
pub(in crate::learn) fn check_proportion(
    name: &str,
    given: f64,
    working: f64,
    unit: f64,
) -> Result<()> {
    if (1.0 / FARTHEST..FARTHEST).contains(&working) {
        return Ok(());
    }
    Err(Error::setting(
        name,
        format!("{given:e}"),
        format!(
            "is out of all proportion to the points, whose extent is about {:.1e}",
            unit.sqrt()
        ),
    ))
}

pub(in crate::learn) fn working_start(start: &Matrix, cloud: &Cloud<'_>) -> Result<Matrix> {
    let nodes = cloud.to_working(start.clone());
    match nodes.as_slice().iter().position(|x| x.is_nan() || x.abs() >= FARTHEST) {
        Some(i) => Err(Error::data(format!(
            "starting node {} is out of all proportion to the points",
            i / nodes.n_cols()
        ))),
        None => Ok(nodes),
    }
}

fn all_points(cloud: &Cloud<'_>) -> Matrix {
    let mut nodes = Matrix::zeros(cloud.len(), cloud.dims());
    for i in 0..cloud.len() {
        cloud.copy_row(i, nodes.row_mut(i));
    }
    nodes
}

/// `count` k-means centers, found on a sample, in the working coordinates of `cloud`.
pub(in crate::learn) fn centers(cloud: &Cloud<'_>, count: usize, seed: u64) -> Result<Matrix> {
    let small = sample(cloud, PILOT_POINTS.max(POINTS_PER_NODE * count))?;
    let small = Cloud::new(&small)?;
    let nodes = lloyd(&small, landmarks(&small, count, seed), STARTING_ROUNDS);
    Ok(cloud.to_working(small.to_data(nodes)))
}

/// What a quick tree over a sample shows.
pub(super) struct Pilot {
    /// In working units.
    nodes: Matrix,
    pub bandwidth: f64,
    /// Whether the bandwidth is the largest that keeps the nodes apart.
    is_largest: bool,
    /// Noise per transverse dimension, in the caller's units.
    pub noise: f64,
    /// Length of the tree without its light tips, in the caller's units.
    length: f64,
    weight: f64,
    pub rounds: Vec<PilotRound>,
}

impl Pilot {
    fn penalty_for(&self, count: usize) -> f64 {
        let smoothing = (SMOOTHING * self.noise / self.length).clamp(LEAST_SMOOTHING, 1.0);
        smoothing * smoothing * count as f64 * self.weight
    }

    fn bandwidth_choice(&self, unit: f64) -> Choice {
        Choice {
            setting: "bandwidth",
            value: json!(self.bandwidth * unit),
            reason: if self.is_largest {
                "the largest principal variance; beyond it the nodes fall together".into()
            } else {
                "half the mean squared distance to the nearest starting node".into()
            },
        }
    }

    fn penalty_choice(&self, count: usize) -> Choice {
        Choice {
            setting: "length_penalty",
            value: json!(self.penalty_for(count)),
            reason: format!(
                "evens out bends shorter than {:.3}, {SMOOTHING} times the scatter of the points",
                SMOOTHING * self.noise
            ),
        }
    }
}

/// One node per twelve points, so that the pilot does not mistake noise for twigs, but enough
/// to follow the shape of a small set.
pub(super) fn pilot_nodes(points: usize) -> usize {
    let fewest = FEWEST_PILOT_NODES.min(points / 4).max(2);
    (points / 12).clamp(fewest, NODES)
}

/// Learns a tree with few nodes on a sample, twice, and measures it.
fn pilot(
    cloud: &Cloud<'_>,
    count: usize,
    bandwidth: Option<f64>,
    penalty: Option<f64>,
    seed: u64,
    watch: &mut dyn Observer,
) -> Result<Pilot> {
    let few = count.min(pilot_nodes(cloud.points().count_up_to(12 * NODES)));
    let small_points = sample(cloud, PILOT_POINTS)?;
    let small = Cloud::new(&small_points)?;
    // From working units of the whole to those of the sample.
    let rescale = cloud.square_unit() / small.square_unit();
    let nodes = lloyd(&small, landmarks(&small, few, seed), ROUNDS);
    let weight = small.points().total_weight();
    let mean_square = {
        let nearest = crate::assign::nearest_nodes(&small, &nodes);
        let squares = nearest.iter().enumerate().map(|(i, n)| small.points().weight(i) * n.squared);
        squares.sum::<f64>() / weight
    };
    let floor = f64::EPSILON * small.spread() / weight;
    let scatter = (0.5 * mean_square).max(floor);
    let largest = largest_variance(&small)?;
    let is_largest = bandwidth.is_none() && scatter > largest;
    // Of points spread evenly along their first principal axis.
    let extent = (12.0 * largest * small.square_unit()).sqrt();
    let small_bandwidth = bandwidth.map_or(scatter.min(largest), |b| b * rescale);
    let first_penalty = penalty.unwrap_or(FIRST_PENALTY * nodes.n_rows() as f64 * weight);
    let mut tree = Tree { length_penalty: first_penalty, links: Links::default() };
    let (noise, length) = (0.0, 0.0);
    let (bandwidth, rounds) = (small_bandwidth / rescale, Vec::new());
    let mut seen = Pilot { nodes, bandwidth, is_largest, noise, length, weight, rounds };
    let pace = Pace {
        limits: Limits { max_iter: PILOT_SWEEPS, tol: 0.0 },
        acceleration: Acceleration::None,
    };
    for _ in 0..PILOT_ROUNDS {
        let swept = sweep(&small, seen.nodes.clone(), small_bandwidth, &mut tree, pace, watch)?;
        let graph = swept.graph(&small)?;
        let projection = graph.project(&small_points)?;
        seen.noise = self::noise(&graph, &small_points, &projection)?;
        let light = TipRule { min_share: LIGHT_TIP, ..TipRule::default() };
        let length = graph.prune_tips(&light, &small_points, &projection)?.graph.length();
        seen.length = length.max(extent);
        seen.nodes = swept.nodes;
        seen.rounds.push(PilotRound {
            bandwidth: seen.bandwidth * cloud.square_unit(),
            length_penalty: tree.length_penalty * count as f64 / seen.nodes.n_rows() as f64,
            noise: seen.noise,
            length: seen.length,
            mean_squared_distance: projection.mean_squared_distance(&small_points)?,
        });
        if penalty.is_none() {
            tree.length_penalty = seen.penalty_for(seen.nodes.n_rows());
        }
        if swept.end == End::Interrupted {
            break;
        }
    }
    seen.nodes = cloud.to_working(small.to_data(seen.nodes));
    Ok(seen)
}

/// The variance along the first principal axis, in working units.
fn largest_variance(cloud: &Cloud<'_>) -> Result<f64> {
    let pca = Pca::fit(Components::Count(1), cloud.points())?;
    let share = pca.shares.first().copied().unwrap_or(1.0);
    Ok(share * cloud.spread() / cloud.points().total_weight())
}

/// Root mean square distance from the graph, per transverse dimension.
pub(in crate::learn) fn noise(
    graph: &PrincipalGraph,
    points: &Points<'_>,
    projection: &Projection,
) -> Result<f64> {
    let mean_square = projection.mean_squared_distance(points)?;
    let dims = transverse_dims(graph, points, projection);
    Ok((mean_square / dims).sqrt())
}

/// All points with their weights, or as many rows as are looked at, evenly from near the graph to
/// far from it, so that neither order nor repetition counts.
fn spread_rows(points: &Points<'_>, projection: &Projection) -> Vec<(usize, f64)> {
    if points.count_up_to(RESIDUALS + 1) <= RESIDUALS {
        return (0..points.len()).map(|i| (i, points.weight(i).sqrt())).collect();
    }
    let mut order: Vec<usize> = (0..points.len()).filter(|&i| points.weight(i) > 0.0).collect();
    order.sort_by(|&i, &j| projection.distance[i].total_cmp(&projection.distance[j]));
    let each = points.total_weight() / RESIDUALS as f64;
    let mut rows = Vec::with_capacity(RESIDUALS);
    let mut before = 0.0;
    for i in order {
        before += points.weight(i);
        while rows.len() < RESIDUALS && (rows.len() as f64 + 0.5) * each < before {
            rows.push((i, 1.0));
        }
    }
    rows
}

/// (Σv)²/Σv² − 1 over the variances v of the residuals' principal axes, at least 1; from the
/// traces of the covariance and of its square, without its eigenvalues.
fn transverse_dims(graph: &PrincipalGraph, points: &Points<'_>, projection: &Projection) -> f64 {
    let rows = spread_rows(points, projection);
    let dims = points.dims();
    let mut residuals = Matrix::zeros(rows.len(), dims);
    for (r, &(i, root_weight)) in rows.iter().enumerate() {
        let place = projection.place(graph, i);
        let row = residuals.row_mut(r);
        points.copy_row(i, row);
        for (x, p) in row.iter_mut().zip(place) {
            *x = (*x - p) * root_weight;
        }
    }
    let largest = residuals.as_slice().iter().fold(0.0_f64, |m, x| m.max(x.abs()));
    if largest == 0.0 {
        return 1.0;
    }
    for x in residuals.as_mut_slice() {
        *x /= largest;
    }
    let r = residuals.as_faer();
    let gram = if dims <= rows.len() { r.transpose() * r } else { r * r.transpose() };
    let trace: f64 = (0..gram.nrows()).map(|i| gram[(i, i)]).sum();
    let trace_of_square = gram.squared_norm_l2();
    (trace * trace / trace_of_square - 1.0).max(1.0)
}
