//! Spreads tasks over threads.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, SyncSender};

use anyhow::Result;

/// Sends a worker's results to the calling thread.
pub(crate) struct ResultSender<'a, R> {
    sender: SyncSender<Result<R>>,
    stop: &'a AtomicBool,
}

impl<R> ResultSender<'_, R> {
    /// Sends a result. Returns whether the worker should continue.
    pub(crate) fn send(&self, result: R) -> bool {
        self.sender.send(Ok(result)).is_ok() && !self.is_stopped()
    }

    fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }
}

/// Runs `tasks` on `jobs` threads. Tasks are drawn from the iterator as threads become free, so there
/// may be any number of them. Each thread prepares a state, which it passes to `work` with each task;
/// `take` receives the results on the calling thread in the order of their arrival.
///
/// # Errors
/// The first error of `prepare`, `work` or `take`; the other threads stop after their current task.
pub(crate) fn run_parallel<T, S, R: Send>(
    jobs: usize,
    tasks: impl Iterator<Item = T> + Send,
    prepare: impl Fn() -> Result<S> + Sync,
    work: impl Fn(&mut S, T, &ResultSender<'_, R>) -> Result<()> + Sync,
    mut take: impl FnMut(R) -> Result<()>,
) -> Result<()> {
    let tasks = Mutex::new(tasks);
    let stop = AtomicBool::new(false);
    let jobs = jobs.max(1);
    let (sender, receiver) = mpsc::sync_channel(4 * jobs);
    std::thread::scope(|scope| {
        for _ in 0..jobs {
            let results = ResultSender {
                sender: sender.clone(),
                stop: &stop,
            };
            let (tasks, prepare, work) = (&tasks, &prepare, &work);
            scope.spawn(move || {
                let all = || -> Result<()> {
                    let mut state = prepare()?;
                    while !results.is_stopped() {
                        let next = tasks.lock().expect("making a task does not panic").next();
                        let Some(task) = next else { break };
                        work(&mut state, task, &results)?;
                    }
                    Ok(())
                };
                if let Err(error) = all() {
                    // Sending fails only after an earlier error.
                    let _ = results.sender.send(Err(error));
                }
            });
        }
        drop(sender);
        let mut first = Ok(());
        for result in receiver {
            if first.is_err() {
                continue; // drain the channel, so that no worker blocks on it
            }
            first = result.and_then(&mut take);
            if first.is_err() {
                stop.store(true, Ordering::Relaxed);
            }
        }
        first
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use anyhow::bail;

    #[test]
    fn every_task_is_done_once() {
        for jobs in [0, 1, 3] {
            let mut found = Vec::new();
            let work = |own: &mut usize, task: usize, results: &ResultSender<'_, usize>| {
                *own += 1;
                results.send(2 * task);
                results.send(2 * task + 1);
                Ok(())
            };
            let take = |result| {
                found.push(result);
                Ok(())
            };
            run_parallel(jobs, 0..500, || Ok(0), work, take).unwrap();
            found.sort_unstable();
            assert!(found.into_iter().eq(0..1000));
        }
    }

    #[test]
    fn an_error_ends_even_endless_work() {
        let endless = || 0u64..;
        let taken = |_| bail!("the disk is full");
        let put = |(): &mut (), task, results: &ResultSender<'_, u64>| {
            results.send(task);
            Ok(())
        };
        let error = run_parallel(3, endless(), || Ok(()), put, taken).unwrap_err();
        assert_eq!(error.to_string(), "the disk is full");
        let fails = |(): &mut (), task, _: &ResultSender<'_, u64>| match task {
            100 => bail!("task {task}"),
            _ => Ok(()),
        };
        let error = run_parallel(3, endless(), || Ok(()), fails, |_| Ok(())).unwrap_err();
        assert_eq!(error.to_string(), "task 100");
        let prepare = || -> Result<()> { bail!("no state") };
        assert!(run_parallel(2, endless(), prepare, put, |_| Ok(())).is_err());
    }
}
