//! What a format can express: everything that stands in the way of writing a puzzle, and everything
//! that is left out.

use super::note::{Note, NoteSubject, PuzzleText, WriteError};
use super::registry::Format;
use crate::puzzle::Puzzle;

/// Collects reasons and notes while a puzzle is held against a format.
pub(super) struct Audit<'p> {
    puzzle: &'p Puzzle,
    format: Format,
    reasons: Vec<String>,
    notes: Vec<Note>,
}

impl<'p> Audit<'p> {
    /// For a foreign format: none of them knows our rules, and none carries a name.
    pub(super) fn new(format: Format, puzzle: &'p Puzzle) -> Self {
        let mut audit = Self {
            puzzle,
            format,
            reasons: Vec::new(),
            notes: Vec::new(),
        };
        if puzzle.rules().must_ricochet {
            audit.reason("the format has no way to say that the robot must ricochet");
        }
        if let Some(id) = puzzle.id() {
            let id = crate::notation::short(id);
            audit.note(
                NoteSubject::Id,
                format!("{format} does not carry the name {id}"),
            );
        }
        audit
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

    /// The text with its notes, unless something stands in the way; only then is it made.
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
