//! A learnt graph: what it is made of, and how it is kept.

use std::path::PathBuf;

use midrib_io::{Input, LearntGraph, Model, graphml, write_file};
use numpy::{PyArray1, PyArray2, PyArrayMethods, PyReadonlyArray1, PyReadonlyArray2};
use pyo3::prelude::*;
use serde_json::json;

use crate::arrays::{Rows, array2, indices, matrix};
use crate::error::{Raise, from_json};
use crate::run::run;

/// A learnt graph.
#[pyclass(frozen, module = "midrib._core")]
pub struct Graph(pub LearntGraph);

impl Graph {
    /// The graph of a model.
    pub fn of(model: Model) -> PyResult<Self> {
        Ok(Self(LearntGraph::of(model, "the model".as_ref()).raise()?))
    }
}

#[pymethods]
impl Graph {
    /// A graph that was not learnt here.
    #[staticmethod]
    fn from_parts(
        nodes: PyReadonlyArray2<'_, f64>,
        edges: PyReadonlyArray2<'_, i64>,
        weights: PyReadonlyArray1<'_, f64>,
        mass: PyReadonlyArray1<'_, f64>,
        features: Vec<String>,
    ) -> PyResult<Self> {
        let nodes = matrix(&nodes)?;
        let number = |i: i64| usize::try_from(i).unwrap_or(usize::MAX);
        let ends = edges.as_slice()?.chunks_exact(2);
        let edges = ends.zip(weights.as_slice()?).map(|(e, w)| (number(e[0]), number(e[1]), *w));
        Self::of(Model {
            schema: Model::SCHEMA,
            midrib: env!("CARGO_PKG_VERSION").into(),
            method: "given".into(),
            settings: json!({}),
            chosen: serde_json::Map::new(),
            notes: Vec::new(),
            input: Input {
                file: String::new(),
                rows: 0,
                columns: nodes.n_cols(),
                features,
                prepare: json!({}),
            },
            edges: edges.collect(),
            nodes,
            mass: mass.as_slice()?.to_vec(),
            latent: None.into(),
            explained: None,
            complexity: None,
            objective: None,
            trace: Vec::new(),
            end: "given".into(),
            n_iter: 0,
            seed: 0,
            root: Vec::new(),
        })
    }

    /// Reads a model.json, or the directory that holds one.
    #[staticmethod]
    fn read(path: PathBuf) -> PyResult<Self> {
        Self::of(Model::read(&path).raise()?)
    }

    /// Writes a model.json, whole or not at all.
    fn write(&self, path: PathBuf) -> PyResult<()> {
        write_file(&path, true, |staging| self.0.model.write(staging)).raise()
    }

    #[staticmethod]
    fn from_json(text: &str) -> PyResult<Self> {
        let model = serde_json::from_value(from_json(text)?);
        Self::of(model.map_err(|error| crate::error::DataError::new_err(error.to_string()))?)
    }

    fn to_json(&self) -> String {
        json!(self.0.model).to_string()
    }

    /// What is told about the fit, without the arrays.
    fn about(&self) -> String {
        let Model { midrib, method, settings, chosen, notes, input, .. } = &self.0.model;
        let Model { explained, complexity, objective, end, n_iter, .. } = &self.0.model;
        json!({
            "midrib": midrib, "method": method, "settings": settings, "chosen": chosen,
            "notes": notes, "input": input, "explained": explained, "complexity": complexity,
            "objective": objective, "end": end, "n_iter": n_iter,
        })
        .to_string()
    }

    /// The nodes from which pseudotime is counted.
    #[getter]
    fn root(&self) -> Vec<usize> {
        self.0.model.root.clone()
    }

    /// The same graph with other roots.
    fn with_root(&self, root: Vec<usize>) -> PyResult<Self> {
        if !root.is_empty() {
            self.0.graph.root(&root).raise()?;
        }
        Self::of(Model { root, ..self.0.model.clone() })
    }

    #[getter]
    fn nodes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        array2(py, self.0.graph.nodes())
    }

    #[getter]
    fn edges<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<i64>>> {
        let edges = self.0.graph.edges();
        indices(py, edges.iter().flat_map(|edge| [edge.a, edge.b])).reshape([edges.len(), 2])
    }

    #[getter]
    fn edge_weights<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        PyArray1::from_iter(py, self.0.graph.edges().iter().map(|edge| edge.weight))
    }

    #[getter]
    fn edge_lengths<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        PyArray1::from_iter(py, self.0.graph.edges().iter().map(|edge| edge.length))
    }

    #[getter]
    fn mass<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        PyArray1::from_slice(py, self.0.graph.mass())
    }

    #[getter]
    fn trace<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        PyArray1::from_slice(py, &self.0.model.trace)
    }

    /// Embedding, basis, center and the nodes' places in it, where the method learns such.
    #[allow(clippy::type_complexity)]
    fn latent<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<
        Option<(
            Bound<'py, PyArray2<f64>>,
            Bound<'py, PyArray2<f64>>,
            Bound<'py, PyArray1<f64>>,
            Bound<'py, PyArray2<f64>>,
        )>,
    > {
        let Some(latent) = &self.0.latent else { return Ok(None) };
        Ok(Some((
            array2(py, &latent.embedding)?,
            array2(py, &latent.basis)?,
            PyArray1::from_slice(py, &latent.center),
            array2(py, &latent.nodes)?,
        )))
    }

    /// Whether there is an embedding or a map.
    #[getter]
    fn embeds(&self) -> bool {
        self.0.latent.is_some() || self.0.surface.is_some()
    }

    /// The places of points in the learnt embedding or on the map; none where there is neither.
    fn embed<'py>(
        &self,
        py: Python<'py>,
        rows: Rows<'py>,
    ) -> PyResult<Option<Bound<'py, PyArray2<f64>>>> {
        let points = rows.points(None)?;
        let embedded = run(py, None, None, |_| self.0.embed(&self.0.prepared(points)?))?;
        embedded.raise()?.map(|embedded| array2(py, &embedded)).transpose()
    }

    fn graphml(&self) -> PyResult<String> {
        graphml(&self.0.graph, &self.0.node_columns().raise()?).raise()
    }
}
