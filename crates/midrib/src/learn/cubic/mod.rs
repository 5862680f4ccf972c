//! Principal cubic complexes: products of two trees, each grown by the grammar. Gorban2009,
//! "Principal cubic complexes".
//!
//! The nodes are all pairs of a node of the first tree and a node of the second. Each tree appears in
//! as many copies as the other has nodes, and the energies of all copies add up:
//!
//! ```text
//! U = Σᵢ wᵢ min(‖xᵢ − y_k(i)‖, R)² / Σᵢ wᵢ + Σ_{copies of both trees} (λ Σ_{edges} ‖yₐ − y_b‖² + μ Σ_{stars} ‖y_c − mean of leaves‖²)
//! ```
//!
//! A step of the grammar changes one of the trees in all its copies, so there are few steps to
//! compare, however many nodes the product has.
//!
//! | paper | here | meaning |
//! |---|---|---|
//! | λ | `stretching` | resists long edges |
//! | μ | `bending` | resists bends and unbalanced branches |
//! | G₁ × G₂ | `Factors` | the two trees |
//!
//! # Departures from the paper
//! - The data term is the mean square, not its root: only then does the placement minimize it.
//! - Steps are compared after a few sweeps over a sample of the points, and the best one is placed
//!   until it converges; at the end the complex is placed on all points.

mod complex;
mod factors;
mod fit;
mod plan;
mod settings;
#[cfg(test)]
mod tests;

pub use settings::Cubic;

use super::given::Given;
use super::method::{Method, Promises};
use super::result::Fit;
use crate::error::Result;
use crate::object::Kind;
use crate::observe::Observer;
use crate::points::Blocks;

impl Method for Cubic {
    const NAME: &'static str = "cubic";
    const CLASS: &'static str = "CubicComplex";
    const SUMMARY: &'static str =
        "product of two trees grown by elastic energy: surfaces that branch";
    const CITATION: &'static str = "Gorban2009, Principal cubic complexes";
    const START: bool = false;

    fn kind(&self) -> Kind {
        Kind::Net { inner_dims: 2 }
    }

    fn min_columns(&self) -> usize {
        2
    }

    fn promises(&self) -> Promises {
        Promises { cost_falls: false, tree: false, ..Promises::ALL }
    }

    fn check(&self) -> Result<()> {
        self.check_values()
    }

    fn learn(&self, points: &dyn Blocks, _: Given<'_>, watch: &mut dyn Observer) -> Result<Fit> {
        fit::fit(self, points, watch)
    }
}
