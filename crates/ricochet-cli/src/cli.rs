//! The arguments.

use clap::{Parser, Subcommand};

use crate::cmd;
use crate::version;

/// Ricochet Robots: show, check, generate and solve puzzles.
///
/// PUZZLE is a file in any format (a .jsonl file or a directory holds many), a puzzle in one-line
/// notation, a DriftingDroids ID such as 0765+42+2E21BD0F+93, a kevincox URL, or - for standard
/// input. Without a command, a sample puzzle is shown and solved.
#[derive(Debug, Parser)]
#[command(
    name = "ricochet",
    version = version::SHORT,
    long_version = version::long(),
    max_term_width = 100,
    after_help = EXIT_CODES,
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

    /// Say nothing on standard error but errors
    #[arg(long, short, global = true, help_heading = "General")]
    pub(crate) quiet: bool,
}

const EXIT_CODES: &str = "\
Exit codes: 0 solved (or done), 1 proven unsolvable, 2 error, 3 limit reached or given up, 130 \
Ctrl-C. A batch ends with the most significant of its puzzles: errors before limits before \
unsolvable before solved.";

/// When to use colours.
#[derive(Clone, Copy, Debug, clap::ValueEnum)]
pub(crate) enum ColorWhen {
    /// Where standard output is a terminal and `NO_COLOR` is not set
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

impl ColorWhen {
    /// Makes it the choice of every stream of this process.
    pub(crate) fn write_global(self) {
        match self {
            Self::Auto => anstream::ColorChoice::Auto,
            Self::Always => anstream::ColorChoice::Always,
            Self::Never => anstream::ColorChoice::Never,
        }
        .write_global();
    }
}

/// One variant a command; what it does is in `cmd/NAME.rs`.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Solve(cmd::solve::Args),
    Show(cmd::show::Args),
    Draw(cmd::draw::Args),
    Convert(cmd::convert::Args),
    Check(cmd::check::Args),
    Generate(cmd::generate::Args),
    Quadrants(cmd::quadrants::Args),
    Perft(cmd::perft::Args),
    Hint(cmd::hint::Args),
    Explain(cmd::explain::Args),
    Distances(cmd::distances::Args),
    Rate(cmd::rate::Args),
    Compare(cmd::compare::Args),
    Solvers(cmd::solvers::Args),
    Bench(cmd::bench::Args),
    Lab(cmd::lab::Args),
    Tablebase(cmd::tablebase::Args),
    Census(cmd::census::Args),
    Report(cmd::report::Args),
    Completions(cmd::completions::Args),
    Man(cmd::man::Args),
}
