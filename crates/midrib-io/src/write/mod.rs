//! Writing results: a directory of plain files, whole or not at all.

mod directory;
mod file;
mod graphml;
mod json;
mod latent;
mod model;
mod names;
mod number;
mod tables;

pub use directory::{check_directory, write_directory};
pub use file::write_file;
pub use graphml::{graphml, write_graphml};
pub use json::write_json;
pub use latent::LatentKeys;
pub use model::{Input, Model};
pub use tables::{
    NodeColumns, PointRows, write_edges, write_embedding, write_nodes, write_points, write_table,
    write_values,
};
