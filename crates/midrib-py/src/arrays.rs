//! numpy arrays in and out. What comes in is borrowed, never copied.

use midrib::Points;
use midrib::graph::{PrincipalGraph, Projection};
use midrib::math::Matrix;
use numpy::PyUntypedArrayMethods;
use numpy::{IntoPyArray, PyArray1, PyArray2, PyArrayMethods, PyReadonlyArray1, PyReadonlyArray2};
use pyo3::prelude::*;

use crate::error::Raise;

/// Points as they lie in a C-contiguous array.
#[derive(FromPyObject)]
pub enum Rows<'py> {
    #[pyo3(transparent, annotation = "float32 array")]
    F32(PyReadonlyArray2<'py, f32>),
    #[pyo3(transparent, annotation = "float64 array")]
    F64(PyReadonlyArray2<'py, f64>),
}

/// One weight a point.
pub type Weights<'py> = PyReadonlyArray1<'py, f64>;

impl Rows<'_> {
    /// The points, borrowed from the array.
    pub fn points<'a>(&'a self, weights: Option<&'a Weights<'_>>) -> PyResult<Points<'a>> {
        let points = match self {
            Self::F32(rows) => Points::from_f32(rows.as_slice()?, rows.shape()[1]),
            Self::F64(rows) => Points::from_f64(rows.as_slice()?, rows.shape()[1]),
        }
        .raise()?;
        match weights {
            Some(weights) => points.with_weights(weights.as_slice()?).raise(),
            None => Ok(points),
        }
    }
}

/// An array's own copy as a matrix.
pub fn matrix(rows: &PyReadonlyArray2<'_, f64>) -> PyResult<Matrix> {
    Matrix::new(rows.shape()[0], rows.shape()[1], rows.as_slice()?.to_vec()).raise()
}

/// A matrix as an array.
pub fn array2<'py>(py: Python<'py>, matrix: &Matrix) -> PyResult<Bound<'py, PyArray2<f64>>> {
    let values = PyArray1::from_slice(py, matrix.as_slice());
    values.reshape([matrix.n_rows(), matrix.n_cols()])
}

/// Node, edge or point numbers as an array.
pub fn indices<'py>(
    py: Python<'py>,
    numbers: impl IntoIterator<Item = usize>,
) -> Bound<'py, PyArray1<i64>> {
    numbers.into_iter().map(|i| i as i64).collect::<Vec<_>>().into_pyarray(py)
}

/// Nearest node, edge (−1: none), place on it, distance, branch and component of each point.
pub type PlacedArrays<'py> = (
    Bound<'py, PyArray1<i64>>,
    Bound<'py, PyArray1<i64>>,
    Bound<'py, PyArray1<f64>>,
    Bound<'py, PyArray1<f64>>,
    Bound<'py, PyArray1<i64>>,
    Bound<'py, PyArray1<i64>>,
);

/// Places on a graph as arrays.
pub fn placed<'py>(
    py: Python<'py>,
    projection: &Projection,
    graph: &PrincipalGraph,
) -> PlacedArrays<'py> {
    let edge: Vec<i64> =
        projection.edge.iter().map(|edge| edge.map_or(-1, |edge| edge as i64)).collect();
    (
        indices(py, projection.node.iter().copied()),
        edge.into_pyarray(py),
        PyArray1::from_slice(py, &projection.edge_pos),
        PyArray1::from_slice(py, &projection.distance),
        indices(py, projection.branch(graph)),
        indices(py, projection.component(graph)),
    )
}

/// Places on a graph, as they come back from Python.
#[derive(FromPyObject)]
pub struct Places<'py>(
    PyReadonlyArray1<'py, i64>,
    PyReadonlyArray1<'py, i64>,
    PyReadonlyArray1<'py, f64>,
    PyReadonlyArray1<'py, f64>,
);

impl Places<'_> {
    /// The same as the library has it. Numbers below 0 belong to no node; −1 is no edge.
    pub fn projection(&self) -> PyResult<Projection> {
        let number = |i: &i64| usize::try_from(*i).unwrap_or(usize::MAX);
        Ok(Projection {
            node: self.0.as_slice()?.iter().map(number).collect(),
            edge: self.1.as_slice()?.iter().map(|e| (*e != -1).then(|| number(e))).collect(),
            edge_pos: self.2.as_slice()?.to_vec(),
            distance: self.3.as_slice()?.to_vec(),
        })
    }
}
