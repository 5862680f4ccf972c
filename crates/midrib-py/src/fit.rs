//! One fit for every method.

use midrib::learn::method;
use midrib_io::OwnedGiven;
use midrib_tasks::FitRequest;
use numpy::PyReadonlyArray2;
use pyo3::prelude::*;

use crate::arrays::{Rows, Told, Values, matrix};
use crate::error::{Raise, from_json};
use crate::run::run;

/// Learns a graph. `settings` and what else is `known`, see `midrib_io::OwnedGiven`, are JSON objects.
/// Returns the graph, the places of the points on it, and as JSON what was chosen and why.
#[pyfunction]
#[pyo3(signature = (
    name, settings, rows, features, *, weights=None, start=None, known="{}", n_jobs=None,
    progress=None
))]
#[allow(clippy::too_many_arguments)]
pub fn fit(
    py: Python<'_>,
    name: &str,
    settings: &str,
    rows: Rows<'_>,
    features: Vec<String>,
    weights: Option<Values<'_>>,
    start: Option<PyReadonlyArray2<'_, f64>>,
    known: &str,
    n_jobs: Option<usize>,
    progress: Option<Py<PyAny>>,
) -> PyResult<Told> {
    let (entry, settings) = (method(name).raise()?, from_json(settings)?);
    entry.check(&settings).raise()?;
    let points = rows.points(weights.as_ref())?;
    let start = start.as_ref().map(matrix).transpose()?;
    let given = OwnedGiven { start, ..from_json(known)? };
    let fit = run(py, n_jobs, progress, |watch| {
        let request = FitRequest::new(entry, &settings, &points, features);
        midrib_tasks::fit(FitRequest { given: given.borrow(), ..request }, watch)
    })?;
    Ok(Told(fit.raise()?.into()))
}
