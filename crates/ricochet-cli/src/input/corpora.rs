//! Embedded corpora as puzzles by name: `random` is all of it, `random:2` its second puzzle,
//! `random:1..20` the first twenty.

pub(super) use ricochet_lab::corpus::{EmbeddedPuzzles, embedded as find, parse_lines};

use crate::args::names::corpus_names;

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
    use ricochet_lab::corpus;

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
