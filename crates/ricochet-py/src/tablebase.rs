//! `Tablebase`: the exact distance of every state of a board and target.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use numpy::{PyArray1, PyArray2, PyArrayMethods, PyReadonlyArray3, ToPyArray};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyString, PyTuple, PyType};
use ricochet_core::{Cell, State};
use ricochet_solve::memory::default_memory_limit;
use ricochet_solve::tablebase::{Builder, Space, TablebaseError};
use ricochet_solve::{CancelToken, DepthRow, Limits};

use crate::arguments;
use crate::errors;
use crate::moves::{Move, Solution};
use crate::position::Position;
use crate::puzzle::{Puzzle, puzzle_of, robot_named};
use crate::threads::{interruptible, threads_or_all};

/// The exact distance of every state of a board and target.
///
/// Pickling it copies the whole table: where processes share a disk, `save` and `open` are cheaper.
#[pyclass(frozen, module = "ricochet_engine")]
pub(crate) struct Tablebase {
    table: Arc<ricochet_solve::tablebase::Tablebase>,
    /// The file it was opened from.
    file: Option<PathBuf>,
}

#[pymethods]
impl Tablebase {
    #[new]
    #[pyo3(signature = (*_arguments, **_options))]
    #[allow(clippy::used_underscore_binding, reason = "nothing is done with them")]
    fn new(
        _arguments: &Bound<'_, PyTuple>,
        _options: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Self> {
        Err(PyTypeError::new_err(
            "Tablebase.build(puzzle) makes a table, Tablebase.open(path) reads one",
        ))
    }

    /// Builds the table of a puzzle's board and goal; the puzzle may be text in any format. `progress` is
    /// called with each distance that is done and the number of its states.
    #[classmethod]
    #[pyo3(signature = (puzzle, *, threads = None, memory = None, progress = None))]
    fn build(
        _: &Bound<'_, PyType>,
        py: Python<'_>,
        puzzle: &Bound<'_, PyAny>,
        threads: Option<&Bound<'_, PyAny>>,
        memory: Option<&Bound<'_, PyAny>>,
        progress: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let threads = threads_or_all(threads)?;
        let memory = arguments::optional(memory, "memory", None)?;
        let space =
            Space::of(&puzzle_of(puzzle)?.0).map_err(|error| errors::of_tablebase(&error))?;
        let cancel = CancelToken::default();
        let limits = Limits {
            memory: memory.or_else(default_memory_limit),
            cancel: Some(cancel.clone()),
            ..Limits::default()
        };
        let mut builder = Builder::new(threads);
        let built = interruptible(
            py,
            &cancel,
            |tell| {
                let mut watch = |row: &DepthRow| {
                    let _ = tell.send((row.depth, row.nodes));
                };
                builder.tablebase(&space, &limits, &mut watch)
            },
            |(depth, states)| match progress {
                Some(hear) => hear.call1((depth, states)).map(drop),
                None => Ok(()),
            },
        )?;
        Self::of(built)
    }

    /// Opens a file that `save`, or `ricochet tablebase`, has written.
    #[classmethod]
    fn open(_: &Bound<'_, PyType>, py: Python<'_>, path: PathBuf) -> PyResult<Self> {
        let table = py.detach(|| ricochet_solve::tablebase::Tablebase::open(&path));
        let opened = Self::of(table)?;
        Ok(Self {
            file: Some(path),
            ..opened
        })
    }

    /// Writes it to a file.
    #[pyo3(signature = (path, *, threads = None))]
    fn save(
        &self,
        py: Python<'_>,
        path: PathBuf,
        threads: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<()> {
        let threads = threads_or_all(threads)?;
        py.detach(|| self.table.write(&path, threads))
            .map_err(|error| errors::of_tablebase(&error))
    }

    /// How many states there are.
    #[getter]
    fn states(&self) -> u64 {
        self.table.space().states()
    }

    /// How many states are how far from the goal: an array indexed by distance.
    #[getter]
    fn histogram<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<u64>> {
        self.table.histogram().counts.to_pyarray(py)
    }

    /// How many states cannot reach the goal.
    #[getter]
    fn unsolvable(&self) -> u64 {
        self.table.histogram().unsolvable
    }

    /// The largest distance; None if no state is solvable.
    #[getter]
    fn max_distance(&self) -> Option<u32> {
        self.table.histogram().max_distance()
    }

    /// Some puzzle of this board and goal, as a way to them.
    #[getter]
    fn puzzle(&self) -> Puzzle {
        let space = self.table.space();
        let cells: Vec<Cell> = space.board().cells().collect();
        let open = cells
            .into_iter()
            .filter(|&cell| !space.board().is_closed(cell));
        let cells: Vec<Cell> = open.take(space.robots()).collect();
        let state = State::new(&cells).expect("at most eight robots");
        Puzzle(Arc::new(space.puzzle(&state)))
    }

    /// The fewest moves from a position; None if the goal cannot be reached.
    fn distance(&self, position: &Bound<'_, PyAny>) -> PyResult<Option<u32>> {
        let state = self.state(position)?;
        self.table
            .distance(&state)
            .map_err(|error| errors::of_tablebase(&error))
    }

    /// Distance, best moves, and the number of shortest solutions.
    fn probe(&self, position: &Bound<'_, PyAny>) -> PyResult<(Option<u32>, Vec<Move>, u128)> {
        let state = self.state(position)?;
        let probe = self
            .table
            .probe(&state)
            .map_err(|error| errors::of_tablebase(&error))?;
        let best = probe.best_moves.into_iter().map(Move).collect();
        Ok((probe.distance, best, probe.solutions))
    }

    /// A shortest solution; None if there is none.
    fn solution(&self, position: &Bound<'_, PyAny>) -> PyResult<Option<Solution>> {
        let state = self.state(position)?;
        let found = self
            .table
            .solution(&state)
            .map_err(|error| errors::of_tablebase(&error))?;
        Ok(found.map(Solution))
    }

    /// The distances of many states: robots as an array of integers `(n, robots, 2)` of `(x, y)`, or
    /// anything that `NumPy` takes for one; -1 where the goal cannot be reached.
    fn distances<'py>(
        &self,
        py: Python<'py>,
        robots: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyArray1<i16>>> {
        let shape = (None::<usize>, self.table.space().robots(), 2);
        let robots: PyReadonlyArray3<'py, u8> =
            arguments::whole_numbers(robots, "robots", "uint8", shape)?;
        let robots = robots.as_array();
        let mut states = Vec::with_capacity(robots.shape()[0]);
        for (number, row) in robots.outer_iter().enumerate() {
            let cells: Vec<Cell> = row
                .outer_iter()
                .map(|cell| Cell::new(cell[0], cell[1]))
                .collect();
            let state = self.state_of(&cells);
            states.push(state.map_err(|error| errors::at(number, "row", error))?);
        }
        let found = py.detach(|| self.look_up(&states));
        let found = found.map_err(|error| errors::of_tablebase(&error))?;
        Ok(found.to_pyarray(py))
    }

    /// How far the goal is if one robot stands elsewhere: an array of rows, -1 where the goal cannot
    /// be reached, -2 where the robot cannot stand.
    #[pyo3(signature = (position, robot = None))]
    fn distance_map<'py>(
        &self,
        py: Python<'py>,
        position: &Bound<'py, PyAny>,
        robot: Option<&str>,
    ) -> PyResult<Bound<'py, PyArray2<i16>>> {
        let state = self.state(position)?;
        let space = self.table.space();
        let goal = space.goal();
        let robot = robot.map(robot_named).transpose()?.or(goal.robot);
        let robot = robot.ok_or_else(|| errors::bad("any robot may arrive: name one"))?;
        if robot.index() >= state.len() {
            return Err(errors::bad(format!("there is no {robot} robot")));
        }
        let board = space.board();
        let mut map = Vec::with_capacity(board.cell_count());
        for cell in board.cells() {
            let taken = state.robot_at(cell).is_some_and(|other| other != robot);
            map.push(if taken || board.is_closed(cell) {
                -2
            } else {
                let found = self.table.distance(&state.with(robot, cell));
                let found = found.map_err(|error| errors::of_tablebase(&error))?;
                found.map_or(-1, |distance| distance as i16)
            });
        }
        map.to_pyarray(py).reshape([board.height(), board.width()])
    }

    /// The contents of its file.
    fn __getstate__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let bytes = py.detach(|| match &self.file {
            Some(path) => Ok(std::fs::read(path)?),
            None => with_temporary_file(|path| {
                self.table.write(path, 1)?;
                Ok(std::fs::read(path)?)
            }),
        });
        Ok(PyBytes::new(py, &bytes.map_err(PickleError::exception)?))
    }

    /// Makes a table of the contents of a file, for `pickle`.
    #[classmethod]
    fn _from_bytes(_: &Bound<'_, PyType>, py: Python<'_>, contents: &[u8]) -> PyResult<Self> {
        let table = py.detach(|| {
            with_temporary_file(|path| {
                std::fs::write(path, contents)?;
                Ok(ricochet_solve::tablebase::Tablebase::open(path)?.into_memory()?)
            })
        });
        let table = table.map_err(PickleError::exception)?;
        Self::of(Ok(table))
    }

    fn __reduce__<'py>(
        slf: &Bound<'py, Self>,
    ) -> PyResult<(Bound<'py, PyAny>, (Bound<'py, PyBytes>,))> {
        let from_bytes = slf.get_type().getattr("_from_bytes")?;
        Ok((from_bytes, (slf.get().__getstate__(slf.py())?,)))
    }

    fn __repr__(&self) -> String {
        format!(
            "<Tablebase of {} states, {} moves at most>",
            self.states(),
            self.max_distance().unwrap_or(0)
        )
    }
}

impl Tablebase {
    fn of(table: Result<ricochet_solve::tablebase::Tablebase, TablebaseError>) -> PyResult<Self> {
        table
            .map(|table| Self {
                table: Arc::new(table),
                file: None,
            })
            .map_err(|error| errors::of_tablebase(&error))
    }

    fn look_up(&self, states: &[State]) -> Result<Vec<i16>, TablebaseError> {
        states
            .iter()
            .map(|state| {
                Ok(self
                    .table
                    .distance(state)?
                    .map_or(-1, |distance| distance as i16))
            })
            .collect()
    }

    /// A state as people give it: a `Puzzle`, a `Position`, text, or the cells of the robots.
    fn state(&self, given: &Bound<'_, PyAny>) -> PyResult<State> {
        let check = |puzzle: &ricochet_core::Puzzle| {
            self.table
                .space()
                .check(puzzle)
                .map_err(|error| errors::of_tablebase(&error))
        };
        if let Ok(puzzle) = given.cast::<Puzzle>() {
            check(&puzzle.get().0)?;
            return Ok(puzzle.get().0.start());
        }
        if let Ok(position) = given.extract::<PyRef<'_, Position>>() {
            check(position.puzzle_played())?;
            return Ok(position.state());
        }
        if given.is_instance_of::<PyString>() {
            let puzzle = puzzle_of(given)?;
            check(&puzzle.0)?;
            return Ok(puzzle.0.start());
        }
        self.state_of(&arguments::cells(given, "robots")?)
    }

    fn state_of(&self, cells: &[Cell]) -> PyResult<State> {
        let space = self.table.space();
        let goal = space.goal();
        if cells.len() != space.robots() {
            let (wanted, found) = (space.robots(), cells.len());
            return Err(errors::bad(format!(
                "expected {wanted} robots, found {found}"
            )));
        }
        ricochet_core::Puzzle::new(Arc::clone(space.board()), cells, goal)
            .map(|puzzle| puzzle.start())
            .map_err(errors::invalid)
    }
}

/// Why a table cannot be pickled or read back.
enum PickleError {
    Io(io::Error),
    Table(TablebaseError),
}

impl From<io::Error> for PickleError {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

impl From<TablebaseError> for PickleError {
    fn from(error: TablebaseError) -> Self {
        Self::Table(error)
    }
}

impl PickleError {
    fn exception(self) -> PyErr {
        match self {
            Self::Io(error) => error.into(),
            Self::Table(error) => errors::of_tablebase(&error),
        }
    }
}

/// Uses a file in a directory that is deleted afterwards.
fn with_temporary_file<T>(
    work: impl FnOnce(&Path) -> Result<T, PickleError>,
) -> Result<T, PickleError> {
    let directory = tempfile::tempdir()?;
    work(&directory.path().join("table.tb"))
}
