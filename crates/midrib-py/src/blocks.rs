//! The steps of SimplePPT for programs that hold the points in blocks: a loop, a cluster.

use midrib::assign;
use midrib::learn::{PptSteps, SimplePpt};
use numpy::PyReadonlyArray2;
use pyo3::prelude::*;
use serde_json::json;

use crate::arrays::{Rows, Told, Values, matrix};
use crate::error::{Raise, from_json};
use crate::run::run;

/// A Python class that wraps a value of the engine, can be pickled, and has some of its fields.
macro_rules! class {
    ($name:ident, $engine:ty, $doc:literal, [$($field:ident),*]) => {
        #[doc = $doc]
        #[pyclass(frozen, module = "midrib._core")]
        pub struct $name($engine);

        #[pymethods]
        impl $name {
            #[staticmethod]
            fn from_json(text: &str) -> PyResult<Self> {
                Ok(Self(from_json(text)?))
            }

            fn __reduce__(slf: &Bound<'_, Self>) -> PyResult<(Py<PyAny>, (String,))> {
                Ok((slf.getattr("from_json")?.unbind(), (json!(slf.get().0).to_string(),)))
            }

            $(#[getter]
            fn $field(&self) -> Told {
                Told(self.0.$field.clone().into())
            })*
        }
    };
}

class!(Survey, midrib::Survey, "The search for the mean and the extent of the points.", []);
class!(SurveyPart, midrib::SurveyPart, "The part of a block in a pass; parts are added.", []);
class!(
    Steps,
    PptSteps,
    "The steps of a fit with given settings, for points that were surveyed.",
    []
);
class!(
    Sums,
    assign::Sums,
    "Sums of the points assigned to each node; sums are added.",
    [mass, weighted, cost, weight]
);

#[pymethods]
impl Survey {
    #[new]
    fn new(dims: usize) -> Self {
        Self(midrib::Survey::new(dims))
    }

    #[getter]
    fn done(&self) -> bool {
        self.0.is_done()
    }

    /// The part of a block in the current pass.
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

    /// Continues with the sum over all blocks.
    fn take(&self, all: &SurveyPart) -> PyResult<Self> {
        Ok(Self(self.0.take(&all.0).raise()?))
    }
}

#[pymethods]
impl SurveyPart {
    fn __add__(&self, next: &Self) -> PyResult<Self> {
        Ok(Self(self.0.plus(&next.0).raise()?))
    }
}

#[pymethods]
impl Steps {
    /// `settings` are a JSON object.
    #[new]
    fn new(settings: &str, survey: &Survey) -> PyResult<Self> {
        let settings: SimplePpt = from_json(settings)?;
        let frame = survey.0.finished().raise()?;
        Ok(Self(PptSteps::new(&settings, frame.clone()).raise()?))
    }

    /// Converts nodes to working coordinates.
    fn enter(&self, nodes: PyReadonlyArray2<'_, f64>) -> PyResult<Told> {
        Ok(Told(self.0.enter(&matrix(&nodes)?).raise()?.into()))
    }

    /// Converts nodes back to the caller's coordinates.
    fn leave(&self, nodes: PyReadonlyArray2<'_, f64>) -> PyResult<Told> {
        Ok(Told(self.0.leave(matrix(&nodes)?).into()))
    }
}

#[pymethods]
impl Sums {
    fn __add__(&self, next: &Self) -> PyResult<Self> {
        Ok(Self(self.0.plus(&next.0).raise()?))
    }
}

/// Assigns a block of points to the nodes, which are in working coordinates.
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
) -> PyResult<(Told, f64, Told)> {
    let step = steps.0.mstep(&sums.0, &matrix(&nodes)?).raise()?;
    Ok((Told(step.nodes.into()), step.objective, Told(step.edges.into())))
}
