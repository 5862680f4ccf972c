//! Local principal curves: from a seed, follow the first principal direction of the points around,
//! both ways, and start branches where a second direction is strong. Einbeck2005.
//!
//! ```text
//! μ(x) = Σᵢ wᵢ K(xᵢ − x) xᵢ / Σᵢ wᵢ K(xᵢ − x),  K(u) = exp(−‖u‖² / 2h²)
//! ```
//!
//! alternates with x ← μ(x) + t₀ γ, γ the first eigenvector of the covariance of the points under the
//! same weights. The means become nodes.
//!
//! | paper | here | meaning |
//! |---|---|---|
//! | h | `bandwidth` | standard deviation of the kernel, a length |
//! | t₀ | – | length of a step: h |
//! | ρ₀ | `branch_ratio` | second eigenvalue, as a share of the first, at which branches start |
//!
//! Directions are penalized for turning: with the cosine c of the angle to the direction before, γ
//! counts |c|² and that one 1 − |c|². A path ends where its length grows by less than 0.5 % per
//! step, at the boundary of the points, or after 100 steps.
//!
//! # Departures from the paper
//! - h is a share of the range along the first principal axis, the same for all columns, so that
//!   rotating the points changes nothing. It is half of the usual tenth, with which a step is as long as
//!   a short branch: of a tree with six tips it found two. It is another share where noise leaves more
//!   than 5 % of the points farther than h from the curve.
//! - The first seed is the point of the highest density. While points are farther than 3h from all
//!   paths, the densest of them is the next seed: components are found without being asked for.
//! - A path that comes within half a step of another, or of its own beginning, is joined to it and
//!   ends, so that loops close; a branch that starts along another path is dropped.
//! - A path first follows the direction in which the points around have the longer tail, so that it is
//!   the same after a rotation.

mod fit;
mod local;
mod settings;
#[cfg(test)]
mod tests;
mod trace;

pub use settings::Lpc;

use super::given::Given;
use super::method::{Method, Promises};
use super::result::Fit;
use crate::error::Result;
use crate::observe::Observer;
use crate::points::{Blocks, all_rows};

impl Method for Lpc {
    const NAME: &'static str = "lpc";
    const CLASS: &'static str = "LocalPrincipalCurves";
    const SUMMARY: &'static str =
        "local principal curves: follows the points from seeds, with branches and components";
    const CITATION: &'static str = "Einbeck2005, Local principal curves";
    const STEP: &'static str = "seed";

    fn promises(&self) -> Promises {
        Promises { cost_falls: false, tree: false, ..Promises::ALL }
    }

    fn needs_all_rows(&self) -> bool {
        true
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
        let points = all_rows(points, Self::NAME, 2 * points.dims())?;
        fit::fit(self, &*points, given.start, watch)
    }
}
