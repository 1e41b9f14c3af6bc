//! Runs a plan: solves, verifies, and appends rows as they come.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::io::{self, Write};
use std::path::Path;
use std::sync::Mutex;

use anyhow::{Context, Result};
use ricochet_solve::{CancelToken, Solver};

use crate::run::plan::{Plan, PuzzleRun};
use crate::run::progress_bar;
use crate::run::run_parallel;
use crate::run::solve::cold::{self, ColdCommand};
use crate::run::solve::external::ExternalProcesses;
use crate::run::solve::{SolveTask, solve_in_process, warm_up};
use crate::run::store::row::{Mode, OutcomeKind, Row, RowKey, Verdict};
use crate::run::store::{Experiment, RowStore, store_descriptions};

/// How a run reports progress, starts processes and is cancelled.
#[derive(Clone, Debug, Default)]
pub struct RunOptions {
    /// Whether to hide the progress bar.
    pub quiet: bool,
    /// The command of a cold solve, for plans that have cold runs.
    pub cold: Option<ColdCommand>,
    /// Ends the run before the next solve when it is cancelled.
    pub cancel: Option<CancelToken>,
}

impl RunOptions {
    fn is_cancelled(&self) -> bool {
        self.cancel.as_ref().is_some_and(CancelToken::is_cancelled)
    }
}

/// What a run did: rows, failures, and whether it was complete.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RunSummary {
    /// Rows that were written.
    pub written: usize,
    /// Rows of the plan that existed already.
    pub skipped: usize,
    /// Wrong answers and failures, one sentence each. They were printed to standard error already.
    pub wrong: Vec<String>,
    /// How external solvers describe themselves.
    pub descriptions: BTreeMap<String, String>,
    /// Whether the run was cancelled.
    pub interrupted: bool,
}

/// Opens the store of a directory and runs what is missing in it. A plan that cannot be run creates no
/// directory.
///
/// # Errors
/// As [`run`]; or if the directory is not usable or contains another experiment.
pub fn run_in(
    directory: &Path,
    experiment: &Experiment,
    plan: &Plan,
    options: &RunOptions,
) -> Result<RunSummary> {
    plan.check()?;
    for external in &plan.externals {
        external.check_installed()?;
    }
    let mut store = RowStore::open(directory, experiment, plan.shard)?;
    let done = run(plan, &mut store, options)?;
    store_descriptions(directory, &done.descriptions)?;
    Ok(done)
}

/// Runs what is missing in the store. Wrong answers are printed to standard error as they occur, and
/// returned.
///
/// # Errors
/// If a solver cannot be built or timed, or a row cannot be written. A solver's mistake is a row, not an
/// error.
pub fn run(plan: &Plan, store: &mut RowStore, options: &RunOptions) -> Result<RunSummary> {
    plan.check()?;
    let mut done = RunSummary::default();
    let mut told = HashSet::new();
    let solves = plan.len().saturating_mul(plan.solver_count() as u64);
    let bar = progress_bar(solves, 0, "solves", options.quiet);
    let store = Mutex::new(store);
    let lock = || store.lock().expect("the store does not panic");
    run_parallel(
        plan.jobs,
        plan.puzzle_runs(),
        || Ok(Worker::new(plan, options)),
        |worker, puzzle_run, results| {
            for solver in plan.solver_order(puzzle_run) {
                let found = if options.is_cancelled() {
                    WorkerEvent::Interrupted
                } else if lock().has(&key(plan, puzzle_run, solver)) {
                    WorkerEvent::AlreadyStored
                } else {
                    worker.solve(puzzle_run, solver)?
                };
                if !results.send(found) {
                    break;
                }
            }
            results.send(WorkerEvent::Descriptions(
                worker.externals.descriptions().clone(),
            ));
            Ok(())
        },
        |found| {
            let row = match found {
                WorkerEvent::Row(row) => row,
                WorkerEvent::AlreadyStored => {
                    done.skipped += 1;
                    bar.dec_length(1);
                    return Ok(());
                }
                WorkerEvent::Descriptions(new) => {
                    done.descriptions.extend(new);
                    return Ok(());
                }
                WorkerEvent::Interrupted => {
                    done.interrupted = true;
                    return Err(Cancelled.into());
                }
            };
            lock().append(&row)?;
            done.written += 1;
            bar.inc(1);
            if row.verdict == Verdict::Wrong || row.outcome == OutcomeKind::Error {
                let kind = if row.verdict == Verdict::Wrong {
                    "wrong"
                } else {
                    "error"
                };
                let sentence = format!(
                    "{kind}: {} on {}/{} (run {}, {}): {}",
                    row.solver, row.corpus, row.puzzle, row.run, row.mode, row.detail
                );
                // A program that does not start fails on every puzzle in the same way.
                let is_news = row.verdict == Verdict::Wrong
                    || told.insert((row.solver.clone(), row.detail.clone()));
                if is_news {
                    print_above(&bar, &sentence);
                }
                done.wrong.push(sentence);
            }
            Ok(())
        },
    )
    .or_else(|error| {
        if error.is::<Cancelled>() {
            Ok(())
        } else {
            Err(error)
        }
    })?;
    bar.finish_and_clear();
    Ok(done)
}

/// Prints a sentence above the progress bar.
pub(crate) fn print_above(bar: &indicatif::ProgressBar, sentence: &str) {
    // If standard error is closed, the caller still has the sentence.
    bar.suspend(|| drop(writeln!(io::stderr(), "{sentence}")));
}

/// What a worker reports.
enum WorkerEvent {
    Row(Box<Row>),
    /// The store has the row already.
    AlreadyStored,
    /// How external solvers describe themselves.
    Descriptions(BTreeMap<String, String>),
    /// The run was cancelled.
    Interrupted,
}

/// Ends the run early without being reported as an error.
#[derive(Debug)]
struct Cancelled;

impl std::fmt::Display for Cancelled {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("interrupted")
    }
}

impl std::error::Error for Cancelled {}

fn key(plan: &Plan, puzzle_run: PuzzleRun, solver: usize) -> RowKey {
    let corpus = &plan.corpora[puzzle_run.corpus];
    RowKey {
        corpus: corpus.name.clone(),
        puzzle: corpus.items[puzzle_run.item].id.clone(),
        solver: plan.solver_name(solver),
        run: puzzle_run.run,
        mode: puzzle_run.mode,
    }
}

/// One thread's solvers.
struct Worker<'a> {
    plan: &'a Plan,
    options: &'a RunOptions,
    warm: HashMap<usize, Box<dyn Solver>>,
    externals: ExternalProcesses,
}

impl<'a> Worker<'a> {
    fn new(plan: &'a Plan, options: &'a RunOptions) -> Self {
        Self {
            plan,
            options,
            warm: HashMap::new(),
            externals: ExternalProcesses::default(),
        }
    }

    fn solve(&mut self, puzzle_run: PuzzleRun, solver: usize) -> Result<WorkerEvent> {
        let corpus = &self.plan.corpora[puzzle_run.corpus];
        let task = SolveTask {
            corpus: &corpus.name,
            item: &corpus.items[puzzle_run.item],
            solver: self.plan.solver_name(solver),
            run: puzzle_run.run,
            limits: self.plan.limits,
        };
        let is_warm = puzzle_run.mode == Mode::Warm;
        let warmup = if is_warm && puzzle_run.run == 1 {
            self.plan.warmup
        } else {
            0
        };
        let Some(spec) = self.plan.solvers.get(solver) else {
            let external = &self.plan.externals[solver - self.plan.solvers.len()];
            let cancel = self.options.cancel.as_ref();
            for _ in 0..warmup {
                self.externals
                    .solve(external, &task, puzzle_run.mode, cancel)?;
            }
            let row = self
                .externals
                .solve(external, &task, puzzle_run.mode, cancel)?;
            return Ok(row.map_or(WorkerEvent::Interrupted, |row| self.row_event(row)));
        };
        let row = match puzzle_run.mode {
            Mode::Cold => {
                let command = self.options.cold.as_ref();
                cold::solve(&task, command.context("no command for cold runs is given")?)?
            }
            Mode::Warm => {
                let mut ready = match self.warm.remove(&solver) {
                    Some(ready) => ready,
                    None => warm_up(&task, spec),
                };
                for _ in 0..warmup {
                    let (_, survivor) = solve_in_process(&task, spec.guarantee(), ready);
                    ready = survivor.unwrap_or_else(|| spec.build());
                }
                let (row, survivor) = solve_in_process(&task, spec.guarantee(), ready);
                if let Some(survivor) = survivor {
                    self.warm.insert(solver, survivor);
                }
                row
            }
        };
        Ok(self.row_event(row))
    }

    /// The event of a new row, without its moves unless the plan keeps them.
    fn row_event(&self, mut row: Row) -> WorkerEvent {
        if !self.plan.keep_moves {
            row.moves.clear();
        }
        WorkerEvent::Row(Box::new(row))
    }
}
