//! Runs: a plan is carried out solve by solve, and what was found goes into a directory.

pub mod clock;
pub mod cold;
pub mod external;
mod journal;
pub mod machine;
pub mod plan;
mod pool;
pub mod progress;
pub mod row;
mod runner;
pub mod signature;
pub mod store;
pub mod tally;
mod task;
pub mod verify;

pub(crate) use journal::{Journal, for_each_record, line};
pub(crate) use pool::{Tray, work_through};
pub(crate) use runner::shout;
pub use runner::{Done, Manner, run, run_in};
pub(crate) use task::{Task, micros, solve_here};
