//! Estimates of how far a position is from its goal, and maps of them to draw over a board.
//!
//! The solvers of [`published`](crate::published) and the flagship use them; they use no solver.

pub mod bound;
pub mod critical;
pub(crate) mod helped;
pub mod overlay;
