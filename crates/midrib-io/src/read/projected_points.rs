//! `points.csv` among results: the projections of the points onto the graph.

use std::fs::File;
use std::path::{Path, PathBuf};

use csv::{ByteRecord, Reader};
use midrib::graph::Projection;
use midrib::object::Object;

use super::Labels;
use crate::error::{CellPosition, Error, Result};
use crate::model::Model;

/// The projections of points, read back from `points.csv`.
#[derive(Clone, Debug, PartialEq)]
pub struct ProjectedPoints {
    /// The points' names.
    pub ids: Vec<String>,
    /// Their projections onto the object; none where there is nothing to project onto.
    pub projection: Option<Projection>,
    /// How much their pseudotime varies between replicas, where it is known; NaN where unknown.
    pub pseudotime_sd: Option<Vec<f64>>,
    /// The columns that describe them.
    pub labels: Vec<Labels>,
}

impl ProjectedPoints {
    /// Their projections onto nodes and edges; refused where there are none.
    pub fn onto_graph(&self) -> Result<&Projection> {
        self.projection.as_ref().ok_or_else(|| {
            midrib::Error::data("these points are not projected onto anything: there is no graph")
                .into()
        })
    }
}

/// The column that is always needed.
const ID: &str = "id";
/// The columns that are needed where points are projected onto the object.
const POSITION: [&str; 4] = ["node", "edge", "edge_pos", "distance"];
/// Columns that follow from the graph.
const DERIVED: [&str; 4] = ["branch", "component", "pseudotime", SPREAD];
/// A column that only resampling gives.
const SPREAD: &str = "pseudotime_sd";

/// Reads the `points.csv` that lies beside a model: `path` is the directory of results or its
/// `model.json`. Every projection is checked against the model's graph.
///
/// ```no_run
/// # fn main() -> midrib_io::Result<()> {
/// let model = midrib_io::Model::read("cells.midrib".as_ref())?;
/// let points = midrib_io::read_projected_points("cells.midrib".as_ref(), &model)?;
/// let time = model.graph()?.root(&[0])?.pseudotime(points.onto_graph()?)?;
/// println!("{} is at {}", points.ids[0], time[0]);
/// # Ok(())
/// # }
/// ```
pub fn read_projected_points(path: &Path, model: &Model) -> Result<ProjectedPoints> {
    let path = &points_file(path);
    let file = File::open(path).map_err(|error| match error.kind() {
        std::io::ErrorKind::NotFound => Error::data(
            path,
            "there is no such file: the results hold no projected points; learn the graph again, \
             or give its table to `midrib simplify --points`",
        ),
        _ => Error::reading(path, &error),
    })?;
    let reader = csv::ReaderBuilder::new()
        .has_headers(false)
        .flexible(true)
        .buffer_capacity(1 << 18)
        .from_reader(file);
    Rows::new(path, reader, model)?.read()
}

fn points_file(path: &Path) -> PathBuf {
    let directory = if path.is_dir() { Some(path) } else { path.parent() };
    directory.unwrap_or(Path::new("")).join("points.csv")
}

/// The rows on their way into columns.
struct Rows<'a> {
    path: &'a Path,
    reader: Reader<File>,
    /// The position of the ids.
    id: usize,
    /// The positions of the columns of a projection, if the points have one.
    position: Option<[usize; POSITION.len()]>,
    /// The position of the spread of pseudotime, if there is one.
    spread: Option<usize>,
    /// The positions and names of the labels.
    labels: Vec<(usize, String)>,
    n_columns: usize,
    n_edges: usize,
    /// For each node whether it has an edge.
    joined: Vec<bool>,
    /// As many rows as the model says.
    n_rows: usize,
    row: usize,
}

impl<'a> Rows<'a> {
    fn new(path: &'a Path, mut reader: Reader<File>, model: &Model) -> Result<Self> {
        let mut header = ByteRecord::new();
        if !reader.read_byte_record(&mut header).map_err(|error| unreadable(path, error))? {
            return Err(Error::data(path, "is empty; learn the graph again"));
        }
        let names: Vec<String> =
            header.iter().map(|name| String::from_utf8_lossy(name).into_owned()).collect();
        let column = |name: &str| {
            names.iter().position(|other| other == name).ok_or_else(|| {
                let reason = format!(
                    "has no column {name}, so it is not the points.csv of a midrib result; learn \
                     the graph again"
                );
                Error::data(path, reason)
            })
        };
        let is_projected = !matches!(&model.object,
            Object::Embedding(object) if object.graph.is_none());
        let position = match is_projected {
            true => {
                let [node, edge, edge_pos, distance] = POSITION.map(column);
                Some([node?, edge?, edge_pos?, distance?])
            }
            false => None,
        };
        let is_label = |name: &str| {
            let of_position = POSITION.contains(&name) || DERIVED.contains(&name);
            name != ID && !(is_projected && of_position)
        };
        let labels = names.iter().cloned().enumerate().filter(|(_, name)| is_label(name)).collect();
        // The nodes of flats are the flats themselves.
        let flats = match &model.object {
            Object::Flats(flats) => flats.flats().len(),
            _ => 0,
        };
        let graph = model.object.graph();
        let joined = match graph {
            Some(graph) => (0..graph.nodes().n_rows()).map(|node| graph.degree(node) > 0).collect(),
            None => vec![false; flats],
        };
        Ok(Self {
            path,
            reader,
            id: column(ID)?,
            position,
            spread: names.iter().position(|name| name == SPREAD),
            labels,
            n_columns: names.len(),
            n_edges: graph.map_or(0, |graph| graph.edges().len()),
            joined,
            n_rows: model.input.rows,
            row: 0,
        })
    }

    fn read(mut self) -> Result<ProjectedPoints> {
        let n = self.n_rows;
        // The model may claim any number of rows.
        let capacity = n.min(1 << 24);
        let mut projection = self.position.map(|columns| {
            let projection = Projection {
                node: Vec::with_capacity(capacity),
                edge: Vec::with_capacity(capacity),
                edge_pos: Vec::with_capacity(capacity),
                distance: Vec::with_capacity(capacity),
            };
            (columns, projection)
        });
        let mut ids = Vec::with_capacity(capacity);
        let mut spread = self.spread.map(|column| (column, Vec::with_capacity(capacity)));
        let mut labels: Vec<Labels> = self
            .labels
            .iter()
            .map(|(_, name)| Labels { name: name.clone(), values: Vec::with_capacity(capacity) })
            .collect();
        let mut record = ByteRecord::new();
        while self.next(&mut record)? {
            ids.push(self.text(&record[self.id], ID)?.to_owned());
            if let Some((columns, projection)) = &mut projection {
                self.read_position(columns.map(|column| &record[column]), projection)?;
            }
            if let Some((column, values)) = &mut spread {
                values.push(self.number(&record[*column], SPREAD)?);
            }
            for ((column, name), labels) in self.labels.iter().zip(&mut labels) {
                labels.values.push(self.text(&record[*column], name)?.to_owned());
            }
        }
        if ids.len() != n {
            return Err(Error::data(
                self.path,
                format!(
                    "has {} rows, but the model was learned from {n} points; is the file \
                     complete?",
                    ids.len()
                ),
            ));
        }
        let pseudotime_sd = spread.map(|(_, values)| values);
        let projection = projection.map(|(_, projection)| projection);
        Ok(ProjectedPoints { ids, projection, pseudotime_sd, labels })
    }

    /// Reads where a point is on the object.
    fn read_position(
        &self,
        [node, edge, pos, distance]: [&[u8]; POSITION.len()],
        into: &mut Projection,
    ) -> Result<()> {
        let node = self.below(node, "node", self.joined.len())?;
        let edge = match edge {
            b"" if self.joined[node] => {
                return Err(self.at_fault("edge", "is empty though its node has an edge"));
            }
            b"" => None,
            edge => Some(self.below(edge, "edge", self.n_edges)?),
        };
        into.node.push(node);
        into.edge.push(edge);
        into.edge_pos.push(self.share(pos)?);
        into.distance.push(self.number(distance, "distance")?);
        Ok(())
    }

    fn next(&mut self, record: &mut ByteRecord) -> Result<bool> {
        let more =
            self.reader.read_byte_record(record).map_err(|error| unreadable(self.path, error))?;
        self.row += 1;
        if more && record.len() != self.n_columns {
            return Err(Error::data(
                self.path,
                format!(
                    "row {} has {} fields where the header has {}; is the file complete?",
                    self.row,
                    record.len(),
                    self.n_columns
                ),
            ));
        }
        Ok(more)
    }

    fn text<'f>(&self, field: &'f [u8], column: &str) -> Result<&'f str> {
        std::str::from_utf8(field).map_err(|_| self.at_fault(column, "is not UTF-8 text"))
    }

    fn below(&self, field: &[u8], column: &str, most: usize) -> Result<usize> {
        let number = std::str::from_utf8(field).ok().and_then(|text| text.parse().ok());
        number.filter(|number| *number < most).ok_or_else(|| {
            let reason = format!(
                "there is no {column} {:?} in the model, which has {most}",
                String::from_utf8_lossy(field)
            );
            self.at_fault(column, reason)
        })
    }

    fn share(&self, field: &[u8]) -> Result<f64> {
        let share = self.number(field, "edge_pos")?;
        if (0.0..=1.0).contains(&share) {
            return Ok(share);
        }
        Err(self.at_fault("edge_pos", format!("{share} is not between 0 and 1")))
    }

    /// A number; NaN where it was left empty.
    fn number(&self, field: &[u8], column: &str) -> Result<f64> {
        if field.is_empty() {
            return Ok(f64::NAN);
        }
        std::str::from_utf8(field).ok().and_then(|text| text.parse().ok()).ok_or_else(|| {
            let reason = format!("{:?} is not a number", String::from_utf8_lossy(field));
            self.at_fault(column, reason)
        })
    }

    fn at_fault(&self, column: &str, reason: impl Into<String>) -> Error {
        Error::Cell {
            path: self.path.into(),
            position: CellPosition { row: self.row, line: None, column: column.into() },
            reason: reason.into(),
            remedy: "learn the graph again".into(),
        }
    }
}

fn unreadable(path: &Path, error: csv::Error) -> Error {
    match error.into_kind() {
        csv::ErrorKind::Io(error) => Error::reading(path, &error),
        other => Error::data(path, format!("is not a table of text: {other:?}")),
    }
}

#[cfg(test)]
mod tests {
    use midrib::Points;
    use midrib::graph::PrincipalGraph;
    use midrib::math::Matrix;

    use super::*;
    use crate::write::{PointRows, write_points};

    fn graph() -> PrincipalGraph {
        let nodes = Matrix::from_rows(&[[0.0], [2.0], [9.0]]).unwrap();
        PrincipalGraph::new(nodes, &[(0, 1, 1.0)], vec![1.0; 3]).unwrap()
    }

    fn model(rows: usize) -> Model {
        let mut model = Model::of_graph("ppt", graph(), vec!["x".into()]);
        model.input.rows = rows;
        model
    }

    #[test]
    fn what_was_written_reads_back() {
        let ids = ["a, b", "\"c\"", "7"].map(String::from).to_vec();
        let points = Points::from_f64(vec![1.0 / 3.0, 1.9, 8.5], 1).unwrap();
        let points = points.with_ids(ids.clone()).unwrap();
        let projection = graph().project(&points).unwrap();
        let values = ["x", "", "y\nz"].map(String::from).to_vec();
        let labels = [Labels { name: "stage".into(), values }];
        let directory = tempfile::tempdir().unwrap();
        let spread = [0.5, 1.0 / 3.0, 0.0];
        let rows = PointRows {
            pseudotime_sd: Some(&spread),
            ..PointRows::of(Some(&graph()), Some(&projection))
        };
        let file = directory.path().join("points.csv");
        write_points(&file, points.ids(), 3, &rows, &labels).unwrap();
        let (projection, pseudotime_sd) = (Some(projection), Some(spread.to_vec()));
        let expected = ProjectedPoints { ids, projection, pseudotime_sd, labels: labels.to_vec() };
        for path in [directory.path(), &directory.path().join("model.json")] {
            assert_eq!(read_projected_points(path, &model(3)).unwrap(), expected);
        }
    }

    #[test]
    fn damage_is_named() {
        let directory = tempfile::tempdir().unwrap();
        let message = |text: &str| {
            std::fs::write(directory.path().join("points.csv"), text).unwrap();
            let error = read_projected_points(directory.path(), &model(2)).unwrap_err();
            assert!(error.is_bad_data());
            error.to_string().replace(&directory.path().display().to_string(), "D")
        };
        let header = "id,node,edge,edge_pos,distance,branch,component\n";
        let with = |rows: &str| message(&format!("{header}{rows}"));
        for (found, expected) in [
            (message(""), "D/points.csv: is empty"),
            (message("id,node\n"), "has no column edge, so it is not the points.csv"),
            (with("a,0,0,0.5,0,0,0\n"), "has 1 rows, but the model was learned from 2 points"),
            (with("a,0,0,0.5\n"), "row 1 has 4 fields where the header has 7"),
            (
                with("a,0,0,0.5,0,0,0\nb,3,0,0,0,0,0\n"),
                "row 2, column node: there is no node \"3\" in the model, which has 3; learn",
            ),
            (
                with("a,0,1,0.5,0,0,0\n"),
                "column edge: there is no edge \"1\" in the model, which has 1",
            ),
            (with("a,0,,0,0,0,0\n"), "column edge: is empty though its node has an edge"),
            (with("a,0,0,1.5,0,0,0\n"), "column edge_pos: 1.5 is not between 0 and 1"),
            (with("a,0,0,,0,0,0\n"), "column edge_pos: NaN is not between 0 and 1"),
            (with("a,0,0,0.5,far,0,0\n"), "column distance: \"far\" is not a number"),
        ] {
            assert!(found.contains(expected), "{found}");
        }
        std::fs::remove_file(directory.path().join("points.csv")).unwrap();
        let missing = read_projected_points(directory.path(), &model(2)).unwrap_err().to_string();
        assert!(missing.contains("the results hold no projected points"), "{missing}");
    }
}
