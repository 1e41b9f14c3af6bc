//! Embedded corpora as puzzles by name: `random` is all of it, `random:2` its second puzzle.

use ricochet_lab::corpus;

/// A corpus, or one puzzle of it.
pub(super) struct Named {
    pub(super) name: &'static str,
    pub(super) text: &'static str,
    /// The line of the one puzzle.
    pub(super) line: Option<usize>,
}

/// What an argument names, if it names a corpus; an error if there is no such puzzle in it.
pub(super) fn find(argument: &str) -> Option<Result<Named, String>> {
    let (name, number) = match argument.rsplit_once(':') {
        Some((name, number)) => (name, Some(number)),
        None => (argument, None),
    };
    let (name, text) = corpus::embedded_text(name)?;
    let count = text.lines().filter(|line| !line.trim().is_empty()).count();
    let line = match number {
        None => None,
        Some(number) => match number.parse() {
            Ok(wanted) if (1..=count).contains(&wanted) => line_of(text, wanted),
            _ => {
                return Some(Err(format!(
                    "the corpus {name} has {count} puzzles: expected {name}:1 to {name}:{count}"
                )));
            }
        },
    };
    Some(Ok(Named { name, text, line }))
}

/// The line of the puzzle with this number, both from 1.
fn line_of(text: &str, number: usize) -> Option<usize> {
    let puzzles = text
        .lines()
        .enumerate()
        .filter(|(_, line)| !line.trim().is_empty());
    puzzles.map(|(index, _)| index + 1).nth(number - 1)
}
