//! A graph's springs, made ready for many placements.

use super::moduli::Moduli;
use crate::assign::Tally;
use crate::connect::Topology;
use crate::math::{Matrix, Skyline};
use crate::place::{Pins, SMALL, Springs, elimination_order};

/// The springs, and the matrix that they alone make.
pub(super) struct Frame {
    springs: Springs,
    /// The place of each node in the elimination.
    order: Vec<usize>,
    /// None for graphs so large that [`Springs::place`] orders them itself, and for pinned ones.
    matrix: Option<Skyline>,
    /// For each node whether it is pinned; empty if none is.
    pinned: Vec<bool>,
}

impl Frame {
    pub fn new(moduli: &Moduli, topology: &Topology) -> Self {
        let springs = moduli.springs(topology);
        let edges: Vec<(usize, usize)> = topology.edges().collect();
        let order = elimination_order(topology.len(), &edges);
        let pinned = topology.pins();
        let matrix = (topology.len() <= SMALL && pinned.is_empty()).then(|| {
            let mut matrix = Skyline::zeros(springs.first_columns(&order));
            springs.each_entry(|a, b, value| matrix.add(order[a], order[b], value));
            matrix
        });
        Self { springs, order, matrix, pinned }
    }

    /// The nodes of least energy, from those of now; none where nothing holds the graph.
    pub fn place(&self, tally: &Tally, nodes: &Matrix) -> Option<Matrix> {
        let sums = &tally.sums;
        let pins = Pins::new(&self.pinned, nodes);
        if let Some(known) = &tally.known {
            return self.springs.place_known(sums, known, &self.order, &pins);
        }
        let Some(springs) = &self.matrix else {
            return self.springs.place_pinned(sums, &self.order, &pins);
        };
        let (n, dims) = (sums.mass.len(), sums.weighted.n_cols());
        let scale = 1.0 / sums.weight;
        let mut matrix = springs.clone();
        let mut right = vec![0.0; n * dims];
        for node in 0..n {
            let at = self.order[node];
            matrix.add(at, at, scale * sums.mass[node]);
            let to = &mut right[at * dims..][..dims];
            to.iter_mut().zip(sums.weighted.row(node)).for_each(|(to, sum)| *to = scale * sum);
        }
        if !matrix.factor() {
            return None;
        }
        matrix.solve(&mut right, dims);
        let mut placed = Matrix::zeros(n, dims);
        for node in 0..n {
            placed.row_mut(node).copy_from_slice(&right[self.order[node] * dims..][..dims]);
        }
        placed.as_slice().iter().all(|x| x.is_finite()).then_some(placed)
    }

    /// What stretching and bending cost.
    pub fn tension(&self, nodes: &Matrix) -> f64 {
        let (stretching, bending) = self.springs.energies(nodes);
        stretching + bending
    }
}
