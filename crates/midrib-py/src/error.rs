//! Rust errors as Python exceptions, with the same words.

use midrib_tasks::{Error, Kind};
use pyo3::create_exception;
use pyo3::exceptions::{PyArithmeticError, PyOSError, PyValueError};
use pyo3::prelude::*;
use serde::de::DeserializeOwned;

create_exception!(midrib, SettingError, PyValueError, "A setting that no fit can use.");
create_exception!(midrib, DataError, PyValueError, "Points or files that cannot be used.");
create_exception!(
    midrib,
    NumericalError,
    PyArithmeticError,
    "The arithmetic broke down on admissible input."
);
create_exception!(midrib, FileError, PyOSError, "A file that cannot be read or written.");

/// Turns errors of the Rust crates into exceptions.
pub trait Raise<T> {
    /// The value, or the exception that tells why there is none.
    fn raise(self) -> PyResult<T>;
}

impl<T, E: Into<midrib_tasks::Error>> Raise<T> for Result<T, E> {
    fn raise(self) -> PyResult<T> {
        self.map_err(|error| exception(&error.into()))
    }
}

fn exception(error: &Error) -> PyErr {
    let message = error.to_string();
    match (error.kind(), error) {
        (Kind::Usage, Error::Engine(_)) => SettingError::new_err(message),
        (_, Error::Engine(midrib::Error::Numerical(_))) => NumericalError::new_err(message),
        (Kind::Usage | Kind::Runtime | Kind::ClosedPipe, Error::File(_)) => {
            FileError::new_err(message)
        }
        _ => DataError::new_err(message),
    }
}

/// A value from JSON that Python sends.
pub fn from_json<T: DeserializeOwned>(text: &str) -> PyResult<T> {
    serde_json::from_str(text).map_err(|error| PyValueError::new_err(error.to_string()))
}
