//! What comes in and what goes out. Arrays that come in are borrowed, never copied.

use midrib::Points;
use midrib::graph::Projection;
use midrib::math::Matrix;
use numpy::{IntoPyArray, PyArray2, PyArrayMethods, PyReadonlyArray1, PyReadonlyArray2};
use numpy::{PyUntypedArrayMethods, ndarray::Array2};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyList};

use crate::answer::Answer;
use crate::error::{DataError, Raise};
use crate::graph::Graph;

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

/// The number of a node or an edge.
pub fn number(i: i64) -> PyResult<usize> {
    let refused = |_| DataError::new_err(format!("{i} is not the number of a node or an edge"));
    usize::try_from(i).map_err(refused)
}

/// Places on a graph: nearest node, edge (−1: none), place on it, and distance.
#[derive(FromPyObject)]
pub struct Places<'py>(
    PyReadonlyArray1<'py, i64>,
    PyReadonlyArray1<'py, i64>,
    Values<'py>,
    Values<'py>,
);

impl Places<'_> {
    /// The same as the library has it.
    pub fn projection(&self) -> PyResult<Projection> {
        let edge = |&e: &i64| (e != -1).then(|| number(e)).transpose();
        Ok(Projection {
            node: self.0.as_slice()?.iter().map(|&node| number(node)).collect::<PyResult<_>>()?,
            edge: self.1.as_slice()?.iter().map(edge).collect::<PyResult<_>>()?,
            edge_pos: self.2.as_slice()?.to_vec(),
            distance: self.3.as_slice()?.to_vec(),
        })
    }
}

/// An answer on its way to Python: columns become arrays, records dicts.
pub struct Told(pub Answer);

impl<'py> IntoPyObject<'py> for Told {
    type Target = PyAny;
    type Output = Bound<'py, PyAny>;
    type Error = PyErr;

    fn into_pyobject(self, py: Python<'py>) -> PyResult<Self::Output> {
        Ok(match self.0 {
            Answer::Nothing => py.None().into_bound(py),
            Answer::Flag(flag) => PyBool::new(py, flag).to_owned().into_any(),
            Answer::Count(count) => count.into_pyobject(py)?.into_any(),
            Answer::Number(number) => number.into_pyobject(py)?.into_any(),
            Answer::Text(text) => text.into_pyobject(py)?.into_any(),
            Answer::Flags(flags) => flags.into_pyarray(py).into_any(),
            Answer::Indices(numbers) => numbers.into_pyarray(py).into_any(),
            Answer::Pairs(pairs) => Array2::from(pairs).into_pyarray(py).into_any(),
            Answer::Floats(numbers) => numbers.into_pyarray(py).into_any(),
            Answer::Table(table) => array(py, table)?.into_any(),
            Answer::Graph(graph) => Graph(*graph).into_pyobject(py)?.into_any(),
            Answer::List(answers) => PyList::new(py, answers.into_iter().map(Told))?.into_any(),
            Answer::Record(fields) => {
                let dict = PyDict::new(py);
                for (name, answer) in fields {
                    dict.set_item(name, Told(answer))?;
                }
                dict.into_any()
            }
        })
    }
}

fn array(py: Python<'_>, table: Matrix) -> PyResult<Bound<'_, PyArray2<f64>>> {
    let shape = [table.n_rows(), table.n_cols()];
    table.into_vec().into_pyarray(py).reshape(shape)
}
