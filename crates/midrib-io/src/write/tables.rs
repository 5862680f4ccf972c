//! The result as CSV tables. Every number reads back as the same number.

use std::borrow::Cow;
use std::fmt::Write as _;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;

use midrib::Points;
use midrib::graph::{PrincipalGraph, Projection};
use midrib::math::Matrix;
use midrib::object::Flats;
use midrib::prepare::Transform;

use super::names;
use super::number::Exact;
use crate::columns::prepared_names;
use crate::error::{Error, Result};
use crate::model::Model;
use crate::read::Labels;

/// Writes a table of text fields.
///
/// ```
/// # let directory = tempfile::tempdir()?;
/// # let path = directory.path().join("t.csv");
/// midrib_io::write_table(&path, &["name", "size"], [["a, b", "1"], ["c", "2"]])?;
/// assert_eq!(std::fs::read_to_string(&path)?, "name,size\n\"a, b\",1\nc,2\n");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn write_table<R, F>(
    path: &Path,
    header: &[impl AsRef<str>],
    rows: impl IntoIterator<Item = R>,
) -> Result<()>
where
    R: IntoIterator<Item = F>,
    F: AsRef<str>,
{
    let mut table = TableWriter::create(path, header)?;
    for row in rows {
        for field in row {
            table.text(field.as_ref())?;
        }
        table.end_row()?;
    }
    table.finish()
}

/// Columns that describe the nodes: one row per node, one named column per value.
///
/// That is the node's own coordinates, or those in the units of the table it was learned from.
#[derive(Clone, Debug, PartialEq)]
pub struct NodeColumns {
    names: Vec<String>,
    values: Matrix,
}

impl NodeColumns {
    /// Columns of these names.
    pub fn new(names: Vec<String>, values: Matrix) -> Result<Self> {
        if names.len() != values.n_cols() {
            return Err(midrib::Error::shape("names", values.n_cols(), names.len()).into());
        }
        Ok(Self { names, values })
    }

    /// The nodes' own coordinates.
    pub fn of(graph: &PrincipalGraph, features: &[String]) -> Result<Self> {
        Self::new(features.to_vec(), graph.nodes().clone())
    }

    /// Where the nodes are in the columns and units of the table that was learned from, called
    /// `features`; behind them their components, where those were learned from. From a kernel there
    /// is no way back: there the prepared columns stand alone.
    pub fn of_table(
        graph: &PrincipalGraph,
        transform: Option<&Transform>,
        features: &[String],
    ) -> Result<Self> {
        let prepared = Self::of(graph, &prepared_names(transform, features))?;
        match transform {
            Some(transform) if transform.kernel.is_none() => {
                let columns = Self::new(features.to_vec(), transform.invert(graph.nodes())?)?;
                if transform.pca.is_some() { columns.and(&prepared) } else { Ok(columns) }
            }
            _ => Ok(prepared),
        }
    }

    /// The columns of the nodes of a model, see [`of_table`](Self::of_table).
    pub fn of_model(model: &Model) -> Result<Self> {
        Self::of_table(model.graph()?, model.input.prepare.as_ref(), &model.input.features)
    }

    /// These columns and then others; names that are taken get a `prepared_` in front.
    pub fn and(mut self, more: &Self) -> Result<Self> {
        let rows = self.values.rows().zip(more.values.rows());
        let joined: Vec<Vec<f64>> = rows.map(|(a, b)| [a, b].concat()).collect();
        let taken: Vec<&str> = self.names.iter().map(String::as_str).collect();
        let names = names::beside(&taken, &more.names, "prepared_");
        self.names.extend(names);
        Self::new(self.names, Matrix::from_rows(&joined)?)
    }

    /// The names, none of them among those that are `taken`.
    pub(super) fn names(&self, taken: &[&str]) -> Vec<String> {
        names::beside(taken, &self.names, "feature_")
    }

    /// The rows, for the nodes of this graph.
    pub(super) fn rows(
        &self,
        graph: &PrincipalGraph,
    ) -> Result<impl ExactSizeIterator<Item = &[f64]>> {
        let n = graph.nodes().n_rows();
        if self.values.n_rows() != n {
            return Err(midrib::Error::shape("rows for nodes", n, self.values.n_rows()).into());
        }
        Ok(self.values.rows())
    }
}

/// Writes `nodes.csv`: node, mass, degree, then the columns of its position.
///
/// ```
/// use midrib::{graph::PrincipalGraph, math::Matrix};
/// # let directory = tempfile::tempdir()?;
/// # let path = directory.path().join("t.csv");
/// let nodes = Matrix::from_rows(&[[0.0], [2.5]])?;
/// let graph = PrincipalGraph::new(nodes, &[(0, 1, 1.0)], vec![3.0, 4.0])?;
/// let columns = midrib_io::NodeColumns::of(&graph, &["depth".into()])?;
/// midrib_io::write_nodes(&path, &graph, &columns)?;
/// let text = std::fs::read_to_string(&path)?;
/// assert_eq!(text, "node,mass,degree,depth\n0,3,1,0\n1,4,1,2.5\n");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn write_nodes(path: &Path, graph: &PrincipalGraph, columns: &NodeColumns) -> Result<()> {
    const FIXED: [&str; 3] = ["node", "mass", "degree"];
    let mut header = FIXED.map(String::from).to_vec();
    header.extend(columns.names(&FIXED));
    let mut table = TableWriter::create(path, &header)?;
    for (node, (position, mass)) in columns.rows(graph)?.zip(graph.mass()).enumerate() {
        table.integer(node)?;
        table.number(*mass)?;
        table.integer(graph.degree(node))?;
        for value in position {
            table.number(*value)?;
        }
        table.end_row()?;
    }
    table.finish()
}

/// Writes `edges.csv`: edge, its ends a and b, weight, length, support where it is known.
///
/// ```
/// use midrib::{graph::PrincipalGraph, math::Matrix};
/// # let directory = tempfile::tempdir()?;
/// # let path = directory.path().join("t.csv");
/// let nodes = Matrix::from_rows(&[[0.0], [2.5]])?;
/// let graph = PrincipalGraph::new(nodes, &[(0, 1, 1.0)], vec![3.0, 4.0])?;
/// midrib_io::write_edges(&path, &graph, None)?;
/// let text = std::fs::read_to_string(&path)?;
/// assert_eq!(text, "edge,a,b,weight,length\n0,0,1,1,2.5\n");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn write_edges(path: &Path, graph: &PrincipalGraph, support: Option<&[f64]>) -> Result<()> {
    let mut header = vec!["edge", "a", "b", "weight", "length"];
    header.extend(support.map(|_| "support"));
    let mut table = TableWriter::create(path, &header)?;
    for (index, edge) in graph.edges().iter().enumerate() {
        table.integer(index)?;
        table.integer(edge.a)?;
        table.integer(edge.b)?;
        table.number(edge.weight)?;
        table.number(edge.length)?;
        if let Some(support) = support {
            table.number(support[index])?;
        }
        table.end_row()?;
    }
    table.finish()
}

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
    let latent_names =
        names::beside(&taken, &latent_names(rows.latent.map_or(0, Matrix::n_cols)), "latent_");
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

/// Writes `axes.csv`: the flat, the number of the axis, the variance along it, then its direction
/// in each feature.
///
/// ```
/// use midrib::{math::Matrix, object::{Flat, Flats}};
/// # let directory = tempfile::tempdir()?;
/// # let path = directory.path().join("axes.csv");
/// let axes = Matrix::from_rows(&[[0.0, 1.0]])?;
/// let flat = Flat { center: vec![0.0; 2], axes, variances: vec![2.5], mass: 1.0 };
/// midrib_io::write_axes(&path, &Flats::new(vec![flat])?, &["x".into(), "y".into()])?;
/// assert_eq!(std::fs::read_to_string(&path)?, "flat,axis,variance,x,y\n0,1,2.5,0,1\n");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn write_axes(path: &Path, flats: &Flats, features: &[String]) -> Result<()> {
    const FIXED: [&str; 3] = ["flat", "axis", "variance"];
    let mut header = FIXED.map(String::from).to_vec();
    header.extend(names::beside(&FIXED, features, "feature_"));
    let mut table = TableWriter::create(path, &header)?;
    for (number, flat) in flats.flats().iter().enumerate() {
        for (axis, (direction, &variance)) in flat.axes.rows().zip(&flat.variances).enumerate() {
            table.integer(number)?;
            table.integer(axis + 1)?;
            table.number(variance)?;
            for &value in direction {
                table.number(value)?;
            }
            table.end_row()?;
        }
    }
    table.finish()
}

/// Writes `embedding.csv`: id, the latent coordinates z1, z2, …, then the labels.
///
/// ```
/// # let directory = tempfile::tempdir()?;
/// # let path = directory.path().join("embedding.csv");
/// use midrib::{Points, math::Matrix};
/// let points = Points::from_f64(vec![0.5, 2.0], 1)?;
/// midrib_io::write_embedding(&path, &points, &Matrix::from_rows(&[[1.0, 0.0], [0.5, 3.0]])?, &[])?;
/// assert_eq!(std::fs::read_to_string(&path)?, "id,z1,z2\n0,1,0\n1,0.5,3\n");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn write_embedding(
    path: &Path,
    points: &Points,
    embedding: &Matrix,
    labels: &[Labels],
) -> Result<()> {
    let mut lengths = vec![("embedding", embedding.n_rows())];
    lengths.extend(labels.iter().map(|label| (label.name.as_str(), label.values.len())));
    for (name, len) in lengths {
        if len != points.len() {
            return Err(midrib::Error::shape(name, points.len(), len).into());
        }
    }
    let mut header = vec!["id".to_owned()];
    header.extend(latent_names(embedding.n_cols()));
    let taken: Vec<&str> = header.iter().map(String::as_str).collect();
    let label_names: Vec<String> = labels.iter().map(|label| label.name.clone()).collect();
    let label_names = names::beside(&taken, &label_names, "label_");
    header.extend(label_names);
    let mut table = TableWriter::create(path, &header)?;
    for (i, z) in embedding.rows().enumerate() {
        match points.ids() {
            Some(ids) => table.text(&ids[i])?,
            None => table.integer(i)?,
        }
        for &z in z {
            table.number(z)?;
        }
        for label in labels {
            table.text(&label.values[i])?;
        }
        table.end_row()?;
    }
    table.finish()
}

fn latent_names(count: usize) -> Vec<String> {
    (1..=count).map(|i| format!("z{i}")).collect()
}

/// A CSV file on its way to the disk.
pub(super) struct TableWriter<'a> {
    path: &'a Path,
    writer: csv::Writer<BufWriter<Box<dyn Write>>>,
    /// Holds one number while it is written.
    text: String,
}

impl<'a> TableWriter<'a> {
    pub(super) fn create(path: &'a Path, header: &[impl AsRef<str>]) -> Result<Self> {
        let sink: Box<dyn Write> = if path.as_os_str() == "-" {
            Box::new(io::stdout())
        } else {
            Box::new(File::create(path).map_err(|error| Error::writing(path, &error))?)
        };
        let mut table = Self {
            path,
            writer: csv::Writer::from_writer(BufWriter::with_capacity(1 << 18, sink)),
            text: String::new(),
        };
        for name in header {
            table.text(name.as_ref())?;
        }
        table.end_row()?;
        Ok(table)
    }

    pub(super) fn text(&mut self, text: &str) -> Result<()> {
        self.writer.write_field(text).map_err(|error| failed(self.path, error))
    }

    pub(super) fn integer(&mut self, number: usize) -> Result<()> {
        self.shown(number)
    }

    /// Writes a number; nothing where it is not finite.
    pub(super) fn number(&mut self, number: f64) -> Result<()> {
        if number.is_finite() { self.shown(Exact(number)) } else { self.text("") }
    }

    fn shown(&mut self, value: impl std::fmt::Display) -> Result<()> {
        self.text.clear();
        // Writing into a string cannot fail.
        let _ = write!(self.text, "{value}");
        self.writer.write_field(&self.text).map_err(|error| failed(self.path, error))
    }

    pub(super) fn end_row(&mut self) -> Result<()> {
        self.writer.write_record(None::<&[u8]>).map_err(|error| failed(self.path, error))
    }

    pub(super) fn finish(mut self) -> Result<()> {
        let failed = |error: io::Error| Error::writing(self.path, &error);
        self.writer.flush().map_err(failed)
    }
}

fn failed(path: &Path, error: csv::Error) -> Error {
    match error.into_kind() {
        csv::ErrorKind::Io(error) => Error::writing(path, &error),
        other => Error::File { path: path.into(), reason: format!("cannot be written: {other:?}") },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read::{ReadOptions, match_columns, read};

    fn graph() -> PrincipalGraph {
        let nodes = Matrix::from_rows(&[[1.0 / 3.0, 1e-300], [0.1, 2.0], [0.1, 4.0]]).unwrap();
        PrincipalGraph::new(nodes, &[(1, 0, 0.5), (1, 2, 1.0)], vec![1.5, 2.0, 0.0]).unwrap()
    }

    #[test]
    fn nodes_read_back_exactly() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("nodes.csv");
        let features = ["a".to_string(), "b".to_string()];
        let columns = NodeColumns::of(&graph(), &features).unwrap();
        write_nodes(&path, &graph(), &columns).unwrap();
        let table = read(&path, &ReadOptions::default()).unwrap();
        assert_eq!(table.features, ["node", "mass", "degree", "a", "b"]);
        let table = match_columns(&path, table, &features).unwrap();
        let mut row = [0.0; 2];
        table.points.copy_row(0, &mut row);
        assert_eq!(row, [1.0 / 3.0, 1e-300]);
    }

    #[test]
    fn edges_have_their_weights_and_lengths() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("edges.csv");
        write_edges(&path, &graph(), None).unwrap();
        let text = std::fs::read_to_string(&path).unwrap();
        assert!(text.starts_with("edge,a,b,weight,length\n0,0,1,0.5,"), "{text}");
        assert!(text.ends_with("1,1,2,1,2\n"), "{text}");
        write_edges(&path, &graph(), Some(&[0.5, 0.75])).unwrap();
        let text = std::fs::read_to_string(&path).unwrap();
        assert!(text.starts_with("edge,a,b,weight,length,support\n"), "{text}");
        assert!(text.ends_with("1,1,2,1,2,0.75\n"), "{text}");
    }

    #[test]
    fn features_and_labels_never_hide_the_fixed_columns() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("nodes.csv");
        let columns = NodeColumns::of(&graph(), &["mass".into(), "b".into()]).unwrap();
        write_nodes(&path, &graph(), &columns).unwrap();
        let text = std::fs::read_to_string(&path).unwrap();
        assert!(text.starts_with("node,mass,degree,feature_mass,b\n"), "{text}");
        let more = NodeColumns::new(vec!["b".into()], Matrix::zeros(3, 1)).unwrap();
        write_nodes(&path, &graph(), &columns.and(&more).unwrap()).unwrap();
        let text = std::fs::read_to_string(&path).unwrap();
        assert!(text.starts_with("node,mass,degree,feature_mass,b,prepared_b\n"), "{text}");
        let wrong = NodeColumns::new(vec!["b".into()], Matrix::zeros(2, 1)).unwrap();
        let message = write_nodes(&path, &graph(), &wrong).unwrap_err().to_string();
        assert_eq!(message, "rows for nodes: expected 3, found 2");
    }

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

    #[test]
    #[cfg(target_os = "linux")]
    fn a_full_disk_is_named() {
        let error = write_table(Path::new("/dev/full"), &["a"], [["1"]]).unwrap_err();
        let message = error.to_string();
        assert!(message.starts_with("/dev/full: cannot be written: No space left"), "{message}");
        assert!(message.contains("free some space"), "{message}");
        assert!(!error.is_bad_data());
    }
}
