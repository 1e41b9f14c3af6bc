//! Embedded corpora as puzzles by name: `random` is all of it, `random:2` its second puzzle.

use ricochet_lab::corpus;

use crate::args::names::corpus_names;

/// A corpus, or one puzzle of it.
pub(super) struct CorpusInput<'a> {
    /// As it was written: `random` or `official/random`.
    pub(super) name: &'a str,
    pub(super) text: &'static str,
    /// The line of the one puzzle, which is also its number.
    pub(super) line: Option<usize>,
}

/// The corpus that an argument names, or an error if the corpus has no puzzle of that number.
pub(super) fn find(argument: &str) -> Option<Result<CorpusInput<'_>, String>> {
    let (name, number) = match argument.rsplit_once(':') {
        Some((name, number)) => (name, Some(number)),
        None => (argument, None),
    };
    let (_, text) = corpus::embedded_text(name)?;
    let count = text.lines().count();
    let line = match number {
        None => None,
        Some(number) => match number.parse() {
            Ok(wanted) if (1..=count).contains(&wanted) => Some(wanted),
            _ => {
                return Some(Err(format!(
                    "the corpus {name} has {count} puzzles: expected {name}:1 to {name}:{count}"
                )));
            }
        },
    };
    Some(Ok(CorpusInput { name, text, line }))
}

/// The likely intended name for a misspelling such as `rnadom:2` or `dayly`.
pub(super) fn similar(argument: &str) -> Option<String> {
    let (name, number) = match argument.split_once(':') {
        Some((name, number)) => (name, format!(":{number}")),
        None => (argument, String::new()),
    };
    if !(3..=20).contains(&name.len()) {
        return None;
    }
    let names = corpus_names().names().into_iter().chain(["daily"]);
    let near = names
        .map(|known| (strsim::osa_distance(name, known), known))
        .min()?;
    // A third of the letters may be wrong.
    (near.0 <= name.len() / 3).then(|| format!("{}{number}", near.1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_number_of_a_puzzle_is_its_line() {
        for name in corpus::embedded_names() {
            let (_, text) = corpus::embedded_text(name).unwrap();
            assert!(text.lines().all(|line| !line.trim().is_empty()), "{name}");
        }
    }

    #[test]
    fn misspelt_corpora_are_recognised() {
        assert_eq!(similar("rnadom:2").as_deref(), Some("random:2"));
        assert_eq!(similar("recods").as_deref(), Some("records"));
        assert_eq!(similar("dayly").as_deref(), Some("daily"));
        for other in ["", "x", "1A4B3B2B", "hello world", "-", ":::", "ärger"] {
            assert_eq!(similar(other), None, "{other}");
        }
    }
}
