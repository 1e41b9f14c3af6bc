//! What readers give back.

use super::note::Note;
use super::registry::Format;
use crate::puzzle::Setup;

/// One puzzle that was read, with where it stood and what is to be said about it.
///
/// ```
/// use ricochet_core::formats::{Format, Records};
/// let file = "# two puzzles\n4x4..00.R33\n4x4..00.R30\n";
/// let records: Vec<_> = Records::new(file.as_bytes()).collect::<Result<_, _>>().unwrap();
/// assert_eq!((records[1].line, records[1].format), (3, Format::Line));
/// ```
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

/// What a single format's reader found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Parsed {
    pub(super) line: usize,
    pub(super) setup: Setup,
    pub(super) notes: Vec<Note>,
}

impl Parsed {
    pub(super) fn new(line: usize, setup: Setup) -> Self {
        Self {
            line,
            setup,
            notes: Vec::new(),
        }
    }
}

/// How far a text with many puzzles was read, so that they come one by one: a file of tiny puzzles
/// has millions, and only its text is held in memory.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Place {
    /// In bytes.
    pub(super) offset: usize,
    /// Lines that end before it.
    pub(super) lines: usize,
    /// Whether nothing can follow: the array that holds the puzzles is closed.
    pub(super) ended: bool,
}

impl Place {
    /// The place at a later offset; lines are counted on, so that the whole stays linear.
    pub(super) fn moved_to(self, text: &str, offset: usize) -> Self {
        let passed = &text[self.offset..offset];
        Self {
            offset,
            ended: self.ended,
            lines: self.lines + passed.matches('\n').count(),
        }
    }
}
