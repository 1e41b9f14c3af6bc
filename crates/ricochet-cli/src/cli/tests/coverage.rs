//! Every option of every command is tried by a snapshot (`tests/cmd`, the README) or a test
//! (`tests/cli`): an option that is never run may not work.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use clap::parser::ValueSource;
use clap::{Arg, ArgMatches, Command, CommandFactory};

use crate::cli::Cli;

/// An option of a command: the words that call it, and its long name.
type Tried = (Vec<String>, String);

/// Long names of the options, those of all commands once.
fn options() -> BTreeSet<Tried> {
    fn collect(path: &[String], command: &Command, found: &mut BTreeSet<Tried>) {
        for argument in command.get_arguments() {
            if let Some(tried) = name_of(path, argument) {
                found.insert(tried);
            }
        }
        for below in command.get_subcommands() {
            if below.get_name() != "help" {
                let mut path = path.to_vec();
                path.push(below.get_name().to_owned());
                collect(&path, below, found);
            }
        }
    }
    let mut root = Cli::command();
    root.build();
    let mut found = BTreeSet::new();
    collect(&[], &root, &mut found);
    found
}

fn name_of(path: &[String], argument: &Arg) -> Option<Tried> {
    let long = argument.get_long()?;
    // Hidden options are for the program itself: `bench --worker` is the other end of `--cold`.
    if ["help", "version"].contains(&long) || argument.is_hide_set() {
        return None;
    }
    let path = if argument.is_global_set() { &[] } else { path };
    Some((path.to_vec(), long.to_owned()))
}

/// The options that a command line gives, as the program itself reads it.
fn given(words: &[String]) -> BTreeSet<Tried> {
    fn collect(path: &[String], command: &Command, read: &ArgMatches, found: &mut BTreeSet<Tried>) {
        for argument in command.get_arguments() {
            let id = argument.get_id().as_str();
            let known = read.try_contains_id(id).is_ok();
            if known && read.value_source(id) == Some(ValueSource::CommandLine) {
                found.extend(name_of(path, argument));
            }
        }
        if let Some((name, read)) = read.subcommand()
            && let Some(below) = command.find_subcommand(name)
        {
            let mut path = path.to_vec();
            path.push(name.to_owned());
            collect(&path, below, read, found);
        }
    }
    let mut root = Cli::command();
    root.build();
    let mut found = BTreeSet::new();
    if let Ok(read) = root.clone().try_get_matches_from(words) {
        collect(&[], &root, &read, &mut found);
    }
    found
}

/// The words of a line as a shell splits it.
fn shell_words(line: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    for c in line.chars() {
        match quote {
            Some(end) if c == end => quote = None,
            None if c == '"' || c == '\'' => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            None if c.is_whitespace() => words.extend(word.take()),
            _ => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    words
}

/// The commands of a page with `console` blocks.
fn commands_of(page: &str) -> Vec<Vec<String>> {
    let mut commands: Vec<Vec<String>> = Vec::new();
    let mut continues = false;
    for line in page.lines() {
        if let Some(command) = line.strip_prefix("$ ") {
            commands.push(shell_words(command));
            continues = true;
        } else if let (Some(more), true) = (line.strip_prefix("> "), continues) {
            let last = commands.last_mut().expect("a command before");
            last.extend(shell_words(more));
        } else {
            continues = false;
        }
    }
    commands
}

/// The texts between quotes in a piece of Rust.
fn literals(source: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut rest = source;
    while let Some((_, after)) = rest.split_once('"') {
        let mut end = 0;
        let bytes = after.as_bytes();
        while end < bytes.len() && bytes[end] != b'"' {
            end += if bytes[end] == b'\\' { 2 } else { 1 };
        }
        let end = end.min(after.len());
        found.push(after[..end].replace("\\\"", "\""));
        rest = after.get(end + 1..).unwrap_or("");
    }
    found
}

/// What tests share, and each test.
fn helpers_and_tests(source: &str) -> (String, Vec<&str>) {
    let mut parts = source.split("#[test]");
    let mut helpers = parts.next().unwrap_or_default().to_owned();
    let mut tests = Vec::new();
    for part in parts {
        let (test, after) = part.split_once("\n}\n").unwrap_or((part, ""));
        tests.push(test);
        helpers += after;
    }
    (helpers, tests)
}

/// The options that a test gives: those among its texts that belong to a command among them.
fn given_in_test(function: &str, options: &BTreeSet<Tried>) -> BTreeSet<Tried> {
    let literals = literals(function);
    let words: BTreeSet<&str> = literals
        .iter()
        .flat_map(|text| text.split_whitespace())
        .collect();
    let option_names: BTreeSet<&str> = words
        .iter()
        .filter_map(|word| word.strip_prefix("--"))
        .map(|word| word.split('=').next().unwrap_or(word))
        .collect();
    options
        .iter()
        .filter(|(path, long)| {
            path.iter().all(|word| words.contains(word.as_str()))
                && option_names.contains(long.as_str())
        })
        .cloned()
        .collect()
}

fn files(folder: &Path, extension: &str) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("the folder exists");
    let mut files: Vec<PathBuf> = entries
        .map(|entry| entry.expect("a file").path())
        .filter(|path| path.extension().is_some_and(|it| it == extension))
        .collect();
    files.sort();
    assert!(!files.is_empty(), "{}", folder.display());
    files
}

#[test]
fn every_option_is_tried() {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let read = |path: &Path| fs::read_to_string(path).expect("a text");
    let mut missing = options();
    let mut pages = files(&here.join("tests/cmd"), "trycmd");
    pages.push(here.join("../../README.md"));
    pages.extend(files(&here.join("../../docs/guide"), "md"));
    for page in pages {
        for command in commands_of(&read(&page)) {
            for tried in given(&command) {
                missing.remove(&tried);
            }
        }
    }
    for file in files(&here.join("tests/cli"), "rs") {
        let source = read(&file);
        let (helpers, tests) = helpers_and_tests(&source);
        for test in tests {
            let tried = given_in_test(&format!("{helpers}{test}"), &missing);
            missing.retain(|option| !tried.contains(option));
        }
    }
    let missing: Vec<String> = missing
        .iter()
        .map(|(path, long)| format!("ricochet {} --{long}", path.join(" ")))
        .collect();
    assert!(
        missing.is_empty(),
        "no snapshot and no test tries these options:\n{}",
        missing.join("\n")
    );
}

#[test]
fn command_lines_are_read_as_the_program_reads_them() {
    let tried = |line: &str| -> Vec<String> {
        let options = given(&shell_words(line)).into_iter();
        options
            .map(|(path, long)| format!("{} {long}", path.join(" ")))
            .collect()
    };
    assert_eq!(
        tried("ricochet solve -j 2 --quiet --target 'green star' x"),
        [" quiet", "solve target", "solve threads"]
    );
    assert_eq!(
        tried("ricochet tablebase build x -o y"),
        ["tablebase build output"]
    );
    assert!(tried("ricochet solve --no-such-thing").is_empty());
    assert_eq!(
        commands_of("$ ricochet solve\n> --json \"a b\"\n> printed\nout\n$ ricochet man"),
        [
            vec!["ricochet", "solve", "--json", "a b", "printed"],
            vec!["ricochet", "man"]
        ]
    );
    assert_eq!(
        literals(r#"f(["a", "b \"c\" d"], 'x')"#),
        ["a", "b \"c\" d"]
    );
}
