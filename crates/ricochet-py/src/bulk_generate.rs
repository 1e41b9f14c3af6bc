//! Many puzzles made on all cores, as `ricochet generate` does.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use pyo3::prelude::*;
use ricochet_core::generate::GenerateError;
use ricochet_service::questions::generate::Generate;
use ricochet_service::{Error, Request};
use ricochet_solve::generation::{Attempt, Candidates, MakerOptions, Method, Verdict};
use ricochet_solve::{CancelToken, Limit, Limits, Solver, registry};

use crate::errors;
use crate::puzzle::Puzzle;
use crate::threads::{interruptible, threads_or_all};

/// The most candidates that each thread tests before their verdicts are recorded, in order.
const MAX_BATCH: usize = 256;

/// The puzzles, the number of candidates tried and of tables made, and why there are no more.
type GeneratedRow = (Vec<Puzzle>, u64, u64, Option<String>);

/// Makes puzzles as a `generate` request in JSON asks for. Candidates are tested on several threads;
/// where tables are cheaper, puzzles are drawn from them.
#[pyfunction]
#[pyo3(signature = (request, seed, start, count, patience, threads = None))]
pub(crate) fn generate(
    py: Python<'_>,
    request: &str,
    seed: u64,
    start: u64,
    count: u64,
    patience: u64,
    threads: Option<&Bound<'_, PyAny>>,
) -> PyResult<GeneratedRow> {
    let raise = |error: Error| errors::exception(&error);
    let Request::Generate(wanted) = Request::from_json(request).map_err(raise)? else {
        return Err(errors::bad("a request to generate was expected"));
    };
    let threads = threads_or_all(threads)?;
    let options = MakerOptions {
        count,
        first: start,
        patience,
        threads,
        ..MakerOptions::default()
    };
    let cancel = CancelToken::default();
    let made = interruptible(
        py,
        &cancel,
        |_tell: std::sync::mpsc::Sender<()>| make(&wanted, seed, options, &cancel),
        |()| Ok(()),
    )?;
    made.map_err(raise)
}

fn make(
    request: &Generate,
    seed: u64,
    options: MakerOptions,
    cancel: &CancelToken,
) -> Result<GeneratedRow, Error> {
    let mut maker = request.maker(seed, options)?;
    let limits = Limits {
        cancel: Some(cancel.clone()),
        ..Limits::default()
    };
    let workers = if maker.candidates().need_solver() {
        options.threads
    } else {
        1
    };
    let mut solvers = Vec::new();
    for _ in 0..workers {
        solvers.push(registry::build("flagship")?);
    }
    let mut puzzles = Vec::new();
    // The missing puzzles may be found at once: start with few candidates.
    let mut batch = workers;
    'attempts: while !maker.is_done() {
        let attempts = match maker.method() {
            Method::Drawn => vec![maker.next(solvers[0].as_mut(), &limits)?],
            Method::Tried => {
                let numbers: Vec<u64> = maker.numbers().take(batch).collect();
                batch = (2 * batch).min(workers * MAX_BATCH);
                let mut attempts = Vec::new();
                for verdict in judge_all(maker.candidates(), &numbers, &mut solvers, &limits) {
                    attempts.push(maker.record(verdict)?);
                    if maker.is_done() || maker.method() == Method::Drawn {
                        break;
                    }
                }
                attempts
            }
        };
        for attempt in attempts {
            match attempt {
                Attempt::Found(found) => puzzles.push(Puzzle(found.puzzle.into())),
                Attempt::NoMatch => {}
                Attempt::GaveUp(why) => {
                    return Ok((
                        puzzles,
                        maker.tried(),
                        maker.tables(),
                        Some(why.to_string()),
                    ));
                }
                Attempt::Stopped(Limit::Cancelled) => break 'attempts,
                Attempt::Stopped(limit) => {
                    let why = Some(limit.to_string());
                    return Ok((puzzles, maker.tried(), maker.tables(), why));
                }
            }
        }
    }
    Ok((puzzles, maker.tried(), maker.tables(), None))
}

/// The verdicts on candidates, in their order.
fn judge_all(
    candidates: &Candidates,
    numbers: &[u64],
    solvers: &mut [Box<dyn Solver>],
    limits: &Limits,
) -> Vec<Result<Verdict, GenerateError>> {
    let next = AtomicUsize::new(0);
    let verdicts: Vec<Mutex<Option<_>>> = numbers.iter().map(|_| Mutex::new(None)).collect();
    thread::scope(|scope| {
        for solver in solvers {
            let (next, verdicts) = (&next, &verdicts);
            scope.spawn(move || {
                loop {
                    let at = next.fetch_add(1, Ordering::Relaxed);
                    let Some(&number) = numbers.get(at) else {
                        break;
                    };
                    let one = candidates.judge(number, solver.as_mut(), limits);
                    *verdicts[at]
                        .lock()
                        .expect("nothing panics while it is held") = Some(one);
                }
            });
        }
    });
    let verdicts = verdicts.into_iter().map(|one| {
        let one = one.into_inner().expect("nothing panics while it is held");
        one.expect("all were judged")
    });
    verdicts.collect()
}
