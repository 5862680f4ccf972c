//! A graph with its roots.

use midrib::graph::Rooted;
use midrib_io::Model;

use crate::error::Result;

/// The graph with the roots of the model; refused where it has none.
pub fn rooted_graph(model: &Model) -> Result<Rooted<'_>> {
    Ok(model.graph()?.root(&model.root)?)
}
