//! One puzzle of the input, and where it comes from.

use std::fmt;
use std::sync::Arc;

use ricochet_core::formats::{Note, ReadError, Record};
use ricochet_core::{Puzzle, Rules, Setup, notation};

use crate::args::puzzles::ReadArgs;
use crate::term::plain::Plain;

/// A puzzle that is an argument itself is shown to people by this many characters.
const MAX_SHOWN: usize = 57;

/// Where a puzzle comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Source {
    /// The file, or the whole argument.
    pub(crate) name: Arc<str>,
    /// Whether the argument is the puzzle itself, which can be long.
    is_puzzle: bool,
    /// The line of the file at which the puzzle begins, from 1.
    pub(crate) line: Option<usize>,
    /// Whether it is built in, so that every command finds it by this name: `random:2`.
    is_built_in: bool,
}

impl Source {
    /// A file, or something else that has no lines.
    pub(crate) fn whole(name: &Arc<str>) -> Self {
        Self {
            name: Arc::clone(name),
            is_puzzle: false,
            line: None,
            is_built_in: false,
        }
    }

    /// A built-in puzzle.
    pub(crate) fn built_in(name: &Arc<str>) -> Self {
        Self {
            is_built_in: true,
            ..Self::whole(name)
        }
    }

    /// A puzzle on the command line.
    pub(crate) fn argument(argument: &str) -> Self {
        Self {
            is_puzzle: true,
            ..Self::whole(&argument.trim().into())
        }
    }

    /// For programs: complete, so that different puzzles have different ids.
    fn id(&self) -> String {
        self.with_line(&self.name)
    }

    fn with_line(&self, name: &str) -> String {
        match self.line {
            Some(line) => format!("{}:{line}", Plain(name)),
            None => Plain(name).to_string(),
        }
    }

    pub(crate) fn at_line(self, line: usize) -> Self {
        Self {
            line: Some(line),
            ..self
        }
    }
}

/// For people: a long puzzle by its beginning.
impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.is_puzzle {
            return f.write_str(&self.id());
        }
        let first_line = self.name.lines().next().unwrap_or("");
        let mut shown: String = first_line.chars().take(MAX_SHOWN).collect();
        if shown.len() < self.name.len() {
            shown.push('…');
        }
        f.write_str(&self.with_line(&shown))
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
    pub(crate) fn new(source: Source, message: String) -> Self {
        Self {
            source,
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
                Some(format) => format!("{format}: {}", error.reason),
                None => error.reason.to_string(),
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
pub(crate) struct UncheckedPuzzle {
    pub(crate) source: Source,
    record: Record,
}

/// A puzzle that was read and is valid.
#[derive(Clone, Debug)]
pub(crate) struct InputPuzzle {
    pub(crate) puzzle: Puzzle,
    /// For programs: its own name, or else its source; for a position in words, its notation.
    pub(crate) id: String,
    /// For people: its own name, or else its source; a built-in puzzle is called what they wrote, such
    /// as `random:2`.
    pub(crate) name: String,
    /// Whether its name says more than its source.
    is_named: bool,
    /// Decisions and omissions of the reader.
    pub(crate) notes: Vec<Note>,
}

impl InputPuzzle {
    /// A puzzle that does not come from the input.
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

    /// A name that says more than the source, as a title.
    pub(crate) fn title(&self) -> Option<&str> {
        self.is_named.then_some(self.name.as_str())
    }
}

impl UncheckedPuzzle {
    pub(crate) fn new(source: Source, record: Record) -> Self {
        Self { source, record }
    }

    /// Validates the puzzle.
    pub(crate) fn check(self, read: ReadArgs) -> Result<InputPuzzle, InputError> {
        let puzzle = validate(self.record.setup, read).map_err(|message| InputError {
            source: self.source.clone(),
            column: None,
            message,
        })?;
        let id = match (puzzle.id(), read.layout) {
            (Some(id), _) => id.to_owned(),
            // Many positions have the same sides, so only the notation is unique.
            (None, Some(_)) => notation::to_line(&puzzle),
            (None, None) => self.source.id(),
        };
        let is_built_in = self.source.is_built_in;
        Ok(InputPuzzle {
            is_named: is_built_in || puzzle.id().is_some(),
            name: match puzzle.id() {
                Some(id) if !is_built_in => id.to_owned(),
                _ => self.source.to_string(),
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
        // The stated optimum holds only for the original rules.
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
