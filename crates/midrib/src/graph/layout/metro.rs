//! The metro map: a flat drawing with true lengths. Gorban2009, section on metro maps.

use std::cmp::Reverse;

use super::order::{order_children, principal_plane};
use super::product::product_map;
use super::spread::Spread;
use super::stars::stars;
use crate::error::Result;
use crate::graph::{PrincipalGraph, Projection};
use crate::math::Matrix;

/// Space between components, as a share of the widest; of the nodes' own where all are single.
const GAP: f64 = 0.15;
/// Points are drawn at most this far from their edges, as a share of the map's size.
const FARTHEST: f64 = 0.03;
/// How far the arc of a closing edge swings out, as a share of the distance of its ends.
const ARC: f64 = 0.5;

/// A drawing of a graph in the plane whose edges have their true lengths.
#[derive(Clone, Debug, PartialEq)]
pub struct MetroMap {
    /// The place of each node.
    pub nodes: Matrix,
    /// Edges that close a loop: they have no true length and may cross others.
    pub closing: Vec<usize>,
    /// How many pairs of branches cross; 0 unless branches without length lie on one another.
    pub crossings: usize,
    /// How many nodes the two trees have whose product the graph is, where it is one. Lines are
    /// then as long as all copies of an edge are in the root mean square, and the maps at the
    /// stations are drawn to a scale of their own, unless both trees are paths.
    pub product: Option<[usize; 2]>,
}

impl PrincipalGraph {
    /// Draws the graph as a metro map.
    ///
    /// Branches are straight and all edges in proportion to their lengths. The branches about a
    /// branch point are drawn at equal angles, in the order in which they leave it in its own
    /// principal plane, mirrored or swapped where others would be crossed. Where that is not
    /// enough, all orders are tried: trees of up to a dozen branch points or so are drawn at equal
    /// angles without a crossing wherever there is such a drawing.
    ///
    /// There is none for bushy trees: equal angles all around, true lengths and no crossing exclude
    /// each other. There the angles give way. First the branches that lead away from the middle are
    /// drawn closer together, still at equal angles but for the two beside the way in. Where
    /// branches still cross, the whole component is drawn as a fan within a half turn: behind each
    /// branch lies a range of headings of its own, so that nothing can cross. The ranges of a branch
    /// point's branches are equal where that leaves angles that can be told apart, else as wide as
    /// they have tips.
    ///
    /// Loops are cut opposite the middle; the edges that
    /// close them are drawn as arcs. Components stand side by side, the largest first. A product of
    /// two trees, such as a cubic complex or a rectangular net, has a map of the simpler tree at
    /// each station of the other.
    ///
    /// ```
    /// use midrib::graph::PrincipalGraph;
    /// use midrib::math::Matrix;
    /// let nodes = [[0.0, 0.0], [1.0, 0.1], [2.0, 1.0], [2.0, -2.0]];
    /// let fork = [(0, 1, 1.0), (1, 2, 1.0), (1, 3, 1.0)];
    /// let graph = PrincipalGraph::new(Matrix::from_rows(&nodes)?, &fork, vec![1.0; 4])?;
    /// let map = graph.metro_map()?;
    /// for edge in graph.edges() {
    ///     let (a, b) = (map.nodes.row(edge.a), map.nodes.row(edge.b));
    ///     let drawn = f64::hypot(a[0] - b[0], a[1] - b[1]);
    ///     assert!((drawn - edge.length).abs() < 1e-12);
    /// }
    /// assert_eq!(map.crossings, 0);
    /// # Ok::<(), midrib::Error>(())
    /// ```
    pub fn metro_map(&self) -> Result<MetroMap> {
        if let Some(map) = product_map(self)? {
            return Ok(map);
        }
        let plane = principal_plane(self)?;
        let components = self.components();
        let mut parts: Vec<Part> = Vec::with_capacity(components.count);
        let mut closing = vec![true; self.edges().len()];
        let mut firsts = vec![usize::MAX; components.count];
        for (node, &component) in components.of_node.iter().enumerate() {
            firsts[component] = firsts[component].min(node);
        }
        for first in firsts {
            parts.push(self.draw_component(first, &plane, &mut closing)?);
        }
        parts.sort_by_key(|part| Reverse(part.nodes.len()));
        let widest = parts.iter().map(|part| part.width).fold(0.0, f64::max);
        let own = || (0..self.nodes().n_cols()).map(|d| span(self.nodes(), d)).fold(0.0, f64::max);
        let gap = GAP * if widest > 0.0 { widest } else { own() };
        // Even nodes at one place are told apart.
        let gap = if gap > 0.0 { gap } else { 1.0 };
        let mut nodes = Matrix::zeros(self.nodes().n_rows(), 2);
        let (mut left, mut crossings) = (0.0, 0);
        for part in parts {
            for (&node, [x, y]) in part.nodes.iter().zip(&part.places) {
                nodes.row_mut(node).copy_from_slice(&[left + x, *y]);
            }
            left += part.width + gap;
            crossings += part.crossings;
        }
        let closing = (0..closing.len()).filter(|&edge| closing[edge]).collect();
        Ok(MetroMap { nodes, closing, crossings, product: None })
    }

    /// The component that holds `first`, from its left border on; clears its edges in `closing`.
    fn draw_component(&self, first: usize, plane: &Matrix, closing: &mut [bool]) -> Result<Part> {
        let reach = self.reach_from(&[self.middle(first)]);
        for edge in reach.last_edge.iter().flatten() {
            closing[*edge] = false;
        }
        let mut stars = stars(self, &reach);
        order_children(self, &mut stars, plane)?;
        let largest = reach.order.iter().map(|&node| reach.distance[node]).fold(0.0, f64::max);
        let unit = if largest > 0.0 { largest } else { 1.0 };
        let along = |star: Option<usize>, node: usize| {
            (reach.distance[node] - star.map_or(0.0, |star| reach.distance[star])) / unit
        };
        let before: Vec<Option<usize>> =
            stars.iter().map(|star| star.parent.map(|parent| stars[parent].node)).collect();
        let length: Vec<f64> =
            stars.iter().zip(&before).map(|(star, &before)| along(before, star.node)).collect();
        let spread = Spread::new(stars, length.clone());
        let at = spread.places();
        let mut nodes = vec![spread.stars()[0].node];
        let mut places = vec![at[0]];
        for (s, star) in spread.stars().iter().enumerate() {
            let Some(parent) = star.parent else { continue };
            for &node in &star.chain {
                let share = if length[s] > 0.0 { along(before[s], node) / length[s] } else { 0.0 };
                nodes.push(node);
                places.push([0, 1].map(|d| at[parent][d] + share * (at[s][d] - at[parent][d])));
            }
        }
        upright(&mut places, nodes.iter().map(|&node| plane.row(node)));
        let low = [0, 1].map(|d| places.iter().map(|p| p[d]).fold(f64::INFINITY, f64::min));
        let high = [0, 1].map(|d| places.iter().map(|p| p[d]).fold(f64::NEG_INFINITY, f64::max));
        for place in &mut places {
            *place = [(place[0] - low[0]) * unit, (place[1] - 0.5 * (low[1] + high[1])) * unit];
        }
        let width = (high[0] - low[0]) * unit;
        Ok(Part { nodes, places, width, crossings: spread.crossings().len() })
    }

    /// The node nearest to the middle of the longest way in the component that holds `first`.
    fn middle(&self, first: usize) -> usize {
        let last = |from: usize| {
            let reach = self.reach_from(&[from]);
            (reach.order.last().copied().unwrap_or(from), reach)
        };
        let (start, _) = last(first);
        let (mut node, reach) = last(start);
        let half = 0.5 * reach.distance[node];
        while let Some(edge) = reach.last_edge[node] {
            let before = self.edges()[edge].other(node);
            if reach.distance[before] < half {
                let nearer = half - reach.distance[before] < reach.distance[node] - half;
                return if nearer { before } else { node };
            }
            node = before;
        }
        node
    }
}

/// How far places reach along an axis.
fn span(places: &Matrix, axis: usize) -> f64 {
    let values = || places.rows().map(move |row| row[axis]);
    values().fold(f64::NEG_INFINITY, f64::max) - values().fold(f64::INFINITY, f64::min)
}

/// A component on its own.
struct Part {
    nodes: Vec<usize>,
    places: Vec<[f64; 2]>,
    width: f64,
    crossings: usize,
}

/// Turns a drawing so that it lies along the x axis, and mirrors it so that its sides are those
/// of the principal plane.
fn upright<'p>(places: &mut [[f64; 2]], plane: impl Iterator<Item = &'p [f64]> + Clone) {
    let n = places.len() as f64;
    let mean = [0, 1].map(|d| places.iter().map(|p| p[d]).sum::<f64>() / n);
    let moment = |a: usize, b: usize| {
        places.iter().map(|p| (p[a] - mean[a]) * (p[b] - mean[b])).sum::<f64>()
    };
    let tilt = 0.5 * (2.0 * moment(0, 1)).atan2(moment(0, 0) - moment(1, 1));
    let (sin, cos) = tilt.sin_cos();
    for place in places.iter_mut() {
        let [x, y] = [place[0] - mean[0], place[1] - mean[1]];
        *place = [cos * x + sin * y, cos * y - sin * x];
    }
    for axis in 0..2 {
        let agrees = places.iter().zip(plane.clone()).map(|(p, q)| p[axis] * q[axis]).sum::<f64>();
        if agrees < 0.0 {
            places.iter_mut().for_each(|place| place[axis] = -place[axis]);
        }
    }
}

impl MetroMap {
    /// The place at `pos` (from 0 to 1) of an edge, and the direction across it there.
    ///
    /// Closing edges are arcs.
    pub fn along(&self, graph: &PrincipalGraph, edge: usize, pos: f64) -> ([f64; 2], [f64; 2]) {
        let ends = graph.edges()[edge];
        let (a, b) = (self.nodes.row(ends.a), self.nodes.row(ends.b));
        let gap = [b[0] - a[0], b[1] - a[1]];
        let closes = self.closing.binary_search(&edge).is_ok();
        // A parabola over the chord.
        let arc = if closes { 4.0 * ARC } else { 0.0 };
        let out = arc * pos * (1.0 - pos);
        let slope = arc * (1.0 - 2.0 * pos);
        let place = [a[0] + pos * gap[0] - out * gap[1], a[1] + pos * gap[1] + out * gap[0]];
        let tangent = [gap[0] - slope * gap[1], gap[1] + slope * gap[0]];
        let length = tangent[0].hypot(tangent[1]);
        let across =
            if length > 0.0 { [-tangent[1] / length, tangent[0] / length] } else { [0.0, 1.0] };
        (place, across)
    }

    /// A place for every point: beside its place on the graph, to either side in turn, the
    /// farther the farther it is from the graph. Points at a node stand around it.
    ///
    /// ```
    /// use midrib::Points;
    /// use midrib::graph::PrincipalGraph;
    /// use midrib::math::Matrix;
    /// let nodes = Matrix::from_rows(&[[0.0, 0.0], [4.0, 0.0]])?;
    /// let graph = PrincipalGraph::new(nodes, &[(0, 1, 1.0)], vec![1.0; 2])?;
    /// let projection = graph.project(&Points::from_f64(vec![1.0, 0.1, 3.0, 0.0], 2)?)?;
    /// let places = graph.metro_map()?.points(&graph, &projection)?;
    /// assert_eq!(places.row(0), [1.0, 0.1]);
    /// assert_eq!(places.row(1), [3.0, 0.0]);
    /// # Ok::<(), midrib::Error>(())
    /// ```
    pub fn points(&self, graph: &PrincipalGraph, projection: &Projection) -> Result<Matrix> {
        graph.check_places(projection)?;
        let mut places = Matrix::zeros(projection.node.len(), 2);
        let scale = self.offset_scale(&projection.distance);
        for i in 0..projection.node.len() {
            let pos = projection.edge_pos[i];
            let inside = projection.edge[i].filter(|_| pos > 0.0 && pos < 1.0);
            let (place, across) = match (inside, projection.edge[i]) {
                (Some(edge), _) => {
                    let (place, across) = self.along(graph, edge, pos);
                    let side = if i % 2 == 0 { 1.0 } else { -1.0 };
                    (place, across.map(|x| side * x))
                }
                (None, edge) => {
                    let node = edge.map_or(projection.node[i], |edge| {
                        let ends = graph.edges()[edge];
                        if pos == 0.0 { ends.a } else { ends.b }
                    });
                    let (sin, cos) = (i as f64 * GOLDEN_ANGLE).sin_cos();
                    let place = self.nodes.row(node);
                    ([place[0], place[1]], [cos, sin])
                }
            };
            let away = scale(projection.distance[i]);
            places.row_mut(i)[0] = place[0] + away * across[0];
            places.row_mut(i)[1] = place[1] + away * across[1];
        }
        Ok(places)
    }

    /// How far from its edge a point of a distance is drawn: as far as it is, unless that were
    /// too far for nine of ten points.
    fn offset_scale(&self, distances: &[f64]) -> impl Fn(f64) -> f64 + use<> {
        let mut sorted: Vec<f64> = distances.to_vec();
        sorted.sort_unstable_by(f64::total_cmp);
        let usual = sorted.get(sorted.len() * 9 / 10).copied().unwrap_or(0.0);
        let most = FARTHEST * span(&self.nodes, 0).hypot(span(&self.nodes, 1));
        let factor = if usual > most { most / usual } else { 1.0 };
        move |distance| (factor * distance).min(2.0 * most.max(factor * usual))
    }
}

/// Successive multiples of it fall evenly around the circle.
const GOLDEN_ANGLE: f64 = 2.399_963_229_728_653;

#[cfg(test)]
mod tests;
