//! DDRTree: clusters of points in fewer dimensions, their centers connected by a tree. Wang2016,
//! Algorithm 2, problems (30) and (31); the method of Monocle 2.
//!
//! Minimizes over an orthonormal basis B, latent points z, nodes c, the spanning tree of the nodes
//! and the assignment r
//!
//! ```text
//! Σᵢ wᵢ ‖xᵢ − B zᵢ‖² + λ Σ_{edges} ‖cₐ − c_b‖² + γ Σᵢₖ wᵢ rᵢₖ (‖zᵢ − cₖ‖² + σ log rᵢₖ)
//! ```
//!
//! | paper | here | meaning |
//! |---|---|---|
//! | Y | `points` | N×D, centered here |
//! | W | `basis` | D×d, orthonormal columns |
//! | Z | `embedding` | N×d |
//! | C | `nodes` | K×d latent, and mapped back to D columns |
//! | S, L | `tree` | minimum spanning tree of the nodes, its Laplacian |
//! | R | `shares` | assignment r ∝ exp(−‖z − c‖² / σ), or 1 at the nearest node |
//! | Γ | `mass` | column sums of R |
//! | λ | `tree_weight` | weight of the squared edge lengths |
//! | γ | `cluster_weight` | how strongly points are pulled to their nodes |
//! | σ | `bandwidth` | of the assignment, a squared length |
//!
//! For a given tree and assignment B, Z and C have a joint closed form (Proposition 5).
//! With `(1+γ)(λ/γ L + Γ) − γ RᵀWR` = M, `C = M⁻¹ RᵀW XB` and `Z = (XB + γ RC)/(1+γ)`.
//!
//! # Departures from the paper
//! - The points are centered: the model has no mean.
//! - R is sparse: entries that change the objective by less than rounding are dropped. Neither Q
//!   nor any N×N or N×K matrix is formed. M is factored for few nodes; for many, conjugate gradients
//!   preconditioned by a solve along the tree take about ten steps.
//! - It stops when the objective falls by less than `tol` times the total squared distance of the
//!   points from their mean. Points may have weights; those without weight are only projected.
//! - By default there are as many nodes as in Monocle 2, K = 200 ln N/(ln N + ln 100); the paper
//!   takes K = N (`n_nodes = all`). Bandwidth and tree weight follow the scale of the data.

mod fit;
mod plan;
mod settings;
mod smoother;
#[cfg(test)]
mod tests;

pub use settings::DdrTree;

use super::choices::{AutoOr, NodeCount};
use super::given::Given;
use super::method::{Method, Promises};
use super::result::Fit;
use crate::error::Result;
use crate::observe::Observer;
use crate::points::{Blocks, all_rows};

impl Method for DdrTree {
    const NAME: &'static str = "ddrtree";
    const CLASS: &'static str = "DDRTree";
    const SUMMARY: &'static str =
        "tree in fewer dimensions, learned together with them, as in Monocle 2 for single cells";
    const CITATION: &'static str = "Wang2016, Algorithm 2";
    const EMBEDS: bool = true;

    fn promises(&self) -> Promises {
        Promises {
            any_row_order: self.n_nodes != NodeCount::All,
            // What is left open depends on the number of rows.
            weights_as_repeats: self.bandwidth != AutoOr::Auto && self.tree_weight != AutoOr::Auto,
            ..Promises::ALL
        }
    }

    fn check(&self) -> Result<()> {
        self.check_values()
    }

    fn needs_all_rows(&self) -> bool {
        true
    }

    fn learn(
        &self,
        points: &dyn Blocks,
        given: Given<'_>,
        watch: &mut dyn Observer,
    ) -> Result<Fit> {
        let points = all_rows(points, Self::NAME, points.dims() + 50)?;
        fit::fit(self, &*points, given, watch)
    }
}
