//! Readers and writers for all formats.
//!
//! [`read`] recognises the format from the content; a text may contain many puzzles. [`Records`] does
//! the same for files of any length, one puzzle at a time. [`write()`] writes a puzzle in a named format.
//!
//! # Formats
//!
//! | name | boards | robots | diagonals | any-robot goal | name, optimum | printed targets |
//! |---|---|---|---|---|---|---|
//! | `line` | all | 8 | yes | yes | yes | yes |
//! | `text` | all | 8 | yes | yes | yes | yes |
//! | `json` | all | 8 | yes | yes | yes | yes |
//! | `drifting-droids` | official layouts | 5 | by reading | yes | left out | those of the layout |
//! | `drifting-droids-dump` | all | 5 | no | yes | left out | yes, with the goal among them |
//! | `kevincox`, `kevincox-url` | 16×16 | 5 | yes | yes | left out | left out |
//! | `roboyard` | all | 5 | no | no | left out | left out |
//! | `skub` | 8×8 | 8 | no | no | yes | left out |
//! | `asp` | square | 8 | no | no | left out; optimum as `length` | left out |
//! | `lireer` | all | 8 | no | yes | no | yes; it is only read |
//!
//! 'All' boards are those of 2..=32 by 2..=32 cells. Only `line`, `text` and `json` can express
//! `must_ricochet`.
//!
//! # Nothing is lost silently
//!
//! What defines a puzzle (board, diagonals, robots, goal, rules) is either written or a
//! [`WriteError`] that lists every reason. Annotations (name, optimum, printed targets) may be left
//! out if the table says so, with an entry in [`PuzzleText::notes`]. Readers note their decisions in
//! [`Record::notes`].
//!
//! # What a text may contain
//!
//! CRLF and a byte order mark are accepted, blank lines and lines that begin with `#` or `%` are
//! skipped between puzzles. Where a puzzle is one line (`line`, `json`, `drifting-droids`,
//! `kevincox-url`), a file may mix these. Errors name line and column, and what was expected. Reading
//! takes time linear in the text; lines over [`MAX_LINE`] and documents over [`MAX_DOCUMENT`] bytes are
//! refused.
//!
//! ```
//! use ricochet_core::formats::{self, Format};
//! let text = r#"{"width":2,"height":2,"walls":[9,3,12,6],"robots":[[0,0]],"active":0,"target":[1,1]}"#;
//! let setups = formats::read(text).unwrap();
//! let puzzle = setups[0].clone().validate().unwrap();
//! assert_eq!(formats::write(Format::Json, &puzzle).unwrap().text, text);
//! ```

mod asp;
mod drifting_droids;
mod drifting_droids_dump;
mod format;
mod json;
mod kevincox;
mod kevincox_url;
mod lireer;
mod records;
mod roboyard;
mod skub;
mod write;

pub use crate::notation::ReadError;
pub use format::{Format, ParseFormatError, detect};
pub use records::{DroidDiagonals, MAX_DOCUMENT, MAX_LINE, ReadOptions, Record, Records};
pub use write::{Note, NoteSubject, PuzzleText, WriteError, WriteOptions};

use crate::notation::Reason;
use crate::puzzle::{Puzzle, Setup};

/// Reads all puzzles of a text in any format.
///
/// # Errors
/// The first mistake.
pub fn read(text: &str) -> Result<Vec<Setup>, ReadError> {
    Records::new(text.as_bytes())
        .map(|record| record.map(|record| record.setup))
        .collect()
}

/// Reads the only puzzle of a text in any format.
///
/// ```
/// use ricochet_core::formats;
/// let puzzle = formats::read_one("7650+42+E2302B12+C9")?.validate()?;
/// assert_eq!(puzzle.start().len(), 4);
/// let two = formats::read_one("4x4..00.R33\n4x4..00.R30\n").unwrap_err();
/// assert_eq!(two.to_string(), "line 2, column 1: expected one puzzle, found a second one");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If it cannot be read, or if there are several puzzles.
pub fn read_one(text: &str) -> Result<Setup, ReadError> {
    let mut records = Records::new(text.as_bytes());
    let Some(first) = records.next() else {
        return Err(ReadError::new(1, 1, Reason::NoPuzzle));
    };
    let first = first?;
    match records.next() {
        None => Ok(first.setup),
        Some(second) => Err(ReadError::new(second?.line, 1, Reason::SecondPuzzle)),
    }
}

/// Reads all puzzles of a text in a given format.
///
/// # Errors
/// The first mistake.
pub fn read_as(format: Format, text: &str) -> Result<Vec<Setup>, ReadError> {
    Records::with_options(text.as_bytes(), Some(format), ReadOptions::default())
        .map(|record| record.map(|record| record.setup))
        .collect()
}

/// Reads all puzzles of a text, with their lines and notes.
///
/// # Errors
/// The first mistake.
pub fn read_records(
    text: &str,
    format: Option<Format>,
    options: ReadOptions,
) -> Result<Vec<Record>, ReadError> {
    Records::with_options(text.as_bytes(), format, options).collect()
}

/// Writes a puzzle.
///
/// ```
/// use ricochet_core::formats::{self, NoteSubject, Format};
/// let setup = formats::read("7650+42+E2302B12+C9").unwrap().remove(0);
/// let puzzle = setup.validate().unwrap().with_id("record");
/// let line = formats::write(Format::Line, &puzzle).unwrap();
/// assert_eq!(line.text, "4B3B2B1A.2e03b221.B9c.nrecord");
/// let text = formats::write(Format::Kevincox, &puzzle).unwrap();
/// let about: Vec<NoteSubject> = text.notes.iter().map(|note| note.about).collect();
/// assert_eq!(about, [NoteSubject::Id, NoteSubject::Targets]);
/// ```
///
/// # Errors
/// Everything about the puzzle that the format cannot express.
pub fn write(format: Format, puzzle: &Puzzle) -> Result<PuzzleText, WriteError> {
    write_with(format, puzzle, WriteOptions::default())
}

/// Writes a puzzle, with options.
///
/// ```
/// use ricochet_core::formats::{self, DroidDiagonals, Format, WriteOptions};
/// let setup = formats::read("1D4B3B2B.00ff.V0f").unwrap().remove(0);
/// let puzzle = setup.validate().unwrap();
/// assert!(formats::write(Format::DriftingDroids, &puzzle).is_err(), "it has diagonals");
/// let options = WriteOptions { droid_diagonals: DroidDiagonals::With };
/// let id = formats::write_with(Format::DriftingDroids, &puzzle, options).unwrap();
/// assert_eq!(id.text, "C765+2F+00FF+F0");
/// assert!(id.notes[0].message.contains("with the diagonals"));
/// ```
///
/// # Errors
/// Everything about the puzzle that the format cannot express.
pub fn write_with(
    format: Format,
    puzzle: &Puzzle,
    options: WriteOptions,
) -> Result<PuzzleText, WriteError> {
    match format.entry().write {
        Some(write) => write(puzzle, options),
        None => Err(WriteError {
            format: format.name(),
            reasons: vec!["it can only be read".into()],
        }),
    }
}
