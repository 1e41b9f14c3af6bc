//! The command line: reads arguments, calls one command, turns the result into an exit code.

// Only `term/output.rs` writes: it never panics and escapes control characters.
#![deny(clippy::print_stderr, clippy::print_stdout)]

mod answer;
mod args;
mod batch;
mod cli;
mod cmd;
mod exit_code;
mod help;
mod input;
mod term;

use std::ffi::OsString;
use std::path::Path;
use std::{env, io, process};

use clap::CommandFactory;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use ricochet_core::describe::join_with_and;

use crate::cli::Cli;
use crate::exit_code::ExitCode;
use crate::help::topics;
use crate::term::output::{self, Output};
use crate::term::plain::Plain;

fn main() -> process::ExitCode {
    let words = command_line();
    if let Some(text) = requested_topic(&words) {
        return match Output::new(false).record(text) {
            Err(error) if error.kind() != io::ErrorKind::BrokenPipe => ExitCode::Error.into(),
            _ => ExitCode::Solved.into(),
        };
    }
    // A memory limit applies to each puzzle, so memory freed after one must not count for the next.
    ricochet_solve::memory::return_freed_memory();
    let cli = Cli::parse_words(words).unwrap_or_else(|error| output::exit_with(&with_tip(error)));
    cli.color.write_global();
    let mut output = Output::new(cli.quiet);
    let code = match cmd::run(cli.command, &mut output).and_then(|code| {
        output.flush()?;
        Ok(code)
    }) {
        Ok(code) => code,
        // `ricochet … | head` is not a mistake.
        Err(error) if output::is_broken_pipe(&error) => ExitCode::Solved,
        Err(error) => {
            output.error(format_args!("{error:#}"));
            ExitCode::Error
        }
    };
    code.into()
}

/// The words of the command line. `ricochet help solve --help` is `ricochet help solve`: to clap,
/// whatever follows `help` is the name of a command.
fn command_line() -> Vec<OsString> {
    let mut words: Vec<OsString> = env::args_os().collect();
    if words.get(1).is_some_and(|word| word == "help") {
        words.retain(|word| word != "--help" && word != "-h");
    }
    words
}

/// The text of `ricochet help TOPIC`; clap's own `help` knows only commands.
fn requested_topic(words: &[OsString]) -> Option<String> {
    match words {
        [_, help, topic] if help == "help" => topics::text(topic.to_str()?),
        _ => None,
    }
}

/// The error with a tip, if we know better than clap what was meant.
fn with_tip(mut error: clap::Error) -> clap::Error {
    let context = |kind| match error.get(kind) {
        Some(ContextValue::String(word)) => Some(word.clone()),
        _ => None,
    };
    let tip = match error.kind() {
        ErrorKind::InvalidSubcommand if env::args_os().nth(1).is_some_and(|it| it == "help") => {
            Some(format!(
                "`ricochet help` lists the commands; there are also the topics {}",
                join_with_and(&topics::NAMES.map(str::to_owned))
            ))
        }
        // `ricochet my.txt` names a puzzle where a command belongs.
        ErrorKind::InvalidSubcommand => context(ContextKind::InvalidSubcommand)
            .filter(|word| names_a_puzzle(word))
            .map(|word| format!("did you mean `ricochet solve {}`?", Plain(&word))),
        // `ricochet generate --robots 5`: --robots takes cells, in every command that has it.
        ErrorKind::UnknownArgument => context(ContextKind::InvalidArg)
            .filter(|word| word == "--robots" && has_robot_count(&invoked_command()))
            .map(|_| "the number of robots is `--robot-count N`".to_owned()),
        _ => None,
    };
    if let Some(tip) = tip {
        error.remove(ContextKind::SuggestedSubcommand);
        // The usage mentions what clap would have suggested.
        if error.remove(ContextKind::SuggestedArg).is_some() {
            let usage = ContextValue::StyledStr(invoked_command().render_usage());
            error.insert(ContextKind::Usage, usage);
        }
        error.insert(
            ContextKind::Suggested,
            ContextValue::StyledStrs(vec![tip.into()]),
        );
    }
    error
}

/// The command that the command line invokes.
fn invoked_command() -> clap::Command {
    let mut command = Cli::command();
    command.build();
    for word in env::args_os().skip(1) {
        if let Some(below) = command.find_subcommand(&word) {
            command = below.clone();
        }
    }
    command
}

fn has_robot_count(command: &clap::Command) -> bool {
    let mut arguments = command.get_arguments();
    arguments.any(|argument| argument.get_long() == Some("robot-count"))
}

/// Whether a word is a puzzle, a file or a directory.
fn names_a_puzzle(word: &str) -> bool {
    let file = word.rsplit_once(':').map_or(word, |(file, _)| file);
    Path::new(word).exists()
        || Path::new(file).is_file()
        || input::is_built_in(word)
        || ricochet_core::formats::read(word).is_ok()
}
