//! Adding paths: between two given nodes, and where tips nearly touch the graph.

use super::PrincipalGraph;
use super::length::length_of;
use crate::error::{Error, Result};
use crate::math::Matrix;

/// When a tip is joined to another node.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct JoinRule {
    /// The largest distance between the tip and the node.
    pub max_gap: f64,
    /// The minimum length of the loop that the new edge closes, including that edge. Separate
    /// components are joined in any case.
    pub min_loop: f64,
}

impl PrincipalGraph {
    /// The graph with a straight path added between two nodes, with `inner` new nodes at equal
    /// distances. The new nodes have no mass.
    ///
    /// ```
    /// use midrib::graph::PrincipalGraph;
    /// use midrib::math::Matrix;
    /// let nodes = Matrix::from_rows(&[[0.0, 0.0], [1.0, 1.0], [2.0, 0.0]])?;
    /// let graph = PrincipalGraph::new(nodes, &[(0, 1, 1.0), (1, 2, 1.0)], vec![1.0; 3])?;
    /// let ring = graph.add_path(0, 2, 1)?;
    /// assert_eq!((ring.loops(), ring.nodes().n_rows()), (1, 4));
    /// assert_eq!(ring.nodes().row(3), [1.0, 0.0]);
    /// # Ok::<(), midrib::Error>(())
    /// ```
    pub fn add_path(&self, from: usize, to: usize, inner: usize) -> Result<Self> {
        let n = self.nodes().n_rows();
        for node in [from, to] {
            if node >= n {
                let remedy = format!("the graph has {n} nodes (0 to {})", n.saturating_sub(1));
                return Err(Error::setting("node", node, remedy));
            }
        }
        if from == to {
            return Err(Error::data(format!("a path from node {from} to itself is not allowed")));
        }
        if inner == 0 && self.neighbors(from).iter().any(|(_, other)| *other == to) {
            return Err(Error::data(format!("the edge {from}-{to} already exists")));
        }
        let mut rows: Vec<Vec<f64>> = self.nodes().rows().map(<[f64]>::to_vec).collect();
        let mut edges: Vec<_> = self.edges().iter().map(|e| (e.a, e.b, e.weight)).collect();
        let mut mass = self.mass().to_vec();
        let mut last = from;
        for step in 1..=inner {
            let along = step as f64 / (inner + 1) as f64;
            let ends = self.nodes().row(from).iter().zip(self.nodes().row(to));
            edges.push((last, rows.len(), 1.0));
            last = rows.len();
            rows.push(ends.map(|(a, b)| a + along * (b - a)).collect());
            mass.push(0.0);
        }
        edges.push((last, to, 1.0));
        Self::new(Matrix::from_rows(&rows)?, &edges, mass)
    }

    /// Joins each tip to the nearest node that the rule allows, shortest distance first. A tip that
    /// was joined is no longer a tip. This closes rings that a tree had to cut open, and connects
    /// components that meet end to end.
    ///
    /// ```
    /// use midrib::graph::{JoinRule, PrincipalGraph};
    /// use midrib::math::Matrix;
    /// let angle = |i: usize| i as f64 * std::f64::consts::TAU / 12.0;
    /// let rows: Vec<[f64; 2]> = (0..12).map(|i| [angle(i).cos(), angle(i).sin()]).collect();
    /// let edges: Vec<_> = (1..12).map(|i| (i - 1, i, 1.0)).collect();
    /// let open = PrincipalGraph::new(Matrix::from_rows(&rows)?, &edges, vec![1.0; 12])?;
    /// let ring = open.join_tips(JoinRule { max_gap: 0.6, min_loop: 3.0 })?;
    /// assert_eq!((ring.loops(), ring.tips().len()), (1, 0));
    /// # Ok::<(), midrib::Error>(())
    /// ```
    pub fn join_tips(&self, rule: JoinRule) -> Result<Self> {
        for (name, value) in [("max_gap", rule.max_gap), ("min_loop", rule.min_loop)] {
            if value.is_nan() || value < 0.0 {
                return Err(Error::setting(name, value, "must be at least 0"));
            }
        }
        let mut graph = self.clone();
        while let Some((tip, node)) = graph.shortest_gap(rule) {
            graph = graph.add_path(tip, node, 0)?;
        }
        Ok(graph)
    }

    /// The closest pair of a tip and a node that the rule allows.
    fn shortest_gap(&self, rule: JoinRule) -> Option<(usize, usize)> {
        let mut best: Option<(f64, usize, usize)> = None;
        for tip in self.tips() {
            let along = self.reach_from(&[tip]).distance;
            for (node, along) in along.into_iter().enumerate() {
                let ends = self.nodes().row(tip).iter().zip(self.nodes().row(node));
                let gap = length_of(ends.map(|(a, b)| a - b));
                let is_adjacent = self.neighbors(tip).iter().any(|(_, other)| *other == node);
                let allowed = gap <= rule.max_gap && gap + along >= rule.min_loop;
                if node != tip && !is_adjacent && allowed && best.is_none_or(|best| gap < best.0) {
                    best = Some((gap, tip, node));
                }
            }
        }
        best.map(|(_, tip, node)| (tip, node))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn path(nodes: &[[f64; 2]], pairs: &[(usize, usize)]) -> PrincipalGraph {
        let edges: Vec<_> = pairs.iter().map(|&(a, b)| (a, b, 1.0)).collect();
        PrincipalGraph::new(Matrix::from_rows(nodes).unwrap(), &edges, vec![1.0; nodes.len()])
            .unwrap()
    }

    #[test]
    fn invalid_paths_are_errors() {
        let graph = path(&[[0.0, 0.0], [1.0, 0.0]], &[(0, 1)]);
        let message = |a, b, inner| graph.add_path(a, b, inner).unwrap_err().to_string();
        assert_eq!(message(0, 5, 0), "node = 5: the graph has 2 nodes (0 to 1)");
        assert_eq!(message(1, 1, 3), "a path from node 1 to itself is not allowed");
        assert_eq!(message(0, 1, 0), "the edge 0-1 already exists");
        assert_eq!(graph.add_path(0, 1, 2).unwrap().loops(), 1);
    }

    /// A square without one side, and a segment that points at it.
    #[test]
    fn only_gaps_that_the_rule_allows_are_closed() {
        let nodes = [[0.0, 0.0], [2.0, 0.0], [2.0, 2.0], [0.0, 2.0], [2.5, 0.0], [4.0, 0.0]];
        let graph = path(&nodes, &[(0, 1), (1, 2), (2, 3), (4, 5)]);
        let of = |max_gap: f64, min_loop: f64| {
            let joined = graph.join_tips(JoinRule { max_gap, min_loop }).unwrap();
            (joined.loops(), joined.components().count, joined.tips().len())
        };
        assert_eq!(of(0.4, 0.0), (0, 2, 4));
        assert_eq!(of(0.5, 7.0), (0, 1, 3));
        assert_eq!(of(2.0, 8.0), (1, 1, 1));
        assert_eq!(of(2.0, 8.1), (0, 1, 3));
    }
}
