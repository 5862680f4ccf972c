//! Numerical building blocks that know nothing of principal graphs. Words, not letters.

mod matrix;
mod space_tree;

pub use matrix::{Matrix, squared_distance};
pub use space_tree::SpaceTree;
