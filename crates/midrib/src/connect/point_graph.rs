//! A sparse weighted graph of points.

use super::candidates::Candidates;
use crate::math::Sets;

/// Points connected by weighted edges, and how well each point was rebuilt from others.
///
/// ```
/// use midrib::connect::{Similarities, knn};
/// use midrib::Points;
/// let points = Points::from_f64(vec![0.0, 1.0, 5.0, 6.0], 1)?;
/// let graph = knn(&Similarities::new(&points, "gaussian:2".parse()?)?, 1)?;
/// assert_eq!(graph.pairs(), [(0, 1), (2, 3)]);
/// assert_eq!(graph.components().len(), 2);
/// # Ok::<(), midrib::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct PointGraph {
    /// The number of points.
    pub n_points: usize,
    /// Edges `(a, b, weight)` of positive weight, `a < b`, in ascending order.
    pub edges: Vec<(usize, usize, f64)>,
    /// How well the points were rebuilt from each other; `None` for a k-NN graph.
    pub rebuilt: Option<Rebuilt>,
}

/// How well points were rebuilt from each other.
#[derive(Clone, Debug, PartialEq)]
pub struct Rebuilt {
    /// The cost of rebuilding each point: the value of its linear program.
    pub costs: Vec<f64>,
    /// The largest proven gap between a cost and its optimum, as a share of the cost.
    pub widest_gap: f64,
}

impl PointGraph {
    /// The symmetric graph `(W + Wᵀ)/2` of the weights that each point gives to others.
    pub(super) fn symmetrized(given: &[Vec<(usize, f64)>], rebuilt: Option<Rebuilt>) -> Self {
        let mut edges: Vec<(usize, usize, f64)> = Vec::new();
        for (i, others) in given.iter().enumerate() {
            let halves = others.iter().filter(|(_, weight)| *weight > 0.0);
            edges.extend(halves.map(|&(j, weight)| (i.min(j), i.max(j), weight / 2.0)));
        }
        edges.sort_unstable_by(|a, b| (a.0, a.1).cmp(&(b.0, b.1)).then(a.2.total_cmp(&b.2)));
        edges.dedup_by(|next, kept| {
            let same = (next.0, next.1) == (kept.0, kept.1);
            kept.2 += if same { next.2 } else { 0.0 };
            same
        });
        Self { n_points: given.len(), edges, rebuilt }
    }

    /// The connected pairs: `a < b`, in ascending order.
    pub fn pairs(&self) -> Vec<(usize, usize)> {
        self.edges.iter().map(|&(a, b, _)| (a, b)).collect()
    }

    /// The connected pairs as candidates for the edges of another graph.
    ///
    /// ```
    /// use midrib::connect::{L1Graph, Links, Similarities, knn};
    /// use midrib::{Points, math::Matrix};
    /// let values = vec![1.0, 2.0, 3.0, 4.0];
    /// let points = Points::from_f64(&values, 1)?;
    /// let near = knn(&Similarities::new(&points, "gaussian".parse()?)?, 1)?.candidates();
    /// let nodes = Matrix::new(4, 1, values.clone())?;
    /// let graph = L1Graph::new(&nodes, &near, &Links::default(), 1.0)?;
    /// assert_eq!(graph.candidates(), [(0, 1), (1, 2), (2, 3)]);
    /// # Ok::<(), midrib::Error>(())
    /// ```
    pub fn candidates(&self) -> Candidates {
        Candidates::Given(self.pairs())
    }

    /// The total weight of the edges at each point.
    pub fn degrees(&self) -> Vec<f64> {
        let mut degrees = vec![0.0; self.n_points];
        for &(a, b, weight) in &self.edges {
            degrees[a] += weight;
            degrees[b] += weight;
        }
        degrees
    }

    /// The points without an edge, in order.
    pub fn isolated(&self) -> Vec<usize> {
        let degrees = self.degrees();
        (0..self.n_points).filter(|&i| degrees[i] == 0.0).collect()
    }

    /// The connected components: the points of each, in order of their first point.
    pub fn components(&self) -> Vec<Vec<usize>> {
        let mut sets = Sets::new(self.n_points);
        for &(a, b, _) in &self.edges {
            sets.join(a, b);
        }
        let mut number = vec![usize::MAX; self.n_points];
        let mut components: Vec<Vec<usize>> = Vec::new();
        for i in 0..self.n_points {
            // The representative of a set is its smallest member, which comes first.
            let first = sets.find(i);
            if first == i {
                number[i] = components.len();
                components.push(Vec::new());
            }
            components[number[first]].push(i);
        }
        components
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_directions_are_averaged() {
        let given =
            [vec![(1, 1.0), (2, 0.0)], vec![(0, 0.5), (3, 2.0)], vec![], vec![], vec![(4, 0.0)]];
        let graph = PointGraph::symmetrized(&given, None);
        assert_eq!(graph.edges, [(0, 1, 0.75), (1, 3, 1.0)]);
        assert_eq!(graph.degrees(), [0.75, 1.75, 0.0, 1.0, 0.0]);
        assert_eq!(graph.isolated(), [2, 4]);
        assert_eq!(graph.components(), [vec![0, 1, 3], vec![2], vec![4]]);
    }
}
