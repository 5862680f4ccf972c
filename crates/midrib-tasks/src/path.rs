//! The shortest path between two locations, and the points along it in order.

use std::path::Path as FilePath;

use midrib::graph::Path;
use midrib_io::{ProjectedPoints, write_file, write_table};

use crate::error::{Error, Result};
use crate::listener::Listener;
use crate::location::Location;
use crate::open::open_results;
use crate::summary::summarize;

/// A path to look for.
#[derive(Clone, Copy, Debug)]
pub struct PathRequest<'a> {
    /// The results: the directory or its `model.json`.
    pub results: &'a FilePath,
    /// Where the path begins and ends; the longest path if none.
    pub ends: Option<(&'a Location, &'a Location)>,
}

/// A path with its points.
#[derive(Clone, Debug)]
pub struct PathResult {
    /// The path.
    pub path: Path,
    /// The points along it, in order: their rows and their positions on it.
    pub along: Vec<(usize, f64)>,
    /// All points of the results.
    pub points: ProjectedPoints,
}

/// Finds a path in results.
pub fn path(request: &PathRequest<'_>, listener: &mut dyn Listener) -> Result<PathResult> {
    let results = open_results(request.results)?;
    if let Some(hint) = summarize(&results.model)?.hint(request.results) {
        listener.note(&hint);
    }
    results.model.require_lines("midrib path")?;
    let graph = results.model.graph()?;
    let path = match request.ends {
        Some((from, to)) => {
            let mut node = |location: &Location, setting| {
                Ok::<_, Error>(results.nodes(std::slice::from_ref(location), setting, listener)?[0])
            };
            let (from, to) = (node(from, "from")?, node(to, "to")?);
            let setting = listener.wording().setting;
            let named = format!("{}, {}", setting("from"), setting("to"));
            if from == to {
                listener.note(&format!("{named}: both are node {from}, so the path has no length"));
            }
            graph.path(from, to)?.ok_or_else(|| {
                let of_node = graph.components().of_node;
                Error::usage(format!(
                    "{named}: node {from} is in component {}, node {to} in component {}: no path \
                     leads from one to the other",
                    of_node[from], of_node[to]
                ))
            })?
        }
        None => graph.longest_path()?.ok_or_else(|| Error::data("the graph has no nodes"))?,
    };
    let along = graph.points_along(&path, results.points.onto_graph()?)?;
    let along = along.iter().map(|point| (point.point, point.position)).collect();
    Ok(PathResult { path, along, points: results.points })
}

/// Writes the points along a path: id, position, distance, labels; `-` is stdout.
pub fn write_path(found: &PathResult, output: &FilePath, force: bool) -> Result<()> {
    let ProjectedPoints { ids, labels, .. } = &found.points;
    let projection = found.points.onto_graph()?;
    let mut header = vec!["id", "position", "distance"];
    header.extend(labels.iter().map(|labels| labels.name.as_str()));
    let rows = found.along.iter().map(|&(point, position)| {
        let mut row = vec![ids[point].clone()];
        row.extend([position, projection.distance[point]].map(|x| x.to_string()));
        row.extend(labels.iter().map(|labels| labels.values[point].clone()));
        row
    });
    Ok(write_file(output, force, |path| write_table(path, &header, rows))?)
}
