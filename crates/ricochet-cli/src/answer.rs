//! The answer of a solver to one puzzle, for people and for programs.

use std::fmt::Write;

use anstyle::{AnsiColor, Style};
use ricochet_core::Puzzle;
use ricochet_draw::{BoardSize, Panel, Terminal};
use ricochet_solve::{Limit, Limits, Observer, Outcome, Solver, Stats};
use serde::Serialize;

use crate::args::drawing::{BoardPage, CompactArgs};
use crate::exit_code::ExitCode;
use crate::input::InputPuzzle;
use crate::term::output::Output;
use crate::term::plain::Plain;
use crate::term::size::TerminalSize;
use crate::term::units::{duration, thousands};
use crate::term::wrap::wrap;
use ricochet_core::describe::plural;
use ricochet_core::describe::task;
use ricochet_service::questions::solve::SolveAnswer;

/// A puzzle with the outcome of its search.
pub(crate) struct Answer {
    /// For programs.
    pub(crate) id: String,
    /// For people.
    pub(crate) name: String,
    pub(crate) puzzle: Puzzle,
    pub(crate) solver: &'static str,
    pub(crate) outcome: Outcome,
    pub(crate) stats: Stats,
}

impl Answer {
    /// Solves a puzzle.
    pub(crate) fn solve(
        solver: &mut dyn Solver,
        read: InputPuzzle,
        limits: &Limits,
        watch: &mut dyn Observer,
    ) -> Self {
        let (outcome, stats) = solver.solve(&read.puzzle, limits, watch);
        Self {
            id: read.id,
            name: read.name,
            puzzle: read.puzzle,
            solver: solver.name(),
            outcome,
            stats,
        }
    }

    /// Solves a puzzle and shows the progress of the search.
    pub(crate) fn solve_with_progress(
        solver: &mut dyn Solver,
        read: InputPuzzle,
        limits: &Limits,
        output: &Output,
    ) -> Self {
        let mut progress = output.progress().search_observer(&read.name);
        Self::solve(solver, read, limits, &mut progress)
    }

    /// A sentence for a puzzle that states the wrong optimum, if this answer proves it wrong.
    pub(crate) fn contradiction(&self) -> Option<String> {
        let said = self.puzzle.known_optimal()? as usize;
        let is = match &self.outcome {
            Outcome::Solved {
                solution,
                optimal: true,
                ..
            } if solution.len() != said => format!("needs {}", solution.len()),
            Outcome::Unsolvable => "cannot be solved".to_owned(),
            _ => return None,
        };
        let said = plural(said, "move");
        Some(format!(
            "{}: the puzzle states {said}, but it {is}",
            Plain(&self.name)
        ))
    }

    /// Whether Ctrl-C ended the search.
    pub(crate) fn is_cancelled(&self) -> bool {
        matches!(
            self.outcome,
            Outcome::LimitReached {
                limit: Limit::Cancelled,
                ..
            }
        )
    }

    pub(crate) fn exit_code(&self) -> ExitCode {
        match self.outcome {
            Outcome::Solved { .. } => ExitCode::Solved,
            Outcome::Unsolvable => ExitCode::Unsolvable,
            _ if self.is_cancelled() => ExitCode::Interrupted,
            Outcome::LimitReached { .. } | Outcome::Failed { .. } => ExitCode::Limit,
        }
    }

    /// The row for programs.
    pub(crate) fn row(&self) -> SolveAnswer {
        SolveAnswer::of(
            &self.id,
            self.solver,
            &self.puzzle,
            &self.outcome,
            &self.stats,
        )
    }

    /// One line for people, with its line break.
    pub(crate) fn line(&self) -> String {
        let bold = Style::new().bold();
        let mut line = format!("{bold}{}{bold:#}: {}", Plain(&self.name), self.verdict());
        if let Some(solution) = self.outcome.solution()
            && !solution.is_empty()
        {
            let _ = write!(line, ": {solution}");
        }
        line + "\n"
    }

    /// The board with the solution on it, the moves, the verdict and the cost.
    ///
    /// The board is as large as the arguments and the terminal allow, with `more` text and `below`
    /// further lines after it.
    pub(crate) fn page(
        &self,
        terminal: Terminal,
        compact: CompactArgs,
        size: Option<TerminalSize>,
        (more, below): (&str, usize),
    ) -> String {
        let page = |terminal: Terminal, pictures: String, gap: &str, drawn: &str| {
            let mut words = self.words(drawn);
            if let Some(size) = size {
                words = wrap(&words, size.columns);
            }
            BoardPage {
                width: terminal.puzzle(&self.puzzle).width(),
                text: pictures + gap + &words + more,
            }
        };
        let [half, narrow] =
            [BoardSize::Compact, BoardSize::Narrow].map(|size| terminal.size(size));
        compact.choose(
            size,
            below,
            || page(terminal, self.on_the_board(terminal, "\n"), "\n", ""),
            &[
                &|| page(half, self.on_the_board(half, ""), "", ""),
                // If several boards do not fit, draw only the first.
                &|| {
                    let (picture, drawn) = self.on_the_first_board(half);
                    page(half, picture, "", &drawn)
                },
                &|| page(narrow, self.on_the_board(narrow, ""), "", ""),
            ],
        )
    }

    /// The boards with the solution on them; none if there are no moves.
    fn panels(&self, terminal: Terminal) -> Vec<Panel> {
        let solution = self.outcome.solution();
        let trace = solution.and_then(|solution| solution.replay(&self.puzzle).ok());
        match trace {
            Some(trace) if !trace.steps.is_empty() => terminal.solution(&self.puzzle, &trace),
            _ => Vec::new(),
        }
    }

    /// The solution on as many boards as it takes.
    fn on_the_board(&self, terminal: Terminal, gap: &str) -> String {
        let panels = self.panels(terminal);
        if panels.is_empty() {
            return format!("{:#}", terminal.puzzle(&self.puzzle));
        }
        let pages: Vec<String> = panels
            .iter()
            .map(|panel| match panels.len() {
                1 => format!("{:#}", panel.picture),
                _ => format!(
                    "Moves {} to {}:\n{:#}",
                    panel.first, panel.last, panel.picture
                ),
            })
            .collect();
        pages.join(gap)
    }

    /// The board with the first moves on it, and a remark about the others.
    fn on_the_first_board(&self, terminal: Terminal) -> (String, String) {
        let panels = self.panels(terminal);
        match panels.as_slice() {
            [first, _, ..] => (
                format!("{:#}", first.picture),
                if first.last == 1 {
                    "; move 1 is drawn, --compact=off draws all".to_owned()
                } else {
                    format!(
                        "; moves 1 to {} are drawn, --compact=off draws all",
                        first.last
                    )
                },
            ),
            _ => (self.on_the_board(terminal, ""), String::new()),
        }
    }

    /// The task, the moves, the verdict, which moves are drawn, and the cost.
    fn words(&self, drawn: &str) -> String {
        let mut page = format!("{}\n", task(&self.puzzle));
        if let Some(solution) = self.outcome.solution()
            && !solution.is_empty()
        {
            let bold = Style::new().bold();
            let _ = writeln!(page, "{bold}{solution}{bold:#}");
        }
        let _ = writeln!(page, "{}{drawn}", self.verdict());
        let _ = writeln!(
            page,
            "{} took {}, {} {}",
            self.solver,
            duration(self.stats.time),
            thousands(self.stats.nodes),
            if self.stats.nodes == 1 {
                "node"
            } else {
                "nodes"
            }
        );
        page
    }

    /// `8 moves, optimal`, `proven unsolvable`, `time limit: no solution has fewer than 12 moves` …
    pub(crate) fn verdict(&self) -> String {
        let green = Style::new().fg_color(Some(AnsiColor::Green.into()));
        let yellow = Style::new().fg_color(Some(AnsiColor::Yellow.into()));
        match &self.outcome {
            Outcome::Solved {
                solution,
                optimal,
                lower_bound,
            } => {
                let moves = plural(solution.len(), "move");
                if *optimal {
                    format!("{moves}, {green}optimal{green:#}")
                } else {
                    format!("{moves}, not proven optimal (at least {lower_bound} needed)")
                }
            }
            Outcome::Unsolvable => format!("{yellow}proven unsolvable{yellow:#}"),
            Outcome::LimitReached { limit, lower_bound } => {
                let what = if *limit == Limit::Cancelled {
                    "stopped".to_owned()
                } else {
                    format!("{limit} reached")
                };
                format!(
                    "{yellow}{what}{yellow:#}: no solution has fewer than {}",
                    plural(*lower_bound as usize, "move")
                )
            }
            Outcome::Failed { failure, .. } => format!("{yellow}failed{yellow:#}: {failure}"),
        }
    }
}

/// An answer of the service with the name of its puzzle.
#[derive(Serialize)]
pub(crate) struct WithId<'a, T> {
    pub(crate) id: &'a str,
    #[serde(flatten)]
    pub(crate) answer: T,
}
