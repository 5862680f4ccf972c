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

use super::embedded::{Embeds, Learned};
use crate::embed::Source;
use crate::error::Result;
use crate::observe::Observer;

impl Embeds for Isomap {
    const NAME: &'static str = "isomap";
    const CLASS: &'static str = "Isomap";
    const SUMMARY: &'static str = "coordinates that keep the distances along a curved sheet";
    const CITATION: &'static str = "Tenenbaum2000, Table 1";
    const HELD: usize = 5000;

    fn n_components(&self) -> usize {
        self.n_components
    }

    fn min_columns(&self) -> usize {
        self.n_components.min(2)
    }

    fn check(&self) -> Result<()> {
        self.check_values()
    }

    fn embed(&self, source: &Source<'_>, _: &[f64], watch: &mut dyn Observer) -> Result<Learned> {
        fit::fit(self, source, watch)
    }
}
