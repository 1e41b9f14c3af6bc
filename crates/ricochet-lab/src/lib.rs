//! Experiments that can be trusted and rerun with one command.
//!
//! A [`plan::Plan`] says which solvers run on which puzzles; [`run::run`] carries it out and
//! appends one [`row::Row`] for every solve to a CSV file, so that an interrupted run continues
//! where it stopped. Every solution is replayed and compared with the known optimum
//! ([`verify`]). [`report`] turns the rows of a directory into tables, plots and one page.
//!
//! The experiments of the seeds are in [`experiments`]; each sets the published figures
//! ([`published`]) beside ours.

pub mod census;
pub mod clock;
pub mod cold;
pub mod corpus;
pub mod document;
pub mod experiments;
mod html;
pub mod machine;
pub mod plan;
pub mod plot;
pub mod progress;
pub mod published;
pub mod report;
pub mod row;
pub mod run;
pub mod signature;
pub mod spec;
pub mod stats;
pub mod store;
pub mod summary;
pub mod table;
pub mod tally;
pub mod verify;
pub mod views;
