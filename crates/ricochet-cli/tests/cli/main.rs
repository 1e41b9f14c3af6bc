//! The program as its users see it: what it prints, writes and gives back.

mod census;
#[cfg(unix)]
mod completing;
mod draw;
mod errors;
mod hostile;
mod interrupting;
mod json;
mod links;
mod manners;
mod mcp;
#[cfg(target_os = "linux")]
mod memory;
#[cfg(unix)]
mod options;
mod parts;
mod reading;
mod rooms;
mod serve;
mod server;
mod snapshots;
#[cfg(target_os = "linux")]
mod terminal;
mod trace;
