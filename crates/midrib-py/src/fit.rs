//! Fits of every method.

use midrib::learn::{Choice, Entry, METHODS, method};
use midrib_io::OwnedGiven;
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
    Ok(method(name)?.min_columns(&settings.0)?)
}

/// Learns an object from rows, their weights and the names of their columns, starting from given
/// nodes if there are some. Returns it with the projection of the points onto it, if it has anything
/// to project onto, and what was chosen and why.
#[pyfunction]
pub fn fit(
    py: Python<'_>,
    name: &str,
    settings: Json<Value>,
    points: (Rows<'_>, Option<Values<'_>>, Vec<String>),
    given: (Option<PyReadonlyArray2<'_, f64>>, Json<OwnedGiven>),
    execution: Execution,
) -> Result<(Model, Option<Projections>, Json<Vec<Choice>>)> {
    let method = method(name)?.parse(&settings.0)?;
    let (rows, weights, features) = points;
    let points = rows.points(weights.as_ref())?;
    let given = OwnedGiven { start: given.0.as_ref().map(matrix).transpose()?, ..given.1.0 };
    let request = FitRequest::new(&*method, &points, features);
    let request = FitRequest { given, ..request };
    let fit = run(py, execution, |watch| midrib_tasks::fit(request, watch))??;
    let projection = fit.located.projection;
    let projections = projection.map(|projection| Projections::new(&fit.model, projection));
    Ok((Model(fit.model), projections, Json(fit.choices)))
}
