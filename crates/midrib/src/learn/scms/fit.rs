//! The loop. Ozertem2011, subspace constrained mean shift.

use std::ops::ControlFlow;

use super::settings::Scms;
use crate::assign::hard_sums;
use crate::connect::spanning_tree;
use crate::error::{Error, Result};
use crate::graph::PrincipalGraph;
use crate::learn::choices::{AutoOr, NodeCount};
use crate::learn::method::{Method, to_value};
use crate::learn::proportion::working_bandwidth;
use crate::learn::result::{Choice, End, Fit};
use crate::learn::ridge::{Ascent, Density, density_bandwidth};
use crate::learn::weighted_rows::WeightedRows;
use crate::math::{Matrix, squared_distance};
use crate::observe::{Observer, Progress};
use crate::points::{Blocks, Cloud};

/// The most nodes where their number is left open.
const NODES: usize = 1000;
/// The distance of nodes where their number is left open, as a share of the root of the bandwidth.
const SPACING: f64 = 0.5;
/// Ridge points nearer than this share of the root of the bandwidth are the same.
const SAME: f64 = 1e-6;

/// Learns the ridge.
pub(super) fn fit(settings: &Scms, points: &dyn Blocks, watch: &mut dyn Observer) -> Result<Fit> {
    let cloud = Cloud::new(points)?;
    let rows = WeightedRows::new(&cloud)?;
    check_count(settings.n_nodes, cloud.len())?;
    let unit = cloud.square_unit();
    let bandwidth = match settings.bandwidth {
        AutoOr::Fixed(bandwidth) => working_bandwidth(bandwidth, unit)?,
        AutoOr::Auto => density_bandwidth(&rows),
    };
    // From working units to those of the points.
    let log_unit = rows.x.n_cols() as f64 * cloud.scale().ln();
    let density = Density::new(&rows, bandwidth);
    let mut ascent = density.start(rows.x.clone())?;
    let mut trace = vec![rows.mean(&ascent.log_density) + log_unit];
    let least = settings.tol * bandwidth.sqrt();
    let end = loop {
        if ask(settings, &trace, watch) == ControlFlow::Break(()) {
            break End::Interrupted;
        }
        if trace.len() > settings.max_iter {
            break End::MaxIter;
        }
        if density.climb(&mut ascent, least)? == 0 {
            break End::Converged;
        }
        trace.push(rows.mean(&ascent.log_density) + log_unit);
    };
    let nodes = nodes(settings, &ascent, bandwidth.sqrt());
    let tree = spanning_tree(&nodes);
    let mass = hard_sums(&cloud, &nodes, f64::INFINITY)?.mass;
    let edges: Vec<_> = tree.edges.iter().map(|&(a, b)| (a, b, 1.0)).collect();
    let mut choices = Vec::new();
    if settings.bandwidth == AutoOr::Auto {
        let reason = "the mean squared distance to the ⌈log₂ N⌉-th nearest point";
        choices.push(Choice::new("bandwidth", bandwidth * unit, reason));
    }
    if settings.n_nodes == NodeCount::Auto {
        let reason = "one per half root of the bandwidth along the ridge, at most 1000";
        choices.push(Choice::new("n_nodes", nodes.n_rows(), reason));
    }
    Ok(Fit {
        method: Scms::NAME,
        object: PrincipalGraph::new(cloud.to_data(nodes), &edges, mass)?.into(),
        iterations: trace.len() - 1,
        trace,
        end,
        settings: to_value(settings),
        choices,
        tuning: None,
        notes: Vec::new(),
    })
}

fn ask(settings: &Scms, trace: &[f64], watch: &mut dyn Observer) -> ControlFlow<()> {
    watch.progress(Progress {
        stage: "climbing to the ridge",
        done: trace.len() - 1,
        of: settings.max_iter,
        objective: trace.last().copied(),
    })
}

/// Refuses more nodes than points.
fn check_count(wanted: NodeCount, points: usize) -> Result<()> {
    match wanted {
        NodeCount::Exactly(count) if count > points => {
            let reason = format!("there are only {points} points: give at most that many");
            Err(Error::setting("n_nodes", count, reason))
        }
        _ => Ok(()),
    }
}

/// Distinct ridge points: the densest, and then always the one farthest from those before.
fn nodes(settings: &Scms, ascent: &Ascent, root: f64) -> Matrix {
    let (most, spacing) = match settings.n_nodes {
        NodeCount::Auto => (NODES, SPACING * root),
        NodeCount::All => (usize::MAX, SAME * root),
        NodeCount::Exactly(count) => (count, SAME * root),
    };
    let positions = &ascent.positions;
    let n = positions.n_rows();
    let mut away = vec![f64::INFINITY; n];
    let mut next = (1..n)
        .fold(0, |best, i| if ascent.log_density[i] > ascent.log_density[best] { i } else { best });
    let mut chosen = Vec::new();
    while chosen.len() < most && away[next] > spacing * spacing {
        chosen.push(next);
        let last = positions.row(next);
        for (i, away) in away.iter_mut().enumerate() {
            *away = away.min(squared_distance(positions.row(i), last));
        }
        next = (1..n).fold(0, |best, i| if away[i] > away[best] { i } else { best });
    }
    positions.select_rows(chosen)
}
