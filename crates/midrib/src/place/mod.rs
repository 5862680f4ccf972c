//! From edges and sums to nodes: one file per kind of placement.

mod assigned;
mod elastic;
mod weighted;

pub(crate) use assigned::Assigned;
pub(crate) use elastic::SpringSystem;
pub use elastic::{Springs, Star};
pub use weighted::place_weighted;
