//! The regularised principal graph. Mao2017, problem (17), Algorithms 1 and 2.
//!
//! With a spanning tree as structure it minimises
//!
//! ```text
//! Σ_{a,b ordered} w_ab ‖yₐ − y_b‖² + γ Σᵢₖ pᵢₖ (‖xᵢ − yₖ‖² + σ log pᵢₖ)
//! ```
//!
//! | paper | here | meaning |
//! |---|---|---|
//! | C | `nodes` | K×D |
//! | W | `edges` | 1 on the edges of the tree |
//! | γ | `data_weight` | weight of the data against the length |
//! | σ | `bandwidth` | p ∝ exp(−‖x − y‖² / σ) |
//!
//! The sum over ordered pairs counts every edge twice, so this is γ times the objective of
//! [`ppt`](super::ppt) with `length_penalty` λ = 2/γ: the same sweeps, another scale.
//!
//! # Departures from the paper
//! Those of [`ppt`](super::ppt).

mod fit;
mod settings;
#[cfg(test)]
mod tests;

pub use settings::{Rpg, Structure};
