//! How far the points scatter around a graph.

use crate::error::Result;
use crate::graph::{PrincipalGraph, Projection};
use crate::points::Blocks;

/// The most residuals from which the number of transverse dimensions is estimated.
const RESIDUALS: usize = 2_000;

/// The root mean square distance from the graph, per transverse dimension.
pub(super) fn noise(
    graph: &PrincipalGraph,
    points: &dyn Blocks,
    projection: &Projection,
) -> Result<f64> {
    let mean_square = projection.mean_squared_distance(points)?;
    let dims = transverse_dims(graph, points, projection)?;
    Ok((mean_square / dims).sqrt())
}

/// The effective number of dimensions across the graph: (Σv)²/Σv² − 1, at least 1, over the
/// variances v of the residuals' principal axes. The traces of the covariance and of its square
/// give it without eigenvalues.
pub(super) fn transverse_dims(
    graph: &PrincipalGraph,
    points: &dyn Blocks,
    projection: &Projection,
) -> Result<f64> {
    let rows = spread_rows(points, projection)?;
    let dims = points.dims();
    let numbers: Vec<usize> = rows.iter().map(|&(i, _)| i).collect();
    let mut residuals = points.read_rows(&numbers)?;
    for (r, &(i, root_weight)) in rows.iter().enumerate() {
        let nearest = projection.coordinates(graph, i);
        for (x, p) in residuals.row_mut(r).iter_mut().zip(nearest) {
            *x = (*x - p) * root_weight;
        }
    }
    let largest = residuals.as_slice().iter().fold(0.0_f64, |m, x| m.max(x.abs()));
    if largest == 0.0 {
        return Ok(1.0);
    }
    for x in residuals.as_mut_slice() {
        *x /= largest;
    }
    let r = residuals.as_faer();
    let gram = if dims <= rows.len() { r.transpose() * r } else { r * r.transpose() };
    let trace: f64 = (0..gram.nrows()).map(|i| gram[(i, i)]).sum();
    let trace_of_square = gram.squared_norm_l2();
    Ok((trace * trace / trace_of_square - 1.0).max(1.0))
}

/// All points with the roots of their weights; or [`RESIDUALS`] rows at even steps of weight from
/// the nearest to the farthest, so that neither order nor repetition matters.
fn spread_rows(points: &dyn Blocks, projection: &Projection) -> Result<Vec<(usize, f64)>> {
    if points.count_up_to(RESIDUALS + 1)? <= RESIDUALS {
        return Ok((0..points.len()).map(|i| (i, points.weight(i).sqrt())).collect());
    }
    let mut order: Vec<usize> = (0..points.len()).filter(|&i| points.weight(i) > 0.0).collect();
    order.sort_by(|&i, &j| projection.distance[i].total_cmp(&projection.distance[j]));
    let each = points.total_weight() / RESIDUALS as f64;
    let mut rows = Vec::with_capacity(RESIDUALS);
    let mut before = 0.0;
    for i in order {
        before += points.weight(i);
        while rows.len() < RESIDUALS && (rows.len() as f64 + 0.5) * each < before {
            rows.push((i, 1.0));
        }
    }
    Ok(rows)
}
