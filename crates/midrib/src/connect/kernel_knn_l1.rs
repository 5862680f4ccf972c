//! The L1-graph among neighbours, by a kernel. Zhou2013, section 3.2.

use super::fused_lasso::neighbor_task;
use super::point_graph::PointGraph;
use super::rebuild_points::rebuild_points;
use super::similarities::Similarities;
use crate::error::Result;
use crate::observe::Observer;

/// Rebuilds each point from its `k` neighbours: with `K` the similarities among these and `Kᵢ`
/// those of the point to them, the weights are the sizes of the `x` that minimises
///
/// ```text
/// ‖x‖₁ + ‖K x − Kᵢ‖₁        (10)
/// ```
///
/// Only neighbours that the point needs get an edge. Equal points need nothing else: where
/// every row occurs twice, each is joined to its copy alone.
///
/// ```
/// use midrib::connect::{Similarities, kernel_knn_l1};
/// use midrib::{Points, Silent};
/// let points = Points::from_f64(vec![0.0, 0.0, 1.0, 1.0, 2.0, 2.0], 1)?;
/// let alike = Similarities::new(&points, "gaussian:1".parse()?)?;
/// let graph = kernel_knn_l1(&alike, 5, &mut Silent)?;
/// assert_eq!(graph.pairs(), [(0, 1), (2, 3), (4, 5)]);
/// # Ok::<(), midrib::Error>(())
/// ```
pub fn kernel_knn_l1(
    alike: &Similarities,
    k: usize,
    watch: &mut dyn Observer,
) -> Result<PointGraph> {
    let neighbors = alike.neighbors(k)?;
    rebuild_points(alike.len(), watch, |i| neighbor_task(alike, i, &neighbors[i], 0, 0.0))
}
