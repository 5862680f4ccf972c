//! SimplePPT over blocks of points, for whoever holds them: a loop, a cluster.

use midrib::assign::Sums as EngineSums;
use midrib::learn::{PptSteps, SimplePpt};
use midrib::math::Matrix;
use midrib::{Survey as EngineSurvey, SurveyPart as EnginePart};
use numpy::{PyReadonlyArray1, PyReadonlyArray2};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use serde::Serialize;

use crate::arrays::{Array, Floats, Pairs, Rows, Table, Values, matrix};
use crate::error::{Raise, from_json};
use crate::run::run;

fn text(value: &impl Serialize) -> PyResult<String> {
    serde_json::to_string(value).map_err(|error| PyValueError::new_err(error.to_string()))
}

/// The search for the points' mean and extent; see `midrib::Survey`.
#[pyclass(frozen, module = "midrib._core")]
pub struct Survey(EngineSurvey);

#[pymethods]
impl Survey {
    #[new]
    fn new(dims: usize) -> Self {
        Self(EngineSurvey::new(dims))
    }

    #[getter]
    fn done(&self) -> bool {
        self.0.is_done()
    }

    /// What a block contributes to the present pass.
    #[pyo3(signature = (rows, weights=None))]
    fn look(
        &self,
        py: Python<'_>,
        rows: Rows<'_>,
        weights: Option<Values<'_>>,
    ) -> PyResult<SurveyPart> {
        let points = rows.points(weights.as_ref())?;
        Ok(SurveyPart(run(py, None, None, |_| self.0.look(&points))?.raise()?))
    }

    /// Goes on with the sum over all blocks.
    fn take(&self, all: &SurveyPart) -> PyResult<Self> {
        Ok(Self(self.0.take(&all.0).raise()?))
    }

    #[staticmethod]
    fn from_json(text: &str) -> PyResult<Self> {
        Ok(Self(from_json(text)?))
    }

    fn __reduce__(slf: &Bound<'_, Self>) -> PyResult<(Py<PyAny>, (String,))> {
        Ok((slf.getattr("from_json")?.unbind(), (text(&slf.get().0)?,)))
    }
}

/// What a block contributes to a pass; adds up.
#[pyclass(frozen, module = "midrib._core")]
pub struct SurveyPart(EnginePart);

#[pymethods]
impl SurveyPart {
    #[new]
    fn new(sums: Vec<f64>, largest: f64) -> Self {
        Self(EnginePart { sums, largest })
    }

    fn __add__(&self, next: &Self) -> Self {
        let mut sum = self.0.clone();
        sum.add(&next.0);
        Self(sum)
    }

    fn __reduce__(slf: &Bound<'_, Self>) -> (Py<PyAny>, (Vec<f64>, f64)) {
        let EnginePart { sums, largest } = &slf.get().0;
        (slf.get_type().into_any().unbind(), (sums.clone(), *largest))
    }
}

/// The settings of the two moves over points that a survey has seen.
#[pyclass(frozen, module = "midrib._core")]
pub struct Steps(PptSteps);

#[pymethods]
impl Steps {
    /// `settings` are a JSON object.
    #[new]
    fn new(settings: &str, survey: &Survey) -> PyResult<Self> {
        let settings: SimplePpt = from_json(settings)?;
        if !survey.0.is_done() {
            return Err(PyValueError::new_err("the survey is not done: take all of its passes"));
        }
        Ok(Self(PptSteps::new(&settings, survey.0.frame().clone()).raise()?))
    }

    /// Nodes in working coordinates.
    fn enter(&self, nodes: PyReadonlyArray2<'_, f64>) -> PyResult<Table> {
        Ok(Table(self.0.enter(&matrix(&nodes)?).raise()?))
    }

    /// Nodes back in the caller's coordinates.
    fn leave(&self, nodes: PyReadonlyArray2<'_, f64>) -> PyResult<Table> {
        Ok(Table(self.0.leave(matrix(&nodes)?)))
    }

    #[staticmethod]
    fn from_json(text: &str) -> PyResult<Self> {
        Ok(Self(from_json(text)?))
    }

    fn __reduce__(slf: &Bound<'_, Self>) -> PyResult<(Py<PyAny>, (String,))> {
        Ok((slf.getattr("from_json")?.unbind(), (text(&slf.get().0)?,)))
    }
}

/// What points say about the nodes; adds up over blocks.
#[pyclass(frozen, module = "midrib._core")]
pub struct Sums(EngineSums);

#[pymethods]
impl Sums {
    #[new]
    fn new(
        mass: PyReadonlyArray1<'_, f64>,
        weighted: PyReadonlyArray2<'_, f64>,
        cost: f64,
        weight: f64,
    ) -> PyResult<Self> {
        let (mass, weighted) = (mass.as_slice()?.to_vec(), matrix(&weighted)?);
        Ok(Self(EngineSums { mass, weighted, cost, weight }))
    }

    #[getter]
    fn mass(&self) -> Floats {
        Array(self.0.mass.clone())
    }

    #[getter]
    fn weighted(&self) -> Table {
        Table(self.0.weighted.clone())
    }

    #[getter]
    fn cost(&self) -> f64 {
        self.0.cost
    }

    #[getter]
    fn weight(&self) -> f64 {
        self.0.weight
    }

    fn __add__(&self, next: &Self) -> PyResult<Self> {
        let shape = |sums: &Matrix| (sums.n_rows(), sums.n_cols());
        let (ours, theirs) = (shape(&self.0.weighted), shape(&next.0.weighted));
        if ours != theirs {
            let message = format!("sums over {ours:?} cannot be added to sums over {theirs:?}");
            return Err(PyValueError::new_err(message));
        }
        let mut sum = self.0.clone();
        sum.merge(&next.0);
        Ok(Self(sum))
    }

    fn __reduce__(slf: &Bound<'_, Self>) -> (Py<PyAny>, (Floats, Table, f64, f64)) {
        let sums = slf.get();
        let parts = (sums.mass(), sums.weighted(), sums.cost(), sums.weight());
        (slf.get_type().into_any().unbind(), parts)
    }
}

/// What a block of points says about the nodes, which are in working coordinates.
#[pyfunction]
#[pyo3(signature = (rows, nodes, steps, weights=None))]
pub fn estep(
    py: Python<'_>,
    rows: Rows<'_>,
    nodes: PyReadonlyArray2<'_, f64>,
    steps: &Steps,
    weights: Option<Values<'_>>,
) -> PyResult<Sums> {
    let (points, nodes) = (rows.points(weights.as_ref())?, matrix(&nodes)?);
    Ok(Sums(run(py, None, None, |_| steps.0.estep(&points, &nodes))?.raise()?))
}

/// The next nodes, the objective at these and the edges between them, from the sums of all points.
#[pyfunction]
pub fn mstep(
    sums: &Sums,
    nodes: PyReadonlyArray2<'_, f64>,
    steps: &Steps,
) -> PyResult<(Table, f64, Pairs)> {
    let step = steps.0.mstep(&sums.0, &matrix(&nodes)?).raise()?;
    let edges = step.edges.into_iter().map(|(a, b)| [a, b]).collect();
    Ok((Table(step.nodes), step.objective, Pairs(edges)))
}
