//! Rust errors as Python exceptions, with the same words.

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

impl<T, E: Into<midrib_io::Error>> Raise<T> for Result<T, E> {
    fn raise(self) -> PyResult<T> {
        self.map_err(|error| exception(&error.into()))
    }
}

fn exception(error: &midrib_io::Error) -> PyErr {
    use midrib::Error as Engine;
    use midrib_io::Error as Io;
    let message = error.to_string();
    match error {
        Io::Engine(
            Engine::Setting { .. } | Engine::Settings { .. } | Engine::UnknownMethod { .. },
        ) => SettingError::new_err(message),
        Io::Engine(Engine::Numerical(_)) => NumericalError::new_err(message),
        Io::File { .. } | Io::Exists { .. } | Io::ClosedPipe => FileError::new_err(message),
        _ => DataError::new_err(message),
    }
}

/// A value from JSON that Python sends.
pub fn from_json<T: DeserializeOwned>(text: &str) -> PyResult<T> {
    serde_json::from_str(text).map_err(|error| PyValueError::new_err(error.to_string()))
}
