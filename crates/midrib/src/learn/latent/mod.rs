//! What methods share that reduce the dimension and learn a graph at the same time.
//!
//! For given edges and shares both minimise, over an orthonormal basis B and latent places Z,
//! `Σᵢ wᵢ‖xᵢ − B zᵢ‖² + (a quadratic form of Z)`. Then `Z = Q X B` with a *smoother* Q, and B holds
//! the top eigenvectors of `XᵀWQX`; neither Q nor a matrix of the size of the points is formed.

mod basis;
mod frame;
mod plan;

pub(super) use basis::{Basis, Embedded, embed, principal};
pub(super) use frame::Frame;
pub(super) use plan::{LatentPlan, latent_plan, refuse_links};
