//! One file a command. Each has its `Args` (whose documentation is its help) and `run`.

pub(crate) mod bench;
pub(crate) mod completions;
pub(crate) mod man;
pub(crate) mod solvers;

use crate::cli::Command;
use crate::exit_code::ExitCode;
use crate::output::Output;

/// Runs a command; without one, the demonstration.
pub(crate) fn run(command: Option<Command>, output: &mut Output) -> anyhow::Result<ExitCode> {
    match command {
        None => Ok(ExitCode::Solved),
        Some(Command::Solvers(args)) => solvers::run(&args, output),
        Some(Command::Bench(args)) => bench::run(&args, output),
        Some(Command::Completions(args)) => completions::run(&args, output),
        Some(Command::Man(args)) => man::run(&args, output),
    }
}
