//! Lower bounds on the number of moves, and the maps that the published texts draw over a board.

pub mod bound;
pub mod overlay;
