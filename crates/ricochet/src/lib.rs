//! The rules of Ricochet Robots.
//!
//! Text is read into a [`Setup`], which may be wrong in any way; [`Setup::validate`] makes a
//! [`Puzzle`] of it or names everything that is wrong; solvers see only puzzles. What they find is
//! a [`Solution`], and [`Solution::replay`] checks it cell by cell with code of its own.

pub mod board;
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
pub use problem::{Invalid, Problem};
pub use puzzle::{Goal, Puzzle, Rules, Setup};
pub use robot::{MAX_ROBOTS, Robot};
pub use slide::{Obstacle, Slide, SlowSlide, slide_slowly};
pub use solution::{Move, ParseMoveError, ReplayError, Solution, Step, Trace};
pub use state::State;
