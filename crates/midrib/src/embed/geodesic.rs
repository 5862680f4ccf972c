//! Lengths of shortest paths along the neighbor graph.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::neighbor_graph::NeighborGraph;

/// Reusable memory of a search.
#[derive(Default)]
pub(super) struct Geodesic {
    /// The length of the shortest path to each row.
    pub lengths: Vec<f64>,
    /// Rows to look at: the bits of a length that is not negative are ordered like the length.
    open: BinaryHeap<Reverse<(u64, u32)>>,
}

impl Geodesic {
    /// Finds the shortest paths to all rows from a point that is this far from some of them.
    pub fn search(&mut self, graph: &NeighborGraph, from: impl Iterator<Item = (usize, f64)>) {
        let Self { lengths, open } = self;
        lengths.clear();
        lengths.resize(graph.len(), f64::INFINITY);
        let reach = |open: &mut BinaryHeap<_>, lengths: &mut [f64], row: usize, length: f64| {
            if length < lengths[row] {
                lengths[row] = length;
                open.push(Reverse((length.to_bits(), row as u32)));
            }
        };
        from.for_each(|(row, length)| reach(open, lengths, row, length));
        while let Some(Reverse((bits, row))) = open.pop() {
            let (row, length) = (row as usize, f64::from_bits(bits));
            if length > lengths[row] {
                continue;
            }
            for (other, step) in graph.of(row) {
                reach(open, lengths, other, length + step);
            }
        }
    }
}

/// Minus half a squared length, which centering turns into a scalar product.
pub(super) fn similarity(length: f64) -> f64 {
    -0.5 * length * length
}
