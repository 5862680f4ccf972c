//! midrib for Python. Converts arguments and results, and nothing else: what is computed is in the
//! `midrib` crate, what users see is in the Python package around this module.

mod arrays;
mod blocks;
mod error;
mod fit;
mod graph;
mod query;
mod run;

use midrib::learn::METHODS;
use pyo3::prelude::*;
use serde_json::json;

/// Every registered method as JSON: name, summary, citation, whether points may have gaps, what a
/// step is called, default settings and their schema.
#[pyfunction]
fn methods() -> String {
    let method = |entry: &midrib::learn::Entry| {
        json!({
            "name": entry.name,
            "summary": entry.summary,
            "citation": entry.citation,
            "gaps": entry.gaps,
            "step": entry.step,
            "defaults": entry.defaults(),
            "schema": entry.schema(),
        })
    };
    serde_json::Value::from(METHODS.iter().map(method).collect::<Vec<_>>()).to_string()
}

#[pymodule]
mod _core {
    #[pymodule_export]
    use super::blocks::{Steps, Sums, Survey, SurveyPart, estep, mstep};
    #[pymodule_export]
    use super::error::{DataError, FileError, NumericalError, SettingError};
    #[pymodule_export]
    use super::fit::fit;
    #[pymodule_export]
    use super::graph::Graph;
    #[pymodule_export]
    use super::methods;
    #[pymodule_export]
    use super::query::spot;

    #[pymodule_export]
    const CHUNK_ROWS: usize = midrib::CHUNK_ROWS;
    #[allow(non_upper_case_globals)]
    #[pymodule_export]
    const __version__: &str = env!("CARGO_PKG_VERSION");
}
