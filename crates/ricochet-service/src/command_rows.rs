//! Rows that commands print with `--json` and that are not answers of the HTTP API.

use std::collections::BTreeMap;

use ricochet_solve::tablebase::Probe;
use schemars::JsonSchema;
use serde::Serialize;

use crate::json::{MoveList, MoveName};
use crate::puzzle_view::PuzzleView;
use crate::questions::overlay::OverlayAnswer;

/// The row of a puzzle that cannot be read or answered, so that rows align with the input.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ErrorRow {
    outcome: ErrorOutcome,
    /// The file or argument that was read.
    pub file: String,
    /// The line in the file, counted from 1.
    pub line: Option<usize>,
    /// The column, counted from 1.
    pub column: Option<usize>,
    /// The error as an English sentence.
    pub message: String,
}

/// Marks a row as an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum ErrorOutcome {
    Error,
}

impl ErrorRow {
    /// The row of an error.
    pub fn new(
        file: impl Into<String>,
        line: Option<usize>,
        column: Option<usize>,
        message: impl Into<String>,
    ) -> Self {
        Self {
            outcome: ErrorOutcome::Error,
            file: file.into(),
            line,
            column,
            message: message.into(),
        }
    }
}

/// What `ricochet show --json` prints for each puzzle.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ShowRow {
    /// The position.
    #[serde(flatten)]
    pub view: PuzzleView,
    /// With `--overlay`: a number for each cell.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub overlay: Option<OverlayAnswer>,
}

/// What `ricochet perft --json` prints for each depth.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct PerftRow {
    /// The puzzle's name, or its place in the input.
    pub id: String,
    /// Number of moves.
    pub depth: u32,
    /// The count of each column; null if there was not enough memory.
    pub counts: BTreeMap<String, Option<u64>>,
}

/// What `ricochet perft --divide --json` prints for each first move.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct PerftMoveRow {
    /// The puzzle's name, or its place in the input.
    pub id: String,
    /// Number of moves, including the first.
    pub depth: u32,
    /// The first move.
    #[serde(rename = "move")]
    pub play: MoveName,
    /// The number of sequences that begin with it.
    pub count: u64,
}

/// What `ricochet tablebase probe --json` prints for each position.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ProbeRow {
    /// The puzzle's name, or its place in the input.
    pub id: String,
    /// `solved` or `unsolvable`.
    pub outcome: ProbeOutcome,
    /// The fewest moves to the goal; null if it cannot be reached.
    pub length: Option<u32>,
    /// All first moves of shortest solutions.
    pub best_moves: MoveList,
    /// How many shortest solutions there are.
    pub solutions: u128,
}

/// The result of a tablebase lookup.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum ProbeOutcome {
    /// The goal can be reached.
    Solved,
    /// The goal cannot be reached.
    Unsolvable,
}

impl ProbeRow {
    /// The row for a lookup.
    pub fn of(id: impl Into<String>, probe: &Probe) -> Self {
        Self {
            id: id.into(),
            outcome: match probe.distance {
                Some(_) => ProbeOutcome::Solved,
                None => ProbeOutcome::Unsolvable,
            },
            length: probe.distance,
            best_moves: MoveList(probe.best_moves.clone()),
            solutions: probe.solutions,
        }
    }
}
