//! A graph's springs, prepared for many placements.

use super::moduli::Moduli;
use crate::assign::Tally;
use crate::connect::Topology;
use crate::math::Matrix;
use crate::place::SpringSystem;

/// The springs of a graph and their linear system.
pub(super) struct Placer {
    system: SpringSystem,
}

impl Placer {
    pub fn new(moduli: &Moduli, topology: &Topology) -> Self {
        let springs = moduli.springs(topology);
        Self { system: SpringSystem::new(springs, topology.len(), topology.pins()) }
    }

    /// The nodes of least energy; none if nothing holds the graph. `nodes` are the current ones.
    pub fn place(&mut self, tally: &Tally, nodes: &Matrix) -> Option<Matrix> {
        self.system.place(&tally.sums, tally.observed.as_ref(), nodes)
    }

    /// The energy of stretching and bending.
    pub fn tension(&self, nodes: &Matrix) -> f64 {
        let (stretching, bending) = self.system.springs().energies(nodes);
        stretching + bending
    }
}
