//! SimplePPT: a principal tree by soft assignment. Mao2015, Algorithm 1.
//!
//! Minimises over the nodes y, the spanning tree and the shares p
//!
//! ```text
//! Σᵢₖ wᵢ pᵢₖ (‖xᵢ − yₖ‖² + σ log pᵢₖ) + λ Σ_{edges} ‖yₐ − y_b‖²
//! ```
//!
//! | paper | here | meaning |
//! |---|---|---|
//! | X | `points` | N×D, one point per row |
//! | F_G | `nodes` | K×D |
//! | B | `tree` | minimum spanning tree of the nodes |
//! | R | – | shares p, never stored: only their sums |
//! | Λ | `mass` | column sums of p |
//! | σ | `bandwidth` | p ∝ exp(−‖x − y‖² / σ) |
//! | λ | `length_penalty` | weight of the squared edge lengths |
//!
//! # Departures from the paper
//! - The printed objective (3.12) has 1/N and λ/2, to which the printed update (3.13) does not
//!   belong. The update here, `(λL + Λ)⁻¹ PᵀX`, minimises the objective above; λ of (3.12) is
//!   2λ/N.
//! - The row minimum is subtracted inside the exponentials, so far points are not lost.
//! - It stops when the objective falls by less than `tol` times the total squared distance of
//!   the points from their mean; the paper's relative change is ill posed because the
//!   objective passes through zero.
//! - Sweeps are accelerated (safeguarded: the objective still never rises), and points may
//!   have weights.
//! - It starts from k-means++ centers, all points, or given nodes.
//! - Edges of must-links join their nodes, but are not part of the length: they would draw nodes away
//!   from the points that they stand for.

mod default_rule;
mod fit;
mod scan;
mod settings;
mod steps;
#[cfg(test)]
mod tests;
mod tree;

pub(super) use default_rule::{
    Plan, Planned, centers, check_proportion, check_start, noise, plan, working_bandwidth,
    working_start,
};
pub(super) use fit::tidy;
pub use settings::SimplePpt;
pub(super) use settings::positive;
pub use steps::{PptStep, PptSteps};
