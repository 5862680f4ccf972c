//! Structured projection learning: a similarity graph and an embedding. Wang2016, Algorithm 1.
//!
//! Maximizes over similarities s ≥ 0 of neighboring points
//!
//! ```text
//! (d/2) log det Q − Σ_{i,j ordered} s_ij ‖xᵢ − xⱼ‖² − ‖S‖²/(4C) − (γ²/8) Σ_{top d} eig(XᵀQ⁻¹X)
//! ```
//!
//! with `Q = L(S) + (γ+1)/4 I`, L the graph's Laplacian. Expected distances in the embedding are
//! those of the points, up to what C tolerates; the embedding has a unit normal prior, and with
//! γ > 0 the points are noisy images of it under an orthonormal basis B.
//!
//! | paper | here | meaning |
//! |---|---|---|
//! | Y | X, the points | N×D, centered |
//! | S | `edges` | similarities, one per pair of neighbors |
//! | W | `basis` B | top d eigenvectors of XᵀQ⁻¹X |
//! | X | `embedding` | (γ/4) Q⁻¹XB; γ = 0: centered kernel PCA of (4L+I)⁻¹ |
//! | d | `n_components` | latent dimensions |
//! | γ | `noise_weight` | weight of the noisy images |
//! | C | `tolerance_weight` | how strictly distances are kept |
//!
//! The objective is concave: every maximum is global, and the KKT conditions are a certificate.
//! `trace` holds its negative, a cost that falls, and a note reports by how much the conditions are
//! violated at the end. The nodes of the graph are the points themselves.
//!
//! Only entries of Q⁻¹ on the pattern of the neighbors are needed; they come from a sparse factor.
//! Nothing of size N×N is stored, unless the neighbors fill the factor.
//!
//! # Scale
//!
//! The unit prior depends on the scale of the points: at γ = 0 a pair farther apart than √(2d) is
//! never similar unless others bring it closer. `scaling = auto` multiplies the points so that
//! neighbors are much closer than that, reports the factor, and divides the embedding by it.
//! Similarities stay in the scaled units, in which the prior is 1.
//!
//! # New points
//!
//! The embedding is stationary where `e = ((γ/4) Bᵀ(x − center) + Σⱼ sⱼ eⱼ) / (Σⱼ sⱼ + (γ+1)/4)`. A
//! new point gets its coordinates from this rule with the similarities `sⱼ = c / (k ‖x − xⱼ‖²)` to
//! its k nearest points, c the mean of `Σⱼ sᵢⱼ ‖xᵢ − xⱼ‖²` over all points i, so that it is as
//! similar to its neighbors as the others are to theirs. At γ = 0 the prior `(γ+1)/4` is left out:
//! the coordinates are a mean of the neighbors'. A new point equal to a training point gets the
//! coordinates of that point.
//!
//! ```
//! use midrib::learn::{Given, Method, Spl};
//! use midrib::{Points, Silent};
//! let line = |shift: f64| (0..50).map(|i| f64::from(i) + shift).flat_map(|x| [x, -x]).collect::<Vec<_>>();
//! let points = Points::from_f64(line(0.0), 2)?;
//! let fit = Spl::default().fit(&points, Given::default(), &mut Silent)?;
//! let latent = &fit.object.embedding().unwrap().coordinates;
//! let between = fit.object.embed(&Points::from_f64(line(0.5), 2)?)?.unwrap();
//! let (left, right) = (latent.row(20)[0], latent.row(21)[0]);
//! assert!(between.row(20)[0] > left.min(right) && between.row(20)[0] < left.max(right));
//! # Ok::<(), midrib::Error>(())
//! ```
//!
//! # Departures from the paper
//! - The paper's steps of length 1/t get about halfway (`ascent = subgradient`, for comparison).
//!   Projected quasi-Newton steps reach the maximum.
//! - A pair counts if either point is among the nearest of the other; (17), read literally, requires
//!   both (`neighbors = mutual`).
//! - (22) is 0 at γ = 0; the basis there is the orthonormal one that maps the points closest to the
//!   embedding.
//! - A point of weight 0 is not a node; it gets its coordinates like a new point. Other weights are
//!   not supported.

mod embed;
mod fit;
mod notes;
mod objective;
mod plan;
mod settings;
#[cfg(test)]
mod tests;

pub use settings::{Ascent, Scaling, Spl};

use super::given::Given;
use super::method::{Method, Promises};
use super::result::Fit;
use crate::error::Result;
use crate::object::Kind;
use crate::observe::Observer;
use crate::points::{Blocks, all_rows};

impl Method for Spl {
    const NAME: &'static str = "spl";
    const CLASS: &'static str = "SPL";
    const SUMMARY: &'static str =
        "similarity graph of neighboring points, and an embedding in few dimensions";
    const CITATION: &'static str = "Wang2016, Algorithm 1";
    const WEIGHTS: bool = false;
    const START: bool = false;
    const PAIRS: bool = true;
    const EMBEDS: bool = true;

    fn kind(&self) -> Kind {
        Kind::Embedding { with_graph: true }
    }

    fn promises(&self) -> Promises {
        Promises {
            cost_falls: self.ascent == Ascent::QuasiNewton,
            rigid_motions: true,
            scaling: self.scaling == Scaling::Auto,
            // The nodes are the points, in the order of the rows.
            any_row_order: false,
            weights_as_repeats: false,
            tree: false,
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
        let points = all_rows(points, Self::NAME, points.dims() + 100)?;
        fit::fit(self, &points, given, watch)
    }
}
