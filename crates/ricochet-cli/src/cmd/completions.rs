//! `ricochet completions`

use clap::CommandFactory;
use clap_complete::Shell;

use crate::cli::Cli;
use crate::exit_code::ExitCode;
use crate::output::Output;

/// Print a completion script for a shell
///
/// For bash: ricochet completions bash > ~/.local/share/bash-completion/completions/ricochet
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// The shell
    shell: Shell,
}

pub(crate) fn run(args: &Args, output: &mut Output) -> anyhow::Result<ExitCode> {
    // clap_complete panics where it cannot write, so it writes into memory.
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "ricochet", &mut script);
    output.bytes(&script)?;
    Ok(ExitCode::Solved)
}
