//! The threads that search, in three lanes.
//!
//! Nobody knows how hard a question is before it is answered. So every search first gets a short
//! slice in the quick lane. One that does not end there starts again in the middle lane with a longer
//! slice, and one that does not end there either in the slow lane, as long as it may. The later the
//! lane, the lower the priority of its threads: a question waits only for those that are not much
//! harder. Every lane has a bounded queue: what does not fit is refused at once.

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
    Middle,
    Slow,
}

impl Lane {
    pub(crate) const ALL: [Self; 3] = [Self::Quick, Self::Middle, Self::Slow];

    fn name(self) -> &'static str {
        ["quick", "middle", "slow"][self as usize]
    }

    /// How far its threads step back, as `nice` counts it.
    fn niceness(self) -> i32 {
        [0, 5, 19][self as usize]
    }
}

/// How a lane is set up.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LaneSize {
    pub(crate) workers: usize,
    /// How many tasks may wait.
    pub(crate) queue: usize,
}

/// How much a lane has to do.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LaneLoad {
    pub(crate) waiting: usize,
    pub(crate) running: usize,
}

/// A lane's queue is full.
#[derive(Debug)]
pub(crate) struct Full;

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

/// The threads; they end when the pool is dropped.
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

    pub(crate) fn push(&self, lane: Lane, task: Task) -> Result<(), Full> {
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
        give_way(niceness);
        while let Some(task) = lane.next() {
            // A panic is a mistake of ours and must not take a thread away from everybody.
            if std::panic::catch_unwind(std::panic::AssertUnwindSafe(task)).is_err() {
                metrics.panics.add(1);
                tracing::error!("a question made a worker panic");
            }
            lane.done();
        }
    };
    thread::Builder::new().name(name).spawn(work).map(drop)
}

/// Lets other threads of this process go first.
fn give_way(niceness: i32) {
    #[cfg(target_os = "linux")]
    if niceness > 0 {
        // On Linux the priority of 'this process' is that of the calling thread. One that was started
        // with a lower priority keeps it.
        let now = rustix::process::getpriority_process(None).unwrap_or(0);
        if let Err(error) = rustix::process::setpriority_process(None, niceness.max(now)) {
            tracing::debug!("a thread keeps its priority: {error}");
        }
    }
    #[cfg(not(target_os = "linux"))]
    let _ = niceness;
}
