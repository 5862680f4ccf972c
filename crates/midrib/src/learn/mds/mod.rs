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

use super::embedded::check_columns;
use super::given::Given;
use super::method::{Method, Promises};
use super::result::Fit;
use crate::distances::Distances;
use crate::error::Result;
use crate::object::Kind;
use crate::observe::Observer;
use crate::points::{Blocks, all_rows};

impl Method for Mds {
    const NAME: &'static str = "mds";
    const CLASS: &'static str = "MDS";
    const SUMMARY: &'static str = "coordinates that keep the distances of all points";
    const CITATION: &'static str = "deLeeuw1977, Guttman transform";
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

    fn min_columns(&self) -> usize {
        self.n_components
    }

    fn fit(&self, points: &dyn Blocks, given: Given<'_>, watch: &mut dyn Observer) -> Result<Fit> {
        self.check()?;
        Self::check_given(&given)?;
        check_columns(self.n_components, self.min_columns(), points.dims())?;
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
