//! Writing clusters: a directory of plain files.

use std::path::Path;

use midrib::Points;
use midrib::cluster::SpectralClusters;
use midrib::connect::PointGraph;
use midrib::graph::PrincipalGraph;
use midrib::math::Matrix;
use midrib_io::{
    Labels, NodeColumns, write_directory, write_edges, write_graphml, write_json, write_table,
};

use crate::cluster_summary::{ClusterSummary, cluster_name};
use crate::columns::rows_of;
use crate::error::Result;

/// Clusters to write.
pub(crate) struct ClusterFiles<'a> {
    pub points: &'a Points<'a>,
    pub labels: &'a [Labels],
    pub graph: &'a PointGraph,
    pub clusters: &'a SpectralClusters,
    pub summary: &'a ClusterSummary,
}

/// Writes the directory of results, whole or not at all.
pub(crate) fn save_clusters(directory: &Path, force: bool, files: &ClusterFiles<'_>) -> Result<()> {
    let ClusterFiles { points, labels, graph, clusters, summary } = *files;
    let n = points.len();
    let drawn = PrincipalGraph::new(rows_of(points), &graph.edges, vec![1.0; n])?;
    let numbers = clusters.labels.iter().map(|label| label.map_or(f64::NAN, |label| label as f64));
    let columns = Matrix::new(n, 1, numbers.collect())?;
    let columns = NodeColumns::new(vec!["cluster".into()], columns)?;
    let mut header: Vec<&str> = vec!["id", "cluster"];
    header.extend(graph.rebuilt.as_ref().map(|_| "cost"));
    header.extend(labels.iter().map(|labels| labels.name.as_str()));
    let row = |i: usize| {
        let mut row = vec![points.id(i).into_owned(), cluster_name(clusters.labels[i])];
        row.extend(graph.rebuilt.as_ref().map(|rebuilt| rebuilt.costs[i].to_string()));
        row.extend(labels.iter().map(|labels| labels.values[i].clone()));
        row
    };
    let eigenvalues = clusters.eigenvalues.iter().enumerate();
    write_directory(directory, force, |staging| {
        write_json(&staging.join("clusters.json"), summary)?;
        write_table(&staging.join("labels.csv"), &header, (0..n).map(row))?;
        write_edges(&staging.join("edges.csv"), &drawn, None)?;
        write_table(
            &staging.join("eigenvalues.csv"),
            &["number", "eigenvalue"],
            eigenvalues.map(|(i, value)| [(i + 1).to_string(), value.to_string()]),
        )?;
        write_graphml(&staging.join("graph.graphml"), &drawn, &columns, None)
    })?;
    Ok(())
}
