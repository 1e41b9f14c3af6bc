//! The web page and the HTTP API of Ricochet Robots: `ricochet serve`.
//!
//! [`serve`] runs a server until it is stopped; [`app`] has only its routes, for tests. The crate
//! `ricochet-service` answers the questions. The server adds a queue in which easy questions do
//! not wait for hard ones, a cache, limits of solver time, streams of progress, storage, rooms, and
//! the checks that keep foreign pages out.

mod app;
mod clock;
mod config;
mod connections;
mod http;
mod mcp;
mod metrics;
mod queue;
mod rate_limit;
mod rooms;
mod serve;
mod store;

pub use app::app;
pub use clock::{Clock, ManualClock};
pub use config::{Config, RoomLimits};
pub use http::assets::join_modules;
pub use mcp::serve_stdio;
pub use rooms::{RoomPrefix, RoomPrefixError};
pub use serve::{DEFAULT_PORT, Server, check, log, serve};
pub use store::{Report, backup, close_room, delete_puzzle, reports, restore};
