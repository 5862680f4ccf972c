//! Edges and sums to nodes: one file per way of holding them.

mod weighted;

pub use weighted::place_weighted;
