//! Synthetic data with a known skeleton, for trying and comparing methods.
//!
//! ```text
//! Shape -> skeleton (a PrincipalGraph) -> clean points, uniform along it -> points with noise
//! ```

mod curves;
mod random;
mod sample;
mod shape;
mod tree;

pub use sample::{Sample, Synth};
pub use shape::{Shape, ShapeName};
