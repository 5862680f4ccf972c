//! What a fit learned, and its history.

use std::path::PathBuf;

use midrib::graph::PrincipalGraph;
use midrib_io::{Model as Learned, write_file};
use numpy::PyReadonlyArray2;
use pyo3::prelude::*;
use serde_json::{Map, Value};

use crate::arrays::{Column, Table, Values, index, matrix, slice};
use crate::error::Result;
use crate::json::{Json, to_json};

/// A learned object with its history: the content of a model.json.
#[pyclass(frozen, module = "midrib._core")]
pub struct Model(pub Learned);

/// One of the affine pieces of an object.
#[derive(IntoPyObject)]
struct Flat {
    center: Column<f64>,
    axes: Table<f64>,
    variances: Column<f64>,
    mass: f64,
}

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

    /// What was learned: "graph", "net", "flats", "centers" or "embedding".
    #[getter]
    fn kind(&self) -> &'static str {
        self.0.object.kind().as_str()
    }

    #[getter]
    fn embeds(&self) -> bool {
        self.0.object.embeds()
    }

    #[getter]
    fn method(&self) -> &str {
        &self.0.method
    }

    #[getter]
    fn settings(&self) -> Json<&Value> {
        Json(&self.0.settings)
    }

    #[getter]
    fn chosen(&self) -> Json<&Map<String, Value>> {
        Json(&self.0.chosen)
    }

    #[getter]
    fn notes(&self) -> Vec<String> {
        self.0.notes.clone()
    }

    #[getter]
    fn edits(&self) -> Json<&[midrib_io::Edit]> {
        Json(&self.0.edits)
    }

    #[getter]
    fn features(&self) -> Vec<String> {
        self.0.input.features.clone()
    }

    #[getter]
    fn prepared_names(&self) -> Vec<String> {
        self.0.feature_names()
    }

    #[getter]
    fn explained(&self) -> Option<f64> {
        self.0.explained
    }

    #[getter]
    fn complexity(&self) -> Json<&Option<midrib::measure::Complexity>> {
        Json(&self.0.complexity)
    }

    #[getter]
    fn objective(&self) -> Option<f64> {
        self.0.objective
    }

    #[getter]
    fn objective_history(&self) -> Column<f64> {
        Column(self.0.trace.clone())
    }

    #[getter]
    fn end(&self) -> &str {
        &self.0.end
    }

    #[getter]
    fn n_iter(&self) -> usize {
        self.0.n_iter
    }

    /// The coordinates of the training points in few dimensions, where they were learned.
    #[getter]
    fn embedding(&self) -> Result<Option<Table<f64>>> {
        let embedding = self.0.object.embedding();
        embedding.map(|embedding| embedding.coordinates.clone().try_into()).transpose()
    }

    /// The coordinates of the nodes in the embedding, where there are some.
    #[getter]
    fn latent_nodes(&self) -> Result<Option<Table<f64>>> {
        let embedding = self.0.object.embedding();
        embedding.and_then(|embedding| embedding.nodes.clone()?.try_into().into()).transpose()
    }

    /// The affine pieces, where such were learned.
    fn flats(&self) -> Result<Vec<Flat>> {
        let midrib::object::Object::Flats(flats) = &self.0.object else { return Ok(Vec::new()) };
        let flat = |flat: &midrib::object::Flat| {
            Ok(Flat {
                center: Column(flat.center.clone()),
                axes: flat.axes.clone().try_into()?,
                variances: Column(flat.variances.clone()),
                mass: flat.mass,
            })
        };
        flats.flats().iter().map(flat).collect()
    }
}
