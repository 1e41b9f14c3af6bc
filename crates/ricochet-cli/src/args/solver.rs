//! Which solver, with which parameters.

use ricochet_solve::Solver;
use ricochet_solve::registry::SolverSpec;

use crate::args::names::solver_names;

/// The solver that is used when none is named.
const DEFAULT_SOLVER: &str = "flagship";

/// A solver and its parameters.
#[derive(clap::Args, Clone, Debug, Default)]
#[command(next_help_heading = "Solver")]
pub(crate) struct SolverArgs {
    /// The solver, such as iddfs or, with parameters, iddfs:memo=off:sort=off. `ricochet solvers`
    /// lists them. Default: flagship
    #[arg(long, short, value_name = "NAME", value_parser = solver_names(), hide_possible_values = true)]
    pub(crate) solver: Option<String>,

    /// Set a parameter of the solver, such as memo=off
    #[arg(long, value_name = "KEY=VALUE", value_parser = parse_pair, hide_short_help = true)]
    pub(crate) set: Vec<(String, String)>,
}

impl SolverArgs {
    /// Whether no option about the solver was given.
    pub(crate) fn is_default(&self) -> bool {
        self.solver.is_none() && self.set.is_empty()
    }

    /// The requested solver. Fails early, before any puzzle is read.
    pub(crate) fn spec(&self) -> anyhow::Result<SolverSpec> {
        let named = self.solver.as_deref().unwrap_or(DEFAULT_SOLVER);
        let mut spec: SolverSpec = named.parse()?;
        for (key, value) in &self.set {
            spec.set(key, value)?;
        }
        Ok(spec)
    }

    /// A solver that finds the same solution on every machine: on one thread, since the number of
    /// threads may decide which of the shortest solutions is found.
    pub(crate) fn build_reproducible(&self) -> anyhow::Result<Box<dyn Solver>> {
        Ok(self.spec()?.or_threads(1).build())
    }
}

fn parse_pair(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((key, value)) if !key.trim().is_empty() => {
            Ok((key.trim().to_owned(), value.trim().to_owned()))
        }
        _ => Err(format!("'{text}' is not a parameter: expected key=value")),
    }
}
