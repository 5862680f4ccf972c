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
use crate::run::run;

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

/// Learns an object. Returns it with the projection of the points onto it, and what was chosen and
/// why.
#[pyfunction]
#[pyo3(signature = (
    name, settings, rows, features, *, weights=None, start=None, given=None, n_jobs=None,
    progress=None
))]
#[allow(clippy::too_many_arguments)]
pub fn fit(
    py: Python<'_>,
    name: &str,
    settings: Json<Value>,
    rows: Rows<'_>,
    features: Vec<String>,
    weights: Option<Values<'_>>,
    start: Option<PyReadonlyArray2<'_, f64>>,
    given: Option<Json<OwnedGiven>>,
    n_jobs: Option<usize>,
    progress: Option<Py<PyAny>>,
) -> Result<(Model, Projections, Json<Vec<Choice>>)> {
    let entry = method(name)?;
    entry.check(&settings.0)?;
    let points = rows.points(weights.as_ref())?;
    let start = start.as_ref().map(matrix).transpose()?;
    let given = OwnedGiven { start, ..given.unwrap_or_default().0 };
    let request = FitRequest::new(entry, &settings.0, &points, features);
    let request = FitRequest { given: given.borrow(), ..request };
    let fit = run(py, n_jobs, progress, |watch| midrib_tasks::fit(request, watch))??;
    let projections = Projections::new(&fit.model, fit.projection);
    Ok((Model(fit.model), projections, Json(fit.choices)))
}
