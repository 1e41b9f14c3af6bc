//! Boards and solutions in the terminal.

pub(crate) mod board;
mod compact;
pub(crate) mod narrow;
pub(crate) mod solution;
pub(crate) mod text_picture;
