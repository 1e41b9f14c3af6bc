//! The routes of rooms.

pub(crate) mod bots;
pub(crate) mod lobby;
pub(crate) mod qr;
pub(crate) mod review;
pub(crate) mod socket;
