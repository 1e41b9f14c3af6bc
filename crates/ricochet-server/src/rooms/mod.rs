//! Rooms: several players at one board, over `WebSockets` and HTTP.
//!
//! `docs/api/rooms.md` is the protocol, `docs/design/rooms.md` says why it is so. A letter goes from
//! a [`socket`] or a call ([`lobby`], [`bots`]) through the [`hub`] to the [`task`] that owns the room;
//! events go through the [`log`] to the disk and then to all [`guests`].

pub(crate) mod bots;
pub(crate) mod calls;
mod desk;
mod guests;
pub(crate) mod hub;
mod letter;
mod limits;
pub(crate) mod lobby;
mod log;
mod message;
mod peers;
mod prefix;
mod prepare;
pub(crate) mod qr;
mod rate;
mod recent;
pub(crate) mod review;
pub(crate) mod socket;
mod status;
mod task;
mod token;
mod wire;

pub(crate) use hub::Hub;
pub use limits::RoomLimits;
pub use prefix::{BadPrefix, RoomPrefix};
