//! The table of formats with their readers and writers, and the detection of a text's format.

use std::fmt;
use std::str::FromStr;

use super::kevincox_url::MARK;
use super::records::{ParsedPuzzle, ReadOptions, TextPosition};
use super::write::{PuzzleText, WriteError, WriteOptions};
use super::{
    asp, drifting_droids, drifting_droids_dump, json, kevincox, kevincox_url, lireer, roboyard,
    skub,
};
use crate::notation::{self, ReadError};
use crate::puzzle::Puzzle;

/// A format of puzzles.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Format {
    /// Our one-line form: see [`notation`].
    Line,
    /// Our drawn form: see [`notation`].
    Text,
    /// Neutral JSON, one object per puzzle.
    Json,
    /// `DriftingDroids` game IDs, such as `7650+42+E2302B12+C9`.
    DriftingDroids,
    /// `DriftingDroids` dumps, `!DriftingDroids_game!…!…!`.
    DriftingDroidsDump,
    /// The text of kevincox's solver.
    Kevincox,
    /// The URLs of kevincox's solver, `…#s=…`.
    KevincoxUrl,
    /// Roboyard's maps.
    Roboyard,
    /// Skub's Markdown.
    Skub,
    /// Facts of the ASP competition.
    Asp,
    /// The JSON of Lireer's solver, for input only.
    Lireer,
}

/// How a text is read.
#[derive(Clone, Copy)]
pub(super) enum Reader {
    /// All at once: one line, or a document with one puzzle.
    Whole(fn(&str, ReadOptions) -> Result<Vec<ParsedPuzzle>, ReadError>),
    /// The next puzzle at or after a place; the place is then moved past it.
    Next(fn(&str, &mut TextPosition) -> Result<Option<ParsedPuzzle>, ReadError>),
}

type WriteFn = fn(&Puzzle, WriteOptions) -> Result<PuzzleText, WriteError>;

/// The properties of a format.
pub(super) struct Entry {
    pub(super) format: Format,
    pub(super) name: &'static str,
    pub(super) summary: &'static str,
    /// Whether a puzzle is always one line, so that a file can be read line by line.
    pub(super) is_one_line: bool,
    /// Reads one line, or a whole text with one or several puzzles.
    pub(super) read: Reader,
    pub(super) write: Option<WriteFn>,
}

const ENTRIES: &[Entry] = &[
    Entry {
        format: Format::Line,
        name: "line",
        summary: "our one-line notation",
        is_one_line: true,
        read: Reader::Whole(|text, _| Ok(vec![ParsedPuzzle::new(1, notation::parse_line(text)?)])),
        write: Some(|puzzle, _| Ok(PuzzleText::complete(notation::to_line(puzzle)))),
    },
    Entry {
        format: Format::Text,
        name: "text",
        summary: "our text drawing, readable and editable by hand",
        is_one_line: false,
        read: Reader::Next(next_text),
        write: Some(|puzzle, _| Ok(PuzzleText::complete(notation::to_text(puzzle)))),
    },
    Entry {
        format: Format::Json,
        name: "json",
        summary: "JSON, one object per line",
        is_one_line: true,
        read: Reader::Next(json::next),
        write: Some(|puzzle, _| Ok(PuzzleText::complete(json::write(puzzle)))),
    },
    Entry {
        format: Format::DriftingDroids,
        name: "drifting-droids",
        summary: "game IDs of DriftingDroids (official boards)",
        is_one_line: true,
        read: Reader::Whole(|text, options| drifting_droids::read(text, options.droid_diagonals)),
        write: Some(|puzzle, options| drifting_droids::write(puzzle, options.droid_diagonals)),
    },
    Entry {
        format: Format::DriftingDroidsDump,
        name: "drifting-droids-dump",
        summary: "dumps of DriftingDroids (any board without diagonals)",
        is_one_line: false,
        read: Reader::Next(drifting_droids_dump::next),
        write: Some(|puzzle, _| drifting_droids_dump::write(puzzle)),
    },
    Entry {
        format: Format::Kevincox,
        name: "kevincox",
        summary: "the text format of kevincox's solver (16×16)",
        is_one_line: false,
        read: Reader::Next(kevincox::next),
        write: Some(|puzzle, _| kevincox::write(puzzle)),
    },
    Entry {
        format: Format::KevincoxUrl,
        name: "kevincox-url",
        summary: "the URLs of kevincox's solver (16×16)",
        is_one_line: true,
        read: Reader::Whole(|text, _| kevincox_url::read(text)),
        write: Some(|puzzle, _| kevincox_url::write(puzzle)),
    },
    Entry {
        format: Format::Roboyard,
        name: "roboyard",
        summary: "Roboyard's maps",
        is_one_line: false,
        read: Reader::Next(roboyard::next),
        write: Some(|puzzle, _| roboyard::write(puzzle)),
    },
    Entry {
        format: Format::Skub,
        name: "skub",
        summary: "Skub's Markdown (8×8)",
        is_one_line: false,
        read: Reader::Next(skub::next),
        write: Some(|puzzle, _| skub::write(puzzle)),
    },
    Entry {
        format: Format::Asp,
        name: "asp",
        summary: "facts of the ASP competition (square boards)",
        is_one_line: false,
        read: Reader::Next(asp::next),
        write: Some(|puzzle, _| asp::write(puzzle)),
    },
    Entry {
        format: Format::Lireer,
        name: "lireer",
        summary: "the JSON of Lireer's solver, input only",
        is_one_line: false,
        read: Reader::Whole(|text, _| lireer::read(text)),
        write: None,
    },
];

/// The next drawing.
fn next_text(text: &str, place: &mut TextPosition) -> Result<Option<ParsedPuzzle>, ReadError> {
    let mut lines = notation::Lines::after(&text[place.offset..], place.lines);
    let found = notation::parse_next(&mut lines)?;
    *place = TextPosition {
        offset: text.len() - lines.rest().len(),
        lines: lines.taken(),
        ended: false,
    };
    Ok(found.map(|(line, setup)| ParsedPuzzle::new(line, setup)))
}

impl Format {
    /// All formats, ours first.
    pub const ALL: [Self; 11] = [
        Self::Line,
        Self::Text,
        Self::Json,
        Self::DriftingDroids,
        Self::DriftingDroidsDump,
        Self::Kevincox,
        Self::KevincoxUrl,
        Self::Roboyard,
        Self::Skub,
        Self::Asp,
        Self::Lireer,
    ];

    pub(super) fn entry(self) -> &'static Entry {
        ENTRIES
            .iter()
            .find(|entry| entry.format == self)
            .expect("every format has an entry")
    }

    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        self.entry().name
    }

    /// A description in one line.
    pub fn summary(self) -> &'static str {
        self.entry().summary
    }

    /// Whether it can be written, not only read.
    pub fn is_writable(self) -> bool {
        self.entry().write.is_some()
    }

    /// Whether a puzzle is always one line.
    pub fn is_one_line(self) -> bool {
        self.entry().is_one_line
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// An unknown name of a format.
///
/// ```
/// use ricochet_core::formats::Format;
/// let error = "yaml".parse::<Format>().unwrap_err();
/// assert!(error.to_string().starts_with("there is no format 'yaml': expected one of line, text"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseFormatError {
    /// The name.
    pub name: String,
}

impl fmt::Display for ParseFormatError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<&str> = Format::ALL.iter().map(|format| format.name()).collect();
        write!(
            f,
            "there is no format '{}': expected one of {}",
            self.name.escape_debug(),
            names.join(", ")
        )
    }
}

impl std::error::Error for ParseFormatError {}

impl FromStr for Format {
    type Err = ParseFormatError;

    fn from_str(name: &str) -> Result<Self, ParseFormatError> {
        ENTRIES
            .iter()
            .find(|entry| entry.name.eq_ignore_ascii_case(name))
            .map(|entry| entry.format)
            .ok_or_else(|| ParseFormatError {
                name: name.chars().take(40).collect(),
            })
    }
}

/// Whether a line is blank or a comment (`#`, or `%` in ASP).
pub(super) fn is_blank(line: &[u8]) -> bool {
    let line = line.trim_ascii();
    // `#s=` begins the data of a kevincox URL.
    matches!(line.first(), None | Some(b'#' | b'%')) && !line.starts_with(MARK.as_bytes())
}

/// The format of a text, judged by its first line that is not blank or a comment; `None` if it is not
/// recognised. The text may still contain mistakes.
///
/// ```
/// use ricochet_core::formats::{Format, detect};
/// assert_eq!(detect("{\"width\":16}"), Some(Format::Json));
/// assert_eq!(detect("what a lovely day"), None);
/// ```
pub fn detect(text: &str) -> Option<Format> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut rest = text;
    while let Some((line, after)) = rest.split_once('\n') {
        if !is_blank(line.as_bytes()) {
            break;
        }
        rest = after;
    }
    by_beginning(rest.trim_start())
}

/// The format of a text that does not begin with blank lines or comments.
fn by_beginning(text: &str) -> Option<Format> {
    let line = text.lines().next().unwrap_or("").trim_end();
    let first = line.bytes().next()?;
    if first == b'{' {
        return Some(Format::Json);
    }
    if first == b'[' {
        let lireer = ["rob_position", "fields"].contains(&first_key(text));
        return Some(if lireer { Format::Lireer } else { Format::Json });
    }
    // `show` prints column numbers above drawings.
    if first == b'+' || is_key(line) || line.starts_with('┏') || line.starts_with("0  ") {
        return Some(Format::Text);
    }
    if line.contains(MARK) {
        return Some(Format::KevincoxUrl);
    }
    if line == "---" {
        return Some(Format::Skub);
    }
    if first == b'!' {
        return Some(Format::DriftingDroidsDump);
    }
    if line.split_whitespace().next() == Some("board") {
        return Some(Format::Kevincox);
    }
    let word = line.trim_start_matches(|c: char| c.is_ascii_alphanumeric() || c == '_');
    if word.starts_with(':') && line.contains(';') {
        return Some(Format::Roboyard);
    }
    if word.trim_start().starts_with('(') && first.is_ascii_lowercase() {
        return Some(Format::Asp);
    }
    if word.starts_with('+') && first.is_ascii_hexdigit() {
        return Some(Format::DriftingDroids);
    }
    first.is_ascii_digit().then_some(Format::Line)
}

/// The first quoted word of a JSON text.
fn first_key(text: &str) -> &str {
    text.split('"').nth(1).unwrap_or("")
}

/// Whether a line belongs above a drawing.
fn is_key(line: &str) -> bool {
    let key = line.split_once(':').map_or("", |(key, _)| key.trim_end());
    ["goal", "id", "optimal", "rules", "target"].contains(&key)
}
