//! Empty branches: terminal ones are removed, those between branch points are contracted.

use super::{Branch, PrincipalGraph};
use crate::error::Result;
use crate::math::Matrix;
use crate::points::Points;

/// A graph without empty branches.
#[derive(Clone, Debug)]
pub struct WithoutEmpty {
    /// The remaining graph. Its nodes keep their positions.
    pub graph: PrincipalGraph,
    /// For each remaining node, its index in the original graph.
    pub kept: Vec<usize>,
    /// The number of terminal branches, attached loops and whole components that were removed.
    pub removed: usize,
    /// The number of branches between branch points that were contracted.
    pub contracted: usize,
}

impl PrincipalGraph {
    /// The graph without branches to which no point belongs; see
    /// [`Projection::branch`](super::Projection::branch).
    ///
    /// An empty terminal branch, loop attached to one branch point, or component is removed. An
    /// empty branch between two branch points is contracted into the heaviest of its nodes, which
    /// takes over the other edges of both branch points. Of parallel edges the heavier is kept, and
    /// edges between the two branch points disappear. The mass of removed nodes goes to the node
    /// that their branch is merged into, or, for a component, to the nearest remaining node.
    ///
    /// Terminal branches are removed first, shortest first. Of adjacent branches only one is
    /// removed at a time, because the others may then be part of a longer branch. Points are
    /// projected again after a contraction; removals do not change any projection.
    ///
    /// ```
    /// use midrib::Points;
    /// use midrib::graph::PrincipalGraph;
    /// use midrib::math::Matrix;
    /// let nodes = [[-1.0, 1.0], [-1.0, -1.0], [0.0, 0.0], [0.2, 0.0], [1.0, 1.0], [1.0, -1.0]];
    /// let edges = [(0, 2, 1.0), (1, 2, 1.0), (2, 3, 1.0), (3, 4, 1.0), (3, 5, 1.0)];
    /// let graph = PrincipalGraph::new(Matrix::from_rows(&nodes)?, &edges, vec![1.0; 6])?;
    /// let points = Points::from_f64(vec![-1.0, 1.0, -1.0, -1.0, 1.0, 1.0, 1.0, -1.0], 2)?;
    /// let full = graph.without_empty_branches(&points)?;
    /// assert_eq!((full.removed, full.contracted), (0, 1));
    /// assert_eq!(full.graph.degree(2), 4);
    /// assert_eq!(full.kept, [0, 1, 2, 4, 5]);
    /// # Ok::<(), midrib::Error>(())
    /// ```
    pub fn without_empty_branches(&self, points: &Points) -> Result<WithoutEmpty> {
        let mut full = WithoutEmpty {
            graph: self.clone(),
            kept: (0..self.nodes().n_rows()).collect(),
            removed: 0,
            contracted: 0,
        };
        let mut occupied = Occupied::new(self, points)?;
        loop {
            let graph = &full.graph;
            let empty = occupied.empty_branches(graph);
            let Some(first) = empty.first() else { return Ok(full) };
            let inner = is_inner(graph, first);
            let mut touched = vec![false; graph.nodes().n_rows()];
            let mut into: Vec<Option<usize>> = (0..touched.len()).map(Some).collect();
            let mut gone = 0;
            for branch in empty.iter().filter(|branch| is_inner(graph, branch) == inner) {
                if branch.nodes.iter().any(|&node| touched[node]) {
                    continue;
                }
                let target = merge_target(graph, branch);
                for &node in &branch.nodes {
                    touched[node] = true;
                    into[node] = target;
                }
                gone += 1;
            }
            let (merged, kept) = graph.merged(&into)?;
            full.kept = kept.iter().map(|&node| full.kept[node]).collect();
            if inner {
                full.contracted += gone;
                occupied = Occupied::new(&merged, points)?;
            } else {
                full.removed += gone;
                occupied = occupied.kept(graph, &into, &kept);
            }
            full.graph = merged;
        }
    }

    /// The graph with each node merged `into` another (`None`: removed with its component), and the
    /// indices of the nodes that stay.
    fn merged(&self, into: &[Option<usize>]) -> Result<(Self, Vec<usize>)> {
        let kept: Vec<usize> = (0..into.len()).filter(|&node| into[node] == Some(node)).collect();
        let mut number = vec![0; into.len()];
        for (new, &node) in kept.iter().enumerate() {
            number[node] = new;
        }
        let mut mass = vec![0.0; kept.len()];
        for (node, target) in into.iter().enumerate() {
            let target = target.unwrap_or_else(|| self.nearest_of(node, &kept));
            mass[number[target]] += self.mass()[node];
        }
        let mut edges: Vec<(usize, usize, f64)> = Vec::with_capacity(self.edges().len());
        for edge in self.edges() {
            if let (Some(a), Some(b)) = (into[edge.a], into[edge.b])
                && a != b
            {
                let (a, b) = (number[a], number[b]);
                edges.push((a.min(b), a.max(b), edge.weight));
            }
        }
        edges.sort_by(|p, q| (p.0, p.1).cmp(&(q.0, q.1)).then(q.2.total_cmp(&p.2)));
        edges.dedup_by_key(|&mut (a, b, _)| (a, b));
        let nodes: Matrix = self.nodes().select_rows(kept.iter().copied());
        Ok((Self::new(nodes, &edges, mass)?, kept))
    }

    /// The node of `others` that is nearest to `node`.
    fn nearest_of(&self, node: usize, others: &[usize]) -> usize {
        let squared = |&other: &usize| {
            let gaps = self.nodes().row(node).iter().zip(self.nodes().row(other));
            gaps.map(|(x, y)| (x - y) * (x - y)).sum::<f64>()
        };
        let nearest = others.iter().min_by(|a, b| squared(a).total_cmp(&squared(b)));
        nearest.copied().unwrap_or(node)
    }
}

/// Whether a branch connects two branch points.
fn is_inner(graph: &PrincipalGraph, branch: &Branch) -> bool {
    !branch.closed && ends(branch).iter().all(|&end| graph.degree(end) > 2)
}

fn ends(branch: &Branch) -> [usize; 2] {
    [branch.nodes[0], branch.nodes[branch.nodes.len() - 1]]
}

/// The node that an empty branch is merged into; `None` for a whole component.
fn merge_target(graph: &PrincipalGraph, branch: &Branch) -> Option<usize> {
    if is_inner(graph, branch) {
        let heavier =
            |a: &&usize, b: &&usize| graph.mass()[**a].total_cmp(&graph.mass()[**b]).then(b.cmp(a));
        return branch.nodes.iter().max_by(heavier).copied();
    }
    ends(branch).into_iter().find(|&end| graph.degree(end) > 2)
}

/// Which edges and isolated nodes have at least one point.
struct Occupied {
    edges: Vec<bool>,
    nodes: Vec<bool>,
}

impl Occupied {
    fn new(graph: &PrincipalGraph, points: &Points) -> Result<Self> {
        let projection = graph.project(points)?;
        let mut occupied = Self {
            edges: vec![false; graph.edges().len()],
            nodes: vec![false; graph.nodes().n_rows()],
        };
        for (edge, node) in projection.edge.iter().zip(&projection.node) {
            match edge {
                Some(edge) => occupied.edges[*edge] = true,
                None => occupied.nodes[*node] = true,
            }
        }
        Ok(occupied)
    }

    /// The same after terminal branches of `graph` were removed. No projection changes, and edges
    /// keep their order.
    fn kept(&self, graph: &PrincipalGraph, into: &[Option<usize>], kept: &[usize]) -> Self {
        let edges = graph.edges().iter().zip(&self.edges);
        let edges = edges.filter(|(edge, _)| into[edge.a] != into[edge.b]);
        Self {
            edges: edges.map(|(_, occupied)| *occupied).collect(),
            nodes: kept.iter().map(|&node| self.nodes[node]).collect(),
        }
    }

    /// The empty branches: terminal ones first, then by length.
    fn empty_branches(&self, graph: &PrincipalGraph) -> Vec<Branch> {
        let mut empty = graph.branches();
        empty.retain(|branch| match &branch.edges[..] {
            [] => !self.nodes[branch.nodes[0]],
            edges => !edges.iter().any(|&edge| self.edges[edge]),
        });
        empty.sort_by(|a, b| {
            let inner = is_inner(graph, a).cmp(&is_inner(graph, b));
            inner.then(a.length(graph).total_cmp(&b.length(graph)))
        });
        empty
    }
}

#[cfg(test)]
mod tests;
