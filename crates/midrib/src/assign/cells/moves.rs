//! How far nodes have gone since their cells were made.

use super::member::squared;
use super::{Cells, NOBODY, SLACK};
use crate::math::Matrix;

/// Nodes that move farther than this share of the usual distance of neighbours are looked at one
/// by one; the others hardly loosen the bounds.
const FAR_MOVER: f64 = 0.02;

/// Where the nodes of some cells have gone.
pub(super) struct Moves {
    /// The new number of each.
    pub now: Vec<u32>,
    /// How far each moved; 0 for those that are gone.
    pub drift: Vec<f64>,
    /// New nodes.
    pub fresh: Vec<u32>,
    /// Those that moved far.
    movers: Vec<usize>,
    /// The farthest that another one moved.
    small: f64,
    /// The farthest that any moved.
    pub most: f64,
}

impl Moves {
    pub fn new(cells: &Cells, nodes: &Matrix, from: &[Option<usize>]) -> Self {
        let k = cells.nodes.n_rows();
        let mut moves = Self {
            now: vec![NOBODY; k],
            drift: vec![0.0; k],
            fresh: Vec::new(),
            movers: Vec::new(),
            small: 0.0,
            most: 0.0,
        };
        let far = FAR_MOVER * cells.usual;
        for (new, old) in from.iter().enumerate() {
            let Some(old) = *old else {
                moves.fresh.push(new as u32);
                continue;
            };
            moves.now[old] = new as u32;
            let drift = squared(cells.nodes.row(old), nodes.row(new)).sqrt() * (1.0 + SLACK);
            moves.drift[old] = drift;
            moves.most = moves.most.max(drift);
            if drift > far {
                moves.movers.push(old);
            } else {
                moves.small = moves.small.max(drift);
            }
        }
        moves
    }

    /// By how much unlisted nodes may have come nearer to points of a cell than their bound says.
    pub fn loosened(&self, cells: &Cells, cell: usize) -> f64 {
        if cell == cells.nodes.n_rows() {
            return self.most;
        }
        let bounds = &cells.bounds[cell];
        let apart = cells.apart.row(cell);
        let near = self.movers.iter().filter(|&&mover| {
            apart[mover] * (1.0 - SLACK) < bounds.beyond + bounds.reach + self.drift[mover]
        });
        near.fold(self.small, |most, &mover| most.max(self.drift[mover]))
    }

    /// How far the nearest of the new nodes is from a place.
    pub fn to_fresh(&self, place: &[f64], nodes: &Matrix) -> f64 {
        let squares = self.fresh.iter().map(|&fresh| squared(place, nodes.row(fresh as usize)));
        squares.fold(f64::INFINITY, f64::min).sqrt() * (1.0 - SLACK)
    }
}
