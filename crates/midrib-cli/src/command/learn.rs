//! From points to a directory of results: what `fit` and `demo` share.

use std::path::Path;
use std::process::ExitCode;

use midrib::Points;
use midrib::graph::Projection;
use midrib::learn::{Choice, End, Entry, Fit, Given};
use midrib::math::Matrix;
use midrib::object::{InnerProjection, Object, Surface};
use midrib::prepare::{Kernel, KernelFunction, KernelWidth, Preparation, Similarity, Transform};
pub use midrib_io::prepared_names as feature_names;
use midrib_io::{
    Input, Labels, Model, NodeColumns, PointRows, write_axes, write_directory, write_edges,
    write_embedding, write_graphml, write_nodes, write_points,
};
use midrib_report::DrawnTable;
use serde_json::{Value, json};

use super::report::{self, REPORT};
use super::root::write_lineages;
use super::summary::Summary;
use crate::exit::{INTERRUPTED, NOT_CONVERGED, OK, Outcome};
use crate::talk::Talk;

/// The points as they are learned from, and how they came to be so.
pub struct Prepared {
    pub points: Points<'static>,
    /// The names of the prepared columns.
    pub features: Vec<String>,
    /// None where nothing was done.
    pub transform: Option<Transform>,
    /// The columns as they were before, where something was done.
    pub table: Option<DrawnTable>,
}

impl Prepared {
    /// What was left open, and how it was chosen.
    pub fn choices(&self, preparation: &Preparation) -> Vec<Choice> {
        let auto = KernelFunction::Gaussian(KernelWidth::Auto);
        let kernel = self.transform.as_ref().and_then(|transform| transform.kernel.as_ref());
        match (preparation.kernel, kernel.map(|kernel| kernel.function)) {
            (Some(Kernel { function, .. }), Some(Similarity::Gaussian { beta }))
                if function == auto =>
            {
                let chosen = KernelFunction::Gaussian(KernelWidth::Fixed(beta));
                let reason = "half the mean squared distance of two points".into();
                vec![Choice { setting: "kernel", value: json!(chosen.to_string()), reason }]
            }
            _ => Vec::new(),
        }
    }
}

pub fn prepare(
    preparation: Preparation,
    points: Points<'static>,
    features: &[String],
) -> Outcome<Prepared> {
    if preparation.is_nothing() {
        return Ok(Prepared { points, features: features.to_vec(), transform: None, table: None });
    }
    let transform = Transform::fit(preparation, &points)?;
    let table = Some(DrawnTable::of(&points, features));
    let features = feature_names(Some(&transform), features);
    let points = transform.apply(&points)?;
    Ok(Prepared { points, features, transform: Some(transform), table })
}

/// What was learned, with the projection of every point onto it.
pub struct Learned {
    pub fitted: Fit,
    pub projection: Projection,
    /// Where points are projected onto more than nodes and edges.
    pub inner: Option<InnerProjection>,
}

/// For each node of a map its inner coordinates and how densely the points lie there.
fn map_columns(
    surface: &Surface,
    inner: &InnerProjection,
    points: &Points<'_>,
) -> Outcome<NodeColumns> {
    let density = surface.density(points, inner)?;
    let inner = &surface.net().inner;
    let rows = inner.rows().zip(density);
    let rows: Vec<Vec<f64>> = rows.map(|(z, density)| [z, &[density]].concat()).collect();
    let mut names: Vec<String> = (1..=inner.n_cols()).map(|axis| format!("z{axis}")).collect();
    names.push("density".into());
    Ok(NodeColumns::new(names, Matrix::from_rows(&rows)?)?)
}

/// The columns of the nodes in tables.
pub fn node_columns(model: &Model, points: &Points<'_>) -> Outcome<NodeColumns> {
    let columns = NodeColumns::of_model(model)?;
    match (model.object.surface(), model.object.inner(points)?) {
        (Some(surface), Some(inner)) => Ok(columns.and(&map_columns(surface, &inner, points)?)?),
        _ => Ok(columns),
    }
}

pub fn learn(
    entry: &Entry,
    settings: &Value,
    points: &Points<'_>,
    given: Given<'_>,
    talk: &Talk,
) -> Outcome<Learned> {
    let mut watch = talk.watch();
    let fitted = entry.fit(settings, points, given, &mut watch);
    watch.finish();
    let fitted = fitted?;
    let projection = fitted.object.project(points)?;
    let inner = fitted.object.inner(points)?;
    Ok(Learned { fitted, projection, inner })
}

/// How to end after a fit that ended like this.
pub fn exit_code(end: End, strict: bool) -> ExitCode {
    ExitCode::from(match end {
        End::Interrupted => INTERRUPTED,
        End::MaxIter | End::Stalled if strict => NOT_CONVERGED,
        _ => OK,
    })
}

/// The model as it goes to model.json.
pub fn model(
    learned: &Learned,
    choices: &[Choice],
    input: Input,
    points: &Points<'_>,
) -> Outcome<Model> {
    let mean_squared_distance = match &learned.inner {
        Some(inner) => inner.mean_squared_distance(points)?,
        None => learned.projection.mean_squared_distance(points)?,
    };
    let model = Model::new(&learned.fitted, choices, input);
    Ok(model.measured(mean_squared_distance, points)?)
}

/// Writes the directory of results, whole or not at all.
pub fn write(
    directory: &Path,
    force: bool,
    summary: &Summary<'_>,
    learned: &Learned,
    prepared: &Prepared,
    labels: &[Labels],
) -> Outcome<()> {
    let model = summary.model();
    let columns = match model.object.graph() {
        Some(_) => Some(node_columns(model, &prepared.points)?),
        None => None,
    };
    let placed = PlacedPoints {
        points: Some(&prepared.points),
        ids: prepared.points.ids(),
        projection: &learned.projection,
        labels,
        root: &model.root,
        pseudotime_sd: None,
        inner: learned.inner.as_ref(),
        table: prepared.table.as_ref(),
    };
    write_results(directory, force, summary, columns.as_ref(), Some(placed))
}

/// Points with their projections onto an object.
pub struct PlacedPoints<'p> {
    /// None where only their projections are known.
    pub points: Option<&'p Points<'p>>,
    pub ids: Option<&'p [String]>,
    pub projection: &'p Projection,
    pub labels: &'p [Labels],
    /// The nodes from which pseudotime is counted; none for no pseudotime.
    pub root: &'p [usize],
    /// How their pseudotime varies over replicas, where that is known.
    pub pseudotime_sd: Option<&'p [f64]>,
    /// Where points are projected onto more than nodes and edges.
    pub inner: Option<&'p InnerProjection>,
    /// Their columns before they were prepared; none if those are the points' own.
    pub table: Option<&'p DrawnTable>,
}

/// Writes a directory of results, whole or not at all; without points no points.csv.
pub fn write_results(
    directory: &Path,
    force: bool,
    summary: &Summary<'_>,
    columns: Option<&NodeColumns>,
    placed: Option<PlacedPoints<'_>>,
) -> Outcome<()> {
    let model = summary.model();
    let page = report::page(directory, summary, placed.as_ref(), &[])?;
    write_directory(directory, force, |staging| {
        model.write(&staging.join("model.json"))?;
        let support = model.edge_support();
        if let (Some(graph), Some(columns)) = (model.object.graph(), columns) {
            write_nodes(&staging.join("nodes.csv"), graph, columns)?;
            write_edges(&staging.join("edges.csv"), graph, support)?;
            write_graphml(&staging.join("graph.graphml"), graph, columns, support)?;
        }
        if let Object::Flats(flats) = &model.object {
            write_axes(&staging.join("axes.csv"), flats, &model.feature_names())?;
        }
        if let Some(placed) = &placed {
            write_placed(staging, model, placed)?;
        }
        let path = staging.join(REPORT);
        std::fs::write(&path, page).map_err(|error| midrib_io::Error::writing(&path, &error))
    })?;
    Ok(())
}

/// Writes the tables of the points.
fn write_placed(staging: &Path, model: &Model, placed: &PlacedPoints<'_>) -> midrib_io::Result<()> {
    let PlacedPoints { points, ids, projection, labels, root, pseudotime_sd, inner, .. } = placed;
    let rooted = match root {
        [] => None,
        root => Some(model.graph()?.root(root)?),
    };
    let time = rooted.as_ref().map(|rooted| rooted.pseudotime(projection)).transpose()?;
    let mut rows = PointRows {
        pseudotime: time.as_deref(),
        pseudotime_sd: *pseudotime_sd,
        ..PointRows::of(model.object.graph(), projection)
    };
    if let Some(inner) = inner {
        rows.distance = &inner.distance;
    }
    write_points(&staging.join("points.csv"), *ids, &rows, labels)?;
    if let (Some(rooted), Some(graph)) = (&rooted, model.object.graph()) {
        write_lineages(&staging.join("lineages.csv"), graph, rooted, projection)?;
    }
    let learned = model.object.embedding().map(|embedding| &embedding.coordinates);
    let embedding = learned.or(inner.map(|inner| &inner.coordinates));
    if let (Some(points), Some(embedding)) = (points, embedding) {
        write_embedding(&staging.join("embedding.csv"), points, embedding, labels)?;
    }
    Ok(())
}
