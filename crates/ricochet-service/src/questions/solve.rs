//! `solve` and `all`: a shortest solution, or every one.

use std::collections::BTreeMap;
use std::time::Duration;

use ricochet_core::{Move, Puzzle, Solution, notation};
use ricochet_solve::all::{AllSolutions, Preference, all_of_length};
use ricochet_solve::{DepthRow, Failure, Limit, LimitReached, Limits, Outcome, Stats};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::call::{Call, OptionValue, VerifiedSearch};
use crate::error::Error;
use crate::json::{LimitName, MoveList};
use crate::policy::RequestLimits;
use crate::puzzle_input::PuzzleInput;
use crate::request::Question;
use crate::trace::TraceStep;

/// Asks for a shortest solution.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Solve {
    /// The puzzle in any format.
    pub puzzle: PuzzleInput,
    /// The solver, optionally with parameters: `iddfs` or `iddfs:memo=off`. Default: `flagship`, the fastest.
    #[serde(default)]
    pub solver: Option<String>,
    /// Parameters of the solver.
    #[serde(default)]
    pub options: BTreeMap<String, OptionValue>,
    /// Whether to list what each finished depth counted.
    #[serde(default)]
    pub rows: bool,
    /// The limits of the search.
    #[serde(default)]
    pub limits: RequestLimits,
}

/// What the search of one depth counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct DepthCounts {
    /// The depth, or the number of the layer.
    pub depth: u32,
    /// Nodes visited.
    pub nodes: u64,
    /// Nodes that passed the goal, depth and bound tests.
    pub inner: u64,
    /// Inner nodes that a table of known positions pruned.
    pub hits: u64,
}

impl From<&DepthRow> for DepthCounts {
    fn from(row: &DepthRow) -> Self {
        Self {
            depth: row.depth,
            nodes: row.nodes,
            inner: row.inner,
            hits: row.hits,
        }
    }
}

/// How a search ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum SolveOutcome {
    /// A solution was found.
    Solved,
    /// It is proved that there is none.
    Unsolvable,
    /// A limit ended the search.
    Limit,
    /// The solver gave up, or does not support the puzzle.
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

/// The result of a solver, also printed by `ricochet solve --json`. The keys up to `micros` are always
/// present, the others only if they apply.
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
    pub moves: Option<MoveList>,
    /// Whether it is proved that no solution is shorter.
    pub optimal: bool,
    /// No solution has fewer moves than this; null if the puzzle is unsolvable.
    pub lower_bound: Option<u32>,
    /// Search nodes.
    pub nodes: u64,
    /// The time of the search in microseconds.
    pub micros: u64,
    /// With `rows`: the finished depths.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rows: Option<Vec<DepthCounts>>,
    /// The limit that ended the search.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limit: Option<LimitName>,
    /// Why the solver failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub failure: Option<String>,
    /// The length that the solver claims, if its moves cannot be replayed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub claimed: Option<u32>,
    /// Whether the robot that reaches the goal must have turned.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub must_ricochet: bool,
    /// `all`: how many shortest solutions there are.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub solutions: Option<u128>,
    /// `all`: the solutions, up to `max`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub all: Option<Vec<MoveList>>,
    /// `all` with `group`: the same list, with the number of solutions in each group.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub groups: Option<Vec<SolutionGroup>>,
    /// `all`: the limit that cut the list short.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub all_limit: Option<LimitName>,
    /// The replayed moves.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub trace: Option<Vec<TraceStep>>,
    /// `compare`: peak bytes of the solver's tables and queues.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub memory: Option<u64>,
}

impl SolveAnswer {
    /// The answer without a trace.
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
            moves: solution.map(MoveList::from),
            optimal: matches!(outcome, Outcome::Solved { optimal: true, .. }),
            lower_bound: outcome.lower_bound(),
            nodes: stats.nodes,
            micros: micros(stats.time),
            rows: None,
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

    /// Whether no limit affected the answer.
    pub(crate) fn is_complete(&self) -> bool {
        self.limit.is_none() && self.all_limit.is_none()
    }

    /// The answer with the replayed moves.
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
        let rows = self
            .rows
            .then(|| search.stats.rows.iter().map(DepthCounts::from).collect());
        Ok(SolveAnswer {
            rows,
            ..SolveAnswer::traced(&puzzle, solver.name(), &search)
        })
    }
}

/// Asks for all shortest solutions.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct All {
    /// The puzzle in any format.
    pub puzzle: PuzzleInput,
    /// List at most this many. Default: 100.
    #[serde(default)]
    pub max: Option<usize>,
    /// Which of them come first.
    #[serde(default)]
    pub prefer: PreferenceName,
    /// List solutions that differ only in the order of independent moves once.
    #[serde(default)]
    pub group: bool,
    /// The limits of the search.
    #[serde(default)]
    pub limits: RequestLimits,
}

/// Which shortest solutions to prefer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[serde(rename_all = "kebab-case")]
pub enum PreferenceName {
    /// No preference.
    #[default]
    #[cfg_attr(feature = "clap", value(skip))]
    Nothing,
    /// Those in which the fewest robots move.
    FewestRobots,
    /// Those in which the most robots move.
    MostRobots,
    /// Those that switch between robots least often.
    FewestChanges,
}

impl From<PreferenceName> for Preference {
    fn from(name: PreferenceName) -> Self {
        match name {
            PreferenceName::Nothing => Self::Nothing,
            PreferenceName::FewestRobots => Self::FewestRobots,
            PreferenceName::MostRobots => Self::MostRobots,
            PreferenceName::FewestChanges => Self::FewestChanges,
        }
    }
}

/// Solutions that differ only in the order of independent moves.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct SolutionGroup {
    /// The first of them.
    pub moves: MoveList,
    /// How many there are.
    pub size: u64,
}

/// Which shortest solutions to list.
#[derive(Clone, Copy, Debug)]
pub struct ListOptions {
    /// Which of them come first.
    pub prefer: PreferenceName,
    /// Whether to list solutions that differ only in the order of independent moves once.
    pub group: bool,
    /// The most that are listed.
    pub max: usize,
}

/// How many shortest solutions there are, and some of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AllShortest {
    /// How many there are; `None` if a limit ended the count.
    pub count: Option<u128>,
    /// Some of them, with the number of solutions that each represents.
    pub listed: Vec<(Solution, u64)>,
    /// Whether each entry stands for all orders of its independent moves.
    pub grouped: bool,
    /// Whether the list has all solutions.
    pub complete: bool,
    /// The limit that ended the search early.
    pub limit: Option<Limit>,
    /// States expanded.
    pub nodes: u64,
}

impl AllShortest {
    /// All shortest solutions of a puzzle whose optimum is proven to be `length`. `report` is called
    /// with the number of solutions and how many are listed so far.
    pub fn of(
        puzzle: &Puzzle,
        length: u32,
        options: ListOptions,
        limits: &Limits,
        report: &mut dyn FnMut(u128, usize),
    ) -> Self {
        let mut all = Self {
            count: None,
            listed: Vec::new(),
            grouped: options.group,
            complete: false,
            limit: None,
            nodes: 0,
        };
        match all_of_length(puzzle, length, limits) {
            Ok(Some(found)) => {
                all.count = Some(found.count());
                all.nodes = found.nodes();
                let listed = all.list(&found, options, report);
                all.limit = listed.err().map(|stopped| stopped.limit);
            }
            // Shortest solutions have a different length: there is nothing to list.
            Ok(None) => {}
            Err(stopped) => all.limit = Some(stopped.limit),
        }
        all
    }

    fn list(
        &mut self,
        found: &AllSolutions,
        options: ListOptions,
        report: &mut dyn FnMut(u128, usize),
    ) -> Result<(), LimitReached> {
        let (prefer, max) = (Preference::from(options.prefer), options.max);
        let mut report = |listed: usize| {
            if listed.is_multiple_of(1024) {
                report(found.count(), listed);
            }
        };
        report(0);
        if self.grouped {
            let mut groups = found.groups(prefer)?;
            while self.listed.len() < max
                && let Some(group) = groups.next()
            {
                let group = group?;
                groups.keep(2 * bytes_of(&group.first))?;
                self.listed.push((group.first, group.size));
                report(self.listed.len());
            }
        } else {
            let mut solutions = found.solutions(prefer)?;
            while self.listed.len() < max
                && let Some(solution) = solutions.next()
            {
                let solution = solution?;
                solutions.keep(bytes_of(&solution))?;
                self.listed.push((solution, 1));
                report(self.listed.len());
            }
        }
        self.complete = self.represented() == found.count();
        Ok(())
    }

    /// The number of solutions that the list represents.
    pub fn represented(&self) -> u128 {
        self.listed.iter().map(|(_, size)| u128::from(*size)).sum()
    }
}

impl SolveAnswer {
    /// The answer with all shortest solutions.
    #[must_use]
    pub fn with_all(mut self, all: AllShortest) -> Self {
        self.solutions = all.count;
        self.groups = all.grouped.then(|| {
            let group = |(first, size): &(Solution, u64)| SolutionGroup {
                moves: MoveList::from(first),
                size: *size,
            };
            all.listed.iter().map(group).collect()
        });
        self.all_limit = all.limit.map(LimitName);
        // Moved, not copied: there may be millions.
        let listed = all.listed.into_iter();
        self.all = Some(listed.map(|(it, _)| MoveList(it.into_moves())).collect());
        self
    }
}

impl Question for All {
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
        let mut budget = call.budget(&self.limits);
        let mut solver = call.default_solver()?;
        let search = call.solve(solver.as_mut(), &puzzle, &budget.left())?;
        budget.charge(search.stats.nodes);
        let answer = SolveAnswer::traced(&puzzle, solver.name(), &search);
        drop(solver);
        let Outcome::Solved {
            solution,
            optimal: true,
            ..
        } = &search.outcome
        else {
            return Ok(answer);
        };
        let max = self.max.unwrap_or(100).min(call.policy().solutions);
        let options = ListOptions {
            prefer: self.prefer,
            group: self.group,
            max,
        };
        let (length, left) = (solution.len() as u32, budget.left());
        let all = AllShortest::of(&puzzle, length, options, &left, &mut |_, _| {});
        budget.charge(all.nodes);
        let mut answer = answer.with_all(all);
        answer.nodes = budget.nodes();
        answer.micros = micros(budget.elapsed());
        Ok(answer)
    }
}

/// An upper estimate of the memory for a listed solution: its moves and its list entry, both with spare
/// capacity, and its text while a buffer for it grows.
fn bytes_of(solution: &Solution) -> u64 {
    let moves = solution.len() as u64;
    let place = 3 * size_of::<(Solution, u64)>() as u64;
    let list = (moves * size_of::<Move>() as u64 + 8)
        .next_multiple_of(16)
        .max(32);
    let text = 3 * (5 * moves + 30);
    place + list + text
}
