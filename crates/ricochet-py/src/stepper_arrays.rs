//! The arrays that a [`Stepper`](crate::stepper::Stepper) writes into.

use numpy::{PyArray1, PyArray2, PyArray3, PyArray4, PyArrayMethods, PyReadwriteArray};
use pyo3::prelude::*;

use crate::arrays::{bytes_of, plane_count};
use crate::errors;

/// The arrays that a step writes into, each once for all games. Those of observations may be missing.
pub(crate) struct Out<'a> {
    pub(crate) planes: Option<&'a mut [u8]>,
    pub(crate) robots: Option<&'a mut [u8]>,
    pub(crate) walls: Option<&'a mut [u8]>,
    pub(crate) diagonals: Option<&'a mut [u8]>,
    pub(crate) target: Option<&'a mut [u8]>,
    pub(crate) target_robot: Option<&'a mut [i64]>,
    pub(crate) mask: Option<&'a mut [bool]>,
    pub(crate) optimum: Option<&'a mut [i32]>,
}

/// The arrays as Python gives them.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct Arrays<'py> {
    planes: Option<Bound<'py, PyArray4<u8>>>,
    robots: Option<Bound<'py, PyArray3<u8>>>,
    walls: Option<Bound<'py, PyArray3<u8>>>,
    diagonals: Option<Bound<'py, PyArray3<u8>>>,
    target: Option<Bound<'py, PyArray2<u8>>>,
    target_robot: Option<Bound<'py, PyArray1<i64>>>,
    mask: Option<Bound<'py, PyArray2<bool>>>,
    optimum: Option<Bound<'py, PyArray1<i32>>>,
}

/// The arrays, borrowed for one call.
pub(crate) struct Borrowed<'py> {
    planes: Option<PyReadwriteArray<'py, u8, numpy::Ix4>>,
    robots: Option<PyReadwriteArray<'py, u8, numpy::Ix3>>,
    walls: Option<PyReadwriteArray<'py, u8, numpy::Ix3>>,
    diagonals: Option<PyReadwriteArray<'py, u8, numpy::Ix3>>,
    target: Option<PyReadwriteArray<'py, u8, numpy::Ix2>>,
    target_robot: Option<PyReadwriteArray<'py, i64, numpy::Ix1>>,
    mask: Option<PyReadwriteArray<'py, bool, numpy::Ix2>>,
    optimum: Option<PyReadwriteArray<'py, i32, numpy::Ix1>>,
}

/// Borrows an array, if there is one; another borrow of it is an error, not a panic.
pub(crate) fn borrowed<'py, T: numpy::Element, D: numpy::ndarray::Dimension>(
    array: Option<&Bound<'py, numpy::PyArray<T, D>>>,
) -> PyResult<Option<PyReadwriteArray<'py, T, D>>> {
    array
        .map(|array| {
            array
                .try_readwrite()
                .map_err(|error| errors::bad(format!("an array cannot be written: {error}")))
        })
        .transpose()
}

impl<'py> Arrays<'py> {
    pub(crate) fn borrow(&self) -> PyResult<Borrowed<'py>> {
        Ok(Borrowed {
            planes: borrowed(self.planes.as_ref())?,
            robots: borrowed(self.robots.as_ref())?,
            walls: borrowed(self.walls.as_ref())?,
            diagonals: borrowed(self.diagonals.as_ref())?,
            target: borrowed(self.target.as_ref())?,
            target_robot: borrowed(self.target_robot.as_ref())?,
            mask: borrowed(self.mask.as_ref())?,
            optimum: borrowed(self.optimum.as_ref())?,
        })
    }
}

fn part<'a, T: numpy::Element, D: numpy::ndarray::Dimension>(
    array: Option<&'a mut PyReadwriteArray<'_, T, D>>,
    wanted: usize,
    name: &str,
) -> PyResult<Option<&'a mut [T]>> {
    array.map(|array| bytes_of(array, wanted, name)).transpose()
}

impl Borrowed<'_> {
    /// The slices for a number of games, by cells of the board and number of robots.
    pub(crate) fn out(&mut self, n: usize, cells: usize, robots: usize) -> PyResult<Out<'_>> {
        Ok(Out {
            planes: part(
                self.planes.as_mut(),
                n * plane_count(robots) * cells,
                "planes",
            )?,
            robots: part(self.robots.as_mut(), n * robots * 2, "robots")?,
            walls: part(self.walls.as_mut(), n * cells, "walls")?,
            diagonals: part(self.diagonals.as_mut(), n * cells, "diagonals")?,
            target: part(self.target.as_mut(), n * 2, "target")?,
            target_robot: part(self.target_robot.as_mut(), n, "target_robot")?,
            mask: part(self.mask.as_mut(), n * robots * 4, "mask")?,
            optimum: part(self.optimum.as_mut(), n, "optimum")?,
        })
    }
}

impl Out<'_> {
    /// Copies the observation of one of `n` games from other arrays.
    pub(crate) fn copy_game(&mut self, from: &Out<'_>, game: usize, n: usize) {
        copy(self.planes.as_deref_mut(), from.planes.as_deref(), game, n);
        copy(self.robots.as_deref_mut(), from.robots.as_deref(), game, n);
        copy(self.walls.as_deref_mut(), from.walls.as_deref(), game, n);
        copy(
            self.diagonals.as_deref_mut(),
            from.diagonals.as_deref(),
            game,
            n,
        );
        copy(self.target.as_deref_mut(), from.target.as_deref(), game, n);
        copy(
            self.target_robot.as_deref_mut(),
            from.target_robot.as_deref(),
            game,
            n,
        );
    }
}

fn copy<T: Copy>(to: Option<&mut [T]>, from: Option<&[T]>, game: usize, n: usize) {
    if let (Some(to), Some(from)) = (to, from) {
        let each = from.len() / n;
        to[game * each..][..each].copy_from_slice(&from[game * each..][..each]);
    }
}
