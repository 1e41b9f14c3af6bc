//! Long work on a thread of its own, while the calling thread looks for Ctrl-C.

use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::Duration;

use pyo3::prelude::*;
use ricochet_solve::CancelToken;

use crate::arguments;

/// How often the calling thread looks whether somebody pressed Ctrl-C.
const BETWEEN_LOOKS: Duration = Duration::from_millis(50);

/// Does the work without the interpreter's lock. What the work sends is heard on the calling thread.
/// An exception there, be it Ctrl-C, cancels the work, waits for its end and is raised.
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
                let heard = receiver.recv_timeout(BETWEEN_LOOKS);
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

/// The number of threads that was asked for, or all cores.
pub(crate) fn threads_or_all(wanted: Option<&Bound<'_, PyAny>>) -> PyResult<usize> {
    let wanted = arguments::optional(wanted, "threads", None)?;
    let all = || thread::available_parallelism().map_or(1, usize::from);
    let wanted = wanted.map(|it| usize::try_from(it).unwrap_or(usize::MAX));
    Ok(wanted.unwrap_or_else(all).clamp(1, 1024))
}
