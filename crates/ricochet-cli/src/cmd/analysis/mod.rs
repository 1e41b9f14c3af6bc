//! Commands that say something about puzzles.

pub(crate) mod compare;
pub(crate) mod distances;
pub(crate) mod evaluate;
pub(crate) mod explain;
pub(crate) mod hint;
pub(crate) mod perft;
pub(crate) mod rate;
pub(crate) mod trace;
