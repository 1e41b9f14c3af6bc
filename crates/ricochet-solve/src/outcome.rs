//! What a solver answers.

use std::fmt;
use std::time::Duration;

use ricochet::Solution;

use crate::limits::Limit;

/// What 'solved' means for a solver.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Guarantee {
    /// Solutions have the fewest moves possible; 'unsolvable' is a proof.
    Optimal,
    /// Finds a solution whenever one exists, but perhaps not a shortest one.
    Complete,
    /// Solutions are valid, but may be longer than needed, and some puzzles are not solved.
    Any,
}

impl fmt::Display for Guarantee {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Optimal => "optimal",
            Self::Complete => "complete",
            Self::Any => "any",
        })
    }
}

/// The answer to one puzzle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// A solution, already replayed cell by cell. An empty one means 'already solved'.
    Solved {
        /// The moves.
        solution: Solution,
        /// Whether this run proved that no shorter solution exists.
        optimal: bool,
        /// No solution is shorter than this (equal to the length if `optimal`).
        lower_bound: u32,
    },
    /// Proof that no sequence of moves solves the puzzle.
    Unsolvable,
    /// A limit ended the search.
    LimitReached {
        /// Which.
        limit: Limit,
        /// No solution has fewer moves than this.
        lower_bound: u32,
    },
    /// The solver is not complete and has nothing left to try, or cannot take the puzzle.
    Failed {
        /// Why.
        failure: Failure,
        /// No solution has fewer moves than this.
        lower_bound: u32,
    },
}

impl Outcome {
    /// The solution, if there is one.
    pub fn solution(&self) -> Option<&Solution> {
        match self {
            Self::Solved { solution, .. } => Some(solution),
            _ => None,
        }
    }

    /// The lower bound that was proved; `None` for unsolvable.
    pub fn lower_bound(&self) -> Option<u32> {
        match self {
            Self::Solved { lower_bound, .. }
            | Self::LimitReached { lower_bound, .. }
            | Self::Failed { lower_bound, .. } => Some(*lower_bound),
            Self::Unsolvable => None,
        }
    }

    /// `solved`, `unsolvable`, `limit` or `failed`.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Solved { .. } => "solved",
            Self::Unsolvable => "unsolvable",
            Self::LimitReached { .. } => "limit",
            Self::Failed { .. } => "failed",
        }
    }
}

/// Why a solver failed without reaching a limit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Failure {
    /// An incomplete search has looked at all that it looks at.
    SearchSpaceExhausted,
    /// The algorithm claims a length, but the moves it rebuilds do not solve the puzzle.
    NotReplayable {
        /// The number of moves claimed.
        claimed: u32,
    },
    /// The solver does not handle such puzzles.
    Unsupported(Unsupported),
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::SearchSpaceExhausted => f.write_str("search space exhausted"),
            Self::NotReplayable { claimed } => {
                write!(f, "claims {claimed} moves, which cannot be replayed")
            }
            Self::Unsupported(what) => what.fmt(f),
        }
    }
}

/// Something that a solver does not support.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unsupported {
    /// What, as a noun: `diagonals`, `an any-robot target` …
    pub what: &'static str,
}

impl fmt::Display for Unsupported {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} not supported", self.what)
    }
}

/// One finished depth or layer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DepthRow {
    /// The depth, or the f-value of the layer.
    pub depth: u32,
    /// Nodes visited at this depth (the slides' `Nodes`).
    pub nodes: u64,
    /// Nodes that passed the goal, depth and bound tests (the slides' `inner`).
    pub inner: u64,
    /// Inner nodes that the memo pruned (the slides' `hits`).
    pub hits: u64,
}

/// What a search did. Fields that a solver has no use for stay 0.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    /// Search nodes visited.
    pub nodes: u64,
    /// Nodes that passed the cheap tests.
    pub inner: u64,
    /// Nodes that a memo or visited table pruned.
    pub hits: u64,
    /// Nodes whose successors were generated.
    pub expanded: u64,
    /// Successors generated.
    pub generated: u64,
    /// States held in tables at the end.
    pub stored: u64,
    /// Most bytes held at once by the solver's own tables and queues.
    pub peak_bytes: u64,
    /// One row a depth or layer.
    pub rows: Vec<DepthRow>,
    /// Time of the search, set-up of the board's tables included.
    pub time: Duration,
}

/// Hears about progress.
pub trait Observer {
    /// A depth or layer is finished: no solution has `row.depth` moves or fewer, unless the search
    /// ends with this row.
    fn depth_done(&mut self, row: &DepthRow) {
        let _ = row;
    }
}

/// An observer that does nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct Silent;

impl Observer for Silent {}

impl<F: FnMut(&DepthRow)> Observer for F {
    fn depth_done(&mut self, row: &DepthRow) {
        self(row);
    }
}
