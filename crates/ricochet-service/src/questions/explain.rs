//! `explain`: a solution in sentences.

use ricochet_core::describe::task;
use ricochet_core::{Puzzle, Solution, Trace};
use ricochet_solve::Outcome;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::call::Call;
use crate::error::Error;
use crate::narrate::Story;
use crate::policy::RequestLimits;
use crate::puzzle_input::PuzzleInput;
use crate::questions::solve::SolveOutcome;
use crate::request::Question;
use crate::trace::TraceStep;
use crate::words::Plays;

/// Asks what happens in a solution: one that is given, or a shortest one.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Explain {
    /// The puzzle in any format.
    pub puzzle: PuzzleInput,
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
    /// How the search ended; only `solved` has a solution to explain.
    pub outcome: SolveOutcome,
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

    fn puzzle_mut(&mut self) -> Option<&mut PuzzleInput> {
        Some(&mut self.puzzle)
    }

    fn limits_mut(&mut self) -> Option<&mut RequestLimits> {
        Some(&mut self.limits)
    }

    fn is_complete(answer: &ExplainAnswer) -> bool {
        answer.outcome != SolveOutcome::Limit
    }

    fn answer(&self, call: &mut Call<'_>) -> Result<ExplainAnswer, Error> {
        let puzzle = call.puzzle(&self.puzzle)?;
        let (outcome, trace) = if let Some(moves) = &self.moves {
            let solution = Solution::new(moves.0.clone());
            let trace = solution.replay(&puzzle);
            let trace = trace.map_err(|error| Error::bad(error.to_string()))?;
            let outcome = Outcome::Solved {
                solution,
                optimal: false,
                lower_bound: 0,
            };
            (outcome, Some(trace))
        } else {
            let search = call.solve_by_default(&puzzle, &self.limits)?;
            (search.outcome, search.trace)
        };
        Ok(ExplainAnswer::of(&puzzle, &outcome, trace.as_ref()))
    }
}

impl ExplainAnswer {
    /// Explains the outcome of a search and the replay of its solution.
    pub fn of(puzzle: &Puzzle, outcome: &Outcome, trace: Option<&Trace>) -> Self {
        let optimal = matches!(outcome, Outcome::Solved { optimal: true, .. });
        let mut answer = Self {
            outcome: outcome.into(),
            lower_bound: outcome.lower_bound(),
            task: task(puzzle),
            summary: None,
            moves: None,
            sentences: Vec::new(),
            helpers: Vec::new(),
            trace: Vec::new(),
        };
        if let (Some(trace), Some(solution)) = (trace, outcome.solution()) {
            let story = Story::of(puzzle, trace, optimal);
            answer.lower_bound = optimal.then_some(solution.len() as u32);
            answer.summary = Some(story.summary);
            answer.moves = Some(Plays::from(solution));
            answer.sentences = story.moves;
            answer.helpers = story.helpers;
            answer.trace = TraceStep::all(trace);
        }
        answer
    }
}
