//! Kernel principal components: the directions of largest variance in the space of a kernel.
//! Schoelkopf1998.
//!
//! Maximizes over directions v in the kernel's feature space, orthonormal to those before,
//!
//! ```text
//! Σᵢ wᵢ ⟨v, φ(xᵢ) − φ̄⟩²        with ⟨φ(x), φ(y)⟩ = k(x, y)
//! ```
//!
//! by the eigenvectors of the kernel matrix of all points, centered.
//!
//! | paper | here | meaning |
//! |---|---|---|
//! | K | `similar` | the kernel matrix, N×N |
//! | α | `projection` | what turns kernels into coordinates |
//!
//! New points get `(k(x, ·) − mean) · α`, which for a training point is its own coordinate.
//! Distances may be given instead of points. With the linear kernel that is classical scaling.
//!
//! # Departures from the paper
//! - A point of weight w counts like w equal rows.
//! - Beyond 5,000 points the kernel is that of 1,000 random landmarks, continued to all points
//!   (Nyström): memory grows with N, time with N·1,000².
//! - The largest coordinate along each component is positive.

mod fit;
mod settings;
#[cfg(test)]
mod tests;

pub use settings::{KernelName, KernelPca};

use super::given::Given;
use super::method::{Method, Promises};
use super::result::Fit;
use crate::distances::Distances;
use crate::error::Result;
use crate::object::Kind;
use crate::observe::Observer;
use crate::points::{Blocks, all_rows};

impl Method for KernelPca {
    const NAME: &'static str = "kernel-pca";
    const CLASS: &'static str = "KernelPCA";
    const SUMMARY: &'static str = "principal components of a kernel: curved directions of variance";
    const CITATION: &'static str = "Schoelkopf1998, section 3";
    const START: bool = false;
    const DISTANCES: bool = true;
    const EMBEDS: bool = true;

    fn kind(&self) -> Kind {
        Kind::Embedding { with_graph: false }
    }

    fn promises(&self) -> Promises {
        // Coordinates do not move with the points, and rows keep their order.
        Promises {
            cost_falls: true,
            any_row_order: false,
            rigid_motions: false,
            scaling: false,
            weights_as_repeats: false,
            tree: false,
        }
    }

    fn check(&self) -> Result<()> {
        self.check_values()
    }

    fn needs_all_rows(&self) -> bool {
        true
    }

    fn fit(&self, points: &dyn Blocks, given: Given<'_>, watch: &mut dyn Observer) -> Result<Fit> {
        self.check()?;
        Self::check_given(&given)?;
        let points = all_rows(points, Self::NAME, points.dims() + 5000)?;
        fit::of_points(self, &points, watch)
    }

    fn fit_distances(
        &self,
        distances: &Distances,
        given: Given<'_>,
        watch: &mut dyn Observer,
    ) -> Result<Fit> {
        self.check()?;
        Self::check_given(&given)?;
        fit::of_distances(self, distances, watch)
    }
}
