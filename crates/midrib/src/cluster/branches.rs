//! Clusters from the branches of a principal graph.

use crate::error::Result;
use crate::graph::PrincipalGraph;
use crate::points::Points;

/// The branch of each point's projection, numbered as in [`PrincipalGraph::branches`].
///
/// ```
/// use midrib::Points;
/// use midrib::cluster::branches;
/// use midrib::graph::PrincipalGraph;
/// use midrib::math::Matrix;
/// let nodes = Matrix::from_rows(&[[0.0, 0.0], [1.0, 0.0], [2.0, 1.0], [2.0, -1.0]])?;
/// let fork = PrincipalGraph::new(nodes, &[(0, 1, 1.0), (1, 2, 1.0), (1, 3, 1.0)], vec![1.0; 4])?;
/// let points = Points::from_f64(vec![0.5, 0.1, 1.9, 0.8, 1.9, -0.8, 0.1, 0.0], 2)?;
/// assert_eq!(branches(&fork, &points)?, [0, 1, 2, 0]);
/// # Ok::<(), midrib::Error>(())
/// ```
pub fn branches(graph: &PrincipalGraph, points: &Points<'_>) -> Result<Vec<usize>> {
    Ok(graph.project(points)?.branch(graph))
}
