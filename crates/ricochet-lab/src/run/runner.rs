//! Carries out a plan: solves, verifies, and appends rows as they come.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::io::{self, Write};
use std::path::Path;
use std::sync::Mutex;

use anyhow::{Context, Result};
use ricochet_solve::{CancelToken, Solver};

use crate::run::cold::{self, ColdCommand};
use crate::run::external::Externals;
use crate::run::plan::{Plan, Unit};
use crate::run::progress;
use crate::run::row::{Ending, Mode, Row, RowKey, Verdict};
use crate::run::store::{Experiment, RowStore, keep_says};
use crate::run::task::{Question, Task, solve_here, warmed_up};
use crate::run::work_through;

/// How a run is watched and how it starts processes.
#[derive(Clone, Debug, Default)]
pub struct Manner {
    /// No progress bar.
    pub quiet: bool,
    /// How a cold solve is started; needed if the plan has cold runs.
    pub cold: Option<ColdCommand>,
    /// Ends the run before the next solve.
    pub cancel: Option<CancelToken>,
}

impl Manner {
    fn is_cancelled(&self) -> bool {
        self.cancel.as_ref().is_some_and(CancelToken::is_cancelled)
    }
}

/// What a run did.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Done {
    /// Rows written now.
    pub written: usize,
    /// Rows of the plan that were there already.
    pub skipped: usize,
    /// Wrong answers and failures, one sentence each. They were told on standard error already.
    pub wrong: Vec<String>,
    /// What programs of others say about themselves.
    pub says: BTreeMap<String, String>,
    /// Whether it was cancelled before its end.
    pub interrupted: bool,
}

/// Opens the store of a directory and runs what it does not have yet. A plan that cannot be run
/// leaves no directory behind.
///
/// # Errors
/// As [`run`], and a directory that cannot be used or holds something else.
pub fn run_in(
    directory: &Path,
    experiment: &Experiment,
    plan: &Plan,
    manner: &Manner,
) -> Result<Done> {
    plan.check()?;
    for external in &plan.externals {
        external.check_that_it_exists()?;
    }
    let mut store = RowStore::open(directory, experiment, plan.shard)?;
    let done = run(plan, &mut store, manner)?;
    keep_says(directory, &done.says)?;
    Ok(done)
}

/// Runs what the store does not have yet. Wrong answers are shouted to standard error as they
/// appear, and returned.
///
/// # Errors
/// A solver that cannot be made or timed, or a row that cannot be written. What a solver does wrong is a
/// row, not an error.
pub fn run(plan: &Plan, store: &mut RowStore, manner: &Manner) -> Result<Done> {
    plan.check()?;
    let mut done = Done::default();
    let mut told = HashSet::new();
    let solves = plan.len().saturating_mul(plan.contestants() as u64);
    let bar = progress::bar(solves, 0, "solves", manner.quiet);
    let store = Mutex::new(store);
    let lock = || store.lock().expect("the store does not panic");
    work_through(
        plan.jobs,
        plan.units(),
        || Ok(Bench::new(plan, manner)),
        |bench, unit, tray| {
            for solver in plan.solver_order(unit) {
                let found = if manner.is_cancelled() {
                    Found::Interrupted
                } else if lock().has(&key(plan, unit, solver)) {
                    Found::Earlier
                } else {
                    bench.solve(unit, solver)?
                };
                if !tray.put(found) {
                    break;
                }
            }
            tray.put(Found::Says(bench.externals.says().clone()));
            Ok(())
        },
        |found| {
            let row = match found {
                Found::Row(row) => row,
                Found::Earlier => {
                    done.skipped += 1;
                    bar.dec_length(1);
                    return Ok(());
                }
                Found::Says(says) => {
                    done.says.extend(says);
                    return Ok(());
                }
                Found::Interrupted => {
                    done.interrupted = true;
                    return Err(Stop.into());
                }
            };
            lock().append(&row)?;
            done.written += 1;
            bar.inc(1);
            if row.verdict == Verdict::Wrong || row.outcome == Ending::Error {
                let kind = if row.verdict == Verdict::Wrong {
                    "wrong"
                } else {
                    "error"
                };
                let sentence = format!(
                    "{kind}: {} on {}/{} (run {}, {}): {}",
                    row.solver, row.corpus, row.puzzle, row.run, row.mode, row.detail
                );
                // A program that does not start says the same about every puzzle.
                let is_news = row.verdict == Verdict::Wrong
                    || told.insert((row.solver.clone(), row.detail.clone()));
                if is_news {
                    shout(&bar, &sentence);
                }
                done.wrong.push(sentence);
            }
            Ok(())
        },
    )
    .or_else(|error| {
        if error.is::<Stop>() {
            Ok(())
        } else {
            Err(error)
        }
    })?;
    bar.finish_and_clear();
    Ok(done)
}

/// Tells something at once, above the progress bar.
pub(crate) fn shout(bar: &indicatif::ProgressBar, sentence: &str) {
    // Where standard error is gone, the sentence is still returned.
    bar.suspend(|| drop(writeln!(io::stderr(), "{sentence}")));
}

/// What comes back for one solve.
enum Found {
    Row(Box<Row>),
    /// The store has it already.
    Earlier,
    /// What programs of others say about themselves.
    Says(BTreeMap<String, String>),
    /// The run was cancelled.
    Interrupted,
}

/// Ends the work without being an error.
#[derive(Debug)]
struct Stop;

impl std::fmt::Display for Stop {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("interrupted")
    }
}

impl std::error::Error for Stop {}

fn key(plan: &Plan, unit: Unit, solver: usize) -> RowKey {
    let corpus = &plan.corpora[unit.corpus];
    RowKey {
        corpus: corpus.name.clone(),
        puzzle: corpus.items[unit.item].id.clone(),
        solver: plan.contestant(solver),
        run: unit.run,
        mode: unit.mode,
    }
}

/// One thread's solvers.
struct Bench<'a> {
    plan: &'a Plan,
    manner: &'a Manner,
    warm: HashMap<usize, Box<dyn Solver>>,
    externals: Externals,
}

impl<'a> Bench<'a> {
    fn new(plan: &'a Plan, manner: &'a Manner) -> Self {
        Self {
            plan,
            manner,
            warm: HashMap::new(),
            externals: Externals::default(),
        }
    }

    fn solve(&mut self, unit: Unit, solver: usize) -> Result<Found> {
        let corpus = &self.plan.corpora[unit.corpus];
        let Some(spec) = self.plan.solvers.get(solver) else {
            let question = Question {
                corpus: &corpus.name,
                item: &corpus.items[unit.item],
                solver: self.plan.contestant(solver),
                run: unit.run,
                budget: self.plan.budget,
            };
            let external = &self.plan.externals[solver - self.plan.solvers.len()];
            let cancel = self.manner.cancel.as_ref();
            let row = self
                .externals
                .solve(external, &question, unit.mode, cancel)?;
            return Ok(row.map_or(Found::Interrupted, |row| self.kept(row)));
        };
        let task = Task {
            corpus: &corpus.name,
            item: &corpus.items[unit.item],
            spec,
            run: unit.run,
            budget: self.plan.budget,
        };
        let row = match unit.mode {
            Mode::Cold => {
                let command = self.manner.cold.as_ref();
                cold::solve(&task, command.context("no command for cold runs is given")?)?
            }
            Mode::Warm => {
                let ready = match self.warm.remove(&solver) {
                    Some(ready) => ready,
                    None => warmed_up(&task),
                };
                let (row, survivor) = solve_here(&task, ready);
                if let Some(survivor) = survivor {
                    self.warm.insert(solver, survivor);
                }
                row
            }
        };
        Ok(self.kept(row))
    }

    /// A row as the plan wants it.
    fn kept(&self, mut row: Row) -> Found {
        if !self.plan.keep_moves {
            row.moves.clear();
        }
        Found::Row(Box::new(row))
    }
}
