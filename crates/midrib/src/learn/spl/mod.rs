//! Structured projection learning: a similarity graph and an embedding. Wang2016, Algorithm 1.
//!
//! It maximises over similarities s ≥ 0 of neighbouring points
//!
//! ```text
//! (d/2) log det Q − Σ_{i,j ordered} s_ij ‖xᵢ − xⱼ‖² − ‖S‖²/(4C) − (γ²/8) Σ_{top d} eig(XᵀQ⁻¹X)
//! ```
//!
//! with `Q = L(S) + (γ+1)/4 I`, L the graph's Laplacian. Distances in the embedding are expected
//! to be those of the points, up to what C tolerates; the embedding has a unit normal prior, and
//! with γ > 0 the points are noisy images of it under an orthonormal basis B.
//!
//! | paper | here | meaning |
//! |---|---|---|
//! | Y | X, the points | N×D, centred |
//! | S | `edges` | similarities, one for each pair of neighbours |
//! | W | `basis` B | top d eigenvectors of XᵀQ⁻¹X |
//! | X | `embedding` | (γ/4) Q⁻¹XB; γ = 0: centred kernel PCA of (4L+I)⁻¹ |
//! | d | `n_components` | latent dimensions |
//! | γ | `noise_weight` | weight of the noisy images |
//! | C | `tolerance_weight` | how strictly distances are kept |
//!
//! The objective is concave: its maximum is the only one, and the conditions for it (KKT) are a
//! certificate. `trace` holds its negative, a cost that falls, and a note tells by how much the
//! conditions are violated at the end. The nodes of the graph are the points themselves.
//!
//! Only entries of Q⁻¹ on the pattern of the neighbours are needed; they come from a sparse factor.
//! Nothing of the size N×N is held, unless the neighbours fill the factor.
//!
//! # Scale
//!
//! The unit prior knows the scale of the points: at γ = 0 a pair farther apart than √(2d) is never
//! similar unless others bring it nearer. `scaling = auto` multiplies the points such that
//! neighbours are far nearer than that, says by which factor, and divides the embedding by it.
//! Similarities stay in the scaled units, in which the prior is 1.
//!
//! # New points
//!
//! The embedding is stationary where `e = ((γ/4) Bᵀ(x − center) + Σⱼ sⱼ eⱼ) / (Σⱼ sⱼ + (γ+1)/4)`. A
//! new point is placed by this rule with the similarities `sⱼ = c / (k ‖x − xⱼ‖²)` to its k nearest
//! points, c the mean of `Σⱼ sᵢⱼ ‖xᵢ − xⱼ‖²` over all points i, so that it is as similar to its
//! neighbours as the others are to theirs. At γ = 0 the prior `(γ+1)/4` is left out: the place is a
//! mean of its neighbours'. A new point equal to a learnt one gets that one's place.
//!
//! ```
//! use midrib::learn::{Given, Method, Spl};
//! use midrib::{Points, Silent};
//! let line = |shift: f64| (0..50).map(|i| f64::from(i) + shift).flat_map(|x| [x, -x]).collect();
//! let points = Points::from_f64(line(0.0), 2)?;
//! let fitted = Spl::default().fit(&points, Given::default(), &mut Silent)?;
//! let latent = fitted.latent.ok_or(midrib::Error::data("no embedding"))?;
//! let between: Vec<f64> = line(0.5);
//! let placed = Spl::default().transform(&fitted.graph, &latent, &Points::from_f64(between, 2)?)?;
//! let (left, right) = (latent.embedding.row(20)[0], latent.embedding.row(21)[0]);
//! assert!(placed.row(20)[0] > left.min(right) && placed.row(20)[0] < left.max(right));
//! # Ok::<(), midrib::Error>(())
//! ```
//!
//! # Departures from the paper
//! - The paper's steps of length 1/t get half way (`ascent = subgradient`, for comparison). Here
//!   projected quasi-Newton steps reach the maximum.
//! - A pair counts if either point is among the nearest of the other; (17), read literally, asks for
//!   both (`neighbors = mutual`).
//! - (22) is 0 at γ = 0; the basis there is the orthonormal one that turns the points nearest to
//!   the embedding.
//! - A point of weight 0 is no node; it is placed like a new one. There are no other weights.

mod embed;
mod fit;
mod objective;
mod settings;
#[cfg(test)]
mod tests;
mod transform;

pub use settings::{Ascent, Scaling, Spl};
