//! The loop of DRTree. Wang2016, problem (29).
#![allow(non_snake_case)]

use super::plan::{Plan, plan};
use super::settings::DrTree;
use crate::connect::{SpanningTree, spanning_tree};
use crate::error::Result;
use crate::graph::PrincipalGraph;
use crate::learn::descent::{Descent, Limits};
use crate::learn::given::Given;
use crate::learn::latent::{Basis, Centered, Embedded, embed};
use crate::learn::method::{Method, to_value};
use crate::learn::result::{End, Fit};
use crate::math::{Matrix, TreeFactor, squared_distance};
use crate::object::{GraphObject, Object};
use crate::observe::Observer;
use crate::points::{Blocks, Cloud};

/// Learns the tree; see the module for the objective.
pub(super) fn fit(
    settings: &DrTree,
    points: &dyn Blocks,
    given: Given<'_>,
    watch: &mut dyn Observer,
) -> Result<Fit> {
    let cloud = Cloud::new(points)?;
    let X = Centered::new(&cloud)?;
    let Plan { start, n_components: d, tree_weight: λ, choices } =
        plan(settings, &X, given.start, watch)?;

    let mut here = update(&X, d, λ, spanning_tree(&start))?;
    let limits = Limits { max_iter: settings.max_iter - 1, tol: settings.tol };
    let mut descent = Descent::new("learning the tree", here.J, X.spread(), limits);
    let mut end = descent.ask(watch);
    while end.is_none() {
        let S = spanning_tree(&here.Z); // problem (28)
        let next = update(&X, d, λ, S)?; // W and Z of problem (29)
        end = descent.push(next.J, watch);
        if end != Some(End::Stalled) {
            here = next;
        }
    }

    let edges: Vec<_> = here.S.edges.iter().map(|&(a, b)| (a, b, 1.0)).collect();
    let (embedding, nodes) = X.to_data(&here.axes, &here.Z, &here.Z)?;
    let graph = PrincipalGraph::new(nodes, &edges, X.weights.clone())?;
    Ok(Fit {
        method: DrTree::NAME,
        object: Object::Graph(GraphObject { graph, embedding: Some(embedding), springs: None }),
        // The first update comes before the first entry of the trace.
        iterations: descent.iterations + 1,
        trace: descent.trace.iter().map(|J| J * cloud.square_unit()).collect(),
        end: end.unwrap_or(End::MaxIter),
        settings: to_value(settings),
        choices,
        tuning: None,
        notes: Vec::new(),
    })
}

/// A basis and latent points, with the tree that they were found for.
struct State {
    axes: Matrix,
    Z: Matrix,
    S: SpanningTree,
    J: f64,
}

/// The best basis and latent points for a tree: B from the top eigenvectors of
/// `XᵀW(W + λL)⁻¹WX`, and `Z = (W + λL)⁻¹WXB`.
fn update(X: &Centered<'_>, d: usize, λ: f64, S: SpanningTree) -> Result<State> {
    let factor = TreeFactor::new(&S.edges, λ, &X.weights)?;
    let smooth = |scores: &Matrix| {
        let mut weighted = scores.clone();
        for (i, weight) in X.weights.iter().enumerate() {
            weighted.row_mut(i).iter_mut().for_each(|x| *x *= weight);
        }
        Embedded { z: factor.solve(&weighted), nodes: Matrix::zeros(0, scores.n_cols()) }
    };
    let Basis { axes, on_axes: Embedded { z: Z, .. }, .. } = embed(X, d, smooth)?;
    let lengths = S.edges.iter().map(|&(a, b)| squared_distance(Z.row(a), Z.row(b)));
    let J = X.residual(&axes, &Z) + λ * lengths.sum::<f64>();
    Ok(State { axes, Z, S, J })
}
