//! Which edges and nodes can be the nearest to a point, by its distances to all nodes from one matrix
//! product. In many dimensions search trees rule out few of them; this rules out nearly all.

use faer::linalg::matmul::matmul;
use faer::{Accum, MatMut, MatRef, Par};

use crate::math::Matrix;

/// Room for rounding per column, as a share of the squared lengths.
const ROUNDING: f64 = 16.0 * f64::EPSILON;

/// The nodes of a graph, and segments between them.
pub(super) struct Sieve {
    center: Vec<f64>,
    /// Relative to the center (K×D).
    nodes: Matrix,
    squared_lengths: Vec<f64>,
    longest: f64,
    segments: Vec<Segment>,
    rounding: f64,
}

/// The ends of a segment, as rows of the nodes.
pub(super) struct Segment {
    pub ends: (u32, u32),
    pub squared_length: f64,
}

/// Distances of some points from all nodes, and what can be nearest to one of them.
#[derive(Default)]
pub(super) struct Sifted {
    points: Vec<f64>,
    /// Squared distances, one row per point.
    squared: Vec<f64>,
    slack: Vec<f64>,
    /// A lower bound on the squared distance of each segment from one point.
    pub segments: Vec<f64>,
}

impl Sieve {
    pub fn new(mut nodes: Matrix, segments: Vec<Segment>) -> Self {
        let (k, dims) = (nodes.n_rows(), nodes.n_cols());
        let mut center = vec![0.0; dims];
        for row in nodes.rows() {
            center.iter_mut().zip(row).for_each(|(c, y)| *c += y / k as f64);
        }
        for node in 0..k {
            nodes.row_mut(node).iter_mut().zip(&center).for_each(|(y, c)| *y -= c);
        }
        let squared_lengths: Vec<f64> = nodes.rows().map(squared_length).collect();
        let longest = squared_lengths.iter().copied().fold(0.0, f64::max);
        let rounding = ROUNDING * (dims as f64 + 16.0);
        Self { center, nodes, squared_lengths, longest, segments, rounding }
    }

    /// Measures points in rows of `width`, of which the first columns are coordinates.
    pub fn measure(&self, rows: &[f64], width: usize, sifted: &mut Sifted) {
        let (n, k, dims) = (rows.len() / width, self.nodes.n_rows(), self.center.len());
        let Sifted { points, squared, slack, .. } = sifted;
        points.clear();
        for row in rows.chunks_exact(width) {
            points.extend(row.iter().zip(&self.center).map(|(x, c)| x - c));
        }
        squared.resize(n * k, 0.0);
        matmul(
            MatMut::from_row_major_slice_mut(squared, n, k),
            Accum::Replace,
            MatRef::from_row_major_slice(points, n, dims),
            self.nodes.as_faer().transpose(),
            -2.0,
            Par::Seq,
        );
        slack.clear();
        for (x, row) in points.chunks_exact(dims).zip(squared.chunks_exact_mut(k)) {
            let own = squared_length(x);
            for (squared, length) in row.iter_mut().zip(&self.squared_lengths) {
                *squared += own + length;
            }
            slack.push(self.rounding * (own + self.longest));
        }
    }

    /// The nodes that can be nearest to a measured point.
    pub fn nodes<'s>(
        &self,
        point: usize,
        sifted: &'s Sifted,
    ) -> impl Iterator<Item = usize> + use<'s> {
        let squared = &sifted.squared[point * self.nodes.n_rows()..][..self.nodes.n_rows()];
        let least = squared.iter().copied().fold(f64::INFINITY, f64::min);
        let most = least + 2.0 * sifted.slack[point];
        // Not ruled out if rounding made it NaN.
        (0..squared.len()).filter(move |&node| squared[node] <= most || squared[node].is_nan())
    }

    /// Bounds the distances of all segments from a measured point.
    pub fn bound_segments(&self, point: usize, sifted: &mut Sifted) {
        let Sifted { squared, slack, segments, .. } = sifted;
        let squared = &squared[point * self.nodes.n_rows()..][..self.nodes.n_rows()];
        let slack = slack[point];
        segments.clear();
        segments.extend(self.segments.iter().map(|segment| {
            let (a, b) = (squared[segment.ends.0 as usize], squared[segment.ends.1 as usize]);
            let length = segment.squared_length;
            // (x − a)·(b − a), rounded up: by so much the foot can be nearer than a.
            let along = (0.5 * (a - b + length) + 2.0 * slack).clamp(0.0, length);
            let nearer = if length > 0.0 { along * (along / length) } else { 0.0 };
            b.min(a - nearer) - slack
        }));
    }
}

fn squared_length(row: &[f64]) -> f64 {
    row.iter().map(|x| x * x).sum()
}
