//! `ricochet completions`

use std::fmt::Write;

use clap::CommandFactory;
use clap_complete::Shell;

use crate::cli::Cli;
use crate::exit_code::ExitCode;
use crate::help::topics;
use crate::term::output::Output;

/// Print a completion script for a shell
///
/// For bash: ricochet completions bash > ~/.local/share/bash-completion/completions/ricochet
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// The shell
    shell: Shell,
}

pub(crate) fn run(args: &Args, output: &mut Output) -> anyhow::Result<ExitCode> {
    // clap_complete panics if it cannot write, so it writes into memory.
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "ricochet", &mut script);
    let mut script = String::from_utf8(script)?;
    for list in lists(&Cli::command()) {
        script = list.complete_every_name(args.shell, &script);
    }
    script = with_puzzles_and_topics(args.shell, script);
    output.bytes(script.as_bytes())?;
    Ok(ExitCode::Solved)
}

/// Adds what `clap_complete` cannot do: files as well as corpora for puzzles, help topics, and in bash
/// words with `=` and `:`.
fn with_puzzles_and_topics(shell: Shell, script: String) -> String {
    let topics = topics::NAMES;
    match shell {
        Shell::Bash => {
            let wrapper = BASH.replace("TOPICS", &topics.join(" "));
            script.replace("complete -F _ricochet ", "complete -F _ricochet_words ") + &wrapper
        }
        Shell::Zsh => {
            let names = puzzle_names();
            // With two colons, options after the first puzzle are not recognised.
            let script = script
                .replace(
                    &format!(":({})' \\\n", names.join(" ")),
                    ":_ricochet_puzzles' \\\n",
                )
                .replace("\n'*::", "\n'*:");
            let topics = topics.map(|topic| format!("'{topic}:A topic'")).join(" ");
            let script = replace(
                &script,
                "_ricochet__subcmd__help_commands() {\n",
                ("local commands; commands=(\n", "\n"),
                &format!("local commands; commands=({topics} \\\n"),
            );
            let puzzles = ZSH.replace("NAMES", &with_daily(&names).join(" "));
            match script.split_once('\n') {
                Some((first, rest)) => format!("{first}\n{puzzles}{rest}"),
                None => script,
            }
        }
        Shell::Fish => {
            let mut script = script;
            let names = with_daily(&puzzle_names()).join(" ");
            for command in Cli::command()
                .get_subcommands()
                .filter(|it| takes_puzzles(it))
            {
                let _ = writeln!(
                    script,
                    "complete -c ricochet -n \"__fish_ricochet_using_subcommand {}\" -a \"{names}\" -d 'Built in'",
                    command.get_name()
                );
            }
            script
                + &format!(
                    "complete -c ricochet -n \"__fish_ricochet_using_subcommand help\" -f -a \"{}\" -d 'A topic'\n",
                    topics.join(" ")
                )
        }
        // The scripts of the others do not complete values.
        _ => script,
    }
}

/// Whether a command or one below it takes puzzles.
fn takes_puzzles(command: &clap::Command) -> bool {
    command.get_positionals().any(offers_puzzles) || command.get_subcommands().any(takes_puzzles)
}

fn offers_puzzles(argument: &clap::Arg) -> bool {
    let offered = argument.get_possible_values();
    offered.iter().any(|it| it.get_name() == "random")
}

/// The names that every argument for a puzzle offers.
fn puzzle_names() -> Vec<String> {
    let command = Cli::command();
    let solve = command.find_subcommand("solve");
    let puzzles = solve.and_then(|solve| solve.get_positionals().find(|it| offers_puzzles(it)));
    let offered = puzzles.map(clap::Arg::get_possible_values);
    let offered = offered.unwrap_or_default();
    offered.iter().map(|it| it.get_name().to_owned()).collect()
}

fn with_daily(names: &[String]) -> Vec<String> {
    names.iter().cloned().chain(["daily".to_owned()]).collect()
}

/// Bash splits words at `=` and `:`, and takes either names or files.
const BASH: &str = include_str!("completions.bash");

/// Completes puzzles in zsh.
const ZSH: &str = "
_ricochet_puzzles() {
    local -a corpora=(NAMES)
    _alternative 'corpora:corpus:compadd -a corpora' 'files:file:_files'
}

";

/// An option that takes names with commas between them. The scripts of `clap_complete` complete the
/// first name of such a list and none after it.
#[derive(Debug, PartialEq, Eq)]
struct NameList {
    /// Without its dashes.
    option: String,
    names: Vec<String>,
}

/// The lists of a command and of those below it, each option once.
fn lists(command: &clap::Command) -> Vec<NameList> {
    let own = command.get_arguments().filter_map(|argument| {
        let names = argument.get_possible_values();
        let is_list = argument.get_value_delimiter() == Some(',') && !names.is_empty();
        is_list.then_some(NameList {
            option: argument.get_long()?.to_owned(),
            names: names.iter().map(|it| it.get_name().to_owned()).collect(),
        })
    });
    let mut found: Vec<NameList> = own.collect();
    for list in command.get_subcommands().flat_map(lists) {
        if !found.contains(&list) {
            found.push(list);
        }
    }
    found
}

impl NameList {
    /// The script, with what it says about this option changed.
    fn complete_every_name(&self, shell: Shell, script: &str) -> String {
        let names = self.names.join(" ");
        match shell {
            Shell::Bash => replace(
                script,
                &format!("--{})\n", self.option),
                ("compgen -W ", "))\n"),
                // What stands before the last comma stays, and the rest is completed.
                &format!(
                    r#"compgen -P "${{cur%"${{cur##*,}}"}}" -W "{names}" -- "${{cur##*,}}"))
"#
                ),
            ),
            Shell::Fish => replace(
                script,
                &format!(" -l {} -d ", self.option),
                (" -f -a \"", "\"\n"),
                &format!(" -f -a \"(__fish_append , {names})\"\n"),
            ),
            Shell::Zsh => replace(
                script,
                &format!("--{}=[", self.option),
                ("…:(", ")' \\\n"),
                &format!("…:_sequence compadd - {names}' \\\n"),
            ),
            // The scripts of the others do not complete values.
            _ => script.to_owned(),
        }
    }
}

/// Replaces what lies between `from` and `to`, both included, after each `mark`.
fn replace(script: &str, mark: &str, (from, to): (&str, &str), by: &str) -> String {
    let mut pieces = script.split(mark);
    let mut changed = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        changed.push_str(mark);
        let place = piece.find(from).and_then(|start| {
            let length = piece[start..].find(to)? + to.len();
            Some(start..start + length)
        });
        let Some(place) = place else {
            changed.push_str(piece);
            continue;
        };
        changed.push_str(&piece[..place.start]);
        changed.push_str(by);
        changed.push_str(&piece[place.end..]);
    }
    changed
}
