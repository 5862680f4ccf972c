//! Principal cubic complexes: products of two trees, each grown by the grammar. Gorban2009,
//! "Principal cubic complexes".
//!
//! The nodes are all pairs of a node of the first tree and one of the second. Each tree lies there
//! in as many copies as the other has nodes, and the energies of all copies add up:
//!
//! ```text
//! U = Σᵢ wᵢ min(‖xᵢ − y_k(i)‖, R)² / Σᵢ wᵢ + Σ_{copies of both trees} (λ Σ_{edges} ‖yₐ − y_b‖² + μ Σ_{stars} ‖y_c − mean of leaves‖²)
//! ```
//!
//! A step of the grammar changes one of the trees, in all its copies: so there are few steps to
//! compare, however many nodes the product has.
//!
//! | paper | here | meaning |
//! |---|---|---|
//! | λ | `stretching` | resists long edges |
//! | μ | `bending` | resists bends, and branches that are not balanced |
//! | G₁ × G₂ | `Factors` | the two trees |
//!
//! # Departures from the paper
//! - The data term is the mean square, not its root: only of that is the placement the minimiser.
//! - Steps are compared after a few sweeps over a sample of the points, and the best of them is
//!   placed to the end; the complex is placed on all points at last.

mod factors;
mod fit;
mod settings;
#[cfg(test)]
mod tests;

pub use settings::Cubic;
