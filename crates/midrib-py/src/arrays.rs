//! Arrays: what comes in is borrowed where that is possible, what goes out is given away.

use std::convert::Infallible;

use midrib::Points;
use midrib::graph::Projection;
use midrib::math::Matrix;
use numpy::PyArrayMethods;
use numpy::ndarray::Array2;
use numpy::{AllowTypeChange, Element, IntoPyArray, PyArray1, PyArray2, PyArrayLike1};
use numpy::{PyReadonlyArray1, PyReadonlyArray2, PyUntypedArrayMethods};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::error::{DataError, Error, Result};

/// Points in a C-contiguous array.
#[derive(FromPyObject)]
pub enum Rows<'py> {
    #[pyo3(transparent, annotation = "float32 array")]
    F32(PyReadonlyArray2<'py, f32>),
    #[pyo3(transparent, annotation = "float64 array")]
    F64(PyReadonlyArray2<'py, f64>),
}

/// One number per point.
pub type Values<'py> = PyReadonlyArray1<'py, f64>;

/// Points with their weights.
pub type Weighted<'py> = (Rows<'py>, Option<Values<'py>>);

impl Rows<'_> {
    /// The points, borrowed from the array.
    pub fn points<'a>(&'a self, weights: Option<&'a Values<'_>>) -> Result<Points<'a>> {
        let points = match self {
            Self::F32(rows) => Points::from_f32(slice(rows.as_slice())?, rows.shape()[1]),
            Self::F64(rows) => Points::from_f64(slice(rows.as_slice())?, rows.shape()[1]),
        }?;
        match weights {
            Some(weights) => Ok(points.with_weights(slice(weights.as_slice())?)?),
            None => Ok(points),
        }
    }
}

/// The values of a contiguous array.
pub fn slice<T>(values: std::result::Result<&[T], numpy::AsSliceError>) -> Result<&[T]> {
    values.map_err(|error| Error::from(PyValueError::new_err(error.to_string())))
}

/// A copy of an array as a matrix.
pub fn matrix(rows: &PyReadonlyArray2<'_, f64>) -> Result<Matrix> {
    Ok(Matrix::new(rows.shape()[0], rows.shape()[1], slice(rows.as_slice())?.to_vec())?)
}

/// The number of a node or an edge.
pub fn index(i: i64) -> Result<usize> {
    let refused = |_| DataError::new_err(format!("{i} is not the number of a node or an edge"));
    Ok(usize::try_from(i).map_err(refused)?)
}

/// The attributes of a projection that was made before.
#[derive(FromPyObject)]
pub struct Projected<'py> {
    node: PyArrayLike1<'py, i64, AllowTypeChange>,
    edge: PyArrayLike1<'py, i64, AllowTypeChange>,
    edge_pos: PyArrayLike1<'py, f64, AllowTypeChange>,
    distance: PyArrayLike1<'py, f64, AllowTypeChange>,
}

impl Projected<'_> {
    /// The projection as the engine stores it.
    pub fn projection(&self) -> Result<Projection> {
        let edge = |&edge: &i64| (edge != -1).then(|| index(edge)).transpose();
        Ok(Projection {
            node: self.node.as_array().iter().map(|&node| index(node)).collect::<Result<_>>()?,
            edge: self.edge.as_array().iter().map(edge).collect::<Result<_>>()?,
            edge_pos: self.edge_pos.as_array().to_vec(),
            distance: self.distance.as_array().to_vec(),
        })
    }
}

/// A one-dimensional array for Python.
#[derive(Clone, Debug)]
pub struct Column<T>(pub Vec<T>);

/// A matrix as a two-dimensional array for Python.
#[derive(Clone, Debug)]
pub struct Table(pub Matrix);

/// Rows of N numbers as a two-dimensional array for Python.
#[derive(Clone, Debug)]
pub struct Tuples<T, const N: usize>(pub Vec<[T; N]>);

impl From<Vec<usize>> for Column<i64> {
    fn from(numbers: Vec<usize>) -> Self {
        Self(numbers.into_iter().map(|number| number as i64).collect())
    }
}

/// −1 where there is none.
impl From<Vec<Option<usize>>> for Column<i64> {
    fn from(numbers: Vec<Option<usize>>) -> Self {
        Self(numbers.into_iter().map(|number| number.map_or(-1, |number| number as i64)).collect())
    }
}

impl From<Vec<(usize, usize)>> for Tuples<i64, 2> {
    fn from(pairs: Vec<(usize, usize)>) -> Self {
        Self(pairs.into_iter().map(|(a, b)| [a as i64, b as i64]).collect())
    }
}

impl<'py, T: Element> IntoPyObject<'py> for Column<T> {
    type Target = PyArray1<T>;
    type Output = Bound<'py, Self::Target>;
    type Error = Infallible;

    fn into_pyobject(self, py: Python<'py>) -> std::result::Result<Self::Output, Infallible> {
        Ok(self.0.into_pyarray(py))
    }
}

impl<'py, T: Element, const N: usize> IntoPyObject<'py> for Tuples<T, N> {
    type Target = PyArray2<T>;
    type Output = Bound<'py, Self::Target>;
    type Error = Infallible;

    fn into_pyobject(self, py: Python<'py>) -> std::result::Result<Self::Output, Infallible> {
        Ok(Array2::from(self.0).into_pyarray(py))
    }
}

impl<'py> IntoPyObject<'py> for Table {
    type Target = PyArray2<f64>;
    type Output = Bound<'py, Self::Target>;
    type Error = PyErr;

    fn into_pyobject(self, py: Python<'py>) -> PyResult<Self::Output> {
        let shape = [self.0.n_rows(), self.0.n_cols()];
        self.0.into_vec().into_pyarray(py).reshape(shape)
    }
}
