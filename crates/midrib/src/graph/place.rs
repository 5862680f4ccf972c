//! The nearest place on a graph: on any edge or isolated node, not only near the nearest node.

use super::PrincipalGraph;
use crate::math::{Best, Matrix, SpaceTree};

/// Segments in a leaf of the search tree.
const LEAF: usize = 4;
/// Coordinates are padded with zeros to a multiple of this and summed in as many lanes.
const LANES: usize = 4;
/// Room for rounding in the bounds of the search: an item is passed over only if its cell is
/// farther than the best by more than this share.
const SLACK: f64 = 1e-13;
/// Farther away, in extents of the graph, a coordinate is moved here: its square must not
/// overflow.
const FARTHEST: f64 = 1e150;

/// A place on a graph.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Place {
    /// Its edge; none for an isolated node.
    pub edge: Option<usize>,
    /// The ends of the edge, or twice the isolated node.
    pub ends: (usize, usize),
    /// Where between the ends, from 0 to 1.
    pub pos: f64,
}

/// Finds nearest places on a graph.
///
/// Nodes are scaled by a power of two to an extent near 1, so squares neither overflow nor
/// vanish, and copied in the order of the search trees' leaves.
pub(crate) struct PlaceFinder<'g> {
    graph: &'g PrincipalGraph,
    scale: f64,
    width: usize,
    segments: SpaceTree,
    /// Two padded rows a segment.
    ends: Vec<f64>,
    /// 1 / length², 0 where that is not finite.
    steepness: Vec<f64>,
    isolated: Vec<usize>,
    nodes: SpaceTree,
    node_rows: Vec<f64>,
}

impl<'g> PlaceFinder<'g> {
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
        let mut steepness = Vec::with_capacity(pairs.len());
        for &item in segments.items() {
            let (a, b) = pairs[item as usize];
            push_padded(&mut ends, nodes.row(a), width);
            push_padded(&mut ends, nodes.row(b), width);
            let (a, b) = ends[ends.len() - 2 * width..].split_at(width);
            let inverse = 1.0 / squared_distance(a, b);
            steepness.push(if inverse.is_finite() { inverse } else { 0.0 });
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
            steepness,
            isolated,
            nodes: node_tree,
            node_rows,
        }
    }

    /// Room for one scaled and padded point.
    pub fn scratch(&self) -> Vec<f64> {
        vec![0.0; self.width]
    }

    /// The place nearest to `x` on the edges that `alive` admits and on isolated nodes; ties go
    /// to the smaller edge. None if there is no such place.
    pub fn nearest(
        &self,
        x: &[f64],
        scratch: &mut [f64],
        alive: impl Fn(usize) -> bool,
    ) -> Option<Place> {
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
        Some(Place { edge: edge.map(|_| item), ends, pos })
    }

    /// The squared distance to a segment and where on it. Ends are measured exactly as nodes
    /// are, so that edges which share their nearest node tie.
    #[inline]
    fn distance_to_segment(&self, position: usize, x: &[f64]) -> (f64, f64) {
        let width = self.width;
        let rows = &self.ends[2 * position * width..2 * (position + 1) * width];
        let (a, b) = rows.split_at(width);
        let t = dot_of_differences(x, a, b) * self.steepness[position];
        if t <= 0.0 {
            (squared_distance(x, a), 0.0)
        } else if t >= 1.0 {
            (squared_distance(x, b), 1.0)
        } else {
            (squared_distance_inside(x, a, b, t), t)
        }
    }

    /// The node nearest to the point that was put into `scratch` to find `place`.
    pub fn nearest_node(&self, scratch: &[f64], place: &Place) -> usize {
        let near = if place.pos > 0.5 { place.ends.1 } else { place.ends.0 };
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

    /// The place nearest to a point by what is known of it: NaN is not. All edges are looked at, as
    /// boxes tell nothing of distances over some of the columns.
    pub fn nearest_known(&self, x: &[f64]) -> Place {
        let nodes = self.graph.nodes();
        let mut best = Place { edge: None, ends: (0, 0), pos: 0.0 };
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
            let place = Place { edge: Some(edge), ends: (ends.a, ends.b), pos };
            let distance = self.distance(x, &place);
            if distance < least {
                (best, least) = (place, distance);
            }
        }
        for &node in &self.isolated {
            let place = Place { edge: None, ends: (node, node), pos: 0.0 };
            let distance = self.distance(x, &place);
            if distance < least {
                (best, least) = (place, distance);
            }
        }
        best
    }

    /// The node nearest to a point by what is known of it; of equally near ones the first.
    pub fn nearest_known_node(&self, x: &[f64]) -> usize {
        let mut best = (f64::INFINITY, 0);
        for node in 0..self.graph.nodes().n_rows() {
            let place = Place { edge: None, ends: (node, node), pos: 0.0 };
            let distance = self.distance(x, &place);
            if distance < best.0 {
                best = (distance, node);
            }
        }
        best.1
    }

    /// The distance of `x` to a place, in the points' own scale, over what is known of `x`.
    pub fn distance(&self, x: &[f64], place: &Place) -> f64 {
        let a = self.graph.nodes().row(place.ends.0);
        let b = self.graph.nodes().row(place.ends.1);
        let along = |a: f64, b: f64| {
            if place.pos == 1.0 { b } else { a + place.pos * (b - a) }
        };
        let gap = |(&x, (&a, &b)): (&f64, (&f64, &f64))| {
            if x.is_nan() { 0.0 } else { x - along(a, b) }
        };
        length_of(x.iter().zip(a.iter().zip(b)).map(gap))
    }
}

fn push_padded(rows: &mut Vec<f64>, row: &[f64], width: usize) {
    let end = rows.len() + width;
    rows.extend_from_slice(row);
    rows.resize(end, 0.0);
}

/// The power of two that brings the widest side of the nodes' box between 1 and 2.
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

#[inline]
fn squared_distance(x: &[f64], y: &[f64]) -> f64 {
    let mut lanes = [0.0; LANES];
    for (x, y) in x.chunks_exact(LANES).zip(y.chunks_exact(LANES)) {
        for l in 0..LANES {
            let gap = x[l] - y[l];
            lanes[l] += gap * gap;
        }
    }
    sum(lanes)
}

/// (x − a)·(b − a)
#[inline]
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

/// The squared distance of `x` to the place at `t` between `a` and `b`.
#[inline]
fn squared_distance_inside(x: &[f64], a: &[f64], b: &[f64], t: f64) -> f64 {
    let mut lanes = [0.0; LANES];
    let chunks = x.chunks_exact(LANES).zip(a.chunks_exact(LANES));
    for ((x, a), b) in chunks.zip(b.chunks_exact(LANES)) {
        for l in 0..LANES {
            let gap = (x[l] - a[l]) - t * (b[l] - a[l]);
            lanes[l] += gap * gap;
        }
    }
    sum(lanes)
}

#[inline]
fn sum(lanes: [f64; LANES]) -> f64 {
    (lanes[0] + lanes[2]) + (lanes[1] + lanes[3])
}

/// The Euclidean length of a vector of any scale.
pub(super) fn length_of(vector: impl Iterator<Item = f64> + Clone) -> f64 {
    let squared: f64 = vector.clone().map(|x| x * x).sum();
    if (1e-280..1e280).contains(&squared) {
        return squared.sqrt();
    }
    let largest = vector.clone().map(f64::abs).fold(0.0, f64::max);
    if largest == 0.0 || !largest.is_finite() {
        return largest;
    }
    let shares: f64 = vector.map(|x| (x / largest) * (x / largest)).sum();
    largest * shares.sqrt()
}
