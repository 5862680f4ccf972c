//! The projection of a point onto a graph: onto any edge or isolated node, not only those at the
//! nearest node.

use super::length::length_of;
use super::principal_graph::PrincipalGraph;
use crate::math::simd::{Work, dispatch};
use crate::math::{Best, Matrix, SpaceTree};

/// The number of segments in a leaf of the search tree.
const LEAF: usize = 4;
/// Coordinates are padded with zeros to a multiple of this and summed in this many lanes.
const LANES: usize = 4;
/// A margin for rounding in the bounds of the search: an item is skipped only if its cell is
/// farther than the best by more than this share.
const SLACK: f64 = 1e-13;
/// Coordinates are clamped to this many extents of the graph, so that squares do not overflow.
const FARTHEST: f64 = 1e150;

/// The projection of one point onto a graph.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct ProjectedPoint {
    /// Its edge; `None` for an isolated node.
    pub edge: Option<usize>,
    /// The nodes of the edge, or twice the isolated node.
    pub ends: (usize, usize),
    /// The position between the two nodes, from 0 to 1.
    pub pos: f64,
}

/// Projects points onto a graph.
///
/// Nodes are scaled by a power of two to an extent near 1, so that squares neither overflow nor
/// underflow, and copied in the order of the search trees' leaves.
pub(crate) struct Projector<'g> {
    graph: &'g PrincipalGraph,
    scale: f64,
    width: usize,
    segments: SpaceTree,
    /// Two padded rows per segment.
    ends: Vec<f64>,
    /// 1 / length², or 0 if that is not finite.
    inverse_squares: Vec<f64>,
    isolated: Vec<usize>,
    nodes: SpaceTree,
    node_rows: Vec<f64>,
}

impl<'g> Projector<'g> {
    pub fn new(graph: &'g PrincipalGraph) -> Self {
        let scale = unit_scale(graph.nodes());
        let mut nodes = graph.nodes().clone();
        nodes.as_mut_slice().iter_mut().for_each(|x| *x *= scale);
        let isolated: Vec<usize> =
            (0..nodes.n_rows()).filter(|&node| graph.degree(node) == 0).collect();
        let pairs: Vec<(usize, usize)> = graph
            .edges()
            .iter()
            .map(|edge| (edge.a, edge.b))
            .chain(isolated.iter().map(|&node| (node, node)))
            .collect();
        let width = nodes.n_cols().next_multiple_of(LANES);
        let segments = SpaceTree::of_segments(&nodes, &pairs, LEAF);
        let mut ends = Vec::with_capacity(2 * width * pairs.len());
        let mut inverse_squares = Vec::with_capacity(pairs.len());
        for &item in segments.items() {
            let (a, b) = pairs[item as usize];
            push_padded(&mut ends, nodes.row(a), width);
            push_padded(&mut ends, nodes.row(b), width);
            let (a, b) = ends[ends.len() - 2 * width..].split_at(width);
            let inverse = 1.0 / squared_distance(a, b);
            inverse_squares.push(if inverse.is_finite() { inverse } else { 0.0 });
        }
        let node_tree = SpaceTree::of_points(&nodes, LEAF);
        let mut node_rows = Vec::with_capacity(width * nodes.n_rows());
        for &node in node_tree.items() {
            push_padded(&mut node_rows, nodes.row(node as usize), width);
        }
        Self {
            graph,
            scale,
            width,
            segments,
            ends,
            inverse_squares,
            isolated,
            nodes: node_tree,
            node_rows,
        }
    }

    /// Scratch for one scaled and padded point.
    pub fn scratch(&self) -> Vec<f64> {
        vec![0.0; self.width]
    }

    /// The projection of `x` onto the edges for which `alive` is true and onto isolated nodes; ties
    /// go to the smaller edge. `None` if there are no such edges or nodes.
    pub fn nearest(
        &self,
        x: &[f64],
        scratch: &mut [f64],
        alive: impl Fn(usize) -> bool,
    ) -> Option<ProjectedPoint> {
        for (to, from) in scratch.iter_mut().zip(x) {
            *to = (from * self.scale).clamp(-FARTHEST, FARTHEST);
        }
        let edges = self.graph.edges();
        let mut winner = Best::NONE;
        let mut threshold = Best::NONE;
        let mut pos = 0.0;
        self.segments.search(
            &scratch[..x.len()],
            &mut threshold,
            &|_| false,
            &mut |position, threshold: &mut Best| {
                let item = self.segments.items()[position];
                if (item as usize) < edges.len() && !alive(item as usize) {
                    return;
                }
                let (squared, t) = self.distance_to_segment(position, scratch);
                winner.offer(squared, item);
                if winner.item == item {
                    pos = t;
                    threshold.squared = squared * (1.0 + SLACK);
                }
            },
        );
        let item = winner.item as usize;
        let edge = edges.get(item);
        let ends = match edge {
            Some(edge) => (edge.a, edge.b),
            None => self.isolated.get(item.checked_sub(edges.len())?).map(|&node| (node, node))?,
        };
        Some(ProjectedPoint { edge: edge.map(|_| item), ends, pos })
    }

    /// The squared distance to a segment and the position on it. Distances to ends are computed
    /// exactly as those to nodes, so that edges that share their nearest node tie.
    fn distance_to_segment(&self, position: usize, x: &[f64]) -> (f64, f64) {
        let width = self.width;
        let rows = &self.ends[2 * position * width..2 * (position + 1) * width];
        let (a, b) = rows.split_at(width);
        dispatch(ToSegment { x, a, b, inverse_square: self.inverse_squares[position] })
    }

    /// The node nearest to the point that is in `scratch` and was projected to `found`.
    pub fn nearest_node(&self, scratch: &[f64], found: &ProjectedPoint) -> usize {
        let near = if found.pos > 0.5 { found.ends.1 } else { found.ends.0 };
        let near = self.graph.nodes().row(near);
        let bound: f64 = scratch
            .iter()
            .zip(near)
            .map(|(x, y)| (x - y * self.scale) * (x - y * self.scale))
            .sum();
        let mut winner = Best::NONE;
        let mut threshold = Best { squared: bound * (1.0 + SLACK), item: u32::MAX };
        self.nodes.search(
            &scratch[..near.len()],
            &mut threshold,
            &|_| false,
            &mut |position, threshold: &mut Best| {
                let row = &self.node_rows[position * self.width..(position + 1) * self.width];
                let squared = squared_distance(scratch, row);
                winner.offer(squared, self.nodes.items()[position]);
                threshold.squared = threshold.squared.min(squared * (1.0 + SLACK));
            },
        );
        winner.item as usize
    }

    /// The projection of a point with missing values (NaN), over the columns that it has. Compares
    /// all edges, because bounding boxes give no bounds for a subset of the columns.
    pub fn nearest_with_missing(&self, x: &[f64]) -> ProjectedPoint {
        let nodes = self.graph.nodes();
        let mut best = ProjectedPoint { edge: None, ends: (0, 0), pos: 0.0 };
        let mut least = f64::INFINITY;
        for (edge, ends) in self.graph.edges().iter().enumerate() {
            let (a, b) = (nodes.row(ends.a), nodes.row(ends.b));
            let (mut along, mut length) = (0.0, 0.0);
            for ((x, a), b) in x.iter().zip(a).zip(b).filter(|((x, _), _)| !x.is_nan()) {
                let step = (b - a) * self.scale;
                along += (x - a) * self.scale * step;
                length += step * step;
            }
            let pos = if length > 0.0 { (along / length).clamp(0.0, 1.0) } else { 0.0 };
            let found = ProjectedPoint { edge: Some(edge), ends: (ends.a, ends.b), pos };
            let distance = self.distance(x, &found);
            if distance < least {
                (best, least) = (found, distance);
            }
        }
        for &node in &self.isolated {
            let found = ProjectedPoint { edge: None, ends: (node, node), pos: 0.0 };
            let distance = self.distance(x, &found);
            if distance < least {
                (best, least) = (found, distance);
            }
        }
        best
    }

    /// The node nearest to a point with missing values, over the columns that it has; ties go to the
    /// smaller node.
    pub fn nearest_node_with_missing(&self, x: &[f64]) -> usize {
        let mut best = (f64::INFINITY, 0);
        for node in 0..self.graph.nodes().n_rows() {
            let found = ProjectedPoint { edge: None, ends: (node, node), pos: 0.0 };
            let distance = self.distance(x, &found);
            if distance < best.0 {
                best = (distance, node);
            }
        }
        best.1
    }

    /// The distance from `x` to its projection, in the units of the points, over the columns that
    /// `x` has.
    pub fn distance(&self, x: &[f64], found: &ProjectedPoint) -> f64 {
        let a = self.graph.nodes().row(found.ends.0);
        let b = self.graph.nodes().row(found.ends.1);
        let along = |a: f64, b: f64| {
            if found.pos == 1.0 { b } else { a + found.pos * (b - a) }
        };
        let offset = |(&x, (&a, &b)): (&f64, (&f64, &f64))| {
            if x.is_nan() { 0.0 } else { x - along(a, b) }
        };
        length_of(x.iter().zip(a.iter().zip(b)).map(offset))
    }
}

/// The squared distance from `x` to a segment, and the position on it.
struct ToSegment<'s> {
    x: &'s [f64],
    a: &'s [f64],
    b: &'s [f64],
    inverse_square: f64,
}

impl Work for ToSegment<'_> {
    type Output = (f64, f64);

    #[inline(always)]
    fn run<const FMA: bool>(self) -> (f64, f64) {
        let Self { x, a, b, inverse_square } = self;
        let t = dot_of_differences(x, a, b) * inverse_square;
        if t <= 0.0 {
            (squared_distance(x, a), 0.0)
        } else if t >= 1.0 {
            (squared_distance(x, b), 1.0)
        } else {
            (squared_distance_inside(x, a, b, t), t)
        }
    }
}

fn push_padded(rows: &mut Vec<f64>, row: &[f64], width: usize) {
    let end = rows.len() + width;
    rows.extend_from_slice(row);
    rows.resize(end, 0.0);
}

/// The power of two that scales the largest extent of the nodes to between 1 and 2.
fn unit_scale(nodes: &Matrix) -> f64 {
    let mut lower = vec![f64::INFINITY; nodes.n_cols()];
    let mut upper = vec![f64::NEG_INFINITY; nodes.n_cols()];
    for row in nodes.rows() {
        for (d, &x) in row.iter().enumerate() {
            lower[d] = lower[d].min(x);
            upper[d] = upper[d].max(x);
        }
    }
    let widest = lower.iter().zip(&upper).map(|(l, u)| u - l).fold(0.0, f64::max);
    if widest > 0.0 && widest.is_finite() {
        2_f64.powi(-(widest.log2().floor().clamp(-1000.0, 1000.0) as i32))
    } else {
        1.0
    }
}

#[inline(always)]
fn squared_distance(x: &[f64], y: &[f64]) -> f64 {
    let mut lanes = [0.0; LANES];
    for (x, y) in x.chunks_exact(LANES).zip(y.chunks_exact(LANES)) {
        for l in 0..LANES {
            let offset = x[l] - y[l];
            lanes[l] += offset * offset;
        }
    }
    sum(lanes)
}

/// (x − a)·(b − a)
#[inline(always)]
fn dot_of_differences(x: &[f64], a: &[f64], b: &[f64]) -> f64 {
    let mut lanes = [0.0; LANES];
    let chunks = x.chunks_exact(LANES).zip(a.chunks_exact(LANES));
    for ((x, a), b) in chunks.zip(b.chunks_exact(LANES)) {
        for l in 0..LANES {
            lanes[l] += (x[l] - a[l]) * (b[l] - a[l]);
        }
    }
    sum(lanes)
}

/// The squared distance from `x` to the position `t` between `a` and `b`.
#[inline(always)]
fn squared_distance_inside(x: &[f64], a: &[f64], b: &[f64], t: f64) -> f64 {
    let mut lanes = [0.0; LANES];
    let chunks = x.chunks_exact(LANES).zip(a.chunks_exact(LANES));
    for ((x, a), b) in chunks.zip(b.chunks_exact(LANES)) {
        for l in 0..LANES {
            let offset = (x[l] - a[l]) - t * (b[l] - a[l]);
            lanes[l] += offset * offset;
        }
    }
    sum(lanes)
}

#[inline(always)]
fn sum(lanes: [f64; LANES]) -> f64 {
    (lanes[0] + lanes[2]) + (lanes[1] + lanes[3])
}
