//! Requests to `ricochet-service`: JSON in, JSON out.

use std::sync::{Arc, LazyLock, Mutex};

use pyo3::prelude::*;
use ricochet_core::Move;
use ricochet_service::json::MoveList;
use ricochet_service::questions::draw::Draw;
use ricochet_service::{Answer, Call, Error, Policy, Progress, Request};
use ricochet_solve::CancelToken;
use ricochet_solve::evaluate::Evaluator;
use ricochet_solve::memory::default_memory_limit;

use crate::errors;
use crate::puzzle::Puzzle;
use crate::threads::{interruptible, map_on_threads, threads_or_all};

/// The policy of the machine's owner; each of several calls at once gets its share of the memory.
fn policy(threads: usize, at_once: usize) -> Policy {
    let share = |bytes: u64| (bytes / at_once as u64) >> 20;
    Policy {
        memory_mib: default_memory_limit().map(share),
        ..Policy::unlimited(threads as u32)
    }
}

/// What was learned about positions, for the next move of the same game. A call that finds it in
/// use, by another thread or before a fork, goes without.
static EVALUATOR: LazyLock<Mutex<Evaluator>> = LazyLock::new(Mutex::default);

/// Answers a request in JSON. Its puzzle can be given as an object instead of a field. `progress` is
/// called with the JSON of how far the search is.
#[pyfunction]
#[pyo3(signature = (request, threads = None, progress = None, puzzle = None))]
pub(crate) fn ask(
    py: Python<'_>,
    request: &str,
    threads: Option<&Bound<'_, PyAny>>,
    progress: Option<&Bound<'_, PyAny>>,
    puzzle: Option<&Bound<'_, Puzzle>>,
) -> PyResult<String> {
    let request = parse(request, puzzle).map_err(|error| errors::exception(&error))?;
    let policy = policy(threads_or_all(threads)?, 1);
    if !request.info().searches {
        let answer = py.detach(|| Call::new(&policy).answer(&request));
        return json(answer);
    }
    let cancel = CancelToken::default();
    let answer = interruptible(
        py,
        &cancel,
        |sender| {
            let mut evaluator = EVALUATOR.try_lock().ok();
            let mut call = Call::new(&policy).cancel_with(&cancel);
            if let Some(evaluator) = &mut evaluator {
                call = call.with_evaluator(evaluator);
            }
            call.on_progress(move |progress: &Progress| {
                // The receiver is gone if the call has ended with an exception.
                let _ = sender.send(progress.clone());
            })
            .answer(&request)
        },
        |heard| match progress {
            Some(callback) => callback.call1((text(&heard)?,)).map(drop),
            None => Ok(()),
        },
    )?;
    json(answer)
}

fn parse(request: &str, puzzle: Option<&Bound<'_, Puzzle>>) -> Result<Request, Error> {
    match puzzle {
        Some(puzzle) => Request::about(Arc::clone(&puzzle.get().0), request),
        None => Request::from_json(request),
    }
}

/// Answers many requests on several threads, each on one. The answers come in the order of the
/// requests, as `(JSON, None)` or `(None, exception)`. The puzzles can be given as objects, one per
/// request. `progress` is called with the number of answers so far.
#[pyfunction]
#[pyo3(signature = (requests, threads = None, progress = None, puzzles = None))]
pub(crate) fn ask_many(
    py: Python<'_>,
    requests: Vec<String>,
    threads: Option<&Bound<'_, PyAny>>,
    progress: Option<&Bound<'_, PyAny>>,
    puzzles: Option<Vec<Bound<'_, Puzzle>>>,
) -> PyResult<Vec<(Option<String>, Option<PyErr>)>> {
    let puzzles = puzzles.unwrap_or_default();
    let requests: Vec<Result<Request, Error>> = requests
        .iter()
        .enumerate()
        .map(|(index, request)| parse(request, puzzles.get(index)))
        .collect();
    let threads = threads_or_all(threads)?.min(requests.len().max(1));
    let cancel = CancelToken::default();
    let policy = policy(1, threads);
    let answers = map_on_threads(
        py,
        &cancel,
        &requests,
        vec![(); threads],
        |(), request| match request {
            Ok(request) => Call::new(&policy).cancel_with(&cancel).answer(request),
            Err(error) => Err(error.clone()),
        },
        progress,
    )?;
    let answers = answers.into_iter().map(|answer| match json(answer) {
        Ok(text) => (Some(text), None),
        Err(error) => (None, Some(error)),
    });
    Ok(answers.collect())
}

/// A picture for a notebook.
pub(crate) fn svg(
    py: Python<'_>,
    puzzle: &Arc<ricochet_core::Puzzle>,
    moves: &[Move],
) -> PyResult<String> {
    let draw = Draw {
        puzzle: Arc::clone(puzzle).into(),
        moves: (!moves.is_empty()).then(|| MoveList(moves.to_vec())),
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
