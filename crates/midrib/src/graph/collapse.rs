//! Merging nodes: collapse short bridges between branch points, and move branch points to heavier
//! nodes nearby.

use super::{PrincipalGraph, Projection};
use crate::error::{Error, Result};
use crate::math::{Matrix, Sets};
use crate::points::Points;

/// Which bridges are too weak to keep: those below either limit.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct BridgeRule {
    /// The minimum share of the points' weight, from 0 (any) to 1.
    pub min_share: f64,
    /// The minimum length, in the units of the points; 0 for any.
    pub min_length: f64,
}

impl PrincipalGraph {
    /// Merges each bridge (a branch between two branch points) below the rule's limits into one
    /// branch point, at the mass-weighted mean of its nodes. Adjacent bridges are merged into the
    /// same node. A bridge is kept if merging it would remove a loop.
    ///
    /// Points that project onto a branch point do not count for the bridge. `projection` is the
    /// projection of `points` onto this graph.
    ///
    /// ```
    /// use midrib::Points;
    /// use midrib::graph::{BridgeRule, PrincipalGraph};
    /// use midrib::math::Matrix;
    /// let nodes = Matrix::from_rows(&[[0.0, 2.0], [0.0, 0.0], [0.2, 0.0], [0.2, 2.0], [-2.0, 0.0], [2.0, 0.0]])?;
    /// let edges = [(0, 1, 1.0), (1, 2, 1.0), (2, 3, 1.0), (1, 4, 1.0), (2, 5, 1.0)];
    /// let graph = PrincipalGraph::new(nodes, &edges, vec![1.0; 6])?;
    /// let points = Points::from_f64(vec![-1.0, 0.0, 1.0, 0.0], 2)?;
    /// let rule = BridgeRule { min_length: 0.5, ..BridgeRule::default() };
    /// let merged = graph.collapse_bridges(&rule, &points, &graph.project(&points)?)?;
    /// assert_eq!(merged.branch_points().len(), 1);
    /// assert_eq!(merged.nodes().row(1), [0.1, 0.0]);
    /// # Ok::<(), midrib::Error>(())
    /// ```
    pub fn collapse_bridges(
        &self,
        rule: &BridgeRule,
        points: &Points,
        projection: &Projection,
    ) -> Result<Self> {
        if !(0.0..=1.0).contains(&rule.min_share) {
            return Err(Error::setting("min_share", rule.min_share, "must be between 0 and 1"));
        }
        if rule.min_length.is_nan() || rule.min_length < 0.0 {
            return Err(Error::setting("min_length", rule.min_length, "must be at least 0"));
        }
        self.check_projection_of(points, projection)?;
        let weights = self.weights_inside_edges(points, projection);
        let mut sets = Sets::new(self.nodes().n_rows());
        for branch in self.branches() {
            let ends = (branch.nodes[0], branch.nodes[branch.nodes.len() - 1]);
            let is_bridge = self.degree(ends.0) > 2 && self.degree(ends.1) > 2 && !branch.closed;
            let share = self.share_inside(&branch.nodes, &branch.edges, &weights, points);
            let is_weak = share < rule.min_share || branch.length(self) < rule.min_length;
            if is_bridge && is_weak {
                self.merge(&mut sets, &branch.nodes);
            }
        }
        let mass = self.mass();
        self.contracted(&mut sets, |members| {
            let total: f64 = members.iter().map(|&node| mass[node]).sum();
            let even = 1.0 / members.len() as f64;
            let share = |node: usize| if total > 0.0 { mass[node] / total } else { even };
            let mut mean = vec![0.0; self.nodes().n_cols()];
            for &node in members {
                let row = self.nodes().row(node);
                mean.iter_mut().zip(row).for_each(|(to, x)| *to += share(node) * x);
            }
            mean
        })
    }

    /// Moves each branch point to the heaviest node among itself and the nodes at most `steps` edges
    /// away along its branches; the old branch point and the nodes in between are merged into that
    /// node. Tips and other branch points are never merged, and a branch point stays if moving it
    /// would remove a loop. Branch points move in the order of their indices, each at most once.
    ///
    /// ```
    /// use midrib::graph::PrincipalGraph;
    /// use midrib::math::Matrix;
    /// let nodes = Matrix::from_rows(&[[0.0, 0.0], [1.0, 1.0], [1.0, -1.0], [-1.0, 0.0], [-2.0, 0.0]])?;
    /// let edges = [(0, 1, 1.0), (0, 2, 1.0), (0, 3, 1.0), (3, 4, 1.0)];
    /// let graph = PrincipalGraph::new(nodes, &edges, vec![1.0, 1.0, 1.0, 5.0, 1.0])?;
    /// let moved = graph.shift_branch_points(1)?;
    /// assert_eq!(moved.nodes().n_rows(), 4);
    /// let center = moved.branch_points()[0];
    /// assert_eq!(moved.nodes().row(center), [-1.0, 0.0]);
    /// assert_eq!(moved.mass()[center], 6.0);
    /// # Ok::<(), midrib::Error>(())
    /// ```
    pub fn shift_branch_points(&self, steps: usize) -> Result<Self> {
        let mut sets = Sets::new(self.nodes().n_rows());
        let mut target: Vec<usize> = (0..self.nodes().n_rows()).collect();
        let mut taken = vec![false; self.nodes().n_rows()];
        for center in self.branch_points() {
            if taken[center] {
                continue;
            }
            let mut best = vec![center];
            for &(first, _) in self.neighbors(center) {
                let mut path = vec![center];
                let mut edge = first;
                while path.len() <= steps {
                    let node = self.edges()[edge].other(path[path.len() - 1]);
                    if self.degree(node) != 2 || taken[node] || path.contains(&node) {
                        break;
                    }
                    path.push(node);
                    let is_better = self.mass()[node] > self.mass()[best[best.len() - 1]];
                    if is_better {
                        best.clone_from(&path);
                    }
                    let onward = self.neighbors(node).iter().find(|(other, _)| *other != edge);
                    let Some(&(next, _)) = onward else { break };
                    edge = next;
                }
            }
            if !self.merge(&mut sets, &best) {
                best.truncate(1);
            }
            let to = best[best.len() - 1];
            for &node in &best {
                taken[node] = true;
                target[node] = to;
            }
        }
        self.contracted(&mut sets, |members| self.nodes().row(target[members[0]]).to_vec())
    }

    /// The weight of the points that project into each edge and onto each node.
    fn weights_inside_edges(
        &self,
        points: &Points,
        projection: &Projection,
    ) -> (Vec<f64>, Vec<f64>) {
        let mut edges = vec![0.0; self.edges().len()];
        let mut nodes = vec![0.0; self.nodes().n_rows()];
        for i in 0..points.len() {
            let weight = points.weight(i);
            match (projection.edge[i], projection.edge_pos[i]) {
                (Some(edge), 0.0) => nodes[self.edges()[edge].a] += weight,
                (Some(edge), 1.0) => nodes[self.edges()[edge].b] += weight,
                (Some(edge), _) => edges[edge] += weight,
                (None, _) => nodes[projection.node[i]] += weight,
            }
        }
        (edges, nodes)
    }

    /// The share of the points' weight on a branch, excluding its two end nodes.
    fn share_inside(
        &self,
        nodes: &[usize],
        edges: &[usize],
        weights: &(Vec<f64>, Vec<f64>),
        points: &Points,
    ) -> f64 {
        let on_edges: f64 = edges.iter().map(|&edge| weights.0[edge]).sum();
        let inner = nodes.iter().skip(1).take(nodes.len().saturating_sub(2));
        (on_edges + inner.map(|&node| weights.1[node]).sum::<f64>()) / points.total_weight()
    }

    /// Joins nodes into one set unless that would remove a loop; returns whether it did.
    fn merge(&self, sets: &mut Sets, nodes: &[usize]) -> bool {
        let mut joined = sets.clone();
        for &node in nodes {
            joined.join(nodes[0], node);
        }
        let count = |sets: &mut Sets| {
            let roots = (0..self.nodes().n_rows()).filter(|&node| sets.find(node) == node).count();
            let mut pairs: Vec<_> = self
                .edges()
                .iter()
                .map(|edge| (sets.find(edge.a), sets.find(edge.b)))
                .filter(|(a, b)| a != b)
                .map(|(a, b)| (a.min(b), a.max(b)))
                .collect();
            pairs.sort_unstable();
            pairs.dedup();
            (roots, pairs.len())
        };
        let ((nodes_before, edges_before), (nodes_after, edges_after)) =
            (count(sets), count(&mut joined));
        // The number of components does not change, so loops = edges − nodes + constant.
        let keeps_loops = nodes_before - nodes_after == edges_before - edges_after;
        if keeps_loops {
            *sets = joined;
        }
        keeps_loops
    }

    /// Merges each set of nodes into one node at `position(members)` with their total mass. Edges
    /// within a set are removed. Nodes keep their order.
    fn contracted(&self, sets: &mut Sets, position: impl Fn(&[usize]) -> Vec<f64>) -> Result<Self> {
        let n = self.nodes().n_rows();
        let mut number = vec![usize::MAX; n];
        let mut members: Vec<Vec<usize>> = Vec::new();
        for node in 0..n {
            let root = sets.find(node);
            if number[root] == usize::MAX {
                number[root] = members.len();
                members.push(Vec::new());
            }
            members[number[root]].push(node);
        }
        let rows: Vec<Vec<f64>> = members.iter().map(|members| position(members)).collect();
        let mass: Vec<f64> = members
            .iter()
            .map(|members| members.iter().map(|&node| self.mass()[node]).sum())
            .collect();
        let mut edges: Vec<(usize, usize, f64)> = Vec::new();
        for edge in self.edges() {
            let ends = (number[sets.find(edge.a)], number[sets.find(edge.b)]);
            let (a, b) = (ends.0.min(ends.1), ends.0.max(ends.1));
            if a != b {
                edges.push((a, b, edge.weight));
            }
        }
        Self::new(Matrix::from_rows(&rows)?, &edges, mass)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two stars with three arms each, joined by a bridge of three edges of length 1.
    fn two_stars() -> PrincipalGraph {
        let nodes = Matrix::from_rows(&[
            [0.0, 0.0],
            [1.0, 0.0],
            [2.0, 0.0],
            [3.0, 0.0],
            [-2.0, 2.0],
            [-2.0, -2.0],
            [5.0, 2.0],
            [5.0, -2.0],
        ])
        .unwrap();
        let pairs = [(0, 1), (1, 2), (2, 3), (0, 4), (0, 5), (3, 6), (3, 7)];
        let edges: Vec<_> = pairs.iter().map(|&(a, b)| (a, b, 1.0)).collect();
        PrincipalGraph::new(nodes, &edges, vec![1.0, 2.0, 4.0, 1.0, 1.0, 1.0, 1.0, 1.0]).unwrap()
    }

    #[test]
    fn bridges_collapse_by_length_or_by_share() {
        let graph = two_stars();
        // One point inside the bridge, one on its middle node, two on the arms.
        let points = Points::from_f64(vec![0.5, 0.1, 2.0, 0.3, -1.0, 1.1, 4.0, -0.9], 2).unwrap();
        let projection = graph.project(&points).unwrap();
        let of = |min_share: f64, min_length: f64| {
            let rule = BridgeRule { min_share, min_length };
            graph.collapse_bridges(&rule, &points, &projection).unwrap()
        };
        for kept in [of(0.0, 3.0), of(0.5, 0.0)] {
            assert_eq!(kept, graph);
        }
        for merged in [of(0.0, 3.1), of(0.6, 0.0)] {
            assert_eq!((merged.nodes().n_rows(), merged.edges().len()), (5, 4));
            assert_eq!(merged.degree(0), 4);
            assert_eq!(merged.mass()[0], 8.0);
            assert_eq!(merged.nodes().row(0), [13.0 / 8.0, 0.0]);
        }
    }

    #[test]
    fn arms_and_loops_are_not_bridges() {
        let nodes = Matrix::zeros(6, 1);
        let pairs = [(0, 1), (0, 2), (1, 2), (0, 3), (3, 4), (3, 5)];
        let edges: Vec<_> = pairs.iter().map(|&(a, b)| (a, b, 1.0)).collect();
        let graph = PrincipalGraph::new(nodes, &edges, vec![1.0; 6]).unwrap();
        let points = Points::from_f64(vec![0.0], 1).unwrap();
        let projection = graph.project(&points).unwrap();
        let rule = BridgeRule { min_share: 0.0, min_length: 1.0 };
        let merged = graph.collapse_bridges(&rule, &points, &projection).unwrap();
        assert_eq!((merged.loops(), merged.tips().len(), merged.nodes().n_rows()), (1, 2, 5));
    }

    #[test]
    fn a_triangle_is_not_collapsed() {
        let nodes = [[0.0, 0.0], [0.1, 0.0], [0.05, 2.0], [-3.0, 0.0], [3.0, 0.0]];
        let pairs = [(0, 1), (0, 2), (1, 2), (0, 3), (1, 4)];
        let edges: Vec<_> = pairs.iter().map(|&(a, b)| (a, b, 1.0)).collect();
        let nodes = Matrix::from_rows(&nodes).unwrap();
        let graph = PrincipalGraph::new(nodes, &edges, vec![1.0, 1.0, 9.0, 1.0, 1.0]).unwrap();
        let points = Points::from_f64(vec![0.0, 0.0], 2).unwrap();
        let projection = graph.project(&points).unwrap();
        let rule = BridgeRule { min_share: 0.0, min_length: 1.0 };
        assert_eq!(graph.collapse_bridges(&rule, &points, &projection).unwrap(), graph);
        assert_eq!(graph.shift_branch_points(2).unwrap().loops(), 1);
    }

    #[test]
    fn branch_points_move_at_most_the_given_number_of_steps() {
        let graph = two_stars();
        assert_eq!(graph.shift_branch_points(0).unwrap(), graph);
        // One step: the left star moves to node 1, the right one to node 2.
        let one = graph.shift_branch_points(1).unwrap();
        assert_eq!((one.nodes().n_rows(), one.branch_points().len()), (6, 2));
        let positions: Vec<f64> =
            one.branch_points().iter().map(|&node| one.nodes().row(node)[0]).collect();
        assert_eq!(positions, [1.0, 2.0]);
        assert_eq!(one.mass().iter().sum::<f64>(), 12.0);
        // Two steps: the left one takes node 2, so the right one cannot move.
        let two = graph.shift_branch_points(2).unwrap();
        let positions: Vec<f64> =
            two.branch_points().iter().map(|&node| two.nodes().row(node)[0]).collect();
        assert_eq!(positions, [2.0, 3.0]);
    }

    #[test]
    fn limits_out_of_range_are_errors() {
        let graph = two_stars();
        let points = Points::from_f64(vec![0.0, 0.0], 2).unwrap();
        let projection = graph.project(&points).unwrap();
        let refused = |min_share: f64, min_length: f64| {
            let rule = BridgeRule { min_share, min_length };
            graph.collapse_bridges(&rule, &points, &projection).unwrap_err().to_string()
        };
        assert_eq!(refused(1.5, 0.0), "min_share = 1.5: must be between 0 and 1");
        assert_eq!(refused(0.0, -1.0), "min_length = -1: must be at least 0");
    }
}
