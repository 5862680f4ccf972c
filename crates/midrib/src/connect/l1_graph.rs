//! The l1 graph: edges with which nodes rebuild one another. Mao2017, eqs. (13), (17), (23).

use super::candidates::Candidates;
use super::links::Links;
use crate::error::{Error, Result};
use crate::math::{Matrix, Optimum, PairProgram, Status, squared_distance};

/// The least weight of an edge that must be there. The weights at a node rebuild it from its
/// neighbours and so add up to about 1: this is a share of one in a hundred.
pub const MUST_LINK_WEIGHT: f64 = 0.01;

/// Joins moving nodes by a linear program over fixed candidates and a fixed dictionary.
///
/// Over one weight per candidate pair it minimises
///
/// ```text
/// 2 Σ_{pairs} w_ab ‖y_a − y_b‖² + reconstruction_weight · Σ_a ‖z_a − Σ_b w_ab z_b‖₁
/// ```
///
/// with `y` the nodes and `z` the dictionary: the points, or the nodes that the sweeps started
/// from. Loops, crossings and several components come out as they are in the data; a larger
/// reconstruction weight gives more edges. The second term knows the origin and the axes:
/// shifted or turned data give another graph.
///
/// Pairs that cannot be linked are no candidates; pairs that must be linked are, and keep at
/// least the weight [`MUST_LINK_WEIGHT`].
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
    /// The linear program's value: length and reconstruction error together.
    pub value: f64,
    /// The proven bound on how far the value is from the least one, as a share of it.
    pub relative_gap: f64,
    /// Which solver closed the gap.
    pub status: Status,
    /// The steps that it took.
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

    /// The pairs that an edge may join: `a < b`, in ascending order.
    pub fn candidates(&self) -> &[(usize, usize)] {
        self.program.pairs()
    }

    /// The nodes without a candidate: each stays a component of its own.
    pub fn lone_nodes(&self) -> Vec<usize> {
        let mut joined = vec![false; self.n_nodes];
        for &(a, b) in self.candidates() {
            joined[a] = true;
            joined[b] = true;
        }
        (0..self.n_nodes).filter(|&node| !joined[node]).collect()
    }

    /// The best edges for nodes at these places, one for each row of the dictionary.
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
