//! Reading the puzzles of a file of any length.

use std::io::{BufRead, Read};

use super::format::{Format, Reader, detect, is_blank};
use super::json;
use super::write::Note;
use crate::notation::{Item, ReadError, Reason};
use crate::puzzle::Setup;

/// Longer lines are refused: a puzzle of 32×32 cells needs a few thousand characters.
pub const MAX_LINE: usize = 1 << 20;

/// Formats that use several lines are read as a whole, up to this many bytes.
pub const MAX_DOCUMENT: usize = 64 << 20;

/// The puzzles of a file, one after the other; memory stays bounded.
///
/// Where a puzzle is one line (`json`, `line`, `drifting-droids`, `kevincox-url`), lines are read
/// one by one, each in its own format, and after an error the iterator continues with the next line.
/// The other formats are read as a whole.
///
/// ```
/// use ricochet_core::formats::Records;
/// let file = r#"
/// {"width":2,"height":2,"walls":[9,3,12,6],"robots":[[0,0]],"active":0,"target":[1,1]}
/// {"width":2,"height":2,"walls":"none"}
/// {"width":2,"height":2,"walls":[9,3,12,6],"robots":[[1,0]],"active":0,"target":[1,1]}
/// "#;
/// let found: Vec<_> = Records::new(file.as_bytes()).collect();
/// assert_eq!(found[0].as_ref().unwrap().line, 2);
/// assert_eq!(found[1].as_ref().unwrap_err().line, 3);
/// assert!(found[2].is_ok());
/// ```
pub struct Records<R> {
    reader: R,
    options: ReadOptions,
    /// The format that the caller named.
    named: Option<Format>,
    state: State,
    /// Number of lines taken from the reader.
    lines: usize,
    /// The current line, without its end.
    line: Vec<u8>,
    /// The error of the line before it, if not yet reported.
    before: Option<ReadError>,
}

enum State {
    /// Nothing has been read yet.
    Start,
    /// The file holds one puzzle per line; `any` says whether the first was read already.
    Lines {
        any: bool,
    },
    /// The whole file was read and parsed.
    Document(std::vec::IntoIter<Record>),
    /// The whole file was read; its puzzles are parsed one by one.
    Text {
        text: String,
        place: TextPosition,
        format: Format,
        next: fn(&str, &mut TextPosition) -> Result<Option<ParsedPuzzle>, ReadError>,
    },
    Done,
}

impl<R: BufRead> Records<R> {
    /// Puzzles in any format.
    pub fn new(reader: R) -> Self {
        Self::with_options(reader, None, ReadOptions::default())
    }

    /// Puzzles in the given format, or in any.
    pub fn with_options(reader: R, format: Option<Format>, options: ReadOptions) -> Self {
        Self {
            reader,
            options,
            named: format,
            state: State::Start,
            lines: 0,
            line: Vec::new(),
            before: None,
        }
    }

    /// Reads the next line into `self.line`; `false` at the end of the file.
    fn next_line(&mut self) -> Result<bool, ReadError> {
        self.line.clear();
        let mut bounded = self.reader.by_ref().take(MAX_LINE as u64 + 1);
        let read = bounded.read_until(b'\n', &mut self.line).map_err(|error| {
            let error = error.to_string();
            ReadError::new(self.lines + 1, 1, Reason::InputFails { error })
        })?;
        if read == 0 {
            return Ok(false);
        }
        self.lines += 1;
        if self.line.last() == Some(&b'\n') {
            self.line.pop();
            if self.line.last() == Some(&b'\r') {
                self.line.pop();
            }
        }
        if self.line.len() > MAX_LINE {
            return Err(ReadError::new(
                self.lines,
                MAX_LINE + 1,
                Reason::LineTooLong { most: MAX_LINE },
            ));
        }
        if self.lines == 1 && self.line.starts_with("\u{feff}".as_bytes()) {
            self.line.drain(..3);
        }
        Ok(true)
    }

    /// Finds out what kind of file it is. Then `self.line` is the first line with content, or the whole
    /// document has been read.
    fn start(&mut self) -> Result<State, ReadError> {
        // Blank lines instead of comments, so that line numbers stay correct.
        let mut skipped = String::new();
        loop {
            if !self.next_line()? {
                let line = self.lines.max(1);
                return Err(ReadError::new(line, 1, Reason::NoPuzzle).unknown_format());
            }
            let line = utf8(&self.line, self.lines)?;
            if !is_blank(line.as_bytes()) {
                break;
            }
            skipped.push('\n');
            if skipped.len() > MAX_DOCUMENT {
                return Err(too_long(self.lines));
            }
        }
        let line = utf8(&self.line, self.lines)?;
        let format = match self.named {
            Some(format) => format,
            None => detect(line).ok_or_else(|| self.unrecognised())?,
        };
        if format.is_one_line() && !self.begins_a_document(format) {
            return Ok(State::Lines { any: false });
        }
        let mut text = skipped;
        text.push_str(line);
        text.push('\n');
        // Is this an object over several lines, or a file with one puzzle per line whose first line is
        // cut short? If the next line is a puzzle, it is the latter: puzzles are not nested.
        if format == Format::Json && self.line.trim_ascii_start().starts_with(b"{") {
            let cut_short = self.read_line().err();
            if self.next_line()? {
                if json::read_line(&self.line).is_ok() {
                    self.before = cut_short;
                    return Ok(State::Lines { any: false });
                }
                text.push_str(utf8(&self.line, self.lines)?);
                text.push('\n');
            }
        }
        self.read_document(format, text)
    }

    /// JSON may use several lines, or be in an array.
    fn begins_a_document(&self, format: Format) -> bool {
        format == Format::Json
            && match json::read_line(&self.line) {
                Ok(_) => false,
                Err(error) => {
                    json::ends_early(&error) || self.line.trim_ascii_start().starts_with(b"[")
                }
            }
    }

    fn read_document(&mut self, format: Format, mut text: String) -> Result<State, ReadError> {
        while self.next_line()? {
            // Blank lines instead of comments, so that line numbers stay correct.
            let line = utf8(&self.line, self.lines)?;
            if !is_blank(line.as_bytes()) {
                text.push_str(line);
            }
            text.push('\n');
            if text.len() > MAX_DOCUMENT {
                return Err(too_long(self.lines));
            }
        }
        let format = match self.named {
            Some(format) => format,
            None => detect(&text).unwrap_or(format),
        };
        if format == Format::Json {
            // An early end is reported on the last line, not on the one after it.
            text.truncate(text.trim_end().len());
        }
        match format.entry().read {
            Reader::Next(next) => Ok(State::Text {
                text,
                place: TextPosition::default(),
                format,
                next,
            }),
            Reader::Whole(read) => {
                let found =
                    read(&text, self.options).map_err(|error| error.in_format(format.name()))?;
                let records: Vec<Record> = found
                    .into_iter()
                    .map(|parsed| record(format, parsed))
                    .collect();
                Ok(State::Document(records.into_iter()))
            }
        }
    }

    /// Reads the puzzle in `self.line`.
    fn read_line(&self) -> Result<Record, ReadError> {
        let before = self.lines - 1;
        if self.named.is_none_or(|format| format == Format::Json)
            && self.line.trim_ascii_start().first() == Some(&b'{')
        {
            // The fast path.
            return match json::read_line(&self.line) {
                Ok(setup) => Ok(record(Format::Json, ParsedPuzzle::new(self.lines, setup))),
                Err(error) => {
                    let text = String::from_utf8_lossy(&self.line);
                    Err(json::from_serde(&error, &text, 0)
                        .shifted_by(before)
                        .in_format("json"))
                }
            };
        }
        let line = utf8(&self.line, self.lines)?;
        let format = match self.named {
            Some(format) => format,
            None => detect(line).ok_or_else(|| self.unrecognised())?,
        };
        let placed = |error: ReadError| error.shifted_by(before).in_format(format.name());
        let found = match format.entry().read {
            Reader::Whole(read) => read(line, self.options).map_err(placed)?,
            Reader::Next(next) => {
                let mut place = TextPosition::default();
                let mut next = || next(line, &mut place).map_err(placed);
                [next()?, next()?].into_iter().flatten().collect()
            }
        };
        let mut found = found.into_iter();
        match (found.next(), found.next()) {
            (Some(mut one), None) => {
                one.line = self.lines;
                Ok(record(format, one))
            }
            _ => Err(placed(ReadError::new(1, 1, Item::OnePuzzlePerLine))),
        }
    }

    fn unrecognised(&self) -> ReadError {
        let names: Vec<&str> = Format::ALL.iter().map(|format| format.name()).collect();
        let start = String::from_utf8_lossy(&self.line[..self.line.len().min(200)]);
        let reason = Reason::UnknownFormat {
            formats: names.join(", "),
            found: crate::notation::short(start.trim()),
        };
        ReadError::new(self.lines, 1, reason).unknown_format()
    }
}

fn record(format: Format, parsed: ParsedPuzzle) -> Record {
    Record {
        setup: parsed.setup,
        format,
        line: parsed.line,
        notes: parsed.notes,
    }
}

fn utf8(line: &[u8], number: usize) -> Result<&str, ReadError> {
    std::str::from_utf8(line).map_err(|error| {
        let column = String::from_utf8_lossy(&line[..error.valid_up_to()])
            .chars()
            .count()
            + 1;
        ReadError::new(number, column, Reason::found(Item::Utf8, Item::OtherBytes))
    })
}

fn too_long(line: usize) -> ReadError {
    ReadError::new(line, 1, Reason::InputTooLong { most: MAX_DOCUMENT })
}

impl<R: BufRead> Iterator for Records<R> {
    type Item = Result<Record, ReadError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            match &mut self.state {
                State::Done => return None,
                State::Document(records) => return records.next().map(Ok),
                State::Text {
                    text,
                    place,
                    format,
                    next,
                } => {
                    let format = *format;
                    let found = next(text, place);
                    if !matches!(found, Ok(Some(_))) {
                        self.state = State::Done;
                    }
                    return found
                        .map_err(|error| error.in_format(format.name()))
                        .map(|parsed| parsed.map(|parsed| record(format, parsed)))
                        .transpose();
                }
                State::Start => match self.start() {
                    Ok(state) => self.state = state,
                    Err(error) => {
                        self.state = State::Done;
                        return Some(Err(error));
                    }
                },
                State::Lines { any } => {
                    if let Some(error) = self.before.take() {
                        return Some(Err(error));
                    }
                    if *any {
                        match self.next_line() {
                            Ok(true) => {}
                            Ok(false) => {
                                self.state = State::Done;
                                return None;
                            }
                            Err(error) => {
                                self.state = State::Done;
                                return Some(Err(error));
                            }
                        }
                    }
                    self.state = State::Lines { any: true };
                    if !is_blank(&self.line) {
                        return Some(self.read_line());
                    }
                }
            }
        }
    }
}

/// A puzzle that was read, with its line, its format and notes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    /// The position as it was written: it may still be invalid.
    pub setup: Setup,
    /// The format in which it was written.
    pub format: Format,
    /// The line at which it begins, from 1.
    pub line: usize,
    /// What the reader had to decide or leave out.
    pub notes: Vec<Note>,
}

/// The result of a format's reader.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ParsedPuzzle {
    pub(super) line: usize,
    pub(super) setup: Setup,
    pub(super) notes: Vec<Note>,
}

impl ParsedPuzzle {
    pub(super) fn new(line: usize, setup: Setup) -> Self {
        Self {
            line,
            setup,
            notes: Vec::new(),
        }
    }
}

/// How far a text with many puzzles has been read. They are parsed one by one, since a file can have
/// millions of tiny ones.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct TextPosition {
    /// In bytes.
    pub(super) offset: usize,
    /// Number of lines before it.
    pub(super) lines: usize,
    /// Whether the array of puzzles is closed, so that nothing can follow.
    pub(super) ended: bool,
}

impl TextPosition {
    /// The place at a later offset; counts only the lines in between.
    pub(super) fn moved_to(self, text: &str, offset: usize) -> Self {
        let passed = &text[self.offset..offset];
        Self {
            offset,
            ended: self.ended,
            lines: self.lines + passed.matches('\n').count(),
        }
    }
}

/// Whether a `DriftingDroids` ID includes the diagonals of D quadrants.
///
/// `DriftingDroids` ignores them; kevincox's site does not. The same ID can therefore have two optima.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum DroidDiagonals {
    /// As `DriftingDroids` reads its IDs.
    #[default]
    Without,
    /// As kevincox's site reads them.
    With,
}

/// Options for reading.
///
/// ```
/// use ricochet_core::formats::{DroidDiagonals, ReadOptions, read_records};
/// let id = "C765+2F+00FF+F0"; // the north-west quadrant is 1D
/// let plain = read_records(id, None, ReadOptions::default()).unwrap();
/// assert!(plain[0].setup.diagonals.is_empty());
/// let options = ReadOptions { droid_diagonals: DroidDiagonals::With };
/// let full = read_records(id, None, options).unwrap();
/// assert!(!full[0].setup.diagonals.is_empty());
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ReadOptions {
    /// How to read `DriftingDroids` IDs.
    pub droid_diagonals: DroidDiagonals,
}
