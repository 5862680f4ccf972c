//! Settings and other records as Python's dicts and lists.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use serde::Serialize;
use serde::de::DeserializeOwned;

/// A value that is a record in JSON, and a dict or a list in Python.
#[derive(Clone, Debug, Default)]
pub struct Json<T>(pub T);

impl<'py, T: DeserializeOwned> FromPyObject<'_, 'py> for Json<T> {
    type Error = PyErr;

    fn extract(record: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        let text = record.py().import("json")?.call_method1("dumps", (record,))?;
        from_json(text.extract()?).map(Self)
    }
}

impl<'py, T: Serialize> IntoPyObject<'py> for Json<T> {
    type Target = PyAny;
    type Output = Bound<'py, PyAny>;
    type Error = PyErr;

    fn into_pyobject(self, py: Python<'py>) -> PyResult<Self::Output> {
        py.import("json")?.call_method1("loads", (to_json(&self.0)?,))
    }
}

/// A value from the text of its JSON.
pub fn from_json<T: DeserializeOwned>(text: &str) -> PyResult<T> {
    serde_json::from_str(text).map_err(|error| PyValueError::new_err(error.to_string()))
}

/// The text of a value's JSON.
pub fn to_json(value: &impl Serialize) -> PyResult<String> {
    serde_json::to_string(value).map_err(|error| PyValueError::new_err(error.to_string()))
}
