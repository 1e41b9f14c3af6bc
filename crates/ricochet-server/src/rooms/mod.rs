//! Rooms: several players at one board, over `WebSockets` and HTTP.
//!
//! `docs/api/rooms.md` describes the protocol, `docs/design/rooms.md` the reasons behind it. A
//! message goes from one of the [`handlers`] through the [`hub`] to the [`task`] that owns the room;
//! its events go through the [`log_writer`] to the disk, and then to all connections.

pub(crate) mod handlers;
pub(crate) mod hub;
mod log_writer;
pub(crate) mod names;
mod peers;
mod protocol;
mod task;

pub(crate) use hub::Hub;
pub use names::{RoomPrefix, RoomPrefixError};
