//! Starting nodes and open settings, found on the principal components.

use serde_json::json;

use super::centered::Centered;
use crate::assign::nearest_nodes;
use crate::error::Result;
use crate::learn::choices::AutoOr;
use crate::learn::plan::{Purpose, Wanted, plan};
use crate::learn::result::Choice;
use crate::learn::start::kmeans_centers;
use crate::math::Matrix;
use crate::observe::Observer;
use crate::points::{Cloud, Points};

/// How the plan of SimplePPT is used.
pub(in crate::learn) struct LatentRule {
    /// On the scale of SimplePPT; a given bandwidth is in working units.
    pub wanted: Wanted,
    /// The tree weight as a multiple of the length penalty.
    pub eased: f64,
    /// Whether points are assigned to nodes; otherwise the bandwidth serves the plan alone.
    pub assigns: bool,
}

/// What the sweeps need, in working units.
pub(in crate::learn) struct LatentPlan {
    pub nodes: Matrix,
    pub bandwidth: f64,
    /// λ.
    pub tree_weight: f64,
    pub choices: Vec<Choice>,
}

/// The fewest points per node where the bandwidth is left open.
const POINTS_PER_NODE: usize = 12;
/// The most nodes from which SimplePPT's rule finds the bandwidth.
const RULE_NODES: usize = 100;

/// Plans as SimplePPT does, on the scores of the points; `start` is latent too.
pub(in crate::learn) fn latent_plan(
    centered: &Centered<'_>,
    scores: &Matrix,
    rule: &LatentRule,
    start: Option<&Matrix>,
    watch: &mut dyn Observer,
) -> Result<LatentPlan> {
    let points = Points::from_f64(scores.as_slice(), scores.n_cols())?
        .with_weights(centered.weights.as_slice())?;
    let cloud = Cloud::new(&points)?;
    let plan = plan(&rule.wanted, Purpose::Tree, &cloud, start, watch)?;
    let mut bandwidth = plan.bandwidth;
    let count = plan.nodes.n_rows().min(cloud.len() / POINTS_PER_NODE);
    let chooses_bandwidth = rule.assigns && rule.wanted.bandwidth == AutoOr::Auto;
    if chooses_bandwidth && count > RULE_NODES {
        let centers = kmeans_centers(&cloud, count, rule.wanted.seed)?;
        let nearest = nearest_nodes(&cloud, &centers)?;
        let squares = nearest.iter().zip(&centered.weights).map(|(n, weight)| weight * n.squared);
        bandwidth = 0.5 * squares.sum::<f64>() / points.total_weight();
    }
    // In many dimensions the scatter adds up in the distances of points from their nodes, but
    // nodes along a line are no farther apart: half of that would merge them all.
    let dims = scores.n_cols().max(2);
    if chooses_bandwidth {
        bandwidth *= 2.0 / dims as f64;
    }
    let bandwidth = bandwidth * cloud.square_unit();
    let mut choices = Vec::new();
    if chooses_bandwidth {
        let reason = format!(
            "1/{dims} of the mean squared distance of the principal components to well-spread \
             centers"
        );
        choices.push(Choice::new("bandwidth", json!(bandwidth * centered.square_unit()), reason));
    }
    let tree_weight = rule.eased * plan.length_penalty;
    if rule.wanted.length_penalty == AutoOr::Auto {
        let reason = "smooths bends about as short as the scatter of the principal components \
                      around a tree";
        choices.push(Choice::new("tree_weight", json!(tree_weight), reason));
    }
    let nodes = cloud.to_data(plan.nodes);
    Ok(LatentPlan { nodes, bandwidth, tree_weight, choices })
}
