//! Many puzzles on all cores with any solver of the registry, and one that another thread can cancel.

use std::time::Duration;

use pyo3::prelude::*;
use ricochet_service::{Error, VerifiedSearch};
use ricochet_solve::memory::default_memory_limit;
use ricochet_solve::registry::SolverSpec;
use ricochet_solve::tablebase::AdaptiveSolver;
use ricochet_solve::{DepthRow, Failure, Limits, NullObserver, Outcome, Solver};

use crate::errors;
use crate::moves::Solution;
use crate::puzzle::{Puzzle, solution};
use crate::threads::{interruptible, map_on_threads, threads_or_all};

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
    let spec = solver_spec(solver, &options)?;
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
    let cancel = ricochet_solve::CancelToken::default();
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

/// Cancels the search that it was given to, from any thread.
#[pyclass(frozen, module = "ricochet_engine._native")]
#[derive(Default)]
pub(crate) struct CancelToken(ricochet_solve::CancelToken);

#[pymethods]
impl CancelToken {
    #[new]
    fn new() -> Self {
        Self::default()
    }

    /// Ends the search soon.
    fn cancel(&self) {
        self.0.cancel();
    }

    /// Whether it was cancelled.
    #[getter]
    fn is_cancelled(&self) -> bool {
        self.0.is_cancelled()
    }
}

/// Solves one puzzle on this thread's behalf. `progress` is called with depth, nodes, inner nodes and
/// hits of every finished depth.
#[pyfunction]
#[pyo3(signature = (puzzle, cancel, solver = None, options = vec![], spend = (None, None, None, None), threads = None, progress = None))]
pub(crate) fn search(
    py: Python<'_>,
    puzzle: &Bound<'_, Puzzle>,
    cancel: &Bound<'_, CancelToken>,
    solver: Option<&str>,
    options: Vec<(String, String)>,
    spend: LimitArguments,
    threads: Option<&Bound<'_, PyAny>>,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<Row> {
    let spec = solver_spec(solver, &options)?.or_threads(threads_or_all(threads)?);
    let mut solver = spec.build();
    let name = solver.name();
    let puzzle = &puzzle.get().0;
    let cancel = &cancel.get().0;
    let limits = limits(spend, 1, cancel)?;
    let search = interruptible(
        py,
        cancel,
        |sender| {
            let mut watch = move |row: &DepthRow| {
                // The receiver is gone if the call has ended with an exception.
                let _ = sender.send((row.depth, row.nodes, row.inner, row.hits));
            };
            VerifiedSearch::run(solver.as_mut(), puzzle, &limits, &mut watch)
        },
        |row| match progress {
            Some(callback) => callback.call1((row,)).map(drop),
            None => Ok(()),
        },
    )?;
    let search = search.map_err(|error| errors::exception(&error))?;
    Ok(row(search, name))
}

fn solver_spec(solver: Option<&str>, options: &[(String, String)]) -> PyResult<SolverSpec> {
    let of_spec = |error| errors::exception(&Error::from(error));
    let mut spec: SolverSpec = solver.unwrap_or("flagship").parse().map_err(of_spec)?;
    for (key, value) in options {
        spec.set(key, value).map_err(of_spec)?;
    }
    Ok(spec)
}

fn limits(
    (seconds, nodes, bytes, moves): LimitArguments,
    workers: usize,
    cancel: &ricochet_solve::CancelToken,
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
