//! The rules of Ricochet Robots.
//!
//! Robots stand on a board with walls. A robot that moves slides until a wall, the rim or another
//! robot stops it; coloured diagonals turn robots of other colours. One robot, or any, has to
//! come to rest on a target in as few moves as possible. This crate has boards, puzzles, moves and
//! file formats; it checks solutions, generates puzzles and counts positions. The solvers are in
//! `ricochet-solve`, which builds on this crate.
//!
//! # From text to solution
//!
//! ```text
//! text ──► Setup ──────► Puzzle ──► solver ──► Solution ──► Trace
//!    read     validate       ricochet-solve         replay
//! ```
//!
//! 1. **Text.** [`notation`] is our own: one line that fits in a URL, or a drawing. [`formats`]
//!    recognises and reads ten formats, including ours. Errors name line and column.
//! 2. **[`Setup`].** What was read. It may contain any mistake: two robots on one cell, walls that
//!    have only one side. All its fields are public, so it is also the way to build a
//!    puzzle by hand.
//! 3. **[`Puzzle`].** [`Setup::validate`] makes one, or lists *everything* that is wrong as [`Problem`]s.
//!    A puzzle is valid by construction, so nothing after this point checks it again.
//! 4. **[`Solution`].** A list of [`Move`]s from a solver, a file or a person.
//! 5. **[`Trace`].** [`Solution::replay`] plays the moves cell by cell, with code that shares
//!    nothing with the solvers' fast slides. For each [`Step`] it records which cells the robot
//!    crossed and what stopped it. A solution that replays is correct.
//!
//! # A first program
//!
//! ```
//! use ricochet_core::{Cell, Direction, Obstacle, Robot, Solution, notation};
//!
//! // Text: the red robot has to reach the star.
//! let setup = notation::parse_text(
//!     "goal: red
//! +---+---+---+---+
//! | R             |
//! +   +   +   +   +
//! |             * |
//! +   +   +   +   +
//! |     G         |
//! +---+---+---+---+
//! ",
//! )?;
//!
//! // A puzzle, or everything that is wrong with the setup.
//! let puzzle = setup.validate()?;
//! assert_eq!(puzzle.goal().cell, Cell::new(3, 1));
//!
//! // One move, as a solver makes it: the state after it, or `None` if the robot cannot move.
//! let state = puzzle.apply(puzzle.start(), Robot::RED, Direction::East).unwrap();
//! assert_eq!(state[Robot::RED], Cell::new(3, 0));
//! assert_eq!(puzzle.apply(state, Robot::RED, Direction::East), None);
//!
//! // East and south are not enough: red slides past the target.
//! let wrong: Solution = "RE RS".parse()?;
//! assert_eq!(
//!     wrong.replay(&puzzle).unwrap_err().to_string(),
//!     "both moves can be played, but the goal is not reached"
//! );
//!
//! // If green goes to the corner first, it stops red on the target.
//! let right: Solution = "GE RE RS".parse()?;
//! let trace = right.replay(&puzzle)?;
//! assert_eq!(trace.steps[2].obstacle, Obstacle::Robot(Cell::new(3, 2)));
//! assert_eq!(notation::to_line(&puzzle), "4x3..0012.R31");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Guarantees
//!
//! - *Input is safe to read.* Bad text, impossible setups and huge sizes are errors; they never
//!   panic, hang or exhaust memory. Sides go up to [`MAX_SIDE`], robots up to [`MAX_ROBOTS`].
//! - *Two ways to slide.* [`Board::slide`] is fast and uses tables; [`slide_slowly`] walks cell by
//!   cell. Tests compare the two, and replay uses only the slow one.
//! - *Nothing is lost silently.* Our notations and JSON keep everything about a puzzle. For any other
//!   format, what it cannot express is an error or a note.
//! - *Seeds are stable.* [`generate`] makes the same puzzle from the same recipe, seed and number
//!   on every machine.
//!
//! # Where to go next
//!
//! | topic | modules |
//! |---|---|
//! | cells, directions, symmetries, robots | [`geometry`], [`robot`], [`state`] |
//! | boards and how robots slide on them | [`board`], [`slide`], [`quadrants`] for printed boards |
//! | puzzles and what can be wrong with them | [`puzzle`], [`problem`] |
//! | moves, solutions, replay | [`solution`] |
//! | reading and writing | [`notation`], [`formats`] (the feature `formats`, on by default) |
//! | positions in a player's words | [`describe`] |
//! | generating puzzles | [`generate`], with random numbers from [`rng`] |
//! | testing a move generator | [`perft`] |
//!
//! The most common types are re-exported here.

pub mod board;
pub mod describe;
#[cfg(feature = "formats")]
pub mod formats;
pub mod generate;
pub mod geometry;
pub mod notation;
pub mod perft;
pub mod problem;
pub mod puzzle;
pub mod quadrants;
pub mod rng;
pub mod robot;
pub mod slide;
pub mod solution;
pub mod state;

pub use board::{Board, BoardBuilder, Diagonal, Lean, Shape, Target};
pub use geometry::{Cell, CellSet, Direction, MAX_CELLS, MAX_SIDE, Symmetry};
pub use problem::{Problem, ValidationError};
pub use puzzle::{Goal, Puzzle, Rules, Setup};
pub use robot::{MAX_ROBOTS, Robot};
pub use slide::{Obstacle, Slide, SlowSlide, slide_slowly};
pub use solution::{Move, ParseMoveError, ReplayError, Solution, Step, Trace};
pub use state::State;
