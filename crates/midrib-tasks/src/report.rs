//! The report: one page to explore a learned object.

use std::path::{Path, PathBuf};

use midrib::Points;
use midrib::graph::Projection;
use midrib::math::Matrix;
use midrib::object::{Embedding, EmbeddingRule, Located, Object};
use midrib_io::{
    Labels, Model, ProjectedPoints, ReadOptions, read_projected_points, write_file, write_text,
};
use midrib_report::{DrawnTable, Report, ReportPoints, html, with_root};

use crate::describe::describe;
use crate::drawn_object::{ReportScene, drawn_graph};
use crate::error::Result;
use crate::listener::Wording;
use crate::memory::Memory;
use crate::open::{TrainingRequest, directory_of, open_training_table};
use crate::phrases::{share_of_table, step};
use crate::summary::{Summary, summarize};

/// The name of the report among results.
pub const REPORT: &str = "report.html";

/// The points of a result, for its report and its tables.
#[derive(Clone, Copy, Debug)]
pub struct ResultPoints<'a> {
    /// The prepared points; none where only their projections are known.
    pub points: Option<&'a Points<'a>>,
    /// Their names; row numbers if none.
    pub ids: Option<&'a [String]>,
    /// Their projections; none where there is nothing to project onto.
    pub projection: Option<&'a Projection>,
    /// Their labels.
    pub labels: &'a [Labels],
    /// The spread of their pseudotime over replicas, where it is known.
    pub pseudotime_sd: Option<&'a [f64]>,
    /// Their inner coordinates, if the object has inner coordinates.
    pub inner: Option<&'a Matrix>,
    /// Their columns before they were prepared; none if those are the points' own.
    pub table: Option<&'a DrawnTable>,
}

impl<'a> ResultPoints<'a> {
    /// Points in memory, and where they are on the object.
    pub fn new(points: &'a Points<'a>, located: &'a Located, labels: &'a [Labels]) -> Self {
        let ids = points.ids();
        let (projection, inner) = (located.projection.as_ref(), located.inner.as_ref());
        let points = Some(points);
        Self { points, ids, projection, labels, pseudotime_sd: None, inner, table: None }
    }

    /// Points of results, without the values that they were learned from.
    pub fn read_back(read: &'a ProjectedPoints) -> Self {
        Self {
            points: None,
            ids: Some(&read.ids),
            projection: read.projection.as_ref(),
            labels: &read.labels,
            pseudotime_sd: None,
            inner: None,
            table: None,
        }
    }

    /// The number of points.
    pub fn len(&self) -> usize {
        let of_ids = || self.ids.map_or(0, <[String]>::len);
        let known = self.projection.map(|projection| projection.node.len());
        known.or(self.points.map(Points::len)).unwrap_or_else(of_ids)
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// What a report shows.
#[derive(Clone, Copy, Debug)]
pub struct ReportRequest<'a> {
    /// The object and its history.
    pub model: &'a Model,
    /// Its figures.
    pub summary: &'a Summary,
    /// Its points, if they are known.
    pub points: Option<ResultPoints<'a>>,
    /// The directory of the results, which the commands on the page name.
    pub directory: &'a Path,
    /// Where its nodes are in the columns of the table, if they can be traced back to it; see
    /// [`nodes_in_table`].
    pub table_nodes: Option<&'a Matrix>,
    /// Warnings before all others.
    pub warnings: &'a [String],
    /// How settings are named.
    pub wording: Wording,
}

/// The report of a model as an HTML page.
///
/// ```
/// use std::path::Path;
/// use midrib::{Points, graph::PrincipalGraph, math::Matrix};
/// use midrib_io::Model;
/// use midrib_tasks::{ReportRequest, ResultPoints, Wording, report, summarize};
/// let nodes = Matrix::from_rows(&[[0.0, 0.0], [1.0, 0.0]])?;
/// let graph = PrincipalGraph::new(nodes, &[(0, 1, 1.0)], vec![1.0; 2])?;
/// let points = Points::from_f64(vec![0.5, 0.1, 0.9, 0.0], 2)?;
/// let model = Model::of_graph("given", graph, vec!["x".into(), "y".into()]);
/// let located = model.object.locate(&points)?;
/// let page = report(&ReportRequest {
///     model: &model,
///     summary: &summarize(&model)?,
///     points: Some(ResultPoints::new(&points, &located, &[])),
///     directory: Path::new("."),
///     table_nodes: None,
///     warnings: &[],
///     wording: Wording::NAMES,
/// })?;
/// assert!(page.starts_with("<!DOCTYPE html>"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn report(request: &ReportRequest<'_>) -> Result<String> {
    let ReportRequest { model, summary, points, directory, table_nodes, warnings, wording } =
        *request;
    let known = points.and_then(|points| points.points);
    let n_points = points.map_or(0, |points| points.len());
    let scene = ReportScene::of(&model.object, n_points, known)?;
    let graph = &*scene.graph;
    let mut description = describe(model, summary, directory, wording);
    description.warnings.splice(0..0, warnings.iter().cloned());
    let labels: Vec<(&str, &[String])> = points
        .iter()
        .flat_map(|points| points.labels)
        .map(|labels| (labels.name.as_str(), &labels.values[..]))
        .collect();
    let names = model.feature_names();
    let latent = match scene.embedding {
        Some(embedding) => Some(("latent space", embedding.into_owned())),
        None => on_map(&model.object, points)?.map(|embedding| ("map", embedding)),
    };
    let at_center = scene.projection.as_ref();
    let own: DrawnTable;
    let (table, table_nodes) = match points.map(|points| (points.table, points.points)) {
        Some((Some(table), _)) if at_center.is_some() => (Some(table), None),
        Some((Some(table), _)) => (Some(table), table_nodes),
        Some((None, Some(points))) => {
            own = DrawnTable::of(points, &names);
            (Some(&own), Some(graph.nodes()))
        }
        _ => (None, None),
    };
    let of_points = points.and_then(|points| Some((points, points.projection.or(at_center)?)));
    let points = of_points.map(|(points, projection)| ReportPoints {
        projection,
        ids: points.ids,
        labels: &labels,
        prepared: points.points.map(|points| (points, &names[..])),
        variance_share: share_of_table(model.input.prepare.as_ref()).0,
        table,
        table_nodes,
        latent: latent.as_ref().map(|(name, embedding)| (*name, embedding)),
    });
    Ok(html(&Report {
        graph,
        points,
        root: &model.root,
        trace: &model.trace,
        untraced: model.untraced(),
        step: step(model),
        tuning: model.tuning.as_ref(),
        description: &description,
    })?)
}

/// The points and the nodes of a sheet or box at their inner coordinates.
fn on_map(object: &Object, points: Option<ResultPoints<'_>>) -> Result<Option<Embedding>> {
    let surface = object.surface().filter(|surface| surface.net().shape.dims() > 1);
    let (Some(surface), Some(points)) = (surface, points) else { return Ok(None) };
    let inner = match (points.inner, points.points) {
        (Some(inner), _) => Some(inner.clone()),
        (None, Some(points)) => object.locate(points)?.inner,
        (None, None) => None,
    };
    Ok(inner.map(|coordinates| Embedding {
        coordinates,
        nodes: Some(surface.net().inner.clone()),
        rule: EmbeddingRule::TrainingOnly,
    }))
}

/// The positions of what is drawn as nodes of a model, in the columns of the table.
pub fn nodes_in_table(model: &Model) -> Result<Option<Matrix>> {
    Ok(model.in_table(drawn_graph(&model.object)?.nodes())?)
}

/// Results that were written before, and the report to make of them.
#[derive(Clone, Debug)]
pub struct ReportOfResults<'a> {
    /// The results: the directory or its `model.json`.
    pub results: &'a Path,
    /// The directory of the page's results, where it is not theirs.
    pub directory: Option<&'a Path>,
    /// The table of the points, where it is not the file that the model names.
    pub table: Option<&'a Path>,
    /// How settings are named.
    pub wording: Wording,
}

/// The report of results that were written before; `model` is theirs, perhaps with other roots.
pub fn report_of_results(request: &ReportOfResults<'_>, model: &Model) -> Result<String> {
    let ReportOfResults { results, directory, table, wording } = *request;
    let home = directory_of(results);
    let directory = directory.unwrap_or(&home);
    let summary = &summarize(model)?;
    let table_nodes = nodes_in_table(model)?;
    let table_nodes = table_nodes.as_ref();
    let page = |points: Option<ResultPoints<'_>>, warnings: &[String]| {
        report(&ReportRequest { model, summary, points, directory, table_nodes, warnings, wording })
    };
    if !home.join("points.csv").exists() {
        let why = "The results hold no projected points: the graph stands alone.";
        return page(None, &[why.into()]);
    }
    let projected = read_projected_points(results, model)?;
    let (options, max_memory) = (ReadOptions::default(), Memory(u64::MAX));
    let training = TrainingRequest { results, table, options, max_memory };
    let found =
        open_training_table(&training, model).and_then(|found| found.of_rows(projected.ids.len()));
    let (found, missing) = match found {
        Ok(found) => (Some(found), vec![]),
        // A table that was named has to be there.
        Err(error) if table.is_some() => return Err(error),
        Err(error) => (
            None,
            vec![format!(
                "The table of the points cannot be read ({}), so they are drawn at their \
                 projections onto the graph. {} draws them where they are.",
                (wording.text)(&error.to_string()),
                (wording.value)("points", "TABLE")
            )],
        ),
    };
    let points = ResultPoints {
        points: found.as_ref().map(|found| &found.points),
        table: found.as_ref().map(|found| &found.drawn),
        ..ResultPoints::read_back(&projected)
    };
    page(Some(points), &missing)
}

/// The report among results, with the roots of the model.
pub fn report_with_roots(results: &Path, model: &Model, wording: Wording) -> Result<String> {
    // The page counts pseudotime itself: only the roots change in it.
    let page = directory_of(results).join(REPORT);
    let page = std::fs::read_to_string(page).unwrap_or_default();
    match with_root(&page, &model.root) {
        Some(page) => Ok(page),
        None => {
            let request = ReportOfResults { results, directory: None, table: None, wording };
            report_of_results(&request, model)
        }
    }
}

/// Writes the report of results to a file, by default among them. Returns the file.
pub fn write_report(
    request: &ReportOfResults<'_>,
    output: Option<&Path>,
    force: bool,
) -> Result<PathBuf> {
    let model = Model::read(request.results)?;
    let page = report_of_results(request, &model)?;
    let (output, force) = match output {
        Some(output) => (output.to_owned(), force),
        None => (directory_of(request.results).join(REPORT), true),
    };
    write_file(&output, force, |path| write_text(path, &page))?;
    Ok(output)
}
