//! The l1 graph: edges with which nodes rebuild each other. Mao2017, eqs. (13), (17), (23).

use super::candidates::Candidates;
use super::links::Links;
use crate::error::{Error, Result};
use crate::math::{Matrix, Optimum, PairProgram, Status, squared_distance};

/// The minimum weight of a must-link edge. The weights at a node rebuild it from its neighbors and
/// so add up to about 1: this is a share of 1 %.
pub const MUST_LINK_WEIGHT: f64 = 0.01;

/// Connects moving nodes by a linear program over fixed candidates and a fixed dictionary.
///
/// Over one weight per candidate pair it minimizes
///
/// ```text
/// 2 Σ_{pairs} w_ab ‖y_a − y_b‖² + reconstruction_weight · Σ_a ‖z_a − Σ_b w_ab z_b‖₁
/// ```
///
/// with `y` the nodes and `z` the dictionary: the points, or the nodes that the sweeps started
/// from. The graph has loops, crossings and several components if the data do; a larger
/// reconstruction weight gives more edges. The second term depends on the origin and the axes:
/// shifted or rotated data give a different graph.
///
/// Cannot-link pairs are not candidates; must-link pairs are, with a weight of at least
/// [`MUST_LINK_WEIGHT`].
///
/// ```
/// use midrib::connect::{Candidates, L1Graph, Links, NeighborRule};
/// use midrib::math::Matrix;
/// let ring: Vec<[f64; 2]> = (0..12)
///     .map(|i| f64::from(i) * std::f64::consts::TAU / 12.0)
///     .map(|angle| [angle.cos(), angle.sin()])
///     .collect();
/// let nodes = Matrix::from_rows(&ring)?;
/// let candidates = Candidates::Nearest { k: 2, rule: NeighborRule::Union };
/// let mut graph = L1Graph::new(&nodes, &candidates, &Links::default(), 1.0)?;
/// let found = graph.connect(&nodes)?;
/// assert_eq!(found.edges.len(), 12);
/// assert!(found.relative_gap < 1e-8);
/// # Ok::<(), midrib::Error>(())
/// ```
pub struct L1Graph {
    program: PairProgram,
    n_nodes: usize,
}

/// The edges of one sweep.
#[derive(Clone, Debug, PartialEq)]
pub struct L1Edges {
    /// Edges `(a, b, weight)` of positive weight, `a < b`, in ascending order.
    pub edges: Vec<(usize, usize, f64)>,
    /// The value of the linear program: length plus reconstruction error.
    pub value: f64,
    /// The proven bound on the distance of the value from the optimum, as a share of the value.
    pub relative_gap: f64,
    /// How the solver ended.
    pub status: Status,
    /// The number of steps.
    pub iterations: usize,
}

impl L1Graph {
    /// Finds the candidates in the dictionary and prepares the linear program.
    pub fn new(
        dictionary: &Matrix,
        candidates: &Candidates,
        links: &Links,
        reconstruction_weight: f64,
    ) -> Result<Self> {
        if !(reconstruction_weight > 0.0 && reconstruction_weight.is_finite()) {
            return Err(Error::setting(
                "reconstruction_weight",
                reconstruction_weight,
                "must be positive and finite",
            ));
        }
        let pairs = links.apply(candidates.pairs(dictionary)?);
        let must = links.must();
        let least: Vec<f64> = pairs
            .iter()
            .map(|pair| if must.binary_search(pair).is_ok() { MUST_LINK_WEIGHT } else { 0.0 })
            .collect();
        let program =
            PairProgram::new(dictionary, pairs, reconstruction_weight)?.with_lower_bounds(least)?;
        Ok(Self { program, n_nodes: dictionary.n_rows() })
    }

    /// The candidate pairs: `a < b`, in ascending order.
    pub fn candidates(&self) -> &[(usize, usize)] {
        self.program.pairs()
    }

    /// The nodes without a candidate; each is a component of its own.
    pub fn lone_nodes(&self) -> Vec<usize> {
        let mut joined = vec![false; self.n_nodes];
        for &(a, b) in self.candidates() {
            joined[a] = true;
            joined[b] = true;
        }
        (0..self.n_nodes).filter(|&node| !joined[node]).collect()
    }

    /// The optimal edges for nodes at these positions, one for each row of the dictionary.
    pub fn connect(&mut self, nodes: &Matrix) -> Result<L1Edges> {
        if nodes.n_rows() != self.n_nodes {
            return Err(Error::shape("nodes of the l1 graph", self.n_nodes, nodes.n_rows()));
        }
        let cost = |&(a, b): &(usize, usize)| 2.0 * squared_distance(nodes.row(a), nodes.row(b));
        let costs: Vec<f64> = self.candidates().iter().map(cost).collect();
        let Optimum { weights, value, relative_gap, status, iterations, .. } =
            self.program.solve(&costs)?;
        let weighted = self.candidates().iter().zip(weights).filter(|(_, weight)| *weight > 0.0);
        let edges = weighted.map(|(&(a, b), weight)| (a, b, weight)).collect();
        Ok(L1Edges { edges, value, relative_gap, status, iterations })
    }
}

#[cfg(test)]
mod tests;
