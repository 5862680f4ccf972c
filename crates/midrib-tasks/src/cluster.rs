//! Clusters of points, by the spectrum of a sparse graph of them.

use std::path::{Path, PathBuf};
use std::time::Instant;

use midrib::Points;
use midrib::cluster::{ClusterCount, Spectral, spectral};
use midrib::connect::{
    FusedLasso, PointGraph, PointGraphKind, Similarities, fused_lasso, kernel_knn_l1, knn,
    sparse_l1,
};
use midrib::prepare::{KernelFunction, Preparation};
use midrib_io::{ReadOptions, check_directory, read};
use serde_json::{Map, Value, json};

use crate::cluster_files::{ClusterFiles, save_clusters};
use crate::cluster_summary::{ClusterSummary, agreement, cluster_sizes, rebuilt_summary};
use crate::columns::rows_of;
use crate::error::{Error, Result};
use crate::listener::Listener;
use crate::memory::Memory;
use crate::prepare::{PrepareRequest, prepare};
use crate::table::open_table;

/// Neighbors that a point may be joined to, where that is left open.
const K1: usize = 20;
/// Neighbors whose weights are fused, where that is left open.
const K2: usize = 5;

/// A graph of points to build.
#[derive(Clone, Debug)]
pub struct PointGraphRequest {
    /// Its name.
    pub name: String,
    /// What kind of graph that is.
    pub kind: PointGraphKind,
    /// Neighbors that a point may be joined to.
    pub k1: Option<usize>,
    /// Nearest neighbors whose weights are fused.
    pub k2: Option<usize>,
    /// How strongly weights are fused.
    pub fusion_weight: Option<f64>,
    /// The similarity of points.
    pub kernel: KernelFunction,
    /// The similarities of points in a file, in place of a kernel.
    pub kernel_matrix: Option<PathBuf>,
}

/// A table to cluster.
#[derive(Clone, Debug)]
pub struct ClusterRequest {
    /// The table.
    pub input: PathBuf,
    /// How it is read.
    pub options: ReadOptions,
    /// How its points are prepared.
    pub preparation: Preparation,
    /// The graph of the points.
    pub graph: PointGraphRequest,
    /// How the graph is cut.
    pub spectral: Spectral,
    /// The directory of the results.
    pub output: PathBuf,
    /// Whether results that are already there are replaced.
    pub force: bool,
}

/// Clusters that were found and written.
#[derive(Clone, Debug)]
pub struct Clustered {
    /// The figures.
    pub summary: ClusterSummary,
    /// How long it took.
    pub seconds: f64,
}

/// Clusters the points of a table and writes a directory of results.
pub fn cluster(request: &ClusterRequest, listener: &mut dyn Listener) -> Result<Clustered> {
    let ClusterRequest { input, options, preparation, graph, output, force, .. } = request;
    check_directory(output, *force)?;
    let started = Instant::now();
    let opened = open_table(input, options, listener)?;
    let table = opened.table;
    let how = PrepareRequest {
        preparation: *preparation,
        features: &table.features,
        max_memory: Memory(u64::MAX),
        advise: graph.kernel_matrix.is_none(),
    };
    let of_table = |error: Error| error.of_table(input);
    let prepared = prepare(&how, table.points, listener).map_err(of_table)?;
    let points = &prepared.points;
    check_count(request.spectral.n_clusters, points.len())?;
    let matrix = graph.kernel_matrix.as_ref().map(|path| read_kernel_matrix(path, points.len()));
    let matrix = matrix.transpose()?;
    listener.begin();
    let built = build(graph, points, matrix, listener);
    listener.finish();
    let (built, settings) = built.map_err(of_table)?;
    listener.detail(&format!("graph built in {:.1} s", started.elapsed().as_secs_f64()));
    let clusters = spectral(&built, &request.spectral).map_err(|error| of_table(error.into()))?;
    let labels = &table.labels;
    let summary = ClusterSummary {
        schema: 1,
        midrib: env!("CARGO_PKG_VERSION").into(),
        input: input.display().to_string(),
        points: points.len(),
        graph: graph.name.clone(),
        settings,
        edges: built.edges.len(),
        components: clusters.n_components,
        isolated: clusters.labels.iter().filter(|label| label.is_none()).count(),
        rebuilt: rebuilt_summary(&built),
        clusters: clusters.n_clusters,
        sizes: cluster_sizes(&clusters),
        eigenvalues: clusters.eigenvalues.clone(),
        agreement: agreement(&clusters, labels, &table.set_aside)?,
        notes: clusters.notes.clone(),
    };
    let (graph, clusters) = (&built, &clusters);
    let files = ClusterFiles { points, labels, graph, clusters, summary: &summary };
    save_clusters(output, *force, &files)?;
    Ok(Clustered { summary, seconds: started.elapsed().as_secs_f64() })
}

/// Refuses a number of clusters that cannot be, before the graph is built.
fn check_count(wanted: ClusterCount, n: usize) -> Result<()> {
    let ClusterCount::Exactly(count) = wanted else { return Ok(()) };
    let remedy = match count {
        0 | 1 => "must be at least 2: one cluster is all points".to_owned(),
        count if count > n => format!("must be at most the number of points, {n}"),
        _ => return Ok(()),
    };
    Err(midrib::Error::setting("clusters", count, remedy).into())
}

/// The graph, and the settings that made it.
fn build(
    request: &PointGraphRequest,
    points: &Points<'_>,
    matrix: Option<Similarities>,
    listener: &mut dyn Listener,
) -> Result<(PointGraph, Map<String, Value>)> {
    let mut settings = Map::new();
    if request.kind == PointGraphKind::L1 {
        return Ok((sparse_l1(points, listener)?, settings));
    }
    let similarities = match matrix {
        Some(matrix) => {
            let path = request.kernel_matrix.as_ref().map(|path| path.display().to_string());
            settings.insert("kernel_matrix".into(), json!(path));
            matrix
        }
        None => {
            let similarities = Similarities::new(points, request.kernel)?;
            let beta = similarities.beta();
            let function = beta.map_or("linear".into(), |beta| format!("gaussian:{beta}"));
            settings.insert("kernel".into(), json!(function));
            similarities
        }
    };
    let k1 = request.k1.unwrap_or(K1.min(points.len().saturating_sub(1)));
    settings.insert("k1".into(), json!(k1));
    let graph = match request.kind {
        PointGraphKind::Knn => knn(&similarities, k1)?,
        PointGraphKind::KnnL1 => kernel_knn_l1(&similarities, k1, listener)?,
        PointGraphKind::FusedLasso | PointGraphKind::L1 => {
            let k2 = request.k2.unwrap_or(K2.min(k1));
            let fusion_weight = request.fusion_weight.unwrap_or(1.0);
            settings.insert("k2".into(), json!(k2));
            settings.insert("fusion_weight".into(), json!(fusion_weight));
            fused_lasso(&similarities, FusedLasso { k1, k2, fusion_weight }, listener)?
        }
    };
    Ok((graph, settings))
}

/// Reads a square table of similarities of `n` points.
fn read_kernel_matrix(path: &Path, n: usize) -> Result<Similarities> {
    let points = read(path, &ReadOptions { gaps: true, ..ReadOptions::default() })?.points;
    let similarities = Similarities::precomputed(rows_of(&points))
        .map_err(|error| Error::data(format!("{}: {error}", path.display())))?;
    if similarities.len() != n {
        return Err(Error::data(format!(
            "{}: is a kernel matrix of {} points, and the table has {n}",
            path.display(),
            similarities.len()
        )));
    }
    Ok(similarities)
}
