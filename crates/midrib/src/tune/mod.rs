//! How reliable a learned graph is.

pub mod bootstrap;

pub use bootstrap::{Bootstrap, Counts, Replicas};
