//! Self-organizing maps: a net whose nodes follow the points of their neighborhoods.
//! Gorban2009, "SOM approach for principal manifold approximation".
//!
//! Each epoch has a smaller neighborhood radius s. With `training = batch` all nodes move at once,
//!
//! ```text
//! φ(v) = Σᵢ wᵢ h(v, vᵢ) xᵢ / Σᵢ wᵢ h(v, vᵢ),    h(v, u) = exp(−ρ(v, u)² / 2s²)
//! ```
//!
//! where vᵢ is the node nearest to point i and ρ the distance on the net: straight over the grid,
//! around closed axes where that is shorter, along great circles on a sphere. With
//! `training = online` they move after each point, φ(v) += hₖ·h(v, vₓ)·(x − φ(v)).
//!
//! No objective is minimized. The trace is the quantization error, the mean squared distance of the
//! points from their nearest nodes; it may rise.
//!
//! | paper | here | meaning |
//! |---|---|---|
//! | V, ρ | `net` | the net and the distance on it |
//! | φ(v) | nodes | K×D |
//! | v_x | – | the node nearest to a point |
//! | w(ρ) | – | the neighborhood function, Gaussian |
//! | h_k | `learning_rate` | the step size online |
//!
//! # Departures from the paper
//! - The online step adds to φ(v); the paper prints φ(v) = h·w·(x − φ(v)).
//! - s falls geometrically from `radius` to `final_radius`, and so does the step size, to a hundredth.
//! - Points may have missing values: distances and means are over the known ones.
//! - Online, points come in a random order within chunks of rows, and a point of weight w takes w
//!   steps at once.

mod batch;
mod fit;
mod online;
mod schedule;
mod settings;
#[cfg(test)]
mod tests;

pub use settings::{Som, Training};

use super::given::Given;
use super::method::{Method, Promises};
use super::result::Fit;
use crate::connect::NetShape;
use crate::error::Result;
use crate::object::Kind;
use crate::observe::Observer;
use crate::points::Blocks;

impl Method for Som {
    const NAME: &'static str = "som";
    const CLASS: &'static str = "SelfOrganizingMap";
    const SUMMARY: &'static str =
        "self-organizing map: a net of nodes, each the mean of the points around it on the net";
    const CITATION: &'static str = "Gorban2009, SOM approach";
    const GAPS: bool = true;
    const EMBEDS: bool = true;
    const STEP: &'static str = "epoch";

    fn kind(&self) -> Kind {
        Kind::Net { inner_dims: self.net.dims() }
    }

    fn min_columns(&self) -> usize {
        self.net.min_dims()
    }

    fn promises(&self) -> Promises {
        let batch = self.training == Training::Batch;
        Promises {
            cost_falls: false,
            any_row_order: batch,
            weights_as_repeats: batch,
            tree: self.net == NetShape::Chain,
            ..Promises::ALL
        }
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
