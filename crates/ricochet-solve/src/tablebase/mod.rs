//! The distance of every state of a board and goal.
//!
//! Retrograde analysis over sets: a node is a configuration of the helpers, and one bit set holds
//! all cells of the lead (the robot that has to arrive) at once. Layer by layer, all states one
//! move further from the goal are found by moves backwards:
//!
//! - of the lead, by filling the set in each direction (`retrograde::predecessors`);
//! - of a helper, by sweeping along all ways over the board while the other helpers stand still
//!   (`retrograde::predecessors`, `retrograde::jobs`).
//!
//! Two bits a state are enough for that (`retrograde::codes`), which is 168 MB for four robots on an official
//! board. [`Builder::survey`] counts; [`Builder::tablebase`] keeps all distances (`distances`),
//! and [`Tablebase::write`] stores them in a file (`file`).

// The kernels are compiled a second time for AVX2, which works only if all of an inner loop is
// inlined into the function that may use it.
#![allow(clippy::inline_always)]

mod adaptive;
mod build;
mod distances;
mod error;
mod file;
mod probe;
pub(crate) mod retrograde;
mod solution_count;
mod solver;
pub(crate) mod space;
mod table;
mod verify;

pub use adaptive::AdaptiveSolver;
pub(crate) use adaptive::NODES_PER_CONFIGURATION;
pub use build::{Builder, DEFAULT_MEMORY, Histogram, Survey};
pub(crate) use distances::Distances;
pub use error::TablebaseError;
pub use probe::Probe;
pub use solver::{INFO, TablebaseSolver};
pub use space::Space;
pub use table::Tablebase;
pub use verify::{Miscount, Mismatch, Verification};
