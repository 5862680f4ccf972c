//! Files for midrib: tables come in, results go out.
//!
//! ```text
//! CSV, TSV (.gz), NPY, NPZ, Parquet  --read-->  Table { points, features, labels }
//! graph, projections  --write-->  model.json, nodes.csv, edges.csv, points.csv, embedding.csv,
//!                                 graph.graphml
//! ```
//!
//! [`read()`] turns a file into [`Table`]; [`match_columns`] brings new data into the columns that
//! a model was learnt from. [`write_directory`] writes a set of files whole or not at all, and
//! [`Model`] is the one of them that can be read back. Nothing here prints: every failure is an
//! [`Error`] that names the file, the place, the value and the remedy.

pub mod error;
pub mod read;
pub mod write;

pub use error::{Error, Result};
pub use read::{
    Format, Header, Labels, Places, ReadOptions, Table, match_columns, read, read_links,
    read_pairs, read_places,
};
pub use write::{
    Input, LatentKeys, Model, NodeColumns, PointRows, check_directory, graphml, write_directory,
    write_edges, write_embedding, write_file, write_graphml, write_json, write_nodes, write_points,
    write_table, write_values,
};
