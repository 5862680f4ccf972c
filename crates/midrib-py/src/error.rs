//! Rust errors as Python exceptions, with the same words.

use pyo3::create_exception;
use pyo3::exceptions::{PyArithmeticError, PyOSError, PyRuntimeError, PyValueError};
use pyo3::prelude::*;

create_exception!(
    midrib,
    SettingError,
    PyValueError,
    "A setting or an argument that cannot be used."
);
create_exception!(midrib, DataError, PyValueError, "Points or files that cannot be used.");
create_exception!(
    midrib,
    NumericalError,
    PyArithmeticError,
    "The arithmetic broke down on admissible input."
);
create_exception!(midrib, FileError, PyOSError, "A file that cannot be read or written.");

/// An exception to be raised.
#[derive(Debug)]
pub struct Error(PyErr);

/// A result, or an exception to be raised.
pub type Result<T> = std::result::Result<T, Error>;

impl From<Error> for PyErr {
    fn from(error: Error) -> Self {
        error.0
    }
}

impl From<PyErr> for Error {
    fn from(error: PyErr) -> Self {
        Self(error)
    }
}

impl From<midrib::Error> for Error {
    fn from(error: midrib::Error) -> Self {
        midrib_tasks::Error::from(error).into()
    }
}

impl From<midrib_io::Error> for Error {
    fn from(error: midrib_io::Error) -> Self {
        midrib_tasks::Error::from(error).into()
    }
}

impl From<midrib_tasks::Error> for Error {
    fn from(error: midrib_tasks::Error) -> Self {
        use midrib_tasks::{Error as Task, Kind};
        let (kind, message) = (error.kind(), error.to_string());
        Self(match (kind, error) {
            (_, Task::File(_)) if kind != Kind::BadData => FileError::new_err(message),
            (_, Task::Engine(midrib::Error::Numerical(_))) => NumericalError::new_err(message),
            (Kind::Usage, _) => SettingError::new_err(message),
            (Kind::Runtime | Kind::ClosedPipe | Kind::Interrupted, _) => {
                PyRuntimeError::new_err(message)
            }
            (Kind::BadData, _) => DataError::new_err(message),
        })
    }
}
