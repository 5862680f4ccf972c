//! From the points to a graph and a verdict.

use std::ops::ControlFlow;

use super::grow::{axis, grow, side_by_side};
use super::refit::positions;
use super::sample::{Axes, Sample};
use super::scatter::Scatter;
use super::settings::AutoGraph;
use super::skeleton::pairs;
use crate::error::Result;
use crate::graph::PrincipalGraph;
use crate::learn::method::{Method, to_value};
use crate::learn::result::{End, Fit};
use crate::observe::{Observer, Progress};
use crate::points::{Cloud, Points};

/// With fewer distinct points no structure can be distinguished from chance.
const FEWEST: usize = 20;

/// Learns the graph.
pub(super) fn fit(
    settings: &AutoGraph,
    points: &Points<'_>,
    watch: &mut dyn Observer,
) -> Result<Fit> {
    let cloud = Cloud::new(points)?;
    cloud.require_spread()?;
    let (sample, axes) = Sample::new(&cloud)?;
    let few = sample.len() < FEWEST;
    let mut groups = if few { Vec::new() } else { sample.groups() };
    if groups.is_empty() {
        groups.push(sample);
    }
    let (mut graphs, mut without_lines) = (Vec::new(), 0);
    let mut end = End::Converged;
    for (done, group) in groups.iter().enumerate() {
        let stage = "reading the structure";
        let progress = Progress { stage, done, of: groups.len(), objective: None };
        if watch.progress(progress) == ControlFlow::Break(()) {
            end = End::Interrupted;
        }
        if few || end == End::Interrupted {
            graphs.push(axis(group)?);
            continue;
        }
        let grown = grow(group, settings.seed, watch)?;
        if grown.has_lines() {
            graphs.push(grown.graph);
        } else {
            without_lines += 1;
            graphs.push(axis(group)?);
        }
    }
    let graph = in_all_columns(&side_by_side(&graphs)?, &axes, &cloud)?;
    Ok(Fit {
        method: AutoGraph::NAME,
        object: graph.into(),
        trace: Vec::new(),
        iterations: groups.len(),
        end,
        settings: to_value(settings),
        choices: Vec::new(),
        tuning: None,
        notes: notes(few, without_lines, groups.len()),
    })
}

/// The graph in the coordinates of all points, moved to where these are.
fn in_all_columns(
    graph: &PrincipalGraph,
    axes: &Axes,
    cloud: &Cloud<'_>,
) -> Result<PrincipalGraph> {
    let rows: Vec<usize> = (0..cloud.len()).collect();
    let rows = cloud.read_rows(&rows)?;
    let mean = cloud.total_weight() / cloud.len() as f64;
    let weights = (0..cloud.len()).map(|i| cloud.weight(i) / mean).collect();
    let all = Sample { x: axes.scores(rows.clone()), weights };
    let bend = Scatter::new(graph, &all)?.bend(graph, &all);
    let nodes = cloud.to_data(positions(graph, &all, &rows, bend)?);
    let edges: Vec<_> = pairs(graph).into_iter().map(|(a, b)| (a, b, 1.0)).collect();
    let mut mass = vec![0.0; nodes.n_rows()];
    let moved = PrincipalGraph::new(nodes.clone(), &edges, mass.clone())?;
    let nearest = moved.project(cloud.source())?.node;
    nearest.iter().enumerate().for_each(|(i, &node)| mass[node] += cloud.weight(i));
    PrincipalGraph::new(nodes, &edges, mass)
}

fn notes(few: bool, without_lines: usize, groups: usize) -> Vec<String> {
    let mut notes = Vec::new();
    if few {
        notes.push(format!(
            "fewer than {FEWEST} distinct points: no structure can be distinguished from chance, so this is \
             the first principal axis"
        ));
    }
    if without_lines == groups && groups == 1 {
        notes.push(
            "the points follow no lines (a blob, a sheet or noise), so this is their first principal \
             axis; learn a sheet with elastic-map or groups with kmeans"
                .into(),
        );
    } else if without_lines > 0 {
        notes.push(format!(
            "{without_lines} of {groups} separate groups of points follow no lines of their own: each \
             has its first principal axis"
        ));
    }
    notes
}
