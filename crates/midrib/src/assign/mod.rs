//! Points to nodes. The only move that touches all points; its sums add up over blocks.

mod groups;
mod soft;
mod sums;
mod tiles;

pub use soft::{Cutoff, soft_sums};
pub use sums::Sums;
