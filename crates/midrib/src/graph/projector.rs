//! The projection of a point onto a graph: onto any edge or isolated node, not only those at the
//! nearest node.

use super::length::length_of;
use super::principal_graph::PrincipalGraph;
use super::sieve::{Segment, Sieve, Sifted};
use super::to_segment::{LANES, ToSegment, squared_distance};
use crate::math::simd::dispatch;
use crate::math::{self, Best, Matrix, SpaceTree};

/// The number of segments in a leaf of the search tree.
const LEAF: usize = 4;
/// A margin for rounding in the bounds of the search: an item is skipped only if its cell is
/// farther than the best by more than this share.
const SLACK: f64 = 1e-13;
/// Up to so many dimensions trees are always searched.
const FEW_DIMS: usize = 12;
/// A tree that rules out less than all but this share of the segments is not worth searching.
const SEARCHED: f64 = 0.125;
/// Distances that are held at once, and how many points they may belong to.
const HELD: usize = 1 << 16;
const ROWS: (usize, usize) = (8, 64);
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
    /// In many dimensions.
    sieve: Option<Sieve>,
}

/// Reusable scratch for some points.
#[derive(Default)]
pub(crate) struct TileScratch {
    /// Scaled and padded.
    rows: Vec<f64>,
    sifted: Sifted,
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
        let sieve =
            (nodes.n_cols() > FEW_DIMS).then(|| sieve(&nodes, &node_tree, &segments, &pairs));
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
            sieve,
        }
    }

    /// How many points to project together.
    pub fn tile_rows(&self) -> usize {
        (HELD / self.graph.nodes().n_rows().max(1)).clamp(ROWS.0, ROWS.1)
    }

    /// The projections of some points, row after row, and their nearest nodes: those that
    /// [`Projector::nearest`] and [`Projector::nearest_node`] find.
    pub fn nearest_of_tile(
        &self,
        values: &[f64],
        scratch: &mut TileScratch,
    ) -> Vec<Option<(ProjectedPoint, usize)>> {
        self.enter_all(values, &mut scratch.rows);
        let sieve = self.sieve.as_ref().filter(|_| self.is_crowded(&scratch.rows));
        self.project_all(sieve, scratch)
    }

    /// Scales points into padded rows.
    fn enter_all(&self, values: &[f64], rows: &mut Vec<f64>) {
        let dims = self.graph.nodes().n_cols();
        rows.clear();
        rows.resize(values.len() / dims * self.width, 0.0);
        for (row, x) in rows.chunks_exact_mut(self.width).zip(values.chunks_exact(dims)) {
            self.enter(x, row);
        }
    }

    /// The projections of the points in `scratch` and their nearest nodes.
    fn project_all(
        &self,
        sieve: Option<&Sieve>,
        scratch: &mut TileScratch,
    ) -> Vec<Option<(ProjectedPoint, usize)>> {
        let TileScratch { rows, sifted } = scratch;
        if let Some(sieve) = sieve {
            sieve.measure(rows, self.width, sifted);
        }
        let project = |(point, row): (usize, &[f64])| match sieve {
            Some(sieve) => {
                let found = self.nearest_sifted(sieve, point, row, sifted)?;
                Some((found, self.nearest_node_sifted(sieve, point, row, sifted)))
            }
            None => {
                let found = self.search(row, |_| true).0?;
                Some((found, self.nearest_node(row, &found)))
            }
        };
        rows.chunks_exact(self.width).enumerate().map(project).collect()
    }

    /// Whether a search for the first of these points measures too many segments.
    fn is_crowded(&self, rows: &[f64]) -> bool {
        let measured = rows.get(..self.width).map_or(0, |row| self.search(row, |_| true).1);
        measured as f64 > SEARCHED * self.inverse_squares.len() as f64
    }

    /// The projection of a measured point.
    fn nearest_sifted(
        &self,
        sieve: &Sieve,
        point: usize,
        row: &[f64],
        sifted: &mut Sifted,
    ) -> Option<ProjectedPoint> {
        sieve.bound_segments(point, sifted);
        let bounds = &sifted.segments;
        let first = (0..bounds.len()).min_by(|&a, &b| bounds[a].total_cmp(&bounds[b]))?;
        let (most, _) = self.distance_to_segment(first, row);
        let most = most * (1.0 + SLACK);
        let (mut winner, mut pos) = (Best::NONE, 0.0);
        for (position, bound) in bounds.iter().enumerate() {
            // Not ruled out if rounding made it NaN.
            if *bound > most {
                continue;
            }
            let (squared, t) = self.distance_to_segment(position, row);
            let item = self.segments.items()[position];
            winner.offer(squared, item);
            if winner.item == item {
                pos = t;
            }
        }
        self.projected(winner.item, pos)
    }

    /// The node nearest to a measured point.
    fn nearest_node_sifted(
        &self,
        sieve: &Sieve,
        point: usize,
        row: &[f64],
        sifted: &Sifted,
    ) -> usize {
        let mut winner = Best::NONE;
        for position in sieve.nodes(point, sifted) {
            winner.offer(self.distance_to_node(position, row), self.nodes.items()[position]);
        }
        winner.item as usize
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
        self.enter(x, scratch);
        self.search(scratch, alive).0
    }

    /// Scales a point into a padded row.
    fn enter(&self, x: &[f64], row: &mut [f64]) {
        for (to, from) in row.iter_mut().zip(x) {
            *to = (from * self.scale).clamp(-FARTHEST, FARTHEST);
        }
    }

    /// The same as [`Projector::nearest`] for a scaled and padded point, and how many segments were
    /// measured.
    fn search(
        &self,
        row: &[f64],
        alive: impl Fn(usize) -> bool,
    ) -> (Option<ProjectedPoint>, usize) {
        let edges = self.graph.edges();
        let mut winner = Best::NONE;
        let mut threshold = Best::NONE;
        let (mut pos, mut measured) = (0.0, 0);
        self.segments.search(
            &row[..self.graph.nodes().n_cols()],
            &mut threshold,
            &|_| false,
            &mut |position, threshold: &mut Best| {
                let item = self.segments.items()[position];
                if (item as usize) < edges.len() && !alive(item as usize) {
                    return;
                }
                measured += 1;
                let (squared, t) = self.distance_to_segment(position, row);
                winner.offer(squared, item);
                if winner.item == item {
                    pos = t;
                    threshold.squared = squared * (1.0 + SLACK);
                }
            },
        );
        (self.projected(winner.item, pos), measured)
    }

    /// The projection at a position on an edge or at an isolated node, which are counted after the
    /// edges.
    fn projected(&self, item: u32, pos: f64) -> Option<ProjectedPoint> {
        let (edges, item) = (self.graph.edges(), item as usize);
        let edge = edges.get(item);
        let ends = match edge {
            Some(edge) => (edge.a, edge.b),
            None => self.isolated.get(item.checked_sub(edges.len())?).map(|&node| (node, node))?,
        };
        Some(ProjectedPoint { edge: edge.map(|_| item), ends, pos })
    }

    /// The squared distance to the node at a position of the tree.
    fn distance_to_node(&self, position: usize, row: &[f64]) -> f64 {
        squared_distance(row, &self.node_rows[position * self.width..(position + 1) * self.width])
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
                let squared = self.distance_to_node(position, scratch);
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

/// A sieve of the nodes and segments in the order of their trees.
fn sieve(
    nodes: &Matrix,
    node_tree: &SpaceTree,
    segments: &SpaceTree,
    pairs: &[(usize, usize)],
) -> Sieve {
    let mut position_of = vec![0; nodes.n_rows()];
    for (position, &node) in node_tree.items().iter().enumerate() {
        position_of[node as usize] = position as u32;
    }
    let segment = |&item: &u32| {
        let (a, b) = pairs[item as usize];
        let squared_length = math::squared_distance(nodes.row(a), nodes.row(b));
        Segment { ends: (position_of[a], position_of[b]), squared_length }
    };
    let ordered = nodes.select_rows(node_tree.items().iter().map(|&node| node as usize));
    Sieve::new(ordered, segments.items().iter().map(segment).collect())
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

#[cfg(test)]
mod tests;
