//! Isomap: coordinates that keep distances along the neighbor graph. Tenenbaum2000.
//!
//! | step | here |
//! |---|---|
//! | 1. join each point to its nearest | `NeighborGraph`, from both sides |
//! | 2. lengths of shortest paths | `Geodesic`, Dijkstra's algorithm from every landmark |
//! | 3. classical scaling of these | `Axes`, the eigenvectors of −½ δ², centered |
//!
//! A new point is joined to its nearest training points, and gets Nyström's coordinates from the
//! shortest paths to the landmarks: `−½ (δ² − mean) · projection`.
//!
//! # Departures from the paper
//! - Beyond 5,000 points the paths are those to 1,000 random landmarks (deSilva2003).
//! - A neighbor graph in several pieces is refused, see `pieces`.
//! - The largest coordinate along each axis is positive.

mod fit;
mod settings;
#[cfg(test)]
mod tests;

pub use settings::Isomap;

use super::embedded::check_columns;
use super::given::Given;
use super::method::{Method, Promises};
use super::result::Fit;
use crate::distances::Distances;
use crate::error::Result;
use crate::object::Kind;
use crate::observe::Observer;
use crate::points::{Blocks, all_rows};

impl Method for Isomap {
    const NAME: &'static str = "isomap";
    const CLASS: &'static str = "Isomap";
    const SUMMARY: &'static str = "coordinates that keep the distances along a curved sheet";
    const CITATION: &'static str = "Tenenbaum2000, Table 1";
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
        self.n_components.min(2)
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
