//! `ricochet help TOPIC`: texts about more than one command.

use std::fmt::Write;

use ricochet_core::formats::Format;
use ricochet_lab::corpus;

use crate::args::names::corpus_names;

/// All topics.
pub(crate) const NAMES: [&str; 4] = ["notation", "formats", "robots", "corpora"];

/// The text of a topic.
pub(crate) fn text(name: &str) -> Option<String> {
    match name {
        "notation" => Some(include_str!("topics/notation.txt").to_owned()),
        "robots" => Some(include_str!("topics/robots.txt").to_owned()),
        "formats" => Some(formats()),
        "corpora" => Some(corpora()),
        _ => None,
    }
}

/// The formats of the library, so that none is forgotten here.
fn formats() -> String {
    let mut text = "\
Formats

Every command detects the format of its input. `ricochet convert --to FORMAT`
writes puzzles in any of them, except those for input only.

"
    .to_owned();
    let width = Format::ALL
        .iter()
        .map(|it| it.name().len())
        .max()
        .unwrap_or(0);
    for format in Format::ALL {
        let _ = writeln!(text, "  {:<width$}  {}", format.name(), format.summary());
    }
    text += "
A file or directory can contain many puzzles. The formats line, json and
drifting-droids have one puzzle per line; in text, one drawing follows another.
FILE:LINE is the puzzle that begins at that line. A directory means all puzzle
files in it. The JSON that generate, show and next print can be read as well.

See also: ricochet help notation, ricochet help robots, ricochet help corpora
";
    text
}

/// The embedded corpora with their sizes, so that none is forgotten here.
fn corpora() -> String {
    let mut text = "\
Built-in puzzles

These corpora are part of the program; all optima are proven.

"
    .to_owned();
    let names = corpus_names().names();
    let width = names.iter().map(|name| name.len()).max().unwrap_or(0);
    for name in names {
        let puzzles = corpus::embedded_text(name).map_or(0, |(_, text)| text.lines().count());
        let _ = writeln!(text, "  {name:<width$}  {puzzles:>4}  {}", contents(name));
    }
    text += "
random is the whole corpus, random:2 its second puzzle, random:1..20 the first
twenty. daily is the puzzle of the day.

See also: ricochet help formats
";
    text
}

/// What an embedded corpus has.
fn contents(name: &str) -> &'static str {
    match name {
        "random" => "random positions on official boards",
        "hard" => "positions on official boards, 14 to 22 moves",
        "by-length" => "positions on official boards, all lengths up to 21 moves",
        "five-robots" => "positions with five robots",
        "diagonals" => "boards with diagonals",
        "small" => "boards of 2x2 to 8x8 cells",
        "large" => "boards of 17x17 to 32x32 cells",
        "unsolvable" => "positions without a solution",
        "records" => "very long solutions: 22, 24 and 25 moves",
        "asp2015" => "the ASP competition of 2015",
        "ipc2023" => "the planning competition of 2023",
        _ => "",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_topic_has_a_text_that_fits_a_terminal() {
        for name in NAMES {
            let text = text(name).unwrap();
            for line in text.lines() {
                assert!(line.chars().count() <= 80, "{name}: {line}");
            }
        }
        assert_eq!(text("nonsense"), None);
    }

    #[test]
    fn every_corpus_is_described() {
        let text = corpora();
        for name in corpus_names().names() {
            assert_ne!(contents(name), "", "{name}");
            assert!(text.contains(contents(name)), "{name}");
        }
        assert!(text.contains(" 500  random positions"), "{text}");
    }

    #[test]
    fn every_format_is_listed() {
        for format in Format::ALL {
            assert!(formats().contains(format.name()), "{format}");
        }
    }
}
