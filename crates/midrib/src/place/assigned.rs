//! Points assigned to their nearest nodes, with or without missing values.

use super::elastic::{SpringSystem, Springs};
use crate::assign::{ObservedSums, Sums, hard_sums, observed_sums};
use crate::error::Result;
use crate::math::Matrix;
use crate::points::Cloud;

/// The points, assigned to nodes.
#[derive(Clone, Debug)]
pub(crate) struct Assigned {
    pub sums: Sums,
    /// With missing values, the weight of the points that have each coordinate (K×D).
    observed: Option<Matrix>,
}

impl Assigned {
    pub fn new(cloud: &Cloud<'_>, nodes: &Matrix, radius: f64) -> Result<Self> {
        if cloud.missing_values() == 0 {
            return Ok(Self { sums: hard_sums(cloud, nodes, radius)?, observed: None });
        }
        let ObservedSums { sums, observed } = observed_sums(cloud, nodes, radius)?;
        Ok(Self { sums, observed: Some(observed) })
    }

    /// With missing values, the weight of each node's points that have each coordinate (K×D).
    pub fn observed(&self) -> Option<&Matrix> {
        self.observed.as_ref()
    }

    /// The energy of a graph with these springs and nodes.
    pub fn energy(&self, springs: &Springs, nodes: &Matrix) -> f64 {
        let (stretching, bending) = springs.energies(nodes);
        self.sums.cost / self.sums.weight + stretching + bending
    }

    /// The nodes of least energy, pinned ones unchanged; none where nothing holds the graph.
    pub fn place(&self, system: &mut SpringSystem, nodes: &Matrix) -> Option<Matrix> {
        system.place(&self.sums, self.observed.as_ref(), nodes)
    }
}
