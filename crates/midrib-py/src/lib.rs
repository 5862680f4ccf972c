//! midrib for Python. Converts arguments and results, and nothing else: what is computed is in the
//! `midrib` crate, what users do with it in
//! `midrib_tasks`, what users see in the Python
//! package around this module.

mod answer;
mod arrays;
mod ask;
mod blocks;
mod error;
mod fit;
mod graph;
mod run;

use midrib::learn::{Entry, METHODS};
use pyo3::prelude::*;
use serde_json::Value;

/// Every registered method as JSON.
#[pyfunction]
fn methods() -> String {
    METHODS.iter().map(Entry::description).collect::<Value>().to_string()
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
    use super::graph::{Graph, spot};
    #[pymodule_export]
    use super::methods;

    #[pymodule_export]
    const CHUNK_ROWS: usize = midrib::CHUNK_ROWS;
    #[allow(non_upper_case_globals)]
    #[pymodule_export]
    const __version__: &str = env!("CARGO_PKG_VERSION");
}
