//! The experiments: each makes a plan, runs it, and turns the rows into a document.

pub mod bench;

use std::path::Path;

use anyhow::{Result, bail};

use crate::document::Document;
use crate::store::Merged;

/// The sections of a directory's experiment; [`crate::report`] adds method and machine.
///
/// # Errors
/// An experiment that this version does not know.
pub fn document(directory: &Path, merged: &Merged) -> Result<Document> {
    let _ = directory;
    match merged.experiment.kind.as_str() {
        "bench" => Ok(bench::document(merged)),
        other => bail!("no report is known for an experiment of kind '{other}'"),
    }
}
