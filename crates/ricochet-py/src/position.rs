//! `Position`: a puzzle being played.

use std::sync::Arc;

use pyo3::exceptions::PyIndexError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyType};
use ricochet_core::{State, Trace};

use crate::errors;
use crate::moves::{Move, Solution, one};
use crate::puzzle::{Puzzle, legal_moves, pairs, puzzle_of};

/// A puzzle being played: `push` and `pop` moves, ask for `legal_moves` and `is_solved`.
///
/// `Position(puzzle)` takes a `Puzzle`, another `Position`, which it begins from, or text in any format;
/// `Position(puzzle, "GE RE")` has played some moves.
///
/// It changes, so it has no hash; its `key` has one. Two positions are equal if their puzzles and the
/// moves played are. `print(position)` draws the board.
#[pyclass(module = "ricochet_engine", skip_from_py_object)]
#[derive(Clone)]
pub(crate) struct Position {
    puzzle: Arc<ricochet_core::Puzzle>,
    state: State,
    /// The moves so far, each with the state before it.
    stack: Vec<(ricochet_core::Move, State)>,
}

#[pymethods]
impl Position {
    #[new]
    #[pyo3(signature = (puzzle, moves = None))]
    fn new(puzzle: &Bound<'_, PyAny>, moves: Option<&Bound<'_, PyAny>>) -> PyResult<Self> {
        let start = Self::at_start(&puzzle_of(puzzle)?);
        match moves {
            Some(moves) => start.apply(moves),
            None => Ok(start),
        }
    }

    /// The puzzle that is played.
    #[getter]
    fn puzzle(&self) -> Puzzle {
        Puzzle(Arc::clone(&self.puzzle))
    }

    /// Where the robots are, as `(x, y)` in the order R G B Y W O P C.
    #[getter]
    fn robots(&self) -> Vec<(u8, u8)> {
        pairs(self.state.cells())
    }

    /// The moves that were played.
    #[getter]
    fn moves(&self) -> Solution {
        Solution(ricochet_core::Solution::new(self.played()))
    }

    /// The moves that change something.
    #[getter]
    fn legal_moves(&self) -> Vec<Move> {
        legal_moves(&self.puzzle, self.state)
    }

    /// One boolean for each action `4 * robot + direction`: whether it is legal.
    #[getter]
    fn action_mask(&self) -> Vec<bool> {
        let all = (0..self.state.len() * 4).filter_map(crate::moves::of_action);
        all.map(|play| {
            let next = self.puzzle.apply(self.state, play.robot, play.direction);
            next.is_some()
        })
        .collect()
    }

    /// What the rest of the game depends on, as a key for dictionaries and sets: positions of the same
    /// puzzle have equal keys if the robots are in the same cells, whatever moves led there. With
    /// `must_ricochet`, the rows and columns that robots have travelled along count as well, and
    /// whether one has stopped on the target too early.
    #[getter]
    fn key<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let mut key: Vec<u8> = Vec::new();
        for cell in self.state.cells() {
            key.extend([cell.x, cell.y]);
        }
        if self.puzzle.rules().must_ricochet {
            let trace = Trace::play(&self.puzzle, &self.played())
                .map_err(|error| errors::illegal_move(&error))?;
            let mut travelled = vec![0_u8; self.state.len()];
            for step in &trace.steps {
                for (_, heading) in &step.path {
                    travelled[step.play.robot.index()] |= 1 << u8::from(heading.is_horizontal());
                }
            }
            key.extend(travelled);
            key.push(u8::from(trace.straight_arrival.is_some()));
        }
        Ok(PyBytes::new(py, &key))
    }

    /// Whether the goal is reached, under the puzzle's rules.
    #[getter]
    fn is_solved(&self) -> bool {
        if !self.puzzle.rules().must_ricochet {
            return self.puzzle.is_solved(self.state);
        }
        // Then what the robots have travelled counts, not only where they are.
        Trace::play(&self.puzzle, &self.played()).is_ok_and(|trace| trace.solved)
    }

    /// Plays a move. One that goes nowhere raises `IllegalMoveError` and changes nothing.
    fn push(&mut self, play: &Bound<'_, PyAny>) -> PyResult<()> {
        self.play(one(play)?)
    }

    /// Takes the last move back.
    fn pop(&mut self) -> PyResult<Move> {
        let (play, before) = self
            .stack
            .pop()
            .ok_or_else(|| PyIndexError::new_err("no move was played"))?;
        self.state = before;
        Ok(Move(play))
    }

    /// A new position after some more moves.
    fn apply(&self, moves: &Bound<'_, PyAny>) -> PyResult<Self> {
        let mut next = self.clone();
        for play in crate::moves::several(moves)? {
            next.play(play)?;
        }
        Ok(next)
    }

    /// Whether a move changes something.
    fn is_legal(&self, play: &Bound<'_, PyAny>) -> PyResult<bool> {
        let play = one(play)?;
        let exists = play.robot.index() < self.state.len();
        Ok(exists
            && self
                .puzzle
                .apply(self.state, play.robot, play.direction)
                .is_some())
    }

    /// The puzzle that begins here. With `must_ricochet` there is none once moves were played, since
    /// what the robots have travelled would be forgotten.
    pub(crate) fn to_puzzle(&self) -> PyResult<Puzzle> {
        if self.stack.is_empty() {
            return Ok(self.puzzle());
        }
        if self.puzzle.rules().must_ricochet {
            return Err(errors::bad(
                "with must_ricochet a position after moves is not a puzzle: the moves made so far matter",
            ));
        }
        let goal = self.puzzle.goal();
        self.puzzle
            .with_position(self.state.cells(), goal)
            .map(|puzzle| Puzzle(Arc::new(puzzle.with_optimal(None))))
            .map_err(errors::invalid)
    }

    /// Another position that can be played on by itself.
    fn copy(&self) -> Self {
        self.clone()
    }

    fn __copy__(&self) -> Self {
        self.clone()
    }

    #[allow(clippy::used_underscore_binding, reason = "Python names it")]
    fn __deepcopy__(&self, _memo: &Bound<'_, PyAny>) -> Self {
        self.clone()
    }

    fn __len__(&self) -> usize {
        self.stack.len()
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        let Ok(other) = other.extract::<PyRef<'_, Self>>() else {
            return false;
        };
        self.puzzle == other.puzzle && self.stack == other.stack
    }

    fn __str__(&self) -> PyResult<String> {
        let here = self
            .puzzle
            .with_position(self.state.cells(), self.puzzle.goal())
            .map_err(errors::invalid)?;
        crate::puzzle::drawing(&here.with_optimal(None))
    }

    fn __repr__(&self) -> String {
        let line = ricochet_core::notation::to_line(&self.puzzle);
        if self.stack.is_empty() {
            return format!("Position(Puzzle('{line}'))");
        }
        let moves = ricochet_core::Solution::new(self.played());
        format!("Position(Puzzle('{line}'), '{moves}')")
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> (Bound<'py, PyType>, (Puzzle, Solution)) {
        let this = slf.borrow();
        (slf.get_type(), (this.puzzle(), this.moves()))
    }

    /// The picture that notebooks show: the way so far.
    fn _repr_svg_(&self, py: Python<'_>) -> PyResult<String> {
        crate::requests::svg(py, &self.puzzle, &self.played())
    }
}

impl Position {
    pub(crate) fn at_start(puzzle: &Puzzle) -> Self {
        Self {
            state: puzzle.0.start(),
            puzzle: Arc::clone(&puzzle.0),
            stack: Vec::new(),
        }
    }

    pub(crate) fn state(&self) -> State {
        self.state
    }

    pub(crate) fn puzzle_played(&self) -> &ricochet_core::Puzzle {
        &self.puzzle
    }

    fn played(&self) -> Vec<ricochet_core::Move> {
        self.stack.iter().map(|&(play, _)| play).collect()
    }

    pub(crate) fn play(&mut self, play: ricochet_core::Move) -> PyResult<()> {
        let exists = play.robot.index() < self.state.len();
        let next = exists.then(|| self.puzzle.apply(self.state, play.robot, play.direction));
        if let Some(next) = next.flatten() {
            self.stack.push((play, self.state));
            self.state = next;
            return Ok(());
        }
        // The replay says why it goes nowhere.
        let mut moves = self.played();
        moves.push(play);
        Err(match Trace::play(&self.puzzle, &moves) {
            Err(error) => errors::illegal_move(&error),
            Ok(_) => errors::bad("the two ways to slide disagree: a mistake of ours"),
        })
    }
}
