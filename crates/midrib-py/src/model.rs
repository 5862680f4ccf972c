//! What a fit learned, and its history.

use std::path::PathBuf;

use midrib::graph::PrincipalGraph;
use midrib::measure::Complexity;
use midrib::object::Object;
use midrib_io::{Edit, Model as Learned, write_file};
use numpy::PyReadonlyArray2;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use serde_json::{Map, Value};

use crate::arrays::{Column, Table, Values, index, matrix, slice};
use crate::error::Result;
use crate::json::{Json, to_json};

/// A learned object with its history: the content of a model.json.
#[pyclass(frozen, module = "midrib._core")]
pub struct Model(pub Learned);

/// What was learned, and how.
#[derive(IntoPyObject)]
struct Description<'a> {
    kind: &'static str,
    has_nodes: bool,
    method: &'a str,
    settings: Json<&'a Value>,
    chosen: Json<&'a Map<String, Value>>,
    notes: &'a [String],
    edits: Json<&'a [Edit]>,
    features: &'a [String],
    prepared_names: Vec<String>,
    prepares: bool,
    embeds: bool,
    explained: Option<f64>,
    complexity: Json<&'a Option<Complexity>>,
    objective: Option<f64>,
    objective_history: Column<f64>,
    end: &'a str,
    n_iter: usize,
    roots: &'a [usize],
}

/// The center, the axes and the variances along them.
type Flat = (Column<f64>, Table, Column<f64>);

impl Model {
    /// The nodes and edges; refused where the object has none.
    pub fn graph(&self) -> Result<&PrincipalGraph> {
        Ok(self.0.graph()?)
    }
}

#[pymethods]
impl Model {
    /// A graph that was not learned here.
    #[staticmethod]
    fn from_edges(
        nodes: PyReadonlyArray2<'_, f64>,
        edges: PyReadonlyArray2<'_, i64>,
        weights: Values<'_>,
        mass: Values<'_>,
        features: Vec<String>,
    ) -> Result<Self> {
        let ends = slice(edges.as_slice())?.chunks_exact(2).zip(slice(weights.as_slice())?);
        let edges: Result<Vec<_>> =
            ends.map(|(e, w)| Ok((index(e[0])?, index(e[1])?, *w))).collect();
        let mass = slice(mass.as_slice())?.to_vec();
        let graph = PrincipalGraph::new(matrix(&nodes)?, &edges?, mass)?;
        Ok(Self(Learned::of_graph("given", graph, features)))
    }

    /// Reads a model.json, or the directory that holds one.
    #[staticmethod]
    fn read(path: PathBuf) -> Result<Self> {
        Ok(Self(Learned::read(&path)?))
    }

    /// Writes a model.json.
    fn write(&self, path: PathBuf) -> Result<()> {
        Ok(write_file(&path, true, |staging| self.0.write(staging))?)
    }

    /// A model from the text of a model.json.
    #[staticmethod]
    fn from_json(text: &str) -> Result<Self> {
        Ok(Self(Learned::from_json(text.as_bytes(), "the model".as_ref())?))
    }

    /// The text of its model.json.
    fn to_json(&self) -> PyResult<String> {
        to_json(&self.0)
    }

    /// What was learned, and how.
    fn describe<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let learned = &self.0;
        let description = Description {
            kind: learned.object.kind().as_str(),
            has_nodes: learned.object.kind().has_nodes(),
            method: &learned.method,
            settings: Json(&learned.settings),
            chosen: Json(&learned.chosen),
            notes: &learned.notes,
            edits: Json(&learned.edits),
            features: &learned.input.features,
            prepared_names: learned.feature_names(),
            prepares: learned.input.prepare.is_some(),
            embeds: learned.object.embeds(),
            explained: learned.explained,
            complexity: Json(&learned.complexity),
            objective: learned.objective,
            objective_history: Column(learned.trace.clone()),
            end: learned.end.as_str(),
            n_iter: learned.n_iter,
            roots: &learned.root,
        };
        description.into_pyobject(py)
    }

    /// The coordinates of the training points in few dimensions, where they were learned.
    #[getter]
    fn embedding(&self) -> Option<Table> {
        Some(Table(self.0.object.embedding()?.coordinates.clone()))
    }

    /// The coordinates of the nodes in the embedding, where there are some.
    #[getter]
    fn latent_nodes(&self) -> Option<Table> {
        Some(Table(self.0.object.embedding()?.nodes.clone()?))
    }

    /// The affine pieces, if they were learned.
    fn flats(&self) -> Vec<Flat> {
        let Object::Flats(flats) = &self.0.object else { return Vec::new() };
        let flat = |flat: &midrib::object::Flat| {
            let (center, variances) = (flat.center.clone(), flat.variances.clone());
            (Column(center), Table(flat.axes.clone()), Column(variances))
        };
        flats.flats().iter().map(flat).collect()
    }
}
