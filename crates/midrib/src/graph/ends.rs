//! Ends: what the points about each tip say, to find the one where something begins.

use super::{PrincipalGraph, Projection};
use crate::error::{Error, Result};

/// An end is judged by at least this many points ...
const FEWEST_POINTS: usize = 10;
/// ... and at least this share of them all.
const SHARE: f64 = 0.01;

/// What the points about an end say.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EndMean {
    /// The end.
    pub node: usize,
    /// The mean of the values of the points about it.
    pub mean: f64,
    /// How many points that are.
    pub points: usize,
}

impl PrincipalGraph {
    /// The mean value of the points about each tip; in components without tips, about each node.
    ///
    /// A tip's points are those of the nodes nearest to it along the graph: as many nodes as it
    /// takes for ten points and for 1 % of all. One value per point; NaN where it is unknown.
    /// Ends whose component has no known value are left out.
    ///
    /// ```
    /// use midrib::Points;
    /// use midrib::graph::PrincipalGraph;
    /// use midrib::math::Matrix;
    /// let nodes = Matrix::from_rows(&[[0.0], [1.0], [2.0]])?;
    /// let graph = PrincipalGraph::new(nodes, &[(0, 1, 1.0), (1, 2, 1.0)], vec![1.0; 3])?;
    /// let x: Vec<f64> = (0..60).map(|i| f64::from(i) / 30.0).collect();
    /// let projection = graph.project(&Points::from_f64(x.clone(), 1)?)?;
    /// let ends = graph.end_means(&projection, &x)?;
    /// assert_eq!((ends[0].node, ends[1].node), (0, 2));
    /// assert!(ends[0].mean < ends[1].mean);
    /// # Ok::<(), midrib::Error>(())
    /// ```
    pub fn end_means(&self, projection: &Projection, values: &[f64]) -> Result<Vec<EndMean>> {
        self.means_about(&self.ends(), projection, values)
    }

    /// The same about any nodes.
    pub fn means_about(
        &self,
        nodes: &[usize],
        projection: &Projection,
        values: &[f64],
    ) -> Result<Vec<EndMean>> {
        self.check_places(projection)?;
        if values.len() != projection.node.len() {
            return Err(Error::shape("values", projection.node.len(), values.len()));
        }
        let mut sums = vec![(0.0, 0_usize); self.nodes().n_rows()];
        let mut known = 0;
        for (&node, value) in projection.node.iter().zip(values) {
            if value.is_finite() {
                sums[node].0 += value;
                sums[node].1 += 1;
                known += 1;
            }
        }
        let wanted = FEWEST_POINTS.max((SHARE * known as f64).ceil() as usize);
        let about = |node: usize| {
            let (mut sum, mut points) = (0.0, 0);
            self.reach_until(&[node], |near| {
                sum += sums[near].0;
                points += sums[near].1;
                points >= wanted
            });
            EndMean { node, mean: sum / points as f64, points }
        };
        Ok(nodes.iter().map(|&node| about(node)).filter(|end| end.points > 0).collect())
    }

    /// The tips, and every node of components without tips.
    fn ends(&self) -> Vec<usize> {
        let components = self.components();
        let mut has_tip = vec![false; components.count];
        for tip in self.tips() {
            has_tip[components.of_node[tip]] = true;
        }
        let is_end = |&node: &usize| self.degree(node) == 1 || !has_tip[components.of_node[node]];
        (0..self.nodes().n_rows()).filter(is_end).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Matrix;
    use crate::points::Points;

    /// A Y of 31 nodes with arms of length 10, and points along them.
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
    fn an_end_is_judged_by_the_points_about_it() {
        let (graph, points) = star();
        let projection = graph.project(&points).unwrap();
        let values: Vec<f64> = (0..300).map(|i| if i < 200 { f64::NAN } else { 1.0 }).collect();
        let ends = graph.end_means(&projection, &values).unwrap();
        assert_eq!(ends.iter().map(|end| end.node).collect::<Vec<_>>(), [10, 20, 30]);
        assert_eq!(ends[2].mean, 1.0);
        let share: Vec<f64> = (0..300).map(|i| f64::from(u8::from(i % 100 > 80))).collect();
        assert!(graph.end_means(&projection, &share).unwrap().iter().all(|end| end.mean == 1.0));
        let unknown = vec![f64::NAN; 300];
        assert!(graph.end_means(&projection, &unknown).unwrap().is_empty());
        let message = graph.end_means(&projection, &[1.0]).unwrap_err().to_string();
        assert_eq!(message, "values: expected 300, found 1");
    }

    #[test]
    fn every_node_of_a_ring_is_an_end() {
        let nodes = Matrix::from_rows(&[[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [5.0, 5.0]]).unwrap();
        let ring = [(0, 1, 1.0), (1, 2, 1.0), (0, 2, 1.0)];
        let graph = PrincipalGraph::new(nodes, &ring, vec![1.0; 4]).unwrap();
        assert_eq!(graph.ends(), [0, 1, 2, 3]);
    }
}
