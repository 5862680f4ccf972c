//! How far the points of a sample scatter around a graph, and whether they follow lines at all.

use super::sample::Sample;
use crate::error::Result;
use crate::graph::PrincipalGraph;
use crate::learn::noise::{noise, transverse_dims};
use crate::math::squared_distance;
use crate::points::Points;
use crate::prepare::{Components, Pca};

/// The radius of a ball in which the points are looked at, in noise and in distances of points.
const NOISE_RADII: f64 = 4.0;
const POINT_RADII: f64 = 6.0;
/// The most nodes around which points are looked at, and the fewest points around one.
const NODES: usize = 40;
const FEWEST: usize = 5;

/// The scatter of points around a graph.
#[derive(Clone, Copy)]
pub(super) struct Scatter {
    /// Noise per transverse dimension.
    pub noise: f64,
    /// The effective number of transverse dimensions.
    pub dims: f64,
}

impl Scatter {
    pub fn new(graph: &PrincipalGraph, sample: &Sample) -> Result<Self> {
        let points = sample.points()?;
        let projection = graph.project(&points)?;
        let dims = transverse_dims(graph, &points, &projection)?;
        Ok(Self { noise: noise(graph, &points, &projection)?, dims })
    }

    /// The length over which bends are evened out.
    pub fn bend(self, graph: &PrincipalGraph, sample: &Sample) -> f64 {
        let per_point = graph.length() / sample.len() as f64;
        (2.2 * self.noise).max(3.0 * per_point).min(0.25 * graph.length())
    }

    /// The distance of nodes that shows every bend.
    pub fn spacing(self, graph: &PrincipalGraph, sample: &Sample) -> f64 {
        let per_point = graph.length() / sample.len() as f64;
        (1.2 * self.noise).max(4.0 * per_point).max(graph.length() / 150.0)
    }

    /// How much wider the points near a node extend along the line than in any other direction: the
    /// median ratio of the two largest variances in balls around nodes. Sheets and blobs have less
    /// than 2.
    pub fn elongation(self, graph: &PrincipalGraph, sample: &Sample) -> Result<f64> {
        if sample.x.n_cols() < 2 {
            return Ok(f64::INFINITY);
        }
        let per_point = graph.length() / sample.len() as f64;
        let mut radius = NOISE_RADII * self.noise;
        for _ in 0..4 {
            let inside = (2.0 * radius / per_point).max(4.0);
            // Noise in many dimensions seems larger in few points (Marchenko1967).
            let wider = 1.0 + (self.dims / inside).sqrt() - (1.0 / inside).sqrt();
            radius = (NOISE_RADII * self.noise * wider).max(POINT_RADII * per_point);
        }
        let across = self.dims * (1.0 + 2.0 * (2.0 / self.dims).sqrt()) - 1.0;
        let limit = radius * radius + across * self.noise * self.noise;
        let step = (graph.nodes().n_rows() / NODES).max(1);
        let mut ratios = Vec::new();
        for node in graph.nodes().rows().step_by(step) {
            let near: Vec<usize> = (0..sample.len())
                .filter(|&i| squared_distance(sample.x.row(i), node) < limit)
                .collect();
            if near.len() >= FEWEST {
                ratios.push(ratio(sample, &near)?);
            }
        }
        ratios.sort_by(f64::total_cmp);
        Ok(ratios.get(ratios.len() / 2).copied().unwrap_or(f64::INFINITY))
    }
}

/// The ratio of the two largest variances of some points.
fn ratio(sample: &Sample, rows: &[usize]) -> Result<f64> {
    let x = sample.x.select_rows(rows.iter().copied());
    let weights: Vec<f64> = rows.iter().map(|&i| sample.weights[i]).collect();
    let points = Points::from_f64(x.as_slice(), x.n_cols())?.with_weights(weights)?;
    let shares = Pca::fit(Components::Count(2), &points)?.shares;
    Ok(shares[0] / shares[1].max(f64::MIN_POSITIVE))
}
