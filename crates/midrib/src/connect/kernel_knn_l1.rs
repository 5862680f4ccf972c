//! The kernel L1-graph among nearest neighbors. Zhou2013, section 3.2.

use super::fused_lasso::neighbor_task;
use super::point_graph::PointGraph;
use super::rebuild_points::rebuild_points;
use super::similarities::Similarities;
use crate::error::Result;
use crate::observe::Observer;

/// Rebuilds each point from its `k` neighbors. With `K` the similarities among these and `Kᵢ` the
/// similarities of the point to them, the weights are the absolute values of the `x` that minimizes
///
/// ```text
/// ‖x‖₁ + ‖K x − Kᵢ‖₁        (10)
/// ```
///
/// Only neighbors that the point needs get an edge. Equal points need no others: if every row
/// occurs twice, each is connected only to its copy.
///
/// ```
/// use midrib::connect::{Similarities, kernel_knn_l1};
/// use midrib::{Points, Silent};
/// let points = Points::from_f64(vec![0.0, 0.0, 1.0, 1.0, 2.0, 2.0], 1)?;
/// let similarities = Similarities::new(&points, "gaussian:1".parse()?)?;
/// let graph = kernel_knn_l1(&similarities, 5, &mut Silent)?;
/// assert_eq!(graph.pairs(), [(0, 1), (2, 3), (4, 5)]);
/// # Ok::<(), midrib::Error>(())
/// ```
pub fn kernel_knn_l1(
    similarities: &Similarities,
    k: usize,
    watch: &mut dyn Observer,
) -> Result<PointGraph> {
    let neighbors = similarities.neighbors(k)?;
    rebuild_points(similarities.len(), watch, |i| {
        neighbor_task(similarities, i, &neighbors[i], 0, 0.0)
    })
}
