//! `solve`: a shortest solution.

use std::collections::BTreeMap;
use std::time::Duration;

use ricochet_core::{Puzzle, Solution, notation};
use ricochet_solve::{Failure, Outcome, Stats};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::call::{Call, OptionValue, VerifiedSearch};
use crate::error::Error;
use crate::policy::RequestLimits;
use crate::puzzle_input::PuzzleInput;
use crate::questions::all::GroupInfo;
use crate::request::Question;
use crate::trace::TraceStep;
use crate::words::{LimitName, Plays};

/// Asks a solver for a solution.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Solve {
    /// The puzzle in any format.
    pub puzzle: PuzzleInput,
    /// The solver, optionally with parameters: `iddfs`, or `iddfs:memo=off`. Default: the fastest.
    #[serde(default)]
    pub solver: Option<String>,
    /// Parameters of the solver.
    #[serde(default)]
    pub options: BTreeMap<String, OptionValue>,
    /// What the search may spend.
    #[serde(default)]
    pub limits: RequestLimits,
}

/// How a search ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum SolveOutcome {
    /// There is a solution.
    Solved,
    /// It is proved that there is none.
    Unsolvable,
    /// A limit ended the search.
    Limit,
    /// The solver has nothing left to try, or does not support the puzzle.
    Failed,
}

impl From<&Outcome> for SolveOutcome {
    fn from(outcome: &Outcome) -> Self {
        match outcome {
            Outcome::Solved { .. } => Self::Solved,
            Outcome::Unsolvable => Self::Unsolvable,
            Outcome::LimitReached { .. } => Self::Limit,
            Outcome::Failed { .. } => Self::Failed,
        }
    }
}

/// What a solver said: also the line of `ricochet solve --json`. The keys up to `micros` are always
/// there; the others only where they say something.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct SolveAnswer {
    /// The puzzle's name, or the puzzle itself if it has none.
    pub id: String,
    /// The solver.
    pub solver: &'static str,
    /// How the search ended.
    pub outcome: SolveOutcome,
    /// The number of moves; null if there is no solution.
    pub length: Option<usize>,
    /// The moves; null if there is no solution.
    pub moves: Option<Plays>,
    /// Whether it is proved that no solution is shorter.
    pub optimal: bool,
    /// No solution has fewer moves than this; null if there is none at all.
    pub lower_bound: Option<u32>,
    /// Search nodes.
    pub nodes: u64,
    /// Microseconds of the search.
    pub micros: u64,
    /// The limit that ended the search.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limit: Option<LimitName>,
    /// Why the solver failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub failure: Option<String>,
    /// The length that the solver claims, although its moves cannot be replayed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub claimed: Option<u32>,
    /// Whether the robot that arrives must have turned.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub must_ricochet: bool,
    /// `all`: how many shortest solutions there are.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub solutions: Option<u128>,
    /// `all`: those that are listed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub all: Option<Vec<Plays>>,
    /// `all` with `group`: the same list, with the number of orders of each.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub groups: Option<Vec<GroupInfo>>,
    /// `all`: the limit that cut the list short.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub all_limit: Option<LimitName>,
    /// The moves as they were played.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub trace: Option<Vec<TraceStep>>,
    /// `compare`: the most bytes that the solver's tables and queues held.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub memory: Option<u64>,
}

impl SolveAnswer {
    /// The answer without a trace. The time is that of the statistics.
    pub fn of(
        id: impl Into<String>,
        solver: &'static str,
        puzzle: &Puzzle,
        outcome: &Outcome,
        stats: &Stats,
    ) -> Self {
        let solution = outcome.solution();
        Self {
            id: id.into(),
            solver,
            outcome: outcome.into(),
            length: solution.map(Solution::len),
            moves: solution.map(Plays::from),
            optimal: matches!(outcome, Outcome::Solved { optimal: true, .. }),
            lower_bound: outcome.lower_bound(),
            nodes: stats.nodes,
            micros: micros(stats.time),
            limit: match outcome {
                Outcome::LimitReached { limit, .. } => Some(LimitName(*limit)),
                _ => None,
            },
            failure: match outcome {
                Outcome::Failed { failure, .. } => Some(failure.to_string()),
                _ => None,
            },
            claimed: match outcome {
                Outcome::Failed {
                    failure: Failure::NotReplayable { claimed },
                    ..
                } => Some(*claimed),
                _ => None,
            },
            must_ricochet: puzzle.rules().must_ricochet,
            solutions: None,
            all: None,
            groups: None,
            all_limit: None,
            trace: None,
            memory: None,
        }
    }

    /// Whether no limit had a part in the answer.
    pub(crate) fn is_complete(&self) -> bool {
        self.limit.is_none() && self.all_limit.is_none()
    }

    /// The answer with the moves as they were played.
    pub(crate) fn traced(puzzle: &Puzzle, solver: &'static str, search: &VerifiedSearch) -> Self {
        Self {
            trace: search.trace.as_ref().map(TraceStep::all),
            ..Self::of(
                id_of(puzzle),
                solver,
                puzzle,
                &search.outcome,
                &search.stats,
            )
        }
    }
}

/// The name of a puzzle, or the puzzle itself.
pub(crate) fn id_of(puzzle: &Puzzle) -> String {
    puzzle
        .id()
        .map_or_else(|| notation::to_line(puzzle), str::to_owned)
}

pub(crate) fn micros(time: Duration) -> u64 {
    time.as_micros() as u64
}

impl Question for Solve {
    type Answer = SolveAnswer;

    fn puzzle_mut(&mut self) -> Option<&mut PuzzleInput> {
        Some(&mut self.puzzle)
    }

    fn limits_mut(&mut self) -> Option<&mut RequestLimits> {
        Some(&mut self.limits)
    }

    fn is_complete(answer: &SolveAnswer) -> bool {
        answer.is_complete()
    }

    fn answer(&self, call: &mut Call<'_>) -> Result<SolveAnswer, Error> {
        let puzzle = call.puzzle(&self.puzzle)?;
        let mut solver = call.solver(self.solver.as_deref(), &self.options)?;
        let limits = call.budget(&self.limits).left();
        let search = call.solve(solver.as_mut(), &puzzle, &limits)?;
        Ok(SolveAnswer::traced(&puzzle, solver.name(), &search))
    }
}
