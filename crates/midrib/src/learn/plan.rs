//! Starting nodes and open settings of methods that learn a graph by soft assignment.

use serde_json::json;

use super::choices::{AutoOr, Bandwidth, NodeCount, Start};
use super::pilot::{Fixed, Pilot, pilot};
use super::proportion::working_bandwidth;
use super::result::Choice;
use super::ridge::on_ridge;
use super::start::{all_points, check_start, kmeans_centers, working_start};
use super::weighted_rows::WeightedRows;
use crate::error::{Error, Result};
use crate::math::Matrix;
use crate::observe::Observer;
use crate::points::Cloud;

/// Nodes where their number is left open.
const NODES: usize = 100;

/// The settings that a plan fills in, in the scale of SimplePPT.
pub(super) struct Wanted {
    pub n_nodes: NodeCount,
    pub bandwidth: Bandwidth,
    pub length_penalty: AutoOr,
    pub smoothing: Option<f64>,
    pub start: Start,
    pub seed: u64,
}

/// What a plan is for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Purpose {
    Tree,
    /// Tidying its tips needs the noise in any case.
    TidyTree,
    /// It does not start at the pilot's nodes: a tree leaves a gap in every loop and bridges
    /// components.
    Graph,
}

/// Everything that the sweeps need, in working units.
pub(super) struct Plan {
    pub nodes: Matrix,
    pub bandwidth: f64,
    pub length_penalty: f64,
    /// Noise per transverse dimension, in the units of the points; 0 if nothing was left open.
    pub noise: f64,
    pub choices: Vec<Choice>,
    /// What the choices were made from; none if nothing was left open.
    pub pilot: Option<Pilot>,
}

/// Finds the starting nodes and fills in what was left open.
pub(super) fn plan(
    wanted: &Wanted,
    purpose: Purpose,
    cloud: &Cloud<'_>,
    start: Option<&Matrix>,
    watch: &mut dyn Observer,
) -> Result<Plan> {
    cloud.require_spread()?;
    if wanted.start == Start::Ridge && start.is_some() {
        let remedy = "leave it out: the starting nodes are given";
        return Err(Error::setting("start", "ridge", remedy));
    }
    let mut choices = Vec::new();
    let count = node_count(wanted.n_nodes, cloud, start, &mut choices)?;
    let unit = cloud.square_unit();
    let weight = cloud.total_weight();
    let fixed = Fixed {
        length_penalty: match (wanted.length_penalty, wanted.smoothing) {
            (AutoOr::Fixed(penalty), _) => Some(penalty),
            (AutoOr::Auto, Some(smoothing)) => Some(smoothing * smoothing * count as f64 * weight),
            (AutoOr::Auto, None) => None,
        },
        bandwidth: match wanted.bandwidth {
            AutoOr::Fixed(bandwidth) => Some(working_bandwidth(bandwidth, unit)?),
            AutoOr::Auto => None,
        },
    };
    let mut piloted = None;
    let (bandwidth, length_penalty, noise) = match (fixed.bandwidth, fixed.length_penalty) {
        (Some(bandwidth), Some(penalty)) if purpose != Purpose::TidyTree => {
            (bandwidth, penalty, 0.0)
        }
        _ => {
            let pilot = pilot(cloud, count, fixed, wanted.seed, watch)?;
            if fixed.bandwidth.is_none() {
                choices.push(pilot.bandwidth_choice(unit));
            }
            if fixed.length_penalty.is_none() {
                choices.push(pilot.penalty_choice(count));
            }
            let penalty = fixed.length_penalty.unwrap_or(pilot.penalty_for(count));
            let found = (pilot.bandwidth, penalty, pilot.noise);
            piloted = Some(pilot);
            found
        }
    };
    let nodes = match (start, wanted.n_nodes, &piloted) {
        (Some(start), ..) => working_start(start, cloud)?,
        (None, NodeCount::All, _) => all_points(cloud)?,
        (None, _, Some(pilot))
            if pilot.nodes.n_rows() == count
                && purpose != Purpose::Graph
                && wanted.start == Start::Auto =>
        {
            pilot.nodes.clone()
        }
        _ => kmeans_centers(cloud, count, wanted.seed)?,
    };
    let nodes = match wanted.start {
        Start::Auto => nodes,
        Start::Ridge => on_ridge(&WeightedRows::new(cloud)?, bandwidth, nodes)?,
    };
    Ok(Plan { nodes, bandwidth, length_penalty, noise, choices, pilot: piloted })
}

impl Plan {
    /// Reports it where fewer nodes were found than wanted, because too few points differ.
    pub fn report_missing_nodes(&mut self, wanted: NodeCount) {
        let chosen = self.choices.iter().position(|choice| choice.setting == "n_nodes");
        let wanted = match (wanted, chosen) {
            (NodeCount::Exactly(count), _) => Some(count as u64),
            (_, Some(chosen)) => self.choices[chosen].value.as_u64(),
            _ => None,
        };
        let found = self.nodes.n_rows();
        let Some(wanted) = wanted.filter(|&wanted| wanted > found as u64) else {
            return;
        };
        let reason = format!("instead of {wanted}: only {found} distinct points to start from");
        let choice = Choice::new("n_nodes", json!(found), reason);
        match chosen {
            Some(chosen) => self.choices[chosen] = choice,
            None => self.choices.insert(0, choice),
        }
    }

    /// Whether the length penalty was left open.
    pub fn chose_length_penalty(&self) -> bool {
        self.choices.iter().any(|choice| choice.setting == "length_penalty")
    }
}

fn node_count(
    wanted: NodeCount,
    cloud: &Cloud<'_>,
    start: Option<&Matrix>,
    choices: &mut Vec<Choice>,
) -> Result<usize> {
    if let Some(start) = start {
        check_start(start, cloud.dims())?;
        let wanted = match wanted {
            NodeCount::Auto => start.n_rows(),
            NodeCount::All => cloud.len(),
            NodeCount::Exactly(count) => count,
        };
        if wanted != start.n_rows() {
            let reason = format!("the given start has {} nodes: leave n_nodes out", start.n_rows());
            return Err(Error::setting("n_nodes", wanted, reason));
        }
        return Ok(wanted);
    }
    match wanted {
        NodeCount::All => Ok(cloud.len()),
        NodeCount::Exactly(count) if count > cloud.len() => Err(Error::setting(
            "n_nodes",
            count,
            format!("there are only {} points: give at most that many, or \"all\"", cloud.len()),
        )),
        NodeCount::Exactly(count) => Ok(count),
        NodeCount::Auto => {
            let points = cloud.source().count_up_to(3 * NODES)?;
            let count = NODES.min(points / 3).max(2);
            choices.push(Choice::of_nodes(count, NODES, points));
            Ok(count)
        }
    }
}
