//! The command line: reads arguments, calls one command, turns the result into an exit code.

// `output.rs` is the one place that writes: it never panics and lets no control character through.
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
use ricochet_service::narrate::listed;

use crate::cli::Cli;
use crate::exit_code::ExitCode;
use crate::help::topics;
use crate::term::output::{self, Output};
use crate::term::plain::Plain;

fn main() -> process::ExitCode {
    if let Some(text) = topic_asked_for() {
        return match Output::new(false).record(text) {
            Err(error) if error.kind() != io::ErrorKind::BrokenPipe => ExitCode::Error.into(),
            _ => ExitCode::Solved.into(),
        };
    }
    // A memory limit is for each puzzle of many: what one has freed must not add up.
    ricochet_solve::return_freed_memory();
    let cli = Cli::parse_words(env::args_os())
        .unwrap_or_else(|error| output::exit_with(&did_you_mean(error)));
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

/// The text of `ricochet help TOPIC`; clap's own `help` knows commands only.
fn topic_asked_for() -> Option<String> {
    let mut words = env::args_os().skip(1);
    let (help, topic) = (words.next()?, words.next()?);
    (help == "help" && words.next().is_none()).then(|| topics::text(topic.to_str()?))?
}

/// The error with a tip that says the next right thing, where we know better than clap.
fn did_you_mean(mut error: clap::Error) -> clap::Error {
    let said = |kind| match error.get(kind) {
        Some(ContextValue::String(word)) => Some(word.clone()),
        _ => None,
    };
    let mut called = called(env::args_os());
    let tip = match error.kind() {
        // `ricochet my.txt`: who names a puzzle where a command belongs wants it solved.
        ErrorKind::InvalidSubcommand if is_help(env::args_os()) => Some(format!(
            "`ricochet help` lists the commands; there are also the topics {}",
            listed(&topics::NAMES.map(str::to_owned))
        )),
        ErrorKind::InvalidSubcommand => said(ContextKind::InvalidSubcommand)
            .filter(|word| names_a_puzzle(word))
            .map(|word| format!("did you mean `ricochet solve {}`?", Plain(&word))),
        // `ricochet generate --robots 5`: robots are cells, in every command that has them.
        ErrorKind::UnknownArgument => said(ContextKind::InvalidArg)
            .filter(|word| word == "--robots" && takes_a_robot_count(&called))
            .map(|_| "the number of robots is `--robot-count N`".to_owned()),
        _ => None,
    };
    if let Some(tip) = tip {
        error.remove(ContextKind::SuggestedSubcommand);
        // Usage mentions what clap would have suggested.
        if error.remove(ContextKind::SuggestedArg).is_some() {
            let usage = ContextValue::StyledStr(called.render_usage());
            error.insert(ContextKind::Usage, usage);
        }
        error.insert(
            ContextKind::Suggested,
            ContextValue::StyledStrs(vec![tip.into()]),
        );
    }
    error
}

/// Whether somebody asks for help: `ricochet help WORD`.
fn is_help(mut words: impl Iterator<Item = OsString>) -> bool {
    words.nth(1).is_some_and(|word| word == "help")
}

/// The command that these words call.
fn called(words: impl Iterator<Item = OsString>) -> clap::Command {
    let mut command = Cli::command();
    command.build();
    for word in words.skip(1) {
        if let Some(below) = command.find_subcommand(&word) {
            command = below.clone();
        }
    }
    command
}

fn takes_a_robot_count(command: &clap::Command) -> bool {
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
