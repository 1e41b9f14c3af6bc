//! `check`: whether moves solve a puzzle.

use ricochet_core::{Puzzle, ReplayError, Trace};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::call::Call;
use crate::error::Error;
use crate::json::{Coordinates, MoveList};
use crate::puzzle_input::PuzzleInput;
use crate::request::Question;
use crate::trace::{TraceStep, robot_coordinates};

/// Asks whether moves solve a puzzle.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Check {
    /// The puzzle in any format.
    pub puzzle: PuzzleInput,
    /// The moves.
    pub moves: MoveList,
}

/// The result of replaying the moves.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct CheckAnswer {
    /// Whether the goal is reached after all moves.
    pub solves: bool,
    /// The number of moves that could be played.
    pub length: usize,
    /// The index of the first move that cannot be played, counted from 0.
    pub failed_at: Option<usize>,
    /// Why the moves do not solve the puzzle.
    pub reason: Option<String>,
    /// The optimum that the puzzle states.
    pub stated_optimal: Option<u32>,
    /// The moves that could be played.
    pub trace: Vec<TraceStep>,
    /// The robots' cells after these moves.
    pub robots: Vec<Coordinates>,
}

impl CheckAnswer {
    /// Replays the moves.
    pub fn of(puzzle: &Puzzle, moves: &[ricochet_core::Move]) -> Self {
        let solution = ricochet_core::Solution::new(moves.to_vec());
        let (trace, error) = match solution.replay(puzzle) {
            Ok(trace) => (trace, None),
            Err(error) => {
                let trace = match &error {
                    ReplayError::NoSuchRobot { number, .. }
                    | ReplayError::NoMovement { number, .. } => {
                        Trace::play(puzzle, &moves[..*number])
                            .expect("the moves before the failing one are legal")
                    }
                    ReplayError::NotSolved { trace } => Trace::clone(trace),
                };
                (trace, Some(error))
            }
        };
        Self {
            solves: error.is_none(),
            length: trace.steps.len(),
            failed_at: (trace.steps.len() < moves.len()).then_some(trace.steps.len()),
            reason: error.map(|error| error.to_string()),
            stated_optimal: puzzle.known_optimal(),
            robots: robot_coordinates(trace.end()),
            trace: TraceStep::all(&trace),
        }
    }
}

impl Question for Check {
    type Answer = CheckAnswer;

    fn puzzle_mut(&mut self) -> Option<&mut PuzzleInput> {
        Some(&mut self.puzzle)
    }

    fn answer(&self, call: &mut Call<'_>) -> Result<CheckAnswer, Error> {
        let puzzle = call.puzzle(&self.puzzle)?;
        Ok(CheckAnswer::of(&puzzle, &self.moves.0))
    }
}
