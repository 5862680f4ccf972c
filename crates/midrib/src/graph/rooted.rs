//! Roots and pseudotime: the distance of each point from the root along the graph.

use super::geodesic::Reach;
use super::{PrincipalGraph, Projection};
use crate::error::{Error, Result};

/// A graph with one or several roots.
///
/// ```
/// use midrib::Points;
/// use midrib::graph::PrincipalGraph;
/// use midrib::math::Matrix;
/// let nodes = Matrix::from_rows(&[[0.0, 0.0], [2.0, 0.0], [3.0, 1.0], [3.0, -1.0]])?;
/// let fork = [(0, 1, 1.0), (1, 2, 1.0), (1, 3, 1.0)];
/// let graph = PrincipalGraph::new(nodes, &fork, vec![1.0; 4])?;
/// let points = Points::from_f64(vec![0.5, 0.3, 2.5, 0.5], 2)?;
///
/// let rooted = graph.root(&[0])?;
/// let time = rooted.pseudotime(&graph.project(&points)?)?;
/// assert_eq!(time[0], 0.5);
/// assert!((time[1] - (2.0 + 0.5_f64.sqrt())).abs() < 1e-15);
/// assert_eq!(rooted.lineages().len(), 2);
/// # Ok::<(), midrib::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Rooted<'g> {
    graph: &'g PrincipalGraph,
    roots: Vec<usize>,
    reach: Reach,
}

/// A path from a root to a tip.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lineage {
    /// Its nodes, starting at the root.
    pub nodes: Vec<usize>,
    /// Its edges in the same order, one fewer.
    pub edges: Vec<usize>,
}

/// The points relative to one lineage.
#[derive(Clone, Debug, PartialEq)]
pub struct OnLineage {
    /// The pseudotime of each point on the lineage; for other points, the pseudotime at which their
    /// path leaves it. NaN in components without a root.
    pub pseudotime: Vec<f64>,
    /// 1 for the points on the lineage, 0 for the others.
    pub weight: Vec<f64>,
}

/// The end of the shortest path from the root to a point.
#[derive(Clone, Copy)]
enum PathEnd {
    /// On the last edge of the shortest path to this node.
    Before(usize),
    /// At or beyond this node, but not on the shortest path to another.
    From(usize),
}

impl PrincipalGraph {
    /// The graph with these nodes as roots; each component may have its own, several, or none.
    pub fn root(&self, roots: &[usize]) -> Result<Rooted<'_>> {
        let n = self.nodes().n_rows();
        if roots.is_empty() {
            return Err(Error::data("no root given: name at least one node"));
        }
        if let Some(node) = roots.iter().find(|&&node| node >= n) {
            return Err(Error::data(format!(
                "root {node}: there is no such node, the graph has {n} nodes (0 to {})",
                n.saturating_sub(1)
            )));
        }
        let mut roots = roots.to_vec();
        roots.sort_unstable();
        roots.dedup();
        let reach = self.reach_from(&roots);
        Ok(Rooted { graph: self, roots, reach })
    }
}

impl Rooted<'_> {
    /// The graph itself.
    pub(super) fn graph(&self) -> &PrincipalGraph {
        self.graph
    }

    /// The shortest paths from the roots.
    pub(super) fn reach(&self) -> &Reach {
        &self.reach
    }

    /// The roots, in order.
    pub fn roots(&self) -> &[usize] {
        &self.roots
    }

    /// The distance of each node from its nearest root; NaN in components without one.
    pub fn node_pseudotime(&self) -> Vec<f64> {
        self.reach.distance.iter().map(|&d| if d.is_finite() { d } else { f64::NAN }).collect()
    }

    /// The previous node on the path from the root; `None` for roots and unreachable nodes.
    pub fn parent(&self, node: usize) -> Option<usize> {
        self.reach.last_edge[node].map(|edge| self.graph.edges()[edge].other(node))
    }

    /// The components (see [`PrincipalGraph::components`]) without a root.
    ///
    /// ```
    /// use midrib::graph::PrincipalGraph;
    /// use midrib::math::Matrix;
    /// let nodes = Matrix::from_rows(&[[0.0], [1.0], [5.0], [6.0]])?;
    /// let graph = PrincipalGraph::new(nodes, &[(0, 1, 1.0), (2, 3, 1.0)], vec![1.0; 4])?;
    /// let rooted = graph.root(&[1])?;
    /// assert_eq!(rooted.unrooted_components(), [1]);
    /// assert!(rooted.node_pseudotime()[2].is_nan());
    /// # Ok::<(), midrib::Error>(())
    /// ```
    pub fn unrooted_components(&self) -> Vec<usize> {
        let components = self.graph.components();
        let mut has_root = vec![false; components.count];
        for &root in &self.roots {
            has_root[components.of_node[root]] = true;
        }
        (0..components.count).filter(|&component| !has_root[component]).collect()
    }

    /// The distance along the graph from the nearest root to each point's projection; NaN in
    /// components without a root.
    pub fn pseudotime(&self, projection: &Projection) -> Result<Vec<f64>> {
        self.graph.check_projection(projection)?;
        Ok((0..projection.node.len()).map(|i| self.time(projection, i).0).collect())
    }

    /// The pseudotime of a point and the end of the path to it.
    fn time(&self, projection: &Projection, i: usize) -> (f64, PathEnd) {
        let distance = &self.reach.distance;
        let Some(index) = projection.edge[i] else {
            let node = projection.node[i];
            let time = if distance[node].is_finite() { distance[node] } else { f64::NAN };
            return (time, PathEnd::From(node));
        };
        let edge = self.graph.edges()[index];
        let along = projection.edge_pos[i] * edge.length;
        let from_a = distance[edge.a] + along;
        let from_b = distance[edge.b] + (edge.length - along);
        let (time, near, far) =
            if from_a <= from_b { (from_a, edge.a, edge.b) } else { (from_b, edge.b, edge.a) };
        if !time.is_finite() {
            return (f64::NAN, PathEnd::From(near));
        }
        let leads_on = self.reach.last_edge[far] == Some(index);
        (time, if leads_on { PathEnd::Before(far) } else { PathEnd::From(near) })
    }

    /// The next node after a point on a path from the root, or the node that it is at.
    pub(super) fn node_ahead(&self, projection: &Projection, i: usize) -> usize {
        let (PathEnd::Before(node) | PathEnd::From(node)) = self.time(projection, i).1;
        node
    }

    /// The paths from the roots to the tips of the shortest-path tree: the tips of a tree, and on a
    /// loop the two nodes that meet opposite the root. Ordered by their last node.
    pub fn lineages(&self) -> Vec<Lineage> {
        let mut leads_on = vec![false; self.reach.distance.len()];
        for &node in &self.reach.order {
            if let Some(parent) = self.parent(node) {
                leads_on[parent] = true;
            }
        }
        let mut tips: Vec<usize> = self.reach.order.clone();
        tips.retain(|&node| !leads_on[node]);
        tips.sort_unstable();
        tips.into_iter().map(|tip| self.lineage_to(tip)).collect()
    }

    /// The path from the root to a reachable node.
    fn lineage_to(&self, tip: usize) -> Lineage {
        let mut lineage = Lineage { nodes: vec![tip], edges: Vec::new() };
        let mut node = tip;
        while let Some(edge) = self.reach.last_edge[node] {
            node = self.graph.edges()[edge].other(node);
            lineage.nodes.push(node);
            lineage.edges.push(edge);
        }
        lineage.nodes.reverse();
        lineage.edges.reverse();
        lineage
    }

    /// The pseudotime and weight of each point on a lineage of this graph.
    ///
    /// A point on an edge that closes a loop belongs to the lineages through the node from which
    /// it is reached.
    pub fn on_lineage(&self, lineage: &Lineage, projection: &Projection) -> Result<OnLineage> {
        self.graph.check_projection(projection)?;
        let mut member = vec![false; self.reach.distance.len()];
        for &node in &lineage.nodes {
            *member.get_mut(node).ok_or_else(|| {
                Error::data(format!("lineage through node {node}: the graph has no such node"))
            })? = true;
        }
        // Where the path to each node leaves the lineage; NaN if it was never on it.
        let mut left = vec![f64::NAN; member.len()];
        for &node in &self.reach.order {
            left[node] = match self.parent(node) {
                _ if member[node] => self.reach.distance[node],
                Some(parent) => left[parent],
                None => f64::NAN,
            };
        }
        let seen = (0..projection.node.len()).map(|i| {
            let (time, end) = self.time(projection, i);
            match end {
                PathEnd::Before(node) | PathEnd::From(node) if member[node] => (time, 1.0),
                PathEnd::Before(node) => (self.parent(node).map_or(f64::NAN, |p| left[p]), 0.0),
                PathEnd::From(node) => (left[node], 0.0),
            }
        });
        let (pseudotime, weight) = seen.unzip();
        Ok(OnLineage { pseudotime, weight })
    }
}

impl Lineage {
    /// The total length of its edges.
    pub fn length(&self, graph: &PrincipalGraph) -> f64 {
        self.edges.iter().fold(0.0, |sum, &e| sum + graph.edges()[e].length)
    }
}

#[cfg(test)]
mod tests;
