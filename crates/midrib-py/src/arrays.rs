//! numpy arrays in and out. What comes in is borrowed, never copied.

use std::convert::Infallible;

use midrib::Points;
use midrib::graph::{PrincipalGraph, Projection};
use midrib::math::Matrix;
use numpy::{Element, PyUntypedArrayMethods, ndarray::Array2};
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

/// One number a point.
pub type Values<'py> = PyReadonlyArray1<'py, f64>;

impl Rows<'_> {
    /// The points, borrowed from the array.
    pub fn points<'a>(&'a self, weights: Option<&'a Values<'_>>) -> PyResult<Points<'a>> {
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

/// Numbers that become an array.
pub struct Array<T>(pub Vec<T>);

/// Lengths, places, shares.
pub type Floats = Array<f64>;

/// Numbers of nodes, edges or points; −1 for none.
pub type Ints = Array<i64>;

impl<'py, T: Element> IntoPyObject<'py> for Array<T> {
    type Target = PyArray1<T>;
    type Output = Bound<'py, Self::Target>;
    type Error = Infallible;

    fn into_pyobject(self, py: Python<'py>) -> Result<Self::Output, Infallible> {
        Ok(self.0.into_pyarray(py))
    }
}

impl FromIterator<f64> for Floats {
    fn from_iter<I: IntoIterator<Item = f64>>(numbers: I) -> Self {
        Self(numbers.into_iter().collect())
    }
}

impl FromIterator<usize> for Ints {
    fn from_iter<I: IntoIterator<Item = usize>>(numbers: I) -> Self {
        Self(numbers.into_iter().map(|i| i as i64).collect())
    }
}

/// A matrix that becomes an array.
pub struct Table(pub Matrix);

impl<'py> IntoPyObject<'py> for Table {
    type Target = PyArray2<f64>;
    type Output = Bound<'py, Self::Target>;
    type Error = PyErr;

    fn into_pyobject(self, py: Python<'py>) -> PyResult<Self::Output> {
        let (rows, columns) = (self.0.n_rows(), self.0.n_cols());
        PyArray1::from_slice(py, self.0.as_slice()).reshape([rows, columns])
    }
}

/// Pairs of nodes that become an array of two columns.
pub struct Pairs(pub Vec<[usize; 2]>);

impl<'py> IntoPyObject<'py> for Pairs {
    type Target = PyArray2<i64>;
    type Output = Bound<'py, Self::Target>;
    type Error = Infallible;

    fn into_pyobject(self, py: Python<'py>) -> Result<Self::Output, Infallible> {
        let pairs = Array2::from_shape_fn((self.0.len(), 2), |(i, j)| self.0[i][j] as i64);
        Ok(pairs.into_pyarray(py))
    }
}

/// Nearest node, edge (−1: none), place on it, distance, branch and component of each point.
pub type Placed = (Ints, Ints, Floats, Floats, Ints, Ints);

/// Places on a graph as arrays.
pub fn placed(projection: Projection, graph: &PrincipalGraph) -> Placed {
    let branch = projection.branch(graph).into_iter().collect();
    let component = projection.component(graph).into_iter().collect();
    let Projection { node, edge, edge_pos, distance } = projection;
    let edge = edge.into_iter().map(|edge| edge.map_or(-1, |edge| edge as i64)).collect();
    let node = node.into_iter().collect();
    (node, Array(edge), Array(edge_pos), Array(distance), branch, component)
}

/// Places on a graph, as they come back from Python.
#[derive(FromPyObject)]
pub struct Places<'py>(
    PyReadonlyArray1<'py, i64>,
    PyReadonlyArray1<'py, i64>,
    Values<'py>,
    Values<'py>,
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
