//! What methods share that reduce the dimension and learn a graph at the same time.
//!
//! For a given graph and assignment they minimize, over an orthonormal basis B and latent
//! coordinates Z, `Σᵢ wᵢ‖xᵢ − B zᵢ‖² + (a quadratic form of Z)`. Then `Z = Q X B` with a *smoother*
//! Q, and B holds the top eigenvectors of `XᵀWQX`; neither Q nor any N×N matrix is formed.

mod basis;
mod centered;
mod plan;

pub(super) use basis::{Basis, Embedded, embed, principal};
pub(super) use centered::Centered;
pub(super) use plan::{LatentPlan, LatentRule, latent_plan};
