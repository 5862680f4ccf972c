//! Laplacian eigenmaps (Belkin2003) and diffusion maps (Coifman2006): the slowest modes of a random
//! walk between neighboring points.
//!
//! ```text
//! W = similarities of neighbors      q = W 1
//! W ← diag(q)^−α W diag(q)^−α        D = diag(W 1)
//! D⁻¹W zⱼ = λⱼ zⱼ                    coordinates λⱼᵗ zⱼ, zⱼᵀ D zⱼ = 1
//! ```
//!
//! for the largest λ beside that of the constant mode. α = 0, t = 0 gives Laplacian eigenmaps, in which
//! 1 − λ is the eigenvalue of the normalized Laplacian; α = 1 takes the density of the points out of
//! the walk; with t > 0 distances are diffusion distances after t steps, up to one common factor.
//!
//! | paper | here | meaning |
//! |---|---|---|
//! | W | `Walk::matrix`, up to D | similarities |
//! | α | `alpha` | how far the density is taken out |
//! | t | `time` | steps of the walk |
//!
//! A new point gets, by Nyström's formula, the mean of the coordinates after one step, over λ. λ below
//! 0.1 count as 0.1 there.
//!
//! # Departures from the paper
//! - A pair counts half if only one of the two is among the nearest of the other.
//! - A point is not similar to itself: the walk always moves.
//! - A neighbor graph in several pieces is refused, see `pieces`.
//! - The largest coordinate along each axis is positive.

mod fit;
mod settings;
#[cfg(test)]
mod tests;

pub use settings::Eigenmap;

use super::embedded::{Embeds, Learned};
use crate::embed::Source;
use crate::error::Result;
use crate::observe::Observer;

impl Embeds for Eigenmap {
    const NAME: &'static str = "eigenmap";
    const CLASS: &'static str = "Eigenmap";
    const SUMMARY: &'static str =
        "the slowest modes of a random walk between neighbors; diffusion maps";
    const CITATION: &'static str = "Belkin2003, section 2";
    const HELD: usize = 300;

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
