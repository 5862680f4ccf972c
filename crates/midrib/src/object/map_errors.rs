//! How well a map keeps to its points, and where on it neighbors are far apart.

use crate::error::{Error, Result};
use crate::graph::PrincipalGraph;
use crate::math::observed_squared_distance;
use crate::points::{Blocks, Cloud};

/// The errors of a map, both small where it is good.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MapErrors {
    /// The mean distance of the points from their nearest nodes.
    pub quantization: f64,
    /// The share of the points whose two nearest nodes are not neighbors on the net.
    pub topographic: f64,
}

impl MapErrors {
    /// The errors of these nodes and edges. Missing values are skipped; weights count.
    ///
    /// ```
    /// use midrib::graph::PrincipalGraph;
    /// use midrib::object::MapErrors;
    /// use midrib::{Points, math::Matrix};
    /// let nodes = Matrix::from_rows(&[[0.0], [2.0], [1.0]])?;
    /// let chain = PrincipalGraph::new(nodes, &[(0, 1, 1.0), (1, 2, 1.0)], vec![1.0; 3])?;
    /// let points = Points::from_f64(vec![0.1, 1.9], 1)?; // between 0 and 2, then 1 and 2
    /// let errors = MapErrors::of(&chain, &points)?;
    /// assert!((errors.quantization - 0.1).abs() < 1e-12 && errors.topographic == 0.5);
    /// # Ok::<(), midrib::Error>(())
    /// ```
    pub fn of(graph: &PrincipalGraph, points: &dyn Blocks) -> Result<Self> {
        let (expected, found) = (graph.nodes().n_cols(), points.dims());
        if expected != found {
            return Err(Error::shape("columns of the points", expected, found));
        }
        let cloud = Cloud::with_missing(points)?;
        let nodes = &cloud.to_working(graph.nodes().clone());
        let of_blocks = cloud.per_block(|chunk, rows| {
            let mut row = vec![0.0; chunk.dims()];
            let (mut far, mut torn) = (0.0, 0.0);
            for i in rows {
                chunk.copy_row(i, &mut row);
                let squared = nodes.rows().map(|y| observed_squared_distance(&row, y));
                let [(nearest, first), (_, second)] = two_smallest(squared);
                far += chunk.weight(i) * nearest.sqrt();
                let joined = |&(_, other): &(usize, usize)| other == second;
                let is_torn = second != first && !graph.neighbors(first).iter().any(joined);
                torn += if is_torn { chunk.weight(i) } else { 0.0 };
            }
            (far, torn)
        })?;
        let total = cloud.total_weight();
        let far: f64 = of_blocks.iter().map(|block| block.0).sum();
        let torn: f64 = of_blocks.iter().map(|block| block.1).sum();
        Ok(Self { quantization: far / total / cloud.scale(), topographic: torn / total })
    }
}

/// The two smallest values and where they are; of equal ones the first. One value is both.
fn two_smallest(values: impl Iterator<Item = f64>) -> [(f64, usize); 2] {
    let mut least = [(f64::INFINITY, 0); 2];
    for (at, value) in values.enumerate() {
        if value < least[0].0 {
            least = [(value, at), least[0]];
        } else if value < least[1].0 {
            least[1] = (value, at);
        }
    }
    if least[1].0 == f64::INFINITY { [least[0]; 2] } else { least }
}

/// The U-matrix: for each node the mean distance of its neighbors on the net in the data space. High
/// values are ridges between groups of points.
///
/// ```
/// use midrib::graph::PrincipalGraph;
/// use midrib::math::Matrix;
/// use midrib::object::u_matrix;
/// let nodes = Matrix::from_rows(&[[0.0], [1.0], [5.0]])?;
/// let chain = PrincipalGraph::new(nodes, &[(0, 1, 1.0), (1, 2, 1.0)], vec![1.0; 3])?;
/// assert_eq!(u_matrix(&chain), [1.0, 2.5, 4.0]);
/// # Ok::<(), midrib::Error>(())
/// ```
pub fn u_matrix(graph: &PrincipalGraph) -> Vec<f64> {
    let mut sums = vec![(0.0, 0.0); graph.nodes().n_rows()];
    for edge in graph.edges() {
        for node in [edge.a, edge.b] {
            sums[node].0 += edge.length;
            sums[node].1 += 1.0;
        }
    }
    sums.into_iter().map(|(sum, count)| if count > 0.0 { sum / count } else { 0.0 }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ties_go_to_the_first_and_one_value_is_both() {
        assert_eq!(two_smallest([3.0, 1.0, 2.0, 1.0].into_iter()), [(1.0, 1), (1.0, 3)]);
        assert_eq!(two_smallest([4.0].into_iter()), [(4.0, 0), (4.0, 0)]);
    }
}
