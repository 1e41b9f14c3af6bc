//! Tests of all commands and options at once.

mod consistency;
mod coverage;

use super::*;
use crate::args::names::names_listed;

fn words(words: &[&str]) -> Vec<OsString> {
    words.iter().map(OsString::from).collect()
}

/// Every option of every command that offers names.
#[test]
fn every_option_with_names_takes_capitals() {
    fn check(command: &clap::Command, with_names: &mut usize) {
        for argument in command.get_arguments() {
            if has_names(argument) {
                let name = command.get_name();
                assert!(argument.is_ignore_case_set(), "{name} {argument}");
                *with_names += 1;
            }
        }
        for below in command.get_subcommands() {
            check(below, with_names);
        }
    }
    fn names(command: &clap::Command) -> Vec<OsString> {
        let below = command.get_subcommands();
        below
            .flat_map(|below| [vec![below.get_name().into()], names(below)].concat())
            .collect()
    }
    let command = Cli::command();
    let all_commands = names(&command);
    let mut with_names = 0;
    check(&ignore_case(command, &all_commands), &mut with_names);
    assert!(with_names > 20, "{with_names}");
}

/// Names of corpora and solvers are for completions and for the options of the command that is run.
#[test]
fn start_up_lists_no_names_of_other_commands() {
    let listed_by = |line: &[&str]| {
        let before = names_listed();
        let _ = Cli::parse_words(words(line));
        names_listed() - before
    };
    assert_eq!(listed_by(&["ricochet", "--version"]), 0);
    assert_eq!(listed_by(&["ricochet", "solvers"]), 0);
    assert!(listed_by(&["ricochet", "solve", "random:2"]) <= 2);
}

#[test]
fn capitals_reach_the_commands() {
    for line in [
        &[
            "ricochet", "draw", "--sheet", "--paper", "A4", "--theme", "Dark", "--to", "PDF",
        ][..],
        &["ricochet", "quadrants", "-o", "q.pdf", "--paper", "Letter"],
        &["ricochet", "--color", "NEVER", "convert", "--to", "LINE"],
        &[
            "ricochet",
            "show",
            "--overlay",
            "Min-Moves",
            "--coordinates=OFF",
        ],
        &["ricochet", "solve", "--solver", "IDDFS"],
    ] {
        Cli::parse_words(words(line)).unwrap_or_else(|error| panic!("{error}"));
    }
    let error = Cli::parse_words(words(&["ricochet", "draw", "--theme", "PINK"])).unwrap_err();
    assert!(error.to_string().contains("light, dark, print"), "{error}");
}
