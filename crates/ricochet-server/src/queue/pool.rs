//! The threads that search, in three lanes.
//!
//! How hard a question is becomes clear only while answering it. So every search first gets a short
//! slice in the quick lane. If that is not enough, it starts again with a longer slice in the middle
//! lane, and then in the slow lane with all the time it may have. The later the lane, the lower the
//! priority of its threads, so a question waits only for those that are not much harder.
//!
//! Every lane takes turns between clients, and its queue is bounded. When it is full, a client with
//! fewer waiting tasks displaces the latest of the client with the most, so no client can keep the
//! others out. One client gets at most half of a lane's threads, rounded up.

use std::collections::{HashMap, VecDeque};
use std::net::IpAddr;
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread;

use crate::metrics::Metrics;
use crate::rate_limit::is_limited;

/// Work for a thread of the pool.
pub(crate) type Task = Box<dyn FnOnce(Turn) + Send>;

/// What happens to a task.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Turn {
    /// It runs, on a thread of its lane.
    Run,
    /// It has been displaced and will not run.
    Displaced,
}

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

/// The tasks of a lane.
struct Queue {
    /// The clients with waiting tasks; the next one comes first.
    turns: VecDeque<IpAddr>,
    tasks: HashMap<IpAddr, VecDeque<Task>>,
    waiting: usize,
    running: HashMap<IpAddr, usize>,
    closed: bool,
}

impl Queue {
    fn add(&mut self, client: IpAddr, task: Task) {
        let own = self.tasks.entry(client).or_default();
        if own.is_empty() {
            self.turns.push_back(client);
        }
        own.push_back(task);
        self.waiting += 1;
    }

    /// The next task whose client does not yet use its share of the threads.
    fn take(&mut self, share: usize) -> Option<(IpAddr, Task)> {
        let may_run = |client: &IpAddr| {
            let running = self.running.get(client).copied().unwrap_or(0);
            running < share || !is_limited(*client)
        };
        let turn = self.turns.iter().position(may_run)?;
        let client = self.turns.remove(turn)?;
        let own = self.tasks.get_mut(&client)?;
        let task = own.pop_front()?;
        if own.is_empty() {
            self.tasks.remove(&client);
        } else {
            self.turns.push_back(client);
        }
        self.waiting -= 1;
        *self.running.entry(client).or_default() += 1;
        Some((client, task))
    }

    /// Takes the latest task of the client with the most, if that has at least two more than `client`.
    fn displace(&mut self, client: IpAddr) -> Option<Task> {
        let (&other, most) = self.tasks.iter().max_by_key(|(_, tasks)| tasks.len())?;
        let own = self.tasks.get(&client).map_or(0, VecDeque::len);
        if most.len() < own + 2 {
            return None;
        }
        self.waiting -= 1;
        self.tasks.get_mut(&other)?.pop_back()
    }
}

struct LaneState {
    queue: Mutex<Queue>,
    ready: Condvar,
    capacity: usize,
    /// How many threads one client may use at once.
    share: usize,
}

impl LaneState {
    fn new(size: LaneSize) -> Self {
        Self {
            queue: Mutex::new(Queue {
                turns: VecDeque::new(),
                tasks: HashMap::new(),
                waiting: 0,
                running: HashMap::new(),
                closed: false,
            }),
            ready: Condvar::new(),
            capacity: size.queue,
            share: size.workers.max(1).div_ceil(2),
        }
    }

    fn push(&self, client: IpAddr, task: Task) -> Result<(), QueueFull> {
        let mut queue = self.queue.lock().unwrap_or_else(PoisonError::into_inner);
        if queue.closed {
            return Err(QueueFull);
        }
        let displaced = if queue.waiting < self.capacity {
            None
        } else {
            Some(queue.displace(client).ok_or(QueueFull)?)
        };
        queue.add(client, task);
        drop(queue);
        self.ready.notify_one();
        if let Some(task) = displaced {
            task(Turn::Displaced);
        }
        Ok(())
    }

    /// The next task, which counts as running until [`LaneState::done`].
    fn next(&self) -> Option<(IpAddr, Task)> {
        let mut queue = self.queue.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            if let Some(next) = queue.take(self.share) {
                return Some(next);
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
        queue.turns.clear();
        queue.tasks.clear();
        queue.waiting = 0;
        drop(queue);
        self.ready.notify_all();
    }

    fn done(&self, client: IpAddr) {
        let mut queue = self.queue.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(running) = queue.running.get_mut(&client) {
            *running -= 1;
            if *running == 0 {
                queue.running.remove(&client);
            }
        }
        drop(queue);
        // The client may have a task that waited for this.
        self.ready.notify_one();
    }

    fn load(&self) -> LaneLoad {
        let queue = self.queue.lock().unwrap_or_else(PoisonError::into_inner);
        LaneLoad {
            waiting: queue.waiting,
            running: queue.running.values().sum(),
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
            lanes: sizes.map(|size| Arc::new(LaneState::new(size))),
        };
        for (lane, size) in Lane::ALL.into_iter().zip(sizes) {
            for number in 0..size.workers.max(1) {
                let name = format!("{}-{number}", lane.name());
                spawn(name, pool.lane(lane), metrics, lane.niceness())?;
            }
        }
        Ok(pool)
    }

    /// Queues a task of a client. A task that it displaces is called on this thread.
    pub(crate) fn push(&self, lane: Lane, client: IpAddr, task: Task) -> Result<(), QueueFull> {
        self.lane(lane).push(client, task)
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
        while let Some((client, task)) = lane.next() {
            // A panic is a bug and must not end a thread.
            let task = std::panic::AssertUnwindSafe(|| task(Turn::Run));
            if std::panic::catch_unwind(task).is_err() {
                metrics.panics.add(1);
                tracing::error!("a question made a worker panic");
            }
            lane.done(client);
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

#[cfg(test)]
mod tests {
    use super::*;

    fn client(last: u8) -> IpAddr {
        IpAddr::from([192, 0, 2, last])
    }

    /// A lane without threads, and the tasks that were displaced.
    fn lane(workers: usize, queue: usize) -> (LaneState, Arc<Mutex<Vec<u8>>>) {
        (LaneState::new(LaneSize { workers, queue }), Arc::default())
    }

    fn push(lane: &LaneState, displaced: &Arc<Mutex<Vec<u8>>>, of: u8, number: u8) -> bool {
        let displaced = Arc::clone(displaced);
        let task = move |turn| {
            if turn == Turn::Displaced {
                displaced.lock().unwrap().push(number);
            }
        };
        lane.push(client(of), Box::new(task)).is_ok()
    }

    fn order(lane: &LaneState) -> Vec<IpAddr> {
        let mut queue = lane.queue.lock().unwrap();
        std::iter::from_fn(|| queue.take(usize::MAX).map(|(client, _)| client)).collect()
    }

    #[test]
    fn clients_take_turns() {
        let (lane, displaced) = lane(1, 10);
        for number in 0..4 {
            assert!(push(&lane, &displaced, 1, number));
        }
        assert!(push(&lane, &displaced, 2, 4) && push(&lane, &displaced, 2, 5));
        let turns = [1, 2, 1, 2, 1, 1].map(client);
        assert_eq!(order(&lane), turns);
    }

    #[test]
    fn a_full_queue_displaces_only_the_client_with_the_most() {
        let (lane, displaced) = lane(1, 3);
        for number in 0..3 {
            assert!(push(&lane, &displaced, 1, number));
        }
        assert!(!push(&lane, &displaced, 1, 3), "its own tasks stay");
        assert!(push(&lane, &displaced, 2, 4));
        assert_eq!(
            *displaced.lock().unwrap(),
            [2],
            "the latest of the greediest"
        );
        assert!(
            !push(&lane, &displaced, 2, 5),
            "two and one are even enough"
        );
        assert!(push(&lane, &displaced, 3, 6));
        assert_eq!(*displaced.lock().unwrap(), [2, 1]);
        assert!(!push(&lane, &displaced, 4, 7), "one each");
        assert_eq!(lane.load().waiting, 3);
        assert_eq!(order(&lane), [1, 2, 3].map(client));
    }

    #[test]
    fn one_client_gets_half_of_the_threads() {
        let (lane, displaced) = lane(4, 10);
        for number in 0..3 {
            assert!(push(&lane, &displaced, 1, number));
        }
        let take = || lane.queue.lock().unwrap().take(lane.share);
        assert!(take().is_some() && take().is_some());
        assert!(take().is_none(), "the other threads are for others");
        assert!(push(&lane, &displaced, 2, 3));
        assert_eq!(take().map(|(client, _)| client), Some(client(2)));
        lane.done(client(1));
        assert_eq!(take().map(|(client, _)| client), Some(client(1)));
    }
}
