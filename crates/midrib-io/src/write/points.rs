//! `points.csv`, and tables of the points themselves.

use std::borrow::Cow;
use std::path::Path;

use midrib::Points;
use midrib::graph::{PrincipalGraph, Projection};
use midrib::math::Matrix;

use super::names;
use super::table::TableWriter;
use crate::error::Result;
use crate::read::Labels;

/// Writes the points themselves, one column per feature; `-` is stdout.
///
/// ```
/// # let directory = tempfile::tempdir()?;
/// # let path = directory.path().join("t.csv");
/// let points = midrib::Points::from_f64(vec![0.5, 1.0], 2)?;
/// midrib_io::write_values(&path, &points, &["x0".into(), "x1".into()])?;
/// assert_eq!(std::fs::read_to_string(&path)?, "x0,x1\n0.5,1\n");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn write_values(path: &Path, points: &Points, features: &[String]) -> Result<()> {
    let mut table = TableWriter::create(path, features)?;
    let mut row = vec![0.0; points.dims()];
    for i in 0..points.len() {
        points.copy_row(i, &mut row);
        for &value in &row {
            table.number(value)?;
        }
        table.end_row()?;
    }
    table.finish()
}

/// What `points.csv` says about each point beside its id and labels.
#[derive(Clone, Debug, Default)]
pub struct PointRows<'a> {
    /// Where each point is on the object; none where there is nothing to project onto.
    pub position: Option<PointPositions<'a>>,
    /// How far the projection is from a root along the graph, where there is one; NaN where no
    /// root reaches.
    pub pseudotime: Option<&'a [f64]>,
    /// How much that varies between replicas, where they were learned; NaN where it is not known.
    pub pseudotime_sd: Option<&'a [f64]>,
    /// Its latent coordinates, where the method learns such.
    pub latent: Option<&'a Matrix>,
}

/// Where points are on an object.
#[derive(Clone, Debug)]
pub struct PointPositions<'a> {
    /// Nearest node, edge, position on it, and distance.
    pub projection: &'a Projection,
    /// The branch on which the projection lies.
    pub branch: Cow<'a, [usize]>,
    /// The connected component on which it lies.
    pub component: Cow<'a, [usize]>,
}

impl<'a> PointRows<'a> {
    /// The projection onto a graph; without a graph each node is its own branch and component.
    pub fn of(graph: Option<&PrincipalGraph>, projection: Option<&'a Projection>) -> Self {
        let position = projection.map(|projection| {
            let node = Cow::Borrowed(&projection.node[..]);
            let branch =
                graph.map_or_else(|| node.clone(), |graph| projection.branch(graph).into());
            let component = graph.map_or(node, |graph| projection.component(graph).into());
            PointPositions { projection, branch, component }
        });
        Self { position, ..Self::default() }
    }
}

/// Writes `points.csv`, one row for each of `n` points: id; node, edge, edge_pos, distance, branch
/// and component where points are projected onto the object; pseudotime and its standard deviation
/// if there are such, then the labels, then the latent coordinates z1, z2, … if there are any. Points
/// without ids go by their row, counted from 0. A value that is unknown is left empty; `-` is stdout.
///
/// ```
/// # let directory = tempfile::tempdir()?;
/// # let path = directory.path().join("points.csv");
/// use midrib::{Points, graph::PrincipalGraph, math::Matrix};
/// use midrib_io::{PointRows, write_points};
/// let nodes = Matrix::from_rows(&[[0.0], [2.0]])?;
/// let graph = PrincipalGraph::new(nodes, &[(0, 1, 1.0)], vec![1.0, 0.0])?;
/// let points = Points::from_f64(vec![0.5], 1)?;
/// let projection = graph.project(&points)?;
/// write_points(&path, points.ids(), 1, &PointRows::of(Some(&graph), Some(&projection)), &[])?;
/// let text = std::fs::read_to_string(&path)?;
/// assert_eq!(text, "id,node,edge,edge_pos,distance,branch,component\n0,0,0,0.25,0,0,0\n");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn write_points(
    path: &Path,
    ids: Option<&[String]>,
    n: usize,
    rows: &PointRows<'_>,
    labels: &[Labels],
) -> Result<()> {
    const POSITION: [&str; 6] = ["node", "edge", "edge_pos", "distance", "branch", "component"];
    let times = [("pseudotime", rows.pseudotime), ("pseudotime_sd", rows.pseudotime_sd)];
    check_lengths(n, ids, rows, &times, labels)?;
    let label_names: Vec<String> = labels.iter().map(|label| label.name.clone()).collect();
    let mut header = vec!["id".to_owned()];
    header.extend(rows.position.iter().flat_map(|_| POSITION.map(String::from)));
    header.extend(times.iter().filter(|(_, time)| time.is_some()).map(|(name, _)| (*name).into()));
    let taken: Vec<&str> = header.iter().map(String::as_str).collect();
    let label_names = names::beside(&taken, &label_names, "label_");
    header.extend(label_names);
    let taken: Vec<&str> = header.iter().map(String::as_str).collect();
    let latent_names = names::beside(
        &taken,
        &names::latent_names(rows.latent.map_or(0, Matrix::n_cols)),
        "latent_",
    );
    header.extend(latent_names);
    let mut table = TableWriter::create(path, &header)?;
    for i in 0..n {
        match ids {
            Some(ids) => table.text(&ids[i])?,
            None => table.integer(i)?,
        }
        if let Some(PointPositions { projection, branch, component }) = &rows.position {
            table.integer(projection.node[i])?;
            match projection.edge[i] {
                Some(edge) => table.integer(edge)?,
                None => table.text("")?,
            }
            table.number(projection.edge_pos[i])?;
            table.number(projection.distance[i])?;
            table.integer(branch[i])?;
            table.integer(component[i])?;
        }
        for time in times.iter().filter_map(|(_, time)| *time) {
            table.number(time[i])?;
        }
        for label in labels {
            table.text(&label.values[i])?;
        }
        for &z in rows.latent.map_or(&[][..], |latent| latent.row(i)) {
            table.number(z)?;
        }
        table.end_row()?;
    }
    table.finish()
}

/// Refuses columns of another length than the number of points.
fn check_lengths(
    n: usize,
    ids: Option<&[String]>,
    rows: &PointRows<'_>,
    times: &[(&str, Option<&[f64]>)],
    labels: &[Labels],
) -> Result<()> {
    let ids = ids.map(|ids| ("id", ids.len()));
    let position =
        rows.position.iter().flat_map(|PointPositions { projection, branch, component }| {
            [
                ("node", projection.node.len()),
                ("edge", projection.edge.len()),
                ("edge_pos", projection.edge_pos.len()),
                ("distance", projection.distance.len()),
                ("branch", branch.len()),
                ("component", component.len()),
            ]
        });
    let latent = rows.latent.map(|latent| ("latent coordinates", latent.n_rows()));
    let times = times.iter().filter_map(|(name, time)| Some((*name, time.as_ref()?.len())));
    let labels = labels.iter().map(|label| (label.name.as_str(), label.values.len()));
    let mut all = ids.into_iter().chain(position).chain(latent).chain(times).chain(labels);
    match all.find(|(_, len)| *len != n) {
        Some((name, len)) => Err(midrib::Error::shape(name, n, len).into()),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_without_an_edge_leave_it_empty() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("points.csv");
        let projection = Projection {
            node: vec![0],
            edge: vec![None],
            edge_pos: vec![f64::NAN],
            distance: vec![0.5],
        };
        let rows = PointRows {
            pseudotime: Some(&[0.25]),
            pseudotime_sd: Some(&[f64::NAN]),
            ..PointRows::of(None, Some(&projection))
        };
        let labels = [Labels { name: "node".into(), values: vec!["x".into()] }];
        let ids = ["cell, one".to_owned()];
        write_points(&path, Some(&ids), 1, &rows, &labels).unwrap();
        let text = std::fs::read_to_string(&path).unwrap();
        let expected = ",pseudotime,pseudotime_sd,label_node\n\"cell, one\",0,,,0.5,0,0,0.25,,x\n";
        assert!(text.contains(expected), "{text}");
        let message = write_points(&path, None, 2, &rows, &[]).unwrap_err().to_string();
        assert_eq!(message, "node: expected 2, found 1");
    }

    #[test]
    fn points_of_an_embedding_have_no_position() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("points.csv");
        let latent = Matrix::from_rows(&[[0.5], [1.5]]).unwrap();
        let rows = PointRows { latent: Some(&latent), ..PointRows::of(None, None) };
        write_points(&path, None, 2, &rows, &[]).unwrap();
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "id,z1\n0,0.5\n1,1.5\n");
    }
}
