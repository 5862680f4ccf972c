//! A learned graph: how it is kept, and what one asks of it.

use std::path::PathBuf;

use midrib::Silent;
use midrib::graph::PrincipalGraph;
use midrib_io::{Model, write_file};
use midrib_tasks::Location;
use numpy::PyReadonlyArray2;
use pyo3::prelude::*;
use serde_json::json;

use crate::arrays::{Places, Rows, Told, Values, matrix, number};
use crate::ask::{Subject, ask};
use crate::error::Raise;
use crate::run::run;

/// A learned graph.
#[pyclass(frozen, module = "midrib._core")]
pub struct Graph(pub Model);

/// What a question is about beside the graph.
#[derive(FromPyObject)]
enum About<'py> {
    #[pyo3(transparent, annotation = "places")]
    Places(Places<'py>),
    #[pyo3(transparent, annotation = "points")]
    Points(Rows<'py>),
}

#[pymethods]
impl Graph {
    /// A graph that was not learned here.
    #[staticmethod]
    fn from_parts(
        nodes: PyReadonlyArray2<'_, f64>,
        edges: PyReadonlyArray2<'_, i64>,
        weights: Values<'_>,
        mass: Values<'_>,
        features: Vec<String>,
    ) -> PyResult<Self> {
        let ends = edges.as_slice()?.chunks_exact(2).zip(weights.as_slice()?);
        let edges: PyResult<Vec<_>> =
            ends.map(|(e, w)| Ok((number(e[0])?, number(e[1])?, *w))).collect();
        let mass = mass.as_slice()?.to_vec();
        let graph = PrincipalGraph::new(matrix(&nodes)?, &edges?, mass).raise()?;
        Ok(Self(Model::of_graph("given", graph, features)))
    }

    /// Reads a model.json, or the directory that holds one.
    #[staticmethod]
    fn read(path: PathBuf) -> PyResult<Self> {
        Ok(Self(Model::read(&path).raise()?))
    }

    /// Writes a model.json, whole or not at all.
    fn write(&self, path: PathBuf) -> PyResult<()> {
        write_file(&path, true, |staging| self.0.write(staging)).raise()
    }

    #[staticmethod]
    fn from_json(text: &str) -> PyResult<Self> {
        Ok(Self(Model::from_json(text.as_bytes(), "the model".as_ref()).raise()?))
    }

    /// The answer to a question in JSON, see `midrib_io`: about the graph, about places on it, or
    /// about points, which alone heed `n_jobs` and `progress`. `values` are the weights of the points, or the numbers by which a place is
    /// looked for.
    #[pyo3(signature = (question, about=None, values=None, *, n_jobs=None, progress=None))]
    fn ask(
        &self,
        py: Python<'_>,
        question: &str,
        about: Option<About<'_>>,
        values: Option<Values<'_>>,
        n_jobs: Option<usize>,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<Told> {
        let numbers = values.as_ref().map(|values| values.as_slice()).transpose()?;
        let subject = match &about {
            None => Subject::Graph,
            Some(About::Places(places)) => Subject::Places(places.projection()?, numbers),
            Some(About::Points(rows)) => Subject::Points(rows.points(values.as_ref())?),
        };
        let learned = &self.0;
        let answer = match subject {
            Subject::Points(_) => {
                run(py, n_jobs, progress, |watch| ask(learned, question, subject, watch))?
            }
            _ => py.detach(|| ask(learned, question, subject, &mut Silent)),
        };
        Ok(Told(answer.raise()?))
    }
}

/// A place in words as JSON: `{"equal": {"column": "stage", "value": "young"}}`.
#[pyfunction]
pub fn spot(text: &str) -> PyResult<String> {
    Ok(json!(Location::read(text, "").raise()?).to_string())
}
