//! Edges and sums to nodes: one file per way of holding them.

mod assigned;
mod elastic;
mod weighted;

pub(crate) use assigned::Assigned;
pub(crate) use elastic::{Pins, SMALL, elimination_order};
pub use elastic::{Springs, Star};
pub use weighted::place_weighted;
