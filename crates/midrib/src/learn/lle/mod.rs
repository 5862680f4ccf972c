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

use super::given::Given;
use super::method::{Method, Promises};
use super::result::Fit;
use crate::distances::Distances;
use crate::error::Result;
use crate::object::Kind;
use crate::observe::Observer;
use crate::points::{Blocks, all_rows};

impl Method for Lle {
    const NAME: &'static str = "lle";
    const CLASS: &'static str = "LocallyLinearEmbedding";
    const SUMMARY: &'static str =
        "coordinates in which each point is the same mean of its neighbors";
    const CITATION: &'static str = "Roweis2000, Fig. 2";
    const WEIGHTS: bool = false;
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
        let points = all_rows(points, Self::NAME, points.dims() + 3000)?;
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
