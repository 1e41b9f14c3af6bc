//! Experiments that are verified and can be repeated with one command.
//!
//! - [`run`] runs the solvers of a [`run::plan::Plan`] on its puzzles and appends every solve to a CSV
//!   file as one [`run::store::row::Row`], so that an interrupted run continues where it stopped. Every
//!   solution is replayed and compared with the known optimum.
//! - [`report`] turns the rows of a directory into tables, plots ([`plot`]) and one page.
//! - [`experiments`] repeats published experiments and compares the results.
//! - [`census`] counts all states of the official boards.
//! - [`shard`] splits work among machines; [`parts`] joins their results.
//! - [`corpus`] names sets of puzzles; [`puzzle_set`] makes the set with ratings and themes.

pub mod census;
pub mod corpus;
pub mod experiments;
pub mod parts;
pub mod plot;
pub mod puzzle_set;
pub mod report;
pub mod run;
pub mod shard;
