//! One solve: timed, verified, and turned into a row. This file solves in this process, [`cold`] in a
//! new one, [`external`] with another program.

pub mod clock;
pub mod cold;
pub mod external;
pub mod verify;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;

use ricochet_solve::{Guarantee, Limits, NullObserver, Solver, Stats};

use crate::corpus::{CorpusPuzzle, Expectation};
use crate::run::plan::SolveLimits;
use crate::run::solve::verify::{VerifiedAnswer, verify};
use crate::run::store::row::{Mode, OutcomeKind, Row, Verdict, single_line};
use ricochet_solve::registry::SolverSpec;

/// One solve: a puzzle and the solver that is given it.
#[derive(Clone, Debug)]
pub(crate) struct SolveTask<'a> {
    pub(crate) corpus: &'a str,
    pub(crate) item: &'a CorpusPuzzle,
    /// The name of the solver in the row.
    pub(crate) solver: String,
    pub(crate) run: u32,
    pub(crate) limits: SolveLimits,
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
        answer: VerifiedAnswer,
        stats: &Stats,
        time: Duration,
    ) -> Row {
        Row {
            corpus: self.corpus.to_owned(),
            puzzle: self.item.id.clone(),
            solver: self.solver.clone(),
            run: self.run,
            mode,
            outcome: answer.ending,
            detail: answer.detail,
            length: answer.length,
            claimed: stats.claimed,
            lower_bound: answer.lower_bound,
            known: self.known(),
            verdict: answer.verdict,
            nodes: stats.nodes,
            inner: stats.inner,
            hits: stats.hits,
            expanded: stats.expanded,
            peak_bytes: stats.peak_bytes,
            micros: micros(time),
            process_micros: None,
            moves: answer.moves,
        }
    }

    /// The row of a solve without an answer.
    pub(crate) fn error_row(
        &self,
        mode: Mode,
        ending: OutcomeKind,
        detail: &str,
        time: Duration,
    ) -> Row {
        let answer = VerifiedAnswer {
            ending,
            detail: single_line(detail, 300),
            length: None,
            lower_bound: None,
            verdict: Verdict::None,
            moves: String::new(),
        };
        self.row(mode, answer, &Stats::default(), time)
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
        memory: Some(task.limits.memory),
        ..Limits::default()
    };
    let puzzle = &task.item.puzzle;
    let outcome = catch_unwind(AssertUnwindSafe(|| {
        solver.solve(puzzle, &limits, &mut NullObserver);
    }));
    match outcome {
        Ok(()) => solver,
        // The real run will panic again and get a row.
        Err(_) => spec.build(),
    }
}

/// Solves in this process. A solver that panics is not returned.
pub(crate) fn solve_in_process(
    task: &SolveTask<'_>,
    guarantee: Guarantee,
    mut solver: Box<dyn Solver>,
) -> (Row, Option<Box<dyn Solver>>) {
    let puzzle = &task.item.puzzle;
    let watch = task.limits.clock.start();
    let answer = catch_unwind(AssertUnwindSafe(|| {
        clock::solve(&mut *solver, puzzle, task.limits)
    }));
    match answer {
        Ok((outcome, stats, time)) => {
            let answer = verify(puzzle, task.item.expectation, guarantee, &outcome);
            (task.row(Mode::Warm, answer, &stats, time), Some(solver))
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
                task.error_row(Mode::Warm, OutcomeKind::Error, &detail, time),
                None,
            )
        }
    }
}
