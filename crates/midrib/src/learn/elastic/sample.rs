//! The points that a graph grows on.

use std::sync::Arc;

use super::settings::Search;
use crate::assign::Rows;
use crate::cloud::Cloud;
use crate::error::Result;
use crate::learn::trimming::Trimming;
use crate::math::Matrix;
use crate::prepare::sample;

/// A fast search takes at least this many points,
const GROWTH_POINTS: usize = 1_000;
/// and this many for each node.
const PER_NODE: usize = 50;
/// By how much their number grows at once.
const MORE_POINTS: f64 = 1.5;
/// By how much that of the nodes grows before the radius is estimated again.
const MORE_NODES: f64 = 1.3;
/// The points that a graph grows on: the more, the more nodes it has.
pub(super) struct Sample<'t> {
    all: Arc<Rows>,
    trimming: &'t Trimming,
    /// The number of nodes whose radius they have.
    trimmed_for: usize,
    /// Those of now.
    pub rows: Arc<Rows>,
}

impl<'t> Sample<'t> {
    pub fn new(search: Search, all: Rows, nodes: usize, trimming: &'t Trimming) -> Self {
        let all = Arc::new(all);
        let mut sample = Self { rows: all.clone(), all, trimming, trimmed_for: nodes };
        let size = match search {
            Search::Fast => GROWTH_POINTS.max(PER_NODE * nodes),
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

    /// Takes more points if there are more and the nodes ask for them, and another radius if it is
    /// that of far fewer nodes; tells whether it did.
    pub fn suit(&mut self, nodes: usize) -> bool {
        let now = self.rows.weights.len();
        let more = now < self.all.weights.len() && now < PER_NODE * nodes;
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

    /// Takes the radius of all nodes.
    pub fn finish(&mut self) {
        self.trimmed_for = usize::MAX;
        if self.rows.radius != self.trimming.radius() {
            self.resize(self.rows.weights.len());
        }
    }
}

/// The points that a search of graphs of up to `nodes` nodes takes, in working coordinates.
pub(super) fn rows(cloud: &Cloud<'_>, search: Search, nodes: usize, radius: f64) -> Result<Rows> {
    let most = match search {
        Search::Fast => GROWTH_POINTS.max(PER_NODE * nodes),
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
