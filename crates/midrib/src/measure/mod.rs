//! How good a result is, where something is known about the points.

mod one_nn;

pub use one_nn::{OneNn, one_nn};
