//! What people see: standard output and standard error, and how text is formatted for them.

pub(crate) mod browser;
pub(crate) mod output;
pub(crate) mod plain;
pub(crate) mod progress;
pub(crate) mod size;
pub(crate) mod units;
pub(crate) mod wrap;
