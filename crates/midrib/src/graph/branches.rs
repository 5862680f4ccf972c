//! Branches: the paths between tips and branch points.

use super::PrincipalGraph;

/// A maximal path of a graph without tips or branch points inside it.
///
/// `nodes` has one entry more than `edges`: edge `i` joins the nodes `i` and `i + 1`. A
/// closed branch (a ring, or a loop attached to one branch point) repeats its first node at the
/// end. An isolated node is a branch with one node and no edge.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Branch {
    /// The nodes in order along the branch.
    pub nodes: Vec<usize>,
    /// The edges in the same order.
    pub edges: Vec<usize>,
    /// Whether the branch ends at the node where it starts.
    pub closed: bool,
}

impl Branch {
    /// The total length of its edges.
    pub fn length(&self, graph: &PrincipalGraph) -> f64 {
        self.edges.iter().fold(0.0, |sum, &e| sum + graph.edges()[e].length)
    }

    /// The mean support of its edges, weighted by their lengths; `None` for an isolated node.
    /// `edge_support` has one value per edge of the graph; see
    /// [`tune::bootstrap`](crate::tune::bootstrap).
    ///
    /// ```
    /// use midrib::graph::PrincipalGraph;
    /// use midrib::math::Matrix;
    /// let nodes = Matrix::from_rows(&[[0.0], [1.0], [4.0]])?;
    /// let graph = PrincipalGraph::new(nodes, &[(0, 1, 1.0), (1, 2, 1.0)], vec![1.0; 3])?;
    /// assert_eq!(graph.branches()[0].support(&graph, &[0.5, 1.0]), Some(0.875));
    /// # Ok::<(), midrib::Error>(())
    /// ```
    pub fn support(&self, graph: &PrincipalGraph, edge_support: &[f64]) -> Option<f64> {
        let edges = self.edges.iter();
        mean_support(edges.map(|&e| (graph.edges()[e].length, edge_support[e])))
    }
}

/// The length-weighted mean of `(length, support)` pairs; the plain mean if all lengths are 0.
pub(super) fn mean_support(edges: impl Iterator<Item = (f64, f64)>) -> Option<f64> {
    let (mut weighted, mut total_length, mut plain, mut count) = (0.0, 0.0, 0.0, 0.0);
    for (length, support) in edges {
        weighted += length * support;
        total_length += length;
        plain += support;
        count += 1.0;
    }
    if total_length > 0.0 {
        Some(weighted / total_length)
    } else {
        (count > 0.0).then(|| plain / count)
    }
}

impl PrincipalGraph {
    /// All branches. Each edge belongs to exactly one.
    ///
    /// A branch starts at the end node with the smaller index; a ring starts at its smallest node.
    /// A closed branch leaves its first node along the smaller of the two edges there. Branches are
    /// ordered by their first node, then by their first edge.
    ///
    /// ```
    /// use midrib::graph::PrincipalGraph;
    /// use midrib::math::Matrix;
    /// let nodes = Matrix::from_rows(&[[0.0], [1.0], [2.0], [3.0], [4.0]])?;
    /// let graph = PrincipalGraph::new(nodes, &[(0, 3, 1.0), (1, 3, 1.0)], vec![1.0; 5])?;
    /// let branches = graph.branches();
    /// assert_eq!(branches[0].nodes, [0, 3, 1]);
    /// assert_eq!(branches[0].length(&graph), 5.0);
    /// assert_eq!(branches.len(), 3);
    /// # Ok::<(), midrib::Error>(())
    /// ```
    pub fn branches(&self) -> Vec<Branch> {
        let n = self.nodes().n_rows();
        let mut used = vec![false; self.edges().len()];
        let mut branches = Vec::new();
        for node in (0..n).filter(|&node| self.degree(node) != 2) {
            if self.degree(node) == 0 {
                branches.push(self.walk(node, None, &mut used));
            }
            for &(edge, _) in self.neighbors(node) {
                if !used[edge] {
                    branches.push(self.walk(node, Some(edge), &mut used));
                }
            }
        }
        for node in 0..n {
            if let [(edge, _), _] = self.neighbors(node)
                && !used[*edge]
            {
                branches.push(self.walk(node, Some(*edge), &mut used));
            }
        }
        branches.sort_by_key(|branch| (branch.nodes[0], branch.edges.first().copied()));
        branches
    }

    /// Follows `edge` away from `start` to the next tip or branch point, or once around a ring.
    fn walk(&self, start: usize, edge: Option<usize>, used: &mut [bool]) -> Branch {
        let mut branch = Branch { nodes: vec![start], edges: Vec::new(), closed: false };
        let mut node = start;
        let mut next_edge = edge;
        while let Some(edge) = next_edge {
            used[edge] = true;
            node = self.edges()[edge].other(node);
            branch.edges.push(edge);
            branch.nodes.push(node);
            next_edge = match self.neighbors(node) {
                [(first, _), (second, _)] => [*first, *second].into_iter().find(|&e| !used[e]),
                _ => None,
            };
        }
        branch.closed = !branch.edges.is_empty() && node == start;
        branch
    }

    /// The index of the branch that contains each edge.
    ///
    /// ```
    /// use midrib::graph::PrincipalGraph;
    /// use midrib::math::Matrix;
    /// let nodes = Matrix::from_rows(&[[0.0], [1.0], [2.0], [9.0]])?;
    /// let graph = PrincipalGraph::new(nodes, &[(0, 1, 1.0), (1, 2, 1.0)], vec![1.0; 4])?;
    /// assert_eq!(graph.branch_of_edge(), [0, 0]);
    /// assert_eq!(graph.branch_of_node()[3], Some(1));
    /// # Ok::<(), midrib::Error>(())
    /// ```
    pub fn branch_of_edge(&self) -> Vec<usize> {
        let mut of_edge = vec![0; self.edges().len()];
        for (number, branch) in self.branches().iter().enumerate() {
            for &edge in &branch.edges {
                of_edge[edge] = number;
            }
        }
        of_edge
    }

    /// The index of the branch that contains each node; `None` for branch points, which belong to
    /// several.
    pub fn branch_of_node(&self) -> Vec<Option<usize>> {
        let mut of_node = vec![None; self.nodes().n_rows()];
        for (number, branch) in self.branches().iter().enumerate() {
            for &node in &branch.nodes {
                of_node[node] = (self.degree(node) <= 2).then_some(number);
            }
        }
        of_node
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Matrix;
    use proptest::prelude::*;

    fn graph(n: usize, pairs: &[(usize, usize)]) -> PrincipalGraph {
        let edges: Vec<_> = pairs.iter().map(|&(a, b)| (a, b, 1.0)).collect();
        PrincipalGraph::new(Matrix::zeros(n, 1), &edges, vec![0.0; n]).unwrap()
    }

    #[test]
    fn a_ring_is_one_closed_branch() {
        let branches = graph(4, &[(0, 2), (2, 1), (1, 3), (3, 0)]).branches();
        assert_eq!(branches.len(), 1);
        assert!(branches[0].closed);
        assert_eq!(branches[0].nodes, [0, 2, 1, 3, 0]);
    }

    #[test]
    fn a_loop_on_one_branch_point_is_a_closed_branch() {
        let branches = graph(4, &[(0, 1), (1, 2), (2, 3), (3, 1)]).branches();
        assert_eq!(branches.len(), 2);
        assert_eq!(branches[0].nodes, [0, 1]);
        assert!(!branches[0].closed);
        assert_eq!(branches[1].nodes, [1, 2, 3, 1]);
        assert!(branches[1].closed);
    }

    #[test]
    fn parallel_branches_are_numbered_by_their_first_edge() {
        let branches = graph(5, &[(0, 2), (2, 1), (0, 3), (3, 1), (0, 4), (4, 1)]).branches();
        let middles: Vec<usize> = branches.iter().map(|branch| branch.nodes[1]).collect();
        assert_eq!(middles, [2, 3, 4]);
    }

    #[test]
    fn an_isolated_node_is_a_branch() {
        let graph = graph(3, &[(0, 2)]);
        let branches = graph.branches();
        assert_eq!(branches[1].nodes, [1]);
        assert!(branches[1].edges.is_empty() && !branches[1].closed);
        assert_eq!(graph.branch_of_node(), [Some(0), Some(1), Some(0)]);
    }

    proptest! {
        #[test]
        fn branches_partition_the_edges(
            n in 1_usize..12,
            pairs in proptest::collection::btree_set((0_usize..12, 0_usize..12), 0..18),
        ) {
            let pairs: Vec<_> = pairs.into_iter().filter(|(a, b)| a < b && *b < n).collect();
            let graph = graph(n, &pairs);
            let branches = graph.branches();
            let mut edges: Vec<usize> = branches.iter().flat_map(|b| b.edges.clone()).collect();
            edges.sort_unstable();
            prop_assert_eq!(edges, (0..graph.edges().len()).collect::<Vec<_>>());
            for branch in &branches {
                let (first, last) = (branch.nodes[0], branch.nodes[branch.nodes.len() - 1]);
                prop_assert!(first <= last);
                prop_assert_eq!(branch.nodes.len(), branch.edges.len() + 1);
                prop_assert_eq!(branch.closed, first == last && !branch.edges.is_empty());
                for (pair, &edge) in branch.nodes.windows(2).zip(&branch.edges) {
                    prop_assert_eq!(graph.edges()[edge].other(pair[0]), pair[1]);
                }
                for &inner in branch.nodes.iter().skip(1).rev().skip(1) {
                    prop_assert_eq!(graph.degree(inner), 2);
                }
                let ring = branch.closed && graph.degree(first) == 2;
                prop_assert!(ring || (graph.degree(first) != 2 && graph.degree(last) != 2));
            }
            let keys: Vec<_> = branches.iter().map(|b| (b.nodes[0], b.edges.first().copied())).collect();
            prop_assert!(keys.windows(2).all(|w| w[0] < w[1]));
        }
    }
}
