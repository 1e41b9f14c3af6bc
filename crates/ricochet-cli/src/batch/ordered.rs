//! Processing many items on several threads, with results in the order of the items and bounded memory.

use std::collections::VecDeque;
use std::ops::ControlFlow;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError, mpsc};
use std::thread;

/// How many items may be taken beyond the oldest unfinished one, per thread. A slow item holds back the
/// results after it; this bounds how many.
const WINDOW_PER_THREAD: usize = 64;

/// Processes items on `threads` workers and passes the results to `sink` in the order of the items. Each
/// worker is made once (it may own a solver) and used for all of its items. `sink` ends everything
/// early with `ControlFlow::Break` or an error; the remaining items are not taken.
///
/// With one thread, everything happens on the caller's.
pub(crate) fn ordered<I, R, W, E>(
    items: I,
    threads: usize,
    make_worker: impl Fn() -> W + Sync,
    mut sink: impl FnMut(R) -> Result<ControlFlow<()>, E>,
) -> Result<(), E>
where
    I: Iterator + Send,
    I::Item: Send,
    R: Send,
    W: FnMut(I::Item) -> R,
{
    if threads <= 1 {
        let mut worker = make_worker();
        for item in items {
            if sink(worker(item))?.is_break() {
                break;
            }
        }
        return Ok(());
    }
    let queue = Queue::new(items, threads * WINDOW_PER_THREAD);
    thread::scope(|scope| {
        let (sender, receiver) = mpsc::channel();
        for _ in 0..threads {
            let sender = sender.clone();
            let (queue, make_worker) = (&queue, &make_worker);
            scope.spawn(move || {
                // Wakes the others should this worker panic: they stop, and the scope reports it.
                let _stop_on_panic = StopOnPanic(queue);
                let mut worker = make_worker();
                while let Some((number, item)) = queue.take() {
                    if sender.send((number, worker(item))).is_err() {
                        break;
                    }
                }
            });
        }
        drop(sender);
        // Results that wait for an earlier one; the front belongs to item `written`.
        let mut waiting: VecDeque<Option<R>> = VecDeque::new();
        let mut written = 0;
        for (number, result) in receiver {
            let place: usize = number - written;
            if waiting.len() <= place {
                waiting.resize_with(place + 1, || None);
            }
            waiting[place] = Some(result);
            while let Some(result) = waiting.front_mut().and_then(Option::take) {
                waiting.pop_front();
                written += 1;
                match sink(result) {
                    Ok(ControlFlow::Continue(())) => queue.advance(written),
                    end => {
                        queue.stop();
                        return end.map(drop);
                    }
                }
            }
        }
        Ok(())
    })
}

/// The remaining items, and how far they may be taken.
struct Queue<I> {
    /// Held while waiting for the next item, which may be typed by hand. Passing on results does not
    /// need it.
    items: Mutex<I>,
    counts: Mutex<Counts>,
    moved: Condvar,
    window: usize,
}

struct Counts {
    taken: usize,
    written: usize,
    stopped: bool,
}

impl<I: Iterator> Queue<I> {
    fn new(items: I, window: usize) -> Self {
        Self {
            items: Mutex::new(items),
            counts: Mutex::new(Counts {
                taken: 0,
                written: 0,
                stopped: false,
            }),
            moved: Condvar::new(),
            window,
        }
    }

    /// The next item with its number; `None` if there are no more, or after `stop`.
    fn take(&self) -> Option<(usize, I::Item)> {
        let mut items = self.items.lock().unwrap_or_else(PoisonError::into_inner);
        let counts = self
            .moved
            .wait_while(self.lock(), |counts| {
                !counts.stopped && counts.taken >= counts.written + self.window
            })
            .unwrap_or_else(PoisonError::into_inner);
        if counts.stopped {
            return None;
        }
        drop(counts);
        let Some(item) = items.next() else {
            // An iterator may return more items after `None`.
            self.stop();
            return None;
        };
        let mut counts = self.lock();
        let number = counts.taken;
        counts.taken += 1;
        Some((number, item))
    }
}

impl<I> Queue<I> {
    fn advance(&self, written: usize) {
        self.lock().written = written;
        self.moved.notify_all();
    }

    fn stop(&self) {
        self.lock().stopped = true;
        self.moved.notify_all();
    }

    fn lock(&self) -> MutexGuard<'_, Counts> {
        // The scope reports panics; these numbers are always consistent.
        self.counts.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

struct StopOnPanic<'a, I>(&'a Queue<I>);

impl<I> Drop for StopOnPanic<'_, I> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.0.stop();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    /// Squares of 0..n, the work taking longer for some.
    fn squares(n: usize, threads: usize, stop_after: usize) -> Vec<usize> {
        let mut results = Vec::new();
        let work = || {
            |i: usize| {
                if i.is_multiple_of(7) {
                    thread::yield_now();
                }
                i * i
            }
        };
        let done: Result<(), Infallible> = ordered(0..n, threads, work, |square| {
            results.push(square);
            Ok(if results.len() == stop_after {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            })
        });
        done.unwrap();
        results
    }

    #[test]
    fn results_come_in_order_for_any_number_of_threads() {
        let expected: Vec<usize> = (0..5000).map(|i| i * i).collect();
        for threads in [1, 2, 3, 8] {
            assert_eq!(squares(5000, threads, usize::MAX), expected);
        }
        assert!(squares(0, 4, usize::MAX).is_empty());
    }

    #[test]
    fn a_satisfied_reader_ends_the_work() {
        for threads in [1, 4] {
            assert_eq!(squares(usize::MAX, threads, 10).len(), 10);
        }
    }

    #[test]
    fn a_slow_item_holds_back_only_a_window() {
        let threads = 3;
        let started = AtomicUsize::new(0);
        let released = AtomicUsize::new(0);
        let work = || {
            |i: usize| {
                let now = started.fetch_add(1, Ordering::SeqCst) + 1;
                if i == 0 {
                    // Wait until the others have gone as far as they may.
                    while started.load(Ordering::SeqCst) < threads * WINDOW_PER_THREAD {
                        thread::yield_now();
                    }
                    thread::sleep(std::time::Duration::from_millis(20));
                    released.store(started.load(Ordering::SeqCst), Ordering::SeqCst);
                }
                now
            }
        };
        let done: Result<(), Infallible> =
            ordered(0..10_000, threads, work, |_| Ok(ControlFlow::Continue(())));
        done.unwrap();
        assert!(released.load(Ordering::SeqCst) <= threads * WINDOW_PER_THREAD);
    }

    #[test]
    fn an_error_of_the_reader_comes_back() {
        let result = ordered(
            0..1000,
            2,
            || |i: i32| i,
            |i| {
                if i == 5 {
                    Err("enough")
                } else {
                    Ok(ControlFlow::Continue(()))
                }
            },
        );
        assert_eq!(result, Err("enough"));
    }

    #[test]
    #[should_panic(expected = "a scoped thread panicked")]
    fn a_panic_of_a_worker_is_not_swallowed() {
        let work = || {
            |i: usize| {
                assert!(i < 500, "broken");
                i
            }
        };
        let _: Result<(), Infallible> = ordered(0.., 2, work, |_| Ok(ControlFlow::Continue(())));
    }
}
