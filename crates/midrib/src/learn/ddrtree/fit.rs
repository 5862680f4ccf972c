//! The loop of DDRTree. Wang2016, Algorithm 2.
#![allow(non_snake_case)]

use super::plan::{Plan, plan};
use super::settings::DdrTree;
use super::smoother::{Smoother, Terms};
use crate::assign::{Cutoff, Shares};
use crate::connect::{SpanningTree, spanning_tree};
use crate::error::Result;
use crate::graph::PrincipalGraph;
use crate::learn::choices::Assignment;
use crate::learn::descent::{Descent, Limits};
use crate::learn::given::Given;
use crate::learn::latent::{Basis, Centered, Embedded, embed};
use crate::learn::method::{Method, to_value};
use crate::learn::result::{End, Fit};
use crate::math::{Matrix, squared_distance};
use crate::object::{GraphObject, Object};
use crate::observe::Observer;
use crate::points::{Blocks, Cloud, Points};

/// Learns the tree; see the module for the objective.
pub(super) fn fit(
    settings: &DdrTree,
    points: &dyn Blocks,
    given: Given<'_>,
    watch: &mut dyn Observer,
) -> Result<Fit> {
    let cloud = Cloud::new(points)?;
    let X = Centered::new(&cloud)?;
    let Plan { scores: Z, nodes: C, terms, choices, notes } =
        plan(settings, &X, given.start, watch)?; // lines 2 and 3
    let problem = Problem { X: &X, d: Z.n_cols(), terms };

    let mut here = problem.sweep(&Z, &C, None)?;
    let limits = Limits { max_iter: settings.max_iter - 1, tol: settings.tol };
    let mut descent = Descent::new("learning the tree", here.J, X.spread(), limits);
    let mut end = descent.ask(watch);
    while end.is_none() {
        let next = problem.sweep(&here.Z, &here.C, here.guess.as_ref())?; // lines 5 to 14
        end = descent.push(next.J, watch);
        if end != Some(End::Stalled) {
            here = next;
        }
    }

    let edges: Vec<_> = here.S.edges.iter().map(|&(a, b)| (a, b, 1.0)).collect();
    let (embedding, nodes) = X.to_data(&here.axes, &here.Z, &here.C)?;
    let graph = PrincipalGraph::new(nodes, &edges, here.mass)?;
    Ok(Fit {
        method: DdrTree::NAME,
        object: Object::Graph(GraphObject { graph, embedding: Some(embedding), springs: None }),
        // The first update comes before the first entry of the trace.
        iterations: descent.iterations + 1,
        trace: descent.trace.iter().map(|J| J * cloud.square_unit()).collect(),
        end: end.unwrap_or(End::MaxIter),
        settings: to_value(settings),
        choices,
        tuning: None,
        notes,
    })
}

/// What is minimized, and over which points.
struct Problem<'a> {
    X: &'a Centered<'a>,
    d: usize,
    terms: Terms,
}

/// Basis, latent points and nodes, with the tree and the masses that they were found for.
struct State {
    axes: Matrix,
    Z: Matrix,
    C: Matrix,
    S: SpanningTree,
    mass: Vec<f64>,
    J: f64,
    /// Where the next sweep may start to solve for its nodes.
    guess: Option<Matrix>,
}

impl Problem<'_> {
    /// The best tree and assignment for latent points and nodes, then the best basis, latent points
    /// and nodes for these.
    fn sweep(&self, Z: &Matrix, C: &Matrix, guess: Option<&Matrix>) -> Result<State> {
        let S = spanning_tree(C); // lines 5 to 7, problem (28)
        let R = self.assign(Z, C)?; // lines 8 and 9, eq. (32)
        let mut smoother = Smoother::new(self.terms, C, &S, &R)?; // line 10
        smoother.guess = guess;
        let Basis { axes, on_axes: Embedded { z: Z, nodes: C }, nodes: guess } =
            embed(self.X, self.d, |Y| smoother.smooth(Y))?; // lines 11 to 14
        let J = self.objective(&axes, &Z, &C, &S, &R);
        Ok(State { axes, Z, C, mass: R.mass(), S, J, guess })
    }

    fn assign(&self, Z: &Matrix, C: &Matrix) -> Result<Shares> {
        let points = Points::from_f64(Z.as_slice(), Z.n_cols())?;
        let cloud = Cloud::new(&points)?;
        let nodes = cloud.to_working(C.clone());
        let weights = &self.X.weights;
        match self.terms.assignment {
            Assignment::Hard => Shares::hard(&cloud, &nodes, weights),
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
        S: &SpanningTree,
        R: &Shares,
    ) -> f64 {
        let lengths = S.edges.iter().map(|&(a, b)| squared_distance(C.row(a), C.row(b)));
        let clustered = R.squared_distances(Z, C) + self.terms.bandwidth * R.entropy();
        self.X.residual(axes, Z)
            + self.terms.tree_weight * lengths.sum::<f64>()
            + self.terms.cluster_weight * clustered
    }
}
