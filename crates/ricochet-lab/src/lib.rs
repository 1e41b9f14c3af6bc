//! Experiments that can be trusted and rerun with one command.
//!
//! - [`run`] solves: a [`run::plan::Plan`] says which solvers run on which puzzles, and every solve
//!   is appended to a CSV file as one [`run::row::Row`], so that an interrupted run continues where
//!   it stopped. Every solution is replayed and compared with the known optimum.
//! - [`report`] turns the rows of a directory into tables, plots ([`plot`]) and one page.
//! - [`experiments`] repeats published experiments and shows the published results beside ours.
//! - [`census`] counts all states of the official boards.
//! - [`shard`] splits work among machines; [`parts`] joins their results.
//! - [`corpus`] names sets of puzzles.

pub mod census;
pub mod corpus;
pub mod experiments;
pub mod parts;
pub mod plot;
pub mod report;
pub mod run;
pub mod shard;
