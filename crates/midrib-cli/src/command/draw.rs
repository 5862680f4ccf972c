//! `midrib draw`: a picture of a learned graph.

use std::path::Path;
use std::process::ExitCode;

use clap::ValueEnum;
use midrib::Points;
use midrib::graph::PrincipalGraph;
use midrib::learn::method;
use midrib::math::Matrix;
use midrib::object::{Embedding, Object};
use midrib::prepare::{Components, Preparation, Transform};
use midrib_io::{ReadOptions, write_file};
use midrib_report::{
    Coloring, Scene, adjacency_view, convergence_view, dendrogram_view, graph_view, metro_view,
    png, tuning_view,
};

use super::learned_table::LearnedTable;
use super::report::{drawn_embedding, drawn_graph};
use super::results::Results;
use crate::args::{DrawArgs, View};
use crate::exit::{Failure, Outcome};
use crate::talk::Talk;

/// Pixels of a PNG for each of the drawing's own: enough for print.
const SHARPNESS: f32 = 2.5;

pub fn run(args: &DrawArgs) -> Outcome<ExitCode> {
    let talk = Talk::unless(args.quiet);
    let is_png = match args.output.extension().and_then(|extension| extension.to_str()) {
        Some("png") => true,
        Some("svg") => false,
        _ if args.output.as_os_str() == "-" => false,
        _ => {
            return Err(Failure::usage(format!(
                "-o {}: name a file that ends in .svg or .png",
                args.output.display()
            )));
        }
    };
    refuse_unused(args)?;
    let results = Results::read(&args.model)?;
    let names_branches = args.color.as_deref() == Some("branch");
    if names_branches || matches!(args.view, View::Metro | View::Dendrogram) {
        results.hint(&talk)?;
    }
    let svg = draw(args, &results, &talk)?;
    let bytes = if is_png {
        png(&svg, SHARPNESS).map_err(|error| Failure::runtime(error.to_string()))?
    } else {
        svg.into_bytes()
    };
    if args.output.as_os_str() == "-" {
        crate::talk::print(&String::from_utf8_lossy(&bytes))?;
        return Ok(ExitCode::SUCCESS);
    }
    write_file(&args.output, args.force, |path| {
        std::fs::write(path, &bytes).map_err(|error| midrib_io::Error::writing(path, &error))
    })?;
    talk.note(format!("drawn to {}", args.output.display()));
    Ok(ExitCode::SUCCESS)
}

/// Whether a view shows how the graph was found, and no points.
fn is_trace(view: View) -> bool {
    matches!(view, View::Convergence | View::Tuning)
}

/// What a view does not show cannot be asked for.
fn refuse_unused(args: &DrawArgs) -> Outcome<()> {
    let view = args.view;
    let is_trace = is_trace(view);
    let unused = [
        ("--axes", args.axes.is_some() && !matches!(view, View::Graph)),
        ("--points", args.points.is_some() && !matches!(view, View::Graph)),
        ("--color", args.color.is_some() && is_trace),
        ("--root", !args.root.is_empty() && is_trace),
    ];
    match unused.iter().find(|(_, unused)| *unused) {
        Some((flag, _)) => Err(Failure::usage(format!(
            "{flag}: has no meaning for --view {}; leave it out",
            view.to_possible_value().map_or_else(String::new, |view| view.get_name().to_owned())
        ))),
        None => Ok(()),
    }
}

fn draw(args: &DrawArgs, results: &Results, talk: &Talk) -> Outcome<String> {
    let Results { model, places, .. } = results;
    let graph = &drawn_graph(&model.object)?;
    let roots = match args.root[..] {
        [] => model.root.clone(),
        _ => results.roots(&args.root, talk)?,
    };
    let coloring = match &args.color {
        Some(name) => coloring(name, results, &roots)?,
        None if is_trace(args.view) => Coloring::Plain,
        None => default_coloring(results)?,
    };
    let name = Path::new(&model.input.file).file_name().map(|name| name.to_string_lossy());
    let title = format!("{}, {}", name.unwrap_or_default(), model.method);
    let scene =
        Scene { graph, projection: Some(&places.projection), coloring: &coloring, title: &title };
    let plain = Scene { coloring: &Coloring::Plain, ..scene };
    Ok(match args.view {
        View::Graph => {
            let plane = Plane::of(args, results, graph)?;
            let axes = [plane.axes[0].as_str(), plane.axes[1].as_str()];
            graph_view(&scene, &plane.points, &plane.nodes, axes)?
        }
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
                return Err(Failure::usage(
                    "a dendrogram needs a root: pass --root, or choose one with `midrib root`",
                ));
            }
            dendrogram_view(&scene, &graph.root(&roots)?)?
        }
        View::Convergence => {
            if model.trace.is_empty() {
                return Err(Failure::usage(format!("{} keeps no objective to draw", model.method)));
            }
            let step = method(&model.method).map_or("sweep", |entry| entry.step);
            convergence_view(&plain, &model.trace, model.untraced(), [step, "objective"])
        }
        View::Tuning => match &model.tuning {
            Some(tuning) => tuning_view(&plain, tuning),
            None => {
                return Err(Failure::usage(
                    "these results hold no tuning curve: ppt and rpg trees have one where their \
                     smoothness is left open, elastic curves, rings, trees and graphs always",
                ));
            }
        },
    })
}

/// The first label, else the branches. Sheets have none, and those of a graph full of short cycles
/// tell nothing.
fn default_coloring(results: &Results) -> Outcome<Coloring> {
    let by_label = results.places.labels.first();
    Ok(match by_label {
        Some(labels) => Coloring::by_class(&labels.name, &labels.values),
        None if results.is_raw()? => Coloring::Plain,
        None if matches!(results.model.object, Object::Centers(_)) => by_node(results),
        None => by_branch(results).unwrap_or(Coloring::Plain),
    })
}

/// Each center in a color of its own.
fn by_node(results: &Results) -> Coloring {
    let nodes = results.places.projection.node.iter();
    Coloring::by_class("cluster", &nodes.map(usize::to_string).collect::<Vec<_>>())
}

fn by_branch(results: &Results) -> Outcome<Coloring> {
    results.model.require_lines("--color branch")?;
    let graph = results.model.graph()?;
    let names = graph.branch_names();
    let branches = results.places.projection.branch(graph);
    let of_point: Vec<&str> = branches.iter().map(|&branch| names[branch].as_str()).collect();
    Ok(Coloring::by_class("branch", &of_point))
}

/// What a name after --color means.
fn coloring(name: &str, results: &Results, roots: &[usize]) -> Outcome<Coloring> {
    let Results { model, places, .. } = results;
    if let Some(labels) = places.labels.iter().find(|labels| labels.name == name) {
        return Ok(match midrib::measures(labels.values.iter().map(String::as_str)) {
            Some(values) => Coloring::Values { title: name.to_owned(), values },
            None => Coloring::by_class(name, &labels.values),
        });
    }
    let title = name.to_owned();
    let values = |values| Ok(Coloring::Values { title: title.clone(), values });
    match name {
        "branch" => by_branch(results),
        "component" => {
            let components = places.projection.component(model.graph()?);
            let names: Vec<String> = components.iter().map(usize::to_string).collect();
            Ok(Coloring::by_class("component", &names))
        }
        "distance" => values(places.projection.distance.clone()),
        "pseudotime" if roots.is_empty() => {
            results.model.require_lines("pseudotime")?;
            Err(Failure::usage(
                "--color pseudotime needs a root: pass --root, or choose one with `midrib root`",
            ))
        }
        "pseudotime" => values(model.graph()?.root(roots)?.pseudotime(&places.projection)?),
        column => values(results.values(column, "--color")?),
    }
}

/// Points and nodes in a plane.
struct Plane {
    points: Matrix,
    nodes: Matrix,
    axes: [String; 2],
}

impl Plane {
    /// The first two latent dimensions.
    fn latent(embedding: &Embedding) -> Option<Self> {
        let nodes = embedding.nodes.as_ref().filter(|_| embedding.dims() >= 2)?;
        Some(Self {
            points: columns(embedding.coordinates.rows(), [0, 1]),
            nodes: columns(nodes.rows(), [0, 1]),
            axes: ["z1".into(), "z2".into()],
        })
    }

    /// The plane of two columns that are asked for, the latent plane, the columns of planar
    /// points, or the points' principal plane: the first that there is.
    fn of(args: &DrawArgs, results: &Results, graph: &PrincipalGraph) -> Outcome<Self> {
        let model = &results.model;
        if let (None, Some(plane)) = (&args.axes, model.object.embedding().and_then(Self::latent))
            && plane.points.n_rows() == results.places.ids.len()
        {
            return Ok(plane);
        }
        let named = args.points.as_deref();
        let (plain, memory) = (ReadOptions::default(), args.memory.max_memory);
        let LearnedTable { points, .. } =
            LearnedTable::read(&results.path, model, named, &plain, memory)
                .and_then(|table| table.of_rows(results.places.ids.len()))
                .map_err(|failure| match named {
                    Some(_) => failure,
                    None => Failure::bad_data(format!(
                        "the points are not there ({}); --points names their table",
                        failure.message()
                    )),
                })?;
        let scores = drawn_embedding(&model.object, Some(&points))?;
        if let (None, Some(plane)) = (&args.axes, scores.as_ref().and_then(Self::latent)) {
            return Ok(plane);
        }
        let names = model.feature_names();
        let nodes = graph.nodes();
        let rows = rows_of(&points);
        match &args.axes {
            Some(wanted) => {
                let at = |name: &String| {
                    names.iter().position(|known| known == name).ok_or_else(|| {
                        let shown = names[..names.len().min(12)].join(", ");
                        Failure::usage(format!(
                            "--axes {name}: there is no such column; there are {shown}"
                        ))
                    })
                };
                let [x, y] = &wanted.0;
                let at = [at(x)?, at(y)?];
                Ok(Self {
                    points: columns(rows.rows(), at),
                    nodes: columns(nodes.rows(), at),
                    axes: wanted.0.clone(),
                })
            }
            None if points.dims() == 2 => Ok(Self {
                points: rows,
                nodes: nodes.clone(),
                axes: [names[0].clone(), names[1].clone()],
            }),
            None if points.dims() == 1 => Ok(Self {
                points: flat(&rows),
                nodes: flat(nodes),
                axes: [names[0].clone(), String::new()],
            }),
            None => principal(&points, nodes),
        }
    }
}

fn rows_of(points: &Points<'_>) -> Matrix {
    let mut rows = Matrix::zeros(points.len(), points.dims());
    for i in 0..points.len() {
        points.copy_row(i, rows.row_mut(i));
    }
    rows
}

fn columns<'r>(rows: impl ExactSizeIterator<Item = &'r [f64]>, at: [usize; 2]) -> Matrix {
    let mut picked = Matrix::zeros(rows.len(), 2);
    for (i, row) in rows.enumerate() {
        picked.row_mut(i).copy_from_slice(&at.map(|column| row[column]));
    }
    picked
}

/// One column on a line.
fn flat(rows: &Matrix) -> Matrix {
    let mut picked = Matrix::zeros(rows.n_rows(), 2);
    for (i, row) in rows.rows().enumerate() {
        picked.row_mut(i)[0] = row[0];
    }
    picked
}

fn principal(points: &Points<'_>, nodes: &Matrix) -> Outcome<Plane> {
    if points.missing_values() > 0 {
        return Err(Failure::usage(
            "the points have gaps, so that they have no principal plane; --axes X,Y names two \
             columns to draw",
        ));
    }
    let count = points.len().saturating_sub(1).clamp(1, 2);
    let pca = Some(Components::Count(count));
    let transform = Transform::fit(Preparation { pca, ..Preparation::default() }, points)?;
    let shares = transform.pca.as_ref().map_or(&[][..], |pca| &pca.shares);
    let axis = |i: usize| match shares.get(i) {
        Some(share) => format!("PC {} ({:.0} % of the variance)", i + 1, 100.0 * share),
        None => String::new(),
    };
    let scores = |points: &Points<'_>| -> Outcome<Matrix> {
        let scores = rows_of(&transform.apply(points)?);
        Ok(if count == 1 { flat(&scores) } else { scores })
    };
    Ok(Plane {
        points: scores(points)?,
        nodes: scores(&Points::from_f64(nodes.as_slice(), nodes.n_cols())?)?,
        axes: [axis(0), axis(1)],
    })
}
