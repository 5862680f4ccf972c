//! The regularised principal graph. Mao2017, problem (17), Algorithms 1 and 2.
//!
//! It minimises
//!
//! ```text
//! Σ_{a,b ordered} w_ab ‖yₐ − y_b‖² + γ Σᵢₖ pᵢₖ (‖xᵢ − yₖ‖² + σ log pᵢₖ) [+ λ Σₐ ‖zₐ − Σ_b w_ab z_b‖₁]
//! ```
//!
//! over spanning trees, w_ab = 1 on the edges, or for an l1 graph, with the last term, over
//! weights w ≥ 0 on candidate pairs. The dictionary z are the starting nodes: the points
//! themselves (Algorithm 1) or k-means centers (Algorithm 2).
//!
//! | paper | here | meaning |
//! |---|---|---|
//! | C | `nodes` | K×D |
//! | W | `edges` | 1 on the edges of the tree, weights of the l1 graph |
//! | λ | `reconstruction_weight` | weight of the error of rebuilding, l1 only |
//! | γ | `data_weight` | weight of the data against the length |
//! | σ | `bandwidth` | p ∝ exp(−‖x − y‖² / σ) |
//!
//! The sum over ordered pairs counts every edge twice, so the tree's is γ times the objective of
//! [`ppt`](super::ppt) with `length_penalty` λ = 2/γ: the same sweeps, another scale.
//!
//! The weights of the l1 graph need not be unique, and the graph is full of short cycles:
//! compare values, and read it simplified. Nodes that no candidate pair joins are components of
//! their own; a component without points stays where it is.
//!
//! # Departures from the paper
//! - Those of [`ppt`](super::ppt).
//! - Eq. (19) rebuilds the moving nodes; then placing them may raise the objective. Here, as in
//!   (17), (23), (24), the dictionary is fixed, and the objective falls at every half step.
//! - The last term knows the origin: a chain of nodes on a ray from it falls into pairs, each a
//!   multiple of the other. With `rebuild = affine` the dictionary has one more coordinate, the
//!   same for all nodes, about as large as the cloud, and is centred: weights then add up to about
//!   1, and shifting the points changes nothing.
//! - Tips are rebuilt best with nodes ahead of them, be they of another curve behind a void. Where
//!   nodes are fewer than points, pairs that are joined across a void are no candidates any more, and
//!   the graph is learnt again, up to six times, unless `voids` = `cross`. An edge leads across a void
//!   if it is three times as long as the median edge of the skeleton, ends at no tip, and has in its
//!   middle half less than a fifth of the points that the edges around let expect.
//! - Eq. (23) read literally keeps mutual neighbours only; the default is the union.

mod bridges;
mod fit;
mod l1;
mod settings;
#[cfg(test)]
mod tests;

pub use settings::{Rebuild, Rpg, Structure, VoidRule};
