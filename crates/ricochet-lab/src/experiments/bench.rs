//! Every solver on every puzzle of some corpora.

use std::path::PathBuf;

use anyhow::Result;
use ricochet_solve::registry;

use crate::corpus::Corpus;
use crate::plan::{Budget, Plan, Shard};
use crate::row::Mode;
use crate::run::{Done, Manner, run};
use crate::spec::SolverSpec;
use crate::store::{Experiment, Store};

/// What to measure.
#[derive(Clone, Debug)]
pub struct Options {
    /// Files or names of embedded corpora.
    pub corpora: Vec<String>,
    /// The solvers.
    pub solvers: Vec<SolverSpec>,
    /// How often.
    pub repeat: u32,
    /// What one solve may spend.
    pub budget: Budget,
    /// Solves at once.
    pub jobs: usize,
    /// The part to do here.
    pub shard: Shard,
    /// Where rows go.
    pub out: PathBuf,
    /// What the others are compared with.
    pub baseline: String,
    /// Also a new process for each solve.
    pub cold: bool,
}

/// All solvers of the registry with their default parameters.
pub fn all_solvers() -> Vec<SolverSpec> {
    registry::ENTRIES
        .iter()
        .filter_map(|entry| entry.name.parse().ok())
        .collect()
}

/// Runs what is missing in the directory.
///
/// # Errors
/// A corpus or solver that does not exist, a directory that holds something else.
pub fn bench(options: &Options, manner: &Manner) -> Result<Done> {
    let corpora: Result<Vec<Corpus>> = options
        .corpora
        .iter()
        .map(|source| Corpus::load(source))
        .collect();
    let plan = Plan {
        corpora: corpora?,
        solvers: options.solvers.clone(),
        repeat: options.repeat,
        modes: if options.cold {
            vec![Mode::Warm, Mode::Cold]
        } else {
            vec![Mode::Warm]
        },
        budget: options.budget,
        jobs: options.jobs,
        shard: options.shard,
        keep_moves: true,
    };
    let experiment = Experiment::new("bench")
        .with("time limit", format!("{:?}", options.budget.time))
        .with("memory limit", options.budget.memory.to_string())
        .note("baseline", &options.baseline);
    let mut store = Store::open(&options.out, &experiment, options.shard)?;
    run(&plan, &mut store, manner)
}
