//! DRTree: a principal tree through points in fewer dimensions, each of them a node.
//! Wang2016, problem (29).
//!
//! Minimises over an orthonormal basis B, latent points z and the spanning tree
//!
//! ```text
//! Σᵢ wᵢ ‖xᵢ − B zᵢ‖² + λ Σ_{edges} ‖zₐ − z_b‖²
//! ```
//!
//! | paper | here | meaning |
//! |---|---|---|
//! | Y | `points` | N×D, centred here |
//! | W | `basis` | D×d, orthonormal columns |
//! | Z | `embedding` | N×d: the nodes of the tree |
//! | S | `tree` | minimum spanning tree of Z |
//! | λ | `tree_weight` | weight of the squared edge lengths; 0 is PCA |
//!
//! # Departures from the paper
//! - The points are centred: the model has no mean.
//! - Neither `(I + λL)⁻¹` nor any N×N matrix is formed: products with it are tree solves.
//! - λ = 4/γ, not 8/γ, links (27) to (29).
//! - It stops when the objective falls by less than `tol` times the total squared distance of the
//!   points from their mean. Points may have weights; those without weight are only projected.

mod fit;
mod settings;
#[cfg(test)]
pub(in crate::learn) mod tests;

pub use settings::DrTree;
pub(super) use settings::{check_limits, check_weight};
