//! Carries out a plan: solves, verifies, and appends rows as they come.

use std::collections::HashMap;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc;

use anyhow::{Context, Result};
use ricochet_solve::Solver;

use crate::run::cold::{self, ColdCommand};
use crate::run::plan::{Plan, Unit};
use crate::run::progress;
use crate::run::row::{Ending, Key, Mode, Row, Verdict};
use crate::run::store::{Experiment, Store};
use crate::run::task::{Task, solve_here, warmed_up};

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
    let mut open: Vec<(Unit, Vec<usize>)> = Vec::new();
    for unit in plan.units() {
        let missing: Vec<usize> = plan
            .solver_order(unit)
            .filter(|&solver| !store.has(&key(plan, unit, solver)))
            .collect();
        done.skipped += plan.solvers.len() - missing.len();
        if !missing.is_empty() {
            open.push((unit, missing));
        }
    }
    let rows: usize = open.iter().map(|(_, solvers)| solvers.len()).sum();
    let bar = progress::bar(
        (rows + done.skipped) as u64,
        done.skipped as u64,
        "solves",
        manner.quiet,
    );
    bar.reset_eta();
    let next = AtomicUsize::new(0);
    let stop = AtomicBool::new(false);
    let (sender, receiver) = mpsc::channel();
    std::thread::scope(|scope| -> Result<()> {
        for _ in 0..plan.jobs.max(1) {
            let sender = sender.clone();
            let (next, stop, open) = (&next, &stop, &open);
            scope.spawn(move || {
                let mut bench = Bench::new(plan, manner);
                while !stop.load(Ordering::Relaxed) {
                    let Some((unit, solvers)) = open.get(next.fetch_add(1, Ordering::Relaxed))
                    else {
                        break;
                    };
                    for &solver in solvers {
                        if sender.send(bench.solve(*unit, solver)).is_err() {
                            return;
                        }
                    }
                }
            });
        }
        drop(sender);
        for row in receiver {
            let row = row.and_then(|row| store.append(&row).map(|()| row));
            let row = match row {
                Ok(row) => row,
                Err(error) => {
                    stop.store(true, Ordering::Relaxed);
                    return Err(error);
                }
            };
            done.written += 1;
            bar.inc(1);
            if row.verdict == Verdict::Wrong || row.outcome == Ending::Error {
                let sentence = format!(
                    "WRONG: {} on {}/{} (run {}, {}): {}",
                    row.solver, row.corpus, row.puzzle, row.run, row.mode, row.detail
                );
                bar.suspend(|| eprintln!("{sentence}"));
                done.wrong.push(sentence);
            }
        }
        Ok(())
    })?;
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
