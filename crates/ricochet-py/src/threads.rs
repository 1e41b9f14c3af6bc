//! Long work on separate threads, while the calling thread checks for Ctrl-C.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::Duration;

use pyo3::prelude::*;
use ricochet_solve::CancelToken;

use crate::arguments;

/// How often the calling thread checks for Ctrl-C.
const SIGNAL_INTERVAL: Duration = Duration::from_millis(50);

/// Works without the interpreter lock. The calling thread receives what the work sends; an exception
/// there, such as Ctrl-C, cancels the work and is raised once it has ended.
pub(crate) fn interruptible<T: Send, P: Send>(
    py: Python<'_>,
    cancel: &CancelToken,
    work: impl FnOnce(Sender<P>) -> T + Send,
    mut hear: impl FnMut(P) -> PyResult<()>,
) -> PyResult<T> {
    thread::scope(|scope| {
        let (sender, receiver) = channel();
        let worker = scope.spawn(move || work(sender));
        let mut receiver = receiver;
        let mut ended = Ok(());
        loop {
            let (back, heard) = py.detach(move || {
                let heard = receiver.recv_timeout(SIGNAL_INTERVAL);
                (receiver, heard)
            });
            receiver = back;
            let now = match heard {
                Ok(said) if ended.is_ok() => hear(said).and_then(|()| py.check_signals()),
                Ok(_) => Ok(()),
                Err(RecvTimeoutError::Timeout) => py.check_signals(),
                Err(RecvTimeoutError::Disconnected) => break,
            };
            if now.is_err() && ended.is_ok() {
                cancel.cancel();
                ended = now;
            }
        }
        let done = py.detach(|| worker.join());
        ended?;
        match done {
            Ok(done) => Ok(done),
            Err(panic) => std::panic::resume_unwind(panic),
        }
    })
}

/// Maps items in their order on several threads, each with a worker of its own. `progress` is called
/// with the number of results so far.
pub(crate) fn map_on_threads<W: Send, T: Sync, R: Send>(
    py: Python<'_>,
    cancel: &CancelToken,
    items: &[T],
    workers: Vec<W>,
    map: impl Fn(&mut W, &T) -> R + Sync,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<Vec<R>> {
    let next = AtomicUsize::new(0);
    let results: Vec<Mutex<Option<R>>> = items.iter().map(|_| Mutex::new(None)).collect();
    let mut finished = 0_usize;
    interruptible(
        py,
        cancel,
        |sender| {
            thread::scope(|scope| {
                for mut worker in workers {
                    let sender = sender.clone();
                    let (next, results, map) = (&next, &results, &map);
                    scope.spawn(move || {
                        while !cancel.is_cancelled() {
                            let index = next.fetch_add(1, Ordering::Relaxed);
                            let Some(item) = items.get(index) else {
                                break;
                            };
                            let result = map(&mut worker, item);
                            *results[index].lock().expect("no thread panics with it") =
                                Some(result);
                            let _ = sender.send(());
                        }
                    });
                }
            });
        },
        |()| {
            finished += 1;
            match progress {
                Some(callback) => callback.call1((finished,)).map(drop),
                None => Ok(()),
            }
        },
    )?;
    let results = results.into_iter().map(|result| {
        let result = result.into_inner().expect("no thread panics with it");
        result.expect("only an exception cancels the work")
    });
    Ok(results.collect())
}

/// The number of threads that was asked for, or all cores.
pub(crate) fn threads_or_all(wanted: Option<&Bound<'_, PyAny>>) -> PyResult<usize> {
    let wanted = arguments::optional(wanted, "threads", None)?;
    let all = || thread::available_parallelism().map_or(1, usize::from);
    let wanted = wanted.map(|it| usize::try_from(it).unwrap_or(usize::MAX));
    Ok(wanted.unwrap_or_else(all).clamp(1, 1024))
}
