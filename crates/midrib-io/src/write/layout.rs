//! The tables of drawings: where nodes and points stand on the metro map and the dendrogram.

use std::path::Path;

use midrib::math::Matrix;

use super::graph_with_points::GraphWithPoints;
use super::table::TableWriter;
use crate::error::Result;

/// The file that marks a directory of these tables.
pub const LAYOUT: &str = "layout_nodes.csv";

/// Writes `layout_nodes.csv` and `layout_points.csv` into a directory: positions on the metro map, and
/// with a root those on the dendrogram, empty where no root leads.
pub fn write_layout(directory: &Path, with_points: &GraphWithPoints<'_>) -> Result<()> {
    let GraphWithPoints { graph, points: projected, .. } = with_points;
    let metro = graph.metro_map()?;
    let projection = projected.onto_graph()?;
    let points = metro.points(graph, projection)?;
    let (mut of_nodes, mut of_points) = (vec![metro.nodes], vec![points]);
    let mut axes = vec!["metro_x", "metro_y"];
    if let Some(rooted) = with_points.rooted()? {
        let dendrogram = rooted.dendrogram();
        of_points.push(dendrogram.points(&rooted, projection)?);
        of_nodes.push(dendrogram.nodes);
        axes.extend(["dendrogram_x", "dendrogram_y"]);
    }
    let nodes: Vec<String> = (0..graph.nodes().n_rows()).map(|node| node.to_string()).collect();
    write_positions(&directory.join(LAYOUT), "node", &nodes, &axes, &of_nodes)?;
    write_positions(&directory.join("layout_points.csv"), "id", &projected.ids, &axes, &of_points)
}

/// A row for each name, with its positions in every drawing.
fn write_positions(
    path: &Path,
    first: &str,
    names: &[String],
    axes: &[&str],
    drawings: &[Matrix],
) -> Result<()> {
    let header: Vec<&str> = [&[first], axes].concat();
    let mut table = TableWriter::create(path, &header)?;
    for (i, name) in names.iter().enumerate() {
        table.text(name)?;
        for drawing in drawings {
            for &x in drawing.row(i) {
                table.number(x)?;
            }
        }
        table.end_row()?;
    }
    table.finish()
}
