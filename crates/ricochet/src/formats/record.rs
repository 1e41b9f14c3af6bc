//! What readers give back.

use super::note::Note;
use super::registry::Format;
use crate::puzzle::Setup;

/// One puzzle that was read, with where it stood and what is to be said about it.
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
