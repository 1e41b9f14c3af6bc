//! `explain`: a solution in sentences.

use ricochet_core::describe::task;
use ricochet_core::{Puzzle, ReplayError, Solution};
use ricochet_solve::Outcome;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::call::Call;
use crate::error::{Error, ErrorKind};
use crate::narrate::Story;
use crate::policy::RequestLimits;
use crate::request::Question;
use crate::trace::TraceStep;
use crate::words::Plays;

/// Asks what happens in a solution: one that is given, or a shortest one.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Explain {
    /// The puzzle in any format.
    pub puzzle: String,
    /// These moves, which have to solve it; a shortest solution if there are none.
    #[serde(default)]
    pub moves: Option<Plays>,
    /// What the search may spend.
    #[serde(default)]
    pub limits: RequestLimits,
}

/// A solution in sentences.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ExplainAnswer {
    /// `solved`, `unsolvable`, `limit` or `failed`; only the first has a solution to tell.
    pub outcome: &'static str,
    /// No solution has fewer moves than this, as far as it is proved.
    pub lower_bound: Option<u32>,
    /// What has to be done.
    pub task: String,
    /// How many moves, and whose.
    pub summary: Option<String>,
    /// The moves.
    pub moves: Option<Plays>,
    /// What happens in each move.
    pub sentences: Vec<String>,
    /// What each helper was for.
    pub helpers: Vec<String>,
    /// The moves as they were played.
    pub trace: Vec<TraceStep>,
}

impl Question for Explain {
    type Answer = ExplainAnswer;

    fn answer(&self, call: &mut Call<'_>) -> Result<ExplainAnswer, Error> {
        let puzzle = call.puzzle(&self.puzzle)?;
        let outcome = if let Some(moves) = &self.moves {
            Outcome::Solved {
                solution: Solution::new(moves.0.clone()),
                optimal: false,
                lower_bound: 0,
            }
        } else {
            let mut solver = call.default_solver()?;
            let limits = call.budget(&self.limits).left();
            call.solve(solver.as_mut(), &puzzle, &limits)?.0
        };
        ExplainAnswer::of(&puzzle, &outcome)
            .map_err(|error| Error::new(ErrorKind::BadRequest, error.to_string()))
    }
}

impl ExplainAnswer {
    /// What a solver said, told in sentences.
    ///
    /// # Errors
    /// If the moves do not solve the puzzle.
    pub fn of(puzzle: &Puzzle, outcome: &Outcome) -> Result<Self, ReplayError> {
        let Outcome::Solved {
            solution, optimal, ..
        } = outcome
        else {
            return Ok(Self {
                outcome: outcome.name(),
                lower_bound: outcome.lower_bound(),
                task: task(puzzle),
                summary: None,
                moves: None,
                sentences: Vec::new(),
                helpers: Vec::new(),
                trace: Vec::new(),
            });
        };
        let trace = solution.replay(puzzle)?;
        let story = Story::of(puzzle, &trace, *optimal);
        Ok(Self {
            outcome: outcome.name(),
            lower_bound: optimal.then_some(solution.len() as u32),
            task: story.task,
            summary: Some(story.summary),
            moves: Some(Plays::from(solution)),
            sentences: story.moves,
            helpers: story.helpers,
            trace: TraceStep::all(&trace),
        })
    }
}
