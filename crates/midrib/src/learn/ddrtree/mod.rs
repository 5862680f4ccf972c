//! DDRTree: clusters of points in fewer dimensions, their centers joined by a tree. Wang2016,
//! Algorithm 2, problems (30) and (31); what Monocle 2 runs.
//!
//! Minimises over an orthonormal basis B, latent points z, nodes c, the spanning tree of the nodes
//! and the shares r
//!
//! ```text
//! Σᵢ wᵢ ‖xᵢ − B zᵢ‖² + λ Σ_{edges} ‖cₐ − c_b‖² + γ Σᵢₖ wᵢ rᵢₖ (‖zᵢ − cₖ‖² + σ log rᵢₖ)
//! ```
//!
//! | paper | here | meaning |
//! |---|---|---|
//! | Y | `points` | N×D, centred here |
//! | W | `basis` | D×d, orthonormal columns |
//! | Z | `embedding` | N×d |
//! | C | `nodes` | K×d latent, and mapped back to D columns |
//! | S, L | `tree` | minimum spanning tree of the nodes, its Laplacian |
//! | R | `shares` | r ∝ exp(−‖z − c‖² / σ), or 1 at the nearest node |
//! | Γ | `mass` | column sums of R |
//! | λ | `tree_weight` | weight of the squared edge lengths |
//! | γ | `cluster_weight` | how strongly points are drawn to their nodes |
//! | σ | `bandwidth` | of the shares, a squared length |
//!
//! For a given tree and shares B, Z and C are found together, in closed form (Proposition 5).
//! With `(1+γ)(λ/γ L + Γ) − γ RᵀWR` = M, `C = M⁻¹ RᵀW XB` and `Z = (XB + γ RC)/(1+γ)`.
//!
//! # Departures from the paper
//! - The points are centred: the model has no mean.
//! - R is sparse: shares that change the objective by less than rounding are left out. Neither Q
//!   nor any N×N or N×K matrix is formed. M is factored for few nodes; for many, conjugate
//!   gradients with a near matrix that is solved along the tree need about ten steps.
//! - It stops when the objective falls by less than `tol` times the total squared distance of the
//!   points from their mean. Points may have weights; those without weight are only projected.
//! - By default there are as many nodes as in Monocle 2, K = 200 ln N/(ln N + ln 100); the paper
//!   takes K = N (`n_nodes = all`). Bandwidth and tree weight follow the scale of the data.

mod fit;
mod settings;
mod smoother;
#[cfg(test)]
mod tests;

pub use settings::DdrTree;
