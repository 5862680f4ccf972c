//! A graph whose structure follows from the points: curve, ring, tree, graph with loops, in one or
//! several components, or no lines at all.
//!
//! 1. A sample of at most 3,000 points, in the principal components that stand out of the noise.
//! 2. Groups: components of the graph of mutual nearest neighbors.
//! 3. In each group a principal tree by soft assignment, Mao2015.
//! 4. Its nodes move to where the points are: least squares on the projections, against bending.
//! 5. With the likelihood of the points under a mixture of the edges, each with Gaussian noise around
//!    it: stretches that cross voids are cut, gaps between a tip and another line are closed,
//!    twigs that add less than 20 nats are removed; three times.
//! 6. Two branch points near each other, or joined by a stretch that is as dense as two lines, are one
//!    crossing.
//! 7. Where the points around the nodes extend hardly more along the graph than across, they follow no
//!    lines.
//!
//! | symbol | here | meaning |
//! |---|---|---|
//! | s | `noise` | standard deviation around the graph, per transverse dimension |
//! | b | `bend` | bends shorter than this are evened out: 2.2 s |
//! | h | `spacing` | distance of nodes |
//!
//! # Departures from the paper
//! - Mao2015 learns one tree. Everything after step 3 is midrib's own: a tree bridges voids, cuts loops
//!   open and grows twigs into noise, and what the points say of each such place decides.

mod crossings;
mod cuts;
mod fit;
mod grow;
mod joins;
mod mixture;
mod refit;
mod sample;
mod scatter;
mod settings;
mod skeleton;
#[cfg(test)]
mod tests;
mod twigs;

pub use settings::AutoGraph;

use super::given::Given;
use super::method::{Method, Promises};
use super::result::Fit;
use crate::error::Result;
use crate::observe::Observer;
use crate::points::{Blocks, all_rows};

impl Method for AutoGraph {
    const NAME: &'static str = "auto";
    const CLASS: &'static str = "AutoGraph";
    const SUMMARY: &'static str =
        "finds the structure itself: curve, ring, tree, loops, components, or no lines at all";
    const CITATION: &'static str = "Mao2015, Algorithm 1";
    const START: bool = false;
    const STEP: &'static str = "group";

    fn promises(&self) -> Promises {
        Promises { cost_falls: false, tree: false, ..Promises::ALL }
    }

    fn check(&self) -> Result<()> {
        Ok(())
    }

    fn needs_all_rows(&self) -> bool {
        true
    }

    fn learn(&self, points: &dyn Blocks, _: Given<'_>, watch: &mut dyn Observer) -> Result<Fit> {
        fit::fit(self, &*all_rows(points, Self::NAME, 2 * points.dims())?, watch)
    }
}
