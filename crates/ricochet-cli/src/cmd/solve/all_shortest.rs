//! All shortest solutions of one puzzle, for `solve --all`.

use std::fmt::Write;

use ricochet_core::describe::plural;
use ricochet_service::questions::solve::{AllShortest, ListOptions, PreferenceName};
use ricochet_solve::{Budget, Limit, Limits, NodeCount, Outcome, Solver};

use crate::answer::Answer;
use crate::args::whole_number::whole_number;
use crate::exit_code::ExitCode;
use crate::term::plain::Plain;
use crate::term::progress::Progress;
use crate::term::units::thousands;

/// Which of the shortest solutions to list, and in which order.
#[derive(clap::Args, Clone, Copy, Debug)]
pub(crate) struct AllArgs {
    /// Count all shortest solutions and list them
    #[arg(long)]
    pub(crate) all: bool,

    /// With --all: list at most this many
    #[arg(long, value_name = "N", default_value_t = 100, requires = "all", value_parser = whole_number::<usize>(..))]
    max_solutions: usize,

    /// With --all: list these first
    #[arg(long, value_name = "WHICH", requires = "all")]
    prefer: Option<PreferenceName>,

    /// With --all: list only one of the solutions that differ only in the order of independent moves
    #[arg(long, requires = "all")]
    group: bool,
}

/// The number of shortest solutions and a list of them.
pub(crate) struct ShortestList(AllShortest);

impl AllArgs {
    /// The options as they appear in the task of a part.
    pub(crate) fn task_json(self) -> serde_json::Value {
        serde_json::json!({
            "all": self.all,
            "max_solutions": self.max_solutions,
            "prefer": self.prefer,
            "group": self.group,
        })
    }

    /// All shortest solutions, if requested and if the optimum is proven. The limits are for the whole
    /// puzzle, so what the search has used is subtracted.
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
        let count = NodeCount::default();
        let rest = Limits {
            count: Some(count.clone()),
            ..Budget::after_search(limits, solver, &answer.stats).left()
        };
        let solved = format!(
            "{}: {} needed",
            Plain(&answer.name),
            plural(solution.len(), "move")
        );
        let counting = format!("{solved}, counting solutions");
        progress
            .set_message_source(move || format!("{counting}, {} nodes", thousands(count.get())));
        let options = ListOptions {
            prefer: self.prefer.unwrap_or_default(),
            group: self.group,
            max: self.max_solutions,
        };
        let length = solution.len() as u32;
        let mut report = |count, listed: usize| {
            progress.set_message(format!(
                "{solved}, {} solutions, {} listed",
                thousands(count),
                thousands(listed as u64)
            ));
        };
        let all = AllShortest::of(&answer.puzzle, length, options, &rest, &mut report);
        Some(ShortestList(all))
    }
}

impl ShortestList {
    /// The result for programs.
    pub(crate) fn into_inner(self) -> AllShortest {
        self.0
    }

    /// A list that a limit cut short is incomplete.
    pub(crate) fn exit_code(&self) -> ExitCode {
        match self.0.limit {
            None => ExitCode::Solved,
            Some(Limit::Cancelled) => ExitCode::Interrupted,
            Some(_) => ExitCode::Limit,
        }
    }

    /// The number of solutions, then one solution per line.
    pub(crate) fn page(&self) -> String {
        let mut page = String::new();
        let Some(count) = self.0.count else {
            let limit = self.0.limit.map_or_else(String::new, |it| it.to_string());
            return format!("{limit} reached before all shortest solutions were counted\n");
        };
        if self
            .0
            .listed
            .iter()
            .any(|(solution, _)| solution.is_empty())
        {
            return "Solved already: the only shortest solution has no moves.\n".to_owned();
        }
        let _ = match (count, self.0.grouped && self.0.complete) {
            (1, _) => writeln!(page, "The only shortest solution:"),
            (_, true) => writeln!(
                page,
                "{} shortest solutions, {} if the order of independent moves does not count:",
                thousands(count),
                thousands(self.0.listed.len() as u64)
            ),
            _ => writeln!(page, "{} shortest solutions:", thousands(count)),
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
            let more = thousands(unlisted);
            let _ = writeln!(page, "  and {more} more (--max-solutions)");
        }
        page
    }
}
