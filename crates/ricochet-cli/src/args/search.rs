//! A search on each puzzle of a command.

use ricochet_solve::Limits;

use crate::args::limits::LimitArgs;
use crate::args::puzzles::PuzzlesArgs;
use crate::args::solver::SolverArgs;
use crate::batch::Batch;

/// The solver, what it may spend, and the puzzles that it solves.
#[derive(clap::Args, Clone, Debug)]
pub(crate) struct SearchArgs {
    #[command(flatten)]
    pub(crate) solver: SolverArgs,

    #[command(flatten)]
    pub(crate) limits: LimitArgs,

    #[command(flatten)]
    pub(crate) puzzles: PuzzlesArgs,
}

impl SearchArgs {
    /// The puzzles, and the limits of each search if they are solved one after the other.
    pub(crate) fn batch(&self, json: bool) -> anyhow::Result<(Batch, Limits)> {
        let batch = self.puzzles.batch(json)?;
        let limits = self.limits.limits(1, Some(batch.cancel()));
        Ok((batch, limits))
    }
}
