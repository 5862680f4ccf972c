//! The points that a graph grows on.

use std::sync::Arc;

use super::settings::Search;
use crate::assign::Rows;
use crate::cloud::Cloud;
use crate::error::Result;
use crate::math::Matrix;
use crate::prepare::sample;

/// A fast search takes at least this many points,
pub(super) const GROWTH_POINTS: usize = 1_000;
/// and this many for each node.
const PER_NODE: usize = 50;
/// By how much their number grows at once.
const MORE_POINTS: f64 = 1.5;
/// The points that a graph grows on: the more, the more nodes it has.
pub(super) struct Sample {
    all: Arc<Rows>,
    /// Those of now.
    pub rows: Arc<Rows>,
}

impl Sample {
    pub fn new(search: Search, all: Rows, nodes: usize) -> Self {
        let all = Arc::new(all);
        let mut sample = Self { rows: all.clone(), all };
        if search == Search::Fast {
            sample.resize(GROWTH_POINTS.max(PER_NODE * nodes));
        }
        sample
    }

    fn resize(&mut self, size: usize) {
        self.rows = match size < self.all.weights.len() {
            true => Arc::new(self.all.thinned(size)),
            false => self.all.clone(),
        };
    }

    /// Takes more points if there are more and the nodes ask for them; tells whether it did.
    pub fn suit(&mut self, nodes: usize) -> bool {
        let now = self.rows.weights.len();
        let asks = now < self.all.weights.len() && now < PER_NODE * nodes;
        if asks {
            self.resize((MORE_POINTS * now as f64) as usize);
        }
        asks
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
    Ok(Rows { values: cloud.to_working(values), weights, radius })
}
