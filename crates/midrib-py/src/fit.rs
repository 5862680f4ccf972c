//! One fit for every method.

use midrib::learn::{Given, LinkKind, PointLink, StartGraph, method};
use midrib_io::{Input, Model, Reading};
use numpy::PyReadonlyArray2;
use pyo3::prelude::*;
use serde_json::json;

use crate::arrays::{Placed, Rows, Values, matrix, placed};
use crate::error::{Raise, from_json};
use crate::graph::Graph;
use crate::run::run;

/// Edges, moduli of edges, moduli of nodes, and pinned nodes.
type PyStartGraph =
    (Option<Vec<(usize, usize)>>, Vec<(usize, usize, f64)>, Vec<(usize, f64)>, Vec<usize>);

/// Learns a graph. `settings` are a JSON object, `links` point pairs with `true` for "must",
/// `pairs` the only ones that an edge may join.
/// Returns the graph, the places of the points on it, and as JSON what was chosen and why.
#[pyfunction]
#[pyo3(signature = (name, settings, rows, features, *, weights=None, start=None, start_graph=None, links=Vec::new(), pairs=None, n_jobs=None, progress=None))]
#[allow(clippy::too_many_arguments)]
pub fn fit(
    py: Python<'_>,
    name: &str,
    settings: &str,
    rows: Rows<'_>,
    features: Vec<String>,
    weights: Option<Values<'_>>,
    start: Option<PyReadonlyArray2<'_, f64>>,
    start_graph: Option<PyStartGraph>,
    links: Vec<(usize, usize, bool)>,
    pairs: Option<Vec<(usize, usize)>>,
    n_jobs: Option<usize>,
    progress: Option<Py<PyAny>>,
) -> PyResult<(Graph, Placed, String)> {
    let entry = method(name).raise()?;
    let settings: serde_json::Value = from_json(settings)?;
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
        pairs: pairs.as_deref(),
    };
    let (file, rows, columns) = ("an array".into(), points.len(), points.dims());
    let input =
        Input { file, rows, columns, features, prepare: json!({}), reading: Reading::default() };
    let learnt = run(py, n_jobs, progress, |watch| {
        let fitted = entry.fit(&settings, &points, given, watch)?;
        let projection = fitted.graph.project(&points)?;
        let away = match fitted.surface()? {
            Some(surface) => surface.project(&points)?.mean_squared_distance(&points)?,
            None => projection.mean_squared_distance(&points)?,
        };
        let model = Model::new(&fitted, &fitted.choices, input).measured(&fitted, away, &points)?;
        Ok::<_, midrib_io::Error>((model, projection, fitted.choices))
    })?;
    let (model, projection, choices) = learnt.raise()?;
    let graph = Graph::of(model)?;
    let placed = placed(projection, &graph.0.graph);
    Ok((graph, placed, json!(choices).to_string()))
}
