//! All shortest solutions of one puzzle, for `solve --all`.

use std::fmt::Write;

use ricochet::Solution;
use ricochet_service::narrate::plural;
use ricochet_service::questions::all::{AllShortest, PreferName};
use ricochet_solve::{Limit, Limits, Outcome, Solver};
use serde::{Serialize, Serializer};

use crate::answer::Answer;
use crate::exit_code::ExitCode;
use crate::plain::Plain;
use crate::progress::Progress;
use crate::units::{thousands, thousands_wide};

/// Which of them are wanted, and how.
#[derive(clap::Args, Clone, Copy, Debug)]
pub(crate) struct AllArgs {
    /// Count all shortest solutions and list them
    #[arg(long)]
    pub(crate) all: bool,

    /// With --all: list at most this many
    #[arg(long, value_name = "N", default_value_t = 100, requires = "all")]
    max_solutions: usize,

    /// With --all: list these first
    #[arg(long, value_name = "WHICH", requires = "all")]
    prefer: Option<PreferArg>,

    /// With --all: list orders of independent moves once
    #[arg(long, requires = "all")]
    group: bool,
}

/// What makes one shortest solution nicer than another.
#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum PreferArg {
    /// Those in which the fewest robots move
    FewestRobots,
    /// Those in which the most robots move
    MostRobots,
    /// Those in which another robot's turn comes least often
    FewestChanges,
}

impl From<PreferArg> for PreferName {
    fn from(prefer: PreferArg) -> Self {
        match prefer {
            PreferArg::FewestRobots => Self::FewestRobots,
            PreferArg::MostRobots => Self::MostRobots,
            PreferArg::FewestChanges => Self::FewestChanges,
        }
    }
}

/// How many there are and some of them, ready to be shown.
pub(crate) struct ShortestList(AllShortest);

/// The listed solutions as JSON, written as they are: a second list of them, of strings, would take
/// ten times the memory.
pub(crate) struct JsonSolutions<'a>(&'a [(Solution, u64)]);

impl Serialize for JsonSolutions<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.iter().map(|(solution, _)| JsonMoves(solution)))
    }
}

/// The listed groups as JSON.
pub(crate) struct JsonGroups<'a>(&'a [(Solution, u64)]);

impl Serialize for JsonGroups<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.iter().map(|(first, size)| JsonGroup {
            moves: JsonMoves(first),
            size: *size,
        }))
    }
}

#[derive(Serialize)]
struct JsonGroup<'a> {
    moves: JsonMoves<'a>,
    size: u64,
}

/// One solution as a list of moves.
struct JsonMoves<'a>(&'a Solution);

impl Serialize for JsonMoves<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.moves().iter().map(ToString::to_string))
    }
}

impl AllArgs {
    /// All shortest solutions, if they are wanted and the shortest length is proven. The limits are
    /// for the whole puzzle: what the answer took is spent, and what its solver keeps is held.
    pub(crate) fn of(
        self,
        answer: &Answer,
        solver: &mut dyn Solver,
        limits: &Limits,
        progress: &Progress,
    ) -> Option<ShortestList> {
        let Outcome::Solved {
            solution,
            optimal: true,
            ..
        } = &answer.outcome
        else {
            return None;
        };
        if !self.all {
            return None;
        }
        progress.say(format!(
            "{}: all solutions of {}",
            Plain(&answer.id),
            plural(solution.len(), "move")
        ));
        let rest = limits.after(solver, &answer.stats);
        let prefer = self.prefer.map_or(PreferName::Nothing, PreferName::from);
        let wanted = (prefer, self.group, self.max_solutions);
        let length = solution.len() as u32;
        let all = AllShortest::of(&answer.puzzle, length, wanted, &rest);
        Some(ShortestList(all))
    }
}

impl ShortestList {
    /// How many there are; `None` if a limit came before they were counted.
    pub(crate) fn count(&self) -> Option<u128> {
        self.0.count
    }

    /// What ended the search before all that was asked for was seen.
    pub(crate) fn limit(&self) -> Option<Limit> {
        self.0.limit
    }

    /// A list that a limit cut short is not all.
    pub(crate) fn exit_code(&self) -> ExitCode {
        match self.0.limit {
            None => ExitCode::Solved,
            Some(Limit::Cancelled) => ExitCode::Interrupted,
            Some(_) => ExitCode::Limit,
        }
    }

    /// The listed ones as lists of moves.
    pub(crate) fn as_moves(&self) -> JsonSolutions<'_> {
        JsonSolutions(&self.0.listed)
    }

    /// The listed groups, if groups were asked for.
    pub(crate) fn as_groups(&self) -> Option<JsonGroups<'_>> {
        self.0.grouped.then_some(JsonGroups(&self.0.listed))
    }

    /// The number, and one solution a line.
    pub(crate) fn page(&self) -> String {
        let mut page = String::new();
        let Some(count) = self.0.count else {
            let limit = self.0.limit.map_or_else(String::new, |it| it.to_string());
            return format!("{limit} reached before all shortest solutions were counted\n");
        };
        let _ = match (count, self.0.grouped && self.0.complete) {
            (1, _) => writeln!(page, "The only shortest solution:"),
            (_, true) => writeln!(
                page,
                "{} shortest solutions, {} but for the order of independent moves:",
                thousands_wide(count),
                thousands(self.0.listed.len() as u64)
            ),
            _ => writeln!(page, "{} shortest solutions:", thousands_wide(count)),
        };
        for (solution, size) in &self.0.listed {
            let _ = match size {
                1 => writeln!(page, "  {solution}"),
                _ => writeln!(page, "  {solution}  ({} orders)", thousands(*size)),
            };
        }
        if let Some(limit) = self.0.limit {
            let _ = writeln!(
                page,
                "  {limit} reached after {}",
                plural(
                    self.0.listed.len(),
                    if self.0.grouped { "group" } else { "solution" }
                )
            );
        }
        let unlisted = count - self.0.represented();
        if unlisted > 0 {
            let more = thousands_wide(unlisted);
            let _ = writeln!(page, "  and {more} more (--max-solutions)");
        }
        page
    }
}
