//! Starting nodes, candidate pairs and open settings.

use serde_json::json;

use super::settings::{Rebuild, Rpg};
use crate::connect::{Candidates, L1Graph, Links};
use crate::error::{Error, Result};
use crate::learn::choices::{AutoOr, NodeCount};
use crate::learn::given::{Given, NodeLinks};
use crate::learn::method::as_typed;
use crate::learn::plan::{Plan, Purpose, plan};
use crate::learn::proportion::check_proportion;
use crate::learn::result::Choice;
use crate::learn::tips::TipPlan;
use crate::learn::tree::Tree;
use crate::math::Matrix;
use crate::observe::Observer;
use crate::points::{Blocks, Cloud};

/// Neighbors of a node that are candidates for an edge, where that is left open,
const NEIGHBORS: usize = 5;
/// and with one node per point: these are spaced less evenly, so that fewer neighbors leave gaps.
const NEIGHBORS_OF_POINTS: usize = 8;

/// Nodes along a curve that an edge between neighbors spans, on average.
const REACH: f64 = 2.0;

/// Everything that a tree needs.
pub(super) struct TreePlan {
    pub plan: Plan,
    pub tree: Tree,
    pub tips: TipPlan,
    /// γ.
    pub data_weight: f64,
    pub note: Option<String>,
}

/// The plan of a tree, as SimplePPT has it with λ = 2/γ.
pub(super) fn plan_tree(
    settings: &Rpg,
    cloud: &Cloud<'_>,
    given: Given<'_>,
    watch: &mut dyn Observer,
) -> Result<TreePlan> {
    if given.pairs.is_some() {
        let reason = "a tree takes no pairs of points: leave them out, or use structure = l1";
        return Err(Error::data(reason));
    }
    let smoothness_is_auto = settings.data_weight == AutoOr::Auto;
    let tips = TipPlan::new(settings.tips, smoothness_is_auto, !given.links.is_empty())?;
    let purpose = if tips.tidies { Purpose::TidyTree } else { Purpose::Tree };
    let mut plan = plan(&settings.wanted(), purpose, cloud, given.start, watch)?;
    plan.report_missing_nodes(settings.n_nodes);
    let NodeLinks { links, note, .. } = given.node_links(cloud, &plan.nodes)?.in_a_tree()?;
    let tree = Tree { length_penalty: plan.length_penalty, links };
    let data_weight = settings.data_weight.or(2.0 / plan.length_penalty);
    Ok(TreePlan { plan, tree, tips, data_weight, note })
}

/// Reports the length penalty that was chosen, if any, as a data weight.
pub(super) fn report_data_weight(choices: &mut [Choice], data_weight: f64) {
    for choice in choices.iter_mut().filter(|choice| choice.setting == "length_penalty") {
        choice.setting = "data_weight";
        choice.value = json!(data_weight);
    }
}

/// Everything that an l1 graph needs.
pub(super) struct L1Plan {
    pub plan: Plan,
    pub candidates: Candidates,
    pub links: Links,
    pub note: Option<String>,
    /// γ.
    pub data_weight: f64,
    /// z.
    dictionary: Matrix,
    /// λ, in working units.
    reconstruction_weight: f64,
}

impl L1Plan {
    /// The linear program over these candidate pairs.
    pub fn program(&self, candidates: &Candidates) -> Result<L1Graph> {
        L1Graph::new(&self.dictionary, candidates, &self.links, self.reconstruction_weight)
    }
}

/// The plan of an l1 graph.
pub(super) fn plan_l1(
    settings: &Rpg,
    cloud: &Cloud<'_>,
    given: Given<'_>,
    watch: &mut dyn Observer,
) -> Result<L1Plan> {
    let points = cloud.source();
    let mut plan = plan(&settings.wanted(), Purpose::Graph, cloud, given.start, watch)?;
    let n_nodes = plan.nodes.n_rows();
    if n_nodes < 2 {
        return Err(Error::setting("n_nodes", n_nodes, "an l1 graph needs at least two nodes"));
    }
    let NodeLinks { links, note, .. } = given.node_links(cloud, &plan.nodes)?;
    let data_weight = data_weight(settings, &mut plan);
    let candidates = match given.candidates(settings.n_neighbors, settings.neighbors)? {
        Some(_) if n_nodes != points.len() || given.start.is_some() => {
            let reason = "pairs of points need one node per point: use all";
            return Err(Error::setting("n_nodes", as_typed(settings, "n_nodes"), reason));
        }
        Some(candidates) => candidates,
        None => candidates(settings, n_nodes, points, &mut plan.choices)?,
    };
    let rebuild = rebuild(settings, &mut plan.choices);
    let weight = reconstruction_weight(settings, cloud, &mut plan.choices)?;
    let dictionary = dictionary(&plan.nodes, rebuild, cloud)?;
    // The weight is a length.
    let reconstruction_weight = weight * cloud.scale();
    Ok(L1Plan { plan, candidates, links, note, data_weight, dictionary, reconstruction_weight })
}

/// γ as given, or such that the graph is about as smooth as the tree that was planned. Along a
/// curve each edge of an l1 graph has the weight 1/2, and the paper's sum counts it twice; but an
/// edge that spans `REACH` nodes is stiffer by its square.
fn data_weight(settings: &Rpg, plan: &mut Plan) -> f64 {
    let chosen = REACH * REACH / plan.length_penalty;
    report_data_weight(&mut plan.choices, chosen);
    settings.data_weight.or(chosen)
}

fn candidates(
    settings: &Rpg,
    n_nodes: usize,
    points: &dyn Blocks,
    choices: &mut Vec<Choice>,
) -> Result<Candidates> {
    let nearest = |k| Candidates::Nearest { k, rule: settings.neighbors };
    Ok(match settings.n_neighbors {
        NodeCount::All => Candidates::All,
        NodeCount::Exactly(k) => nearest(k),
        NodeCount::Auto => {
            let k = if are_fewer(n_nodes, points)? { NEIGHBORS } else { NEIGHBORS_OF_POINTS };
            let k = k.min(n_nodes.saturating_sub(1)).max(1);
            let reason = "neighbors of each node that an edge may join";
            choices.push(Choice::new("n_neighbors", k, reason));
            nearest(k)
        }
    })
}

/// Whether there are fewer nodes than points.
pub(super) fn are_fewer(n_nodes: usize, points: &dyn Blocks) -> Result<bool> {
    Ok(n_nodes < points.count_up_to(n_nodes + 1)?)
}

/// How nodes are reconstructed: `Linear` or `Affine`.
fn rebuild(settings: &Rpg, choices: &mut Vec<Choice>) -> Rebuild {
    if settings.rebuild != Rebuild::Auto {
        return settings.rebuild;
    }
    let (rebuild, value, reason) = match settings.reconstruction_weight {
        AutoOr::Auto => (Rebuild::Affine, "affine", "weights at a node add up to about 1"),
        AutoOr::Fixed(_) => {
            (Rebuild::Linear, "linear", "as in the paper, since the reconstruction weight is given")
        }
    };
    choices.push(Choice::new("rebuild", value, reason));
    rebuild
}

/// What nodes are reconstructed from: for linear, the nodes around the caller's origin; for affine,
/// the centered nodes with one more coordinate that is the same for all.
fn dictionary(nodes: &Matrix, rebuild: Rebuild, cloud: &Cloud<'_>) -> Result<Matrix> {
    if rebuild != Rebuild::Affine {
        return Ok(cloud.to_scaled(nodes.clone()));
    }
    let same = root_mean_square(cloud);
    let values: Vec<f64> =
        nodes.rows().flat_map(|node| node.iter().copied().chain([same])).collect();
    Matrix::new(nodes.n_rows(), nodes.n_cols() + 1, values)
}

/// The root mean square distance of the points from their mean, in working units.
fn root_mean_square(cloud: &Cloud<'_>) -> f64 {
    (cloud.spread() / cloud.total_weight()).sqrt()
}

/// λ as given, or the root mean square distance of the points from their mean.
fn reconstruction_weight(
    settings: &Rpg,
    cloud: &Cloud<'_>,
    choices: &mut Vec<Choice>,
) -> Result<f64> {
    if let AutoOr::Fixed(weight) = settings.reconstruction_weight {
        let working = weight * cloud.scale();
        check_proportion("reconstruction_weight", weight, working, cloud.square_unit())?;
        return Ok(weight);
    }
    let weight = root_mean_square(cloud) / cloud.scale();
    let reason = "root mean square distance of the points from their mean";
    choices.push(Choice::new("reconstruction_weight", weight, reason));
    Ok(weight)
}
