//! Solvers compared and measured, boards counted, and the results of several machines joined.

pub(crate) mod bench;
pub(crate) mod census;
pub(crate) mod lab;
pub(crate) mod merge;
pub(crate) mod report;
pub(crate) mod solvers;
pub(crate) mod tablebase;
