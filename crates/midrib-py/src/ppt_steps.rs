//! The steps of SimplePPT for programs that hold the points in blocks: a loop, a cluster.

use midrib::assign;
use midrib::learn::{PptSteps, SimplePpt};
use numpy::PyReadonlyArray2;
use pyo3::prelude::*;

use crate::arrays::{Column, Rows, Table, Tuples, Values, matrix};
use crate::error::Result;
use crate::json::{Json, from_json, to_json};
use crate::run::run;

/// A Python class that wraps a value of the engine and can be pickled.
macro_rules! class {
    ($name:ident, $engine:ty, $doc:literal) => {
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
                Ok((slf.getattr("from_json")?.unbind(), (to_json(&slf.get().0)?,)))
            }
        }
    };
}

class!(Survey, midrib::Survey, "The search for the mean and the extent of the points.");
class!(SurveyPart, midrib::SurveyPart, "The part of a block in a pass; parts are added.");
class!(Steps, PptSteps, "The steps of a fit with given settings, for points that were surveyed.");
class!(Sums, assign::Sums, "Sums of the points assigned to each node; sums are added.");

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
    ) -> Result<SurveyPart> {
        let points = rows.points(weights.as_ref())?;
        Ok(SurveyPart(run(py, (None, None), |_| self.0.look(&points))??))
    }

    /// Continues with the sum over all blocks.
    fn take(&self, all: &SurveyPart) -> Result<Self> {
        Ok(Self(self.0.take(&all.0)?))
    }
}

#[pymethods]
impl SurveyPart {
    fn __add__(&self, next: &Self) -> Result<Self> {
        Ok(Self(self.0.plus(&next.0)?))
    }
}

#[pymethods]
impl Steps {
    #[new]
    fn new(settings: Json<SimplePpt>, survey: &Survey) -> Result<Self> {
        Ok(Self(PptSteps::new(&settings.0, survey.0.finished()?.clone())?))
    }

    /// Converts nodes to working coordinates.
    fn enter(&self, nodes: PyReadonlyArray2<'_, f64>) -> Result<Table> {
        Ok(Table(self.0.enter(&matrix(&nodes)?)?))
    }

    /// Converts nodes back to the caller's coordinates.
    fn leave(&self, nodes: PyReadonlyArray2<'_, f64>) -> Result<Table> {
        Ok(Table(self.0.leave(matrix(&nodes)?)))
    }
}

#[pymethods]
impl Sums {
    #[getter]
    fn mass(&self) -> Column<f64> {
        Column(self.0.mass.clone())
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

    fn __add__(&self, next: &Self) -> Result<Self> {
        Ok(Self(self.0.plus(&next.0)?))
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
) -> Result<Sums> {
    let (points, nodes) = (rows.points(weights.as_ref())?, matrix(&nodes)?);
    Ok(Sums(run(py, (None, None), |_| steps.0.estep(&points, &nodes))??))
}

/// The next nodes, the objective at these and the edges between them, from the sums of all points.
#[pyfunction]
pub fn mstep(
    sums: &Sums,
    nodes: PyReadonlyArray2<'_, f64>,
    steps: &Steps,
) -> Result<(Table, f64, Tuples<i64, 2>)> {
    let step = steps.0.mstep(&sums.0, &matrix(&nodes)?)?;
    Ok((Table(step.nodes), step.objective, step.edges.into()))
}
