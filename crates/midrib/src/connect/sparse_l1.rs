//! The original L1-graph: each point rebuilt from all others. Zhou2013, section 2.

use super::point_graph::PointGraph;
use super::rebuild_points::{Task, rebuild_points};
use crate::error::{Error, Result};
use crate::math::Matrix;
use crate::observe::Observer;
use crate::points::Points;

/// Rebuilds each point `aᵢ` from all others, the columns of `B`: the weights are the absolute values
/// of the `x` that minimizes
///
/// ```text
/// ‖x‖₁ + ‖B x − aᵢ‖₁        (4)
/// ```
///
/// There is no number of neighbors to choose. It depends on the origin and the axes: shifted, rotated
/// or rescaled points give a different graph. The linear program of a point takes about N·D²
/// operations per step, so all take N²·D²; for large data use
/// [`kernel_knn_l1`](super::kernel_knn_l1()).
///
/// ```
/// use midrib::connect::sparse_l1;
/// use midrib::{Points, Silent};
/// // Two directions: points are rebuilt from those in the same direction.
/// let points = Points::from_f64(vec![4.0, 0.0, 8.0, 0.0, 0.0, 5.0, 0.0, 9.0], 2)?;
/// let graph = sparse_l1(&points, &mut Silent)?;
/// assert_eq!(graph.pairs(), [(0, 1), (2, 3)]);
/// # Ok::<(), midrib::Error>(())
/// ```
pub fn sparse_l1(points: &Points<'_>, watch: &mut dyn Observer) -> Result<PointGraph> {
    points.require_complete("an L1-graph")?;
    let (n, dims) = (points.len(), points.dims());
    if n < 2 {
        return Err(Error::data("there is only one point: a graph needs at least two"));
    }
    // One row per column of the points.
    let mut columns = Matrix::zeros(dims, n);
    let mut row = vec![0.0; dims];
    for i in 0..n {
        points.copy_row(i, &mut row);
        for (d, &x) in row.iter().enumerate() {
            columns.row_mut(d)[i] = x;
        }
    }
    rebuild_points(n, watch, |i| {
        let mut matrix = Matrix::zeros(dims, n - 1);
        for d in 0..dims {
            let (from, to) = (columns.row(d), matrix.row_mut(d));
            to[..i].copy_from_slice(&from[..i]);
            to[i..].copy_from_slice(&from[i + 1..]);
        }
        Task {
            from: (0..n).filter(|&j| j != i).collect(),
            target: (0..dims).map(|d| columns.row(d)[i]).collect(),
            differences: Vec::new(),
            matrix,
        }
    })
}
