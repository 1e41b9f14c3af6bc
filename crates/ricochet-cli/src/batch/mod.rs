//! Running a command over many puzzles: the loop, its threads, and Ctrl-C.

pub(crate) mod interrupt;
pub(crate) mod ordered;
pub(crate) mod walk;
