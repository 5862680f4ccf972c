//! Clusters of points, and generated points.

use midrib::cluster::{ClusterCount, Spectral};
use midrib::connect::Similarities;
use midrib_tasks::{ClusterPoints, GenerateRequest, PointGraphRequest};
use numpy::PyReadonlyArray2;
use pyo3::prelude::*;
use serde_json::{Map, Value};

use crate::arrays::{Column, Rows, Table, Tuples, matrix};
use crate::error::Result;
use crate::json::Json;
use crate::model::Model;
use crate::run::{Execution, run};

/// Generated points, and where they come from.
#[derive(IntoPyObject)]
pub struct Sample {
    points: Table,
    model: Model,
    clean: Table,
    branch: Column<i64>,
    edge: Column<i64>,
    edge_pos: Column<f64>,
}

/// Generates points whose true graph is known.
#[pyfunction]
pub fn synth(py: Python<'_>, request: Json<GenerateRequest>) -> Result<Sample> {
    let generated = py.detach(|| midrib_tasks::generate(&request.0))?;
    let sample = generated.sample;
    Ok(Sample {
        points: Table(midrib_tasks::rows_of(&sample.points)),
        model: Model(generated.model),
        clean: Table(sample.clean),
        branch: sample.branch.into(),
        edge: sample.edge.into(),
        edge_pos: Column(sample.edge_pos),
    })
}

/// Clusters, and the graph that was cut.
#[derive(IntoPyObject)]
pub struct Clusters {
    labels: Column<i64>,
    edges: Tuples<i64, 2>,
    edge_weights: Column<f64>,
    eigenvalues: Column<f64>,
    costs: Option<Column<f64>>,
    n_clusters: usize,
    n_components: usize,
    settings: Json<Map<String, Value>>,
    notes: Vec<String>,
}

/// The graph of the points: k1, k2, the weight of the fusion, the kernel.
type GraphSettings = (Option<usize>, Option<usize>, Option<f64>, Option<String>);
/// How it is cut: the number of clusters, the scale of the rows, the starts of k-means, the seed.
type CutSettings = (Option<usize>, String, usize, u64);

/// Clusters points by the spectrum of a sparse graph of them.
#[pyfunction]
pub fn cluster(
    py: Python<'_>,
    rows: Rows<'_>,
    kernel_matrix: Option<PyReadonlyArray2<'_, f64>>,
    graph: (String, GraphSettings),
    cut: CutSettings,
    execution: Execution,
) -> Result<Clusters> {
    let (name, (k1, k2, fusion_weight, kernel)) = graph;
    let (n_clusters, scale, restarts, seed) = cut;
    let kernel = kernel.as_deref().map(str::parse).transpose()?;
    let graph =
        PointGraphRequest { k1, k2, fusion_weight, kernel, ..PointGraphRequest::named(&name)? };
    let n_clusters = n_clusters.map_or(ClusterCount::Auto, ClusterCount::Exactly);
    let spectral = Spectral { n_clusters, rows: scale.parse()?, restarts, seed };
    let points = rows.points(None)?;
    let kernel_matrix = kernel_matrix.as_ref().map(matrix).transpose()?;
    let found = run(py, execution, |watch| {
        let similarities = kernel_matrix.map(Similarities::precomputed).transpose()?;
        let request = ClusterPoints { points: &points, similarities, graph: &graph, spectral };
        midrib_tasks::cluster_points(request, watch)
    })??;
    let (graph, clusters) = (found.graph, found.clusters);
    Ok(Clusters {
        labels: clusters.labels.into(),
        edge_weights: Column(graph.edges.iter().map(|edge| edge.2).collect()),
        edges: graph.pairs().into(),
        eigenvalues: Column(clusters.eigenvalues),
        costs: graph.rebuilt.map(|rebuilt| Column(rebuilt.costs)),
        n_clusters: clusters.n_clusters,
        n_components: clusters.n_components,
        settings: Json(found.settings),
        notes: clusters.notes,
    })
}
