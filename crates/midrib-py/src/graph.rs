//! A learnt graph: what it is made of, and how it is kept.

use std::path::PathBuf;

use midrib::Points;
use midrib::graph::PrincipalGraph;
use midrib::learn::{Latent, Surface, method};
use midrib::math::Matrix;
use midrib::prepare::Transform;
use midrib_io::{Input, Model, NodeColumns, graphml, write_file};
use numpy::{PyArray1, PyArray2, PyArrayMethods, PyReadonlyArray1, PyReadonlyArray2};
use pyo3::prelude::*;
use serde_json::{Value, json};

use crate::arrays::{Rows, array2, indices, matrix};
use crate::error::{Raise, from_json};
use crate::run::run;

/// A model with its graph ready for questions.
#[pyclass(frozen, module = "midrib._core")]
pub struct Graph {
    pub model: Model,
    pub graph: PrincipalGraph,
    pub latent: Option<Latent>,
    pub transform: Option<Transform>,
    /// What the graph is the net of, where it is one.
    pub surface: Option<Surface>,
}

impl Graph {
    /// The graph of a model.
    pub fn of(model: Model) -> PyResult<Self> {
        let graph = model.graph().raise()?;
        let surface = match method(&model.method) {
            Ok(entry) => entry.surface(&fit_settings(&model), &model.chosen, &graph).raise()?,
            // A graph that was not learnt here.
            Err(_) => None,
        };
        Ok(Self {
            surface,
            graph,
            latent: model.latent().raise()?,
            transform: model.transform("the model".as_ref()).raise()?,
            model,
        })
    }

    /// The same model with another graph; `edited` is noted beside its settings.
    pub fn edited(&self, graph: PrincipalGraph, name: &str, edit: Value) -> PyResult<Self> {
        let mut model = self.model.clone();
        if let Some(latent) = &self.latent {
            let nodes = Points::from_f64(graph.nodes().as_slice(), graph.nodes().n_cols());
            model.latent.latent_nodes = Some(latent.project(&nodes.raise()?).raise()?);
        }
        model.nodes = graph.nodes().clone();
        model.edges = graph.edges().iter().map(|edge| (edge.a, edge.b, edge.weight)).collect();
        model.mass = graph.mass().to_vec();
        model.explained = None;
        model.complexity = None;
        model.root = Vec::new();
        if let Value::Object(settings) = &mut model.settings {
            settings.insert(name.into(), edit);
        }
        Self::of(model)
    }

    /// Points as the graph knows them: prepared as those that it was learnt from.
    pub fn prepared<'a>(&self, points: Points<'a>) -> midrib::Result<Points<'a>> {
        match &self.transform {
            Some(transform) => transform.apply(&points),
            None => Ok(points),
        }
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
                reading: Default::default(),
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
        write_file(&path, true, |staging| self.model.write(staging)).raise()
    }

    #[staticmethod]
    fn from_json(text: &str) -> PyResult<Self> {
        let model = serde_json::from_value(from_json(text)?);
        Self::of(model.map_err(|error| crate::error::DataError::new_err(error.to_string()))?)
    }

    fn to_json(&self) -> String {
        json!(self.model).to_string()
    }

    /// What is told about the fit, without the arrays.
    fn about(&self) -> String {
        let Model { midrib, method, settings, chosen, notes, input, .. } = &self.model;
        let Model { explained, complexity, objective, end, n_iter, .. } = &self.model;
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
        self.model.root.clone()
    }

    /// The same graph with other roots.
    fn with_root(&self, root: Vec<usize>) -> PyResult<Self> {
        if !root.is_empty() {
            self.graph.root(&root).raise()?;
        }
        Self::of(Model { root, ..self.model.clone() })
    }

    #[getter]
    fn nodes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        array2(py, self.graph.nodes())
    }

    #[getter]
    fn edges<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<i64>>> {
        let edges = self.graph.edges();
        indices(py, edges.iter().flat_map(|edge| [edge.a, edge.b])).reshape([edges.len(), 2])
    }

    #[getter]
    fn edge_weights<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        PyArray1::from_iter(py, self.graph.edges().iter().map(|edge| edge.weight))
    }

    #[getter]
    fn edge_lengths<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        PyArray1::from_iter(py, self.graph.edges().iter().map(|edge| edge.length))
    }

    #[getter]
    fn mass<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        PyArray1::from_slice(py, self.graph.mass())
    }

    #[getter]
    fn trace<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        PyArray1::from_slice(py, &self.model.trace)
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
        let Some(latent) = &self.latent else { return Ok(None) };
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
        self.latent.is_some() || self.surface.is_some()
    }

    /// The places of points in the learnt embedding or on the map; none where there is neither.
    fn embed<'py>(
        &self,
        py: Python<'py>,
        rows: Rows<'py>,
    ) -> PyResult<Option<Bound<'py, PyArray2<f64>>>> {
        let points = rows.points(None)?;
        let embedded = run(py, None, None, |_| self.embedded(&self.prepared(points)?))?;
        embedded.raise()?.map(|embedded| array2(py, &embedded)).transpose()
    }

    fn graphml(&self) -> PyResult<String> {
        let features: Vec<String> = match &self.transform {
            None => self.model.input.features.clone(),
            Some(transform) => (1..=transform.dims_out()).map(|i| format!("x{i}")).collect(),
        };
        graphml(&self.graph, &NodeColumns::of(&self.graph, &features).raise()?).raise()
    }
}

impl Graph {
    /// The places of prepared points in the embedding or on the map.
    pub fn embedded(&self, points: &Points<'_>) -> midrib::Result<Option<Matrix>> {
        match (&self.latent, &self.surface) {
            (Some(latent), _) => {
                let entry = method(&self.model.method)?;
                let settings = fit_settings(&self.model);
                entry.transform(&settings, &self.graph, latent, points).map(Some)
            }
            (None, Some(surface)) => Ok(Some(surface.project(points)?.inner)),
            (None, None) => Ok(None),
        }
    }

    /// The bandwidth that points are shared by, where the method has one.
    pub fn bandwidth(&self) -> Option<f64> {
        let Model { settings, chosen, .. } = &self.model;
        settings["bandwidth"].as_f64().or_else(|| chosen.get("bandwidth")?.as_f64())
    }
}

/// The settings without the notes of later edits, which no method knows.
fn fit_settings(model: &Model) -> Value {
    let mut settings = model.settings.clone();
    if let Value::Object(settings) = &mut settings {
        EDITS.iter().for_each(|edit| {
            settings.shift_remove(*edit);
        });
    }
    settings
}

/// What is noted beside the settings when a graph is changed after the fit.
pub const SIMPLIFIED: &str = "simplify";
pub const PRUNED: &str = "prune";
const EDITS: [&str; 2] = [SIMPLIFIED, PRUNED];
