//! The points that a graph grows on.

use std::sync::Arc;

use super::search::Search;
use crate::assign::Rows;
use crate::error::Result;
use crate::learn::trimming::Trimming;
use crate::math::Matrix;
use crate::points::Cloud;
use crate::prepare::sample;

/// The fewest points of a fast search, and how many per node.
const FEWEST_POINTS: usize = 1_000;
const POINTS_PER_NODE: usize = 50;
/// The factor by which the sample grows at a time.
const MORE_POINTS: f64 = 1.5;
/// The factor by which the number of nodes grows before the radius is estimated again.
const MORE_NODES: f64 = 1.3;

/// The points that a graph grows on: the more nodes, the more points.
pub(super) struct GrowthSample<'t> {
    all: Arc<Rows>,
    trimming: &'t Trimming,
    /// The number of nodes for which the radius was estimated.
    trimmed_for: usize,
    /// The current sample.
    pub rows: Arc<Rows>,
}

impl<'t> GrowthSample<'t> {
    pub fn new(search: Search, all: Rows, nodes: usize, trimming: &'t Trimming) -> Self {
        let all = Arc::new(all);
        let mut sample = Self { rows: all.clone(), all, trimming, trimmed_for: nodes };
        let size = match search {
            Search::Fast => FEWEST_POINTS.max(POINTS_PER_NODE * nodes),
            Search::Exact => usize::MAX,
        };
        sample.resize(size);
        sample
    }

    fn resize(&mut self, size: usize) {
        let mut rows = match size < self.all.weights.len() {
            true => self.all.thinned(size),
            false => (*self.all).clone(),
        };
        rows.radius = self.trimming.radius_of(self.trimmed_for);
        self.rows = Arc::new(rows);
    }

    /// Adds points if the nodes need them, and updates the radius if it was estimated for far fewer
    /// nodes; returns whether anything changed.
    pub fn adapt(&mut self, nodes: usize) -> bool {
        let now = self.rows.weights.len();
        let more = now < self.all.weights.len() && now < POINTS_PER_NODE * nodes;
        let size = if more { (MORE_POINTS * now as f64) as usize } else { now };
        let other = nodes as f64 >= MORE_NODES * self.trimmed_for as f64
            && self.trimming.radius_of(nodes) != self.rows.radius;
        if other {
            self.trimmed_for = nodes;
        }
        if more || other {
            self.resize(size);
        }
        more || other
    }

    /// Sets the final radius.
    pub fn finish(&mut self) {
        self.trimmed_for = usize::MAX;
        if self.rows.radius != self.trimming.radius() {
            self.resize(self.rows.weights.len());
        }
    }
}

/// The points from which graphs of up to `nodes` nodes are learned, in working coordinates.
pub(super) fn growth_rows(
    cloud: &Cloud<'_>,
    search: Search,
    nodes: usize,
    radius: f64,
) -> Result<Rows> {
    let most = match search {
        Search::Fast => FEWEST_POINTS.max(POINTS_PER_NODE * nodes),
        Search::Exact => usize::MAX,
    };
    let few = sample(cloud, most)?;
    let mut values = Matrix::zeros(few.len(), few.dims());
    for i in 0..few.len() {
        few.copy_row(i, values.row_mut(i));
    }
    let weights = (0..few.len()).map(|i| few.weight(i)).collect();
    Ok(Rows::new(cloud.to_working(values), weights, radius))
}
