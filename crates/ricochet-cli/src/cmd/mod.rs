//! The commands, one file or folder each. A command has its `Args` (whose documentation is its help) and
//! `run`.

pub(crate) mod analysis;
pub(crate) mod bot;
pub(crate) mod draw;
pub(crate) mod experiment;
pub(crate) mod generate;
pub(crate) mod mcp;
pub(crate) mod new;
pub(crate) mod play;
pub(crate) mod puzzle;
pub(crate) mod serve;
pub(crate) mod shell;
pub(crate) mod solve;

use std::io::{self, IsTerminal};

use clap::CommandFactory;

use crate::cli::{Cli, Command};
use crate::exit_code::ExitCode;
use crate::term::output::Output;

/// Runs a command; without one, the server with its page in a browser, or the help if nobody sits
/// at a terminal.
pub(crate) fn run(command: Option<Command>, output: &mut Output) -> anyhow::Result<ExitCode> {
    match command {
        Some(Command::Bench(args)) => experiment::bench::run(&args, output),
        Some(Command::Census(args)) => experiment::census::run(&args, output),
        Some(Command::Tablebase(args)) => experiment::tablebase::run(&args, output),
        Some(Command::Bot(args)) => bot::run(&args, output),
        None if !io::stdin().is_terminal() && !io::stdout().is_terminal() => {
            output.record(Cli::command().render_help())?;
            Ok(ExitCode::Solved)
        }
        None => serve::run_default(output),
        Some(Command::Serve(args)) => serve::run(&args, output),
        Some(Command::Demo(args)) => puzzle::demo::run(args, output),
        Some(Command::Check(args)) => puzzle::check::run(&args, output),
        Some(Command::Compare(args)) => analysis::compare::run(&args, output),
        Some(Command::Lab(args)) => experiment::lab::run(&args, output),
        Some(Command::Report(args)) => experiment::report::run(&args, output),
        Some(Command::Completions(args)) => shell::completions::run(&args, output),
        Some(Command::Convert(args)) => puzzle::convert::run(&args, output),
        Some(Command::Distances(args)) => analysis::distances::run(&args, output),
        Some(Command::Draw(args)) => draw::run(&args, output),
        Some(Command::Evaluate(args)) => analysis::evaluate::run(&args, output),
        Some(Command::Explain(args)) => analysis::explain::run(&args, output),
        Some(Command::Generate(args)) => generate::run(&args, output),
        Some(Command::Hint(args)) => analysis::hint::run(&args, output),
        Some(Command::Man(args)) => shell::man::run(&args, output),
        Some(Command::Mcp(args)) => mcp::run(&args, output),
        Some(Command::Merge(args)) => experiment::merge::run(&args, output),
        Some(Command::New(args)) => new::run(&args, output),
        Some(Command::Next(args)) => puzzle::next::run(&args, output),
        Some(Command::Play(args)) => play::run(&args, output),
        Some(Command::Perft(args)) => analysis::perft::run(&args, output),
        Some(Command::Quadrants(args)) => puzzle::quadrants::run(&args, output),
        Some(Command::Rate(args)) => analysis::rate::run(&args, output),
        Some(Command::Show(args)) => puzzle::show::run(&args, output),
        Some(Command::Solve(args)) => solve::run(&args, output),
        Some(Command::Trace(args)) => analysis::trace::run(&args, output),
        Some(Command::Solvers(args)) => experiment::solvers::run(&args, output),
    }
}
