//! `overlay`: a number for each cell.

use std::sync::Arc;

use ricochet_core::{Goal, Puzzle};
use ricochet_solve::heuristics::overlay::{self, Kind};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::call::Call;
use crate::error::Error;
use crate::json::RobotLetter;
use crate::puzzle_input::PuzzleInput;
use crate::request::Question;

/// The highest degree of critical paths that can be requested.
pub(crate) const MAX_DEGREE: u32 = 64;

/// Asks for a number for each cell.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Overlay {
    /// The puzzle in any format.
    pub puzzle: PuzzleInput,
    /// What the numbers mean.
    pub kind: OverlayKind,
    /// Use this robot instead of the goal's.
    #[serde(default)]
    pub robot: Option<RobotLetter>,
    /// The highest degree of the critical paths. Default: 3.
    #[serde(default)]
    #[schemars(range(min = 1, max = MAX_DEGREE))]
    pub degree: Option<u32>,
}

/// What the numbers of an overlay mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum OverlayKind {
    /// Fewest moves needed if the robot could stop anywhere.
    MinMoves,
    /// Critical paths: moves to the target without help.
    Critical,
    /// Critical positions: degree of the path that a helper there would serve.
    CriticalPositions,
    /// Cross block positions: moves once a helper is there.
    CrossBlock,
    /// Fewest moves after which the robot can stop there.
    Reach,
}

impl From<Kind> for OverlayKind {
    fn from(kind: Kind) -> Self {
        match kind {
            Kind::MinMoves => Self::MinMoves,
            Kind::Critical => Self::Critical,
            Kind::CriticalPositions => Self::CriticalPositions,
            Kind::CrossBlock => Self::CrossBlock,
            Kind::Reach => Self::Reach,
        }
    }
}

impl From<OverlayKind> for Kind {
    fn from(kind: OverlayKind) -> Self {
        match kind {
            OverlayKind::MinMoves => Self::MinMoves,
            OverlayKind::Critical => Self::Critical,
            OverlayKind::CriticalPositions => Self::CriticalPositions,
            OverlayKind::CrossBlock => Self::CrossBlock,
            OverlayKind::Reach => Self::Reach,
        }
    }
}

/// A number or null for each cell.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct OverlayAnswer {
    /// What the numbers mean.
    pub kind: OverlayKind,
    /// A description of the numbers.
    pub title: &'static str,
    /// Columns.
    pub width: usize,
    /// Rows.
    pub height: usize,
    /// Row by row; null for cells without a number.
    pub values: Vec<Option<u32>>,
}

impl OverlayAnswer {
    /// The overlay of a puzzle.
    pub fn of(puzzle: &Puzzle, kind: Kind, degree: u32) -> Self {
        Self {
            kind: kind.into(),
            title: title(kind),
            width: puzzle.board().width(),
            height: puzzle.board().height(),
            values: values(puzzle, kind, degree),
        }
    }
}

/// What an overlay shows, in words.
pub fn title(kind: Kind) -> &'static str {
    match kind {
        Kind::MinMoves => "Fewest moves needed if the robot could stop anywhere",
        Kind::Critical => "Critical paths: moves to the target without help",
        Kind::CriticalPositions => {
            "Critical positions: degree of the path that a helper there would serve"
        }
        Kind::CrossBlock => "Cross block positions: moves once a helper is there",
        Kind::Reach => "Fewest moves after which the robot can stop there",
    }
}

/// The values of an overlay.
pub fn values(puzzle: &Puzzle, kind: Kind, degree: u32) -> Vec<Option<u32>> {
    match kind {
        Kind::MinMoves => overlay::min_moves(puzzle),
        Kind::Critical => overlay::critical_paths(puzzle, degree),
        Kind::CriticalPositions => overlay::critical_positions(puzzle, degree),
        Kind::CrossBlock => overlay::cross_block_scores(puzzle, degree),
        Kind::Reach => overlay::reach(puzzle),
    }
}

/// The requested degree, if it is within bounds.
pub(crate) fn degree(requested: Option<u32>) -> Result<u32, Error> {
    match requested {
        None => Ok(Kind::DEGREE),
        Some(degree) if (1..=MAX_DEGREE).contains(&degree) => Ok(degree),
        Some(degree) => Err(Error::bad_request(format!(
            "degree {degree} is not within 1 to {MAX_DEGREE}"
        ))),
    }
}

impl Question for Overlay {
    type Answer = OverlayAnswer;

    fn puzzle_mut(&mut self) -> Option<&mut PuzzleInput> {
        Some(&mut self.puzzle)
    }

    fn answer(&self, call: &mut Call<'_>) -> Result<OverlayAnswer, Error> {
        let mut puzzle = call.puzzle(&self.puzzle)?;
        let degree = degree(self.degree)?;
        if let Some(RobotLetter(robot)) = self.robot {
            let goal = Goal {
                robot: Some(robot),
                ..puzzle.goal()
            };
            puzzle = Arc::new(puzzle.with_position(puzzle.start().cells(), goal)?);
        }
        Ok(OverlayAnswer::of(&puzzle, self.kind.into(), degree))
    }
}
