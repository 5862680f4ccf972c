//! Drawing the components of a graph with straight branches and true lengths.

use std::cmp::Reverse;

use super::map::{MetroMap, span};
use super::order::{order_children, principal_plane};
use super::ring::ring;
use super::spread::Spread;
use super::stars::stars;
use crate::error::Result;
use crate::graph::PrincipalGraph;
use crate::math::Matrix;

/// The space between components, as a share of the widest; if all components are single nodes, of
/// the extent of the nodes.
const GAP: f64 = 0.15;

/// Draws each component of a graph, side by side.
pub(super) fn draw_components(graph: &PrincipalGraph) -> Result<MetroMap> {
    let plane = principal_plane(graph)?;
    let components = graph.components();
    let mut drawn: Vec<Component> = Vec::with_capacity(components.count);
    let mut closing = vec![true; graph.edges().len()];
    let mut firsts = vec![usize::MAX; components.count];
    for (node, &number) in components.of_node.iter().enumerate() {
        firsts[number] = firsts[number].min(node);
    }
    for first in firsts {
        drawn.push(draw_component(graph, first, &plane, &mut closing)?);
    }
    drawn.sort_by_key(|component| Reverse(component.nodes.len()));
    let widest = drawn.iter().map(|component| component.width).fold(0.0, f64::max);
    let extent = || (0..graph.nodes().n_cols()).map(|d| span(graph.nodes(), d)).fold(0.0, f64::max);
    let gap = GAP * if widest > 0.0 { widest } else { extent() };
    // Isolated nodes at the same position are still drawn apart.
    let gap = if gap > 0.0 { gap } else { 1.0 };
    let mut nodes = Matrix::zeros(graph.nodes().n_rows(), 2);
    let (mut left, mut crossings) = (0.0, 0);
    for component in drawn {
        for (&node, [x, y]) in component.nodes.iter().zip(&component.positions) {
            nodes.row_mut(node).copy_from_slice(&[left + x, *y]);
        }
        left += component.width + gap;
        crossings += component.crossings;
    }
    let closing = (0..closing.len()).filter(|&edge| closing[edge]).collect();
    Ok(MetroMap { nodes, closing, crossings, product: None })
}

/// Draws the component that contains `first`, with its left border at x = 0; clears the edges of its
/// spanning tree in `closing`.
fn draw_component(
    graph: &PrincipalGraph,
    first: usize,
    plane: &Matrix,
    closing: &mut [bool],
) -> Result<Component> {
    if let Some((nodes, positions)) = ring(graph, first) {
        let edges = nodes.iter().flat_map(|&node| graph.neighbors(node));
        edges.for_each(|&(edge, _)| closing[edge] = false);
        return Ok(Component::new(nodes, positions, 1.0, plane, 0));
    }
    let reach = graph.reach_from(&[middle(graph, first)]);
    for edge in reach.last_edge.iter().flatten() {
        closing[*edge] = false;
    }
    let mut stars = stars(graph, &reach);
    order_children(graph, &mut stars, plane)?;
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
    let at = spread.positions();
    let mut nodes = vec![spread.stars()[0].node];
    let mut positions = vec![at[0]];
    for (s, star) in spread.stars().iter().enumerate() {
        let Some(parent) = star.parent else { continue };
        for &node in &star.chain {
            let share = if length[s] > 0.0 { along(before[s], node) / length[s] } else { 0.0 };
            nodes.push(node);
            positions.push([0, 1].map(|d| at[parent][d] + share * (at[s][d] - at[parent][d])));
        }
    }
    let crossings = spread.crossings().len();
    Ok(Component::new(nodes, positions, unit, plane, crossings))
}

/// The node nearest to the middle of the longest path in the component that contains `first`.
fn middle(graph: &PrincipalGraph, first: usize) -> usize {
    let last = |from: usize| {
        let reach = graph.reach_from(&[from]);
        (reach.order.last().copied().unwrap_or(from), reach)
    };
    let (start, _) = last(first);
    let (mut node, reach) = last(start);
    let half = 0.5 * reach.distance[node];
    while let Some(edge) = reach.last_edge[node] {
        let before = graph.edges()[edge].other(node);
        if reach.distance[before] < half {
            let nearer = half - reach.distance[before] < reach.distance[node] - half;
            return if nearer { before } else { node };
        }
        node = before;
    }
    node
}

/// The drawing of one component.
struct Component {
    nodes: Vec<usize>,
    positions: Vec<[f64; 2]>,
    width: f64,
    crossings: usize,
}

impl Component {
    /// Positions in units of `unit`, aligned, with their left border at x = 0.
    fn new(
        nodes: Vec<usize>,
        mut positions: Vec<[f64; 2]>,
        unit: f64,
        plane: &Matrix,
        crossings: usize,
    ) -> Self {
        align(&mut positions, nodes.iter().map(|&node| plane.row(node)));
        let low = [0, 1].map(|d| positions.iter().map(|p| p[d]).fold(f64::INFINITY, f64::min));
        let high = [0, 1].map(|d| positions.iter().map(|p| p[d]).fold(f64::NEG_INFINITY, f64::max));
        for position in &mut positions {
            *position =
                [(position[0] - low[0]) * unit, (position[1] - 0.5 * (low[1] + high[1])) * unit];
        }
        Self { nodes, positions, width: (high[0] - low[0]) * unit, crossings }
    }
}

/// Rotates a drawing so that its longest extent is along the x axis, and mirrors it to match the
/// orientation of the principal plane.
fn align<'p>(positions: &mut [[f64; 2]], plane: impl Iterator<Item = &'p [f64]> + Clone) {
    let n = positions.len() as f64;
    let mean = [0, 1].map(|d| positions.iter().map(|p| p[d]).sum::<f64>() / n);
    let moment = |a: usize, b: usize| {
        positions.iter().map(|p| (p[a] - mean[a]) * (p[b] - mean[b])).sum::<f64>()
    };
    let tilt = 0.5 * (2.0 * moment(0, 1)).atan2(moment(0, 0) - moment(1, 1));
    let (sin, cos) = tilt.sin_cos();
    for position in positions.iter_mut() {
        let [x, y] = [position[0] - mean[0], position[1] - mean[1]];
        *position = [cos * x + sin * y, cos * y - sin * x];
    }
    for axis in 0..2 {
        let agrees =
            positions.iter().zip(plane.clone()).map(|(p, q)| p[axis] * q[axis]).sum::<f64>();
        if agrees < 0.0 {
            positions.iter_mut().for_each(|position| position[axis] = -position[axis]);
        }
    }
}
