//! The loop that all structures share: join the nodes, share out the points, place the nodes.
#![allow(non_snake_case)]

use super::choices::Acceleration;
use super::descent::{Descent, Limits};
use super::fitted::End;
use crate::assign::{Cutoff, Sums, soft_sums};
use crate::cloud::Cloud;
use crate::error::Result;
use crate::graph::PrincipalGraph;
use crate::math::{Anderson, Matrix};
use crate::observe::Observer;

/// Plain sweeps before the first accelerated one: the edges must have settled.
const WARM_UP: usize = 30;
/// Steps that the acceleration remembers.
const MEMORY: usize = 3;

/// A kind of graph: how its nodes are joined, and how its edges hold them.
pub(super) trait Structure {
    /// What joins the nodes.
    type Edges;

    /// The best edges between the nodes, and what they cost, in working units.
    fn connect(&mut self, nodes: &Matrix) -> Result<(Self::Edges, f64)>;

    /// The best places for the nodes under these edges and shares; `nodes` are the present ones.
    fn place(&self, edges: &Self::Edges, sums: &Sums, nodes: &Matrix) -> Result<Matrix>;

    /// The matrix of the placement times `rows`, given row after row.
    fn apply(&self, edges: &Self::Edges, mass: &[f64], rows: &[f64]) -> Vec<f64>;

    /// The edges with their weights.
    fn weighted(edges: &Self::Edges) -> Vec<(usize, usize, f64)>;
}

/// Some nodes with the best edges and the best shares for them.
struct State<S: Structure> {
    nodes: Matrix,
    edges: S::Edges,
    sums: Sums,
    J: f64,
}

impl<S: Structure> State<S> {
    fn at(nodes: Matrix, structure: &mut S, cloud: &Cloud<'_>, bandwidth: f64) -> Result<Self> {
        let (edges, cost) = structure.connect(&nodes)?;
        let sums = soft_sums(cloud, &nodes, bandwidth, Cutoff::EXACT);
        let J = sums.cost + cost;
        Ok(Self { nodes, edges, sums, J })
    }
}

/// Where the sweeps ended, in working units.
pub(super) struct Swept {
    pub nodes: Matrix,
    pub trace: Vec<f64>,
    pub end: End,
    edges: Vec<(usize, usize, f64)>,
    mass: Vec<f64>,
}

impl Swept {
    /// The graph in the coordinates of the points.
    pub fn graph(&self, cloud: &Cloud<'_>) -> Result<PrincipalGraph> {
        let nodes = cloud.to_data(self.nodes.clone());
        PrincipalGraph::new(nodes, &self.edges, self.mass.clone())
    }
}

/// How the sweeps run.
#[derive(Clone, Copy)]
pub(super) struct Pace {
    pub limits: Limits,
    pub acceleration: Acceleration,
}

/// Sweeps from `nodes`, in working coordinates, until the objective rests.
pub(super) fn sweep<S: Structure>(
    cloud: &Cloud<'_>,
    nodes: Matrix,
    bandwidth: f64,
    structure: &mut S,
    pace: Pace,
    watch: &mut dyn Observer,
) -> Result<Swept> {
    let mut here = State::at(nodes, structure, cloud, bandwidth)?;
    let mut descent = Descent::new("learning the graph", here.J, cloud.spread(), pace.limits);
    let mut anderson = Anderson::new(MEMORY);
    let mut end = descent.ask(watch);
    while end.is_none() {
        let placed = structure.place(&here.edges, &here.sums, &here.nodes)?;
        let accelerates =
            pace.acceleration == Acceleration::Anderson && descent.trace.len() > WARM_UP;
        let proposal = accelerates
            .then(|| {
                let metric = |rows: &[f64]| structure.apply(&here.edges, &here.sums.mass, rows);
                anderson.propose(here.nodes.as_slice(), placed.as_slice(), metric)
            })
            .flatten();
        if let Some(values) = proposal {
            let nodes = Matrix::new(placed.n_rows(), placed.n_cols(), values)?;
            let ahead = State::at(nodes, structure, cloud, bandwidth)?;
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
        let next = State::at(placed, structure, cloud, bandwidth)?;
        end = descent.push(next.J, watch);
        if end != Some(End::Stalled) {
            here = next;
        }
    }
    Ok(Swept {
        nodes: here.nodes,
        trace: descent.trace,
        end: end.unwrap_or(End::MaxIter),
        edges: S::weighted(&here.edges),
        mass: here.sums.mass,
    })
}
