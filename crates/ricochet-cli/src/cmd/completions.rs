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
    let mut script = String::from_utf8(script)?;
    for list in lists(&Cli::command()) {
        script = list.complete_every_name(args.shell, &script);
    }
    output.bytes(script.as_bytes())?;
    Ok(ExitCode::Solved)
}

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
