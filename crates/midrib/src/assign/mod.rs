//! Points to nodes. The only move that reads all points; its sums add up over blocks.

mod bounds;
mod cells;
mod groups;
mod hard;
mod kmeans;
mod observed;
mod products;
mod responsibilities;
mod rows;
mod screen;
mod shares;
mod soft;
mod strips;
mod sums;
mod tile;

pub(crate) use cells::{Cells, Followed, Tally};
pub(crate) use hard::NearestNodes;
pub use hard::{Nearest, hard_sums, nearest_nodes};
pub(crate) use kmeans::{Lloyd, lloyd};
pub(crate) use observed::{ObservedSums, observed_sums};
pub use responsibilities::{Responsibilities, responsibilities};
pub(crate) use rows::Rows;
pub(crate) use shares::Shares;
pub use soft::{Cutoff, soft_sums};
pub use sums::Sums;
