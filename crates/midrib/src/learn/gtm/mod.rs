//! Generative topographic mapping: a net as the centers of a mixture of Gaussians. Bishop1998.
//!
//! A grid of latent positions u on [−1, 1]^d is mapped into the data space by y(u) = W ᵀφ(u), with
//! Gaussian functions, linear ones and a constant as φ. EM maximizes over W and β
//!
//! ```text
//! L = Σᵢ wᵢ log (1/K Σₖ (β/2π)^(D/2) exp(−β/2 ‖xᵢ − y(uₖ)‖²)) − α/2 ‖W‖²
//! ```
//!
//! by two exact steps: W given the responsibilities and β, then β given these and W. The trace is −L,
//! which never rises.
//!
//! | paper | here | meaning |
//! |---|---|---|
//! | x, K | `sides` | latent grid, number of its nodes |
//! | φ, M | `functions` | Gaussian functions along each axis, also linear ones and a constant |
//! | σ | `width` | width of the Gaussian functions, in steps between their centers |
//! | λ | `ridge` | α: penalty on W |
//! | β | `precision` of the [`Mixture`](crate::object::Mixture) | inverse variance around the nodes |
//!
//! # Departures from the paper
//! - The functions include the d linear ones.
//! - It starts on the principal plane: W by least squares, β = D/2 over the mean squared distance of
//!   the points from their nearest nodes.
//! - β is updated after W, with the same responsibilities, so each step is exact.
//! - Responsibilities below the rounding of the others are left out.
//! - The variance around the nodes is at least 1e-12 of that of the points.

mod basis;
mod fit;
mod plan;
mod settings;
#[cfg(test)]
mod tests;

pub use settings::Gtm;

use super::given::Given;
use super::method::{Method, Promises};
use super::result::Fit;
use crate::error::Result;
use crate::object::Kind;
use crate::observe::Observer;
use crate::points::Blocks;

impl Method for Gtm {
    const NAME: &'static str = "gtm";
    const CLASS: &'static str = "GenerativeTopographicMap";
    const SUMMARY: &'static str =
        "generative topographic map: a smooth sheet or line as the centers of a Gaussian mixture";
    const CITATION: &'static str = "Bishop1998, GTM algorithm";
    const EMBEDS: bool = true;
    const STEP: &'static str = "EM step";

    fn kind(&self) -> Kind {
        Kind::Net { inner_dims: self.inner_dims() }
    }

    fn min_columns(&self) -> usize {
        self.inner_dims()
    }

    fn promises(&self) -> Promises {
        // The ridge has the units of the columns and pulls toward their zero.
        Promises {
            rigid_motions: false,
            scaling: false,
            tree: self.inner_dims() == 1,
            ..Promises::ALL
        }
    }

    fn check(&self) -> Result<()> {
        self.check_values()
    }

    fn learn(
        &self,
        points: &dyn Blocks,
        given: Given<'_>,
        watch: &mut dyn Observer,
    ) -> Result<Fit> {
        fit::fit(self, points, given, watch)
    }
}
