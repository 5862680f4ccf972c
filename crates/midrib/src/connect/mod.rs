//! Nodes to edges: one file per structure.

mod spanning_tree;

pub use spanning_tree::{SpanningTree, spanning_tree};
