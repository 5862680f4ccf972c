//! Starting nodes and settings that were left open, found on the principal components.

use serde_json::json;

use super::frame::Frame;
use crate::cloud::Cloud;
use crate::error::{Error, Result};
use crate::learn::choices::AutoOr;
use crate::learn::fitted::Choice;
use crate::learn::given::Given;
use crate::learn::ppt::{Planned, SimplePpt, centers, plan};
use crate::math::Matrix;
use crate::observe::Observer;
use crate::points::Points;

/// What the sweeps need, in the frame's units.
pub(in crate::learn) struct LatentPlan {
    pub nodes: Matrix,
    pub bandwidth: f64,
    /// λ.
    pub tree_weight: f64,
    pub choices: Vec<Choice>,
}

/// A node for this many points, at least, where the bandwidth is left open.
const POINTS_PER_NODE: usize = 12;
/// The bandwidth of SimplePPT's rule comes from at most this many nodes.
const RULE_NODES: usize = 100;

/// Plans as SimplePPT does on the scores of the points; `start` is latent, in the frame's units, as
/// is a bandwidth that is given. The tree weight is `eased` times the length penalty. Where points
/// are not `assigned` to nodes, the bandwidth serves the rule alone.
pub(in crate::learn) fn latent_plan(
    frame: &Frame<'_>,
    scores: &Matrix,
    rule: &SimplePpt,
    eased: f64,
    assigned: bool,
    start: Option<&Matrix>,
    watch: &mut dyn Observer,
) -> Result<LatentPlan> {
    let points = Points::from_f64(scores.as_slice(), scores.n_cols())?
        .with_weights(frame.weights.as_slice())?;
    let cloud = Cloud::new(&points)?;
    let plan = plan(rule, Planned::Tree, &cloud, start, watch)?;
    let mut bandwidth = plan.bandwidth;
    let wanted = plan.nodes.n_rows().min(cloud.len() / POINTS_PER_NODE);
    let chooses_bandwidth = assigned && rule.bandwidth == AutoOr::Auto;
    if chooses_bandwidth && wanted > RULE_NODES {
        let centers = centers(&cloud, wanted, rule.seed)?;
        let nearest = crate::assign::nearest_nodes(&cloud, &centers);
        let squares = nearest.iter().zip(&frame.weights).map(|(n, weight)| weight * n.squared);
        bandwidth = 0.5 * squares.sum::<f64>() / points.total_weight();
    }
    // Of many dimensions the scatter adds up in the distance of points from their nodes, but nodes
    // along a line are no farther from one another: half of that would join them all.
    let dims = scores.n_cols().max(2);
    if chooses_bandwidth {
        bandwidth *= 2.0 / dims as f64;
    }
    let bandwidth = bandwidth * cloud.square_unit();
    let mut choices = Vec::new();
    if chooses_bandwidth {
        choices.push(Choice {
            setting: "bandwidth",
            value: json!(bandwidth * frame.square_unit()),
            reason: format!(
                "1/{dims} of the mean squared distance of the principal components to well spread \
                 centers"
            ),
        });
    }
    let tree_weight = eased * plan.length_penalty;
    if rule.length_penalty == AutoOr::Auto {
        choices.push(Choice {
            setting: "tree_weight",
            value: json!(tree_weight),
            reason: "evens out bends about as short as the scatter of the principal components \
                     around a tree"
                .into(),
        });
    }
    let nodes = cloud.to_data(plan.nodes);
    Ok(LatentPlan { nodes, bandwidth, tree_weight, choices })
}

/// These methods do not know of links, nor of pairs.
pub(in crate::learn) fn refuse_links(given: Given<'_>, method: &str) -> Result<()> {
    given.refuse_pairs(method)?;
    given.refuse_start_graph(method)?;
    if given.links.is_empty() {
        return Ok(());
    }
    Err(Error::data(format!(
        "{method} takes no links, since its tree is learnt in another space than the points': \
         leave them out, or use ppt"
    )))
}
