//! The arguments.

use std::ffi::OsString;

use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};

use crate::cmd::{self, analysis, experiment, puzzle, shell};
use crate::help::examples;
use crate::help::version;

/// Solve, play, generate and draw Ricochet Robots puzzles
///
/// Give the quadrants of your board, the robots' cells and the target to get a shortest solution:
///
///     ricochet solve --layout "1A 4B 3B 2B" \
///         --robots "R 1,8 G 12,1 B 15,0 Y 12,0" --target "green hexagon"
///
/// `ricochet quadrants` shows the quadrants and their names; `ricochet new` asks for everything
/// step by step.
///
/// A PUZZLE is a file in any format or a directory (both can contain many puzzles), a puzzle in
/// one-line notation, a DriftingDroids ID such as 0765+42+2E21BD0F+93, a URL from kevincox's online
/// solver, a built-in puzzle (daily for today's, random:2 for the second puzzle of the corpus random),
/// or - for standard input.
///
/// Without a command, ricochet serves the web page and opens it in a browser; if neither
/// standard input nor standard output is a terminal, it prints this help.
// The text above is the help: its command is for a shell, not for rustdoc.
#[allow(rustdoc::invalid_rust_codeblocks)]
#[derive(Debug, Parser)]
#[command(
    name = "ricochet",
    version = version::SHORT,
    long_version = version::long(),
    max_term_width = 100,
    verbatim_doc_comment,
    after_help = EXIT_CODES,
    args_override_self = true,
    subcommand_required = false,
    infer_subcommands = false
)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Option<Command>,

    /// When to use colours
    #[arg(
        long,
        global = true,
        value_name = "WHEN",
        default_value = "auto",
        help_heading = "General"
    )]
    pub(crate) color: ColorWhen,

    /// On standard error, print only errors. Standard output does not change
    #[arg(long, short, global = true, help_heading = "General")]
    pub(crate) quiet: bool,
}

impl Cli {
    /// Parses a command line, including the program's name. Names such as those of papers, themes
    /// and formats may be written in capitals: `--paper A4`.
    pub(crate) fn parse_words(
        words: impl IntoIterator<Item = OsString>,
    ) -> Result<Self, clap::Error> {
        let words: Vec<OsString> = words.into_iter().collect();
        let mut command = ignore_case(Self::command(), &words);
        let matches = command.try_get_matches_from_mut(words)?;
        Self::from_arg_matches(&matches).map_err(|error| error.format(&mut command))
    }
}

/// Lets every option with a list of names accept them in any case. Listing the names of all commands
/// would take most of the start-up time, so only the commands among the words are changed.
fn ignore_case(command: clap::Command, words: &[OsString]) -> clap::Command {
    command
        .mut_args(|argument| {
            let has_names = has_names(&argument);
            argument.ignore_case(has_names)
        })
        .mut_subcommands(|below| {
            if words.iter().any(|word| word == below.get_name()) {
                ignore_case(below, words)
            } else {
                below
            }
        })
}

/// Whether an argument has a list of names. Switches do not count, although clap lists `true` and
/// `false` for them.
fn has_names(argument: &clap::Arg) -> bool {
    argument.get_action().takes_values() && !argument.get_possible_values().is_empty()
}

const EXIT_CODES: &str = "\
Topics: `ricochet help notation` (how to write puzzles and moves), `ricochet help formats`, `ricochet \
help robots` (robots, targets, boards), `ricochet help corpora` (built-in puzzles).

Exit codes: 0 solved (or done), 1 proven unsolvable (or moves that do not solve the puzzle), 2 error, \
3 limit reached or solver gave up, 130 Ctrl-C. With several puzzles, the most serious result \
decides: error, then limit, then unsolvable, then solved.";

/// When to use colours.
#[derive(Clone, Copy, Debug, clap::ValueEnum)]
pub(crate) enum ColorWhen {
    /// If standard output is a terminal and `NO_COLOR` is not set
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

impl ColorWhen {
    /// Applies the choice to every stream of this process.
    pub(crate) fn write_global(self) {
        match self {
            Self::Auto => anstream::ColorChoice::Auto,
            Self::Always => anstream::ColorChoice::Always,
            Self::Never => anstream::ColorChoice::Never,
        }
        .write_global();
    }
}

/// One variant per command, which is implemented in `cmd/`.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    #[command(after_help = examples::of("serve"))]
    Serve(cmd::serve::Args),
    #[command(after_help = examples::of("bot"))]
    Bot(cmd::bot::Args),
    #[command(after_help = examples::of("mcp"))]
    Mcp(cmd::mcp::Args),
    #[command(after_help = examples::of("solve"))]
    Solve(cmd::solve::Args),
    #[command(after_help = examples::of("play"))]
    Play(cmd::play::Args),
    #[command(after_help = examples::of("new"))]
    New(cmd::new::Args),
    #[command(after_help = examples::of("next"))]
    Next(puzzle::next::Args),
    #[command(after_help = examples::of("show"))]
    Show(puzzle::show::Args),
    #[command(after_help = examples::of("draw"))]
    Draw(cmd::draw::Args),
    #[command(after_help = examples::of("convert"))]
    Convert(puzzle::convert::Args),
    #[command(after_help = examples::of("check"))]
    Check(puzzle::check::Args),
    #[command(after_help = examples::of("generate"))]
    Generate(cmd::generate::Args),
    #[command(after_help = examples::of("quadrants"))]
    Quadrants(puzzle::quadrants::Args),
    #[command(after_help = examples::of("perft"))]
    Perft(analysis::perft::Args),
    #[command(after_help = examples::of("hint"))]
    Hint(analysis::hint::Args),
    #[command(after_help = examples::of("evaluate"))]
    Evaluate(analysis::evaluate::Args),
    #[command(after_help = examples::of("explain"))]
    Explain(analysis::explain::Args),
    #[command(after_help = examples::of("distances"))]
    Distances(analysis::distances::Args),
    #[command(after_help = examples::of("rate"))]
    Rate(analysis::rate::Args),
    #[command(after_help = examples::of("compare"))]
    Compare(analysis::compare::Args),
    #[command(after_help = examples::of("trace"))]
    Trace(analysis::trace::Args),
    #[command(after_help = examples::of("solvers"))]
    Solvers(experiment::solvers::Args),
    #[command(after_help = examples::of("bench"))]
    Bench(experiment::bench::Args),
    #[command(after_help = examples::of("lab"))]
    Lab(experiment::lab::Args),
    #[command(after_help = examples::of("tablebase"))]
    Tablebase(experiment::tablebase::Args),
    #[command(after_help = examples::of("census"))]
    Census(experiment::census::Args),
    #[command(after_help = examples::of("merge"))]
    Merge(experiment::merge::Args),
    #[command(after_help = examples::of("report"))]
    Report(experiment::report::Args),
    #[command(after_help = examples::of("completions"))]
    Completions(shell::completions::Args),
    #[command(after_help = examples::of("demo"))]
    Demo(puzzle::demo::Args),
    #[command(after_help = examples::of("man"))]
    Man(shell::man::Args),
}

#[cfg(test)]
mod tests;
