//! One puzzle of the input, and where it stands.

use std::fmt;
use std::sync::Arc;

use ricochet_core::formats::{Note, ReadError, Record};
use ricochet_core::{Puzzle, Rules, Setup, notation};

use crate::args::puzzles::ReadArgs;
use crate::term::plain::Plain;

/// Where a puzzle stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Source {
    /// The file, or the argument itself.
    pub(crate) name: Arc<str>,
    /// The line of the file at which the puzzle begins, from 1.
    pub(crate) line: Option<usize>,
    /// Whether it is one of ours, which every command finds by its place: `random:2`.
    pub(crate) is_built_in: bool,
}

impl Source {
    /// What is no file, or a file as a whole.
    pub(crate) fn whole(name: &Arc<str>) -> Self {
        Self {
            name: Arc::clone(name),
            line: None,
            is_built_in: false,
        }
    }

    pub(crate) fn at_line(self, line: usize) -> Self {
        Self {
            line: Some(line),
            ..self
        }
    }
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
    pub(crate) fn new(name: &Arc<str>, message: String) -> Self {
        Self {
            source: Source::whole(name),
            column: None,
            message,
        }
    }

    /// A reader's error in a file.
    pub(crate) fn in_file(name: &Arc<str>, error: &ReadError) -> Self {
        Self {
            source: Source::whole(name).at_line(error.line),
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
pub(crate) struct InputPuzzle {
    pub(crate) puzzle: Puzzle,
    /// For programs: its own name, or else where it stood; a position in words is called by its
    /// notation.
    pub(crate) id: String,
    /// For people: its own name, or else where it stood; one of ours is called what they wrote,
    /// such as `random:2`.
    pub(crate) name: String,
    /// Whether its name says more than where it stood.
    is_named: bool,
    /// What the reader had to decide or leave out.
    pub(crate) notes: Vec<Note>,
}

impl InputPuzzle {
    /// A puzzle that was not read but made.
    pub(crate) fn new(puzzle: Puzzle, id: impl Into<String>) -> Self {
        let id = id.into();
        Self {
            puzzle,
            name: id.clone(),
            id,
            is_named: true,
            notes: Vec::new(),
        }
    }

    /// What to write above it: a name that tells more than where it stood.
    pub(crate) fn title(&self) -> Option<&str> {
        self.is_named.then_some(self.name.as_str())
    }
}

impl Item {
    pub(crate) fn new(source: Source, record: Record) -> Self {
        Self { source, record }
    }

    /// Validates it.
    pub(crate) fn check(self, read: ReadArgs) -> Result<InputPuzzle, InputError> {
        let puzzle = validate(self.record.setup, read).map_err(|message| InputError {
            source: self.source.clone(),
            column: None,
            message,
        })?;
        let place = self.source.to_string();
        let id = match (puzzle.id(), read.layout) {
            (Some(id), _) => id.to_owned(),
            // Many positions have the same sides; the puzzle itself tells them apart.
            (None, Some(_)) => notation::to_line(&puzzle),
            (None, None) => place.clone(),
        };
        let is_built_in = self.source.is_built_in;
        Ok(InputPuzzle {
            is_named: is_built_in || puzzle.id().is_some(),
            name: if is_built_in || puzzle.id().is_none() {
                place
            } else {
                id.clone()
            },
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
