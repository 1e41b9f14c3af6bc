//! All formats in one table: name, reader, writer, and how a text is recognised.

use std::fmt;
use std::str::FromStr;

use super::note::{PuzzleText, WriteError};
use super::options::{ReadOptions, WriteOptions};
use super::record::{Parsed, Place};
use super::{
    asp, drifting_droids, drifting_droids_dump, json, kevincox, kevincox_url, lireer, roboyard,
};
use crate::notation::{self, ReadError};
use crate::puzzle::Puzzle;

/// A format of puzzles.
///
/// ```
/// use ricochet_core::formats::Format;
/// assert_eq!("json".parse(), Ok(Format::Json));
/// assert_eq!(Format::Json.to_string(), "json");
/// for format in Format::ALL {
///     assert_eq!(format.name().parse(), Ok(format));
/// }
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Format {
    /// Our one-line form: see [`notation`].
    Line,
    /// Our drawn form: see [`notation`].
    Text,
    /// Neutral JSON, one object a puzzle.
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
    /// Facts of the ASP competition.
    Asp,
    /// The JSON of Lireer's solver, read only.
    Lireer,
}

/// How a text is read.
#[derive(Clone, Copy)]
pub(super) enum Reader {
    /// Everything at once: one line, or a document that is one puzzle.
    Whole(fn(&str, ReadOptions) -> Result<Vec<Parsed>, ReadError>),
    /// The puzzle that begins at or after a place, which is moved behind it.
    Next(fn(&str, &mut Place) -> Result<Option<Parsed>, ReadError>),
}

type WriteFn = fn(&Puzzle, WriteOptions) -> Result<PuzzleText, WriteError>;

/// What is known about a format.
pub(super) struct Entry {
    pub(super) format: Format,
    pub(super) name: &'static str,
    pub(super) summary: &'static str,
    /// Whether a puzzle always is one line, so that a file can be read line by line.
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
        read: Reader::Whole(|text, _| Ok(vec![Parsed::new(1, notation::parse_line(text)?)])),
        write: Some(|puzzle, _| Ok(PuzzleText::complete(notation::to_line(puzzle)))),
    },
    Entry {
        format: Format::Text,
        name: "text",
        summary: "our drawing, for people and editors",
        is_one_line: false,
        read: Reader::Next(next_text),
        write: Some(|puzzle, _| Ok(PuzzleText::complete(notation::to_text(puzzle)))),
    },
    Entry {
        format: Format::Json,
        name: "json",
        summary: "neutral JSON, one object per line",
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
        summary: "the text of kevincox's solver (16×16)",
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
        summary: "the JSON of Lireer's solver, read only",
        is_one_line: false,
        read: Reader::Whole(|text, _| lireer::read(text)),
        write: None,
    },
];

/// The next drawing.
fn next_text(text: &str, place: &mut Place) -> Result<Option<Parsed>, ReadError> {
    let mut lines = notation::Lines::after(&text[place.offset..], place.lines);
    let found = notation::parse_next(&mut lines)?;
    *place = Place {
        offset: text.len() - lines.rest().len(),
        lines: lines.taken(),
        ended: false,
    };
    Ok(found.map(|(line, setup)| Parsed::new(line, setup)))
}

impl Format {
    /// All formats, ours first.
    ///
    /// ```
    /// use ricochet_core::formats::Format;
    /// assert!(Format::ALL.iter().any(|format| format.name() == "roboyard"));
    /// ```
    pub const ALL: [Self; 10] = [
        Self::Line,
        Self::Text,
        Self::Json,
        Self::DriftingDroids,
        Self::DriftingDroidsDump,
        Self::Kevincox,
        Self::KevincoxUrl,
        Self::Roboyard,
        Self::Asp,
        Self::Lireer,
    ];

    pub(super) fn entry(self) -> &'static Entry {
        ENTRIES
            .iter()
            .find(|entry| entry.format == self)
            .expect("every format has an entry")
    }

    /// Its name, as the command line takes it.
    ///
    /// ```
    /// assert_eq!(ricochet_core::formats::Format::KevincoxUrl.name(), "kevincox-url");
    /// ```
    pub fn name(self) -> &'static str {
        self.entry().name
    }

    /// One line about it.
    ///
    /// ```
    /// use ricochet_core::formats::Format;
    /// for format in Format::ALL {
    ///     println!("{:<20} {}", format.name(), format.summary());
    /// }
    /// ```
    pub fn summary(self) -> &'static str {
        self.entry().summary
    }

    /// Whether it can be written, not only read.
    ///
    /// ```
    /// use ricochet_core::formats::Format;
    /// assert!(Format::Asp.is_writable() && !Format::Lireer.is_writable());
    /// ```
    pub fn is_writable(self) -> bool {
        self.entry().write.is_some()
    }

    /// Whether a puzzle is always one line.
    ///
    /// ```
    /// use ricochet_core::formats::Format;
    /// assert!(Format::Json.is_one_line() && !Format::Text.is_one_line());
    /// ```
    pub fn is_one_line(self) -> bool {
        self.entry().is_one_line
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A name that no format has.
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
