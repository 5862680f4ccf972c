//! Points at the nodes that are nearest to them, with gaps or without.

use super::elastic::{Pins, Springs};
use crate::assign::{KnownSums, Sums, hard_sums, known_sums};
use crate::cloud::Cloud;
use crate::math::Matrix;

/// The points at their nodes.
#[derive(Clone, Debug)]
pub(crate) struct Assigned {
    pub sums: Sums,
    /// Of points with gaps, the weight of those that know each coordinate.
    known: Option<Matrix>,
}

impl Assigned {
    pub fn new(cloud: &Cloud<'_>, nodes: &Matrix, radius: f64) -> Self {
        if cloud.points().gaps() == 0 {
            return Self { sums: hard_sums(cloud, nodes, radius), known: None };
        }
        let KnownSums { sums, known } = known_sums(cloud, nodes, radius);
        Self { sums, known: Some(known) }
    }

    /// With the springs of a graph that has these nodes.
    pub fn energy(&self, springs: &Springs, nodes: &Matrix) -> f64 {
        let (stretching, bending) = springs.energies(nodes);
        self.sums.cost / self.sums.weight + stretching + bending
    }

    /// The nodes of least energy; none where nothing holds the graph.
    pub fn place(&self, springs: &Springs, order: &[usize], pins: &Pins<'_>) -> Option<Matrix> {
        match &self.known {
            Some(known) => springs.place_known(&self.sums, known, order, pins),
            None => springs.place_pinned(&self.sums, order, pins),
        }
    }
}
