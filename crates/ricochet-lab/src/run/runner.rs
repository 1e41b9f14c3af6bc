//! Carries out a plan: solves, verifies, and appends rows as they come.

use std::collections::HashMap;
use std::io::{self, Write};
use std::path::Path;
use std::sync::Mutex;

use anyhow::{Context, Result};
use ricochet_solve::Solver;

use crate::run::cold::{self, ColdCommand};
use crate::run::plan::{Plan, Unit};
use crate::run::progress;
use crate::run::row::{Ending, Key, Mode, Row, Verdict};
use crate::run::store::{Experiment, Store};
use crate::run::task::{Task, solve_here, warmed_up};
use crate::run::work_through;

/// How a run is watched and how it starts processes.
#[derive(Clone, Debug, Default)]
pub struct Manner {
    /// No progress bar.
    pub quiet: bool,
    /// How a cold solve is started; needed if the plan has cold runs.
    pub cold: Option<ColdCommand>,
}

/// What a run did.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Done {
    /// Rows written now.
    pub written: usize,
    /// Rows of the plan that were there already.
    pub skipped: usize,
    /// Wrong answers, one sentence each.
    pub wrong: Vec<String>,
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
    let mut store = Store::open(directory, experiment, plan.shard)?;
    run(plan, &mut store, manner)
}

/// Runs what the store does not have yet. Wrong answers are shouted to standard error as they
/// appear, and returned.
///
/// # Errors
/// A solver that cannot be made or timed, or a row that cannot be written. What a solver does wrong is a
/// row, not an error.
pub fn run(plan: &Plan, store: &mut Store, manner: &Manner) -> Result<Done> {
    plan.check()?;
    let mut done = Done::default();
    let solves = plan.len().saturating_mul(plan.solvers.len() as u64);
    let bar = progress::bar(solves, 0, "solves", manner.quiet);
    let store = Mutex::new(store);
    let lock = || store.lock().expect("the store does not panic");
    work_through(
        plan.jobs,
        plan.units(),
        || Ok(Bench::new(plan, manner)),
        |bench, unit, tray| {
            for solver in plan.solver_order(unit) {
                let is_there = lock().has(&key(plan, unit, solver));
                let found = if is_there {
                    None
                } else {
                    Some(bench.solve(unit, solver)?)
                };
                if !tray.put(found) {
                    break;
                }
            }
            Ok(())
        },
        |found| {
            let Some(row) = found else {
                done.skipped += 1;
                bar.dec_length(1);
                return Ok(());
            };
            lock().append(&row)?;
            done.written += 1;
            bar.inc(1);
            if row.verdict == Verdict::Wrong || row.outcome == Ending::Error {
                let sentence = format!(
                    "WRONG: {} on {}/{} (run {}, {}): {}",
                    row.solver, row.corpus, row.puzzle, row.run, row.mode, row.detail
                );
                // Where standard error is gone, the sentence is still returned.
                bar.suspend(|| drop(writeln!(io::stderr(), "{sentence}")));
                done.wrong.push(sentence);
            }
            Ok(())
        },
    )?;
    bar.finish_and_clear();
    Ok(done)
}

fn key(plan: &Plan, unit: Unit, solver: usize) -> Key {
    let corpus = &plan.corpora[unit.corpus];
    Key {
        corpus: corpus.name.clone(),
        puzzle: corpus.items[unit.item].id.clone(),
        solver: plan.solvers[solver].to_string(),
        run: unit.run,
        mode: unit.mode,
    }
}

/// One thread's solvers.
struct Bench<'a> {
    plan: &'a Plan,
    manner: &'a Manner,
    warm: HashMap<usize, Box<dyn Solver>>,
}

impl<'a> Bench<'a> {
    fn new(plan: &'a Plan, manner: &'a Manner) -> Self {
        Self {
            plan,
            manner,
            warm: HashMap::new(),
        }
    }

    fn solve(&mut self, unit: Unit, solver: usize) -> Result<Row> {
        let spec = &self.plan.solvers[solver];
        let corpus = &self.plan.corpora[unit.corpus];
        let task = Task {
            corpus: &corpus.name,
            item: &corpus.items[unit.item],
            spec,
            run: unit.run,
            budget: self.plan.budget,
        };
        let mut row = match unit.mode {
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
        if !self.plan.keep_moves {
            row.moves.clear();
        }
        Ok(row)
    }
}
