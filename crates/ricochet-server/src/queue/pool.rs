//! The threads that search, in three lanes.
//!
//! How hard a question is becomes clear only while answering it. So every search first gets a short
//! slice in the quick lane. If that is not enough, it starts again with a longer slice in the middle
//! lane, and then in the slow lane with all the time it may have. The later the lane, the lower the
//! priority of its threads, so a question waits only for those that are not much harder. Every lane
//! has a bounded queue; what does not fit is refused at once.

use std::collections::VecDeque;
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread;

use crate::metrics::Metrics;

/// Work for a thread of the pool.
pub(crate) type Task = Box<dyn FnOnce() + Send>;

/// A group of threads with its own queue and priority.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Lane {
    Quick,
    Middle,
    Slow,
}

impl Lane {
    pub(crate) const ALL: [Self; 3] = [Self::Quick, Self::Middle, Self::Slow];

    fn name(self) -> &'static str {
        ["quick", "middle", "slow"][self as usize]
    }

    /// The niceness of its threads.
    fn niceness(self) -> i32 {
        [0, 5, 19][self as usize]
    }
}

/// The size of a lane.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LaneSize {
    pub(crate) workers: usize,
    /// How many tasks may wait.
    pub(crate) queue: usize,
}

/// How busy a lane is.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LaneLoad {
    pub(crate) waiting: usize,
    pub(crate) running: usize,
}

/// A lane's queue is full.
#[derive(Debug)]
pub(crate) struct QueueFull;

struct Queue {
    tasks: VecDeque<Task>,
    running: usize,
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
                running: 0,
                closed: false,
            }),
            ready: Condvar::new(),
            capacity,
        }
    }

    fn push(&self, task: Task) -> Result<(), QueueFull> {
        let mut queue = self.queue.lock().unwrap_or_else(PoisonError::into_inner);
        if queue.closed || queue.tasks.len() >= self.capacity {
            return Err(QueueFull);
        }
        queue.tasks.push_back(task);
        drop(queue);
        self.ready.notify_one();
        Ok(())
    }

    /// The next task, which counts as running until [`LaneState::done`].
    fn next(&self) -> Option<Task> {
        let mut queue = self.queue.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            if let Some(task) = queue.tasks.pop_front() {
                queue.running += 1;
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

    fn done(&self) {
        let mut queue = self.queue.lock().unwrap_or_else(PoisonError::into_inner);
        queue.running -= 1;
    }

    fn load(&self) -> LaneLoad {
        let queue = self.queue.lock().unwrap_or_else(PoisonError::into_inner);
        LaneLoad {
            waiting: queue.tasks.len(),
            running: queue.running,
        }
    }
}

/// The threads of all lanes; they end when the pool is dropped.
pub(crate) struct Pool {
    lanes: [Arc<LaneState>; 3],
}

impl Pool {
    /// Starts the threads of all lanes, in the order of [`Lane::ALL`].
    pub(crate) fn new(sizes: [LaneSize; 3], metrics: &Arc<Metrics>) -> std::io::Result<Self> {
        let pool = Self {
            lanes: sizes.map(|size| Arc::new(LaneState::new(size.queue))),
        };
        for (lane, size) in Lane::ALL.into_iter().zip(sizes) {
            for number in 0..size.workers.max(1) {
                let name = format!("{}-{number}", lane.name());
                spawn(name, pool.lane(lane), metrics, lane.niceness())?;
            }
        }
        Ok(pool)
    }

    pub(crate) fn push(&self, lane: Lane, task: Task) -> Result<(), QueueFull> {
        self.lane(lane).push(task)
    }

    /// How many tasks wait in a lane, and how many run.
    pub(crate) fn load(&self, lane: Lane) -> LaneLoad {
        self.lane(lane).load()
    }

    fn lane(&self, lane: Lane) -> &Arc<LaneState> {
        &self.lanes[lane as usize]
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        for lane in &self.lanes {
            lane.close();
        }
    }
}

fn spawn(
    name: String,
    lane: &Arc<LaneState>,
    metrics: &Arc<Metrics>,
    niceness: i32,
) -> std::io::Result<()> {
    let (lane, metrics) = (Arc::clone(lane), Arc::clone(metrics));
    let work = move || {
        lower_priority(niceness);
        while let Some(task) = lane.next() {
            // A panic is a bug and must not end a thread.
            if std::panic::catch_unwind(std::panic::AssertUnwindSafe(task)).is_err() {
                metrics.panics.add(1);
                tracing::error!("a question made a worker panic");
            }
            lane.done();
        }
    };
    thread::Builder::new().name(name).spawn(work).map(drop)
}

/// Lowers the priority of the calling thread.
fn lower_priority(niceness: i32) {
    #[cfg(target_os = "linux")]
    if niceness > 0 {
        // On Linux the priority of 'this process' is that of the calling thread. A priority that is
        // already lower stays.
        let now = rustix::process::getpriority_process(None).unwrap_or(0);
        if let Err(error) = rustix::process::setpriority_process(None, niceness.max(now)) {
            tracing::debug!("the priority of a thread cannot be lowered: {error}");
        }
    }
    #[cfg(not(target_os = "linux"))]
    let _ = niceness;
}
