//! The questions of `ricochet-service`: JSON in, JSON out.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;

use pyo3::prelude::*;
use ricochet_core::{Move, Puzzle};
use ricochet_service::questions::draw::Draw;
use ricochet_service::words::Plays;
use ricochet_service::{Answer, Call, Error, Policy, Progress, Request};
use ricochet_solve::CancelToken;
use ricochet_solve::memory::default_memory_limit;

use crate::errors;
use crate::work::{interruptible, threads_or_all};

/// The policy of the machine's owner; each of several calls at once gets its share of the memory.
fn policy(threads: usize, at_once: usize) -> Policy {
    let share = |bytes: u64| (bytes / at_once as u64) >> 20;
    Policy {
        memory_mib: default_memory_limit().map(share),
        ..Policy::unlimited(threads as u32)
    }
}

/// Asks one question. `progress` is called with the JSON of how far the search is.
#[pyfunction]
#[pyo3(signature = (request, threads = None, progress = None))]
pub(crate) fn ask(
    py: Python<'_>,
    request: &str,
    threads: Option<&Bound<'_, PyAny>>,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<String> {
    let request = Request::from_json(request).map_err(|error| errors::exception(&error))?;
    let policy = policy(threads_or_all(threads)?, 1);
    if !request.info().searches {
        let answer = py.detach(|| Call::new(&policy).answer(&request));
        return json(answer);
    }
    let cancel = CancelToken::default();
    let answer = interruptible(
        py,
        &cancel,
        |tell| {
            let call = Call::new(&policy).cancel_with(&cancel);
            call.on_progress(move |progress: &Progress| {
                // Nobody listens any more once the call ended with an exception.
                let _ = tell.send(progress.clone());
            })
            .answer(&request)
        },
        |told| match progress {
            Some(hear) => hear.call1((text(&told)?,)).map(drop),
            None => Ok(()),
        },
    )?;
    json(answer)
}

/// Asks many questions on several threads, each on one; the answers come in the order of the
/// questions, each as `(JSON, None)` or, where there is none, as `(None, exception)`. `progress` is
/// called with the number of answers so far.
#[pyfunction]
#[pyo3(signature = (requests, threads = None, progress = None))]
pub(crate) fn ask_many(
    py: Python<'_>,
    requests: Vec<String>,
    threads: Option<&Bound<'_, PyAny>>,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<Vec<(Option<String>, Option<PyErr>)>> {
    let requests: Vec<Result<Request, Error>> = requests
        .iter()
        .map(|request| Request::from_json(request))
        .collect();
    let threads = threads_or_all(threads)?.min(requests.len().max(1));
    let cancel = CancelToken::default();
    let answers: Vec<Mutex<Option<Result<Answer, Error>>>> =
        requests.iter().map(|_| Mutex::new(None)).collect();
    let next = AtomicUsize::new(0);
    let policy = policy(1, threads);
    interruptible(
        py,
        &cancel,
        |tell| {
            thread::scope(|scope| {
                for _ in 0..threads {
                    let tell = tell.clone();
                    let (requests, answers, next) = (&requests, &answers, &next);
                    let (policy, cancel) = (&policy, &cancel);
                    scope.spawn(move || {
                        while !cancel.is_cancelled() {
                            let at = next.fetch_add(1, Ordering::Relaxed);
                            let Some(request) = requests.get(at) else {
                                break;
                            };
                            let answer = match request {
                                Ok(request) => {
                                    Call::new(policy).cancel_with(cancel).answer(request)
                                }
                                Err(error) => Err(error.clone()),
                            };
                            *answers[at].lock().expect("nothing panics while it is held") =
                                Some(answer);
                            let _ = tell.send(());
                        }
                    });
                }
            });
        },
        counting(progress),
    )?;
    answers
        .into_iter()
        .map(|answer| {
            let answer = answer
                .into_inner()
                .expect("nothing panics while it is held");
            let answer = answer.expect("all were asked");
            Ok(match json(answer) {
                Ok(text) => (Some(text), None),
                Err(error) => (None, Some(error)),
            })
        })
        .collect()
}

/// Tells a callable how many times something was heard.
pub(crate) fn counting<'a>(
    progress: Option<&'a Bound<'_, PyAny>>,
) -> impl FnMut(()) -> PyResult<()> + 'a {
    let mut heard = 0_usize;
    move |()| {
        heard += 1;
        match progress {
            Some(hear) => hear.call1((heard,)).map(drop),
            None => Ok(()),
        }
    }
}

/// A picture for a notebook.
pub(crate) fn svg(py: Python<'_>, puzzle: &Arc<Puzzle>, moves: &[Move]) -> PyResult<String> {
    let draw = Draw {
        puzzle: Arc::clone(puzzle).into(),
        moves: (!moves.is_empty()).then(|| Plays(moves.to_vec())),
        ..Draw::default()
    };
    let answer = py.detach(|| Call::new(&Policy::unlimited(1)).answer(&Request::Draw(draw)));
    match answer.map_err(|error| errors::exception(&error))? {
        Answer::Draw(picture) => Ok(picture.text.unwrap_or_default()),
        _ => Err(errors::bad("a picture was asked for")),
    }
}

fn json(answer: Result<Answer, Error>) -> PyResult<String> {
    text(&answer.map_err(|error| errors::exception(&error))?)
}

fn text(value: &impl serde::Serialize) -> PyResult<String> {
    serde_json::to_string(value).map_err(|error| errors::bad(error.to_string()))
}
