//! The moduli of a graph's springs.

use crate::connect::Topology;
use crate::place::{Springs, Star};

/// Moduli of all edges and stars.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Moduli {
    /// λ.
    pub stretching: f64,
    /// μ.
    pub bending: f64,
    /// α: added to λ of an edge for each neighbor beyond the second.
    pub branching_penalty: f64,
    /// β: μ of a star is multiplied by its order to this power.
    pub star_exponent: f64,
}

impl Moduli {
    /// The springs with which nodes are placed.
    pub fn springs(&self, topology: &Topology) -> Springs {
        Self { branching_penalty: 0.0, star_exponent: 0.0, ..*self }.penalized(topology)
    }

    /// The springs with which graphs are compared.
    pub fn penalized(&self, topology: &Topology) -> Springs {
        let degree = |node: usize| topology.neighbors(node).len();
        let stiffer = |order: usize| match self.star_exponent {
            0.0 => 1.0,
            exponent => (order as f64).powf(exponent),
        };
        let edges = topology.edges().map(|(a, b)| {
            let beyond = degree(a).max(degree(b)).max(2) - 2;
            let stretching = topology.stretching(a, b).unwrap_or(self.stretching);
            (a, b, stretching + self.branching_penalty * beyond as f64)
        });
        let stars = (0..topology.len()).filter(|&node| degree(node) > 1).map(|center| Star {
            center,
            leaves: topology.neighbors(center).to_vec(),
            modulus: topology.bending(center).unwrap_or(self.bending) * stiffer(degree(center)),
        });
        Springs { edges: edges.collect(), stars: stars.collect() }
    }

    /// Springs that are stiffer by this factor.
    pub fn times(&self, factor: f64) -> Self {
        Self {
            stretching: factor * self.stretching,
            bending: factor * self.bending,
            branching_penalty: factor * self.branching_penalty,
            star_exponent: self.star_exponent,
        }
    }

    /// Whether graphs are compared by other springs than those that place their nodes.
    pub fn penalizes(&self) -> bool {
        self.branching_penalty != 0.0 || self.star_exponent != 0.0
    }
}
