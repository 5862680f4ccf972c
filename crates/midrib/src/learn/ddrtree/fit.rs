//! The loop of DDRTree. Wang2016, Algorithm 2.
#![allow(non_snake_case)]

use serde_json::json;

use super::settings::DdrTree;
use super::smoother::{Smoother, Terms};
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
    Basis, Embedded, Frame, LatentPlan, embed, latent_plan, principal, refuse_links,
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
    let problem = Problem {
        frame: &frame,
        d: axes.n_rows(),
        terms: Terms {
            assignment: settings.assignment,
            bandwidth: plan.bandwidth,
            tree_weight: plan.tree_weight,
            cluster_weight: settings.cluster_weight,
        },
    };
    let mut here = problem.sweep(&scores, &plan.nodes, None)?;
    let limits = Limits { max_iter: settings.max_iter - 1, tol: settings.tol };
    let mut descent = Descent::new("learning the tree", here.J, frame.spread(), limits);
    let mut end = descent.ask(watch);
    while end.is_none() {
        let next = problem.sweep(&here.Z, &here.C, here.guess.as_ref())?;
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
        own_springs: None,
        choices: plan.choices,
        tuning: None,
        notes,
    })
}

/// What is minimised, and over which points.
struct Problem<'a> {
    frame: &'a Frame<'a>,
    d: usize,
    terms: Terms,
}

/// Basis, latent points and nodes, with the tree and the masses that they were found for.
struct State {
    axes: Matrix,
    Z: Matrix,
    C: Matrix,
    tree: SpanningTree,
    mass: Vec<f64>,
    J: f64,
    /// Where the next sweep may begin to solve for its nodes.
    guess: Option<Matrix>,
}

impl Problem<'_> {
    /// The best tree and shares for latent points and nodes, then the best basis, latent points
    /// and nodes for these.
    fn sweep(&self, Z: &Matrix, C: &Matrix, guess: Option<&Matrix>) -> Result<State> {
        let tree = spanning_tree(C); // lines 4 and 5
        let R = self.shares(Z, C)?; // line 6, eq. (32)
        let mut smoother = Smoother::new(self.terms, C, &tree, &R)?;
        smoother.guess = guess;
        let Basis { axes, on_axes: Embedded { z: Z, nodes: C }, nodes: guess } =
            embed(self.frame, self.d, |Y| smoother.smooth(Y))?; // lines 7 to 11
        let J = self.objective(&axes, &Z, &C, &tree, &R);
        Ok(State { axes, Z, C, mass: R.mass(), tree, J, guess })
    }

    fn shares(&self, Z: &Matrix, C: &Matrix) -> Result<Shares> {
        let points = Points::from_f64(Z.as_slice(), Z.n_cols())?;
        let cloud = Cloud::new(&points)?;
        let nodes = cloud.to_working(C.clone());
        let weights = &self.frame.weights;
        match self.terms.assignment {
            Assignment::Hard => Ok(Shares::hard(&cloud, &nodes, weights)),
            Assignment::Soft => {
                let bandwidth = self.terms.bandwidth / cloud.square_unit();
                Shares::soft(&cloud, &nodes, bandwidth, Cutoff::EXACT, weights)
            }
        }
    }

    /// Eq. (31), term by term.
    fn objective(
        &self,
        axes: &Matrix,
        Z: &Matrix,
        C: &Matrix,
        tree: &SpanningTree,
        R: &Shares,
    ) -> f64 {
        let lengths = tree.edges.iter().map(|&(a, b)| squared_distance(C.row(a), C.row(b)));
        let clustered = R.squared_distances(Z, C) + self.terms.bandwidth * R.entropy();
        self.frame.residual(axes, Z)
            + self.terms.tree_weight * lengths.sum::<f64>()
            + self.terms.cluster_weight * clustered
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
    let mut plan = latent_plan(frame, scores, &rule, eased, true, start, watch)?;
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
    plan.choices.extend(Choice::of_components(settings.n_components, scores.n_cols()));
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
