//! The examples at the end of each command's help. A test parses every one of them.

pub(crate) const SERVE: &str = "\
Examples:
  ricochet serve --open
  ricochet serve --port 8017 --data games
  ricochet serve --listen 0.0.0.0 --host robots.example.org";

pub(crate) const BOT: &str = "\
Examples:
  ricochet bot http://127.0.0.1:8017/#room=k3x9w2m7qabc --level 5";

pub(crate) const DEMO: &str = "\
Examples:
  ricochet demo";

pub(crate) const SOLVE: &str = "\
Examples:
  ricochet solve random:2
  ricochet solve --layout \"1A 4B 3B 2B\" --target \"green hexagon\" \\
      --robots \"R 1,8 G 12,1 B 15,0 Y 12,0\"
  ricochet solve --all --group random:5
  ricochet solve --json --time-limit 10s puzzles.jsonl
  ricochet solve --json --shard 3/100 --output parts puzzles.jsonl";

pub(crate) const SHOW: &str = "\
Examples:
  ricochet show random:2
  ricochet show --ascii --coordinates=off 1A4B3B2B.18c1f0c0.G6e
  ricochet show --overlay min-moves records:1";

pub(crate) const CONVERT: &str = "\
Examples:
  ricochet convert --to json my.txt
  ricochet convert --to text random:2
  ricochet convert --to kevincox-url 1A4B3B2B.18c1f0c0.G6e";

pub(crate) const CHECK: &str = "\
Examples:
  ricochet check random:2 YW YN YW YN
  ricochet check random:2 \"YW YN YW YN\" --json";

pub(crate) const GENERATE: &str = "\
Examples:
  ricochet generate
  ricochet generate --length 8..12 --unique --count 10
  ricochet generate --size 12x10 --robot-count 3 --seed 7 --to text
  ricochet generate --seed 1 --count 1000000 --shard 3/100 --output made";

pub(crate) const PERFT: &str = "\
Examples:
  ricochet perft random:2 5
  ricochet perft random:2 4 --divide";

pub(crate) const HINT: &str = "\
Examples:
  ricochet hint random:2
  ricochet hint --level 4 random:2";

pub(crate) const EVALUATE: &str = "\
Examples:
  ricochet evaluate random:2
  ricochet evaluate --moves \"YW YN\" random:2
  ricochet evaluate --json --time-limit 10s puzzles.jsonl";

pub(crate) const EXPLAIN: &str = "\
Examples:
  ricochet explain random:2
  ricochet explain --moves \"YW YN YW YN\" random:2";

pub(crate) const DISTANCES: &str = "\
Examples:
  ricochet distances --max-moves 4 random:2
  ricochet distances --robot red --json random:2";

pub(crate) const RATE: &str = "\
Examples:
  ricochet rate random:2
  ricochet rate --json puzzles.jsonl";

pub(crate) const COMPARE: &str = "\
Examples:
  ricochet compare random:2
  ricochet compare --solvers flagship,iddfs:memo=off random:2";

pub(crate) const SOLVERS: &str = "\
Examples:
  ricochet solvers
  ricochet solvers --json";

pub(crate) const BENCH: &str = "\
Examples:
  ricochet bench --corpus random --solvers flagship,iddfs
  ricochet bench --corpus my.jsonl --repeat 5 --output runs/today";

pub(crate) const LAB: &str = "\
Examples:
  ricochet lab slides
  ricochet lab thesis --configurations 160k --output runs/thesis";

pub(crate) const TABLEBASE: &str = "\
Examples:
  ricochet tablebase build \"1A 4B 3B 2B\" --robot-count 2 \\
      --target \"blue circle\" -o blue.table
  ricochet tablebase probe blue.table 1A4B3B2B.18c1.B9c
  ricochet tablebase verify blue.table";

pub(crate) const CENSUS: &str = "\
Examples:
  ricochet census --layouts \"1A 4B 3B 2B\" --robot-count 2 --output census";

pub(crate) const MERGE: &str = "\
Examples:
  ricochet merge parts --output answers.jsonl
  ricochet merge made --output puzzles.txt";

pub(crate) const REPORT: &str = "\
Examples:
  ricochet report bench
  ricochet report --open lab-slides";

pub(crate) const COMPLETIONS: &str = "\
Examples:
  ricochet completions bash \\
      > ~/.local/share/bash-completion/completions/ricochet
  ricochet completions zsh > ~/.zfunc/_ricochet";

pub(crate) const MAN: &str = "\
Examples:
  ricochet man | man -l -
  ricochet man --output ~/.local/share/man/man1";

pub(crate) const DRAW: &str = "\
Examples:
  ricochet draw random:2 -o board.svg
  ricochet draw records:1 --solution --coordinates -o solved.png
  ricochet draw records:1 -o film.gif
  ricochet draw official/by-length -o pictures/
  ricochet generate -n 12 --length 6..9 | ricochet draw --sheet -o sheet.pdf";

pub(crate) const NEXT: &str = "\
Examples:
  ricochet next 1A4B3B2B.18c1f0c0.G6e --target \"red circle\"
  ricochet next random:2 --target vortex
  ricochet next --layout \"1A 4B 3B 2B\" --target \"green hexagon\" \\
      --robots \"R 1,8 G 12,1 B 15,0 Y 12,0\" --then vortex
  ricochet next random:2 --moves \"YW YN YW YN\" --target \"blue 9,12\"";

pub(crate) const PLAY: &str = "\
Examples:
  ricochet play
  ricochet play random:2
  ricochet play --layout \"1A 4B 3B 2B\" --target vortex \\
      --robots \"R 1,8 G 12,1 B 15,0 Y 12,0\"";

pub(crate) const NEW: &str = "\
Examples:
  ricochet new
  ricochet new --robot-count 5 --must-ricochet";

pub(crate) const QUADRANTS: &str = "\
Examples:
  ricochet quadrants
  ricochet quadrants 1A 1B
  ricochet quadrants --edition 1999 -o quadrants.pdf";

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
