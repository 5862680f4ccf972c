//! The share of the points' variance that a graph explains.

use crate::points::{Blocks, Cloud};
use crate::prepare::deviations;

/// 1 − mean squared distance to the graph / total variance; `None` if the points do not vary.
/// Missing values are left out of distances and variance.
///
/// ```
/// use midrib::Points;
/// use midrib::graph::PrincipalGraph;
/// use midrib::math::Matrix;
/// use midrib::measure::explained;
/// let nodes = Matrix::from_rows(&[[-2.0, 0.0], [2.0, 0.0]])?;
/// let graph = PrincipalGraph::new(nodes, &[(0, 1, 1.0)], vec![1.0; 2])?;
/// let points = Points::from_f64(vec![-2.0, 1.0, -2.0, -1.0, 2.0, 1.0, 2.0, -1.0], 2)?;
/// let mean_squared_distance = graph.project(&points)?.mean_squared_distance(&points)?;
/// assert_eq!(explained(mean_squared_distance, &points), Some(0.8));
/// # Ok::<(), midrib::Error>(())
/// ```
pub fn explained(mean_squared_distance: f64, points: &dyn Blocks) -> Option<f64> {
    let variance: f64 = if points.count_missing().ok()? == 0 {
        deviations(points).ok()?.iter().map(|d| d * d).sum()
    } else {
        let cloud = Cloud::with_missing(points).ok()?;
        cloud.spread() * cloud.square_unit() / points.total_weight()
    };
    let share = 1.0 - mean_squared_distance / variance;
    share.is_finite().then_some(share)
}
