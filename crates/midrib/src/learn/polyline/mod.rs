//! The polygonal line algorithm: a curve of few straight segments that grows segment by segment.
//! Gorban2009, Kégl-Kryzhak improvement.
//!
//! Minimizes over the vertices y₁ … y_{k+1}
//!
//! ```text
//! U = MSD + λ/(k+1) Σᵢ CP(i)                                              eq. (2)
//! ```
//!
//! where MSD is the mean squared distance of the points from the line, CP(i) is r²(1 + cos γᵢ) at an
//! inner vertex with the angle γᵢ, and the squared length of its segment at each of the two ends.
//! After each descent the segment with most points is split in the middle.
//!
//! | paper | here | meaning |
//! |---|---|---|
//! | k | `segments` | number of segments |
//! | r | `radius` | the largest distance of a point from the mean |
//! | λ′ | `curvature_penalty` | λ = λ′·k·N^(−1/3)·√MSD/r |
//! | β | `stop_factor` | it stops when k > β·N^(1/3)·r/√MSD |
//!
//! The trace is U at 1, 2, … segments, after that of the start. It need not fall from one number of
//! segments to the next, because λ grows with k.
//!
//! # Departures from the paper
//! - λ and the stopping rule have the root of the mean squared distance; printed without it they
//!   depend on the unit of length.
//! - Coordinates are rounded to 2^−30 of the root mean squared distance from the mean, so that neither
//!   the unit of length, nor the order of the rows, nor repeated rows instead of weights lead the
//!   descent, which is not convex, to another least value. A rotation still may.
//! - U pulls at the outermost segment alone, so that vertices next to it may leave the points. After a
//!   descent the line is cut back to the first and the last projection. Between them nothing keeps it
//!   among the points: on branching points it turns in wide bends outside of them, which cost less
//!   than sharp ones. Use a tree for these.
//! - All vertices descend together, by quasi-Newton steps. In between, points choose among the two
//!   segments on either side of their own; after every round among all.

mod descent;
mod energy;
mod fit;
mod settings;
#[cfg(test)]
mod tests;

pub use settings::Polyline;

use super::given::Given;
use super::method::{Method, Promises};
use super::result::Fit;
use crate::error::Result;
use crate::observe::Observer;
use crate::points::{Blocks, all_rows};

impl Method for Polyline {
    const NAME: &'static str = "polyline";
    const CLASS: &'static str = "PolygonalLine";
    const SUMMARY: &'static str =
        "one open curve of few straight segments, with a penalty on its angles";
    const CITATION: &'static str = "Gorban2009, Kégl-Kryzhak improvement, eq. (2)";
    const START: bool = false;
    const STEP: &'static str = "segment";

    fn promises(&self) -> Promises {
        // The descent is not convex: the rounding of a rotation may lead it to another least value.
        Promises { cost_falls: false, rigid_motions: false, ..Promises::ALL }
    }

    fn needs_all_rows(&self) -> bool {
        true
    }

    fn check(&self) -> Result<()> {
        self.check_values()
    }

    fn learn(&self, points: &dyn Blocks, _: Given<'_>, watch: &mut dyn Observer) -> Result<Fit> {
        let points = all_rows(points, Self::NAME, 2 * points.dims())?;
        fit::fit(self, &*points, watch)
    }
}
