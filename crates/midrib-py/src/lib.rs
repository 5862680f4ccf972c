//! midrib for Python. Converts arguments and results, and nothing else: what is computed is in
//! `midrib` and `midrib_tasks`, what users see in the Python package around this module.
//!
//! | module | what it converts |
//! |---|---|
//! | `arrays`, `json`, `error` | arrays, records, exceptions |
//! | `run` | threads, progress, Ctrl-C |
//! | `fit` | a fit of any method |
//! | `model`, `graph` | what was learned: its history, its nodes and edges |
//! | `projections`, `points` | what follows for projections and points |
//! | `pictures` | pictures and reports |
//! | `compare` | comparisons of methods, and the criteria |
//! | `groups` | clusters of points, and generated points |
//! | `trends` | features along a graph, and fates |
//! | `ppt_steps` | the steps of SimplePPT for points in blocks |

mod arrays;
mod compare;
mod error;
mod fit;
mod graph;
mod groups;
mod json;
mod model;
mod pictures;
mod points;
mod ppt_steps;
mod projections;
mod run;
mod trends;

use pyo3::prelude::*;

#[pymodule]
mod _core {
    #[pymodule_export]
    use super::compare::compare;
    #[pymodule_export]
    use super::error::{DataError, FileError, NumericalError, SettingError};
    #[pymodule_export]
    use super::fit::{fit, fit_distances, methods, min_columns};
    #[pymodule_export]
    use super::groups::{cluster, synth};
    #[pymodule_export]
    use super::model::Model;
    #[pymodule_export]
    use super::pictures::write_picture;
    #[pymodule_export]
    use super::ppt_steps::{Steps, Sums, Survey, SurveyPart, estep, mstep};
    #[pymodule_export]
    use super::projections::location;

    #[pymodule_export]
    const CHUNK_ROWS: usize = midrib::CHUNK_ROWS;
    #[allow(non_upper_case_globals)]
    #[pymodule_export]
    const __version__: &str = env!("CARGO_PKG_VERSION");
}
