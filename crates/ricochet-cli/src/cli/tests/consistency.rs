//! The same thing has the same flag in every command: the rules, checked on all of them.

use std::collections::BTreeMap;

use clap::{Arg, Command, CommandFactory};

use crate::cli::Cli;

/// Every command and subcommand with the words that invoke it.
fn commands() -> Vec<(Vec<String>, Command)> {
    fn collect(path: &[String], command: &Command, found: &mut Vec<(Vec<String>, Command)>) {
        let below = command.get_subcommands();
        for below in below.filter(|below| below.get_name() != "help") {
            let mut path = path.to_vec();
            path.push(below.get_name().to_owned());
            collect(&path, below, found);
            found.push((path, below.clone()));
        }
    }
    let mut found = Vec::new();
    let mut root = Cli::command();
    root.build();
    collect(&["ricochet".to_owned()], &root, &mut found);
    found
}

/// Every option and every positional argument, with the words that call its command.
fn arguments() -> Vec<(String, Vec<String>, Arg)> {
    let of = |(path, command): (Vec<String>, Command)| {
        let arguments: Vec<Arg> = command.get_arguments().cloned().collect();
        arguments.into_iter().map(move |argument| {
            let name = format!("{} {argument}", path.join(" "));
            (name, path.clone(), argument)
        })
    };
    commands().into_iter().flat_map(of).collect()
}

fn value_name(argument: &Arg) -> String {
    let names = argument.get_value_names().unwrap_or_default();
    names.iter().map(ToString::to_string).collect()
}

fn help(argument: &Arg) -> String {
    let help = argument.get_help().map(ToString::to_string);
    help.unwrap_or_default()
}

#[test]
fn a_letter_stands_for_one_option_and_an_option_has_one_letter() {
    let mut longs: BTreeMap<char, String> = BTreeMap::new();
    let mut shorts: BTreeMap<(String, String), Option<char>> = BTreeMap::new();
    for (name, _, argument) in arguments() {
        let Some(long) = argument.get_long() else {
            continue;
        };
        let short = argument.get_short();
        if let Some(short) = short {
            let before = longs.entry(short).or_insert_with(|| long.to_owned());
            assert_eq!(
                before, long,
                "{name}: -{short} means something else elsewhere"
            );
        }
        let kind = (long.to_owned(), value_name(&argument));
        let before = shorts.entry(kind).or_insert(short);
        assert_eq!(
            *before, short,
            "{name}: the letter is missing here or elsewhere"
        );
    }
    for (short, long) in [
        ('o', "output"),
        ('j', "threads"),
        ('t', "to"),
        ('s', "solver"),
    ] {
        assert_eq!(longs.get(&short).map(String::as_str), Some(long));
    }
}

#[test]
fn options_that_many_commands_have_mean_the_same_in_all_of_them() {
    for (name, _, argument) in arguments() {
        let value = value_name(&argument);
        let offered: Vec<_> = argument.get_possible_values();
        let offers = |wanted: &str| offered.iter().any(|it| it.get_name() == wanted);
        match argument.get_long() {
            Some("moves") => assert_eq!(value, "MOVES", "{name}"),
            Some("seed" | "threads") => assert_eq!(value, "N", "{name}"),
            Some("layout") => assert_eq!(value, "LAYOUT", "{name}"),
            Some("robots") => assert_eq!(value, "CELLS", "{name}: a number is --robot-count"),
            Some("robot-count") => {
                assert_eq!(value, "N", "{name}");
                assert!(help(&argument).starts_with("Number of robots"), "{name}");
            }
            Some("target") => assert_eq!(value, "TARGET", "{name}"),
            Some("to") => assert_eq!(value, "FORMAT", "{name}"),
            Some("time-limit") => assert_eq!(value, "TIME", "{name}"),
            Some("memory-limit") => assert_eq!(value, "SIZE", "{name}"),
            Some("solver") => assert!(offers("flagship"), "{name}"),
            Some("solvers") => {
                assert!(offers("flagship"), "{name}");
                assert_eq!(argument.get_value_delimiter(), Some(','), "{name}");
            }
            Some("coordinates") => {
                assert!(offers("on") && offers("off"), "{name}");
                let values = argument.get_num_args().expect("built");
                assert_eq!((values.min_values(), values.max_values()), (0, 1), "{name}");
            }
            Some("must-ricochet") => assert_eq!(
                help(&argument),
                "Require the robot that reaches the target to turn at a right angle at least once",
                "{name}"
            ),
            Some(other) => assert!(
                !["out", "jobs", "board", "format"].contains(&other),
                "{name}: this thing has another name elsewhere"
            ),
            None => {}
        }
        if value.starts_with("PUZZLE") {
            assert!(offers("random"), "{name} does not complete corpora");
        }
    }
}

#[test]
fn every_argument_is_explained_and_ranges_are_part_of_it() {
    for (name, path, argument) in arguments() {
        let said = help(&argument);
        assert!(!said.is_empty(), "{name} has no help");
        assert!(!said.ends_with('.'), "{name}: {said}");
        let Some(long) = argument
            .get_long()
            .filter(|_| argument.get_action().takes_values())
        else {
            continue;
        };
        for number in ["0", "4000000000", "many"] {
            let mut words = path.clone();
            words.push(format!("--{long}={number}"));
            let Err(error) = Cli::command().try_get_matches_from(words) else {
                continue;
            };
            let error = error.to_string();
            assert!(!error.contains(" is not in "), "{name}: {error}");
            let Some((_, expected)) = error.split_once(" takes a whole number") else {
                continue;
            };
            let (expected, _) = expected.split_once(", not '").expect("what was found");
            // The range of the type is not a limit of the option.
            if expected.starts_with(" up to ") {
                continue;
            }
            let wanted = expected
                .trim_start_matches(" from ")
                .trim_start_matches(", ");
            assert!(
                said.contains(wanted),
                "{name} does not say '{wanted}': {said}"
            );
        }
    }
}
