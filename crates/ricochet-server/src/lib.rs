//! The page of Ricochet Robots and its questions over HTTP: `ricochet serve`.
//!
//! [`serve`] runs a server until it is told to end; [`app`] gives its routes alone, for tests. What
//! can be asked is in the crate `ricochet-service`; here is what a server adds: a queue in which easy
//! questions do not wait for hard ones, answers that are kept, budgets of solver time, streams of
//! progress, caching, and the checks that keep other people's pages out.

mod app;
mod clock;
mod config;
mod http;
mod log;
mod metrics;
mod queue;
mod rate_limit;
mod rooms;
mod serve;
mod store;

pub use app::app;
pub use config::Config;
pub use log::log;
pub use rooms::{BadPrefix, RoomLimits, RoomPrefix};
pub use serve::{PORT, Server, serve};
