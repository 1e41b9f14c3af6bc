//! Many puzzles made on all cores, as `ricochet generate` does.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use pyo3::prelude::*;
use ricochet_core::generate::GenerateError;
use ricochet_service::making::{Making, Plan, Step, Way};
use ricochet_service::questions::generate::Generate;
use ricochet_service::wishes::{Candidates, Verdict};
use ricochet_service::{Error, Request};
use ricochet_solve::{CancelToken, Limit, Limits, Solver, registry};

use crate::errors;
use crate::puzzle::Puzzle;
use crate::work::{interruptible, threads_or_all};

/// The most candidates that each thread looks at before what was found is taken in, in order.
const MOST_EACH: usize = 256;

/// The puzzles, the candidates that were tried, the tables that were made, and why there are no more.
type MadeRow = (Vec<Puzzle>, u64, u64, Option<String>);

/// Makes puzzles as the question `generate` of the service wishes for, whose JSON is given: candidates
/// are looked at on several threads, and where tables are cheaper, puzzles are drawn from them.
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
) -> PyResult<MadeRow> {
    let raise = |error: Error| errors::exception(&error);
    let Request::Generate(wanted) = Request::from_json(request).map_err(raise)? else {
        return Err(errors::bad("a request to generate was expected"));
    };
    let plan = Plan {
        count,
        first: start,
        patience,
        ..Plan::default()
    };
    let threads = threads_or_all(threads)?;
    let cancel = CancelToken::default();
    let made = interruptible(
        py,
        &cancel,
        |_tell: std::sync::mpsc::Sender<()>| make(&wanted, seed, plan, threads, &cancel),
        |()| Ok(()),
    )?;
    made.map_err(raise)
}

fn make(
    wanted: &Generate,
    seed: u64,
    plan: Plan,
    threads: usize,
    cancel: &CancelToken,
) -> Result<MadeRow, Error> {
    let mut making = Making::new(wanted, seed, plan)?.threads(threads);
    let limits = Limits {
        cancel: Some(cancel.clone()),
        ..Limits::default()
    };
    let workers = if making.candidates().need_a_solver() {
        threads
    } else {
        1
    };
    let mut solvers = Vec::new();
    for _ in 0..workers {
        solvers.push(registry::build("flagship")?);
    }
    let mut puzzles = Vec::new();
    // What is missing may be found at once: few candidates do then.
    let mut batch = workers;
    'making: while !making.is_done() {
        let steps = match making.way() {
            Way::Drawn => vec![making.next(solvers[0].as_mut(), &limits)?],
            Way::Tried => {
                let numbers: Vec<u64> = making.numbers().take(batch).collect();
                batch = (2 * batch).min(workers * MOST_EACH);
                let mut steps = Vec::new();
                for looked in look_at_all(making.candidates(), &numbers, &mut solvers, &limits) {
                    steps.push(making.tell(looked)?);
                    if making.is_done() || making.way() == Way::Drawn {
                        break;
                    }
                }
                steps
            }
        };
        for step in steps {
            match step {
                Step::Made(made) => puzzles.push(Puzzle(made.puzzle.into())),
                Step::GoOn => {}
                Step::GaveUp(why) => {
                    return Ok((puzzles, making.tried(), making.tables(), Some(why)));
                }
                Step::Stopped(Limit::Cancelled) => break 'making,
                Step::Stopped(limit) => {
                    let why = Some(limit.to_string());
                    return Ok((puzzles, making.tried(), making.tables(), why));
                }
            }
        }
    }
    Ok((puzzles, making.tried(), making.tables(), None))
}

/// What became of candidates, in their order.
fn look_at_all(
    candidates: &Candidates,
    numbers: &[u64],
    solvers: &mut [Box<dyn Solver>],
    limits: &Limits,
) -> Vec<Result<Verdict, GenerateError>> {
    let next = AtomicUsize::new(0);
    let looked: Vec<Mutex<Option<_>>> = numbers.iter().map(|_| Mutex::new(None)).collect();
    thread::scope(|scope| {
        for solver in solvers {
            let (next, looked) = (&next, &looked);
            scope.spawn(move || {
                loop {
                    let at = next.fetch_add(1, Ordering::Relaxed);
                    let Some(&number) = numbers.get(at) else {
                        break;
                    };
                    let one = candidates.look(number, solver.as_mut(), limits);
                    *looked[at].lock().expect("nothing panics while it is held") = Some(one);
                }
            });
        }
    });
    let looked = looked.into_iter().map(|one| {
        let one = one.into_inner().expect("nothing panics while it is held");
        one.expect("all were looked at")
    });
    looked.collect()
}
