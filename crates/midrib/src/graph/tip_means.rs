//! The mean value of the points around each tip, for example to choose a root.

use super::{PrincipalGraph, Projection};
use crate::error::{Error, Result};

/// The mean of a tip is taken over at least this many points ...
const MIN_POINTS: usize = 10;
/// ... and at least this share of all points.
const MIN_SHARE: f64 = 0.01;

/// The mean value of the points around a tip.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TipMean {
    /// The tip.
    pub node: usize,
    /// The mean value of the points around it.
    pub mean: f64,
    /// The number of these points.
    pub points: usize,
}

impl PrincipalGraph {
    /// The mean value of the points around each tip; in components without tips, around each node.
    ///
    /// The points around a tip are those of the nodes nearest to it along the graph, until there
    /// are at least ten points and 1 % of all points. `values` has one value per point, NaN if
    /// missing. Tips whose component has no value are left out.
    ///
    /// ```
    /// use midrib::Points;
    /// use midrib::graph::PrincipalGraph;
    /// use midrib::math::Matrix;
    /// let nodes = Matrix::from_rows(&[[0.0], [1.0], [2.0]])?;
    /// let graph = PrincipalGraph::new(nodes, &[(0, 1, 1.0), (1, 2, 1.0)], vec![1.0; 3])?;
    /// let x: Vec<f64> = (0..60).map(|i| f64::from(i) / 30.0).collect();
    /// let projection = graph.project(&Points::from_f64(x.clone(), 1)?)?;
    /// let tips = graph.tip_means(&projection, &x)?;
    /// assert_eq!((tips[0].node, tips[1].node), (0, 2));
    /// assert!(tips[0].mean < tips[1].mean);
    /// # Ok::<(), midrib::Error>(())
    /// ```
    pub fn tip_means(&self, projection: &Projection, values: &[f64]) -> Result<Vec<TipMean>> {
        self.means_around(&self.tips_or_ring_nodes(), projection, values)
    }

    /// The same around any nodes.
    pub fn means_around(
        &self,
        nodes: &[usize],
        projection: &Projection,
        values: &[f64],
    ) -> Result<Vec<TipMean>> {
        self.check_projection(projection)?;
        if values.len() != projection.node.len() {
            return Err(Error::shape("values", projection.node.len(), values.len()));
        }
        let mut sums = vec![(0.0, 0_usize); self.nodes().n_rows()];
        let mut n_values = 0;
        for (&node, value) in projection.node.iter().zip(values) {
            if value.is_finite() {
                sums[node].0 += value;
                sums[node].1 += 1;
                n_values += 1;
            }
        }
        let wanted = MIN_POINTS.max((MIN_SHARE * n_values as f64).ceil() as usize);
        let around = |node: usize| {
            let (mut sum, mut points) = (0.0, 0);
            self.reach_until(&[node], |near| {
                sum += sums[near].0;
                points += sums[near].1;
                points >= wanted
            });
            TipMean { node, mean: sum / points as f64, points }
        };
        Ok(nodes.iter().map(|&node| around(node)).filter(|tip| tip.points > 0).collect())
    }

    /// The tips, and every node of components without tips.
    fn tips_or_ring_nodes(&self) -> Vec<usize> {
        let components = self.components();
        let mut has_tip = vec![false; components.count];
        for tip in self.tips() {
            has_tip[components.of_node[tip]] = true;
        }
        let wanted = |&node: &usize| self.degree(node) == 1 || !has_tip[components.of_node[node]];
        (0..self.nodes().n_rows()).filter(wanted).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Matrix;
    use crate::points::Points;

    /// A star of 31 nodes with three arms of length 10, and points along the arms.
    fn star() -> (PrincipalGraph, Points<'static>) {
        let arms = [[1.0, 0.0], [-0.5, 0.8], [-0.5, -0.8]];
        let mut nodes = vec![[0.0, 0.0]];
        let mut edges = Vec::new();
        for arm in arms {
            for step in 1..=10 {
                let from = if step == 1 { 0 } else { nodes.len() - 1 };
                edges.push((from, nodes.len(), 1.0));
                nodes.push(arm.map(|x| x * f64::from(step)));
            }
        }
        let rows = arms
            .iter()
            .flat_map(|arm| (0..100).flat_map(move |i| arm.map(|x| x * f64::from(i) / 10.0)));
        let points = Points::from_f64(rows.collect::<Vec<_>>(), 2).unwrap();
        let n = nodes.len();
        let graph =
            PrincipalGraph::new(Matrix::from_rows(&nodes).unwrap(), &edges, vec![1.0; n]).unwrap();
        (graph, points)
    }

    #[test]
    fn the_mean_is_over_the_points_around_the_tip() {
        let (graph, points) = star();
        let projection = graph.project(&points).unwrap();
        let values: Vec<f64> = (0..300).map(|i| if i < 200 { f64::NAN } else { 1.0 }).collect();
        let tips = graph.tip_means(&projection, &values).unwrap();
        assert_eq!(tips.iter().map(|tip| tip.node).collect::<Vec<_>>(), [10, 20, 30]);
        assert_eq!(tips[2].mean, 1.0);
        let share: Vec<f64> = (0..300).map(|i| f64::from(u8::from(i % 100 > 80))).collect();
        assert!(graph.tip_means(&projection, &share).unwrap().iter().all(|tip| tip.mean == 1.0));
        let missing = vec![f64::NAN; 300];
        assert!(graph.tip_means(&projection, &missing).unwrap().is_empty());
        let message = graph.tip_means(&projection, &[1.0]).unwrap_err().to_string();
        assert_eq!(message, "values: expected 300, found 1");
    }

    #[test]
    fn every_node_of_a_ring_counts() {
        let nodes = Matrix::from_rows(&[[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [5.0, 5.0]]).unwrap();
        let ring = [(0, 1, 1.0), (1, 2, 1.0), (0, 2, 1.0)];
        let graph = PrincipalGraph::new(nodes, &ring, vec![1.0; 4]).unwrap();
        assert_eq!(graph.tips_or_ring_nodes(), [0, 1, 2, 3]);
    }
}
