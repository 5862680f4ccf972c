//! Principal components: the line, plane or flat nearest to the points. Gorban2009, PCA.
//!
//! Minimizes over a center a₀ and orthonormal axes a₁ … a_d
//!
//! ```text
//! Σᵢ wᵢ ‖xᵢ − a₀ − Σⱼ aⱼ (xᵢ − a₀, aⱼ)‖²
//! ```
//!
//! | paper | here | meaning |
//! |---|---|---|
//! | a₀ | `center` | the mean of the points |
//! | aⱼ | `axes` | one principal axis per row |
//!
//! Where values are missing, the sum is over the known ones, and least squares alternate: the scores
//! of each point given a₀ and the axes, then the coordinates of a₀ and of the axes in each column given
//! the scores.
//!
//! # Departures from the paper
//! - All axes come from one eigendecomposition of the covariance instead of one iteration each.
//! - The largest loading of an axis is positive.

mod fit;
mod gaps;
mod settings;
#[cfg(test)]
mod tests;

pub use settings::Pca;

use super::given::Given;
use super::method::{Method, Promises};
use super::result::Fit;
use crate::error::Result;
use crate::object::Kind;
use crate::observe::Observer;
use crate::points::Blocks;

impl Method for Pca {
    const NAME: &'static str = "pca";
    const CLASS: &'static str = "PCA";
    const SUMMARY: &'static str =
        "principal components: the line, plane or flat nearest to the points";
    const CITATION: &'static str = "Gorban2009, Principal component analysis";
    const GAPS: bool = true;
    const START: bool = false;
    const EMBEDS: bool = true;

    fn kind(&self) -> Kind {
        Kind::Flats
    }

    fn promises(&self) -> Promises {
        Promises { tree: false, ..Promises::ALL }
    }

    fn check(&self) -> Result<()> {
        self.check_values()
    }

    fn learn(&self, points: &dyn Blocks, _: Given<'_>, watch: &mut dyn Observer) -> Result<Fit> {
        fit::fit(self, points, watch)
    }
}
