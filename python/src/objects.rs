//! What goes from Rust to Python: values, and errors.

use plywise_cli::Failure;
use pyo3::exceptions::{PyKeyboardInterrupt, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};
use serde_json::Value;

pyo3::create_exception!(
    plywise,
    PlywiseError,
    PyValueError,
    "What was asked for cannot be done; the sentence is that of the command line."
);

/// The exception for a failure, with the sentence of the command line.
pub fn raised(failure: Failure) -> PyErr {
    match failure {
        Failure::Interrupted => PyKeyboardInterrupt::new_err(failure.to_string()),
        failure => PlywiseError::new_err(failure.to_string().replace(char::is_control, " ")),
    }
}

/// A document as Python objects.
pub fn to_python<'py>(py: Python<'py>, value: &Value) -> PyResult<Bound<'py, PyAny>> {
    Ok(match value {
        Value::Null => py.None().into_bound(py),
        Value::Bool(truth) => truth.into_pyobject(py)?.to_owned().into_any(),
        Value::Number(number) => match (number.as_i64(), number.as_u64()) {
            (Some(whole), _) => whole.into_pyobject(py)?.into_any(),
            (None, Some(whole)) => whole.into_pyobject(py)?.into_any(),
            (None, None) => number.as_f64().into_pyobject(py)?,
        },
        Value::String(text) => text.into_pyobject(py)?.into_any(),
        Value::Array(values) => {
            let list = PyList::empty(py);
            values.iter().try_for_each(|value| list.append(to_python(py, value)?))?;
            list.into_any()
        }
        Value::Object(fields) => {
            let dict = PyDict::new(py);
            fields.iter().try_for_each(|(name, value)| dict.set_item(name, to_python(py, value)?))?;
            dict.into_any()
        }
    })
}
