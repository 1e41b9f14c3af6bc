//! Arguments that several commands share, as structs to flatten into theirs.

pub(crate) mod drawing;
pub(crate) mod limits;
pub(crate) mod names;
pub(crate) mod overlay;
pub(crate) mod puzzles;
pub(crate) mod search;
pub(crate) mod shard;
pub(crate) mod solver;
pub(crate) mod whole_number;
