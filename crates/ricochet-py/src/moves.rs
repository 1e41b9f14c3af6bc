//! `Move` and `Solution`.

use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};

use pyo3::basic::CompareOp;
use pyo3::exceptions::{PyIndexError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PySlice, PyString, PyType};
use ricochet_core::{Direction, Robot};

use crate::arguments;
use crate::errors;

/// One robot sent in one direction: `Move("RE")` sends red east. Moves sort by robot, then by direction
/// in the order N E S W, as their actions do.
#[pyclass(frozen, module = "ricochet_engine", skip_from_py_object)]
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Move(pub(crate) ricochet_core::Move);

#[pymethods]
impl Move {
    #[new]
    fn new(text: &str) -> PyResult<Self> {
        text.parse().map(Self).map_err(errors::no_move)
    }

    /// The move of an action of the environments: `4 * robot + direction`.
    #[classmethod]
    fn from_action(_: &Bound<'_, PyType>, action: &Bound<'_, PyAny>) -> PyResult<Self> {
        let action = arguments::number(action, "action", 31)?;
        of_action(action as usize)
            .map(Self)
            .ok_or_else(|| errors::bad(format!("there is no action {action}")))
    }

    /// The robot's number, from 0, in the order R G B Y W O P C.
    #[getter]
    fn robot(&self) -> usize {
        self.0.robot.index()
    }

    /// The robot's colour.
    #[getter]
    fn color(&self) -> &'static str {
        self.0.robot.name()
    }

    /// N, E, S or W.
    #[getter]
    fn direction(&self) -> char {
        self.0.direction.letter()
    }

    /// `4 * robot + direction`, with the directions in the order N E S W.
    #[getter]
    fn action(&self) -> usize {
        self.0.robot.index() * 4 + self.0.direction.index()
    }

    fn __str__(&self) -> String {
        self.0.to_string()
    }

    fn __repr__(&self) -> String {
        format!("Move('{}')", self.0)
    }

    fn __richcmp__<'py>(&self, other: &Bound<'py, PyAny>, compare: CompareOp) -> Bound<'py, PyAny> {
        let py = other.py();
        let Ok(other) = other.cast::<Self>() else {
            return py.NotImplemented().into_bound(py);
        };
        let matches = compare.matches(self.action().cmp(&other.get().action()));
        PyBool::new(py, matches).to_owned().into_any()
    }

    fn __hash__(&self) -> u64 {
        hash_of(&self.0)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> (Bound<'py, PyType>, (String,)) {
        (py.get_type::<Self>(), (self.0.to_string(),))
    }
}

pub(crate) fn of_action(action: usize) -> Option<ricochet_core::Move> {
    Some(ricochet_core::Move {
        robot: Robot::new(action / 4)?,
        direction: Direction::from_index(action % 4),
    })
}

pub(crate) fn hash_of(value: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

/// A move as people give it: a `Move`, or text such as `RE`.
pub(crate) fn one(value: &Bound<'_, PyAny>) -> PyResult<ricochet_core::Move> {
    if let Ok(given) = value.cast::<Move>() {
        return Ok(given.get().0);
    }
    if let Ok(text) = value.cast::<PyString>() {
        return text.to_cow()?.parse().map_err(errors::no_move);
    }
    Err(PyTypeError::new_err("expected a Move or text such as 'RE'"))
}

/// Moves as people give them: a `Solution`, text such as `GE RE RS`, or any iterable of moves.
pub(crate) fn several(value: &Bound<'_, PyAny>) -> PyResult<Vec<ricochet_core::Move>> {
    if let Ok(given) = value.cast::<Solution>() {
        return Ok(given.get().0.moves().to_vec());
    }
    if let Ok(given) = value.cast::<Move>() {
        return Ok(vec![given.get().0]);
    }
    if let Ok(text) = value.cast::<PyString>() {
        let moves: ricochet_core::Solution = text.to_cow()?.parse().map_err(errors::no_move)?;
        return Ok(moves.moves().to_vec());
    }
    value.try_iter()?.map(|item| one(&item?)).collect()
}

/// Moves in a row: `Solution("GE RE RS")`. It knows nothing of a puzzle; `Puzzle.trace` plays it.
#[pyclass(frozen, sequence, module = "ricochet_engine", skip_from_py_object)]
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) struct Solution(pub(crate) ricochet_core::Solution);

#[pymethods]
impl Solution {
    #[new]
    #[pyo3(signature = (moves = None))]
    fn new(moves: Option<&Bound<'_, PyAny>>) -> PyResult<Self> {
        let moves = moves.map(several).transpose()?.unwrap_or_default();
        Ok(Self(ricochet_core::Solution::new(moves)))
    }

    fn __len__(&self) -> usize {
        self.0.len()
    }

    fn __getitem__<'py>(
        &self,
        py: Python<'py>,
        index: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let moves = self.0.moves();
        if let Ok(slice) = index.cast::<PySlice>() {
            let at = slice.indices(moves.len() as isize)?;
            let chosen = (0..at.slicelength as isize)
                .map(|i| moves[(at.start + i * at.step) as usize])
                .collect();
            let part = Self(ricochet_core::Solution::new(chosen));
            return Ok(Bound::new(py, part)?.into_any());
        }
        let index: isize = index.extract()?;
        let at = if index < 0 {
            index + moves.len() as isize
        } else {
            index
        };
        let found = usize::try_from(at).ok().and_then(|at| moves.get(at));
        let found = found.ok_or_else(|| PyIndexError::new_err("there is no such move"))?;
        Ok(Bound::new(py, Move(*found))?.into_any())
    }

    fn __contains__(&self, play: &Bound<'_, PyAny>) -> bool {
        one(play).is_ok_and(|play| self.0.moves().contains(&play))
    }

    fn __reversed__(slf: &Bound<'_, Self>) -> PyResult<Py<PyAny>> {
        let backwards = slf.get().0.moves().iter().rev().copied().collect();
        let backwards = Self(ricochet_core::Solution::new(backwards));
        let list = Bound::new(slf.py(), backwards)?;
        Ok(list.try_iter()?.into_any().unbind())
    }

    /// Another solution with more moves at its end.
    fn __add__(&self, other: &Bound<'_, PyAny>) -> PyResult<Self> {
        let mut moves = self.0.moves().to_vec();
        moves.extend(several(other)?);
        Ok(Self(ricochet_core::Solution::new(moves)))
    }

    /// How often a move occurs.
    fn count(&self, value: &Bound<'_, PyAny>) -> usize {
        one(value).map_or(0, |play| {
            self.0.moves().iter().filter(|&&it| it == play).count()
        })
    }

    /// The index of the first such move between `start` and `stop`; `ValueError` if there is none.
    #[pyo3(signature = (value, start = 0, stop = isize::MAX))]
    fn index(&self, value: &Bound<'_, PyAny>, start: isize, stop: isize) -> PyResult<usize> {
        let moves = self.0.moves();
        // As in lists, negative numbers count from the end.
        let at = |index: isize| match index {
            0.. => (index as usize).min(moves.len()),
            _ => moves.len().saturating_add_signed(index),
        };
        let (start, stop) = (at(start), at(stop));
        let play = one(value).ok();
        let found = (start..stop).find(|&index| Some(moves[index]) == play);
        found.ok_or_else(|| PyValueError::new_err(format!("{value} is not in the solution")))
    }

    fn __str__(&self) -> String {
        self.0.to_string()
    }

    fn __repr__(&self) -> String {
        format!("Solution('{}')", self.0)
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<Self>().is_ok_and(|other| other.get() == self)
    }

    fn __hash__(&self) -> u64 {
        hash_of(&self.0)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> (Bound<'py, PyType>, (String,)) {
        (py.get_type::<Self>(), (self.0.to_string(),))
    }
}
