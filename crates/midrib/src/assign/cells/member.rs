//! A point and its nearest nodes.

use super::{NOBODY, SLACK};
use crate::math::simd::plain_squared_distance;
use crate::math::{Matrix, observed_squared_distance};

/// Nodes whose distance from a point is known.
pub(super) const LISTED: usize = 3;
/// A point and the nodes around it, in distances, not squares.
#[derive(Clone, Copy, Debug)]
pub(super) struct Member {
    pub row: u32,
    /// Nodes in order of their distance; the first is the nearest of all.
    pub near: [u32; LISTED],
    pub at: [f64; LISTED],
    /// No other node is nearer than this.
    pub beyond: f64,
}

impl Member {
    /// How much farther all other nodes are.
    pub fn margin(&self) -> f64 {
        self.at[1].min(self.beyond) - self.at[0]
    }
}

/// The nearest nodes so far, by squared distances.
pub(super) struct Search {
    near: [u32; LISTED + 1],
    squared: [f64; LISTED + 1],
    /// No node that was not offered is nearer than this.
    beyond: f64,
}

impl Default for Search {
    fn default() -> Self {
        Self {
            near: [NOBODY; LISTED + 1],
            squared: [f64::INFINITY; LISTED + 1],
            beyond: f64::INFINITY,
        }
    }
}

impl Search {
    pub fn all(x: &[f64], nodes: &Matrix) -> Self {
        let mut search = Self::default();
        for (node, y) in nodes.rows().enumerate() {
            search.offer(node as u32, plain_squared_distance(x, y));
        }
        search
    }

    /// Among the nodes around one at the distance `far`.
    #[inline(always)]
    pub fn around(x: &[f64], near: u32, far: f64, nodes: &Matrix, apart: &Matrix) -> Self {
        let mut search = Self::default();
        for (node, &apart) in apart.row(near as usize).iter().enumerate() {
            let least = (apart - far) * (1.0 - SLACK);
            if least <= 0.0 || least * least < search.squared[LISTED] {
                search.offer(node as u32, plain_squared_distance(x, nodes.row(node)));
            } else {
                search.beyond = search.beyond.min(least);
            }
        }
        search
    }

    /// Nodes may be offered in any order, each once.
    #[inline(always)]
    pub fn offer(&mut self, node: u32, squared: f64) {
        let mut at = LISTED + 1;
        while at > 0
            && (squared < self.squared[at - 1]
                || squared == self.squared[at - 1] && node < self.near[at - 1])
        {
            at -= 1;
        }
        if at <= LISTED {
            self.near.copy_within(at..LISTED, at + 1);
            self.squared.copy_within(at..LISTED, at + 1);
            self.near[at] = node;
            self.squared[at] = squared;
        }
    }

    /// `beyond` bounds the distances of nodes that were not offered.
    #[inline(always)]
    pub fn member(&self, row: usize, beyond: f64) -> Member {
        let mut member = Member {
            row: row as u32,
            near: [NOBODY; LISTED],
            at: [f64::INFINITY; LISTED],
            beyond: beyond.min(self.beyond).min(self.squared[LISTED].sqrt()),
        };
        member.near.copy_from_slice(&self.near[..LISTED]);
        for (at, squared) in member.at.iter_mut().zip(self.squared) {
            *at = squared.sqrt();
        }
        member
    }
}

/// The nearer of the best so far and another node, of equally near ones the first.
#[inline(always)]
pub(super) fn nearer(best: (f64, u32), x: &[f64], candidate: u32, nodes: &Matrix) -> (f64, u32) {
    let squared = plain_squared_distance(x, nodes.row(candidate as usize));
    let first = squared < best.0 || squared == best.0 && candidate < best.1;
    if first { (squared, candidate) } else { best }
}

/// The nearest of some nodes over the observed values of a point; ties go to the first.
pub(super) fn nearest_observed(
    x: &[f64],
    candidates: impl Iterator<Item = u32>,
    nodes: &Matrix,
) -> (f64, u32) {
    candidates.fold((f64::INFINITY, NOBODY), |best, node| {
        let squared = observed_squared_distance(x, nodes.row(node as usize));
        let first = squared < best.0 || squared == best.0 && node < best.1;
        if first { (squared, node) } else { best }
    })
}
