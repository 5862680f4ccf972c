//! The figures of clusters.

use midrib::cluster::SpectralClusters;
use midrib::connect::PointGraph;
use midrib::measure::{Normalization, ari, nmi, purity};
use midrib_io::Labels;
use serde::Serialize;
use serde::ser::{SerializeMap, Serializer};
use serde_json::{Map, Value};

use crate::error::Result;

/// The figures of clusters: the content of `clusters.json`.
#[derive(Clone, Debug, Serialize)]
pub struct ClusterSummary {
    /// The version of the layout.
    pub schema: u32,
    /// The version of midrib.
    pub midrib: String,
    /// The table.
    pub input: String,
    /// The number of points.
    pub points: usize,
    /// The name of the graph of the points.
    pub graph: String,
    /// The settings of the graph.
    pub settings: Map<String, Value>,
    /// The number of edges.
    pub edges: usize,
    /// The number of components.
    pub components: usize,
    /// The number of points in no cluster.
    pub isolated: usize,
    /// How well points are rebuilt from their neighbors, where the graph does that.
    pub rebuilt: Option<RebuiltSummary>,
    /// The number of clusters.
    pub clusters: usize,
    /// The number of points in each cluster.
    pub sizes: Vec<usize>,
    /// The smallest eigenvalues of the Laplacian.
    pub eigenvalues: Vec<f64>,
    /// The agreement with each column of labels.
    #[serde(serialize_with = "by_label")]
    pub agreement: Vec<(String, ClusterAgreement)>,
    /// What else a reader should know.
    pub notes: Vec<String>,
}

/// How well points are rebuilt from their neighbors.
#[derive(Clone, Debug, Serialize)]
pub struct RebuiltSummary {
    /// The mean cost of a point.
    pub mean_cost: f64,
    /// The widest duality gap.
    pub widest_gap: f64,
}

/// How well clusters agree with labels.
#[derive(Clone, Debug, Serialize)]
pub struct ClusterAgreement {
    /// Normalized mutual information, divided by the larger entropy.
    pub nmi: f64,
    /// Normalized mutual information, divided by the mean entropy.
    pub nmi_arithmetic: f64,
    /// The adjusted Rand index.
    pub ari: f64,
    /// The share of points whose label is the most common one of their cluster.
    pub purity: f64,
    /// The number of different labels.
    pub classes: usize,
    /// The number of points with a label.
    pub points: usize,
}

fn by_label<S: Serializer>(
    agreement: &[(String, ClusterAgreement)],
    serializer: S,
) -> std::result::Result<S::Ok, S::Error> {
    let mut map = serializer.serialize_map(Some(agreement.len()))?;
    for (label, measured) in agreement {
        map.serialize_entry(label, measured)?;
    }
    map.end()
}

/// How well the clusters agree with each column of labels. Points in no cluster count as one more;
/// points without a label do not count. Columns that were set aside by themselves and that name
/// every point are names.
pub(crate) fn agreement(
    clusters: &SpectralClusters,
    labels: &[Labels],
    set_aside: &[String],
) -> Result<Vec<(String, ClusterAgreement)>> {
    let mut agreement = Vec::new();
    for Labels { name, values } in labels {
        let labeled = values.iter().zip(&clusters.labels).filter(|(v, _)| !v.is_empty());
        let (classes, clusters): (Vec<&str>, Vec<String>) =
            labeled.map(|(value, cluster)| (value.as_str(), cluster_name(*cluster))).unzip();
        let mut different = classes.clone();
        different.sort_unstable();
        different.dedup();
        let is_name = different.len() == classes.len() && set_aside.contains(name);
        if classes.is_empty() || is_name {
            continue;
        }
        let measured = ClusterAgreement {
            nmi: nmi(&clusters, &classes, Normalization::Max)?,
            nmi_arithmetic: nmi(&clusters, &classes, Normalization::Arithmetic)?,
            ari: ari(&clusters, &classes)?,
            purity: purity(&clusters, &classes)?,
            classes: different.len(),
            points: classes.len(),
        };
        agreement.push((name.clone(), measured));
    }
    Ok(agreement)
}

/// The number of points in each cluster.
pub(crate) fn cluster_sizes(clusters: &SpectralClusters) -> Vec<usize> {
    let mut sizes = vec![0_usize; clusters.n_clusters];
    for &label in clusters.labels.iter().flatten() {
        sizes[label] += 1;
    }
    sizes
}

/// How well the points of a graph are rebuilt.
pub(crate) fn rebuilt_summary(graph: &PointGraph) -> Option<RebuiltSummary> {
    let rebuilt = graph.rebuilt.as_ref()?;
    let mean_cost = rebuilt.costs.iter().sum::<f64>() / rebuilt.costs.len() as f64;
    Some(RebuiltSummary { mean_cost, widest_gap: rebuilt.widest_gap })
}

/// The number of a cluster; empty for points in none.
pub(crate) fn cluster_name(cluster: Option<usize>) -> String {
    cluster.map_or_else(String::new, |cluster| cluster.to_string())
}
