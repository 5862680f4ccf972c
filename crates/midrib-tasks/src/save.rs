//! Writing a directory of results.

use std::path::Path;

use midrib::Points;
use midrib::graph::{PrincipalGraph, Projection, Rooted};
use midrib::math::Matrix;
use midrib::object::{Object, Surface, u_matrix};
use midrib_io::{
    Model, NodeColumns, PointRows, write_axes, write_directory, write_edges, write_embedding,
    write_graphml, write_nodes, write_points, write_table, write_text,
};

use crate::error::Result;
use crate::listener::Wording;
use crate::report::{REPORT, ReportRequest, ResultPoints, nodes_in_table, report};
use crate::summary::Summary;

/// Results to write.
#[derive(Clone, Copy, Debug)]
pub struct SaveRequest<'a> {
    /// The directory.
    pub directory: &'a Path,
    /// Whether results that are already there are replaced.
    pub force: bool,
    /// The object and its history.
    pub model: &'a Model,
    /// Its figures.
    pub summary: &'a Summary,
    /// Its points; without them no tables of points are written.
    pub points: Option<ResultPoints<'a>>,
    /// How the report names settings.
    pub wording: Wording,
}

/// Writes a directory of results, whole or not at all.
pub fn save(request: &SaveRequest<'_>) -> Result<()> {
    let SaveRequest { directory, force, model, summary, points, wording } = *request;
    let table_nodes = nodes_in_table(model)?;
    let page = report(&ReportRequest {
        model,
        summary,
        points,
        directory,
        table_nodes: table_nodes.as_ref(),
        warnings: &[],
        wording,
    })?;
    let columns = match model.object.graph() {
        Some(_) => Some(node_columns(model, table_nodes, points.as_ref())?),
        None => None,
    };
    write_directory(directory, force, |staging| {
        model.write(&staging.join("model.json"))?;
        let support = model.edge_support();
        if let (Some(graph), Some(columns)) = (model.object.graph(), &columns) {
            write_nodes(&staging.join("nodes.csv"), graph, columns)?;
            write_edges(&staging.join("edges.csv"), graph, support)?;
            write_graphml(&staging.join("graph.graphml"), graph, columns, support)?;
        }
        if let Object::Flats(flats) = &model.object {
            write_axes(&staging.join("axes.csv"), flats, &model.feature_names())?;
        }
        if let Some(points) = &points {
            save_points(staging, model, points)?;
        }
        write_text(&staging.join(REPORT), &page)
    })?;
    Ok(())
}

/// The columns of the nodes in tables; `in_table` is where they are in the table, see
/// [`nodes_in_table`].
pub fn node_columns(
    model: &Model,
    in_table: Option<Matrix>,
    points: Option<&ResultPoints<'_>>,
) -> Result<NodeColumns> {
    let columns = NodeColumns::of_table(model, in_table)?;
    let known = points.map(|points| (points.points, points.inner));
    match (model.object.surface(), known) {
        (Some(surface), Some((Some(points), Some(inner)))) => {
            Ok(columns.and(&map_columns(model.graph()?, surface, inner, points)?)?)
        }
        _ => Ok(columns),
    }
}

/// For each node of a map its inner coordinates, how densely the points lie there, and how far its
/// neighbors are.
fn map_columns(
    graph: &PrincipalGraph,
    surface: &Surface,
    inner: &Matrix,
    points: &Points<'_>,
) -> Result<NodeColumns> {
    let density = surface.density(points, inner)?;
    let inner = &surface.net().inner;
    let rows = inner.rows().zip(density).zip(u_matrix(graph));
    let rows: Vec<Vec<f64>> = rows.map(|((z, density), u)| [z, &[density, u]].concat()).collect();
    let mut names: Vec<String> = (1..=inner.n_cols()).map(|axis| format!("z{axis}")).collect();
    names.extend(["density", "u_matrix"].map(Into::into));
    Ok(NodeColumns::new(names, Matrix::from_rows(&rows)?)?)
}

/// Writes the tables of the points.
pub fn save_points(
    staging: &Path,
    model: &Model,
    points: &ResultPoints<'_>,
) -> midrib_io::Result<()> {
    let n = points.len();
    let ResultPoints { points, ids, projection, labels, pseudotime_sd, inner, .. } = *points;
    let rooted = match (&model.root[..], projection) {
        ([], _) | (_, None) => None,
        (root, Some(projection)) => Some((model.graph()?.root(root)?, projection)),
    };
    let time = rooted.as_ref().map(|(rooted, on)| rooted.pseudotime(on)).transpose()?;
    let rows = PointRows {
        pseudotime: time.as_deref(),
        pseudotime_sd,
        ..PointRows::of(model.object.graph(), projection)
    };
    write_points(&staging.join("points.csv"), ids, n, &rows, labels)?;
    if let (Some((rooted, on)), Some(graph)) = (&rooted, model.object.graph()) {
        write_lineages(&staging.join("lineages.csv"), graph, rooted, on)?;
    }
    let learned = model.object.embedding().map(|embedding| &embedding.coordinates);
    let embedding = learned.or(inner);
    if let (Some(points), Some(embedding)) = (points, embedding) {
        write_embedding(&staging.join("embedding.csv"), points, embedding, labels)?;
    }
    Ok(())
}

/// Writes `lineages.csv`: lineage, root, end, length, points, nodes in their order.
fn write_lineages(
    path: &Path,
    graph: &PrincipalGraph,
    rooted: &Rooted<'_>,
    projection: &Projection,
) -> midrib_io::Result<()> {
    let mut rows = Vec::new();
    for (number, lineage) in rooted.lineages().iter().enumerate() {
        let on = rooted.on_lineage(lineage, projection)?;
        let points = on.weight.iter().filter(|&&weight| weight > 0.0).count();
        let nodes: Vec<String> = lineage.nodes.iter().map(usize::to_string).collect();
        rows.push([
            number.to_string(),
            nodes[0].clone(),
            nodes[nodes.len() - 1].clone(),
            lineage.length(graph).to_string(),
            points.to_string(),
            nodes.join(" "),
        ]);
    }
    write_table(path, &["lineage", "root", "end", "length", "points", "nodes"], rows)
}
