//! The distance of every state of a board and goal.
//!
//! Retrograde analysis over sets: a node is a configuration of the helpers, and one bit set holds
//! all cells of the lead (the robot that has to arrive) at once. Layer by layer, all states one
//! move further from the goal are found by moves backwards:
//!
//! - of the lead, by filling the set in each direction (`lead_moves`);
//! - of a helper, by sweeping along all ways over the board while the other helpers stand still
//!   (`chains`, `rests`).
//!
//! Two bits a state are enough for that (`codes`), which is 168 MB for four robots on an official
//! board. [`Builder::survey`] counts; [`Builder::tablebase`] keeps all distances (`distances`),
//! and [`Tablebase::write`] stores them in a file (`file`).

// The kernels are compiled a second time for AVX2, which works only if all of an inner loop is
// inlined into the function that may use it.
#![allow(clippy::inline_always)]

mod build;
mod chains;
mod choice;
pub(crate) mod codes;
mod distances;
mod error;
mod file;
mod histogram;
mod lead_moves;
mod moves;
mod probe;
pub(crate) mod rests;
mod retrograde;
pub(crate) mod schedule;
pub mod solver;
pub(crate) mod space;
mod table;
mod verify;
mod way_layer;
mod ways;

pub use build::{Builder, DEFAULT_MEMORY};
pub use choice::Choosing;
pub(crate) use choice::NODES_A_CONFIGURATION;
pub(crate) use distances::Distances;
pub use error::TablebaseError;
pub use histogram::{Histogram, Survey};
pub use probe::Probe;
pub use space::Space;
pub use table::Tablebase;
pub use verify::{Miscount, Mismatch, Verified};
