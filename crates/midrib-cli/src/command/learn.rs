//! From points to a directory of results: what `fit` and `demo` share.

use std::path::Path;
use std::process::ExitCode;

use midrib::Points;
use midrib::graph::{PrincipalGraph, Projection};
use midrib::learn::{Choice, End, Entry, Fitted, Given, Surface, SurfacePlaces};
use midrib::math::Matrix;
use midrib::prepare::{Kernel, KernelFunction, KernelWidth, Preparation, Similarity, Transform};
pub use midrib_io::prepared_names as feature_names;
use midrib_io::{
    Input, Labels, LearntGraph, Model, NodeColumns, PointRows, write_directory, write_edges,
    write_embedding, write_graphml, write_nodes, write_points,
};
use midrib_report::DrawnTable;
use serde_json::{Value, json};

use super::report::{self, REPORT, Run};
use super::root::write_lineages;
use super::summary::Summary;
use crate::exit::{INTERRUPTED, NOT_CONVERGED, OK, Outcome};
use crate::talk::Talk;

/// The points as they are learnt from, and how they came to be so.
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
    /// For model.json; empty where nothing was done.
    pub fn recipe(&self) -> Value {
        self.transform.as_ref().map_or(json!({}), |transform| json!(transform))
    }

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

/// A learnt graph with the place of every point on it.
pub struct Learnt {
    pub fitted: Fitted,
    pub projection: Projection,
    /// Where the graph is the net of a surface.
    pub on_surface: Option<OnSurface>,
}

/// A surface with the points' places on it.
pub struct OnSurface {
    pub surface: Surface,
    pub places: SurfacePlaces,
}

impl OnSurface {
    /// For each node its inner coordinates and how densely the points lie there.
    fn node_columns(&self, points: &Points<'_>) -> Outcome<NodeColumns> {
        let inner = &self.surface.net().inner;
        let density = self.surface.density(points, &self.places)?;
        let rows = inner.rows().zip(density);
        let rows: Vec<Vec<f64>> = rows.map(|(z, density)| [z, &[density]].concat()).collect();
        let mut names: Vec<String> = (1..=inner.n_cols()).map(|axis| format!("z{axis}")).collect();
        names.push("density".into());
        Ok(NodeColumns::new(names, Matrix::from_rows(&rows)?)?)
    }
}

/// What the tables of a learnt graph tell of its nodes.
pub fn node_columns(learnt: &LearntGraph, points: &Points<'_>) -> Outcome<NodeColumns> {
    let columns = learnt.node_columns()?;
    let Some(surface) = learnt.surface.clone() else { return Ok(columns) };
    let on = OnSurface { places: surface.project(points)?, surface };
    Ok(columns.and(&on.node_columns(points)?)?)
}

pub fn learn(
    entry: &Entry,
    settings: &Value,
    points: &Points<'_>,
    given: Given<'_>,
    talk: &Talk,
) -> Outcome<Learnt> {
    let mut watch = talk.watch();
    let fitted = entry.fit(settings, points, given, &mut watch);
    watch.finish();
    let fitted = fitted?;
    let projection = fitted.graph.project(points)?;
    let on_surface = match fitted.surface()? {
        Some(surface) => Some(OnSurface { places: surface.project(points)?, surface }),
        None => None,
    };
    Ok(Learnt { fitted, projection, on_surface })
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
    learnt: &Learnt,
    choices: &[Choice],
    input: Input,
    points: &Points<'_>,
) -> Outcome<Model> {
    let mean_squared_distance = match &learnt.on_surface {
        Some(on) => on.places.mean_squared_distance(points)?,
        None => learnt.projection.mean_squared_distance(points)?,
    };
    let model = Model::new(&learnt.fitted, choices, input);
    Ok(model.measured(&learnt.fitted, mean_squared_distance, points)?)
}

/// Writes the directory of results, whole or not at all.
pub fn write(
    directory: &Path,
    force: bool,
    summary: &Summary<'_>,
    learnt: &Learnt,
    prepared: &Prepared,
    labels: &[Labels],
    run: &Run,
) -> Outcome<()> {
    let Learnt { fitted: Fitted { graph, .. }, projection, on_surface } = learnt;
    let model = summary.model();
    let features = &model.input.features;
    let mut columns = NodeColumns::of_table(graph, prepared.transform.as_ref(), features)?;
    if let Some(on) = on_surface {
        columns = columns.and(&on.node_columns(&prepared.points)?)?;
    }
    let placed = PlacedPoints {
        points: Some(&prepared.points),
        ids: prepared.points.ids(),
        projection,
        labels,
        root: &model.root,
        pseudotime_sd: None,
        places: on_surface.as_ref().map(|on| &on.places),
        table: prepared.table.as_ref(),
    };
    write_results(directory, force, summary, graph, &columns, Some(placed), run)
}

/// Points with their places on a graph.
pub struct PlacedPoints<'p> {
    /// None where only their places are known.
    pub points: Option<&'p Points<'p>>,
    pub ids: Option<&'p [String]>,
    pub projection: &'p Projection,
    pub labels: &'p [Labels],
    /// The nodes from which pseudotime is counted; none for no pseudotime.
    pub root: &'p [usize],
    /// How their pseudotime varies over replicas, where that is known.
    pub pseudotime_sd: Option<&'p [f64]>,
    /// Where the graph is the net of a surface.
    pub places: Option<&'p SurfacePlaces>,
    /// Their columns before they were prepared; none if those are the points' own.
    pub table: Option<&'p DrawnTable>,
}

/// Writes a directory of results, whole or not at all; without points no points.csv.
pub fn write_results(
    directory: &Path,
    force: bool,
    summary: &Summary<'_>,
    graph: &PrincipalGraph,
    columns: &NodeColumns,
    placed: Option<PlacedPoints<'_>>,
    run: &Run,
) -> Outcome<()> {
    let model = summary.model();
    let page = report::page(directory, summary, graph, placed.as_ref(), run, &[])?;
    write_directory(directory, force, |staging| {
        model.write(&staging.join("model.json"))?;
        write_nodes(&staging.join("nodes.csv"), graph, columns)?;
        let support = model.edge_support();
        write_edges(&staging.join("edges.csv"), graph, support)?;
        if let Some(PlacedPoints {
            points,
            ids,
            projection,
            labels,
            root,
            pseudotime_sd,
            places,
            ..
        }) = &placed
        {
            let rooted = if root.is_empty() { None } else { Some(graph.root(root)?) };
            let time = rooted.as_ref().map(|rooted| rooted.pseudotime(projection)).transpose()?;
            let mut rows =
                PointRows { pseudotime: time.as_deref(), ..PointRows::of(graph, projection) };
            rows.pseudotime_sd = *pseudotime_sd;
            if let Some(places) = places {
                rows.distance = &places.distance;
            }
            write_points(&staging.join("points.csv"), *ids, &rows, labels)?;
            if let Some(rooted) = &rooted {
                write_lineages(&staging.join("lineages.csv"), graph, rooted, projection)?;
            }
            let inner = places.map(|places| &places.inner);
            let embedding = model.latent.embedding.as_ref().or(inner);
            if let (Some(points), Some(embedding)) = (points, embedding) {
                write_embedding(&staging.join("embedding.csv"), points, embedding, labels)?;
            }
        }
        write_graphml(&staging.join("graph.graphml"), graph, columns, support)?;
        let path = staging.join(REPORT);
        std::fs::write(&path, page).map_err(|error| midrib_io::Error::writing(&path, &error))
    })?;
    Ok(())
}
