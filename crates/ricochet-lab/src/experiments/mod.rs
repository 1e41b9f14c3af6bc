//! The experiments: each makes a plan, runs it, and turns the rows into a document.

pub mod bench;
