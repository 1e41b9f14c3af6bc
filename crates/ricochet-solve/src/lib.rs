//! Solvers for Ricochet Robots behind one interface: those of the published texts that this project
//! builds on, a faster one of our own, and what can be learned from them about a puzzle.
//!
//! # From text to solution
//!
//! ```text
//! text ──► Setup ──────► Puzzle ──► Solver ──► Outcome ──► Solution ──► Trace
//!    read     validate         solve        │                  replay
//!                              ▲            └─► Stats
//!                        Limits, Observer
//! ```
//!
//! The crate [`ricochet_core`] reads text into a `Setup` and makes a valid [`Puzzle`](ricochet_core::Puzzle) of it. Here a
//! [`Solver`], one of this crate or made by name from the [`registry`], takes the puzzle and [`Limits`], reports its
//! progress to an [`Observer`], and returns an [`Outcome`] and [`Stats`]. The solution in it can be
//! replayed cell by cell, by slow and obvious code of `ricochet-core` that shares nothing with its tables.
//!
//! # A first program
//!
//! ```
//! use std::time::Duration;
//!
//! use ricochet_core::notation;
//! use ricochet_solve::flagship::Flagship;
//! use ricochet_solve::{Limits, Outcome, NullObserver, Solver};
//!
//! // Text, setup, puzzle: red at (0,0) has to come to rest on (3,1), green is at (1,2).
//! let puzzle = notation::parse_line("4x3..0012.R31")?.validate()?;
//!
//! // A solver, and what it may spend.
//! let mut solver = Flagship::new();
//! let limits = Limits {
//!     time: Some(Duration::from_secs(60)),
//!     ..Limits::default()
//! };
//! let (outcome, stats) = solver.solve(&puzzle, &limits, &mut NullObserver);
//!
//! // Four kinds of answer, of which this is one.
//! let Outcome::Solved { solution, optimal, .. } = outcome else {
//!     panic!("{}", outcome.name());
//! };
//! assert_eq!((solution.len(), optimal), (3, true));
//! println!("{solution} in {:?}", stats.time);
//!
//! // Anyone can check it: replay moves the robots cell by cell.
//! let trace = solution.replay(&puzzle)?;
//! assert_eq!(trace.steps.last().unwrap().to, puzzle.goal().cell);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # What an answer means
//!
//! - [`Outcome::Solved`]: here is a solution, and it was replayed. If `optimal` is set, this run
//!   has proved that there is no shorter one; otherwise `lower_bound` says how short one could be.
//! - [`Outcome::Unsolvable`]: a proof that no sequence of moves leads to the goal.
//! - [`Outcome::LimitReached`]: the time, memory, nodes or moves of [`Limits`] are used up, or
//!   the search was cancelled. It says nothing about whether there is a solution, but `lower_bound` holds.
//! - [`Outcome::Failed`]: the algorithm has nothing left to try, or does not support the puzzle. It
//!   is no proof of anything.
//!
//! [`Guarantee`] says what to expect of a solver before it runs. An [`Optimal`](Guarantee::Optimal)
//! one gives shortest solutions and proofs, if the limits let it end; a
//! [`Complete`](Guarantee::Complete) one finds some solution whenever there is one; other solvers
//! guarantee only that a solution is valid. The outcome says whether a particular solution is
//! optimal: a solver without guarantee may have proved it this time.
//!
//! # Where to go next
//!
//! | topic | modules |
//! |---|---|
//! | which solvers there are, and their parameters | [`registry`] |
//! | the fastest optimal solver | [`flagship`] |
//! | the slides' iterative deepening | [`iddfs`](published::iddfs) |
//! | the thesis's algorithms | [`naive`](published::naive), [`graph`](published::graph), [`stateless`](published::stateless) |
//! | the report's searches with setups | [`setups`](published::setups) |
//! | answers for all starts of a board at once | [`tablebase`] |
//! | puzzles that pass a filter, long ones from tables | [`generation`] |
//! | every shortest solution, not just one | [`all`] |
//! | how far every cell is, in one pass | [`distances`] |
//! | what every legal move makes of a position | [`evaluate`] |
//! | lower bounds, and maps to draw over a board | [`bound`](heuristics::bound), [`overlay`](heuristics::overlay) |
//! | how hard a puzzle is for people | [`difficulty`] |
//! | every step of a search, to watch it | [`trace`] |
//!
//! Three texts are cited throughout. *The slides* are M. Fogleman's *Ricochet Robots: Solver
//! Algorithms* (2012). *The report* is L. Diepold's *Project AI in Games: Ricochet Robots*. *The
//! thesis*, with its drafts, surveys two known algorithms (here [`naive`](published::naive) and [`iddfs`](published::iddfs)) and designs
//! three new ones (`graph-v1` and `graph-v2` in [`graph`](published::graph), and [`stateless`](published::stateless)).
//!
//! A solver of one's own is a type that implements [`Solver`]. The folder `examples` has small
//! programs: `solve`, `generate`, `all_solutions`, `own_solver` and `batch`.

pub mod all;
#[doc(hidden)] // For the workspace alone: it may change in any version.
pub mod atomic_file;
pub mod difficulty;
pub mod distances;
pub mod evaluate;
pub mod flagship;
pub mod generation;
pub mod heuristics;
mod limits;
mod lowlevel;
#[doc(hidden)] // As above.
pub mod memory;
pub mod published;
pub mod registry;
mod solver;
mod state_space;
pub mod tablebase;
pub mod trace;

#[cfg(all(target_arch = "wasm32", target_os = "unknown"))]
pub use limits::clock::set_clock;
pub use limits::{Budget, CancelToken, Limit, Limits, Meter, NodeCount};
pub use solver::{
    DepthRow, Failure, Guarantee, LimitReached, NullObserver, Observer, Outcome, Solver, Stats,
    Unsupported,
};

/// Compiles and runs the README's Rust blocks as doctests.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;
