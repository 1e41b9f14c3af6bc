//! The one way in which the lab spreads work over threads.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, SyncSender};

use anyhow::Result;

/// Where workers hand in what they have found.
pub(crate) struct Tray<'a, R> {
    sender: SyncSender<Result<R>>,
    stop: &'a AtomicBool,
}

impl<R> Tray<'_, R> {
    /// Hands in a result. Says whether to go on.
    pub(crate) fn put(&self, result: R) -> bool {
        self.sender.send(Ok(result)).is_ok() && !self.is_stopped()
    }

    fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }
}

/// Works through `tasks` on `jobs` threads. The tasks are made one by one as threads become free, so
/// that there may be any number of them. Every thread prepares a state of its own, which `work` is
/// given with each task; what it puts on the tray is taken on the calling thread, in the order in
/// which it comes.
///
/// # Errors
/// The first error of `prepare`, `work` or `take`, which ends the others after their task.
pub(crate) fn work_through<T, S, R: Send>(
    jobs: usize,
    tasks: impl Iterator<Item = T> + Send,
    prepare: impl Fn() -> Result<S> + Sync,
    work: impl Fn(&mut S, T, &Tray<'_, R>) -> Result<()> + Sync,
    mut take: impl FnMut(R) -> Result<()>,
) -> Result<()> {
    let tasks = Mutex::new(tasks);
    let stop = AtomicBool::new(false);
    let jobs = jobs.max(1);
    let (sender, receiver) = mpsc::sync_channel(4 * jobs);
    std::thread::scope(|scope| {
        for _ in 0..jobs {
            let tray = Tray {
                sender: sender.clone(),
                stop: &stop,
            };
            let (tasks, prepare, work) = (&tasks, &prepare, &work);
            scope.spawn(move || {
                let all = || -> Result<()> {
                    let mut state = prepare()?;
                    while !tray.is_stopped() {
                        let next = tasks.lock().expect("making a task does not panic").next();
                        let Some(task) = next else { break };
                        work(&mut state, task, &tray)?;
                    }
                    Ok(())
                };
                if let Err(error) = all() {
                    // If nobody takes it, an earlier error has ended the work already.
                    let _ = tray.sender.send(Err(error));
                }
            });
        }
        drop(sender);
        let mut first = Ok(());
        for result in receiver {
            if first.is_err() {
                continue; // so that nobody waits for room on the tray
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
            let work = |own: &mut usize, task: usize, tray: &Tray<'_, usize>| {
                *own += 1;
                tray.put(2 * task);
                tray.put(2 * task + 1);
                Ok(())
            };
            let take = |result| {
                found.push(result);
                Ok(())
            };
            work_through(jobs, 0..500, || Ok(0), work, take).unwrap();
            found.sort_unstable();
            assert!(found.into_iter().eq(0..1000));
        }
    }

    #[test]
    fn an_error_ends_even_endless_work() {
        let endless = || 0u64..;
        let taken = |_| bail!("the disk is full");
        let put = |(): &mut (), task, tray: &Tray<'_, u64>| {
            tray.put(task);
            Ok(())
        };
        let error = work_through(3, endless(), || Ok(()), put, taken).unwrap_err();
        assert_eq!(error.to_string(), "the disk is full");
        let fails = |(): &mut (), task, _: &Tray<'_, u64>| match task {
            100 => bail!("task {task}"),
            _ => Ok(()),
        };
        let error = work_through(3, endless(), || Ok(()), fails, |_| Ok(())).unwrap_err();
        assert_eq!(error.to_string(), "task 100");
        let prepare = || -> Result<()> { bail!("no state") };
        assert!(work_through(2, endless(), prepare, put, |_| Ok(())).is_err());
    }
}
