//! Writing results: a directory of plain files, whole or not at all.

mod axes;
mod directory;
mod dynverse;
mod edges;
mod embedding;
mod file;
mod gexf;
mod graph_with_points;
mod graphml;
mod h5ad;
mod layout;
mod names;
mod newick;
mod node_columns;
mod node_link;
mod nodes;
mod number;
mod points;
mod table;
mod tradeseq;

pub use axes::write_axes;
pub use directory::{
    check_directory, rewrite_directory, update_directory, write_directory, write_directory_of,
};
pub use dynverse::{DYNVERSE, write_dynverse};
pub use edges::write_edges;
pub use embedding::write_embedding;
pub use file::{write_file, write_text};
pub use gexf::gexf;
pub use graph_with_points::GraphWithPoints;
pub use graphml::{graphml, write_graphml};
pub use h5ad::{CellValues, annotate_h5ad, copy_h5ad, match_cells, write_h5ad};
pub use layout::{LAYOUT, write_layout};
pub use newick::newick;
pub use node_columns::NodeColumns;
pub use node_link::node_link;
pub use nodes::write_nodes;
pub use points::{PointPositions, PointRows, write_points, write_values};
pub use table::write_table;
pub use tradeseq::{TRADESEQ, write_tradeseq};
