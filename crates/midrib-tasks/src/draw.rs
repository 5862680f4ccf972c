//! A picture of a learned object.

use std::path::Path;

use midrib::Points;
use midrib::graph::{PrincipalGraph, Projection};
use midrib::object::{Object, u_matrix};
use midrib_io::{Labels, Model, write_file};
use midrib_report::{
    Coloring, GraphLayout, MapLayout, Scene, adjacency_view, convergence_view, dendrogram_view,
    graph_view, map_view, metro_view, png, tuning_view,
};

use crate::columns::column_of;
use crate::drawn_object::drawn_graph;
use crate::error::{Error, Result};
use crate::listener::{Listener, Wording};
use crate::location::Location;
use crate::look::{Background, PictureSettings, View};
use crate::open::{TrainingRequest, open_results, open_training_table};
use crate::phrases::step;
use crate::plane::Plane;
use crate::summary::summarize;

/// Pixels of a PNG for each of the drawing's own: enough for print.
const SHARPNESS: f32 = 2.5;

/// What a picture shows.
pub struct DrawRequest<'a> {
    /// The object and its history.
    pub model: &'a Model,
    /// The number of its points.
    pub n_points: usize,
    /// Their projections; none where there is nothing to project onto.
    pub projection: Option<&'a Projection>,
    /// The labels of its points.
    pub labels: &'a [Labels],
    /// Where the graph begins; may be empty.
    pub roots: &'a [usize],
    /// How the picture looks.
    pub settings: &'a PictureSettings,
    /// Reads the prepared points, where the picture needs them.
    pub points: &'a dyn Fn() -> Result<Points<'a>>,
    /// Reads a column of numbers by which points are colored.
    pub values: &'a dyn Fn(&str) -> Result<Vec<f64>>,
    /// How settings are named.
    pub wording: Wording,
}

impl DrawRequest<'_> {
    /// The projections of the points; refused where there are none.
    fn projection(&self) -> Result<&Projection> {
        self.projection.ok_or_else(|| self.model.object.no_projection().into())
    }
}

/// Draws points in memory, prepared as the object knows them, as SVG.
///
/// ```
/// use midrib::{Points, graph::PrincipalGraph, math::Matrix};
/// use midrib_io::Model;
/// use midrib_tasks::{PictureSettings, Wording, draw_points};
/// let nodes = Matrix::from_rows(&[[0.0, 0.0], [1.0, 0.0]])?;
/// let graph = PrincipalGraph::new(nodes, &[(0, 1, 1.0)], vec![1.0; 2])?;
/// let points = Points::from_f64(vec![0.5, 0.1, 0.9, 0.0], 2)?;
/// let model = Model::of_graph("given", graph, vec!["x".into(), "y".into()]);
/// let settings = PictureSettings { color: Some("x".into()), ..PictureSettings::default() };
/// let svg = draw_points(&model, &points, &[], &settings, Wording::NAMES)?;
/// assert!(svg.starts_with("<svg"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn draw_points(
    model: &Model,
    points: &Points<'_>,
    labels: &[Labels],
    settings: &PictureSettings,
    wording: Wording,
) -> Result<String> {
    let located = model.object.locate(points)?;
    let names = model.feature_names();
    let values = |column: &str| match names.iter().position(|name| name == column) {
        Some(at) => Ok(column_of(points, at)),
        None => Err(Error::usage(format!(
            "{}: there is no such column; there are {}",
            (wording.value)("color", column),
            names[..names.len().min(12)].join(", ")
        ))),
    };
    draw(&DrawRequest {
        model,
        n_points: points.len(),
        projection: located.projection.as_ref(),
        labels,
        roots: &model.root,
        settings,
        points: &|| Ok(points.clone()),
        values: &values,
        wording,
    })
}

/// Results to draw.
#[derive(Clone, Debug)]
pub struct DrawResults<'a> {
    /// The results, and the table that they were learned from.
    pub training: TrainingRequest<'a>,
    /// How the picture looks.
    pub settings: PictureSettings,
    /// Where the graph begins, if not where the results say.
    pub root: &'a [Location],
}

/// Draws results as SVG.
pub fn draw_results(request: &DrawResults<'_>, listener: &mut dyn Listener) -> Result<String> {
    let DrawResults { training, settings, root } = request;
    let wording = listener.wording();
    refuse_unused(request, wording)?;
    let results = open_results(training.results)?;
    let names_branches = settings.color.as_deref() == Some("branch");
    if names_branches || matches!(settings.view, View::Metro | View::Dendrogram) {
        let hint = summarize(&results.model)?.hint(training.results);
        hint.iter().for_each(|hint| listener.note(hint));
    }
    let roots = match root {
        [] => results.model.root.clone(),
        locations => results.roots(locations, listener)?,
    };
    let points = || {
        let table = open_training_table(training, &results.model)
            .and_then(|table| table.of_rows(results.points.ids.len()));
        table.map(|table| table.points).map_err(|error| match training.table {
            Some(_) => error,
            None => Error::data(format!(
                "cannot read the points ({error}); {} names their table",
                (wording.setting)("points")
            )),
        })
    };
    let values = |column: &str| {
        results.values(column).map_err(|error| match error {
            Error::Location { reason, .. } => {
                Error::usage(format!("{}: {reason}", (wording.setting)("color")))
            }
            other => other,
        })
    };
    draw(&DrawRequest {
        model: &results.model,
        n_points: results.points.ids.len(),
        projection: results.points.projection.as_ref(),
        labels: &results.points.labels,
        roots: &roots,
        settings,
        points: &points,
        values: &values,
        wording,
    })
}

/// What a view does not show cannot be asked for.
fn refuse_unused(request: &DrawResults<'_>, wording: Wording) -> Result<()> {
    let (settings, view) = (&request.settings, request.settings.view);
    let shows_points = matches!(view, View::Graph | View::Map);
    let unused = [
        ("axes", settings.axes.is_some() && view != View::Graph),
        ("points", request.training.table.is_some() && !shows_points),
        ("background", settings.background.is_some() && view != View::Map),
        ("projections", settings.projections && view != View::Graph),
        ("color", settings.color.is_some() && view.is_trace()),
        ("root", !request.root.is_empty() && view.is_trace()),
    ];
    match unused.iter().find(|(_, unused)| *unused) {
        Some((setting, _)) => Err(Error::usage(format!(
            "{}: has no meaning for {}; leave it out",
            (wording.setting)(setting),
            (wording.value)("view", view.name())
        ))),
        None => Ok(()),
    }
}

/// Writes a picture as SVG or, where the name ends in .png, as PNG.
pub fn write_picture(svg: String, output: &Path, force: bool) -> Result<()> {
    let bytes = match is_png(output)? {
        true => png(&svg, SHARPNESS).map_err(|error| Error::Runtime(error.to_string()))?,
        false => svg.into_bytes(),
    };
    Ok(write_file(output, force, |path| {
        std::fs::write(path, &bytes).map_err(|error| midrib_io::Error::writing(path, &error))
    })?)
}

/// Whether a picture is written as PNG; only .svg and .png are known.
pub fn is_png(output: &Path) -> Result<bool> {
    match output.extension().and_then(|extension| extension.to_str()) {
        Some("png") => Ok(true),
        Some("svg") => Ok(false),
        _ => Err(Error::usage(format!(
            "{}: name a file that ends in .svg or .png",
            output.display()
        ))),
    }
}

/// Draws an object as SVG.
pub fn draw(request: &DrawRequest<'_>) -> Result<String> {
    let DrawRequest { model, projection, roots, settings, wording, .. } = request;
    let graph = &*drawn_graph(&model.object)?;
    let coloring = match &settings.color {
        Some(name) => coloring(name, request)?,
        None if settings.view.is_trace() => Coloring::Plain,
        None => default_coloring(request)?,
    };
    let name = Path::new(&model.input.file).file_name().map(|name| name.to_string_lossy());
    let title = format!("{}, {}", name.unwrap_or_default(), model.method);
    let scene = Scene { graph, projection: *projection, coloring: &coloring, title: &title };
    let plain = Scene { coloring: &Coloring::Plain, ..scene };
    Ok(match settings.view {
        View::Graph => {
            let plane = plane(request, graph)?;
            let axes = [plane.axes[0].as_str(), plane.axes[1].as_str()];
            let layout = GraphLayout { points: &plane.points, nodes: &plane.nodes, axes };
            graph_view(&scene, &layout, settings.projections)?
        }
        View::Map => draw_map(request, &scene)?,
        View::Metro => {
            model.object.require_graph("a metro map")?;
            metro_view(&scene)?
        }
        View::Adjacency => {
            model.object.require_graph("an adjacency matrix")?;
            adjacency_view(&scene)?
        }
        View::Dendrogram => {
            model.require_lines("a dendrogram")?;
            if roots.is_empty() {
                return Err(needs_root("a dendrogram", *wording));
            }
            dendrogram_view(&scene, &graph.root(roots)?)?
        }
        View::Convergence => {
            if model.trace.is_empty() {
                return Err(Error::usage(format!("{} keeps no objective to draw", model.method)));
            }
            convergence_view(&plain, &model.trace, model.untraced(), [step(model), "objective"])
        }
        View::Tuning => match &model.tuning {
            Some(tuning) => tuning_view(&plain, tuning),
            None => {
                return Err(Error::usage(
                    "these results hold no tuning curve: ppt and rpg trees have one where their \
                     smoothness is left open, elastic curves, rings, trees and graphs always",
                ));
            }
        },
    })
}

/// A net with its points at their inner coordinates.
fn draw_map(request: &DrawRequest<'_>, scene: &Scene<'_>) -> Result<String> {
    let object = &request.model.object;
    let Some(surface) = object.surface() else {
        return Err(Error::usage(format!(
            "{} needs a net with cells, which elastic-map, som and gtm learn; this is {}",
            (request.wording.value)("view", "map"),
            object.kind().description()
        )));
    };
    let points = (request.points)()?;
    let located = object.locate(&points)?;
    let (Some(inner), Some(projection)) = (&located.inner, &located.projection) else {
        return Err(Error::usage("the points have no inner coordinates"));
    };
    let background = match request.settings.background.unwrap_or_default() {
        Background::Density => Some(("density", surface.density(&points, inner)?)),
        Background::UMatrix => Some(("distance of neighbors", u_matrix(scene.graph))),
        Background::None => None,
    };
    let map = MapLayout {
        net: surface.net(),
        coordinates: inner,
        distance: &projection.distance,
        background: background.as_ref().map(|(name, values)| (*name, values.as_slice())),
    };
    Ok(map_view(scene, &map)?)
}

fn needs_root(what: &str, wording: Wording) -> Error {
    let root = (wording.setting)("root");
    Error::usage(format!("{what} needs a root: pass {root}, or choose one with `midrib root`"))
}

/// The plane of two columns that are named, the latent plane of these points, or one of their own.
fn plane(request: &DrawRequest<'_>, graph: &PrincipalGraph) -> Result<Plane> {
    let DrawRequest { model, settings, wording, .. } = request;
    if let Some(named) = &settings.axes {
        return Plane::of_columns(model, graph, &(request.points)()?, named, *wording);
    }
    if let Some(plane) = model.object.embedding().and_then(Plane::latent)
        && plane.points.n_rows() == request.n_points
    {
        return Ok(plane);
    }
    Plane::of_points(model, graph, &(request.points)()?, *wording)
}

/// The first label, else the branches. Sheets have none, and those of a graph full of short cycles
/// show nothing.
fn default_coloring(request: &DrawRequest<'_>) -> Result<Coloring> {
    let by_label = request.labels.first();
    Ok(match by_label {
        Some(labels) => Coloring::by_class(&labels.name, &labels.values),
        None if summarize(request.model)?.is_of_raw() => Coloring::Plain,
        None if matches!(request.model.object, Object::Centers(_)) => by_node(request)?,
        None => by_branch(request).unwrap_or(Coloring::Plain),
    })
}

/// Each center in a color of its own.
fn by_node(request: &DrawRequest<'_>) -> Result<Coloring> {
    let nodes = request.projection()?.node.iter();
    Ok(Coloring::by_class("cluster", &nodes.map(usize::to_string).collect::<Vec<_>>()))
}

fn by_branch(request: &DrawRequest<'_>) -> Result<Coloring> {
    request.model.require_lines(&(request.wording.value)("color", "branch"))?;
    let graph = request.model.graph()?;
    let names = graph.branch_names();
    let branches = request.projection()?.branch(graph);
    let of_point: Vec<&str> = branches.iter().map(|&branch| names[branch].as_str()).collect();
    Ok(Coloring::by_class("branch", &of_point))
}

/// What a name of a coloring means.
fn coloring(name: &str, request: &DrawRequest<'_>) -> Result<Coloring> {
    let DrawRequest { model, labels, roots, wording, .. } = request;
    if let Some(labels) = labels.iter().find(|labels| labels.name == name) {
        return Ok(match midrib::measures(labels.values.iter().map(String::as_str)) {
            Some(values) => Coloring::Values { title: name.to_owned(), values },
            None => Coloring::by_class(name, &labels.values),
        });
    }
    let title = name.to_owned();
    let values = |values| Ok(Coloring::Values { title: title.clone(), values });
    match name {
        "branch" => by_branch(request),
        "component" => {
            let components = request.projection()?.component(model.graph()?);
            let names: Vec<String> = components.iter().map(usize::to_string).collect();
            Ok(Coloring::by_class("component", &names))
        }
        "distance" => values(request.projection()?.distance.clone()),
        "pseudotime" if roots.is_empty() => {
            model.require_lines("pseudotime")?;
            Err(needs_root(&(wording.value)("color", "pseudotime"), *wording))
        }
        "pseudotime" => values(model.graph()?.root(roots)?.pseudotime(request.projection()?)?),
        column => values((request.values)(column)?),
    }
}
