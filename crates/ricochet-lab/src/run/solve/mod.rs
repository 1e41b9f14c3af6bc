//! One solve: in this process, timed, judged, and turned into a row.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;

use ricochet_solve::{Guarantee, Limits, Silent, Solver, Stats};

use crate::corpus::{Expectation, Item};
use crate::run::clock;
use crate::run::plan::SolveBudget;
use crate::run::row::{Ending, Mode, Row, Verdict, single_line};
use crate::run::verify::{Judgement, judge};
use ricochet_solve::registry::SolverSpec;

/// One solve: a puzzle and the solver that is given it.
#[derive(Clone, Debug)]
pub(crate) struct SolveTask<'a> {
    pub(crate) corpus: &'a str,
    pub(crate) item: &'a Item,
    /// The name of the solver in the row.
    pub(crate) solver: String,
    pub(crate) run: u32,
    pub(crate) budget: SolveBudget,
}

impl SolveTask<'_> {
    /// The optimum that the corpus states.
    pub(crate) fn known(&self) -> Option<u32> {
        match self.item.expectation {
            Expectation::Optimal(known) => Some(known),
            _ => None,
        }
    }

    pub(crate) fn row(
        &self,
        mode: Mode,
        judgement: Judgement,
        stats: &Stats,
        time: Duration,
    ) -> Row {
        Row {
            corpus: self.corpus.to_owned(),
            puzzle: self.item.id.clone(),
            solver: self.solver.clone(),
            run: self.run,
            mode,
            outcome: judgement.ending,
            detail: judgement.detail,
            length: judgement.length,
            claimed: stats.claimed,
            lower_bound: judgement.lower_bound,
            known: self.known(),
            verdict: judgement.verdict,
            nodes: stats.nodes,
            inner: stats.inner,
            hits: stats.hits,
            expanded: stats.expanded,
            peak_bytes: stats.peak_bytes,
            micros: micros(time),
            process_micros: None,
            moves: judgement.moves,
        }
    }

    /// The row of a solve without an answer.
    pub(crate) fn error_row(
        &self,
        mode: Mode,
        ending: Ending,
        detail: &str,
        time: Duration,
    ) -> Row {
        let judgement = Judgement {
            ending,
            detail: single_line(detail, 300),
            length: None,
            lower_bound: None,
            verdict: Verdict::None,
            moves: String::new(),
        };
        self.row(mode, judgement, &Stats::default(), time)
    }
}

/// Microseconds, to the nanosecond.
pub(crate) fn micros(time: Duration) -> f64 {
    time.as_nanos() as f64 / 1000.0
}

/// Builds a solver and lets it work a little, so that the first row does not include loading code and
/// filling caches.
pub(crate) fn warm_up(task: &SolveTask<'_>, spec: &SolverSpec) -> Box<dyn Solver> {
    let mut solver = spec.build();
    let limits = Limits {
        time: Some(Duration::from_millis(50)),
        memory: Some(task.budget.memory),
        ..Limits::default()
    };
    let puzzle = &task.item.puzzle;
    let outcome = catch_unwind(AssertUnwindSafe(|| {
        solver.solve(puzzle, &limits, &mut Silent);
    }));
    match outcome {
        Ok(()) => solver,
        // The real run will panic again and get a row.
        Err(_) => spec.build(),
    }
}

/// Solves in this process. A solver that panics is not returned.
pub(crate) fn solve_here(
    task: &SolveTask<'_>,
    guarantee: Guarantee,
    mut solver: Box<dyn Solver>,
) -> (Row, Option<Box<dyn Solver>>) {
    let puzzle = &task.item.puzzle;
    let watch = task.budget.clock.start();
    let answer = catch_unwind(AssertUnwindSafe(|| {
        clock::solve(&mut *solver, puzzle, task.budget)
    }));
    match answer {
        Ok((outcome, stats, time)) => {
            let judgement = judge(puzzle, task.item.expectation, guarantee, &outcome);
            (task.row(Mode::Warm, judgement, &stats, time), Some(solver))
        }
        Err(panic) => {
            let text = panic
                .downcast_ref::<String>()
                .map(String::as_str)
                .or_else(|| panic.downcast_ref::<&str>().copied())
                .unwrap_or("no message");
            let detail = format!("panic: {text}");
            let time = watch.elapsed();
            (
                task.error_row(Mode::Warm, Ending::Error, &detail, time),
                None,
            )
        }
    }
}
