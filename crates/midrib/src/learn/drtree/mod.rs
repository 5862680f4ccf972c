//! DRTree: a principal tree in fewer dimensions, with a node at every point.
//! Wang2016, problem (29).
//!
//! Minimizes over an orthonormal basis B, latent points z and the spanning tree
//!
//! ```text
//! Σᵢ wᵢ ‖xᵢ − B zᵢ‖² + λ Σ_{edges} ‖zₐ − z_b‖²
//! ```
//!
//! | paper | here | meaning |
//! |---|---|---|
//! | Y | `points` | N×D, centered here |
//! | W | `basis` | D×d, orthonormal columns |
//! | Z | `embedding` | N×d: the nodes of the tree |
//! | S | `tree` | minimum spanning tree of Z |
//! | λ | `tree_weight` | weight of the squared edge lengths; 0 is PCA |
//!
//! # Departures from the paper
//! - The points are centered: the model has no mean.
//! - Neither `(I + λL)⁻¹` nor any N×N matrix is formed: products with it are tree solves.
//! - λ = 4/γ, not 8/γ, relates (27) to (29).
//! - It stops when the objective falls by less than `tol` times the total squared distance of the
//!   points from their mean. Points may have weights; those without weight are only projected.

mod fit;
mod plan;
mod settings;
#[cfg(test)]
pub(in crate::learn) mod tests;

pub use settings::DrTree;

use super::given::Given;
use super::method::{Method, Promises};
use super::result::Fit;
use crate::error::Result;
use crate::observe::Observer;
use crate::points::{Blocks, all_rows};

impl Method for DrTree {
    const NAME: &'static str = "drtree";
    const CLASS: &'static str = "DRTree";
    const SUMMARY: &'static str =
        "tree in fewer dimensions with a node at every point: dimensions and tree learned together";
    const CITATION: &'static str = "Wang2016, problem (29)";
    const EMBEDS: bool = true;

    fn promises(&self) -> Promises {
        Promises { any_row_order: false, weights_as_repeats: false, ..Promises::ALL }
    }

    fn check(&self) -> Result<()> {
        self.check_values()
    }

    fn needs_all_rows(&self) -> bool {
        true
    }

    fn learn(
        &self,
        points: &dyn Blocks,
        given: Given<'_>,
        watch: &mut dyn Observer,
    ) -> Result<Fit> {
        let points = all_rows(points, Self::NAME, points.dims() + 20)?;
        fit::fit(self, &*points, given, watch)
    }
}
