//! What reading or writing could not carry over, so that nothing is lost in silence.

use std::fmt;

/// What a [`Note`] is about.
///
/// ```
/// use ricochet_core::formats::{self, NoteSubject, Format};
/// let puzzle = formats::read("4x4..00.R33.nhome").unwrap().remove(0).validate().unwrap();
/// let written = formats::write(Format::Roboyard, &puzzle).unwrap();
/// assert!(written.notes.iter().any(|note| note.about == NoteSubject::Id));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum NoteSubject {
    /// The puzzle's name.
    Id,
    /// The stated optimal number of moves.
    Optimal,
    /// Targets printed on the board.
    Targets,
    /// The diagonals of D sides, which `DriftingDroids` leaves out.
    Diagonals,
    /// The goal.
    Goal,
    /// The robots.
    Robots,
    /// A solution or a plan's length that came with the puzzle.
    Solution,
}

/// Something that a format does not carry although the puzzle has it, or the other way round.
///
/// Only annotations (name, optimum, printed targets) and readings are ever noted. What decides the
/// puzzle itself is either written or an error.
///
/// ```
/// use ricochet_core::formats::{self, NoteSubject, Format};
/// let puzzle = formats::read("4x4..00.R33.o2").unwrap().remove(0).validate().unwrap();
/// let notes = formats::write(Format::Roboyard, &puzzle).unwrap().notes;
/// assert_eq!(notes[0].about, NoteSubject::Optimal);
/// assert_eq!(notes[0].to_string(), "roboyard does not carry the optimum of 2 moves");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// What it is about.
    pub about: NoteSubject,
    /// A sentence for people.
    pub message: String,
}

impl Note {
    /// A note.
    ///
    /// ```
    /// use ricochet_core::formats::{NoteSubject, Note};
    /// assert_eq!(Note::new(NoteSubject::Goal, "any robot").to_string(), "any robot");
    /// ```
    pub fn new(about: NoteSubject, message: impl Into<String>) -> Self {
        Self {
            about,
            message: message.into(),
        }
    }
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

/// A puzzle in a format.
///
/// ```
/// use ricochet_core::formats::{self, Format};
/// let puzzle = formats::read("4x4..00.R33").unwrap().remove(0).validate().unwrap();
/// let written = formats::write(Format::Line, &puzzle).unwrap();
/// assert_eq!(written.text.trim_end(), "4x4..00.R33");
/// assert!(written.notes.is_empty(), "nothing was left out");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PuzzleText {
    /// The text, without a line break at its end.
    pub text: String,
    /// What the text does not say.
    pub notes: Vec<Note>,
}

impl PuzzleText {
    /// A text that says everything.
    pub(super) fn complete(text: String) -> Self {
        Self {
            text,
            notes: Vec::new(),
        }
    }
}

/// A puzzle that a format cannot express.
///
/// ```
/// use ricochet_core::formats::{self, Format};
/// let puzzle = formats::read("4x5..00.V33").unwrap().remove(0).validate().unwrap();
/// let error = formats::write(Format::Asp, &puzzle).unwrap_err();
/// assert_eq!(error.reasons.len(), 2, "all of them, not just the first: {error}");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WriteError {
    /// The format's name.
    pub format: &'static str,
    /// Everything that stands in the way.
    pub reasons: Vec<String>,
}

impl fmt::Display for WriteError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} cannot express this puzzle: {}",
            self.format,
            self.reasons.join("; ")
        )
    }
}

impl std::error::Error for WriteError {}
