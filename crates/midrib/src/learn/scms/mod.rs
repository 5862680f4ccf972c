//! Ridge points by subspace constrained mean shift. Ozertem2011.
//!
//! Every point climbs the density
//!
//! ```text
//! p(x) = (πσ)^(−D/2) / W · Σᵢ wᵢ exp(−‖x − xᵢ‖²/σ)
//! ```
//!
//! by the mean shift, projected onto the D − 1 directions in which the Hessian of log p is most
//! negative, until nothing is left of it: x ← x + VVᵀ(m(x) − x). The trace is the mean of log p, in
//! the units of the points. Distinct ridge points become nodes, and their spanning tree the edges.
//!
//! | paper | here | meaning |
//! |---|---|---|
//! | σ | `bandwidth` | kernel exp(−‖·‖²/σ) |
//! | m(x) | `Here::shift` | mean shift, after the projection |
//! | V | – | all eigenvectors of the Hessian but that of the largest eigenvalue |
//!
//! # Departures from the paper
//! - Up to a multiple and a shift, the Hessian of log p is the covariance of the points under the
//!   kernel, whose first axis is left out instead of the last D − 1 being used.
//! - Kernels below 1e-17 are left out, so that a step costs the neighbors only.
//! - The paper stops at ridge points, which have no order. Here points nearer to each other than
//!   half of √σ share a node, chosen from the densest on, each the farthest from those before.

mod fit;
mod settings;
#[cfg(test)]
mod tests;

pub use settings::Scms;

use super::given::Given;
use super::method::{Method, Promises};
use super::result::Fit;
use crate::error::Result;
use crate::observe::Observer;
use crate::points::{Blocks, all_rows};

impl Method for Scms {
    const NAME: &'static str = "scms";
    const CLASS: &'static str = "SCMS";
    const SUMMARY: &'static str =
        "ridge of a density, joined by a spanning tree: what the points show before any smoothing";
    const CITATION: &'static str = "Ozertem2011, Subspace constrained mean shift";
    const START: bool = false;
    const STEP: &'static str = "step";

    fn promises(&self) -> Promises {
        Promises { cost_falls: false, ..Promises::ALL }
    }

    fn needs_all_rows(&self) -> bool {
        true
    }

    fn check(&self) -> Result<()> {
        self.check_values()
    }

    fn learn(&self, points: &dyn Blocks, _: Given<'_>, watch: &mut dyn Observer) -> Result<Fit> {
        let points = all_rows(points, Self::NAME, 3 * points.dims())?;
        fit::fit(self, &*points, watch)
    }
}
