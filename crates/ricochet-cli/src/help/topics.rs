//! `ricochet help TOPIC`: texts about more than one command.

use std::fmt::Write;

use ricochet_core::formats::Format;

/// All topics.
pub(crate) const NAMES: [&str; 3] = ["notation", "formats", "robots"];

/// The text of a topic.
pub(crate) fn text(name: &str) -> Option<String> {
    match name {
        "notation" => Some(include_str!("topics/notation.txt").to_owned()),
        "robots" => Some(include_str!("topics/robots.txt").to_owned()),
        "formats" => Some(formats()),
        _ => None,
    }
}

/// The formats of the library, so that none is forgotten here.
fn formats() -> String {
    let mut text = "\
Formats

Every command detects the format of its input. `ricochet convert --to FORMAT`
writes one.

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
A file can contain many puzzles. The formats line, json and drifting-droids have
one puzzle per line; in text, one drawing follows another. FILE:LINE is the
puzzle that begins at that line. A directory means all puzzle files in it.
Built-in puzzles have names: random (a whole collection), random:2, records:1.
The JSON that generate, show and next print can be read as well.

See also: ricochet help notation, ricochet help robots
";
    text
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
    fn every_format_is_listed() {
        for format in Format::ALL {
            assert!(formats().contains(format.name()), "{format}");
        }
    }
}
