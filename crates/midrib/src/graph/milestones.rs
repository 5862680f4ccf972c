//! Milestones: the named nodes of a graph, and the branches between them.

use std::collections::BTreeMap;

use super::{Branch, PrincipalGraph, Projection};
use crate::error::{Error, Result};

/// The tips, branch points and isolated nodes of a graph, one node of each ring, and the branches
/// between them.
///
/// Names are made from node indices, so they do not change when points are added.
///
/// ```
/// use midrib::Points;
/// use midrib::graph::PrincipalGraph;
/// use midrib::math::Matrix;
/// let nodes = Matrix::from_rows(&[[0.0, 0.0], [1.0, 0.0], [2.0, 0.0], [2.0, 1.0], [3.0, 0.0]])?;
/// let fork = [(0, 1, 1.0), (1, 2, 1.0), (2, 3, 1.0), (2, 4, 1.0)];
/// let graph = PrincipalGraph::new(nodes, &fork, vec![1.0; 5])?;
/// let milestones = graph.milestones();
/// assert_eq!(milestones.nodes(), [0, 2, 3, 4]);
/// assert_eq!(milestones.branch_names(), ["0-2", "2-3", "2-4"]);
///
/// let points = Points::from_f64(vec![0.5, 0.1], 2)?;
/// let positions = milestones.branch_positions(&graph, &graph.project(&points)?)?;
/// assert_eq!((positions[0].branch, positions[0].share), (0, 0.25));
/// assert_eq!(milestones.nearest(positions[0]), 0);
/// # Ok::<(), midrib::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Milestones {
    nodes: Vec<usize>,
    branches: Vec<Branch>,
    lengths: Vec<f64>,
    /// For each edge, its branch and the shares of the branch's length at its smaller and its larger
    /// node.
    of_edge: Vec<(usize, f64, f64)>,
    /// For isolated nodes, their branch.
    of_node: Vec<Option<usize>>,
}

/// The position of a point between two milestones.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BranchPosition {
    /// The branch.
    pub branch: usize,
    /// The share of the branch's length, from 0 at its first node to 1 at its last.
    pub share: f64,
}

impl PrincipalGraph {
    /// The milestones of the graph. The branches between them are
    /// [`branches`](PrincipalGraph::branches), in the same order.
    pub fn milestones(&self) -> Milestones {
        Milestones::new(self, self.branches())
    }

    /// A name for each of [`Self::branches`]: its two end nodes, `3-7`. If several branches connect
    /// the same nodes, those with inner nodes also name the one next to the smaller end, `3-5-7`.
    ///
    /// ```
    /// use midrib::graph::PrincipalGraph;
    /// use midrib::math::Matrix;
    /// let edges = [(0, 1, 1.0), (0, 2, 1.0), (1, 2, 1.0), (0, 3, 1.0), (1, 4, 1.0)];
    /// let graph = PrincipalGraph::new(Matrix::zeros(5, 1), &edges, vec![1.0; 5])?;
    /// let mut names = graph.branch_names();
    /// names.sort();
    /// assert_eq!(names, ["0-1", "0-2-1", "0-3", "1-4"]);
    /// # Ok::<(), midrib::Error>(())
    /// ```
    pub fn branch_names(&self) -> Vec<String> {
        let mut branches = self.branches();
        branches.iter_mut().for_each(from_smaller_end);
        names(&branches)
    }
}

/// Reverses a branch if needed, so that it starts at its smaller end node.
fn from_smaller_end(branch: &mut Branch) {
    if branch.nodes.last() < branch.nodes.first() {
        branch.nodes.reverse();
        branch.edges.reverse();
    }
}

/// Names branches by their end nodes and, if these are not unique, by the node after the first.
fn names(branches: &[Branch]) -> Vec<String> {
    let mut alike: BTreeMap<[usize; 2], usize> = BTreeMap::new();
    for branch in branches {
        *alike.entry(ends(branch)).or_default() += 1;
    }
    let name = |branch: &Branch| {
        let [first, last] = ends(branch);
        match branch.nodes[..] {
            [_, second, _, ..] if alike[&[first, last]] > 1 => {
                format!("{first}-{second}-{last}")
            }
            _ => format!("{first}-{last}"),
        }
    };
    branches.iter().map(name).collect()
}

impl Milestones {
    fn new(graph: &PrincipalGraph, mut branches: Vec<Branch>) -> Self {
        branches.iter_mut().for_each(from_smaller_end);
        branches.sort_by_key(|branch| (branch.nodes[0], branch.edges.first().copied()));
        let mut nodes: Vec<usize> = branches.iter().flat_map(ends).collect();
        nodes.sort_unstable();
        nodes.dedup();
        let mut of_edge = vec![(0, 0.0, 0.0); graph.edges().len()];
        let mut of_node = vec![None; graph.nodes().n_rows()];
        for (number, branch) in branches.iter().enumerate() {
            let shares = shares(graph, branch);
            for (at, &edge) in branch.edges.iter().enumerate() {
                let (here, next) = (shares[at], shares[at + 1]);
                let forward = graph.edges()[edge].a == branch.nodes[at];
                of_edge[edge] = if forward { (number, here, next) } else { (number, next, here) };
            }
            if branch.edges.is_empty() {
                of_node[branch.nodes[0]] = Some(number);
            }
        }
        let lengths = branches.iter().map(|branch| branch.length(graph)).collect();
        Self { nodes, branches, lengths, of_edge, of_node }
    }

    /// The milestones themselves, in order.
    pub fn nodes(&self) -> &[usize] {
        &self.nodes
    }

    /// The branches between the milestones. Each edge is on one branch; an isolated node is a branch
    /// of its own.
    pub fn branches(&self) -> &[Branch] {
        &self.branches
    }

    /// The length of each branch.
    pub fn lengths(&self) -> &[f64] {
        &self.lengths
    }

    /// The name of a milestone: `M` and the index of its node.
    pub fn name(node: usize) -> String {
        format!("M{node}")
    }

    /// The names of the branches, as in [`PrincipalGraph::branch_names`].
    pub fn branch_names(&self) -> Vec<String> {
        names(&self.branches)
    }

    /// Adds nodes to the milestones.
    ///
    /// ```
    /// use midrib::graph::PrincipalGraph;
    /// use midrib::math::Matrix;
    /// let nodes = Matrix::from_rows(&[[0.0], [1.0], [2.0]])?;
    /// let graph = PrincipalGraph::new(nodes, &[(0, 1, 1.0), (1, 2, 1.0)], vec![1.0; 3])?;
    /// assert_eq!(graph.milestones().with_nodes(&graph, &[1])?.nodes(), [0, 1, 2]);
    /// # Ok::<(), midrib::Error>(())
    /// ```
    pub fn with_nodes(self, graph: &PrincipalGraph, nodes: &[usize]) -> Result<Self> {
        let n = graph.nodes().n_rows();
        if let Some(node) = nodes.iter().find(|&&node| node >= n) {
            return Err(Error::data(format!("milestone {node}: the graph has {n} nodes")));
        }
        Ok(self.cut(graph, |branch| {
            let inside = 1..branch.nodes.len().saturating_sub(1);
            inside.filter(|&at| nodes.contains(&branch.nodes[at])).collect()
        }))
    }

    /// Adds milestones until no branch is closed and no two branches connect the same milestones: a
    /// simple network without self-loops and parallel edges.
    ///
    /// ```
    /// use midrib::graph::PrincipalGraph;
    /// use midrib::math::Matrix;
    /// let ring: Vec<_> = (0..6).map(|i| (i, (i + 1) % 6, 1.0)).collect();
    /// let angle = |i: usize| std::f64::consts::TAU * i as f64 / 6.0;
    /// let nodes: Vec<_> = (0..6).map(|i| [angle(i).cos(), angle(i).sin()]).collect();
    /// let graph = PrincipalGraph::new(Matrix::from_rows(&nodes)?, &ring, vec![1.0; 6])?;
    /// assert_eq!(graph.milestones().nodes(), [0]);
    /// assert_eq!(graph.milestones().simple(&graph).nodes(), [0, 2, 4]);
    /// # Ok::<(), midrib::Error>(())
    /// ```
    pub fn simple(self, graph: &PrincipalGraph) -> Self {
        let opened = self.cut(graph, |branch| {
            if !branch.closed {
                return Vec::new();
            }
            // A closed branch has at least three edges, so it has at least two inner nodes.
            let shares = shares(graph, branch);
            let last = branch.nodes.len() - 1;
            let first = nearest(&shares, 1..last - 1, 1.0 / 3.0);
            vec![first, nearest(&shares, first + 1..last, 2.0 / 3.0)]
        });
        let mut alike: BTreeMap<[usize; 2], usize> = BTreeMap::new();
        for branch in &opened.branches {
            *alike.entry(ends(branch)).or_default() += 1;
        }
        opened.cut(graph, |branch| {
            let last = branch.nodes.len() - 1;
            match alike[&ends(branch)] {
                2.. if last > 1 => vec![nearest(&shares(graph, branch), 1..last, 0.5)],
                _ => Vec::new(),
            }
        })
    }

    /// Cuts each branch at the nodes whose positions in the branch `at` returns.
    fn cut(self, graph: &PrincipalGraph, at: impl Fn(&Branch) -> Vec<usize>) -> Self {
        let mut branches = Vec::new();
        for branch in self.branches {
            let cuts = at(&branch);
            if cuts.is_empty() {
                branches.push(branch);
                continue;
            }
            let stops = [vec![0], cuts, vec![branch.nodes.len() - 1]].concat();
            branches.extend(stops.windows(2).map(|stop| Branch {
                nodes: branch.nodes[stop[0]..=stop[1]].to_vec(),
                edges: branch.edges[stop[0]..stop[1]].to_vec(),
                closed: false,
            }));
        }
        Self::new(graph, branches)
    }

    /// The branch of each point's projection, and its position along the branch. In a branch of
    /// length 0 all edges count equally.
    pub fn branch_positions(
        &self,
        graph: &PrincipalGraph,
        projection: &Projection,
    ) -> Result<Vec<BranchPosition>> {
        graph.check_projection(projection)?;
        if graph.edges().len() != self.of_edge.len() {
            return Err(Error::shape("edges", self.of_edge.len(), graph.edges().len()));
        }
        let position = |i: usize| match projection.edge[i] {
            Some(edge) => {
                let (branch, at_a, at_b) = self.of_edge[edge];
                let along = projection.edge_pos[i];
                BranchPosition { branch, share: (1.0 - along) * at_a + along * at_b }
            }
            None => {
                let branch = self.of_node[projection.node[i]].unwrap_or_default();
                BranchPosition { branch, share: 0.0 }
            }
        };
        Ok((0..projection.node.len()).map(position).collect())
    }

    /// The nearer milestone along the branch; the first one at the midpoint.
    pub fn nearest(&self, position: BranchPosition) -> usize {
        let [first, last] = ends(&self.branches[position.branch]);
        if position.share > 0.5 { last } else { first }
    }
}

/// The first and the last node.
fn ends(branch: &Branch) -> [usize; 2] {
    [branch.nodes[0], branch.nodes[branch.nodes.len() - 1]]
}

/// The share of the branch's length at each of its nodes, from 0 to 1.
fn shares(graph: &PrincipalGraph, branch: &Branch) -> Vec<f64> {
    let total = branch.length(graph);
    let mut shares = vec![0.0];
    let mut sum = 0.0;
    for (at, &edge) in branch.edges.iter().enumerate() {
        sum += graph.edges()[edge].length;
        let even = (at + 1) as f64 / branch.edges.len() as f64;
        shares.push(if total > 0.0 { (sum / total).min(1.0) } else { even });
    }
    if let (Some(last), false) = (shares.last_mut(), branch.edges.is_empty()) {
        *last = 1.0;
    }
    shares
}

/// The index in `range` whose share is nearest to `wanted`.
fn nearest(shares: &[f64], range: std::ops::Range<usize>, wanted: f64) -> usize {
    let first = range.start;
    let away = |at: &usize| (shares[*at] - wanted).abs();
    range.min_by(|a, b| away(a).total_cmp(&away(b))).unwrap_or(first)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::random::{projection_at, random_graph, shortest};
    use super::*;
    use crate::math::Matrix;

    fn line_graph(n: usize, pairs: &[(usize, usize)]) -> PrincipalGraph {
        let nodes: Vec<[f64; 2]> = (0..n).map(|i| [i as f64, (i * i % 7) as f64]).collect();
        let edges: Vec<_> = pairs.iter().map(|&(a, b)| (a, b, 1.0)).collect();
        PrincipalGraph::new(Matrix::from_rows(&nodes).unwrap(), &edges, vec![0.0; n]).unwrap()
    }

    #[test]
    fn parallel_branches_have_unique_names() {
        let graph = line_graph(4, &[(0, 1), (0, 2), (1, 2), (0, 3), (1, 3)]);
        let milestones = graph.milestones();
        assert_eq!(milestones.nodes(), [0, 1]);
        assert_eq!(milestones.branch_names(), ["0-1", "0-2-1", "0-3-1"]);
        let simple = milestones.simple(&graph);
        assert_eq!(simple.branch_names(), ["0-1", "0-2", "0-3", "1-2", "1-3"]);
    }

    #[test]
    fn an_isolated_node_is_a_milestone_and_a_branch() {
        let graph = line_graph(3, &[(0, 2)]);
        let milestones = graph.milestones();
        assert_eq!(milestones.nodes(), [0, 1, 2]);
        assert_eq!(milestones.branch_names(), ["0-2", "1-1"]);
        let at = projection_at(&graph, &[(1, 0.0)]);
        let found = milestones.branch_positions(&graph, &at).unwrap();
        assert_eq!(found, [BranchPosition { branch: 1, share: 0.0 }]);
        assert_eq!(milestones.nearest(found[0]), 1);
        assert!(milestones.with_nodes(&graph, &[3]).is_err());
    }

    proptest! {
        #[test]
        fn shares_match_distances_from_the_milestones(
            graph in random_graph(9, 14),
            seeds in proptest::collection::vec((0_usize..40, 0.0..=1.0_f64), 1..12),
            also in proptest::collection::vec(0_usize..9, 0..3),
        ) {
            let n = graph.nodes().n_rows();
            let also: Vec<usize> = also.into_iter().filter(|&node| node < n).collect();
            let at = projection_at(&graph, &seeds);
            let all = shortest(&graph, &at);
            let simple = graph.milestones().with_nodes(&graph, &also).unwrap().simple(&graph);
            prop_assert!(also.iter().all(|node| simple.nodes().contains(node)));
            let mut pairs = std::collections::BTreeSet::new();
            for branch in simple.branches() {
                let [first, last] = ends(branch);
                prop_assert!(first < last || branch.edges.is_empty());
                prop_assert!(pairs.insert((first, last)));
            }
            let edges: usize = simple.branches().iter().map(|branch| branch.edges.len()).sum();
            prop_assert_eq!(edges, graph.edges().len());
            for milestones in [simple, graph.milestones()] {
                for (i, on) in milestones.branch_positions(&graph, &at).unwrap().into_iter().enumerate() {
                    let [first, last] = ends(&milestones.branches()[on.branch]);
                    let length = milestones.lengths()[on.branch];
                    let near = on.share * length;
                    // The path along the branch is never shorter than the shortest path, and is a
                    // shortest path to at least one end.
                    let far = length - near;
                    prop_assert!(near >= all[first][n + i] - 1e-9);
                    prop_assert!(far >= all[last][n + i] - 1e-9);
                    let reached = (near - all[first][n + i]).abs() < 1e-9
                        || (far - all[last][n + i]).abs() < 1e-9;
                    prop_assert!(reached);
                }
            }
        }
    }
}
