//! The experiments: each makes a plan, runs it, and turns the rows into a document.

pub mod ai_in_games;
pub mod bench;
pub mod competitions;
pub mod growth;
pub mod histogram;
pub mod published;
pub mod slides;
pub mod thesis;

use std::path::{Path, PathBuf};

use anyhow::{Result, bail, ensure};

use crate::report::NoResults;
use crate::report::document::Document;
use crate::run::plan::SolveBudget;
use crate::run::store::Merged;
use crate::run::tally;
use crate::shard::Shard;
use ricochet_solve::registry::SolverSpec;

/// What all experiments have in common.
#[derive(Clone, Debug)]
pub struct Common {
    /// Where everything goes.
    pub out: PathBuf,
    /// Solves at once.
    pub jobs: usize,
    /// The part to do here.
    pub shard: Shard,
    /// What one solve may spend.
    pub budget: SolveBudget,
    /// Instead of the experiment's own solvers.
    pub solvers: Vec<SolverSpec>,
    /// The seed of everything random.
    pub seed: u64,
    /// No progress bar.
    pub quiet: bool,
}

impl Common {
    /// The solvers that the user asked for, or those of the experiment that exist.
    fn solvers_or(&self, defaults: &[&str]) -> Vec<SolverSpec> {
        if !self.solvers.is_empty() {
            return self.solvers.clone();
        }
        defaults
            .iter()
            .filter_map(|text| text.parse::<SolverSpec>().ok())
            .collect()
    }

    fn tally_manner(&self, default: &str) -> Result<tally::Manner> {
        let solver = match self.solvers.as_slice() {
            [] => default.parse()?,
            [one] => one.clone(),
            _ => bail!("this experiment takes one solver"),
        };
        Ok(tally::Manner {
            solver,
            budget: self.budget,
            jobs: self.jobs,
            shard: self.shard,
            quiet: self.quiet,
        })
    }
}

/// The sections of a directory's experiment; [`crate::report`] adds method and machine.
///
/// # Errors
/// [`NoResults`], an experiment that this version does not know, or files that cannot be read.
pub fn document(directory: &Path, merged: &Merged) -> Result<Document> {
    let kind = merged.experiment.kind.as_str();
    // These keep counts or sums beside the rows, or instead of them.
    let has_others = ["histogram", "thesis", "boards"].contains(&kind);
    ensure!(has_others || !merged.rows.is_empty(), NoResults);
    match kind {
        ai_in_games::KIND => Ok(ai_in_games::document(merged)),
        "bench" => Ok(bench::document(merged)),
        "competitions" => Ok(competitions::document(merged)),
        "growth" => Ok(growth::document(merged)),
        "slides" => slides::document(directory, merged),
        "histogram" => histogram::document(directory, merged),
        "thesis" => thesis::document(directory, merged),
        "boards" => thesis::boards_document(directory),
        other => bail!("no report is known for an experiment of kind '{other}'"),
    }
}
