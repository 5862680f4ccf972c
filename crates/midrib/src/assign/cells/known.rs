//! Cells of points with gaps. A point knows some coordinates, so that the distance of two nodes says
//! nothing about their distances from it; but along these coordinates, too, no node moves farther
//! than it does in all.

use super::member::nearest_known;
use super::moves::Moves;
use super::{Cells, NOBODY, SLACK};
use crate::assign::Tally;
use crate::math::{Matrix, known_squared_distance};

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
            let at = known_squared_distance(x, y).sqrt();
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
    /// The sums with other nodes of points with gaps.
    pub(super) fn known_moved(
        &self,
        moves: &Moves,
        nodes: &Matrix,
        from: &[Option<usize>],
    ) -> Tally {
        let radius = self.rows.radius;
        let mut tally = self.tally.renumbered(from);
        for (i, nearest) in self.known.iter().enumerate() {
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
                    nearest_known(x, candidates, nodes)
                }
                false => nearest_known(x, 0..nodes.n_rows() as u32, nodes),
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
