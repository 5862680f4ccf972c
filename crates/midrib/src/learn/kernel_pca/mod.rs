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

use super::embedded::{Embeds, Learned};
use crate::embed::Source;
use crate::error::Result;
use crate::observe::Observer;

impl Embeds for KernelPca {
    const NAME: &'static str = "kernel-pca";
    const CLASS: &'static str = "KernelPCA";
    const SUMMARY: &'static str = "principal components of a kernel: curved directions of variance";
    const CITATION: &'static str = "Schoelkopf1998, section 3";
    const WEIGHTS: bool = true;
    const HELD: usize = 5000;

    fn n_components(&self) -> usize {
        self.n_components
    }

    fn check(&self) -> Result<()> {
        self.check_values()
    }

    fn embed(
        &self,
        source: &Source<'_>,
        weights: &[f64],
        watch: &mut dyn Observer,
    ) -> Result<Learned> {
        fit::fit(self, source, weights, watch)
    }
}
