//! Errors of the engine as exceptions of the package.
//!
//! The classes are in Python (`ricochet_engine/_errors.py`): there they can carry their problems, be
//! pickled and be caught by name.

use pyo3::prelude::*;
use ricochet_core::formats::ReadError;
use ricochet_core::{ParseMoveError, ReplayError, ValidationError};
use ricochet_service::{Error, ErrorKind, ProblemInfo};
use ricochet_solve::tablebase::TablebaseError;

/// One problem: message, line, column, cell.
type Problem<'a> = (&'a str, Option<usize>, Option<usize>, Option<(u8, u8)>);

/// The exception of an error of the service.
pub(crate) fn exception(error: &Error) -> PyErr {
    let kind = serde_json::to_value(error.kind).unwrap_or_default();
    let kind = kind.as_str().unwrap_or("internal").to_owned();
    raise(&kind, &error.message, &error.problems)
}

fn raise(kind: &str, message: &str, problems: &[ProblemInfo]) -> PyErr {
    Python::attach(|py| {
        let made = || -> PyResult<PyErr> {
            let problems: Vec<Problem<'_>> = problems
                .iter()
                .map(|it| {
                    let cell = it.cell.map(|[x, y]| (x, y));
                    (it.message.as_str(), it.line, it.column, cell)
                })
                .collect();
            let module = py.import("ricochet_engine._errors")?;
            let value = module.call_method1("of_kind", (kind, message, problems))?;
            Ok(PyErr::from_value(value))
        };
        made().unwrap_or_else(|error| error)
    })
}

/// The same exception, which says which of several things is wrong, counted from 0.
pub(crate) fn at(index: usize, what: &str, error: PyErr) -> PyErr {
    Python::attach(|py| {
        let numbered = error.value(py).call_method1("at", (index, what));
        numbered.map_or(error, PyErr::from_value)
    })
}

pub(crate) fn unreadable(error: ReadError) -> PyErr {
    exception(&Error::from(error))
}

pub(crate) fn invalid(error: ValidationError) -> PyErr {
    exception(&Error::from(error))
}

/// What is wrong with a puzzle that begins at a line of a text.
pub(crate) fn invalid_at(line: usize, error: &ValidationError) -> PyErr {
    let mut error = Error::from(error.clone());
    for problem in &mut error.problems {
        problem.line = problem.line.or(Some(line));
    }
    exception(&error)
}

pub(crate) fn no_move(error: ParseMoveError) -> PyErr {
    exception(&Error::from(error))
}

pub(crate) fn illegal_move(error: &ReplayError) -> PyErr {
    raise("illegal-move", &error.to_string(), &[])
}

pub(crate) fn bad(message: impl Into<String>) -> PyErr {
    exception(&Error::new(ErrorKind::BadRequest, message))
}

pub(crate) fn of_tablebase(error: &TablebaseError) -> PyErr {
    let kind = match error {
        TablebaseError::Io { .. } => {
            return pyo3::exceptions::PyOSError::new_err(error.to_string());
        }
        TablebaseError::Stopped(_) => "limit",
        TablebaseError::TooLarge { .. } => "too-large",
        TablebaseError::Unsupported { .. } => "unsupported",
        TablebaseError::OtherPuzzle { .. } => "bad-request",
        TablebaseError::Contradiction { .. } | TablebaseError::Damaged { .. } => "damaged",
    };
    raise(kind, &error.to_string(), &[])
}
