//! What `midrib cluster` writes and says.

use std::fmt::Write as _;
use std::path::Path;

use midrib::Points;
use midrib::cluster::SpectralClusters;
use midrib::connect::PointGraph;
use midrib::graph::PrincipalGraph;
use midrib::math::Matrix;
use midrib::measure::{Normalization, ari, nmi, purity};
use midrib_io::{
    Labels, NodeColumns, write_directory, write_edges, write_graphml, write_json, write_table,
};
use serde_json::{Map, Value, json};

use super::summary::short;
use crate::exit::Outcome;
use crate::talk::count;

/// A graph and the groups found in it.
pub struct Results<'r> {
    pub input: &'r Path,
    pub points: &'r Points<'r>,
    pub labels: &'r [Labels],
    /// Names of those labels that nobody asked for.
    pub set_aside: &'r [String],
    pub graph_name: &'r str,
    pub settings: Map<String, Value>,
    pub graph: &'r PointGraph,
    pub clusters: &'r SpectralClusters,
}

impl Results<'_> {
    /// The content of clusters.json.
    pub fn summary(&self) -> Outcome<Value> {
        let SpectralClusters { n_clusters, eigenvalues, n_components, notes, .. } = self.clusters;
        let mut sizes = vec![0_usize; *n_clusters];
        for &label in self.clusters.labels.iter().flatten() {
            sizes[label] += 1;
        }
        let rebuilt = self.graph.rebuilt.as_ref().map(|rebuilt| {
            let mean = rebuilt.costs.iter().sum::<f64>() / rebuilt.costs.len() as f64;
            json!({"mean_cost": mean, "widest_gap": rebuilt.widest_gap})
        });
        Ok(json!({
            "schema": 1,
            "midrib": env!("CARGO_PKG_VERSION"),
            "input": self.input.display().to_string(),
            "points": self.points.len(),
            "graph": self.graph_name,
            "settings": self.settings,
            "edges": self.graph.edges.len(),
            "components": n_components,
            "isolated": self.clusters.labels.iter().filter(|label| label.is_none()).count(),
            "rebuilt": rebuilt,
            "clusters": n_clusters,
            "sizes": sizes,
            "eigenvalues": eigenvalues,
            "agreement": self.agreement()?,
            "notes": notes,
        }))
    }

    /// How well the clusters agree with each column of labels. Points in no cluster count as one
    /// more; points without a label do not count. Labels that nobody asked for and that name every
    /// point are names.
    fn agreement(&self) -> Outcome<Map<String, Value>> {
        let mut agreement = Map::new();
        for Labels { name, values } in self.labels {
            let labeled = values.iter().zip(&self.clusters.labels).filter(|(v, _)| !v.is_empty());
            let (classes, clusters): (Vec<&str>, Vec<String>) =
                labeled.map(|(value, cluster)| (value.as_str(), text(*cluster))).unzip();
            let mut different = classes.clone();
            different.sort_unstable();
            different.dedup();
            let is_name = different.len() == classes.len() && self.set_aside.contains(name);
            if classes.is_empty() || is_name {
                continue;
            }
            let measured = json!({
                "nmi": nmi(&clusters, &classes, Normalization::Max)?,
                "nmi_arithmetic": nmi(&clusters, &classes, Normalization::Arithmetic)?,
                "ari": ari(&clusters, &classes)?,
                "purity": purity(&clusters, &classes)?,
                "classes": different.len(),
                "points": classes.len(),
            });
            agreement.insert(name.clone(), measured);
        }
        Ok(agreement)
    }

    /// The summary in words.
    pub fn text(&self, summary: &Value) -> String {
        let SpectralClusters { n_clusters, eigenvalues, n_components, notes, .. } = self.clusters;
        let mut text = format!(
            "{} of {} in a {} graph\n",
            count(*n_clusters, "cluster", "clusters"),
            count(self.points.len(), "point", "points"),
            self.graph_name
        );
        let settings = self.settings.iter().map(|(name, value)| match value {
            Value::String(word) => format!("{name} {word}"),
            Value::Number(number) => {
                format!("{name} {}", number.as_f64().map_or_else(String::new, short))
            }
            other => format!("{name} {other}"),
        });
        let mut line = |name: &str, value: String| {
            let _ = writeln!(text, "  {name:<12} {value}");
        };
        if !self.settings.is_empty() {
            line("settings", settings.collect::<Vec<_>>().join(", "));
        }
        line(
            "graph",
            format!(
                "{}, {}",
                count(self.graph.edges.len(), "edge", "edges"),
                count(*n_components, "component", "components")
            ),
        );
        if let Some(rebuilt) = &self.graph.rebuilt {
            let mean = summary["rebuilt"]["mean_cost"].as_f64().unwrap_or_default();
            let gap = rebuilt.widest_gap;
            line("rebuilding", format!("costs {} a point; widest gap {gap:.0e}", short(mean)));
        }
        let sizes = summary["sizes"].as_array().into_iter().flatten();
        line("sizes", sizes.map(Value::to_string).collect::<Vec<_>>().join(" "));
        line("eigenvalues", shown(eigenvalues, *n_clusters));
        for (name, measured) in summary["agreement"].as_object().into_iter().flatten() {
            let of = |key: &str| measured[key].as_f64().unwrap_or_default();
            line(
                name,
                format!(
                    "NMI {:.4} (arithmetic {:.4}), adjusted Rand index {:.4}, purity {:.4}; {}",
                    of("nmi"),
                    of("nmi_arithmetic"),
                    of("ari"),
                    of("purity"),
                    count(of("classes") as usize, "class", "classes")
                ),
            );
        }
        for note in notes {
            let _ = writeln!(text, "note: {note}");
        }
        text
    }
}

/// The eigenvalues of the clusters, and behind a bar those that come after the gap.
fn shown(eigenvalues: &[f64], n_clusters: usize) -> String {
    let (inside, beyond) = eigenvalues.split_at(n_clusters.min(eigenvalues.len()));
    let list =
        |values: &[f64]| values.iter().map(|x| format!("{x:.4}")).collect::<Vec<_>>().join(" ");
    let gap = match (inside.last(), beyond.first()) {
        (Some(last), Some(next)) => format!("  (gap {:.4})", last - next),
        _ => String::new(),
    };
    format!("{} | {}{gap}", list(inside), list(beyond))
}

fn text(cluster: Option<usize>) -> String {
    cluster.map_or_else(String::new, |cluster| cluster.to_string())
}

/// Writes the directory of results, whole or not at all.
pub fn write(directory: &Path, force: bool, results: &Results<'_>, summary: &Value) -> Outcome<()> {
    let Results { points, graph, clusters, labels, .. } = results;
    let n = points.len();
    let mut nodes = Matrix::zeros(n, points.dims());
    for i in 0..n {
        points.copy_row(i, nodes.row_mut(i));
    }
    let drawn = PrincipalGraph::new(nodes, &graph.edges, vec![1.0; n])?;
    let numbers = clusters.labels.iter().map(|label| label.map_or(f64::NAN, |label| label as f64));
    let columns = Matrix::new(n, 1, numbers.collect())?;
    let columns = NodeColumns::new(vec!["cluster".into()], columns)?;
    let mut header: Vec<&str> = vec!["id", "cluster"];
    header.extend(graph.rebuilt.as_ref().map(|_| "cost"));
    header.extend(labels.iter().map(|labels| labels.name.as_str()));
    let row = |i: usize| {
        let mut row = vec![points.id(i).into_owned(), text(clusters.labels[i])];
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
