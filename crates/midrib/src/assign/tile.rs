//! A tile: neighboring points, and the nodes that can matter to them.

use super::products::relative;
use crate::points::WorkingChunk;

/// How far from a point nodes can matter: up to `factor · d² + extra`, d the distance to a
/// node that is near it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reach {
    pub factor: f64,
    pub extra: f64,
}

impl Reach {
    /// Every node matters.
    pub const ALL: Self = Self { factor: 1.0, extra: f64::INFINITY };
}

/// Neighboring points and their candidate nodes.
#[derive(Default)]
pub(super) struct Tile {
    /// The points.
    pub positions: Vec<f64>,
    pub center: Vec<f64>,
    /// The points relative to the center, each followed by a 1.
    pub points: Vec<f64>,
    pub squared_norms: Vec<f64>,
    pub reach: Vec<f64>,
    pub candidates: Vec<u32>,
}

impl Tile {
    /// Copies the points, relative to their center.
    pub fn gather(&mut self, chunk: &WorkingChunk<'_>, members: &[u32]) {
        let dims = chunk.dims();
        self.positions.resize(members.len() * dims, 0.0);
        self.center.clear();
        self.center.resize(dims, 0.0);
        for (&i, position) in members.iter().zip(self.positions.chunks_exact_mut(dims)) {
            chunk.copy_row(i as usize, position);
            for (c, x) in self.center.iter_mut().zip(position) {
                *c += *x / members.len() as f64;
            }
        }
        self.points.clear();
        self.squared_norms.clear();
        for position in self.positions.chunks_exact(dims) {
            let start = self.points.len();
            self.points.extend(relative(position, &self.center));
            self.squared_norms.push(self.points[start..].iter().map(|x| x * x).sum());
            self.points.push(1.0);
        }
    }
}
