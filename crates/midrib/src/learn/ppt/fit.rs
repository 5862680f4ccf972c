//! The loop of SimplePPT.
#![allow(non_snake_case)]

use serde_json::json;

use super::default_rule::{Plan, Planned, plan};
use super::scan::scan;
use super::settings::SimplePpt;
use super::tree::Tree;
use crate::cloud::Cloud;
use crate::error::{Error, Result};
use crate::graph::{PrincipalGraph, TipRule};
use crate::learn::choices::{NodeCount, Tips};
use crate::learn::fitted::{Choice, End, Fitted};
use crate::learn::given::{Given, NodeLinks};
use crate::learn::registry::{Method, to_value};
use crate::learn::sweep::sweep;
use crate::learn::tuning::Tuning;
use crate::observe::Observer;
use crate::points::Points;

/// Learns the tree; see the module for the objective.
pub(super) fn fit(
    settings: &SimplePpt,
    points: &Points<'_>,
    given: Given<'_>,
    watch: &mut dyn Observer,
) -> Result<Fitted> {
    settings.check()?;
    given.refuse_pairs("a tree")?;
    given.refuse_start_graph("a tree by soft assignment")?;
    let cloud = Cloud::new(points)?;
    let tips = tips(settings, given)?;
    let tidies = tips == Tips::Tidy;
    let planned = if tidies { Planned::TidyTree } else { Planned::Tree };
    let mut plan = plan(settings, planned, &cloud, given.start, watch)?;
    note_missing_nodes(settings, &mut plan);
    plan.choices.extend(tips_choice(settings, given, tips));
    let NodeLinks { links, note, .. } = given.node_links(&cloud, &plan.nodes)?.in_a_tree()?;
    let mut tree = Tree { length_penalty: plan.length_penalty, links };
    let swept =
        sweep(&cloud, plan.nodes.clone(), plan.bandwidth, &mut tree, settings.pace(), watch)?;
    let mut graph = swept.graph(&cloud)?;
    if tidies {
        graph = tidy(graph, points, plan.noise)?;
    }
    let chooses = plan.choices.iter().any(|choice| choice.setting == "length_penalty");
    let tuning = match &plan.pilot {
        Some(pilot) if chooses && given.links.is_empty() && swept.end != End::Interrupted => {
            let count = plan.nodes.n_rows();
            // The graph is learnt: a curve that cannot be drawn must not take it away.
            let tried = scan(&cloud, pilot, count, plan.length_penalty, settings.seed, watch);
            tried.ok().flatten().filter(Tuning::is_finite)
        }
        _ => None,
    };
    let unit = cloud.square_unit();
    Ok(Fitted {
        method: SimplePpt::NAME,
        graph,
        trace: swept.trace.iter().map(|J| J * unit).collect(),
        end: swept.end,
        settings: to_value(settings),
        latent: None,
        own_springs: None,
        choices: plan.choices,
        tuning,
        notes: note.into_iter().collect(),
    })
}

/// Says so where fewer nodes were found than wanted, which happens if too few points differ.
fn note_missing_nodes(settings: &SimplePpt, plan: &mut Plan) {
    let chosen = plan.choices.iter().position(|choice| choice.setting == "n_nodes");
    let wanted = match (settings.n_nodes, chosen) {
        (NodeCount::Exactly(count), _) => Some(count as u64),
        (_, Some(chosen)) => plan.choices[chosen].value.as_u64(),
        _ => None,
    };
    let found = plan.nodes.n_rows();
    let Some(wanted) = wanted.filter(|&wanted| wanted > found as u64) else {
        return;
    };
    let choice = Choice {
        setting: "n_nodes",
        value: json!(found),
        reason: format!("instead of {wanted}: only {found} distinct points to start from"),
    };
    match chosen {
        Some(chosen) => plan.choices[chosen] = choice,
        None => plan.choices.insert(0, choice),
    }
}

/// What becomes of the tips: `Tidy` or `Keep`.
fn tips(settings: &SimplePpt, given: Given<'_>) -> Result<Tips> {
    let linked = !given.links.is_empty();
    if settings.tips == Tips::Tidy && linked {
        return Err(Error::setting("tips", "tidy", "could remove given links: use keep"));
    }
    Ok(if settings.tidies() && !linked { Tips::Tidy } else { Tips::Keep })
}

/// What becomes of the tips, where that is left open.
fn tips_choice(settings: &SimplePpt, given: Given<'_>, tips: Tips) -> Option<Choice> {
    let (value, reason) = if tips == Tips::Tidy {
        ("tidy", "cut off where only noise, the others drawn to the end of the data")
    } else if !given.links.is_empty() {
        ("keep", "left as learnt, so that no given link is cut off")
    } else {
        ("keep", "left as learnt, since the smoothness is given; tidy cuts off mere noise")
    };
    let choice = Choice { setting: "tips", value: json!(value), reason: reason.into() };
    (settings.tips == Tips::Auto).then_some(choice)
}

/// Tips with less than this share of the points are removed.
pub(super) const LIGHT_TIP: f64 = 0.01;
/// Tips shorter than this many times the noise are removed.
const SHORT_TIP: f64 = 2.5;

/// Which tips are no more than noise.
pub(super) fn tidy_rule(noise: f64) -> TipRule<'static> {
    TipRule { min_share: LIGHT_TIP, min_length: SHORT_TIP * noise, ..TipRule::default() }
}

/// Removes tips that are no more than noise and extends the others to the end of the data.
pub(in crate::learn) fn tidy(
    graph: PrincipalGraph,
    points: &Points<'_>,
    noise: f64,
) -> Result<PrincipalGraph> {
    let whole = graph.project(points)?;
    let pruned = graph.prune_tips(&tidy_rule(noise), points, &whole)?.graph;
    let is_whole = pruned.nodes().n_rows() == graph.nodes().n_rows();
    let projection = if is_whole { whole } else { pruned.project(points)? };
    pruned.extend_tips(points, &projection)
}
