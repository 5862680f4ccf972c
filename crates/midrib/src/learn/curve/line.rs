//! A polygonal line, and the projections of the points onto it.

use crate::error::{Error, Result};
use crate::graph::PrincipalGraph;
use crate::learn::principal_axes::PrincipalAxes;
use crate::learn::weighted_rows::WeightedRows;
use crate::math::Matrix;
use crate::points::Cloud;

/// Nodes of the ellipse at which a closed curve starts.
const ELLIPSE_NODES: usize = 100;
/// Points whose second standard deviation is below this share of the first lie on a line.
const FLAT: f64 = 1e-6;

/// Y(λ): an open or closed polygonal line in working coordinates.
pub(super) struct Line {
    pub graph: PrincipalGraph,
    pub closed: bool,
}

/// The projections of the points onto a line.
pub(super) struct Along {
    /// λᵢ: the arc length of each projection.
    pub lambda: Vec<f64>,
    /// The length of a closed line.
    pub period: Option<f64>,
    /// The mean squared distance of the points.
    pub mean_squared: f64,
}

impl Line {
    /// A line through these nodes.
    pub fn new(nodes: Matrix, closed: bool) -> Result<Self> {
        let count = nodes.n_rows();
        let mut edges: Vec<_> = (1..count).map(|b| (b - 1, b, 1.0)).collect();
        if closed {
            edges.push((0, count - 1, 1.0));
        }
        Ok(Self { graph: PrincipalGraph::new(nodes, &edges, vec![0.0; count])?, closed })
    }

    /// Step 1: the segment of the principal line that the points span, or an ellipse.
    pub fn start(cloud: &Cloud<'_>, closed: bool) -> Result<Self> {
        let axes = PrincipalAxes::new(cloud, if closed { 2 } else { 1 })?;
        let scores: Vec<Vec<f64>> = if closed {
            let radius = |axis: usize| std::f64::consts::SQRT_2 * axes.deviation[axis];
            if radius(1) <= FLAT * radius(0) {
                return Err(Error::data(format!(
                    "the {} points lie on a line, and a closed curve needs a plane: set structure \
                     to open",
                    cloud.len()
                )));
            }
            let at = |node: usize| std::f64::consts::TAU * node as f64 / ELLIPSE_NODES as f64;
            let score = |node| vec![radius(0) * at(node).cos(), radius(1) * at(node).sin()];
            (0..ELLIPSE_NODES).map(score).collect()
        } else {
            vec![vec![axes.span[0].0], vec![axes.span[0].1]]
        };
        let nodes: Vec<Vec<f64>> = scores.iter().map(|scores| axes.at(scores)).collect();
        Self::new(Matrix::from_rows(&nodes)?, closed)
    }

    /// Step 2: the nearest position of each point.
    pub fn project(&self, rows: &WeightedRows) -> Result<Along> {
        let edges = self.graph.edges();
        let mut starts = vec![0.0; edges.len()];
        let mut length = 0.0;
        let closes = |edge: usize| self.closed && edges[edge].a == 0 && edges[edge].b != 1;
        for edge in (0..edges.len()).filter(|&edge| !closes(edge)) {
            starts[edge] = length;
            length += edges[edge].length;
        }
        let total = self.graph.length();
        let projection = self.graph.project(&rows.points()?)?;
        let lambda =
            projection.edge.iter().zip(&projection.edge_pos).map(|(edge, pos)| match edge {
                None => 0.0,
                Some(edge) if closes(*edge) => total - pos * edges[*edge].length,
                Some(edge) => starts[*edge] + pos * edges[*edge].length,
            });
        let squares: Vec<f64> = projection.distance.iter().map(|d| d * d).collect();
        Ok(Along {
            lambda: lambda.collect(),
            period: self.closed.then_some(total),
            mean_squared: rows.mean(&squares),
        })
    }
}

/// The values of λ at which the curve gets nodes: all that differ, or `count` of them that divide
/// the points evenly.
pub(super) fn positions(
    sorted: &[(f64, usize)],
    weights: &[f64],
    total: f64,
    count: usize,
) -> Vec<f64> {
    let mut distinct: Vec<(f64, f64)> = Vec::new();
    let mut mass = 0.0;
    for &(lambda, row) in sorted {
        mass += weights[row];
        match distinct.last_mut() {
            Some(last) if last.0 == lambda => last.1 = mass,
            _ => distinct.push((lambda, mass)),
        }
    }
    if distinct.len() <= count {
        return distinct.into_iter().map(|(lambda, _)| lambda).collect();
    }
    let last = distinct.len() - 1;
    let mut chosen: Vec<usize> = (0..count)
        .map(|node| {
            let wanted = total * node as f64 / (count - 1) as f64;
            distinct.partition_point(|(_, mass)| *mass < wanted * (1.0 - 1e-12)).min(last)
        })
        .collect();
    chosen.dedup();
    chosen.into_iter().map(|at| distinct[at].0).collect()
}
