//! A learnt graph: what it is made of, and how it is kept.

use std::path::PathBuf;

use midrib::graph::PrincipalGraph;
use midrib_io::{LearntGraph, Model, graphml, write_file};
use numpy::{PyReadonlyArray1, PyReadonlyArray2};
use pyo3::prelude::*;
use serde_json::json;

use crate::arrays::{Array, Floats, Pairs, Table, matrix};
use crate::error::Raise;

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
        let edges: Vec<_> = edges.collect();
        let graph = PrincipalGraph::new(nodes, &edges, mass.as_slice()?.to_vec()).raise()?;
        Self::of(Model::of_graph("given", &graph, features))
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
        Self::of(Model::from_json(text.as_bytes(), "the model".as_ref()).raise()?)
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
            "notes": notes, "features": input.features, "explained": explained,
            "complexity": complexity, "objective": objective, "end": end, "n_iter": n_iter,
            "prepared_names": self.0.feature_names(),
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
        let mut rooted = self.0.clone();
        rooted.model.root = root;
        Ok(Self(rooted))
    }

    #[getter]
    fn nodes(&self) -> Table {
        Table(self.0.graph.nodes().clone())
    }

    #[getter]
    fn edges(&self) -> Pairs {
        Pairs(self.0.graph.edges().iter().map(|edge| [edge.a, edge.b]).collect())
    }

    #[getter]
    fn edge_weights(&self) -> Floats {
        self.0.graph.edges().iter().map(|edge| edge.weight).collect()
    }

    #[getter]
    fn edge_lengths(&self) -> Floats {
        self.0.graph.edges().iter().map(|edge| edge.length).collect()
    }

    #[getter]
    fn mass(&self) -> Floats {
        Array(self.0.graph.mass().to_vec())
    }

    /// The share of replicas that hold each edge, where they were learnt.
    #[getter]
    fn support(&self) -> Option<Floats> {
        self.0.model.edge_support().map(|support| Array(support.to_vec()))
    }

    #[getter]
    fn trace(&self) -> Floats {
        Array(self.0.model.trace.clone())
    }

    /// The embedding and the nodes' places in it, where the method learns such.
    fn latent(&self) -> Option<(Table, Table)> {
        let latent = self.0.latent.as_ref()?;
        Some((Table(latent.embedding.clone()), Table(latent.nodes.clone())))
    }

    /// Whether there is an embedding or a map.
    #[getter]
    fn embeds(&self) -> bool {
        self.0.latent.is_some() || self.0.surface.is_some()
    }

    fn graphml(&self) -> PyResult<String> {
        let support = self.0.model.edge_support();
        graphml(&self.0.graph, &self.0.node_columns().raise()?, support).raise()
    }
}
