//! SimplePPT: a principal tree by soft assignment. Mao2015, Algorithm 1.
//!
//! Minimizes over the nodes y, the spanning tree and the assignment p
//!
//! ```text
//! Σᵢₖ wᵢ pᵢₖ (‖xᵢ − yₖ‖² + σ log pᵢₖ) + λ Σ_{edges} ‖yₐ − y_b‖²
//! ```
//!
//! | paper | here | meaning |
//! |---|---|---|
//! | X | `points` | N×D, one point per row |
//! | F_G | `nodes` | K×D |
//! | B | `tree` | minimum spanning tree of the nodes |
//! | R | – | soft assignment p, never stored: only its sums |
//! | Λ | `mass` | column sums of p |
//! | σ | `bandwidth` | p ∝ exp(−‖x − y‖² / σ) |
//! | λ | `length_penalty` | weight of the squared edge lengths |
//!
//! # Departures from the paper
//! - The printed objective (3.12) has 1/N and λ/2, and the printed update (3.13) does not belong
//!   to it. The update here, `(λL + Λ)⁻¹ PᵀX`, minimizes the objective above; λ of (3.12) is 2λ/N.
//! - The row minimum is subtracted inside the exponentials, so that distant points are not lost.
//! - It stops when the objective falls by less than `tol` times the total squared distance of the
//!   points from their mean; the paper's relative change is ill-posed because the objective passes
//!   through zero.
//! - Sweeps are accelerated (with a safeguard: the objective still never rises), and points may
//!   have weights.
//! - It starts from k-means++ centers, all points, or given nodes; centers and points can be moved to
//!   the ridge of their density first, as in the paper's experiments.
//! - Must-links join their nodes, but their length has no price: it would pull nodes away from the
//!   points that they stand for.

mod fit;
mod settings;
mod steps;
#[cfg(test)]
mod tests;

pub use settings::SimplePpt;
pub use steps::{PptStep, PptSteps};

use super::choices::{NodeCount, Start};
use super::given::Given;
use super::method::{Method, Promises};
use super::result::Fit;
use crate::error::Result;
use crate::observe::Observer;
use crate::points::{Blocks, all_rows};

impl Method for SimplePpt {
    const NAME: &'static str = "ppt";
    const CLASS: &'static str = "SimplePPT";
    const SUMMARY: &'static str =
        "principal tree by soft assignment; start here for branching data without loops";
    const CITATION: &'static str = "Mao2015, Algorithm 1";
    const LINKS: bool = true;

    fn promises(&self) -> Promises {
        Promises::ALL
    }

    fn check(&self) -> Result<()> {
        self.check_values()
    }

    fn needs_all_rows(&self) -> bool {
        self.n_nodes == NodeCount::All || self.start == Start::Ridge
    }

    fn learn(
        &self,
        points: &dyn Blocks,
        given: Given<'_>,
        watch: &mut dyn Observer,
    ) -> Result<Fit> {
        if self.needs_all_rows() {
            let points = all_rows(points, Self::NAME, 2 * points.dims())?;
            return fit::fit(self, &*points, given, watch);
        }
        fit::fit(self, points, given, watch)
    }
}
