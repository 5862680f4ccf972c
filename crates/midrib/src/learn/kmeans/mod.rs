//! k-means: principal points. Gorban2009, K-means and principal points; Lloyd's rounds.
//!
//! Minimizes over the centers y
//!
//! ```text
//! Σᵢ wᵢ minₖ ‖xᵢ − yₖ‖²
//! ```
//!
//! | paper | here | meaning |
//! |---|---|---|
//! | x | `points` | N×D, one point per row |
//! | y | centers | K×D |
//! | Kᵢ | – | the points nearest to a center, never stored |
//!
//! # Departures from the paper
//! - It starts at k-means++ seeds, each the best of several draws, several times, and keeps the best
//!   result.
//! - A center without points moves to the point farthest from its own center.

mod fit;
mod plan;
mod settings;
#[cfg(test)]
mod tests;

pub use settings::KMeans;

use super::given::Given;
use super::method::{Method, Promises};
use super::result::Fit;
use crate::error::Result;
use crate::object::Kind;
use crate::observe::Observer;
use crate::points::Blocks;

impl Method for KMeans {
    const NAME: &'static str = "kmeans";
    const CLASS: &'static str = "KMeans";
    const SUMMARY: &'static str =
        "principal points: k centers, each the mean of the points nearest to it";
    const CITATION: &'static str = "Gorban2009, K-means";

    fn kind(&self) -> Kind {
        Kind::Centers
    }

    fn promises(&self) -> Promises {
        Promises { tree: false, ..Promises::ALL }
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
