//! k-segments: line segments, each fitted to the points nearest to it, joined into one open curve.
//! Verbeek2002.
//!
//! | paper | here | meaning |
//! |---|---|---|
//! | k | `segments` | number of segments |
//! | Vᵢ | `Share` | the points nearest to segment i, as sums |
//! | λ | `angle_penalty` | what a turn costs when segments are joined |
//! | l | `length` | the length of the curve |
//!
//! A segment is the first principal axis of its points, 3/2 standard deviations to either side of
//! their mean. A new segment starts as that of the points that are nearer to one point than to any
//! segment, the point for which their squared distances fall most. Segments are joined by the
//! links of least cost, which is their length plus a penalty for turns, and the order is improved by
//! reversing stretches of it as long as that lowers the cost (2-opt).
//!
//! The trace is the description length of N points in D dimensions by 1, 2, … segments,
//!
//! ```text
//! N log l + N(D − 1)/2 · log Δ + k D log N
//! ```
//!
//! with Δ the mean squared distance from the curve. It need not fall.
//!
//! # Departures from the paper
//! - The paper's objective is N log l + Σ d²/2σ² for a given noise σ. Here σ is the one that fits the
//!   curve best, and the 2kD coordinates of the curve are paid for, so that `auto` has nothing to be set.
//! - The penalty of a turn is relative to the mean length of the segments, so that the unit of length
//!   does not matter.
//! - The two ends of the curve reach √3 standard deviations instead of 3/2, where points end that are
//!   spread evenly along a segment.
//! - New segments are sought among up to 2000 of the points.
//! - A segment without points is dropped.

mod fit;
mod insertion;
mod path;
mod settings;
#[cfg(test)]
mod tests;

pub use settings::KSegments;

use super::given::Given;
use super::method::{Method, Promises};
use super::result::Fit;
use crate::error::Result;
use crate::observe::Observer;
use crate::points::Blocks;

impl Method for KSegments {
    const NAME: &'static str = "k-segments";
    const CLASS: &'static str = "KSegments";
    const SUMMARY: &'static str =
        "one open curve of line segments, each fitted to its nearest points, that are then joined";
    const CITATION: &'static str = "Verbeek2002, A k-segments algorithm";
    const START: bool = false;
    const STEP: &'static str = "segment";

    fn promises(&self) -> Promises {
        Promises { cost_falls: false, ..Promises::ALL }
    }

    fn check(&self) -> Result<()> {
        self.check_values()
    }

    fn learn(&self, points: &dyn Blocks, _: Given<'_>, watch: &mut dyn Observer) -> Result<Fit> {
        fit::fit(self, points, watch)
    }
}
