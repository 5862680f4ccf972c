//! Rust errors as Python exceptions, with the same words.

use pyo3::create_exception;
use pyo3::exceptions::{PyArithmeticError, PyOSError, PyValueError};
use pyo3::prelude::*;

create_exception!(midrib, SettingError, PyValueError, "A setting that no fit can use.");
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
        midrib_io::Error::from(error).into()
    }
}

impl From<midrib_io::Error> for Error {
    fn from(error: midrib_io::Error) -> Self {
        use midrib::Error as Engine;
        use midrib_io::Error as Io;
        let message = error.to_string();
        Self(match error {
            Io::Engine(
                Engine::Setting { .. } | Engine::Settings { .. } | Engine::UnknownMethod { .. },
            ) => SettingError::new_err(message),
            Io::Engine(Engine::Numerical(_)) => NumericalError::new_err(message),
            Io::File { .. } | Io::Exists { .. } | Io::ClosedPipe => FileError::new_err(message),
            _ => DataError::new_err(message),
        })
    }
}
