//! Clusters of points, by the spectrum of a sparse graph of them.

use std::path::{Path, PathBuf};
use std::time::Instant;

use midrib::cluster::{ClusterCount, Spectral, SpectralClusters, spectral};
use midrib::connect::{
    FusedLasso, PointGraph, PointGraphKind, Similarities, fused_lasso, kernel_knn_l1, knn,
    sparse_l1,
};
use midrib::prepare::{KernelFunction, KernelWidth, Preparation};
use midrib::{Observer, Points};
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
    /// The similarity of points: Gaussian if not given.
    pub kernel: Option<KernelFunction>,
}

impl PointGraphRequest {
    /// The graph with this name, with defaults for everything else.
    pub fn named(name: &str) -> Result<Self> {
        let kind = PointGraphKind::named(name)?;
        let name = name.to_owned();
        Ok(Self { name, kind, k1: None, k2: None, fusion_weight: None, kernel: None })
    }

    /// Refuses settings that the graph does not use.
    fn check(&self, has_matrix: bool) -> Result<()> {
        let is_l1 = self.kind == PointGraphKind::L1;
        let is_fused = self.kind == PointGraphKind::FusedLasso;
        let refused = |setting: &'static str, value: String| {
            let graph = &self.name;
            let remedy =
                format!("has no meaning for graph = {graph}; leave it out, or choose fused-lasso");
            Err(midrib::Error::setting(setting, value, remedy).into())
        };
        match self {
            Self { k1: Some(k1), .. } if is_l1 => refused("k1", k1.to_string()),
            Self { kernel: Some(kernel), .. } if is_l1 => refused("kernel", kernel.to_string()),
            Self { k2: Some(k2), .. } if !is_fused => refused("k2", k2.to_string()),
            Self { fusion_weight: Some(weight), .. } if !is_fused => {
                refused("fusion_weight", weight.to_string())
            }
            _ if is_l1 && has_matrix => Err(Error::usage(format!(
                "a kernel matrix has no meaning for the graph {}: leave it out, or choose \
                 fused-lasso",
                self.name
            ))),
            _ => Ok(()),
        }
    }
}

/// Points to cluster.
#[derive(Clone, Debug)]
pub struct ClusterPoints<'a> {
    /// The prepared points.
    pub points: &'a Points<'a>,
    /// Their similarities, in place of a kernel.
    pub similarities: Option<Similarities>,
    /// The graph of the points.
    pub graph: &'a PointGraphRequest,
    /// How the graph is cut.
    pub spectral: Spectral,
}

/// Clusters of points, and the graph that was cut.
#[derive(Clone, Debug)]
pub struct ClusteredPoints {
    /// The graph of the points.
    pub graph: PointGraph,
    /// Its settings, with those that were left open as they were chosen.
    pub settings: Map<String, Value>,
    /// The clusters.
    pub clusters: SpectralClusters,
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
    /// The similarities of the points in a file, in place of a kernel.
    pub kernel_matrix: Option<PathBuf>,
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

/// Clusters points in memory.
///
/// ```
/// use midrib::cluster::{ClusterCount, Spectral};
/// use midrib::{Points, Silent};
/// use midrib_tasks::{ClusterPoints, PointGraphRequest, cluster_points};
/// let values: Vec<f64> = (0..30).map(|i| f64::from(i) + f64::from(i / 10) * 20.0).collect();
/// let points = Points::from_f64(values, 1)?;
/// let graph = PointGraphRequest { k1: Some(5), ..PointGraphRequest::named("knn")? };
/// let spectral = Spectral { n_clusters: ClusterCount::Exactly(3), ..Spectral::default() };
/// let request = ClusterPoints { points: &points, similarities: None, graph: &graph, spectral };
/// let found = cluster_points(request, &mut Silent)?;
/// assert_eq!(found.clusters.n_clusters, 3);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn cluster_points(
    request: ClusterPoints<'_>,
    watch: &mut dyn Observer,
) -> Result<ClusteredPoints> {
    let ClusterPoints { points, similarities, graph, spectral: cut } = request;
    graph.check(similarities.is_some())?;
    check_count(cut.n_clusters, points.len())?;
    if let Some(given) = similarities.as_ref().filter(|given| given.len() != points.len()) {
        return Err(midrib::Error::shape("kernel matrix", points.len(), given.len()).into());
    }
    let (graph, settings) = build(graph, points, similarities, watch)?;
    let clusters = spectral(&graph, &cut)?;
    Ok(ClusteredPoints { graph, settings, clusters })
}

/// Clusters the points of a table and writes a directory of results.
pub fn cluster(request: &ClusterRequest, listener: &mut dyn Listener) -> Result<Clustered> {
    let ClusterRequest { input, options, preparation, graph, output, force, .. } = request;
    graph.check(request.kernel_matrix.is_some())?;
    check_directory(output, *force)?;
    let started = Instant::now();
    let opened = open_table(input, options, listener)?;
    let table = opened.table;
    let how = PrepareRequest {
        preparation: *preparation,
        features: &table.features,
        max_memory: Memory(u64::MAX),
        advise: request.kernel_matrix.is_none(),
    };
    let of_table = |error: Error| error.of_table(input);
    let prepared = prepare(&how, table.points, listener).map_err(of_table)?;
    let points = &prepared.points;
    check_count(request.spectral.n_clusters, points.len())?;
    let read = request.kernel_matrix.as_ref().map(|path| read_kernel_matrix(path, points.len()));
    let similarities = read.transpose()?;
    let request_of_points =
        ClusterPoints { points, similarities, graph, spectral: request.spectral };
    listener.begin();
    let found = cluster_points(request_of_points, listener);
    listener.finish();
    let ClusteredPoints { graph: built, mut settings, clusters } = found.map_err(of_table)?;
    if let Some(path) = &request.kernel_matrix {
        settings.insert("kernel_matrix".into(), json!(path.display().to_string()));
    }
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
        0 => "must be at least 1".to_owned(),
        count if count > n => format!("must be at most the number of points, {n}"),
        _ => return Ok(()),
    };
    Err(midrib::Error::setting("clusters", count, remedy).into())
}

/// The graph, and the settings that made it.
fn build(
    request: &PointGraphRequest,
    points: &Points<'_>,
    similarities: Option<Similarities>,
    watch: &mut dyn Observer,
) -> Result<(PointGraph, Map<String, Value>)> {
    let mut settings = Map::new();
    if request.kind == PointGraphKind::L1 {
        return Ok((sparse_l1(points, watch)?, settings));
    }
    let similarities = match similarities {
        Some(given) => given,
        None => {
            let similarities = Similarities::new(
                points,
                request.kernel.unwrap_or(KernelFunction::Gaussian(KernelWidth::Auto)),
            )?;
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
        PointGraphKind::KnnL1 => kernel_knn_l1(&similarities, k1, watch)?,
        PointGraphKind::FusedLasso | PointGraphKind::L1 => {
            let k2 = request.k2.unwrap_or(K2.min(k1));
            let fusion_weight = request.fusion_weight.unwrap_or(1.0);
            settings.insert("k2".into(), json!(k2));
            settings.insert("fusion_weight".into(), json!(fusion_weight));
            fused_lasso(&similarities, FusedLasso { k1, k2, fusion_weight }, watch)?
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
