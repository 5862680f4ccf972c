//! The loop of SimplePPT.
#![allow(non_snake_case)]

use serde_json::json;

use super::default_rule::{Plan, plan};
use super::settings::SimplePpt;
use crate::assign::{Cutoff, Sums, soft_sums};
use crate::cloud::Cloud;
use crate::connect::{SpanningTree, spanning_tree};
use crate::error::Result;
use crate::graph::{PrincipalGraph, TipRule};
use crate::learn::choices::{Acceleration, NodeCount, Tips};
use crate::learn::descent::{Descent, Limits};
use crate::learn::fitted::{Choice, End, Fitted};
use crate::learn::registry::{Method, to_value};
use crate::math::{Anderson, Matrix, tree_apply, tree_solve};
use crate::observe::Observer;
use crate::points::Points;

/// Learns the tree; see the module for the objective.
pub(super) fn fit(
    settings: &SimplePpt,
    points: &Points<'_>,
    start: Option<&Matrix>,
    watch: &mut dyn Observer,
) -> Result<Fitted> {
    settings.check()?;
    let cloud = Cloud::new(points)?;
    let mut plan = plan(settings, &cloud, start, watch)?;
    note_missing_nodes(settings, &mut plan);
    plan.choices.extend(tips_choice(settings));
    let swept = sweep(&cloud, &plan, settings.limits(), settings.acceleration, watch)?;
    let mut graph = swept.graph(&cloud)?;
    if settings.tidies() {
        graph = tidy(graph, points, &plan)?;
    }
    let unit = cloud.square_unit();
    Ok(Fitted {
        method: SimplePpt::NAME,
        graph,
        trace: swept.trace.iter().map(|J| J * unit).collect(),
        end: swept.end,
        settings: to_value(settings),
        choices: plan.choices,
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

/// What becomes of the tips, where that is left open.
fn tips_choice(settings: &SimplePpt) -> Option<Choice> {
    let (value, reason) = if settings.tidies() {
        ("tidy", "cut off where only noise, the others drawn to the end of the data")
    } else {
        ("keep", "left as learnt, since the smoothness is given; tidy cuts off mere noise")
    };
    let choice = Choice { setting: "tips", value: json!(value), reason: reason.into() };
    (settings.tips == Tips::Auto).then_some(choice)
}

/// Plain sweeps before the first accelerated one: the tree must have settled.
const WARM_UP: usize = 30;
/// Steps that the acceleration remembers.
const MEMORY: usize = 3;

/// Where the sweeps ended.
pub(super) struct Swept {
    pub at: State,
    pub trace: Vec<f64>,
    pub end: End,
}

/// Some nodes with the best tree and the best shares for them.
pub(super) struct State {
    pub nodes: Matrix,
    pub tree: SpanningTree,
    sums: Sums,
    J: f64,
}

impl State {
    fn at(nodes: Matrix, cloud: &Cloud<'_>, σ: f64, λ: f64) -> Self {
        let tree = spanning_tree(&nodes); // lines 4-6
        let sums = soft_sums(cloud, &nodes, σ, Cutoff::EXACT); // lines 7-8, eq. (3.14)
        let J = sums.cost + λ * tree.squared_length;
        Self { nodes, tree, sums, J }
    }
}

/// Algorithm 1 from the plan's nodes, in working coordinates.
pub(super) fn sweep(
    cloud: &Cloud<'_>,
    plan: &Plan,
    limits: Limits,
    acceleration: Acceleration,
    watch: &mut dyn Observer,
) -> Result<Swept> {
    let (σ, λ) = (plan.bandwidth, plan.length_penalty);
    let mut here = State::at(plan.nodes.clone(), cloud, σ, λ);
    let mut descent = Descent::new("learning the tree", here.J, cloud.spread(), limits);
    let mut anderson = Anderson::new(MEMORY);
    let mut end = descent.ask(watch);
    while end.is_none() {
        let placed = tree_solve(&here.tree.edges, λ, &here.sums.mass, &here.sums.weighted)?; // line 9, eq. (3.13)
        let accelerates = acceleration == Acceleration::Anderson && descent.trace.len() > WARM_UP;
        let proposal = accelerates
            .then(|| {
                let metric = |rows: &[f64]| tree_apply(&here.tree.edges, λ, &here.sums.mass, rows);
                anderson.propose(here.nodes.as_slice(), placed.as_slice(), metric)
            })
            .flatten();
        if let Some(values) = proposal {
            let nodes = Matrix::new(placed.n_rows(), placed.n_cols(), values)?;
            let ahead = State::at(nodes, cloud, σ, λ);
            if ahead.J < here.J {
                end = descent.push(ahead.J, watch);
                here = ahead;
                continue;
            }
            end = descent.push_rejected(watch);
            if end.is_some() {
                break;
            }
        }
        let next = State::at(placed, cloud, σ, λ);
        end = descent.push(next.J, watch);
        if end != Some(End::Stalled) {
            here = next;
        }
    }
    Ok(Swept { at: here, trace: descent.trace, end: end.unwrap_or(End::MaxIter) })
}

impl Swept {
    /// The tree in the coordinates of the points.
    pub fn graph(&self, cloud: &Cloud<'_>) -> Result<PrincipalGraph> {
        let edges: Vec<_> = self.at.tree.edges.iter().map(|&(a, b)| (a, b, 1.0)).collect();
        let nodes = cloud.to_data(self.at.nodes.clone());
        PrincipalGraph::new(nodes, &edges, self.at.sums.mass.clone())
    }
}

/// Tips with less than this share of the points are removed.
pub(super) const LIGHT_TIP: f64 = 0.01;
/// Tips shorter than this many times the noise are removed.
const SHORT_TIP: f64 = 2.5;

/// Removes tips that are no more than noise and extends the others to the end of the data.
fn tidy(graph: PrincipalGraph, points: &Points<'_>, plan: &Plan) -> Result<PrincipalGraph> {
    let rule = TipRule { min_share: LIGHT_TIP, min_length: SHORT_TIP * plan.noise };
    let pruned = graph.prune_tips(&rule, points, &graph.project(points)?)?.graph;
    let projection = pruned.project(points)?;
    pruned.extend_tips(points, &projection)
}
