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

/// Where each point lies on the graph: one entry per point in each column.
#[derive(Clone, Debug)]
pub struct PointRows<'a> {
    /// The nearest node.
    pub node: &'a [usize],
    /// The edge on which the point's projection lies; none in a graph without edges.
    pub edge: &'a [Option<usize>],
    /// The position on that edge, from 0 at its end `a` to 1 at its end `b`.
    pub edge_pos: &'a [f64],
    /// The distance of the point from its projection.
    pub distance: &'a [f64],
    /// The branch on which the projection lies.
    pub branch: Cow<'a, [usize]>,
    /// The connected component on which it lies.
    pub component: Cow<'a, [usize]>,
    /// How far the projection is from a root along the graph, where there is one; NaN where no
    /// root reaches.
    pub pseudotime: Option<&'a [f64]>,
    /// How much that varies between replicas, where they were learned; NaN where it is not known.
    pub pseudotime_sd: Option<&'a [f64]>,
    /// Its latent coordinates, where the method learns such.
    pub latent: Option<&'a Matrix>,
}

impl<'a> PointRows<'a> {
    /// The projection onto a graph; without a graph each node is its own branch and component.
    pub fn of(graph: Option<&PrincipalGraph>, projection: &'a Projection) -> Self {
        let node = Cow::Borrowed(&projection.node[..]);
        Self {
            node: &projection.node,
            edge: &projection.edge,
            edge_pos: &projection.edge_pos,
            distance: &projection.distance,
            branch: graph.map_or_else(|| node.clone(), |graph| projection.branch(graph).into()),
            component: graph
                .map_or_else(|| node.clone(), |graph| projection.component(graph).into()),
            pseudotime: None,
            pseudotime_sd: None,
            latent: None,
        }
    }
}

/// Writes `points.csv`: id, node, edge, edge_pos, distance, branch, component, pseudotime and its
/// standard deviation if there are such, then the labels, then the latent coordinates z1, z2, … if there are any. Points without
/// ids go by their row, counted from 0. A value that is unknown is left empty; `-` is stdout.
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
/// write_points(&path, points.ids(), &PointRows::of(Some(&graph), &projection), &[])?;
/// let text = std::fs::read_to_string(&path)?;
/// assert_eq!(text, "id,node,edge,edge_pos,distance,branch,component\n0,0,0,0.25,0,0,0\n");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn write_points(
    path: &Path,
    ids: Option<&[String]>,
    rows: &PointRows<'_>,
    labels: &[Labels],
) -> Result<()> {
    const FIXED: [&str; 7] = ["id", "node", "edge", "edge_pos", "distance", "branch", "component"];
    let n = ids.map_or(rows.node.len(), <[String]>::len);
    let label_names: Vec<String> = labels.iter().map(|label| label.name.clone()).collect();
    let mut header = FIXED.map(String::from).to_vec();
    let times = [("pseudotime", rows.pseudotime), ("pseudotime_sd", rows.pseudotime_sd)];
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
    for (name, len) in [
        ("node", rows.node.len()),
        ("edge", rows.edge.len()),
        ("edge_pos", rows.edge_pos.len()),
        ("distance", rows.distance.len()),
        ("branch", rows.branch.len()),
        ("component", rows.component.len()),
        ("latent coordinates", rows.latent.map_or(n, Matrix::n_rows)),
    ]
    .into_iter()
    .chain(times.map(|(name, time)| (name, time.map_or(n, <[f64]>::len))))
    .chain(labels.iter().map(|label| (label.name.as_str(), label.values.len())))
    {
        if len != n {
            return Err(midrib::Error::shape(name, n, len).into());
        }
    }

    let mut table = TableWriter::create(path, &header)?;
    for i in 0..n {
        match ids {
            Some(ids) => table.text(&ids[i])?,
            None => table.integer(i)?,
        }
        table.integer(rows.node[i])?;
        match rows.edge[i] {
            Some(edge) => table.integer(edge)?,
            None => table.text("")?,
        }
        table.number(rows.edge_pos[i])?;
        table.number(rows.distance[i])?;
        table.integer(rows.branch[i])?;
        table.integer(rows.component[i])?;
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_without_an_edge_leave_it_empty() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("points.csv");
        let rows = PointRows {
            node: &[0],
            edge: &[None],
            edge_pos: &[f64::NAN],
            distance: &[0.5],
            branch: vec![0].into(),
            component: vec![0].into(),
            pseudotime: Some(&[0.25]),
            pseudotime_sd: Some(&[f64::NAN]),
            latent: None,
        };
        let labels = [Labels { name: "node".into(), values: vec!["x".into()] }];
        let ids = ["cell, one".to_owned()];
        write_points(&path, Some(&ids), &rows, &labels).unwrap();
        let text = std::fs::read_to_string(&path).unwrap();
        let expected = ",pseudotime,pseudotime_sd,label_node\n\"cell, one\",0,,,0.5,0,0,0.25,,x\n";
        assert!(text.contains(expected), "{text}");
        let short = PointRows { node: &[], ..rows };
        let message = write_points(&path, Some(&ids), &short, &[]).unwrap_err().to_string();
        assert_eq!(message, "node: expected 1, found 0");
    }
}
