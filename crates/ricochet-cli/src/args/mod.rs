//! Arguments that several commands share, as structs to flatten into theirs.

pub(crate) mod compact;
pub(crate) mod limits;
pub(crate) mod overlay;
pub(crate) mod read;
pub(crate) mod shard;
pub(crate) mod show;
pub(crate) mod solver;
pub(crate) mod whole_number;
