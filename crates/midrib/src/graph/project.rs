//! Projection: the nearest position on a graph for every point.

use std::ops::Range;

use rayon::prelude::*;

use super::PrincipalGraph;
use super::projector::{ProjectedPoint, Projector, TileScratch};
use crate::error::{Error, Result};
use crate::points::{Blocks, CHUNK_ROWS, Chunk, blocks_of, update_chunks};

/// For each point its nearest position on a graph.
#[derive(Clone, Debug, PartialEq)]
pub struct Projection {
    /// The nearest node.
    pub node: Vec<usize>,
    /// The edge that holds the nearest position; none where that is an isolated node. It need not
    /// touch the nearest node.
    pub edge: Vec<Option<usize>>,
    /// Where on the edge: 0 at its smaller node, 1 at its larger.
    pub edge_pos: Vec<f64>,
    /// The distance to the nearest position.
    pub distance: Vec<f64>,
}

impl PrincipalGraph {
    /// The exact nearest position on any edge (or isolated node), and the exact nearest node, of
    /// each point. Where several edges are equally near, as at a node that they share, the
    /// smallest counts. Points with missing values are compared by the known ones, against all
    /// edges.
    ///
    /// A search tree over the edges keeps the cost near O(log K) per point, so a million points
    /// take seconds; blocks of points are distributed over the threads.
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
    pub fn project(&self, points: &dyn Blocks) -> Result<Projection> {
        self.check_columns(points)?;
        if self.nodes().n_rows() == 0 {
            return Err(Error::data("a graph without nodes has no positions to project to"));
        }
        let finder = Projector::new(self);
        let n = points.len();
        let mut projection = Projection {
            node: vec![0; n],
            edge: vec![None; n],
            edge_pos: vec![0.0; n],
            distance: vec![0.0; n],
        };
        let project = |chunk: &Chunk<'_>, rows: &mut ProjectedRows<'_>| {
            let blocks = rows.split(chunk.block_size()).into_par_iter().zip(chunk.blocks());
            blocks.map(|(mut out, rows)| out.project(points, chunk, rows, &finder)).collect()
        };
        let mut all = ProjectedRows::all(&mut projection);
        let mut rows = all.split(CHUNK_ROWS);
        let mut done: Result<()> = Ok(());
        update_chunks(points, &mut rows, project, |of_chunk: Result<()>| {
            if done.is_ok() {
                done = of_chunk;
            }
        })?;
        done?;
        Ok(projection)
    }

    /// Refuses points that cannot be compared with the nodes.
    fn check_columns(&self, points: &dyn Blocks) -> Result<()> {
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
    pub(super) fn check_projection_of(
        &self,
        points: &dyn Blocks,
        projection: &Projection,
    ) -> Result<()> {
        self.check_columns(points)?;
        let missing = points.missing_values().unwrap_or(0);
        points.refuse_missing(missing, "a change of the graph")?;
        projection.check_length(points)?;
        self.check_projection(projection)
    }

    /// Refuses a projection onto another graph.
    pub fn check_projection(&self, projection: &Projection) -> Result<()> {
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
            return Err(Error::shape("positions on edges", "numbers from 0 to 1", pos));
        }
        match [edge.len(), edge_pos.len(), distance.len()]
            .into_iter()
            .find(|&len| len != node.len())
        {
            Some(len) => Err(Error::shape("rows of the projection", node.len(), len)),
            None => Ok(()),
        }
    }
}

/// Some rows of a projection that is being found.
struct ProjectedRows<'p> {
    node: &'p mut [usize],
    edge: &'p mut [Option<usize>],
    edge_pos: &'p mut [f64],
    distance: &'p mut [f64],
}

impl<'p> ProjectedRows<'p> {
    fn all(projection: &'p mut Projection) -> Self {
        let Projection { node, edge, edge_pos, distance } = projection;
        Self { node, edge, edge_pos, distance }
    }

    /// Pieces of so many rows.
    fn split(&mut self, rows: usize) -> Vec<ProjectedRows<'_>> {
        let edges = self.edge.chunks_mut(rows).zip(self.edge_pos.chunks_mut(rows));
        let nodes = self.node.chunks_mut(rows).zip(self.distance.chunks_mut(rows));
        let joined = nodes.zip(edges).map(|((node, distance), (edge, edge_pos))| ProjectedRows {
            node,
            edge,
            edge_pos,
            distance,
        });
        joined.collect()
    }

    /// Projects the points of a block.
    fn project(
        &mut self,
        points: &dyn Blocks,
        chunk: &Chunk<'_>,
        rows: Range<usize>,
        finder: &Projector<'_>,
    ) -> Result<()> {
        let mut scratch = TileScratch::default();
        let (mut complete, mut values) = (Vec::new(), Vec::new());
        let mut row = vec![0.0; chunk.dims()];
        for start in (0..rows.len()).step_by(finder.tile_rows()) {
            complete.clear();
            values.clear();
            for at in start..(start + finder.tile_rows()).min(rows.len()) {
                let i = rows.start + at;
                chunk.copy_row(i, &mut row);
                if row.iter().any(|x| x.is_nan()) {
                    points.refuse_empty_row(i, &row)?;
                    let nearest = finder.nearest_with_missing(&row);
                    let node = finder.nearest_node_with_missing(&row);
                    self.set(at, node, &nearest, finder.distance(&row, &nearest));
                } else {
                    complete.push(at);
                    values.extend_from_slice(&row);
                }
            }
            let found = finder.nearest_of_tile(&values, &mut scratch);
            let of_rows = values.chunks_exact(row.len()).zip(found);
            for (&at, (row, found)) in complete.iter().zip(of_rows) {
                if let Some((nearest, node)) = found {
                    self.set(at, node, &nearest, finder.distance(row, &nearest));
                }
            }
        }
        Ok(())
    }

    fn set(&mut self, at: usize, node: usize, nearest: &ProjectedPoint, distance: f64) {
        self.node[at] = node;
        self.edge[at] = nearest.edge;
        self.edge_pos[at] = nearest.pos;
        self.distance[at] = distance;
    }
}

impl Projection {
    /// The nearest position itself, in the coordinates of the nodes of `graph`.
    pub fn coordinates(&self, graph: &PrincipalGraph, i: usize) -> Vec<f64> {
        let nodes = graph.nodes();
        let Some(edge) = self.edge[i].map(|edge| graph.edges()[edge]) else {
            return nodes.row(self.node[i]).to_vec();
        };
        let along = self.edge_pos[i];
        let ends = nodes.row(edge.a).iter().zip(nodes.row(edge.b));
        ends.map(|(a, b)| a + along * (b - a)).collect()
    }

    /// The branch (see [`PrincipalGraph::branches`]) that holds each point's nearest
    /// position.
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
    /// position.
    pub fn component(&self, graph: &PrincipalGraph) -> Vec<usize> {
        let of_node = graph.components().of_node;
        let component_of = |(edge, node): (&Option<usize>, &usize)| match edge {
            Some(edge) => of_node[graph.edges()[*edge].a],
            None => of_node[*node],
        };
        self.edge.iter().zip(&self.node).map(component_of).collect()
    }

    /// The mean of the squared distances, weighted as the points are.
    pub fn mean_squared_distance(&self, points: &dyn Blocks) -> Result<f64> {
        self.check_length(points)?;
        let largest = self.distance.iter().copied().fold(0.0, f64::max);
        if largest == 0.0 {
            return Ok(0.0);
        }
        let mut sum = 0.0;
        for rows in blocks_of(points.len()) {
            let share = |i: usize| self.distance[i] / largest;
            sum += rows.map(|i| points.weight(i) * share(i) * share(i)).sum::<f64>();
        }
        Ok(sum / points.total_weight() * largest * largest)
    }

    /// Refuses points that are not the projected ones.
    fn check_length(&self, points: &dyn Blocks) -> Result<()> {
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
