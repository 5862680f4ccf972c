//! Writing results: a directory of plain files, whole or not at all.

mod directory;
mod dynverse;
mod file;
mod gexf;
mod graph_with_points;
mod graphml;
mod h5ad;
mod json;
mod layout;
mod names;
mod newick;
mod node_link;
mod number;
mod tables;
mod tradeseq;

pub use directory::{
    check_directory, rewrite_directory, update_directory, write_directory, write_directory_of,
};
pub use dynverse::{DYNVERSE, write_dynverse};
pub use file::{write_file, write_text};
pub use gexf::gexf;
pub use graph_with_points::GraphWithPoints;
pub use graphml::{graphml, write_graphml};
pub use h5ad::{CellValues, annotate_h5ad, copy_h5ad, match_cells, write_h5ad};
pub use json::write_json;
pub use layout::{LAYOUT, write_layout};
pub use newick::newick;
pub use node_link::node_link;
pub use tables::{
    NodeColumns, PointRows, write_axes, write_edges, write_embedding, write_nodes, write_points,
    write_table, write_values,
};
pub use tradeseq::{TRADESEQ, write_tradeseq};
