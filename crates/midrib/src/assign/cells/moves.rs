//! How far nodes have gone since their cells were made.

use super::{Cells, NOBODY, SLACK};
use crate::math::Matrix;
use crate::math::simd::plain_squared_distance;

/// Nodes that move farther than this share of the usual distance of neighbors are looked at one
/// by one; the others hardly loosen the bounds.
const FAR_MOVER: f64 = 0.02;

/// Where the nodes of some cells have gone.
#[derive(Clone, Debug)]
pub(super) struct Moves {
    /// The new number of each.
    pub now: Vec<u32>,
    /// How far each moved; 0 for those that are gone.
    pub drift: Vec<f64>,
    /// New nodes.
    pub fresh: Vec<u32>,
    /// By how much unlisted nodes may have come nearer to points of a cell than their bound says,
    /// for each cell and for the points at no node.
    pub loosened: Vec<f64>,
    /// Those that moved far.
    movers: Vec<usize>,
    /// The farthest that any moved.
    pub most: f64,
}

impl Moves {
    /// Of the nodes before; `from` says which of these each one was.
    pub fn new(cells: &Cells, from: &[Option<usize>]) -> Self {
        let k = cells.nodes.n_rows();
        let mut moves = Self {
            now: vec![NOBODY; k],
            drift: vec![0.0; k],
            fresh: Vec::new(),
            loosened: vec![0.0; k + 1],
            movers: Vec::new(),
            most: 0.0,
        };
        for (new, old) in from.iter().enumerate() {
            match *old {
                Some(old) => moves.now[old] = new as u32,
                None => moves.fresh.push(new as u32),
            }
        }
        moves
    }

    /// Of nodes where they are now.
    #[inline(always)]
    pub fn measure<const D: usize>(
        &mut self,
        cells: &Cells,
        nodes: &Matrix,
        from: &[Option<usize>],
    ) {
        let far = FAR_MOVER * cells.usual;
        let mut small = 0.0_f64;
        self.movers.clear();
        self.most = 0.0;
        for (new, old) in from.iter().enumerate() {
            let Some(old) = *old else { continue };
            let drift =
                plain_squared_distance(cells.nodes.row_of::<D>(old), nodes.row_of::<D>(new)).sqrt()
                    * (1.0 + SLACK);
            self.drift[old] = drift;
            self.most = larger(drift, self.most);
            if drift > far {
                self.movers.push(old);
            } else {
                small = larger(drift, small);
            }
        }
        self.loosened.fill(small);
        for &mover in &self.movers {
            let drift = self.drift[mover];
            let reaches = self.loosened.iter_mut().zip(&cells.matters_within);
            for ((loosened, within), apart) in reaches.zip(cells.apart.row(mover)) {
                let comes = apart * (1.0 - SLACK) < within + drift && *loosened < drift;
                *loosened = if comes { drift } else { *loosened };
            }
        }
        self.loosened[cells.nodes.n_rows()] = self.most;
    }

    /// How far the nearest of the new nodes is from a position.
    #[inline(always)]
    pub fn to_fresh<const D: usize>(&self, position: &[f64], nodes: &Matrix) -> f64 {
        let mut least = f64::INFINITY;
        for &fresh in &self.fresh {
            let square = plain_squared_distance(position, nodes.row_of::<D>(fresh as usize));
            least = smaller(square, least);
        }
        least.sqrt() * (1.0 - SLACK)
    }
}

/// The larger number. Unlike `f64::max` it need not look for NaN, which no distance is.
#[inline(always)]
pub(super) fn larger(a: f64, b: f64) -> f64 {
    if a > b { a } else { b }
}

/// The smaller number.
#[inline(always)]
pub(super) fn smaller(a: f64, b: f64) -> f64 {
    if a < b { a } else { b }
}

/// How far nodes have gone since they were placed last.
#[derive(Clone, Debug, Default)]
pub(super) struct Steps {
    /// Each.
    pub of: Vec<f64>,
    /// The one that went farthest.
    first: usize,
    farthest: f64,
    /// The farthest that another one went.
    second: f64,
}

impl Steps {
    #[inline(always)]
    pub fn measure<const D: usize>(&mut self, before: &Matrix, nodes: &Matrix) {
        (self.first, self.farthest, self.second) = (0, 0.0, 0.0);
        self.of.resize(nodes.n_rows(), 0.0);
        for (node, of) in self.of.iter_mut().enumerate() {
            let step =
                plain_squared_distance(before.row_of::<D>(node), nodes.row_of::<D>(node)).sqrt();
            let step = step * (1.0 + SLACK);
            *of = step;
            if step > self.farthest {
                self.second = self.farthest;
                (self.first, self.farthest) = (node, step);
            } else {
                self.second = larger(step, self.second);
            }
        }
    }

    /// The farthest that any but this node went.
    #[inline(always)]
    pub fn of_others(&self, node: u32) -> f64 {
        if node as usize == self.first { self.second } else { self.farthest }
    }
}
