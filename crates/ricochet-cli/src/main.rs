//! The command line: reads arguments, calls one command, turns the result into an exit code.

// `output.rs` is the one place that writes: it never panics and lets no control character through.
#![deny(clippy::print_stderr, clippy::print_stdout)]

mod all_shortest;
mod answer;
mod cli;
mod cmd;
mod exit_code;
mod input;
mod interrupt;
mod limits;
mod ordered;
mod output;
mod overlay_args;
mod plain;
mod progress;
mod show_args;
mod solver_args;
mod units;
mod version;
mod walk;

use std::process;

use clap::Parser;

use crate::cli::Cli;
use crate::exit_code::ExitCode;
use crate::output::Output;

fn main() -> process::ExitCode {
    let cli = Cli::parse();
    cli.color.write_global();
    let mut output = Output::new(cli.quiet);
    let code = match cmd::run(cli.command, &mut output).and_then(|code| {
        output.flush()?;
        Ok(code)
    }) {
        Ok(code) => code,
        // Whoever reads our output has seen enough: `ricochet … | head` is not a mistake.
        Err(error) if output::is_broken_pipe(&error) => ExitCode::Solved,
        Err(error) => {
            output.error(format_args!("{error:#}"));
            ExitCode::Error
        }
    };
    code.into()
}
