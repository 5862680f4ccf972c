//! The metro map of a graph, and the positions of points on it.

use crate::error::Result;
use crate::graph::{PrincipalGraph, Projection};
use crate::math::Matrix;

/// The largest distance at which points are drawn from their edges, as a share of the map's size.
const MAX_OFFSET: f64 = 0.03;
/// The height of the arc of a closing edge, as a share of the distance between its nodes.
const ARC: f64 = 0.5;
/// Successive multiples are spread evenly around the circle.
const GOLDEN_ANGLE: f64 = 2.399_963_229_728_653;

/// A drawing of a graph in the plane whose edges have their true lengths.
#[derive(Clone, Debug, PartialEq)]
pub struct MetroMap {
    /// The position of each node.
    pub nodes: Matrix,
    /// Edges that close a loop. They are not drawn to scale and may cross others.
    pub closing: Vec<usize>,
    /// The number of pairs of branches that cross; 0 unless branches of length 0 overlap.
    pub crossings: usize,
    /// The numbers of nodes of the two trees if the graph is their product. The length of a line is
    /// then the root mean square over all copies of the edge, and the maps of the inner tree have
    /// a scale of their own unless both trees are paths.
    pub product: Option<[usize; 2]>,
}

impl MetroMap {
    /// The position at `pos` (from 0 to 1) along an edge, and the unit normal there.
    ///
    /// Closing edges are arcs.
    pub fn along(&self, graph: &PrincipalGraph, edge: usize, pos: f64) -> ([f64; 2], [f64; 2]) {
        let ends = graph.edges()[edge];
        let (a, b) = (self.nodes.row(ends.a), self.nodes.row(ends.b));
        let chord = [b[0] - a[0], b[1] - a[1]];
        let closes = self.closing.binary_search(&edge).is_ok();
        // A parabola over the chord.
        let arc = if closes { 4.0 * ARC } else { 0.0 };
        let out = arc * pos * (1.0 - pos);
        let slope = arc * (1.0 - 2.0 * pos);
        let position =
            [a[0] + pos * chord[0] - out * chord[1], a[1] + pos * chord[1] + out * chord[0]];
        let tangent = [chord[0] - slope * chord[1], chord[1] + slope * chord[0]];
        let length = tangent[0].hypot(tangent[1]);
        let across =
            if length > 0.0 { [-tangent[1] / length, tangent[0] / length] } else { [0.0, 1.0] };
        (position, across)
    }

    /// The position of each point: next to its projection, on alternating sides, at an offset that
    /// grows with its distance from the graph. Points that project onto a node surround it.
    ///
    /// ```
    /// use midrib::Points;
    /// use midrib::graph::PrincipalGraph;
    /// use midrib::math::Matrix;
    /// let nodes = Matrix::from_rows(&[[0.0, 0.0], [4.0, 0.0]])?;
    /// let graph = PrincipalGraph::new(nodes, &[(0, 1, 1.0)], vec![1.0; 2])?;
    /// let projection = graph.project(&Points::from_f64(vec![1.0, 0.1, 3.0, 0.0], 2)?)?;
    /// let positions = graph.metro_map()?.points(&graph, &projection)?;
    /// assert_eq!(positions.row(0), [1.0, 0.1]);
    /// assert_eq!(positions.row(1), [3.0, 0.0]);
    /// # Ok::<(), midrib::Error>(())
    /// ```
    pub fn points(&self, graph: &PrincipalGraph, projection: &Projection) -> Result<Matrix> {
        graph.check_projection(projection)?;
        let mut positions = Matrix::zeros(projection.node.len(), 2);
        let scale = self.offset_scale(&projection.distance);
        for i in 0..projection.node.len() {
            let pos = projection.edge_pos[i];
            let inside = projection.edge[i].filter(|_| pos > 0.0 && pos < 1.0);
            let (position, across) = match (inside, projection.edge[i]) {
                (Some(edge), _) => {
                    let (position, across) = self.along(graph, edge, pos);
                    let side = if i % 2 == 0 { 1.0 } else { -1.0 };
                    (position, across.map(|x| side * x))
                }
                (None, edge) => {
                    let node = edge.map_or(projection.node[i], |edge| {
                        let ends = graph.edges()[edge];
                        if pos == 0.0 { ends.a } else { ends.b }
                    });
                    let (sin, cos) = (i as f64 * GOLDEN_ANGLE).sin_cos();
                    let position = self.nodes.row(node);
                    ([position[0], position[1]], [cos, sin])
                }
            };
            let away = scale(projection.distance[i]);
            positions.row_mut(i)[0] = position[0] + away * across[0];
            positions.row_mut(i)[1] = position[1] + away * across[1];
        }
        Ok(positions)
    }

    /// The offset at which a point is drawn as a function of its distance: equal to the distance,
    /// scaled down if more than one in ten points would be too far away.
    fn offset_scale(&self, distances: &[f64]) -> impl Fn(f64) -> f64 + use<> {
        let mut sorted: Vec<f64> = distances.to_vec();
        sorted.sort_unstable_by(f64::total_cmp);
        let ninth_decile = sorted.get(sorted.len() * 9 / 10).copied().unwrap_or(0.0);
        let most = MAX_OFFSET * diagonal(&self.nodes);
        let factor = if ninth_decile > most { most / ninth_decile } else { 1.0 };
        move |distance| (factor * distance).min(2.0 * most.max(factor * ninth_decile))
    }
}

/// The extent of positions along an axis.
pub(super) fn span(positions: &Matrix, axis: usize) -> f64 {
    let values = || positions.rows().map(move |row| row[axis]);
    values().fold(f64::NEG_INFINITY, f64::max) - values().fold(f64::INFINITY, f64::min)
}

/// The diagonal of the bounding box of positions in the plane.
pub(super) fn diagonal(positions: &Matrix) -> f64 {
    span(positions, 0).hypot(span(positions, 1))
}
