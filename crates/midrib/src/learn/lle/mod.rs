//! Locally linear embedding: every point is nearly a weighted mean of its neighbors, and so are its
//! coordinates, with the same weights. Roweis2000.
//!
//! ```text
//! 1. minimize  Σᵢ ‖xᵢ − Σⱼ wᵢⱼ xⱼ‖²   over weights of the neighbors, Σⱼ wᵢⱼ = 1
//! 2. minimize  Σᵢ ‖zᵢ − Σⱼ wᵢⱼ zⱼ‖²   over centered coordinates with ZᵀZ = 1
//! ```
//!
//! | paper | here | meaning |
//! |---|---|---|
//! | W | `weights` | barycentric weights |
//! | M | `cost` | (1 − W)ᵀ(1 − W), sparse |
//! | Y | `coordinates` | the eigenvectors of M with the smallest eigenvalues beside 0 |
//!
//! A new point gets the weighted mean of the coordinates of its neighbors.
//!
//! # Departures from the paper
//! - `reg` times the trace is added to the diagonal of the local scalar products, as usual.
//! - Distances may be given instead of points: they determine the local scalar products.
//! - A neighbor graph in several pieces is refused, see `pieces`.
//! - The largest coordinate along each axis is positive.

mod fit;
mod settings;
#[cfg(test)]
mod tests;

pub use settings::Lle;

use super::embedded::{Embeds, Learned};
use crate::embed::Source;
use crate::error::Result;
use crate::observe::Observer;

impl Embeds for Lle {
    const NAME: &'static str = "lle";
    const CLASS: &'static str = "LocallyLinearEmbedding";
    const SUMMARY: &'static str =
        "coordinates in which each point is the same mean of its neighbors";
    const CITATION: &'static str = "Roweis2000, Fig. 2";
    const HELD: usize = 3000;

    fn n_components(&self) -> usize {
        self.n_components
    }

    fn check(&self) -> Result<()> {
        self.check_values()
    }

    fn embed(&self, source: &Source<'_>, _: &[f64], watch: &mut dyn Observer) -> Result<Learned> {
        fit::fit(self, source, watch)
    }
}
