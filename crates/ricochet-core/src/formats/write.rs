//! What writers share: the text with its notes, and checks of what a format can express.

use std::fmt;

use super::format::Format;
use super::records::DroidDiagonals;
use crate::puzzle::Puzzle;

/// What a [`Note`] is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum NoteSubject {
    /// The puzzle's name.
    Id,
    /// The stated optimal number of moves.
    Optimal,
    /// Targets printed on the board.
    Targets,
    /// The diagonals of D quadrants, which `DriftingDroids` leaves out.
    Diagonals,
    /// The goal.
    Goal,
    /// The robots.
    Robots,
    /// A solution or a plan's length that came with the puzzle.
    Solution,
}

/// Something that the puzzle has and the format does not, or vice versa.
///
/// Only annotations (name, optimum, printed targets) and readings are ever noted. What defines the
/// puzzle is either written or an error.
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
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PuzzleText {
    /// The text, without a line break at its end.
    pub text: String,
    /// What the text does not express.
    pub notes: Vec<Note>,
}

impl PuzzleText {
    /// A text that expresses everything.
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
    /// Every reason.
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

/// Options for writing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WriteOptions {
    /// The reading for which a `DriftingDroids` ID is written.
    pub droid_diagonals: DroidDiagonals,
}

/// Collects reasons and notes while a puzzle is compared with a format.
pub(super) struct WriteCheck<'p> {
    puzzle: &'p Puzzle,
    format: Format,
    reasons: Vec<String>,
    notes: Vec<Note>,
}

impl<'p> WriteCheck<'p> {
    /// For another program's format: none of them has our rules or a name.
    pub(super) fn new(format: Format, puzzle: &'p Puzzle) -> Self {
        let mut check = Self {
            puzzle,
            format,
            reasons: Vec::new(),
            notes: Vec::new(),
        };
        if puzzle.rules().must_ricochet {
            check.reason("the format has no way to say that the robot must ricochet");
        }
        if let Some(id) = puzzle.id() {
            let id = crate::notation::short(id);
            check.note(
                NoteSubject::Id,
                format!("{format} does not carry the name {id}"),
            );
        }
        check
    }

    pub(super) fn reason(&mut self, reason: impl Into<String>) {
        self.reasons.push(reason.into());
    }

    pub(super) fn note(&mut self, about: NoteSubject, message: impl Into<String>) {
        self.notes.push(Note::new(about, message));
    }

    pub(super) fn size(&mut self, width: usize, height: usize) -> &mut Self {
        let board = self.puzzle.board();
        let found = (board.width(), board.height());
        if found != (width, height) {
            self.reason(format!(
                "its boards have {width}×{height} cells, this one has {}×{}",
                found.0, found.1
            ));
        }
        self
    }

    pub(super) fn at_most_robots(&mut self, most: usize) -> &mut Self {
        let found = self.puzzle.start().len();
        if found > most {
            self.reason(format!(
                "it has at most {most} robots, this puzzle has {found}"
            ));
        }
        self
    }

    pub(super) fn no_diagonals(&mut self) -> &mut Self {
        if !self.puzzle.board().diagonals().is_empty() {
            self.reason("the format has no diagonals");
        }
        self
    }

    pub(super) fn one_robot_goal(&mut self) -> &mut Self {
        if self.puzzle.goal().robot.is_none() {
            self.reason("the format has no goal for any robot");
        }
        self
    }

    pub(super) fn drops_optimal(&mut self) -> &mut Self {
        if let Some(optimal) = self.puzzle.known_optimal() {
            let message = format!(
                "{} does not carry the optimum of {optimal} moves",
                self.format
            );
            self.note(NoteSubject::Optimal, message);
        }
        self
    }

    pub(super) fn drops_targets(&mut self) -> &mut Self {
        let count = self.puzzle.board().targets().len();
        if count > 0 {
            let message = format!("{} does not carry the {count} printed targets", self.format);
            self.note(NoteSubject::Targets, message);
        }
        self
    }

    /// The text with its notes, unless there is a reason against it.
    pub(super) fn finish(self, text: impl FnOnce() -> String) -> Result<PuzzleText, WriteError> {
        if self.reasons.is_empty() {
            Ok(PuzzleText {
                text: text(),
                notes: self.notes,
            })
        } else {
            Err(WriteError {
                format: self.format.name(),
                reasons: self.reasons,
            })
        }
    }
}
