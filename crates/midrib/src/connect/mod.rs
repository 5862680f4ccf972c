//! Nodes to edges: one file per structure.

mod candidates;
mod grammar;
mod l1_graph;
mod links;
mod spanning_tree;

pub(crate) use candidates::neighbors;
pub use candidates::{Candidates, NeighborRule};
pub(crate) use grammar::Proposal;
pub use grammar::{Ceilings, Change, Rule, Topology};
pub use l1_graph::{L1Edges, L1Graph, MUST_LINK_WEIGHT};
pub use links::Links;
pub use spanning_tree::{SpanningTree, linked_spanning_tree, spanning_tree};
