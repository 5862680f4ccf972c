//! The regularized principal graph. Mao2017, problem (17), Algorithms 1 and 2.
//!
//! Minimizes
//!
//! ```text
//! Σ_{a,b ordered} w_ab ‖yₐ − y_b‖² + γ Σᵢₖ pᵢₖ (‖xᵢ − yₖ‖² + σ log pᵢₖ) [+ λ Σₐ ‖zₐ − Σ_b w_ab z_b‖₁]
//! ```
//!
//! over spanning trees, with w_ab = 1 on the edges, or, for an l1 graph and with the last term,
//! over weights w ≥ 0 on candidate pairs. The dictionary z is the starting nodes: the points
//! themselves (Algorithm 1) or k-means centers (Algorithm 2).
//!
//! | paper | here | meaning |
//! |---|---|---|
//! | C | `nodes` | K×D |
//! | W | `edges` | 1 on the edges of the tree, or the weights of the l1 graph |
//! | P | – | soft assignment, never stored: only its sums |
//! | λ | `reconstruction_weight` | weight of the reconstruction error, l1 only |
//! | γ | `data_weight` | weight of the data against the length |
//! | σ | `bandwidth` | p ∝ exp(−‖x − y‖² / σ) |
//!
//! The sum over ordered pairs counts every edge twice, so the tree's objective is γ times that of
//! [`ppt`](super::ppt) with `length_penalty` λ = 2/γ: the same sweeps on another scale.
//!
//! The weights of the l1 graph need not be unique, and the graph is full of short cycles: compare
//! values, and simplify it before reading it. A node without candidate pairs is a component of its
//! own; a component without points stays where it is.
//!
//! # Departures from the paper
//! - Those of [`ppt`](super::ppt).
//! - Eq. (19) reconstructs the moving nodes; then placing them may raise the objective. Here, as in
//!   (17), (23) and (24), the dictionary is fixed, and the objective falls at every half step.
//! - The last term depends on the origin: a chain of nodes on a ray from it breaks into pairs, each
//!   a multiple of the other. With `rebuild = affine` the dictionary is centered and has one more
//!   coordinate, the same for all nodes and about as large as the cloud: weights then add up to
//!   about 1, and shifting the points changes nothing.
//! - Tips are reconstructed best from nodes ahead of them, even those of another curve across a
//!   void. If there are fewer nodes than points, pairs that are joined across a void stop being
//!   candidates and the graph is learned again, up to six times, unless `voids` = `cross`. An edge
//!   crosses a void if it is three times as long as the median edge of the skeleton, ends at no
//!   tip, and has in its middle half less than a fifth of the points that the edges around it
//!   suggest.
//! - Eq. (23) read literally keeps only mutual neighbors; the default is the union.

mod bridges;
mod connector;
mod fit;
mod notes;
mod plan;
mod settings;
#[cfg(test)]
mod tests;

pub use settings::{Rebuild, Rpg, Structure, VoidRule};

use super::choices::{NodeCount, Start};
use super::given::Given;
use super::method::{Method, Promises};
use super::result::Fit;
use crate::error::Result;
use crate::observe::Observer;
use crate::points::{Blocks, all_rows};

impl Method for Rpg {
    const NAME: &'static str = "rpg";
    const CLASS: &'static str = "PrincipalGraph";
    const SUMMARY: &'static str =
        "principal graph: a tree like ppt's, or with --structure l1 loops, crossings, components";
    const CITATION: &'static str = "Mao2017, Algorithms 1 and 2";
    const LINKS: bool = true;
    const PAIRS: bool = true;

    fn promises(&self) -> Promises {
        match self.structure {
            Structure::Tree => Promises::ALL,
            Structure::L1 => Promises { rigid_motions: false, tree: false, ..Promises::ALL },
        }
    }

    fn check(&self) -> Result<()> {
        self.check_values()
    }

    fn needs_all_rows(&self) -> bool {
        self.structure == Structure::L1
            || self.n_nodes == NodeCount::All
            || self.start == Start::Ridge
    }

    fn learn(
        &self,
        points: &dyn Blocks,
        given: Given<'_>,
        watch: &mut dyn Observer,
    ) -> Result<Fit> {
        let whole = match self.needs_all_rows() {
            true => Some(all_rows(points, Self::NAME, 2 * points.dims())?),
            false => None,
        };
        let points: &dyn Blocks = whole.as_deref().map_or(points, |whole| whole);
        match self.structure {
            Structure::Tree => fit::fit_tree(self, points, given, watch),
            Structure::L1 => fit::fit_l1(self, points, given, watch),
        }
    }
}
