//! What a fit is given beside points and settings, read from files.

use std::path::{Path, PathBuf};

use midrib::learn::StartGraph;
use midrib::math::Matrix;
use midrib_io::{
    OwnedGiven, ReadOptions, match_columns, read, read_links, read_pairs, read_start_edges,
    start_of_nodes,
};

use crate::columns::rows_of;
use crate::error::{Error, Result};
use crate::prepare::Prepared;

/// The files that hold what a fit is given.
#[derive(Clone, Debug, Default)]
pub struct GivenFiles {
    /// Starting nodes: a table, or a directory of results.
    pub init: Option<PathBuf>,
    /// The edges between them.
    pub init_edges: Option<PathBuf>,
    /// Edges that must or cannot be in the graph.
    pub links: Option<PathBuf>,
    /// The only pairs of points that an edge may join.
    pub pairs: Option<PathBuf>,
}

/// Reads what a fit is given. Methods that take starting edges get those of former results.
pub fn read_given(
    files: &GivenFiles,
    takes_edges: bool,
    features: &[String],
    prepared: &Prepared,
) -> Result<OwnedGiven> {
    let edges = files.init_edges.as_deref();
    let start = match &files.init {
        Some(path) => Some(read_start(path, edges, takes_edges, features, prepared)?),
        None => None,
    };
    let (start, start_graph) = start.unzip();
    let links = match &files.links {
        Some(path) => read_links(path, &prepared.points)?,
        None => Vec::new(),
    };
    let pairs = files.pairs.as_deref().map(|path| read_pairs(path, prepared.points.len()));
    let pairs = pairs.transpose()?;
    Ok(OwnedGiven { start, start_graph: start_graph.flatten(), links, pairs })
}

/// Starting nodes, in the columns of the table or in those that were made of them, with their edges
/// and moduli.
fn read_start(
    path: &Path,
    edges: Option<&Path>,
    takes_edges: bool,
    features: &[String],
    prepared: &Prepared,
) -> Result<(Matrix, Option<StartGraph>)> {
    let is_results = path.is_dir();
    let file = if is_results { path.join("nodes.csv") } else { path.to_owned() };
    let path = file.as_path();
    let of_results = (is_results && takes_edges).then(|| path.with_file_name("edges.csv"));
    let edges = edges.or(of_results.as_deref());
    // Values may be missing in the columns of moduli only, which are found below.
    let mut table = read(path, &ReadOptions { gaps: true, ..ReadOptions::default() })?;
    let wanted = [features, &prepared.features].concat();
    let own = start_of_nodes(path, &table, &wanted)?;
    if table.points.missing_values() > 0 && own.as_ref().is_none_or(|own| own.bending.is_empty()) {
        table = read(path, &ReadOptions::default())?;
    }
    let edges = edges.map(|edges| read_start_edges(edges, table.points.len())).transpose()?;
    let graph = match (own, edges) {
        (Some(own), Some(edges)) => {
            Some(StartGraph { pinned: own.pinned, bending: own.bending, ..edges })
        }
        (own, edges) => own.or(edges),
    };
    let has = |wanted: &[String]| wanted.iter().all(|name| table.features.contains(name));
    let is_prepared = !has(features) && has(&prepared.features);
    let wanted = if is_prepared { &prepared.features } else { features };
    let nodes = match_columns(path, table, wanted)?.points;
    let nodes = match &prepared.transform {
        Some(transform) if !is_prepared => {
            transform.apply(&nodes).map_err(|error| Error::from(error).of_table(path))?
        }
        _ => nodes,
    };
    Ok((rows_of(&nodes), graph))
}
