//! From nodes to edges, with one file per structure; and from points to edges, for the graphs used
//! in clustering: `knn`, `kernel_knn_l1`, `fused_lasso`, `sparse_l1`.

mod candidates;
mod fused_lasso;
mod grammar;
mod kernel_knn_l1;
mod knn;
mod l1_graph;
mod links;
mod net;
mod point_graph;
mod rebuild_points;
mod registry;
mod similarities;
mod spanning_tree;
mod sparse_l1;

pub use candidates::{Candidates, NeighborRule};
pub use fused_lasso::{FusedLasso, fused_lasso};
pub(crate) use grammar::Proposal;
pub use grammar::{Ceilings, Change, Rule, Topology};
pub use kernel_knn_l1::kernel_knn_l1;
pub use knn::knn;
pub use l1_graph::{L1Edges, L1Graph, MUST_LINK_WEIGHT};
pub use links::Links;
pub use net::{Cell, Net, NetShape};
pub use point_graph::{PointGraph, Rebuilt};
pub use registry::{POINT_GRAPHS, PointGraphEntry, PointGraphKind};
pub use similarities::Similarities;
pub use spanning_tree::{SpanningTree, linked_spanning_tree, spanning_tree};
pub use sparse_l1::sparse_l1;
