//! Paths: the shortest path between two nodes, the longest shortest path, and the points along one.

use super::{PrincipalGraph, Projection};
use crate::error::{Error, Result};

/// A path along the edges of a graph.
#[derive(Clone, Debug, PartialEq)]
pub struct Path {
    /// Its nodes in order.
    pub nodes: Vec<usize>,
    /// Its edges in the same order, one fewer.
    pub edges: Vec<usize>,
    /// The total length of its edges.
    pub length: f64,
}

/// A point whose projection is on a path.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AlongPath {
    /// The point.
    pub point: usize,
    /// The distance from the start of the path.
    pub position: f64,
}

impl PrincipalGraph {
    /// The shortest path between two nodes; `None` if they are in different components.
    ///
    /// ```
    /// use midrib::graph::PrincipalGraph;
    /// use midrib::math::Matrix;
    /// let nodes = Matrix::from_rows(&[[0.0], [5.0], [1.0], [9.0]])?;
    /// let graph = PrincipalGraph::new(nodes, &[(0, 2, 1.0), (1, 2, 1.0)], vec![1.0; 4])?;
    /// let path = graph.path(0, 1)?.unwrap();
    /// assert_eq!((path.nodes, path.length), (vec![0, 2, 1], 5.0));
    /// assert_eq!(graph.path(0, 3)?, None);
    /// # Ok::<(), midrib::Error>(())
    /// ```
    pub fn path(&self, from: usize, to: usize) -> Result<Option<Path>> {
        let n = self.nodes().n_rows();
        if let Some(node) = [from, to].into_iter().find(|&node| node >= n) {
            return Err(Error::data(format!("a path to node {node}: the graph has {n} nodes")));
        }
        let reach = self.reach_from(&[from]);
        if !reach.distance[to].is_finite() {
            return Ok(None);
        }
        let mut path = Path { nodes: vec![to], edges: Vec::new(), length: reach.distance[to] };
        let mut node = to;
        while let Some(edge) = reach.last_edge[node] {
            node = self.edges()[edge].other(node);
            path.nodes.push(node);
            path.edges.push(edge);
        }
        path.nodes.reverse();
        path.edges.reverse();
        Ok(Some(path))
    }

    /// The longest of all shortest paths, starting at its smaller end node. In a tree two searches
    /// find it; with loops every node is tried.
    ///
    /// ```
    /// use midrib::graph::PrincipalGraph;
    /// use midrib::math::Matrix;
    /// let nodes = Matrix::from_rows(&[[0.0, 0.0], [3.0, 0.0], [4.0, 0.0], [3.0, 2.0]])?;
    /// let fork = [(0, 1, 1.0), (1, 2, 1.0), (1, 3, 1.0)];
    /// let graph = PrincipalGraph::new(nodes, &fork, vec![1.0; 4])?;
    /// assert_eq!(graph.longest_path()?.unwrap().nodes, [0, 1, 3]);
    /// # Ok::<(), midrib::Error>(())
    /// ```
    pub fn longest_path(&self) -> Result<Option<Path>> {
        let components = self.components();
        let mut farthest: Option<(f64, usize, usize)> = None;
        let mut offer = |from: usize| {
            let reach = self.reach_from(&[from]);
            let mut best = (0.0, from);
            for &node in &reach.order {
                if reach.distance[node] > best.0 {
                    best = (reach.distance[node], node);
                }
            }
            let (length, to) = best;
            if farthest.is_none_or(|(longest, ..)| length > longest) {
                farthest = Some((length, from.min(to), from.max(to)));
            }
            to
        };
        if self.loops() == 0 {
            for component in 0..components.count {
                let first = components.of_node.iter().position(|&c| c == component);
                if let Some(first) = first {
                    let end = offer(first);
                    offer(end);
                }
            }
        } else {
            (0..self.nodes().n_rows()).for_each(|node| {
                offer(node);
            });
        }
        match farthest {
            Some((_, from, to)) => self.path(from, to),
            None => Ok(None),
        }
    }

    /// The points whose projections are on the path, in order along the path; ties by row.
    ///
    /// A point projected onto a node of the path counts even if its edge leaves the path there.
    ///
    /// ```
    /// use midrib::Points;
    /// use midrib::graph::PrincipalGraph;
    /// use midrib::math::Matrix;
    /// let nodes = Matrix::from_rows(&[[0.0], [4.0], [9.0]])?;
    /// let graph = PrincipalGraph::new(nodes, &[(0, 1, 1.0), (1, 2, 1.0)], vec![1.0; 3])?;
    /// let projection = graph.project(&Points::from_f64(vec![8.0, 3.0, 1.0], 1)?)?;
    /// let path = graph.path(1, 0)?.unwrap();
    /// let along = graph.points_along(&path, &projection)?;
    /// assert_eq!((along[0].point, along[0].position), (1, 1.0));
    /// assert_eq!((along[1].point, along[1].position), (2, 3.0));
    /// assert_eq!(along.len(), 2);
    /// # Ok::<(), midrib::Error>(())
    /// ```
    pub fn points_along(&self, path: &Path, projection: &Projection) -> Result<Vec<AlongPath>> {
        self.check_projection(projection)?;
        let n_edges = self.edges().len();
        // The position of each node, and of the start of each edge, along the path; NaN off it.
        let mut at_node = vec![f64::NAN; self.nodes().n_rows()];
        let mut at_edge = vec![(f64::NAN, false); n_edges];
        let mut position = 0.0;
        for (i, &node) in path.nodes.iter().enumerate() {
            let Some(slot) = at_node.get_mut(node) else {
                return Err(Error::data(format!(
                    "a path through node {node}: there is no such node"
                )));
            };
            *slot = position;
            let Some(&edge) = path.edges.get(i) else { break };
            if edge >= n_edges {
                return Err(Error::data(format!(
                    "a path through edge {edge}: there is no such edge"
                )));
            }
            at_edge[edge] = (position, self.edges()[edge].a == node);
            position += self.edges()[edge].length;
        }
        let locate = |i: usize| match projection.edge[i] {
            None => at_node[projection.node[i]],
            Some(index) => {
                let edge = self.edges()[index];
                let along = projection.edge_pos[i];
                match (along, at_edge[index]) {
                    (_, (start, true)) if start.is_finite() => start + along * edge.length,
                    (_, (start, false)) if start.is_finite() => start + (1.0 - along) * edge.length,
                    (0.0, _) => at_node[edge.a],
                    (1.0, _) => at_node[edge.b],
                    _ => f64::NAN,
                }
            }
        };
        let mut along: Vec<AlongPath> = (0..projection.node.len())
            .map(|point| AlongPath { point, position: locate(point) })
            .filter(|at| at.position.is_finite())
            .collect();
        along.sort_by(|a, b| a.position.total_cmp(&b.position).then(a.point.cmp(&b.point)));
        Ok(along)
    }
}

#[cfg(test)]
mod tests;
