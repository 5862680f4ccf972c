//! Fits of every method.

use midrib::Distances;
use midrib::learn::{Choice, Entry, METHODS, method};
use midrib::prepare::{Preparation, Transform};
use midrib_io::{Input, OwnedGiven};
use midrib_tasks::FitRequest;
use numpy::PyReadonlyArray2;
use pyo3::prelude::*;
use serde_json::Value;

use crate::arrays::{Rows, Values, matrix};
use crate::error::Result;
use crate::json::Json;
use crate::model::Model;
use crate::projections::Projections;
use crate::run::{Execution, run};

/// Every registered method: its facts, the defaults of its settings and their schema.
#[pyfunction]
pub fn methods() -> Json<Vec<Value>> {
    Json(METHODS.iter().map(Entry::description).collect())
}

/// The fewest columns that a fit with these settings needs.
#[pyfunction]
pub fn min_columns(name: &str, settings: Json<Value>) -> Result<usize> {
    Ok(method(name)?.parse(&settings.0)?.min_columns())
}

/// Rows, their weights, the names of their columns, and the embedding that they are replaced by before
/// the fit.
type Table<'py> = (Rows<'py>, Option<Values<'py>>, Vec<String>, Option<String>);

/// Learns an object from rows, starting from given nodes if there are some. Returns it with the projection of the points onto it, if it has anything
/// to project onto, and what was chosen and why.
#[pyfunction]
pub fn fit(
    py: Python<'_>,
    name: &str,
    settings: Json<Value>,
    points: Table<'_>,
    given: (Option<PyReadonlyArray2<'_, f64>>, Json<OwnedGiven>),
    execution: Execution,
) -> Result<(Model, Option<Projections>, Json<Vec<Choice>>)> {
    let method = method(name)?.parse(&settings.0)?;
    let (rows, weights, features, embed) = points;
    let points = rows.points(weights.as_ref())?;
    let embed = embed.map(|text| text.parse()).transpose()?;
    let given = OwnedGiven { start: given.0.as_ref().map(matrix).transpose()?, ..given.1.0 };
    let request = FitRequest::new(&*method, &points, features);
    let request = FitRequest { given, ..request };
    let fit = run(py, execution, |watch| {
        if embed.is_none() {
            return midrib_tasks::fit(request, watch);
        }
        let transform = Transform::fit(Preparation { embed, ..Preparation::default() }, &points)?;
        let prepared = transform.apply(&points)?;
        let input = Input { prepare: Some(transform), ..request.input };
        midrib_tasks::fit(FitRequest { points: &prepared, input, ..request }, watch)
    })??;
    let projection = fit.located.projection;
    let projections = projection.map(|projection| Projections::new(&fit.model, projection));
    Ok((Model(fit.model), projections, Json(fit.choices)))
}

/// Learns an embedding from distances: a square matrix, or its upper triangle as one row.
#[pyfunction]
pub fn fit_distances(
    py: Python<'_>,
    name: &str,
    settings: Json<Value>,
    distances: PyReadonlyArray2<'_, f64>,
    execution: Execution,
) -> Result<(Model, Json<Vec<Choice>>)> {
    let method = method(name)?.parse(&settings.0)?;
    let matrix = matrix(&distances)?;
    let fit = run(py, execution, |watch| {
        let distances = match matrix.n_rows() {
            1 => Distances::from_condensed(matrix.as_slice())?,
            _ => Distances::new(matrix)?,
        };
        midrib_tasks::fit_distances(&*method, &distances, "an array", watch)
    })??
    .fit;
    Ok((Model(fit.model), Json(fit.choices)))
}
