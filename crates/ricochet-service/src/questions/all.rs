//! `all`: every shortest solution.

use ricochet_core::{Move, Puzzle, Solution};
use ricochet_solve::all::{AllSolutions, Preference, all_of_length};
use ricochet_solve::{Limit, LimitReached, Limits, Outcome};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::call::Call;
use crate::error::Error;
use crate::policy::RequestLimits;
use crate::puzzle_input::PuzzleInput;
use crate::questions::solve::{SolveAnswer, micros};
use crate::request::Question;
use crate::words::{LimitName, Plays};

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
    pub prefer: PreferName,
    /// List those once that differ only in the order of independent moves.
    #[serde(default)]
    pub group: bool,
    /// What the search may spend.
    #[serde(default)]
    pub limits: RequestLimits,
}

/// What makes one shortest solution nicer than another.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[serde(rename_all = "kebab-case")]
pub enum PreferName {
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

impl From<PreferName> for Preference {
    fn from(name: PreferName) -> Self {
        match name {
            PreferName::Nothing => Self::Nothing,
            PreferName::FewestRobots => Self::FewestRobots,
            PreferName::MostRobots => Self::MostRobots,
            PreferName::FewestChanges => Self::FewestChanges,
        }
    }
}

/// Solutions that differ only in the order of independent moves.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct GroupInfo {
    /// The first of them.
    pub moves: Plays,
    /// How many there are.
    pub size: u64,
}

/// How many shortest solutions there are, and some of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AllShortest {
    /// How many; `None` if a limit came before they were counted.
    pub count: Option<u128>,
    /// Some of them, with the number of solutions that each stands for.
    pub listed: Vec<(Solution, u64)>,
    /// Whether orders of independent moves are listed once.
    pub grouped: bool,
    /// Whether nothing is missing from the list.
    pub complete: bool,
    /// What ended the search before all that was asked for was seen.
    pub limit: Option<Limit>,
    /// States expanded.
    pub nodes: u64,
}

impl AllShortest {
    /// All shortest solutions of a puzzle whose shortest length is proven: preferred ones first,
    /// grouped or not, at most so many.
    pub fn of(
        puzzle: &Puzzle,
        length: u32,
        wanted: (PreferName, bool, usize),
        limits: &Limits,
    ) -> Self {
        Self::watched(puzzle, length, wanted, limits, &mut |_, _| {})
    }

    /// The same, while somebody is told how many there are and how many were listed so far.
    pub fn watched(
        puzzle: &Puzzle,
        length: u32,
        (prefer, group, max): (PreferName, bool, usize),
        limits: &Limits,
        tell: &mut dyn FnMut(u128, usize),
    ) -> Self {
        let mut all = Self {
            count: None,
            listed: Vec::new(),
            grouped: group,
            complete: false,
            limit: None,
            nodes: 0,
        };
        match all_of_length(puzzle, length, limits) {
            Ok(Some(found)) => {
                all.count = Some(found.count());
                all.nodes = found.nodes();
                let listed = all.list(&found, prefer.into(), max, tell);
                all.limit = listed.err().map(|stopped| stopped.limit);
            }
            // The length is not that of the shortest solutions: there is nothing to list.
            Ok(None) => {}
            Err(stopped) => all.limit = Some(stopped.limit),
        }
        all
    }

    fn list(
        &mut self,
        found: &AllSolutions,
        prefer: Preference,
        max: usize,
        tell: &mut dyn FnMut(u128, usize),
    ) -> Result<(), LimitReached> {
        let mut tell = |listed: usize| {
            if listed.is_multiple_of(1024) {
                tell(found.count(), listed);
            }
        };
        tell(0);
        if self.grouped {
            let mut groups = found.groups(prefer)?;
            while self.listed.len() < max
                && let Some(group) = groups.next()
            {
                let group = group?;
                groups.keep(2 * bytes_of(&group.first))?;
                self.listed.push((group.first, group.size));
                tell(self.listed.len());
            }
        } else {
            let mut solutions = found.solutions(prefer)?;
            while self.listed.len() < max
                && let Some(solution) = solutions.next()
            {
                let solution = solution?;
                solutions.keep(bytes_of(&solution))?;
                self.listed.push((solution, 1));
                tell(self.listed.len());
            }
        }
        self.complete = self.represented() == found.count();
        Ok(())
    }

    /// How many solutions the list stands for.
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
            let group = |(first, size): &(Solution, u64)| GroupInfo {
                moves: Plays::from(first),
                size: *size,
            };
            all.listed.iter().map(group).collect()
        });
        self.all_limit = all.limit.map(LimitName);
        // Moved, not copied: there may be millions.
        let listed = all.listed.into_iter();
        self.all = Some(listed.map(|(it, _)| Plays(it.into_moves())).collect());
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
        let wanted = (self.prefer, self.group, max);
        let all = AllShortest::of(&puzzle, solution.len() as u32, wanted, &budget.left());
        budget.charge(all.nodes);
        let mut answer = answer.with_all(all);
        answer.nodes = budget.nodes();
        answer.micros = micros(budget.elapsed());
        Ok(answer)
    }
}

/// What a listed solution takes: its moves and its place in a list, each with room to grow, and its
/// text, once as it is written and once more where that text grows. The first of a group is listed
/// twice.
fn bytes_of(solution: &Solution) -> u64 {
    let moves = solution.len() as u64;
    let place = 3 * size_of::<(Solution, u64)>() as u64;
    let list = (moves * size_of::<Move>() as u64 + 8)
        .next_multiple_of(16)
        .max(32);
    let text = 3 * (5 * moves + 30);
    place + list + text
}
