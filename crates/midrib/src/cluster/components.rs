//! Clusters from the connected components of a principal graph.

use crate::error::Result;
use crate::graph::PrincipalGraph;
use crate::points::Points;

/// The connected component of each point's projection, numbered as in
/// [`PrincipalGraph::components`].
///
/// ```
/// use midrib::Points;
/// use midrib::cluster::components;
/// use midrib::graph::PrincipalGraph;
/// use midrib::math::Matrix;
/// let nodes = Matrix::from_rows(&[[0.0], [1.0], [5.0], [6.0]])?;
/// let graph = PrincipalGraph::new(nodes, &[(0, 1, 1.0), (2, 3, 1.0)], vec![1.0; 4])?;
/// assert_eq!(components(&graph, &Points::from_f64(vec![0.2, 5.5, 2.0], 1)?)?, [0, 1, 0]);
/// # Ok::<(), midrib::Error>(())
/// ```
pub fn components(graph: &PrincipalGraph, points: &Points<'_>) -> Result<Vec<usize>> {
    Ok(graph.project(points)?.component(graph))
}
