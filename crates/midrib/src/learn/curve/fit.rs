//! The loop. Gorban2009, Hastie and Stuetzle algorithm for a finite data set.

use super::line::Line;
use super::local_linear::local_linear;
use super::settings::{LineStructure, PrincipalCurve};
use crate::assign::hard_sums;
use crate::error::{Error, Result};
use crate::graph::PrincipalGraph;
use crate::learn::choices::NodeCount;
use crate::learn::method::{Method, to_value};
use crate::learn::result::{Choice, End, Fit};
use crate::learn::rounds::Rounds;
use crate::learn::weighted_rows::WeightedRows;
use crate::observe::Observer;
use crate::points::{Blocks, Cloud};

/// Nodes where their number is left open.
const NODES: usize = 1000;

/// Learns the curve.
pub(super) fn fit(
    settings: &PrincipalCurve,
    points: &dyn Blocks,
    watch: &mut dyn Observer,
) -> Result<Fit> {
    let cloud = Cloud::new(points)?;
    let rows = WeightedRows::new(&cloud)?;
    let count = node_count(settings.n_nodes, cloud.len())?;
    let closed = settings.structure == LineStructure::Closed;
    let mut line = Line::start(&cloud, closed)?; // step 1
    let mut rounds = Rounds::new("smoothing the curve", settings.limits());
    let end = loop {
        let along = line.project(&rows)?; // step 2
        let end = rounds.push(along.mean_squared * cloud.square_unit(), watch);
        if let Some(end) = end {
            break end;
        }
        let nodes = local_linear(&rows, &along, settings.span, count)?; // step 3
        if closed && nodes.n_rows() < 3 {
            break End::Stalled;
        }
        line = Line::new(nodes, closed)?; // step 4
    };
    let found = line.graph.nodes().n_rows();
    let reason = "one per distinct projection, at most 1000";
    Ok(Fit {
        method: PrincipalCurve::NAME,
        object: in_data(&cloud, line.graph)?.into(),
        iterations: rounds.trace.len(),
        trace: rounds.trace,
        end,
        settings: to_value(settings),
        choices: (settings.n_nodes == NodeCount::Auto)
            .then(|| Choice::new("n_nodes", found, reason))
            .into_iter()
            .collect(),
        tuning: None,
        notes: Vec::new(),
    })
}

/// The largest number of nodes.
fn node_count(wanted: NodeCount, points: usize) -> Result<usize> {
    match wanted {
        NodeCount::Auto => Ok(NODES),
        NodeCount::All => Ok(points),
        NodeCount::Exactly(count) if count > points => {
            let reason = format!("there are only {points} points: give at most that many");
            Err(Error::setting("n_nodes", count, reason))
        }
        NodeCount::Exactly(count) => Ok(count),
    }
}

/// The graph in the coordinates of the points, with the mass of its nodes.
fn in_data(cloud: &Cloud<'_>, graph: PrincipalGraph) -> Result<PrincipalGraph> {
    let mass = hard_sums(cloud, graph.nodes(), f64::INFINITY)?.mass;
    let edges: Vec<_> = graph.edges().iter().map(|edge| (edge.a, edge.b, edge.weight)).collect();
    PrincipalGraph::new(cloud.to_data(graph.nodes().clone()), &edges, mass)
}
