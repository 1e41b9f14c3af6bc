//! The messages of rooms; `docs/api/rooms.md` describes them.

pub(crate) mod incoming;
pub(crate) mod outgoing;
