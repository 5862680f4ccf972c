//! Multidimensional scaling: coordinates whose distances are those given. deLeeuw1977; classical
//! scaling Torgerson1952.
//!
//! Minimizes the stress over coordinates z
//!
//! ```text
//! Σ_{i<j} (δᵢⱼ − ‖zᵢ − zⱼ‖)²
//! ```
//!
//! by the Guttman transform, which never raises it:
//!
//! ```text
//! zᵢ ← (1/N) Σⱼ (δᵢⱼ / ‖zᵢ − zⱼ‖) (zᵢ − zⱼ)
//! ```
//!
//! `trace` holds the root of the stress as a share of Σ δᵢⱼ². `algorithm = classical` stops at the
//! start: the eigenvectors of −½ δ², centered, which for distances of points are their principal
//! components.
//!
//! | paper | here | meaning |
//! |---|---|---|
//! | δ | `distances` | the distances of all pairs |
//! | X | `coordinates` | N×d |
//!
//! A new point gets the coordinates of least stress to the training points, which stay; in classical
//! scaling its components.
//!
//! # Departures from the paper
//! - It starts with classical scaling instead of several random starts.
//! - Beyond 5,000 points the stress is that of 1,000 random landmarks, and the other points are added
//!   to these one by one.
//! - The largest coordinate along each axis is positive.

mod fit;
mod settings;
#[cfg(test)]
mod tests;

pub use settings::{Algorithm, Mds};

use super::embedded::{Embeds, Learned};
use crate::embed::Source;
use crate::error::Result;
use crate::observe::Observer;

impl Embeds for Mds {
    const NAME: &'static str = "mds";
    const CLASS: &'static str = "MDS";
    const SUMMARY: &'static str = "coordinates that keep the distances of all points";
    const CITATION: &'static str = "deLeeuw1977, Guttman transform";
    const HELD: usize = 5000;

    fn n_components(&self) -> usize {
        self.n_components
    }

    fn min_columns(&self) -> usize {
        self.n_components
    }

    fn check(&self) -> Result<()> {
        self.check_values()
    }

    fn embed(&self, source: &Source<'_>, _: &[f64], watch: &mut dyn Observer) -> Result<Learned> {
        fit::fit(self, source, watch)
    }
}
