//! Cells of points with missing values. Only some coordinates of a point are observed, so the
//! distance of two nodes says nothing about their distances from the point; but along the observed
//! coordinates a node never moves farther than along all of them.

use super::member::nearest_observed;
use super::moves::Moves;
use super::{Cells, NOBODY, SLACK};
use crate::assign::Tally;
use crate::math::{Matrix, observed_squared_distance};

/// The nearest node of a point.
#[derive(Clone, Copy, Debug)]
pub(super) struct Nearest {
    pub node: u32,
    pub at: f64,
    /// No other node is nearer than this.
    pub beyond: f64,
}

impl Nearest {
    pub fn of(x: &[f64], nodes: &Matrix) -> Self {
        let mut nearest = Self { node: NOBODY, at: f64::INFINITY, beyond: f64::INFINITY };
        for (node, y) in nodes.rows().enumerate() {
            let at = observed_squared_distance(x, y).sqrt();
            if at < nearest.at {
                nearest = Self { node: node as u32, at, beyond: nearest.at };
            } else {
                nearest.beyond = nearest.beyond.min(at);
            }
        }
        nearest
    }

    /// The node that the point belongs to.
    pub fn owner(&self, radius: f64) -> u32 {
        if self.at <= radius { self.node } else { NOBODY }
    }
}

impl Cells {
    /// The sums with other nodes of points with missing values.
    pub(super) fn observed_moved(
        &self,
        moves: &Moves,
        nodes: &Matrix,
        from: &[Option<usize>],
    ) -> Tally {
        let radius = self.rows.radius;
        let mut tally = self.tally.renumbered(from);
        for (i, nearest) in self.incomplete.iter().enumerate() {
            let x = self.rows.values.row(i);
            let own = moves.now[nearest.node as usize];
            let upper = (nearest.at + moves.drift[nearest.node as usize]) * (1.0 + SLACK);
            let lower = (nearest.beyond - moves.most) * (1.0 - SLACK);
            let is_first = own != NOBODY && upper < lower;
            if is_first && moves.fresh.is_empty() && upper <= radius {
                continue;
            }
            let (squared, node) = match is_first {
                true => {
                    let candidates = [own].into_iter().chain(moves.fresh.iter().copied());
                    nearest_observed(x, candidates, nodes)
                }
                false => nearest_observed(x, 0..nodes.n_rows() as u32, nodes),
            };
            let now = if squared.sqrt() <= radius { node } else { NOBODY };
            let before = match nearest.owner(radius) {
                NOBODY => Some(NOBODY),
                // The sums of a node that is gone are gone with it.
                _ if own == NOBODY => None,
                _ => Some(own),
            };
            if before != Some(now) {
                let weight = self.rows.weights[i];
                if let Some(before) = before {
                    tally.count::<0>(x, before, -weight);
                }
                tally.count::<0>(x, now, weight);
            }
        }
        tally
    }
}
