//! Every solver of the seeds and our own, behind one interface.
//!
//! A [`Solver`] takes a valid [`Puzzle`] and [`Limits`] and gives an [`Outcome`] and [`Stats`].
//! 'Solved', 'proven unsolvable', 'limit reached' and 'failed' are different answers, and
//! [`Guarantee`] says what 'solved' means. Solvers are made by name through [`registry`].

pub mod bound;
mod budget;
pub mod difficulty;
pub mod flagship;
mod game;
pub mod graph;
pub mod iddfs;
mod limits;
pub mod naive;
mod outcome;
pub mod overlay;
pub mod registry;
pub mod setups;
pub mod stateless;
mod store;
pub mod tablebase;
mod ways;

pub use limits::{CancelToken, Limit, Limits, Meter};
pub use outcome::{DepthRow, Failure, Guarantee, Observer, Outcome, Silent, Stats, Unsupported};
pub use ways::all_shortest;

use ricochet::Puzzle;

/// An algorithm with its allocations.
///
/// Every call of [`Solver::solve`] starts from scratch: only allocations are kept between calls, so
/// a reused solver gives the same answers as a new one.
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
}
