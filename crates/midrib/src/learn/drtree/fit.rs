//! The loop of DRTree.
#![allow(non_snake_case)]

use super::settings::DrTree;
use crate::cloud::Cloud;
use crate::connect::{SpanningTree, spanning_tree};
use crate::error::{Error, Result};
use crate::graph::PrincipalGraph;
use crate::learn::choices::NodeCount;
use crate::learn::descent::{Descent, Limits};
use crate::learn::fitted::{Choice, End, Fitted};
use crate::learn::given::Given;
use crate::learn::latent::{Basis, Embedded, Frame, embed, latent_plan, principal, refuse_links};
use crate::learn::ppt::SimplePpt;
use crate::learn::registry::{Method, to_value};
use crate::math::{Matrix, TreeFactor, squared_distance};
use crate::observe::Observer;
use crate::points::Points;

/// Learns the tree; see the module for the objective.
pub(super) fn fit(
    settings: &DrTree,
    points: &Points<'_>,
    given: Given<'_>,
    watch: &mut dyn Observer,
) -> Result<Fitted> {
    settings.check()?;
    refuse_links(given, DrTree::NAME)?;
    let cloud = Cloud::new(points)?;
    let frame = Frame::new(&cloud)?;
    let (axes, scores) = principal(&frame, settings.n_components)?;
    let start = frame.start(given.start, &axes, &scores)?;
    let rule = SimplePpt {
        n_nodes: if start.is_some() { NodeCount::Auto } else { NodeCount::All },
        length_penalty: settings.tree_weight,
        seed: settings.seed,
        ..SimplePpt::default()
    };
    let mut plan = latent_plan(&frame, &scores, &rule, 1.0, false, start.as_ref(), watch)?;
    if plan.nodes.n_rows() != frame.len() {
        let expected = format!("{}, one per point", frame.len());
        return Err(Error::shape("starting nodes", expected, plan.nodes.n_rows()));
    }
    plan.choices.extend(Choice::of_components(settings.n_components, axes.n_rows()));

    let (d, λ) = (axes.n_rows(), plan.tree_weight);
    let mut here = update(&frame, d, λ, spanning_tree(&plan.nodes))?;
    let limits = Limits { max_iter: settings.max_iter - 1, tol: settings.tol };
    let mut descent = Descent::new("learning the tree", here.J, frame.spread(), limits);
    let mut end = descent.ask(watch);
    while end.is_none() {
        let next = update(&frame, d, λ, spanning_tree(&here.Z))?;
        end = descent.push(next.J, watch);
        if end != Some(End::Stalled) {
            here = next;
        }
    }
    let edges: Vec<_> = here.tree.edges.iter().map(|&(a, b)| (a, b, 1.0)).collect();
    let (latent, nodes) = frame.to_data(&here.axes, &here.Z, &here.Z);
    Ok(Fitted {
        method: DrTree::NAME,
        graph: PrincipalGraph::new(nodes, &edges, frame.weights.clone())?,
        trace: descent.trace.iter().map(|J| J * cloud.square_unit()).collect(),
        end: end.unwrap_or(End::MaxIter),
        settings: to_value(settings),
        latent: Some(latent),
        own_springs: None,
        choices: plan.choices,
        tuning: None,
        notes: Vec::new(),
    })
}

/// A basis and latent points, with the tree that they were found for.
struct State {
    axes: Matrix,
    Z: Matrix,
    tree: SpanningTree,
    J: f64,
}

/// The best basis and latent points for a tree: B from the top eigenvectors of
/// `XᵀW(W + λL)⁻¹WX`, and `Z = (W + λL)⁻¹WXB`.
fn update(frame: &Frame<'_>, d: usize, λ: f64, tree: SpanningTree) -> Result<State> {
    let factor = TreeFactor::new(&tree.edges, λ, &frame.weights)?;
    let smooth = |scores: &Matrix| {
        let mut weighted = scores.clone();
        for (i, weight) in frame.weights.iter().enumerate() {
            weighted.row_mut(i).iter_mut().for_each(|x| *x *= weight);
        }
        Embedded { z: factor.solve(&weighted), nodes: Matrix::zeros(0, scores.n_cols()) }
    };
    let Basis { axes, on_axes: Embedded { z: Z, .. }, .. } = embed(frame, d, smooth)?;
    let lengths = tree.edges.iter().map(|&(a, b)| squared_distance(Z.row(a), Z.row(b)));
    let J = frame.residual(&axes, &Z) + λ * lengths.sum::<f64>();
    Ok(State { axes, Z, tree, J })
}
