//! All shortest solutions of one puzzle, for `solve --all`.

use std::fmt::Write;

use ricochet::{Move, Solution};
use ricochet_solve::all::{AllSolutions, Prefer, all_of_length};
use ricochet_solve::{Limit, Limits, Outcome, Solver, Stopped};
use serde::{Serialize, Serializer};

use crate::answer::Answer;
use crate::exit_code::ExitCode;
use crate::plain::Plain;
use crate::progress::Progress;
use crate::units::{thousands, thousands_wide};
use ricochet_service::narrate::plural;

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

/// How many there are, and some of them.
pub(crate) struct AllShortest {
    /// `None` if a limit came before they were counted.
    pub(crate) count: Option<u128>,
    /// With the number of solutions that each stands for.
    listed: Vec<(Solution, u64)>,
    grouped: bool,
    /// Whether nothing is missing from the list.
    complete: bool,
    /// What ended the search before all that was asked for was seen.
    pub(crate) limit: Option<Limit>,
}

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
    ) -> Option<AllShortest> {
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
        let mut all = AllShortest {
            count: None,
            listed: Vec::new(),
            grouped: self.group,
            complete: false,
            limit: None,
        };
        match all_of_length(&answer.puzzle, solution.len() as u32, &rest) {
            Ok(Some(found)) => {
                all.count = Some(found.count());
                all.limit = self.list(&found, &mut all).err().map(|it| it.limit);
            }
            // The length is proven, so there are such solutions and none that are shorter.
            Ok(None) => unreachable!("{} is no shortest solution", solution),
            Err(stopped) => all.limit = Some(stopped.limit),
        }
        Some(all)
    }

    fn list(self, found: &AllSolutions, all: &mut AllShortest) -> Result<(), Stopped> {
        let prefer = match self.prefer {
            None => Prefer::Nothing,
            Some(PreferArg::FewestRobots) => Prefer::FewestRobots,
            Some(PreferArg::MostRobots) => Prefer::MostRobots,
            Some(PreferArg::FewestChanges) => Prefer::FewestChanges,
        };
        if self.group {
            let mut groups = found.groups(prefer)?;
            while all.listed.len() < self.max_solutions
                && let Some(group) = groups.next()
            {
                let group = group?;
                groups.keep(bytes_of(&group.first))?;
                all.listed.push((group.first, group.size));
            }
        } else {
            let mut solutions = found.solutions(prefer)?;
            while all.listed.len() < self.max_solutions
                && let Some(solution) = solutions.next()
            {
                let solution = solution?;
                solutions.keep(bytes_of(&solution))?;
                all.listed.push((solution, 1));
            }
        }
        all.complete = all.represented() == found.count();
        Ok(())
    }
}

impl AllShortest {
    /// A list that a limit cut short is not all.
    pub(crate) fn exit_code(&self) -> ExitCode {
        match self.limit {
            None => ExitCode::Solved,
            Some(Limit::Cancelled) => ExitCode::Interrupted,
            Some(_) => ExitCode::Limit,
        }
    }

    /// How many solutions the list stands for.
    fn represented(&self) -> u128 {
        self.listed.iter().map(|(_, size)| u128::from(*size)).sum()
    }

    /// The listed ones as lists of moves.
    pub(crate) fn as_moves(&self) -> JsonSolutions<'_> {
        JsonSolutions(&self.listed)
    }

    /// The listed groups, if groups were asked for.
    pub(crate) fn as_groups(&self) -> Option<JsonGroups<'_>> {
        self.grouped.then_some(JsonGroups(&self.listed))
    }

    /// The number, and one solution a line.
    pub(crate) fn page(&self) -> String {
        let mut page = String::new();
        let Some(count) = self.count else {
            let limit = self.limit.map_or_else(String::new, |it| it.to_string());
            return format!("{limit} reached before all shortest solutions were counted\n");
        };
        let _ = match (count, self.grouped && self.complete) {
            (1, _) => writeln!(page, "The only shortest solution:"),
            (_, true) => writeln!(
                page,
                "{} shortest solutions, {} but for the order of independent moves:",
                thousands_wide(count),
                thousands(self.listed.len() as u64)
            ),
            _ => writeln!(page, "{} shortest solutions:", thousands_wide(count)),
        };
        for (solution, size) in &self.listed {
            let _ = match size {
                1 => writeln!(page, "  {solution}"),
                _ => writeln!(page, "  {solution}  ({} orders)", thousands(*size)),
            };
        }
        if let Some(limit) = self.limit {
            let _ = writeln!(
                page,
                "  {limit} reached after {}",
                plural(
                    self.listed.len(),
                    if self.grouped { "group" } else { "solution" }
                )
            );
        }
        let unlisted = count - self.represented();
        if unlisted > 0 {
            let more = thousands_wide(unlisted);
            let _ = writeln!(page, "  and {more} more (--max-solutions)");
        }
        page
    }
}

/// What a listed solution takes: its moves and its place in a list, each with room to grow, and its
/// text, once as it is written and once more where that text grows.
fn bytes_of(solution: &Solution) -> u64 {
    let moves = solution.len() as u64;
    let place = 3 * size_of::<(Solution, u64)>() as u64;
    let list = (moves * size_of::<Move>() as u64 + 8)
        .next_multiple_of(16)
        .max(32);
    let text = 3 * (moves * r#""RN","#.len() as u64 + r#"{"moves":[],"size":1000},"#.len() as u64);
    place + list + text
}
