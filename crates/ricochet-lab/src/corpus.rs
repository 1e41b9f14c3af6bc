//! Named sets of puzzles: files in any format that this project reads, or the embedded corpora.
//!
//! Only the lab and the command line use corpora, so they are embedded here and not in a lower crate:
//! the server, the browser's engine and the Python package would only become larger.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::ops::RangeInclusive;
use std::path::Path;

use anyhow::{Context, Error, Result, bail};
use ricochet_core::Puzzle;
use ricochet_core::formats::{self, Format, ReadOptions};

use crate::run::store::row::single_line;

include!(concat!(env!("OUT_DIR"), "/embedded.rs"));

/// What is known about a puzzle before it is solved.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Expectation {
    /// The optimal number of moves.
    Optimal(u32),
    /// It has no solution.
    Unsolvable,
    /// Nothing.
    Unknown,
}

/// One puzzle of a corpus. Its id is unique in the corpus.
#[derive(Clone, Debug)]
pub struct CorpusPuzzle {
    /// The puzzle's name, or its number in the file where it has none.
    pub id: String,
    /// The puzzle.
    pub puzzle: Puzzle,
    /// What an optimal solver must find.
    pub expectation: Expectation,
}

/// Puzzles under a common name.
#[derive(Clone, Debug)]
pub struct Corpus {
    /// The name in rows.
    pub name: String,
    /// The puzzles in the order of the file.
    pub items: Vec<CorpusPuzzle>,
}

/// Names of the embedded corpora.
pub fn embedded_names() -> impl Iterator<Item = &'static str> {
    EMBEDDED.iter().map(|&(name, _)| name)
}

/// The name and text of an embedded corpus: `official/random`, or `random` if that is unambiguous.
pub fn embedded_text(source: &str) -> Option<(&'static str, &'static str)> {
    match matching(source).as_slice() {
        [one] => Some(*one),
        _ => None,
    }
}

/// An embedded corpus or a part of it, as it is written: `random`, `random:2` or `random:1..20`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EmbeddedPuzzles<'a> {
    /// The corpus as it was written: `random` or `official/random`.
    pub name: &'a str,
    /// All of its text, one puzzle per line.
    pub text: &'static str,
    /// The lines of the part, from 1.
    pub lines: Option<RangeInclusive<usize>>,
}

/// The part of an embedded corpus that a text names; `None` if it names none, an error if the corpus
/// has no such puzzles.
pub fn embedded(source: &str) -> Option<Result<EmbeddedPuzzles<'_>, String>> {
    let (name, part) = match source.rsplit_once(':') {
        Some((name, part)) => (name, Some(part)),
        None => (source, None),
    };
    let (_, text) = embedded_text(name)?;
    let count = text.lines().count();
    let lines = match part.map(parse_lines) {
        None => None,
        Some(Some(lines)) if *lines.start() >= 1 && *lines.start() <= count => {
            let last = (*lines.end()).min(count);
            // `5..` ends with the corpus; another end has to exist.
            let is_open = *lines.end() == usize::MAX;
            if !is_open && *lines.end() > count {
                return Some(Err(no_such_puzzles(name, count)));
            }
            Some(*lines.start()..=last)
        }
        Some(_) => return Some(Err(no_such_puzzles(name, count))),
    };
    Some(Ok(EmbeddedPuzzles { name, text, lines }))
}

fn no_such_puzzles(name: &str, count: usize) -> String {
    format!(
        "the corpus {name} has {count} puzzles: expected {name}:1 to {name}:{count}, or several \
         such as {name}:1..{}",
        count.min(20)
    )
}

/// Lines of a file: `2`, `1..20`, `5..` or `..20`, both ends included.
pub fn parse_lines(text: &str) -> Option<RangeInclusive<usize>> {
    let Some((first, last)) = text.split_once("..") else {
        let line = text.parse().ok()?;
        return Some(line..=line);
    };
    let last = last.strip_prefix('=').unwrap_or(last);
    let end = |text: &str, default| match text {
        "" => Some(default),
        text => text.parse().ok(),
    };
    let lines = end(first, 1)?..=end(last, usize::MAX)?;
    (!lines.is_empty()).then_some(lines)
}

/// The embedded corpora with this name, or with this last part of their name.
fn matching(source: &str) -> Vec<(&'static str, &'static str)> {
    EMBEDDED
        .iter()
        .filter(|(name, _)| *name == source || name.rsplit('/').next() == Some(source))
        .copied()
        .collect()
}

impl Corpus {
    /// A corpus of puzzles with their stated optima. Repeated or missing ids are made unique.
    ///
    /// In a corpus whose name contains `unsolvable`, a puzzle that states no optimum is expected to
    /// have no solution.
    pub fn new(name: impl Into<String>, puzzles: impl IntoIterator<Item = Puzzle>) -> Self {
        let name = name.into();
        let without_optimum = if name.contains("unsolvable") {
            Expectation::Unsolvable
        } else {
            Expectation::Unknown
        };
        let mut seen = HashSet::new();
        let mut copies: HashMap<String, u32> = HashMap::new();
        let mut items = Vec::new();
        for (index, puzzle) in puzzles.into_iter().enumerate() {
            let mut id = puzzle
                .id()
                .map_or_else(|| (index + 1).to_string(), |id| single_line(id, usize::MAX));
            if !seen.insert(id.clone()) {
                let count = copies.entry(id.clone()).or_insert(1u32);
                id = loop {
                    *count += 1;
                    let copy = format!("{id}~{count}");
                    // Another puzzle may have this id already.
                    if seen.insert(copy.clone()) {
                        break copy;
                    }
                };
            }
            let expectation = puzzle
                .known_optimal()
                .map_or(without_optimum, Expectation::Optimal);
            items.push(CorpusPuzzle {
                id,
                puzzle,
                expectation,
            });
        }
        Self { name, items }
    }

    /// Loads a file, an embedded corpus (see [`embedded_text`]) or a part of one: `random:1..20`.
    ///
    /// # Errors
    /// If the name is neither, the file cannot be read, or a puzzle is invalid.
    pub fn load(source: &str) -> Result<Self> {
        if Path::new(source).is_file() {
            let text =
                fs::read_to_string(source).with_context(|| format!("cannot read {source}"))?;
            let stem = Path::new(source).file_stem().unwrap_or_default();
            return Self::parse(&stem.to_string_lossy(), &text).with_context(|| source.to_owned());
        }
        if source.contains(':')
            && let Some(part) = embedded(source)
        {
            let part = part.map_err(Error::msg)?;
            let lines = part.lines.unwrap_or(1..=usize::MAX);
            let count = (lines.end() - lines.start()).saturating_add(1);
            let text: Vec<&str> = part
                .text
                .lines()
                .skip(lines.start() - 1)
                .take(count)
                .collect();
            return Self::parse(source, &text.join("\n")).with_context(|| source.to_owned());
        }
        match matching(source).as_slice() {
            [(_, text)] => Self::parse(source, text).with_context(|| source.to_owned()),
            [] => {
                let known: Vec<&str> = embedded_names().collect();
                bail!(
                    "'{source}' is neither a file nor an embedded corpus; embedded are {}",
                    known.join(", ")
                )
            }
            several => {
                let names: Vec<&str> = several.iter().map(|(name, _)| *name).collect();
                bail!("'{source}' could be {}", names.join(" or "))
            }
        }
    }

    /// Reads the puzzles of a text.
    ///
    /// # Errors
    /// The first puzzle that cannot be read, with its line.
    pub fn parse(name: &str, text: &str) -> Result<Self> {
        let mut puzzles = Vec::new();
        for record in formats::read_records(text, None, ReadOptions::default())? {
            let line = record.line;
            let puzzle = record.setup.validate();
            puzzles.push(puzzle.with_context(|| format!("the puzzle in line {line}"))?);
        }
        if puzzles.is_empty() {
            bail!("no puzzle in it");
        }
        Ok(Self::new(name, puzzles))
    }
}

/// One line of neutral JSON.
pub(crate) fn to_json(puzzle: &Puzzle) -> Result<String> {
    Ok(formats::write(Format::Json, puzzle)?.text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_embedded_corpus_can_be_read_by_its_full_name() {
        for (name, text) in EMBEDDED {
            let corpus = Corpus::load(name).expect(name);
            assert_eq!(corpus.items.len(), text.lines().count(), "{name}");
        }
        let records = Corpus::load("records").unwrap();
        assert_eq!(records.name, "records");
        assert_eq!(records.items[0].expectation, Expectation::Optimal(22));
        assert_eq!(embedded_text("random").unwrap().0, "official/random");
    }

    #[test]
    fn a_part_of_an_embedded_corpus_can_be_named() {
        let all = Corpus::load("random").unwrap();
        let ids = |source: &str| -> Vec<String> {
            let items = Corpus::load(source).unwrap().items.into_iter();
            items.map(|item| item.id).collect()
        };
        assert_eq!(ids("random:2"), [all.items[1].id.clone()]);
        assert_eq!(ids("random:1..20").len(), 20);
        assert_eq!(ids("official/random:3..=4")[1], all.items[3].id);
        assert_eq!(ids("random:499..").len(), all.items.len() - 498);
        for bad in [
            "random:0",
            "random:1..9999",
            "random:5..2",
            "random:x",
            "random:9999..",
        ] {
            let error = Corpus::load(bad).unwrap_err().to_string();
            assert!(error.contains("random:1..20"), "{bad}: {error}");
        }
        assert_eq!(parse_lines("..3"), Some(1..=3));
        assert_eq!(parse_lines("1..2..3"), None);
    }

    #[test]
    fn unknown_names_list_the_known_ones() {
        let error = Corpus::load("no-such-corpus").unwrap_err().to_string();
        assert!(error.contains("official/random"), "{error}");
    }

    #[test]
    fn doubled_ids_are_told_apart() {
        let line = EMBEDDED
            .iter()
            .find(|(name, _)| *name == "records/records")
            .and_then(|(_, text)| text.lines().next())
            .expect("a record");
        let corpus = Corpus::parse("twice", &format!("{line}\n\n{line}\n")).expect("two puzzles");
        let ids: Vec<&str> = corpus.items.iter().map(|item| item.id.as_str()).collect();
        assert_eq!(ids, ["slides-22", "slides-22~2"]);
        let puzzle = &corpus.items[0].puzzle;
        let named = |names: &[&str]| -> Vec<String> {
            let puzzles = names.iter().map(|name| puzzle.clone().with_id(*name));
            let items = Corpus::new("named", puzzles).items;
            items.into_iter().map(|item| item.id).collect()
        };
        assert_eq!(named(&["a", "a", "a~2"]), ["a", "a~2", "a~2~2"]);
        assert_eq!(named(&["a~2", "a", "a", "a"]), ["a~2", "a", "a~3", "a~4"]);
    }

    #[test]
    fn a_bad_line_is_named() {
        let error = format!("{:#}", Corpus::parse("x", "\n{\"width\":3}").unwrap_err());
        assert!(error.contains("line 2"), "{error}");
        assert!(Corpus::parse("x", " \n").is_err());
    }
}
