//! The interface of all solvers: the trait, its answers, and its observers.

use std::fmt;
use std::time::Duration;

use ricochet_core::{Puzzle, Solution};

use crate::trace::Recorder;
use crate::{Limit, Limits};

/// An algorithm with its allocations.
///
/// Every call of [`Solver::solve`] starts from scratch: only allocations are kept between calls, so
/// a reused solver gives the same answers as a new one.
///
/// ```
/// use ricochet_core::{Direction, Move, Puzzle};
/// use ricochet_solve::{
///     Failure, Guarantee, Limits, Observer, Outcome, NullObserver, Solver, Stats, Unsupported,
/// };
///
/// /// Knows solutions of one move.
/// struct OneMove;
///
/// impl Solver for OneMove {
///     fn name(&self) -> &'static str {
///         "one-move"
///     }
///
///     fn guarantee(&self) -> Guarantee {
///         Guarantee::Any
///     }
///
///     fn supports(&self, puzzle: &Puzzle) -> Result<(), Unsupported> {
///         match puzzle.rules().must_ricochet {
///             true => Err(Unsupported { what: "must_ricochet" }),
///             false => Ok(()),
///         }
///     }
///
///     fn solve(
///         &mut self,
///         puzzle: &Puzzle,
///         _: &Limits, // it is over before a limit could strike
///         _: &mut dyn Observer,
///     ) -> (Outcome, Stats) {
///         let start = puzzle.start();
///         let failed = |failure| Outcome::Failed { failure, lower_bound: 0 };
///         if let Err(unsupported) = self.supports(puzzle) {
///             return (failed(Failure::Unsupported(unsupported)), Stats::default());
///         }
///         let moves = start.robots().flat_map(|robot| {
///             Direction::ALL.map(|direction| Move { robot, direction })
///         });
///         for play in moves {
///             let next = puzzle.apply(start, play.robot, play.direction);
///             if next.is_some_and(|next| puzzle.is_solved(next)) {
///                 let solution = vec![play].into();
///                 let optimal = !puzzle.is_solved(start);
///                 let lower_bound = u32::from(optimal);
///                 return (Outcome::Solved { solution, optimal, lower_bound }, Stats::default());
///             }
///         }
///         (failed(Failure::SearchSpaceExhausted), Stats::default())
///     }
/// }
///
/// let puzzle = ricochet_core::notation::parse_line("8x8..00.R70").unwrap().validate().unwrap();
/// let (outcome, _) = OneMove.solve(&puzzle, &Limits::default(), &mut NullObserver);
/// assert_eq!(outcome.solution().unwrap().to_string(), "RE");
/// ```
pub trait Solver: Send {
    /// Its name in the registry.
    fn name(&self) -> &'static str;

    /// What a solution of it is worth.
    fn guarantee(&self) -> Guarantee;

    /// Whether it can take this puzzle (diagonals, any-robot goals, `must_ricochet`, size …).
    ///
    /// # Errors
    /// What it does not support. [`Solver::solve`] then answers [`Failure::Unsupported`].
    fn supports(&self, puzzle: &Puzzle) -> Result<(), Unsupported> {
        let _ = puzzle;
        Ok(())
    }

    /// Searches for a solution.
    fn solve(
        &mut self,
        puzzle: &Puzzle,
        limits: &Limits,
        watch: &mut dyn Observer,
    ) -> (Outcome, Stats);

    /// Frees the memory that is kept between calls.
    fn release(&mut self) {}
}

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
///
/// ```
/// use ricochet_core::notation;
/// use ricochet_solve::registry;
/// use ricochet_solve::{Limits, Outcome, NullObserver};
/// let puzzle = notation::parse_line("4x3..0012.R31").unwrap().validate().unwrap();
/// let mut solver = registry::build("flagship").unwrap();
/// match solver.solve(&puzzle, &Limits::default(), &mut NullObserver).0 {
///     Outcome::Solved { solution, optimal: true, .. } => println!("shortest: {solution}"),
///     Outcome::Solved { solution, lower_bound, .. } => {
///         println!("{solution}; at least {lower_bound} moves are needed");
///     }
///     Outcome::Unsolvable => panic!("it has a solution"),
///     Outcome::LimitReached { limit, .. } => panic!("nothing is limited, but: {limit}"),
///     Outcome::Failed { failure, .. } => panic!("{failure}"),
/// }
/// ```
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
    /// A solution than which no other is shorter; an empty one if the puzzle is solved already.
    pub fn optimal(solution: Solution) -> Self {
        Self::Solved {
            lower_bound: solution.len() as u32,
            solution,
            optimal: true,
        }
    }

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

    /// The limit that ended the search, if one did.
    pub fn limit_reached(&self) -> Option<LimitReached> {
        match *self {
            Self::LimitReached { limit, lower_bound } => Some(LimitReached { limit, lower_bound }),
            _ => None,
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

/// A limit ended the work before its answer was complete.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct LimitReached {
    /// Which.
    pub limit: Limit,
    /// What was looked for takes at least this many moves.
    pub lower_bound: u32,
}

impl fmt::Display for LimitReached {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.limit {
            Limit::Cancelled => f.write_str("cancelled")?,
            limit => write!(f, "{limit} reached")?,
        }
        match self.lower_bound {
            0 => Ok(()),
            1 => f.write_str("; at least 1 move is needed"),
            moves => write!(f, "; at least {moves} moves are needed"),
        }
    }
}

impl std::error::Error for LimitReached {}

impl From<LimitReached> for Outcome {
    fn from(LimitReached { limit, lower_bound }: LimitReached) -> Self {
        Self::LimitReached { limit, lower_bound }
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

impl std::error::Error for Failure {}

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

impl std::error::Error for Unsupported {}

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
    /// One row per depth or layer.
    pub rows: Vec<DepthRow>,
    /// The length that a solver computed without playing it, right or wrong: the published form of
    /// `stateless` has one.
    pub claimed: Option<u32>,
    /// Time of the search, set-up of the board's tables included.
    pub time: Duration,
}

/// Receives the progress of a search.
///
/// ```
/// use ricochet_core::notation;
/// use ricochet_solve::registry;
/// use ricochet_solve::{DepthRow, Limits};
/// let puzzle = notation::parse_line("4x3..0012.R31").unwrap().validate().unwrap();
/// let mut solver = registry::build("iddfs").unwrap();
/// // A closure is an observer; a type of one's own is another.
/// let mut depths = Vec::new();
/// let mut watch = |row: &DepthRow| depths.push(row.depth);
/// solver.solve(&puzzle, &Limits::default(), &mut watch);
/// assert_eq!(depths.last(), Some(&3));
/// ```
pub trait Observer {
    /// A depth or layer is finished: no solution has `row.depth` moves or fewer, unless the search
    /// ends with this row.
    fn depth_done(&mut self, row: &DepthRow) {
        let _ = row;
    }

    /// Where the events of the search go, if they are wanted. Solvers ask once, at the beginning.
    fn recorder(&mut self) -> Option<&mut Recorder> {
        None
    }
}

/// An observer that does nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct NullObserver;

impl Observer for NullObserver {}

impl<F: FnMut(&DepthRow)> Observer for F {
    fn depth_done(&mut self, row: &DepthRow) {
        self(row);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reached_limit_states_what_was_proved() {
        for (limit, lower_bound, text) in [
            (
                Limit::Moves,
                2,
                "move limit reached; at least 2 moves are needed",
            ),
            (
                Limit::Time,
                1,
                "time limit reached; at least 1 move is needed",
            ),
            (Limit::Cancelled, 0, "cancelled"),
        ] {
            let stopped = LimitReached { limit, lower_bound };
            assert_eq!(stopped.to_string(), text);
            assert_eq!(Outcome::from(stopped).limit_reached(), Some(stopped));
        }
    }
}
