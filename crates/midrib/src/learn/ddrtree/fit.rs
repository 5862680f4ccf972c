//! The loop of DDRTree. Wang2016, Algorithm 2.
#![allow(non_snake_case)]

use serde_json::json;

use super::settings::DdrTree;
use super::smoother::Smoother;
use crate::assign::{Cutoff, Shares};
use crate::cloud::Cloud;
use crate::connect::{SpanningTree, spanning_tree};
use crate::error::Result;
use crate::graph::PrincipalGraph;
use crate::learn::choices::{Assignment, AutoOr, NodeCount, Tips};
use crate::learn::descent::{Descent, Limits};
use crate::learn::fitted::{Choice, End, Fitted};
use crate::learn::given::Given;
use crate::learn::latent::{
    Embedded, Frame, LatentPlan, embed, latent_plan, principal, refuse_links,
};
use crate::learn::ppt::{SimplePpt, working_bandwidth};
use crate::learn::registry::{Method, to_value};
use crate::math::{Matrix, squared_distance};
use crate::observe::Observer;
use crate::points::Points;

/// Learns the tree; see the module for the objective.
pub(super) fn fit(
    settings: &DdrTree,
    points: &Points<'_>,
    given: Given<'_>,
    watch: &mut dyn Observer,
) -> Result<Fitted> {
    settings.check()?;
    refuse_links(given, DdrTree::NAME)?;
    let cloud = Cloud::new(points)?;
    let frame = Frame::new(&cloud)?;
    let (axes, scores) = principal(&frame, settings.n_components)?;
    let start = frame.start(given.start, &axes, &scores)?;
    let Plan { plan, notes } = plan(settings, &frame, &scores, start.as_ref(), watch)?;
    let d = axes.n_rows();
    let weights = Weights { tree: plan.tree_weight, cluster: settings.cluster_weight };

    let sweep = |Z: &Matrix, C: &Matrix| -> Result<State> {
        let tree = spanning_tree(C); // lines 4 and 5
        let R = shares(settings.assignment, Z, C, plan.bandwidth, &frame)?; // line 6, eq. (32)
        State::update(&frame, d, tree, &R, settings.assignment, plan.bandwidth, weights) // lines 7 to 11
    };
    let mut here = sweep(&scores, &plan.nodes)?;
    let limits = Limits { max_iter: settings.max_iter - 1, tol: settings.tol };
    let mut descent = Descent::new("learning the tree", here.J, frame.spread(), limits);
    let mut end = descent.ask(watch);
    while end.is_none() {
        let next = sweep(&here.Z, &here.C)?;
        end = descent.push(next.J, watch);
        if end != Some(End::Stalled) {
            here = next;
        }
    }
    let edges: Vec<_> = here.tree.edges.iter().map(|&(a, b)| (a, b, 1.0)).collect();
    let (latent, nodes) = frame.to_data(&here.axes, &here.Z, &here.C);
    Ok(Fitted {
        method: DdrTree::NAME,
        graph: PrincipalGraph::new(nodes, &edges, here.mass)?,
        trace: descent.trace.iter().map(|J| J * cloud.square_unit()).collect(),
        end: end.unwrap_or(End::MaxIter),
        settings: to_value(settings),
        latent: Some(latent),
        choices: plan.choices,
        notes,
    })
}

/// λ and γ.
#[derive(Clone, Copy)]
struct Weights {
    tree: f64,
    cluster: f64,
}

/// Basis, latent points and nodes, with the tree and the masses that they were found for.
struct State {
    axes: Matrix,
    Z: Matrix,
    C: Matrix,
    tree: SpanningTree,
    mass: Vec<f64>,
    J: f64,
}

impl State {
    /// The best basis, latent points and nodes for a tree and shares, and what they cost.
    fn update(
        frame: &Frame<'_>,
        d: usize,
        tree: SpanningTree,
        R: &Shares,
        assignment: Assignment,
        bandwidth: f64,
        weights: Weights,
    ) -> Result<Self> {
        let smoother = Smoother::new(&tree, R, assignment, weights.tree, weights.cluster)?;
        let (axes, Embedded { z: Z, nodes: C }) = embed(frame, d, |Y| smoother.smooth(Y))?;
        let lengths = tree.edges.iter().map(|&(a, b)| squared_distance(C.row(a), C.row(b)));
        let clustered = Z.rows().zip(&frame.weights).enumerate().map(|(i, (z, weight))| {
            let cost =
                |(k, r): (usize, f64)| r * (squared_distance(z, C.row(k)) + bandwidth * r.ln());
            weight * R.of_point(i).map(cost).sum::<f64>()
        });
        let J = frame.residual(&axes, &Z)
            + weights.tree * lengths.sum::<f64>()
            + weights.cluster * clustered.sum::<f64>();
        let mass = R.mass();
        Ok(Self { axes, Z, C, tree, mass, J })
    }
}

/// The best shares of the latent points among the nodes.
fn shares(
    assignment: Assignment,
    Z: &Matrix,
    C: &Matrix,
    bandwidth: f64,
    frame: &Frame<'_>,
) -> Result<Shares> {
    let points = Points::from_f64(Z.as_slice(), Z.n_cols())?;
    let cloud = Cloud::new(&points)?;
    let nodes = cloud.to_working(C.clone());
    match assignment {
        Assignment::Hard => Ok(Shares::hard(&cloud, &nodes, &frame.weights)),
        Assignment::Soft => {
            let bandwidth = bandwidth / cloud.square_unit();
            Shares::soft(&cloud, &nodes, bandwidth, Cutoff::EXACT, &frame.weights)
        }
    }
}

struct Plan {
    plan: LatentPlan,
    notes: Vec<String>,
}

/// Starting nodes and settings, those that are left open found on the principal components.
fn plan(
    settings: &DdrTree,
    frame: &Frame<'_>,
    scores: &Matrix,
    start: Option<&Matrix>,
    watch: &mut dyn Observer,
) -> Result<Plan> {
    let n_nodes = match settings.n_nodes {
        NodeCount::Auto if start.is_none() => NodeCount::Exactly(monocle_nodes(frame.len())),
        given => given,
    };
    // Points are drawn to the nodes through their latent places: γ/(1+γ) of what draws them in ppt.
    let eased = settings.cluster_weight / (1.0 + settings.cluster_weight);
    let rule = SimplePpt {
        n_nodes,
        bandwidth: match settings.bandwidth {
            AutoOr::Fixed(bandwidth) => {
                AutoOr::Fixed(working_bandwidth(bandwidth, frame.square_unit())?)
            }
            AutoOr::Auto => AutoOr::Auto,
        },
        length_penalty: match settings.tree_weight {
            AutoOr::Fixed(weight) => AutoOr::Fixed(weight / eased),
            AutoOr::Auto => AutoOr::Auto,
        },
        tips: Tips::Keep,
        seed: settings.seed,
        ..SimplePpt::default()
    };
    let mut plan = latent_plan(frame, scores, &rule, eased, start, watch)?;
    let mut notes = Vec::new();
    let found = plan.nodes.n_rows();
    if let NodeCount::Exactly(wanted) = n_nodes {
        if found < wanted {
            notes.push(format!(
                "only {found} distinct points to start from: {found} nodes instead of {wanted}"
            ));
        }
        if settings.n_nodes == NodeCount::Auto {
            let reason = "as many as Monocle 2 takes for so many points".into();
            let choice = Choice { setting: "n_nodes", value: json!(found), reason };
            plan.choices.insert(0, choice);
        }
    }
    Ok(Plan { plan, notes })
}

/// Qiu2017's rule for the number of nodes.
fn monocle_nodes(n: usize) -> usize {
    if n <= 100 {
        return n;
    }
    let log = (n as f64).ln();
    (200.0 * log / (log + 100_f64.ln())).round() as usize
}
