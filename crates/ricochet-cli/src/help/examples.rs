//! The examples at the end of each command's help. A test parses every one of them.

/// The examples of a command: the paragraph of `examples.txt` whose first example runs it.
pub(crate) fn of(command: &str) -> &'static str {
    let runs_it = |paragraph: &&str| {
        let first = paragraph.lines().nth(1).unwrap_or_default();
        first.split_whitespace().nth(1) == Some(command)
    };
    let mut paragraphs = include_str!("examples.txt").trim_end().split("\n\n");
    paragraphs.find(runs_it).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use clap::{CommandFactory, Parser};

    use crate::cli::Cli;

    /// The words of a line as a shell would split it, up to a pipe or a redirection.
    fn words(line: &str) -> Vec<String> {
        let mut words = vec![String::new()];
        let mut quoted = false;
        for c in line.trim().chars() {
            match c {
                '"' => quoted = !quoted,
                ' ' if !quoted => words.push(String::new()),
                '|' | '>' if !quoted => break,
                c => words.last_mut().expect("one at least").push(c),
            }
        }
        words.retain(|word| !word.is_empty());
        words
    }

    #[test]
    fn every_command_has_examples_and_every_example_is_understood() {
        for command in Cli::command().get_subcommands() {
            let name = command.get_name();
            let help = command.get_after_help().map(ToString::to_string);
            let help = help.unwrap_or_else(|| panic!("{name} has no examples"));
            for line in help.lines() {
                let is_example = line.starts_with("  ");
                assert!(!is_example || line.chars().count() <= 80, "{line}");
            }
            let help = help.replace("\\\n", " ");
            let mut examples = help
                .lines()
                .skip_while(|line| *line != "Examples:")
                .skip(1)
                .peekable();
            assert!(examples.peek().is_some(), "{name} has no examples");
            for example in examples {
                assert!(example.contains(&format!("ricochet {name}")), "{example}");
                Cli::try_parse_from(words(example)).unwrap_or_else(|error| panic!("{error}"));
            }
        }
    }
}
