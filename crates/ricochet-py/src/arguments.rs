//! Arguments as people give them. What is taken at once is taken here; for all else the checks of the
//! package (`ricochet_engine/_checks.py`) convert it, or say what was expected in Python's words.

use numpy::ndarray::Dimension;
use numpy::{Element, PyArray, PyArrayMethods, PyReadonlyArray};
use pyo3::conversion::FromPyObjectOwned;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use ricochet_core::Cell;

fn check<'py>(
    given: &Bound<'py, PyAny>,
    check: &str,
    arguments: impl pyo3::call::PyCallArgs<'py>,
) -> PyResult<Bound<'py, PyAny>> {
    let checks = given.py().import("ricochet_engine._checks")?;
    checks.getattr(check)?.call1(arguments)
}

/// A cell: any pair of small whole numbers.
pub(crate) fn cell(given: &Bound<'_, PyAny>, name: &str) -> PyResult<Cell> {
    let (x, y) = match given.extract::<(u8, u8)>() {
        Ok(pair) => pair,
        Err(_) => check(given, "cell", (given, name))?.extract()?,
    };
    Ok(Cell::new(x, y))
}

/// Cells: any iterable of pairs, among them arrays.
pub(crate) fn cells(given: &Bound<'_, PyAny>, name: &str) -> PyResult<Vec<Cell>> {
    let pairs = match given.extract::<Vec<(u8, u8)>>() {
        Ok(pairs) => pairs,
        Err(_) => check(given, "cells", (given, name))?.extract()?,
    };
    Ok(pairs.into_iter().map(|(x, y)| Cell::new(x, y)).collect())
}

/// A whole number up to `most`.
pub(crate) fn number(given: &Bound<'_, PyAny>, name: &str, most: u64) -> PyResult<u64> {
    check(given, "whole_number", (given, name, 0, most))?.extract()
}

/// A whole number, or None.
pub(crate) fn optional(
    given: Option<&Bound<'_, PyAny>>,
    name: &str,
    most: Option<u64>,
) -> PyResult<Option<u64>> {
    let most = most.unwrap_or(u64::MAX);
    given.map(|given| number(given, name, most)).transpose()
}

/// Wall masks: an array of rows, or one list row by row.
pub(crate) fn walls(given: &Bound<'_, PyAny>, height: usize, width: usize) -> PyResult<Vec<u8>> {
    match given.extract() {
        Ok(walls) => Ok(walls),
        Err(_) => check(given, "masks", (given, "walls", height, width))?.extract(),
    }
}

/// Tuples of some kind; none if they are not given.
pub(crate) fn rows<'py, T: FromPyObjectOwned<'py>>(
    given: Option<&Bound<'py, PyAny>>,
    name: &str,
    expected: &str,
) -> PyResult<Vec<T>> {
    let Some(given) = given else {
        return Ok(Vec::new());
    };
    let items = given.try_iter().map_err(|_| {
        let found = given.get_type();
        PyTypeError::new_err(format!(
            "{name}: expected a list of {expected}, found {found}"
        ))
    })?;
    let read = |(index, item): (usize, PyResult<Bound<'py, PyAny>>)| {
        let item = item?;
        item.extract().map_err(|_| {
            PyTypeError::new_err(format!(
                "{name}[{index}]: expected {expected}, found {item}"
            ))
        })
    };
    items.enumerate().map(read).collect()
}

/// An array of whole numbers that fit into `T`. `None` in the shape stands for any length.
pub(crate) fn whole_numbers<'py, T: Element, D: Dimension>(
    given: &Bound<'py, PyAny>,
    name: &str,
    dtype: &str,
    shape: impl IntoPyObject<'py>,
) -> PyResult<PyReadonlyArray<'py, T, D>> {
    let array = check(given, "whole_numbers", (given, name, dtype, shape))?;
    let array = array.cast_into::<PyArray<T, D>>()?;
    Ok(array.readonly())
}
