//! The threads that search, in two lanes.
//!
//! Nobody knows how hard a question is before it is answered. So every search first gets a short
//! slice in the quick lane. One that does not end there starts again in the slow lane, whose threads
//! run at a lower priority; its questions never stand in the way of easy ones. Both lanes have a
//! bounded queue: what does not fit is refused at once.

use std::collections::VecDeque;
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread;

use crate::metrics::Metrics;

/// Something to be done on a thread of the pool.
pub(crate) type Task = Box<dyn FnOnce() + Send>;

/// Which threads do it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Lane {
    Quick,
    Slow,
}

/// A lane's queue is full.
#[derive(Debug)]
pub(crate) struct Full;

struct Queue {
    tasks: VecDeque<Task>,
    closed: bool,
}

struct LaneState {
    queue: Mutex<Queue>,
    ready: Condvar,
    capacity: usize,
}

impl LaneState {
    fn new(capacity: usize) -> Self {
        Self {
            queue: Mutex::new(Queue {
                tasks: VecDeque::new(),
                closed: false,
            }),
            ready: Condvar::new(),
            capacity,
        }
    }

    fn push(&self, task: Task) -> Result<(), Full> {
        let mut queue = self.queue.lock().unwrap_or_else(PoisonError::into_inner);
        if queue.closed || queue.tasks.len() >= self.capacity {
            return Err(Full);
        }
        queue.tasks.push_back(task);
        drop(queue);
        self.ready.notify_one();
        Ok(())
    }

    fn next(&self) -> Option<Task> {
        let mut queue = self.queue.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            if let Some(task) = queue.tasks.pop_front() {
                return Some(task);
            }
            if queue.closed {
                return None;
            }
            queue = self
                .ready
                .wait(queue)
                .unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn close(&self) {
        let mut queue = self.queue.lock().unwrap_or_else(PoisonError::into_inner);
        queue.closed = true;
        queue.tasks.clear();
        drop(queue);
        self.ready.notify_all();
    }

    fn waiting(&self) -> usize {
        let queue = self.queue.lock().unwrap_or_else(PoisonError::into_inner);
        queue.tasks.len()
    }
}

/// The threads; they end when the pool is dropped.
pub(crate) struct Pool {
    quick: Arc<LaneState>,
    slow: Arc<LaneState>,
}

impl Pool {
    pub(crate) fn new(
        (quick_workers, quick_queue): (usize, usize),
        (slow_workers, slow_queue): (usize, usize),
        metrics: &Arc<Metrics>,
    ) -> std::io::Result<Self> {
        let pool = Self {
            quick: Arc::new(LaneState::new(quick_queue)),
            slow: Arc::new(LaneState::new(slow_queue)),
        };
        for number in 0..quick_workers.max(1) {
            spawn(format!("quick-{number}"), &pool.quick, metrics, false)?;
        }
        for number in 0..slow_workers.max(1) {
            spawn(format!("slow-{number}"), &pool.slow, metrics, true)?;
        }
        Ok(pool)
    }

    pub(crate) fn push(&self, lane: Lane, task: Task) -> Result<(), Full> {
        self.lane(lane).push(task)
    }

    /// How many tasks wait in a lane.
    pub(crate) fn waiting(&self, lane: Lane) -> usize {
        self.lane(lane).waiting()
    }

    fn lane(&self, lane: Lane) -> &LaneState {
        match lane {
            Lane::Quick => &self.quick,
            Lane::Slow => &self.slow,
        }
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        self.quick.close();
        self.slow.close();
    }
}

fn spawn(
    name: String,
    lane: &Arc<LaneState>,
    metrics: &Arc<Metrics>,
    yielding: bool,
) -> std::io::Result<()> {
    let (lane, metrics) = (Arc::clone(lane), Arc::clone(metrics));
    let work = move || {
        if yielding {
            give_way();
        }
        while let Some(task) = lane.next() {
            // A panic is a mistake of ours and must not take a thread away from everybody.
            if std::panic::catch_unwind(std::panic::AssertUnwindSafe(task)).is_err() {
                metrics.panics.add(1);
                tracing::error!("a question made a worker panic");
            }
        }
    };
    thread::Builder::new().name(name).spawn(work).map(drop)
}

/// Lets other threads of this process go first.
fn give_way() {
    #[cfg(target_os = "linux")]
    {
        // On Linux the priority of 'this process' is that of the calling thread.
        if let Err(error) = rustix::process::setpriority_process(None, 10) {
            tracing::debug!("slow threads keep their priority: {error}");
        }
    }
}
