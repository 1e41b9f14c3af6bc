//! Formats that players have: readers, writers, one registry.
//!
//! [`read`] recognises the format from the content; a text may hold many puzzles. [`Records`] does
//! the same for files of any length. [`write()`] writes a puzzle in a named format.
//!
//! ```
//! use ricochet::formats::{self, Format};
//! let text = r#"{"width":2,"height":2,"walls":[9,3,12,6],"robots":[[0,0]],"active":0,"target":[1,1]}"#;
//! let setups = formats::read(text).unwrap();
//! let puzzle = setups[0].clone().validate().unwrap();
//! assert_eq!(formats::write(Format::Json, &puzzle).unwrap().text, text);
//! ```

mod asp;
mod audit;
mod drifting_droids;
mod drifting_droids_dump;
mod json;
mod kevincox;
mod kevincox_url;
mod lireer;
mod note;
mod options;
mod recognise;
mod record;
mod registry;
mod roboyard;
mod stream;

pub use crate::notation::ReadError;
pub use note::{About, Note, WriteError, Written};
pub use options::{DroidDiagonals, ReadOptions, WriteOptions};
pub use recognise::recognise;
pub use record::Record;
pub use registry::{Format, NoSuchFormat};
pub use stream::{MAX_DOCUMENT, MAX_LINE, Records};

use crate::puzzle::{Puzzle, Setup};

/// Reads all puzzles of a text, in whatever format it is.
///
/// # Errors
/// The first thing that cannot be read.
pub fn read(text: &str) -> Result<Vec<Setup>, ReadError> {
    Records::new(text.as_bytes())
        .map(|record| record.map(|record| record.setup))
        .collect()
}

/// Reads all puzzles of a text in a given format.
///
/// ```
/// use ricochet::formats::{Format, read_as};
/// let error = read_as(Format::Json, "nothing of the kind").unwrap_err();
/// assert_eq!(error.line, 1);
/// ```
///
/// # Errors
/// The first thing that cannot be read.
pub fn read_as(format: Format, text: &str) -> Result<Vec<Setup>, ReadError> {
    Records::with_options(text.as_bytes(), Some(format), ReadOptions::default())
        .map(|record| record.map(|record| record.setup))
        .collect()
}

/// Reads all puzzles of a text with where they stood and what is to be said about them.
///
/// ```
/// use ricochet::formats::{Format, ReadOptions, read_records};
/// let text = "\n{\"width\":2,\"height\":2,\"walls\":[9,3,12,6],\"robots\":[[0,0]],\"active\":0,\"target\":[1,1]}";
/// let records = read_records(text, None, ReadOptions::default()).unwrap();
/// assert_eq!((records[0].line, records[0].format), (2, Format::Json));
/// ```
///
/// # Errors
/// The first thing that cannot be read.
pub fn read_records(
    text: &str,
    format: Option<Format>,
    options: ReadOptions,
) -> Result<Vec<Record>, ReadError> {
    Records::with_options(text.as_bytes(), format, options).collect()
}

/// Writes a puzzle.
///
/// # Errors
/// Everything about the puzzle that the format cannot express.
pub fn write(format: Format, puzzle: &Puzzle) -> Result<Written, WriteError> {
    write_with(format, puzzle, WriteOptions::default())
}

/// Writes a puzzle, with options.
///
/// # Errors
/// Everything about the puzzle that the format cannot express.
pub fn write_with(
    format: Format,
    puzzle: &Puzzle,
    options: WriteOptions,
) -> Result<Written, WriteError> {
    match format.entry().write {
        Some(write) => write(puzzle, options),
        None => Err(WriteError {
            format: format.name(),
            reasons: vec!["it can only be read".into()],
        }),
    }
}
