//! Tips of an elastic graph, tidied by the points near it.

use crate::error::Result;
use crate::graph::PrincipalGraph;
use crate::learn::noise::noise;
use crate::learn::tips::tidy;
use crate::learn::trimming::Trimming;
use crate::points::{Blocks, Points, all_rows};

/// The graph with tidied tips, judged by points within the trimming radius whose missing values are
/// filled in from the graph.
pub(super) fn tidied(
    graph: PrincipalGraph,
    points: &dyn Blocks,
    missing: usize,
    trimming: &Trimming,
    method: &str,
) -> Result<PrincipalGraph> {
    let filled = match missing {
        0 => None,
        _ => Some(filled(&graph, &*all_rows(points, method, 2 * points.dims())?)?),
    };
    let points: &dyn Blocks = filled.as_ref().map_or(points, |filled| filled);
    let near = trimming.within_radius(&graph, points)?;
    let points = near.as_ref().map_or(points, |near| near);
    let noise = noise(&graph, points, &graph.project(points)?)?;
    tidy(graph, points, noise)
}

/// The points with missing values filled in from their projections onto the graph.
fn filled(graph: &PrincipalGraph, points: &Points<'_>) -> Result<Points<'static>> {
    let projection = graph.project(points)?;
    let dims = points.dims();
    let mut values = vec![0.0; points.len() * dims];
    for (i, row) in values.chunks_exact_mut(dims).enumerate() {
        points.copy_row(i, row);
        let projected = projection.coordinates(graph, i);
        let missing = row.iter_mut().zip(projected).filter(|(x, _)| x.is_nan());
        missing.for_each(|(x, projected)| *x = projected);
    }
    let weights: Vec<f64> = (0..points.len()).map(|i| points.weight(i)).collect();
    Points::from_f64(values, dims)?.with_weights(weights)
}
