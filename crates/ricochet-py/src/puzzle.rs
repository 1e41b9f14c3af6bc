//! `Puzzle`, and reading many of them.

use std::sync::Arc;

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyString, PyType};
use ricochet_core::formats::{
    self, DroidDiagonals, Format, ReadOptions, Record, Records, WriteOptions,
};
use ricochet_core::{Cell, Goal, Robot, Rules, Symmetry, Trace, notation};
use ricochet_service::Error;

use crate::arguments;
use crate::board::Board;
use crate::errors;
use crate::moves::{Move, Solution, hash_of, several};
use crate::position::Position;

/// A valid position with its goal: `Puzzle("1A4B3B2B.1fc1f0c0.B9c")`, or the text of any format. A
/// `Position` begins where it is. `print(puzzle)` draws the board.
///
/// It never changes. `Position(puzzle)` plays on it.
#[pyclass(frozen, module = "ricochet_engine", skip_from_py_object)]
#[derive(Clone)]
pub(crate) struct Puzzle(pub(crate) Arc<ricochet_core::Puzzle>);

/// A step of a replay: move, from, to, the cells entered, and the cell of the robot that stopped it.
type StepRow = (Move, (u8, u8), (u8, u8), Vec<(u8, u8)>, Option<(u8, u8)>);

#[pymethods]
impl Puzzle {
    #[new]
    #[pyo3(signature = (text, format = None, *, droid_diagonals = false))]
    fn new(text: &Bound<'_, PyAny>, format: Option<&str>, droid_diagonals: bool) -> PyResult<Self> {
        match text.cast::<PyString>() {
            Ok(text) => Self::read_one(&text.to_cow()?, format, droid_diagonals),
            Err(_) => puzzle_of(text),
        }
    }

    /// A puzzle on a board: cells of the robots in the order R G B Y W O P C, and the goal.
    #[classmethod]
    #[pyo3(signature = (board, robots, target, robot = None, *, must_ricochet = false, id = None, optimal = None))]
    fn on(
        _: &Bound<'_, PyType>,
        board: &Board,
        robots: &Bound<'_, PyAny>,
        target: &Bound<'_, PyAny>,
        robot: Option<&str>,
        must_ricochet: bool,
        id: Option<String>,
        optimal: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let cells = arguments::cells(robots, "robots")?;
        let goal = Goal {
            robot: robot.map(robot_named).transpose()?,
            cell: arguments::cell(target, "target")?,
        };
        let optimal = arguments::optional(optimal, "optimal", Some(u64::from(u32::MAX)))?;
        let mut puzzle = ricochet_core::Puzzle::new(Arc::clone(&board.0), &cells, goal)
            .map_err(errors::invalid)?
            .with_rules(Rules { must_ricochet })
            .with_optimal(optimal.map(|moves| moves as u32));
        if let Some(id) = id {
            puzzle = puzzle.with_id(id);
        }
        Ok(Self(Arc::new(puzzle)))
    }

    /// The one-line notation, which keeps everything.
    #[getter]
    fn line(&self) -> String {
        notation::to_line(&self.0)
    }

    /// Its name.
    #[getter]
    fn id(&self) -> Option<&str> {
        self.0.id()
    }

    /// The optimal number of moves that its source states.
    #[getter]
    fn optimal(&self) -> Option<u32> {
        self.0.known_optimal()
    }

    /// The board.
    #[getter]
    fn board(&self) -> Board {
        Board(Arc::clone(self.0.board()))
    }

    /// Columns.
    #[getter]
    fn width(&self) -> usize {
        self.0.board().width()
    }

    /// Rows.
    #[getter]
    fn height(&self) -> usize {
        self.0.board().height()
    }

    /// The cells of the robots as `(x, y)`, in the order R G B Y W O P C.
    #[getter]
    fn robots(&self) -> Vec<(u8, u8)> {
        pairs(self.0.start().cells())
    }

    /// The cell of the target.
    #[getter]
    fn target(&self) -> (u8, u8) {
        pair(self.0.goal().cell)
    }

    /// The colour of the robot that has to arrive; None if any may.
    #[getter]
    fn target_robot(&self) -> Option<&'static str> {
        self.0.goal().robot.map(Robot::name)
    }

    /// Whether the robot that arrives must have turned.
    #[getter]
    fn must_ricochet(&self) -> bool {
        self.0.rules().must_ricochet
    }

    /// Whether nothing is left to do.
    #[getter]
    fn is_solved(&self) -> bool {
        self.0.is_solved(self.0.start())
    }

    /// The legal moves of the start.
    #[getter]
    fn legal_moves(&self) -> Vec<Move> {
        legal_moves(&self.0, self.0.start())
    }

    /// The position after some moves.
    fn apply(&self, moves: &Bound<'_, PyAny>) -> PyResult<Position> {
        let mut position = Position::at_start(self);
        for play in several(moves)? {
            position.play(play)?;
        }
        Ok(position)
    }

    /// Plays moves cell by cell: a list of `(move, from, to, cells, robot in the way or None)`, and
    /// whether the goal is reached.
    fn trace(&self, moves: &Bound<'_, PyAny>) -> PyResult<(Vec<StepRow>, bool)> {
        let moves = several(moves)?;
        let trace = Trace::play(&self.0, &moves).map_err(|error| errors::illegal_move(&error))?;
        let steps = trace.steps.iter().map(|step| {
            let in_the_way = match step.obstacle {
                ricochet_core::Obstacle::Robot(cell) => Some(pair(cell)),
                _ => None,
            };
            let path = step.path.iter().map(|&(cell, _)| pair(cell)).collect();
            (
                Move(step.play),
                pair(step.from),
                pair(step.to),
                path,
                in_the_way,
            )
        });
        Ok((steps.collect(), trace.solved))
    }

    /// Whether the moves solve it. A move that cannot be played raises `IllegalMoveError`.
    fn is_solution(&self, moves: &Bound<'_, PyAny>) -> PyResult<bool> {
        let moves = several(moves)?;
        let trace = Trace::play(&self.0, &moves).map_err(|error| errors::illegal_move(&error))?;
        Ok(trace.solved)
    }

    /// The text in a format, and what the format leaves out.
    #[pyo3(signature = (format, *, droid_diagonals = false))]
    fn write(&self, format: &str, droid_diagonals: bool) -> PyResult<(String, Vec<String>)> {
        let options = WriteOptions {
            droid_diagonals: diagonals_of_droids(droid_diagonals),
        };
        let written = formats::write_with(named(format)?, &self.0, options)
            .map_err(|error| errors::exception(&Error::from(error)))?;
        let notes = written.notes.iter().map(ToString::to_string).collect();
        Ok((written.text, notes))
    }

    /// The same board with other robots, or another goal.
    #[pyo3(signature = (*, robots = None, target = None, robot = None, any_robot = false))]
    fn replace(
        &self,
        robots: Option<&Bound<'_, PyAny>>,
        target: Option<&Bound<'_, PyAny>>,
        robot: Option<&str>,
        any_robot: bool,
    ) -> PyResult<Self> {
        let cells: Vec<Cell> = match robots {
            Some(robots) => arguments::cells(robots, "robots")?,
            None => self.0.start().cells().to_vec(),
        };
        let mut goal = self.0.goal();
        if let Some(target) = target {
            goal.cell = arguments::cell(target, "target")?;
        }
        if any_robot {
            goal.robot = None;
        } else if let Some(name) = robot {
            goal.robot = Some(robot_named(name)?);
        }
        let puzzle = self
            .0
            .with_position(&cells, goal)
            .map_err(errors::invalid)?;
        Ok(Self(Arc::new(puzzle)))
    }

    /// Its image under one of the eight symmetries, 0 (itself) to 7: it has the same optimum.
    fn transformed(&self, symmetry: &Bound<'_, PyAny>) -> PyResult<Self> {
        let symmetry = arguments::number(symmetry, "symmetry", 7)?;
        let symmetry = Symmetry::ALL[symmetry as usize];
        Ok(Self(Arc::new(self.0.transformed(symmetry))))
    }

    /// The drawn board, which any reader of puzzles reads back; `line` is the one-line notation.
    fn __str__(&self) -> PyResult<String> {
        drawing(&self.0)
    }

    fn __repr__(&self) -> String {
        format!("Puzzle('{}')", self.line())
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other
            .cast::<Self>()
            .is_ok_and(|other| other.get().0 == self.0)
    }

    fn __hash__(&self) -> u64 {
        hash_of(&(self.0.start(), self.0.goal(), self.0.board().walls()))
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> (Bound<'py, PyType>, (String,)) {
        (py.get_type::<Self>(), (self.line(),))
    }

    /// The picture that notebooks show.
    fn _repr_svg_(&self, py: Python<'_>) -> PyResult<String> {
        crate::requests::svg(py, &self.0, &[])
    }
}

impl Puzzle {
    fn read_one(text: &str, format: Option<&str>, droid_diagonals: bool) -> PyResult<Self> {
        let mut found = puzzles(text, format, droid_diagonals)?;
        match found.len() {
            1 => Ok(found.remove(0)),
            n => Err(errors::bad(format!("expected one puzzle, found {n}"))),
        }
    }
}

/// All puzzles of a text in any format.
#[pyfunction]
#[pyo3(signature = (text, format = None, *, droid_diagonals = false))]
pub(crate) fn read(
    text: &str,
    format: Option<&str>,
    droid_diagonals: bool,
) -> PyResult<Vec<Puzzle>> {
    puzzles(text, format, droid_diagonals)
}

fn puzzles(text: &str, format: Option<&str>, droid_diagonals: bool) -> PyResult<Vec<Puzzle>> {
    let options = ReadOptions {
        droid_diagonals: diagonals_of_droids(droid_diagonals),
    };
    let format = format.map(named).transpose()?;
    let mut records = Records::with_options(text.as_bytes(), format, options);
    let (mut found, mut wrong) = (Vec::new(), None);
    for (index, record) in records.by_ref().enumerate() {
        let read = record
            .map_err(errors::unreadable)
            .and_then(|Record { setup, line, .. }| {
                let puzzle = setup.validate();
                puzzle.map_err(|error| errors::invalid_at(line, &error))
            });
        match read {
            Ok(puzzle) => found.push(Puzzle(Arc::new(puzzle))),
            Err(error) => {
                wrong = Some((index, error));
                break;
            }
        }
    }
    match wrong {
        None => Ok(found),
        // A single puzzle has no number.
        Some((0, error)) if records.next().is_none() => Err(error),
        Some((index, error)) => Err(errors::at(index, "puzzle", error)),
    }
}

/// A puzzle as people give it: a `Puzzle`, a `Position`, which begins where it is, or text in any
/// format.
pub(crate) fn puzzle_of(given: &Bound<'_, PyAny>) -> PyResult<Puzzle> {
    if let Ok(puzzle) = given.cast::<Puzzle>() {
        return Ok(puzzle.get().clone());
    }
    if let Ok(position) = given.extract::<PyRef<'_, Position>>() {
        return position.to_puzzle();
    }
    if let Ok(text) = given.cast::<PyString>() {
        return Puzzle::read_one(&text.to_cow()?, None, false);
    }
    let found = given.get_type().name()?;
    Err(PyTypeError::new_err(format!(
        "expected a Puzzle, a Position or text, found '{found}'"
    )))
}

/// A puzzle as characters.
pub(crate) fn drawing(puzzle: &ricochet_core::Puzzle) -> PyResult<String> {
    let written = formats::write(Format::Text, puzzle)
        .map_err(|error| errors::exception(&Error::from(error)))?;
    Ok(written.text.trim_end().to_owned())
}

fn named(format: &str) -> PyResult<Format> {
    format
        .parse()
        .map_err(|error: formats::ParseFormatError| errors::bad(error.to_string()))
}

fn diagonals_of_droids(read: bool) -> DroidDiagonals {
    if read {
        DroidDiagonals::With
    } else {
        DroidDiagonals::default()
    }
}

pub(crate) fn robot_named(name: &str) -> PyResult<Robot> {
    let mut letters = name.chars();
    let by_letter = match (letters.next(), letters.next()) {
        (Some(letter), None) => Robot::from_letter(letter),
        _ => None,
    };
    by_letter.or_else(|| Robot::from_name(name)).ok_or_else(|| {
        let shown: String = name.chars().take(40).collect();
        errors::bad(format!(
            "'{}' is not a robot: expected a colour such as red, or a letter of {}",
            shown.escape_debug(),
            Robot::LETTERS
        ))
    })
}

pub(crate) fn pair(cell: Cell) -> (u8, u8) {
    (cell.x, cell.y)
}

pub(crate) fn pairs(cells: &[Cell]) -> Vec<(u8, u8)> {
    cells.iter().copied().map(pair).collect()
}

pub(crate) fn legal_moves(
    puzzle: &ricochet_core::Puzzle,
    state: ricochet_core::State,
) -> Vec<Move> {
    let all = (0..state.len() * 4).filter_map(crate::moves::of_action);
    all.filter(|play| puzzle.apply(state, play.robot, play.direction).is_some())
        .map(Move)
        .collect()
}

/// The solution as Python has it.
pub(crate) fn solution(solution: &ricochet_core::Solution) -> Solution {
    Solution(solution.clone())
}
