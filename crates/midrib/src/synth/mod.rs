//! Data sets with a known skeleton, to try methods on and to measure them by.
//!
//! ```text
//! Shape -> skeleton (a PrincipalGraph) -> clean places, uniform along it -> points with noise
//! ```

mod curves;
mod random;
mod sample;
mod shape;
mod tree;

pub use sample::{Sample, Synth};
pub use shape::{Shape, ShapeName};
