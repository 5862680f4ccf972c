//! Files for midrib: tables come in, results go out.
//!
//! ```text
//! CSV, TSV (.gz), NPY, NPZ, Parquet, h5ad  --read-->  Table { points, features, labels }
//! graph, projections  --write-->  model.json, nodes.csv, edges.csv, points.csv, embedding.csv,
//!                                 graph.graphml
//! graph, points.csv   --write-->  GEXF, node-link JSON, Newick, dynverse, tradeSeq, layout, h5ad
//! ```
//!
//! [`read()`] turns a file into [`Table`]; [`match_columns`] brings new data into the columns that
//! a model was learned from. [`write_directory`] writes a set of files whole or not at all, and
//! [`Model`] is the one of them that can be read back. Nothing here prints: every failure is an
//! [`Error`] that names the file, the row and column, the value and the remedy.

mod columns;
pub mod error;
mod json;
pub mod model;
pub mod read;
pub mod write;

pub use columns::prepared_names;
pub use error::{Error, Result};
pub use json::write_json;
pub use model::{Edit, Input, Model, More, Origin, OwnedGiven, Reading, Run, Support};
pub use read::{
    DistanceTable, Features, Format, Header, Labels, MappedNpy, ProjectedPoints, ReadOptions,
    Representation, Table, Truth, h5ad_ids, match_columns, read, read_again, read_distances,
    read_dynverse, read_features, read_links, read_pairs, read_projected_points, read_start_edges,
    start_of_nodes, table_file,
};
pub use write::{
    CellValues, DYNVERSE, GraphWithPoints, LAYOUT, NodeColumns, PointPositions, PointRows,
    TRADESEQ, annotate_h5ad, check_directory, copy_h5ad, gexf, graphml, match_cells, newick,
    node_link, rewrite_directory, update_directory, write_axes, write_directory,
    write_directory_of, write_dynverse, write_edges, write_embedding, write_file, write_graphml,
    write_h5ad, write_layout, write_nodes, write_points, write_table, write_text, write_tradeseq,
    write_values,
};
