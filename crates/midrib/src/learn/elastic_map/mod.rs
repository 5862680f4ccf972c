//! Elastic maps: nets of a given shape, bent into the points and softened step by step.
//! Gorban2009, "Elastic maps approach".
//!
//! Minimizes over the nodes y of a net, in epochs with ever smaller factors m,
//!
//! ```text
//! U = Σᵢ wᵢ min(‖xᵢ − y_k(i)‖, R)² / Σᵢ wᵢ + m λ Σ_{edges} ‖yₐ − y_b‖² + m μ Σ_{ribs} ‖y_c − (yₐ + y_b)/2‖²
//! ```
//!
//! where k(i) is the node nearest to point i and ribs are three nodes in a row, in each direction
//! of the grid. Distances and sums skip missing values: each coordinate of a node depends on the
//! points that have it.
//!
//! | paper | here | meaning |
//! |---|---|---|
//! | λ | `stretching` | resists long edges |
//! | μ | `bending` | resists bends |
//! | m₁, …, m_p | `epochs` | factors of both, one epoch each |
//! | – | `trimming_radius` | R: points farther away are ignored |
//!
//! # Departures from the paper
//! - The data term is the mean square, not its root: only then does the placement minimize it.
//! - With `moduli = whole`, μ of each rib grows with the number of ribs to the power (4−d)/d; the
//!   printed power (2−d)/d would let finer nets bend more.
//! - A sphere's edges have moduli inverse to their lengths on a round sphere; each of its poles is
//!   the center of a star of all its neighbors.
//! - Between nodes the map is linear on segments, triangles and tetrahedra; beyond an open border
//!   it continues straight on for `margin` steps.
//!
//! # Rolled-up sheets
//! A net starts on the linear principal manifold and bends from there. On a sheet rolled up in one
//! turn, a rectangle follows the roll if it is soft and fine enough: with `stretching` 0.001,
//! `bending` 0.0001 and 200 nodes it leaves 0.6 % of the variance, where two principal components
//! leave 26 %, and no edge connects two layers. On one and a half turns (`midrib synth swiss-roll`)
//! the same settings leave 2 %, but the rectangle does not unroll: 16 of the 265 edges between nodes
//! that have points connect one layer to the next, because the layers overlap on the plane where the
//! net starts. Map such data in shorter pieces, or use a method that starts from neighbors.

mod fit;
mod plan;
mod settings;
#[cfg(test)]
mod tests;

pub use settings::{ElasticMap, ModulusOf};

use super::given::Given;
use super::method::{Method, Promises};
use super::result::Fit;
use crate::connect::NetShape;
use crate::error::Result;
use crate::object::Kind;
use crate::observe::Observer;
use crate::points::Blocks;

impl Method for ElasticMap {
    const NAME: &'static str = "elastic-map";
    const CLASS: &'static str = "ElasticMap";
    const SUMMARY: &'static str =
        "sheet, tube, sphere or other net bent into the points: a map to view them on";
    const CITATION: &'static str = "Gorban2009, Elastic maps approach";
    const GAPS: bool = true;
    const EMBEDS: bool = true;

    fn kind(&self) -> Kind {
        Kind::Net { inner_dims: self.net.dims() }
    }

    fn min_columns(&self) -> usize {
        self.net.min_dims()
    }

    fn promises(&self) -> Promises {
        Promises { tree: self.net == NetShape::Chain, ..Promises::ALL }
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
