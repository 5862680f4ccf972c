//! Principal curves: each position is the mean of the points that project onto it. Gorban2009,
//! Hastie and Stuetzle algorithm.
//!
//! Alternates between projecting the points onto the curve (step 2) and smoothing each coordinate
//! over the arc length of the projections (steps 3 and 4), from the first principal line. The trace
//! is the mean squared distance of the points from the curve; it need not fall.
//!
//! | paper | here | meaning |
//! |---|---|---|
//! | Y(λ) | `Line` | the curve, a polygonal line through the smoothed positions |
//! | λᵢ | `along` | arc length of the projection of a point |
//! | w | `span` | share of the points in a neighborhood |
//! | ωᵢⱼ | `weight` | weights of the local regression |
//!
//! # Departures from the paper
//! - The printed weights divide by zero, and their exponent is 1/3. Here ω = (1 − (|λⱼ − λᵢ|/h)³)³
//!   with h the distance to the ⌊wN⌋-th nearest projection, the point itself included.
//! - A round projects and then smooths, so the first entry of the trace belongs to the principal
//!   line, and the last one to the curve that is returned.
//! - Points with equal projections share a node. With many points the curve is smoothed at
//!   `n_nodes` of the projections, which makes a round linear in the number of points.
//! - A surface is a rectangular net: its inner coordinates are steps of the net, its nodes are
//!   smoothed by linear regressions over the nearest projections, and between them it is flat.
//! - Coordinates are rounded to 2^−30 of the root mean squared distance from the mean: the rounds need
//!   not converge, and rounding errors, which depend on the unit of length and the order of the rows,
//!   would lead them elsewhere. A rotation still may: it changes the rounding of every coordinate.
//! - A closed curve starts at the ellipse that has the variance of the points along the first two
//!   principal axes, and λ is periodic.

mod fit;
mod line;
mod local_linear;
mod settings;
mod sheet;
mod spline;
#[cfg(test)]
mod tests;

pub use settings::{CurveStructure, PrincipalCurve, Smoother};

use super::given::Given;
use super::method::{Method, Promises};
use super::result::Fit;
use crate::error::Result;
use crate::object::Kind;
use crate::observe::Observer;
use crate::points::{Blocks, all_rows};

impl Method for PrincipalCurve {
    const NAME: &'static str = "curve";
    const CLASS: &'static str = "PrincipalCurve";
    const SUMMARY: &'static str =
        "principal curve, open or closed, or surface: every position is a local mean of the points";
    const CITATION: &'static str = "Gorban2009, Principal manifolds by Hastie and Stuetzle";
    const START: bool = false;
    const STEP: &'static str = "round";

    fn kind(&self) -> Kind {
        match self.structure {
            CurveStructure::Open | CurveStructure::Closed => Kind::Graph,
            CurveStructure::Surface => Kind::Net { inner_dims: 2 },
        }
    }

    fn promises(&self) -> Promises {
        let tree = self.structure == CurveStructure::Open;
        Promises { cost_falls: false, rigid_motions: false, tree, ..Promises::ALL }
    }

    fn min_columns(&self) -> usize {
        match self.structure {
            CurveStructure::Open => 1,
            CurveStructure::Closed | CurveStructure::Surface => 2,
        }
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
