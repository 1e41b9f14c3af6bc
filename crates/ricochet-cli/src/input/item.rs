//! One puzzle of the input, and where it stands.

use std::fmt;
use std::sync::Arc;

use ricochet::formats::{Note, ReadError, Record};
use ricochet::{Puzzle, Rules, Setup};

use super::ReadArgs;
use crate::plain::Plain;

/// Where a puzzle stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Source {
    /// The file, or the argument itself.
    pub(crate) name: Arc<str>,
    /// The line of the file at which the puzzle begins, from 1.
    pub(crate) line: Option<usize>,
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", Plain(&self.name))?;
        match self.line {
            Some(line) => write!(f, ":{line}"),
            None => Ok(()),
        }
    }
}

/// A puzzle that cannot be read: `file:line:column: what was expected`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct InputError {
    pub(crate) source: Source,
    /// From 1.
    pub(crate) column: Option<usize>,
    pub(crate) message: String,
}

impl InputError {
    pub(super) fn new(name: &Arc<str>, message: String) -> Self {
        Self {
            source: Source {
                name: Arc::clone(name),
                line: None,
            },
            column: None,
            message,
        }
    }

    /// A reader's error in a file.
    pub(super) fn in_file(name: &Arc<str>, error: &ReadError) -> Self {
        Self {
            source: Source {
                name: Arc::clone(name),
                line: Some(error.line),
            },
            column: Some(error.column),
            message: match error.format {
                Some(format) => format!("{format}: {}", error.message),
                None => error.message.clone(),
            },
        }
    }
}

impl fmt::Display for InputError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.source)?;
        if let (Some(_), Some(column)) = (self.source.line, self.column) {
            write!(f, ":{column}")?;
        }
        write!(f, ": {}", Plain(&self.message))
    }
}

impl std::error::Error for InputError {}

/// One puzzle of the input, read but not yet checked.
pub(crate) struct Item {
    pub(crate) source: Source,
    record: Record,
}

/// A puzzle that was read and is valid.
#[derive(Clone, Debug)]
pub(crate) struct ReadPuzzle {
    pub(crate) puzzle: Puzzle,
    /// Its own name, or else where it stood.
    pub(crate) id: String,
    /// What the reader had to decide or leave out.
    pub(crate) notes: Vec<Note>,
}

impl ReadPuzzle {
    /// A puzzle that was not read but made.
    pub(crate) fn made(puzzle: Puzzle, id: impl Into<String>) -> Self {
        Self {
            puzzle,
            id: id.into(),
            notes: Vec::new(),
        }
    }
}

impl Item {
    pub(super) fn new(source: Source, record: Record) -> Self {
        Self { source, record }
    }

    /// Validates it.
    pub(crate) fn check(self, read: ReadArgs) -> Result<ReadPuzzle, InputError> {
        let puzzle = validate(self.record.setup, read).map_err(|message| InputError {
            source: self.source.clone(),
            column: None,
            message,
        })?;
        let id = puzzle
            .id()
            .map_or_else(|| self.source.to_string(), str::to_owned);
        Ok(ReadPuzzle {
            puzzle,
            id,
            notes: self.record.notes,
        })
    }
}

fn validate(mut setup: Setup, read: ReadArgs) -> Result<Puzzle, String> {
    if read.options.repair_walls {
        setup.repair_walls();
    }
    if read.layout.is_none() {
        read.change(&mut setup)?;
    }
    if read.options.must_ricochet && !setup.rules.must_ricochet {
        // A stated optimum is for the rules that were stated with it.
        setup.rules = Rules {
            must_ricochet: true,
        };
        setup.optimal = None;
    }
    setup.validate().map_err(|invalid| {
        let advice = if invalid.is_repairable() {
            ": add --repair-walls"
        } else {
            ""
        };
        format!("{invalid}{advice}")
    })
}
