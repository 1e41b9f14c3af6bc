//! Many puzzles on all cores with any solver of the registry.

use std::time::Duration;

use pyo3::prelude::*;
use ricochet_service::{Error, VerifiedSearch};
use ricochet_solve::memory::default_memory_limit;
use ricochet_solve::registry::SolverSpec;
use ricochet_solve::tablebase::AdaptiveSolver;
use ricochet_solve::{CancelToken, Failure, Limits, NullObserver, Outcome, Solver};

use crate::errors;
use crate::moves::Solution;
use crate::puzzle::{Puzzle, solution};
use crate::threads::{map_on_threads, threads_or_all};

/// Seconds, nodes, bytes, moves.
type LimitArguments = (Option<f64>, Option<u64>, Option<u64>, Option<u32>);

/// Nodes, inner, hits, expanded, generated, stored, peak bytes, claimed, seconds, and the rows.
type StatsRow = (
    u64,
    u64,
    u64,
    u64,
    u64,
    u64,
    u64,
    Option<u32>,
    f64,
    Vec<(u32, u64, u64, u64)>,
);

/// Solver, outcome, solution, optimal, lower bound, limit, failure, claimed, statistics.
type Row = (
    &'static str,
    &'static str,
    Option<Solution>,
    bool,
    Option<u32>,
    Option<String>,
    Option<String>,
    Option<u32>,
    StatsRow,
);

/// Solves puzzles, in their order. One puzzle has all threads inside its solver; several are spread
/// over the threads. Without a solver's name the default is taken, which turns to a table where many
/// puzzles have the same board and goal, as `ricochet solve` does.
#[pyfunction]
#[pyo3(signature = (puzzles, solver = None, options = vec![], spend = (None, None, None, None), threads = None, progress = None))]
pub(crate) fn solve_many(
    py: Python<'_>,
    puzzles: Vec<Bound<'_, Puzzle>>,
    solver: Option<&str>,
    options: Vec<(String, String)>,
    spend: LimitArguments,
    threads: Option<&Bound<'_, PyAny>>,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<Vec<Row>> {
    let of_spec = |error| errors::exception(&Error::from(error));
    let mut spec: SolverSpec = solver.unwrap_or("flagship").parse().map_err(of_spec)?;
    for (key, value) in &options {
        spec.set(key, value).map_err(of_spec)?;
    }
    let puzzles: Vec<_> = puzzles
        .iter()
        .map(|puzzle| puzzle.get().0.clone())
        .collect();
    let threads = threads_or_all(threads)?;
    let workers = threads.min(puzzles.len().max(1));
    let spec = spec.or_threads(if puzzles.len() == 1 { threads } else { 1 });
    let mut solvers: Vec<Box<dyn Solver>> = (0..workers).map(|_| spec.build()).collect();
    if solver.is_none() && options.is_empty() && puzzles.len() > 1 {
        solvers = AdaptiveSolver::for_threads(solvers);
    }
    let cancel = CancelToken::default();
    let limits = limits(spend, workers, &cancel)?;
    let rows = map_on_threads(
        py,
        &cancel,
        &puzzles,
        solvers,
        |solver, puzzle| {
            let search = VerifiedSearch::run(solver.as_mut(), puzzle, &limits, &mut NullObserver);
            search.map(|search| row(search, solver.name()))
        },
        progress,
    )?;
    let rows = rows.into_iter();
    rows.map(|row| row.map_err(|error| errors::exception(&error)))
        .collect()
}

fn limits(
    (seconds, nodes, bytes, moves): LimitArguments,
    workers: usize,
    cancel: &CancelToken,
) -> PyResult<Limits> {
    let time = match seconds {
        Some(seconds) => Some(
            Duration::try_from_secs_f64(seconds)
                .map_err(|_| errors::bad(format!("{seconds} is not a time limit in seconds")))?,
        ),
        None => None,
    };
    Ok(Limits {
        time,
        nodes,
        // What is asked for is for all threads together.
        memory: bytes
            .or_else(default_memory_limit)
            .map(|bytes| bytes / workers as u64),
        moves,
        cancel: Some(cancel.clone()),
        count: None,
    })
}

fn row(search: VerifiedSearch, solver: &'static str) -> Row {
    let VerifiedSearch { outcome, stats, .. } = search;
    let (limit, failure) = match &outcome {
        Outcome::LimitReached { limit, .. } => (Some(limit.to_string()), None),
        Outcome::Failed { failure, .. } => (None, Some(failure)),
        _ => (None, None),
    };
    let claimed = match failure {
        Some(Failure::NotReplayable { claimed }) => Some(*claimed),
        _ => None,
    };
    let rows = stats.rows.iter();
    (
        solver,
        outcome.name(),
        outcome.solution().map(solution),
        matches!(outcome, Outcome::Solved { optimal: true, .. }),
        outcome.lower_bound(),
        limit,
        failure.map(ToString::to_string),
        claimed,
        (
            stats.nodes,
            stats.inner,
            stats.hits,
            stats.expanded,
            stats.generated,
            stats.stored,
            stats.peak_bytes,
            stats.claimed,
            stats.time.as_secs_f64(),
            rows.map(|row| (row.depth, row.nodes, row.inner, row.hits))
                .collect(),
        ),
    )
}
