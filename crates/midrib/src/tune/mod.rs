//! How far a learnt graph can be relied on.

pub mod bootstrap;

pub use bootstrap::{Bootstrap, Counts, Replicas};
