//! One fit for every method.

use midrib::learn::{Given, LinkKind, PointLink, StartGraph, method};
use midrib::measure::{complexity, explained};
use midrib_io::{Input, Model};
use numpy::PyReadonlyArray2;
use pyo3::prelude::*;
use serde_json::json;

use crate::arrays::{PlacedArrays, Rows, Weights, matrix, placed};
use crate::error::{Raise, from_json};
use crate::graph::Graph;
use crate::run::run;

/// Edges, moduli of edges, moduli of nodes, and pinned nodes.
type PyStartGraph =
    (Option<Vec<(usize, usize)>>, Vec<(usize, usize, f64)>, Vec<(usize, f64)>, Vec<usize>);

/// Learns a graph. `settings` are a JSON object, `links` point pairs with `true` for "must".
/// Returns the graph, the places of the points on it, and as JSON what was chosen and why.
#[pyfunction]
#[pyo3(signature = (name, settings, rows, features, *, weights=None, start=None, start_graph=None, links=Vec::new(), n_jobs=None, progress=None))]
#[allow(clippy::too_many_arguments)]
pub fn fit<'py>(
    py: Python<'py>,
    name: &str,
    settings: &str,
    rows: Rows<'py>,
    features: Vec<String>,
    weights: Option<Weights<'py>>,
    start: Option<PyReadonlyArray2<'py, f64>>,
    start_graph: Option<PyStartGraph>,
    links: Vec<(usize, usize, bool)>,
    n_jobs: Option<usize>,
    progress: Option<Py<PyAny>>,
) -> PyResult<(Graph, PlacedArrays<'py>, String)> {
    let entry = method(name).raise()?;
    let settings = from_json(settings)?;
    entry.check(&settings).raise()?;
    let points = rows.points(weights.as_ref())?;
    let start = start.as_ref().map(matrix).transpose()?;
    let link = |(a, b, must)| {
        let kind = if must { LinkKind::Must } else { LinkKind::Cannot };
        PointLink { a, b, kind }
    };
    let links: Vec<PointLink> = links.into_iter().map(link).collect();
    let start_graph = start_graph.map(|(edges, stretching, bending, pinned)| {
        let stretching = stretching.into_iter().map(|(a, b, modulus)| ((a, b), modulus)).collect();
        StartGraph { edges, stretching, bending, pinned }
    });
    let given = Given {
        start: start.as_ref(),
        start_graph: start_graph.as_ref(),
        links: &links,
        ..Given::default()
    };
    let learnt = run(py, n_jobs, progress, |watch| {
        let fitted = entry.fit(&settings, &points, given, watch)?;
        let projection = fitted.graph.project(&points)?;
        let mean_squared_distance = match fitted.surface()? {
            Some(surface) => surface.project(&points)?.mean_squared_distance(&points)?,
            None => projection.mean_squared_distance(&points)?,
        };
        let explained = explained(mean_squared_distance, &points);
        let complexity = match fitted.springs()? {
            Some(springs) => Some(complexity(&fitted.graph, &springs, &points)?),
            None => None,
        };
        Ok::<_, midrib::Error>((fitted, projection, explained, complexity))
    })?;
    let (fitted, projection, explained, complexity) = learnt.raise()?;
    let input = Input {
        file: "an array".into(),
        rows: points.len(),
        columns: points.dims(),
        features,
        prepare: json!({}),
    };
    let mut model = Model::new(&fitted, &fitted.choices, input, explained);
    model.complexity = complexity;
    let arrays = placed(py, &projection, &fitted.graph);
    Ok((Graph::of(model)?, arrays, json!(fitted.choices).to_string()))
}
