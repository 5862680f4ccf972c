//! Projection: the nearest place on a graph for every point.

use rayon::prelude::*;

use super::PrincipalGraph;
use super::place::PlaceFinder;
use crate::error::{Error, Result};
use crate::points::Points;

/// For each point its nearest place on a graph.
#[derive(Clone, Debug, PartialEq)]
pub struct Projection {
    /// The nearest node.
    pub node: Vec<usize>,
    /// The edge that holds the nearest place; none where that is an isolated node. It need
    /// not touch the nearest node.
    pub edge: Vec<Option<usize>>,
    /// Where on the edge: 0 at its smaller node, 1 at its larger.
    pub edge_pos: Vec<f64>,
    /// The distance to the nearest place.
    pub distance: Vec<f64>,
}

impl PrincipalGraph {
    /// The exact nearest place on any edge (or isolated node), and the exact nearest node, of
    /// each point. Where several edges are equally near, as at a node that they share, the
    /// smallest counts. Points with gaps are placed by what is known of them, against all edges.
    ///
    /// A search tree over the edges keeps the cost near O(log K) a point, so a million points
    /// take seconds; the points are shared out over the threads.
    ///
    /// ```
    /// use midrib::Points;
    /// use midrib::graph::PrincipalGraph;
    /// use midrib::math::Matrix;
    /// let nodes = Matrix::from_rows(&[[0.0, 0.0], [4.0, 0.0]])?;
    /// let graph = PrincipalGraph::new(nodes, &[(0, 1, 1.0)], vec![1.0; 2])?;
    /// let projection = graph.project(&Points::from_f64(vec![1.0, 2.0, 5.0, 0.0], 2)?)?;
    /// assert_eq!(projection.edge_pos, [0.25, 1.0]);
    /// assert_eq!(projection.distance, [2.0, 1.0]);
    /// # Ok::<(), midrib::Error>(())
    /// ```
    pub fn project(&self, points: &Points) -> Result<Projection> {
        self.check_columns(points)?;
        points.require_known()?;
        if self.nodes().n_rows() == 0 {
            return Err(Error::data("a graph without nodes has no place to project to"));
        }
        let finder = PlaceFinder::new(self);
        let n = points.len();
        let block_size = points.block_rows(0).len();
        let mut projection = Projection {
            node: vec![0; n],
            edge: vec![None; n],
            edge_pos: vec![0.0; n],
            distance: vec![0.0; n],
        };
        (
            projection.node.par_chunks_mut(block_size),
            projection.edge.par_chunks_mut(block_size),
            projection.edge_pos.par_chunks_mut(block_size),
            projection.distance.par_chunks_mut(block_size),
        )
            .into_par_iter()
            .enumerate()
            .for_each(|(block, (node, edge, edge_pos, distance))| {
                let mut row = vec![0.0; points.dims()];
                let mut scratch = finder.scratch();
                for (at, i) in points.block_rows(block).enumerate() {
                    points.copy_row(i, &mut row);
                    if row.iter().any(|x| x.is_nan()) {
                        let place = finder.nearest_known(&row);
                        node[at] = finder.nearest_known_node(&row);
                        edge[at] = place.edge;
                        edge_pos[at] = place.pos;
                        distance[at] = finder.distance(&row, &place);
                    } else if let Some(place) = finder.nearest(&row, &mut scratch, |_| true) {
                        node[at] = finder.nearest_node(&scratch, &place);
                        edge[at] = place.edge;
                        edge_pos[at] = place.pos;
                        distance[at] = finder.distance(&row, &place);
                    }
                }
            });
        Ok(projection)
    }

    /// Refuses points that cannot be compared with the nodes.
    fn check_columns(&self, points: &Points) -> Result<()> {
        if points.dims() != self.nodes().n_cols() {
            return Err(Error::shape(
                "columns of the points",
                format!("{} as the nodes have", self.nodes().n_cols()),
                points.dims(),
            ));
        }
        Ok(())
    }

    /// Refuses a projection of other points or onto another graph.
    pub(super) fn check_projection(&self, points: &Points, projection: &Projection) -> Result<()> {
        self.check_columns(points)?;
        points.require_complete("a change of the graph")?;
        projection.check_length(points)?;
        self.check_places(projection)
    }

    /// Refuses places that are not on this graph.
    pub fn check_places(&self, projection: &Projection) -> Result<()> {
        let (n_nodes, n_edges) = (self.nodes().n_rows(), self.edges().len());
        let Projection { node, edge, edge_pos, distance } = projection;
        let outside = |what, most: usize, found: &usize| {
            Err(Error::shape(what, format!("numbers below {most}"), found))
        };
        if let Some(found) = edge.iter().flatten().find(|&&e| e >= n_edges) {
            return outside("edges of the projection", n_edges, found);
        }
        if let Some(found) = node.iter().find(|&&k| k >= n_nodes) {
            return outside("nodes of the projection", n_nodes, found);
        }
        if let Some(pos) = edge_pos.iter().find(|pos| !(0.0..=1.0).contains(*pos)) {
            return Err(Error::shape("places on edges", "numbers from 0 to 1", pos));
        }
        match [edge.len(), edge_pos.len(), distance.len()]
            .into_iter()
            .find(|&len| len != node.len())
        {
            Some(len) => Err(Error::shape("places of the projection", node.len(), len)),
            None => Ok(()),
        }
    }
}

impl Projection {
    /// The nearest place itself, in the coordinates of the nodes of `graph`.
    pub fn place(&self, graph: &PrincipalGraph, i: usize) -> Vec<f64> {
        let nodes = graph.nodes();
        let Some(edge) = self.edge[i].map(|edge| graph.edges()[edge]) else {
            return nodes.row(self.node[i]).to_vec();
        };
        let along = self.edge_pos[i];
        let ends = nodes.row(edge.a).iter().zip(nodes.row(edge.b));
        ends.map(|(a, b)| a + along * (b - a)).collect()
    }

    /// The branch (see [`PrincipalGraph::branches`]) that holds each point's nearest place.
    ///
    /// ```
    /// use midrib::Points;
    /// use midrib::graph::PrincipalGraph;
    /// use midrib::math::Matrix;
    /// let nodes = Matrix::from_rows(&[[0.0], [4.0], [9.0]])?;
    /// let graph = PrincipalGraph::new(nodes, &[(0, 1, 1.0)], vec![1.0; 3])?;
    /// let points = Points::from_f64(vec![1.0, 8.0], 1)?;
    /// let projection = graph.project(&points)?;
    /// assert_eq!(projection.branch(&graph), [0, 1]);
    /// assert_eq!(projection.component(&graph), [0, 1]);
    /// assert_eq!(projection.mean_squared_distance(&points)?, 0.5);
    /// # Ok::<(), midrib::Error>(())
    /// ```
    pub fn branch(&self, graph: &PrincipalGraph) -> Vec<usize> {
        let of_edge = graph.branch_of_edge();
        let of_node = graph.branch_of_node();
        let branch_of = |(edge, node): (&Option<usize>, &usize)| match edge {
            Some(edge) => of_edge[*edge],
            None => of_node[*node].unwrap_or_default(),
        };
        self.edge.iter().zip(&self.node).map(branch_of).collect()
    }

    /// The component (see [`PrincipalGraph::components`]) that holds each point's nearest
    /// place.
    pub fn component(&self, graph: &PrincipalGraph) -> Vec<usize> {
        let of_node = graph.components().of_node;
        let component_of = |(edge, node): (&Option<usize>, &usize)| match edge {
            Some(edge) => of_node[graph.edges()[*edge].a],
            None => of_node[*node],
        };
        self.edge.iter().zip(&self.node).map(component_of).collect()
    }

    /// The mean of the squared distances, weighted as the points are.
    pub fn mean_squared_distance(&self, points: &Points) -> Result<f64> {
        self.check_length(points)?;
        let largest = self.distance.iter().copied().fold(0.0, f64::max);
        if largest == 0.0 {
            return Ok(0.0);
        }
        let sum: f64 = (0..points.n_blocks())
            .map(|block| {
                let share = |i: usize| self.distance[i] / largest;
                points
                    .block_rows(block)
                    .map(|i| points.weight(i) * share(i) * share(i))
                    .sum::<f64>()
            })
            .sum();
        Ok(sum / points.total_weight() * largest * largest)
    }

    /// Refuses points that are not the projected ones.
    fn check_length(&self, points: &Points) -> Result<()> {
        if points.len() != self.distance.len() {
            return Err(Error::shape(
                "points of the projection",
                self.distance.len(),
                points.len(),
            ));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
