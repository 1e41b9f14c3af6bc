//! The experiments. Each runs a plan and turns its rows into a document.

pub mod ai_in_games;
pub mod bench;
pub mod competitions;
pub mod growth;
pub mod histogram;
pub(crate) mod published;
pub mod ratings;
pub mod slides;
pub mod thesis;

use std::path::{Path, PathBuf};

use anyhow::{Result, bail, ensure};

use crate::corpus::Corpus;
use crate::report::NoResults;
use crate::report::document::Document;
use crate::run::plan::{Plan, SolveLimits};
use crate::run::store::RunData;
use crate::run::store::row::Mode;
use crate::run::tally;
use crate::shard::Shard;
use ricochet_solve::registry::SolverSpec;

/// The options of all experiments.
#[derive(Clone, Debug)]
pub struct CommonOptions {
    /// The output directory.
    pub out: PathBuf,
    /// The number of solves at the same time.
    pub jobs: usize,
    /// The shard to run.
    pub shard: Shard,
    /// The limits of one solve.
    pub limits: SolveLimits,
    /// Solvers that replace those of the experiment, unless empty.
    pub solvers: Vec<SolverSpec>,
    /// The random seed.
    pub seed: u64,
    /// Whether to hide the progress bar.
    pub quiet: bool,
}

impl CommonOptions {
    /// The solvers that the user chose, or else those of the experiment that exist.
    fn solvers_or(&self, defaults: &[&str]) -> Vec<SolverSpec> {
        if !self.solvers.is_empty() {
            return self.solvers.clone();
        }
        defaults
            .iter()
            .filter_map(|text| text.parse::<SolverSpec>().ok())
            .collect()
    }

    /// One warm run of each solver on each puzzle, without keeping the moves.
    fn plan(&self, corpora: Vec<Corpus>, solvers: Vec<SolverSpec>) -> Plan {
        Plan {
            corpora,
            solvers,
            externals: Vec::new(),
            repeat: 1,
            warmup: 0,
            modes: vec![Mode::Warm],
            limits: self.limits,
            jobs: self.jobs,
            shard: self.shard,
            keep_moves: false,
        }
    }

    fn tally_options(&self, default: &str) -> Result<tally::TallyOptions> {
        let solver = match self.solvers.as_slice() {
            [] => default.parse()?,
            [one] => one.clone(),
            _ => bail!("this experiment takes one solver"),
        };
        Ok(tally::TallyOptions {
            solver,
            limits: self.limits,
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
pub fn document(directory: &Path, data: &RunData) -> Result<Document> {
    let kind = data.experiment.kind.as_str();
    // These have counts or sums in addition to rows, or instead of them.
    let has_others = ["histogram", "thesis", "boards"].contains(&kind);
    ensure!(has_others || !data.rows.is_empty(), NoResults);
    match kind {
        ai_in_games::KIND => Ok(ai_in_games::document(data)),
        "bench" => Ok(bench::document(data)),
        "competitions" => Ok(competitions::document(data)),
        "growth" => Ok(growth::document(data)),
        "slides" => slides::document(directory, data),
        "histogram" => histogram::document(directory, data),
        "thesis" => thesis::document(directory, data),
        "boards" => thesis::boards_document(directory),
        other => bail!("no report is known for an experiment of kind '{other}'"),
    }
}
