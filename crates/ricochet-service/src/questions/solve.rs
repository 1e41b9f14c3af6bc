//! `solve`: a shortest solution.

use std::collections::BTreeMap;
use std::time::Duration;

use ricochet_core::{Puzzle, Solution, notation};
use ricochet_solve::{Failure, Outcome, Stats};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::call::{Call, OptionValue};
use crate::error::Error;
use crate::policy::RequestLimits;
use crate::questions::all::GroupInfo;
use crate::request::Question;
use crate::trace::TraceStep;
use crate::words::Plays;

/// Asks a solver for a solution.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Solve {
    /// The puzzle in any format.
    pub puzzle: String,
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

/// What a solver said: also the line of `ricochet solve --json`. The keys up to `micros` are always
/// there; the others only where they say something.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct SolveAnswer {
    /// The puzzle's name, or the puzzle itself if it has none.
    pub id: String,
    /// The solver.
    pub solver: &'static str,
    /// `solved`, `unsolvable` (proved), `limit` (a limit ended the search) or `failed` (the solver
    /// has nothing left to try, or cannot take the puzzle).
    pub outcome: &'static str,
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
    pub limit: Option<String>,
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
    pub all_limit: Option<String>,
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
            outcome: outcome.name(),
            length: solution.map(Solution::len),
            moves: solution.map(Plays::from),
            optimal: matches!(outcome, Outcome::Solved { optimal: true, .. }),
            lower_bound: outcome.lower_bound(),
            nodes: stats.nodes,
            micros: micros(stats.time),
            limit: match outcome {
                Outcome::LimitReached { limit, .. } => Some(limit.to_string()),
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

    /// The answer with the moves as they were played.
    pub(crate) fn traced(mut self, puzzle: &Puzzle, outcome: &Outcome) -> Self {
        self.trace = outcome
            .solution()
            .and_then(|solution| solution.replay(puzzle).ok())
            .map(|trace| TraceStep::all(&trace));
        self
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

    fn answer(&self, call: &mut Call<'_>) -> Result<SolveAnswer, Error> {
        let puzzle = call.puzzle(&self.puzzle)?;
        let mut solver = call.solver(self.solver.as_deref(), &self.options)?;
        let limits = call.budget(&self.limits).left();
        let (outcome, stats) = call.solve(solver.as_mut(), &puzzle, &limits)?;
        let id = id_of(&puzzle);
        Ok(SolveAnswer::of(id, solver.name(), &puzzle, &outcome, &stats).traced(&puzzle, &outcome))
    }
}
