//! How good a result is, where something is known about the points.

mod ari;
mod contingency;
mod nmi;
mod one_nn;
mod purity;

pub use ari::ari;
pub use nmi::{Normalization, nmi};
pub use one_nn::{OneNn, one_nn};
pub use purity::purity;
