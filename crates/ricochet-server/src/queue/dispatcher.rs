//! Takes questions, answers equal ones once, and caches complete answers.
//!
//! A question that is already in flight is joined instead of being searched again. Disconnecting
//! drops the ticket; when the last ticket of a question is gone, its search is cancelled.

use std::cell::RefCell;
use std::collections::HashMap;
use std::net::IpAddr;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::Instant;

use moka::sync::Cache;
use ricochet_service::{
    Answer, Call, Error, ErrorKind, Policy, Progress, Request, RequestKey, RequestLimits,
};
use ricochet_solve::CancelToken;
use ricochet_solve::evaluate::Evaluator;
use tokio::sync::{broadcast, watch};

use crate::metrics::Metrics;
use crate::queue::pool::{Lane, LaneLoad, Pool, QueueFull};
use crate::rate_limit::RateLimiter;

/// A finished answer, as it is sent.
#[derive(Debug)]
pub(crate) struct Reply {
    /// The answer, or why there is none.
    pub(crate) result: Result<Answer, Error>,
    /// The JSON of the answer, or of `{"error":…}`.
    pub(crate) json: String,
    /// Whether the same question always has this answer, so that it can be cached.
    pub(crate) cacheable: bool,
}

impl Reply {
    pub(crate) fn new(result: Result<Answer, Error>, pure: bool) -> Self {
        let cacheable = pure && result.as_ref().is_ok_and(Answer::is_complete);
        let json = match &result {
            Ok(answer) => serde_json::to_string(answer),
            Err(error) => serde_json::to_string(&serde_json::json!({ "error": error })),
        };
        match json {
            Ok(json) => Self {
                result,
                json,
                cacheable,
            },
            Err(error) => Self::new(
                Err(Error::new(ErrorKind::Internal, error.to_string())),
                false,
            ),
        }
    }
}

/// A question that is being answered.
struct InFlight {
    cancel: CancelToken,
    progress: broadcast::Sender<Arc<str>>,
    done: watch::Sender<Option<Arc<Reply>>>,
}

/// A question in flight, and how many tickets wait for it.
struct Entry {
    in_flight: Arc<InFlight>,
    waiting: usize,
}

/// The questions in flight by their cache key.
type Entries = Mutex<HashMap<RequestKey, Entry>>;

/// One client's claim to the answer of a question in flight.
pub(crate) struct Ticket {
    key: RequestKey,
    in_flight: Arc<InFlight>,
    entries: Arc<Entries>,
    metrics: Arc<Metrics>,
    pub(crate) progress: broadcast::Receiver<Arc<str>>,
    pub(crate) done: watch::Receiver<Option<Arc<Reply>>>,
}

impl Ticket {
    /// Waits for the answer; `None` if it will never come because the server is shutting down.
    pub(crate) async fn reply(&mut self) -> Option<Arc<Reply>> {
        reply(&mut self.done).await
    }
}

/// Waits for the answer of a question in flight.
pub(crate) async fn reply(done: &mut watch::Receiver<Option<Arc<Reply>>>) -> Option<Arc<Reply>> {
    let reply = done.wait_for(Option::is_some).await.ok()?;
    reply.clone()
}

impl Drop for Ticket {
    fn drop(&mut self) {
        let mut entries = self.entries.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(entry) = entries.get_mut(&self.key) else {
            return;
        };
        // The key may belong to a later question in flight.
        if !Arc::ptr_eq(&entry.in_flight, &self.in_flight) {
            return;
        }
        entry.waiting -= 1;
        if entry.waiting == 0 {
            self.in_flight.cancel.cancel();
            if self.in_flight.done.borrow().is_none() {
                self.metrics.abandoned.add(1);
            }
            entries.remove(&self.key);
        }
    }
}

/// The result of submitting a question.
pub(crate) enum Dispatch {
    /// The answer was in the cache.
    Cached(Arc<Reply>),
    /// It is in flight.
    Pending(Ticket),
    /// A queue is full or the client's solver time is used up; ask again after this many seconds.
    Refused(u64),
}

impl Dispatch {
    /// Waits for the answer.
    ///
    /// # Errors
    /// The number of seconds after which to ask again.
    pub(crate) async fn reply(self) -> Result<Arc<Reply>, u64> {
        match self {
            Self::Cached(reply) => Ok(reply),
            Self::Pending(mut ticket) => ticket.reply().await.ok_or(1),
            Self::Refused(seconds) => Err(seconds),
        }
    }
}

/// The limits of questions and of the cache.
pub(crate) struct DispatchLimits {
    pub(crate) policy: Policy,
    /// What a search may use in the quick lane and in the middle lane.
    pub(crate) slices: [RequestLimits; 2],
    /// Solver time per client, in seconds.
    pub(crate) solver_time: Option<RateLimiter>,
    pub(crate) cache_bytes: u64,
}

/// What the dispatcher shares with its jobs.
struct Shared {
    cache: Cache<RequestKey, Arc<Reply>>,
    /// Questions that outlived a slice, with the lane they moved on to: earlier lanes are skipped.
    lanes: Cache<Arc<str>, Lane>,
    metrics: Arc<Metrics>,
    limits: DispatchLimits,
}

/// Answers questions with a cache and the pool of threads.
pub(crate) struct Dispatcher {
    entries: Arc<Entries>,
    pool: Arc<Pool>,
    shared: Arc<Shared>,
}

impl Dispatcher {
    pub(crate) fn new(pool: Pool, metrics: &Arc<Metrics>, limits: DispatchLimits) -> Self {
        let weigh = |key: &RequestKey, reply: &Arc<Reply>| {
            // The answer is also held as a value, which takes about as much again.
            let bytes = key.question.len() + 2 * reply.json.len() + 200;
            u32::try_from(bytes).unwrap_or(u32::MAX)
        };
        Self {
            entries: Arc::default(),
            pool: Arc::new(pool),
            shared: Arc::new(Shared {
                cache: Cache::builder()
                    .max_capacity(limits.cache_bytes)
                    .weigher(weigh)
                    .build(),
                lanes: Cache::builder().max_capacity(100_000).build(),
                metrics: Arc::clone(metrics),
                limits,
            }),
        }
    }

    /// How many questions are in flight, and how busy each lane is.
    pub(crate) fn load(&self) -> (usize, [LaneLoad; 3]) {
        let entries = self.entries.lock().unwrap_or_else(PoisonError::into_inner);
        (entries.len(), Lane::ALL.map(|lane| self.pool.load(lane)))
    }

    /// Cancels everything that is in flight.
    pub(crate) fn cancel_all(&self) {
        let entries = self.entries.lock().unwrap_or_else(PoisonError::into_inner);
        for entry in entries.values() {
            entry.in_flight.cancel.cancel();
        }
    }

    /// Answers a question from the cache, joins an equal one in flight, or queues it.
    pub(crate) fn submit(&self, request: Request, client: IpAddr) -> Dispatch {
        let metrics = &self.shared.metrics;
        let info = request.info();
        let key = request.key();
        if info.pure
            && let Some(reply) = self.shared.cache.get(&key)
        {
            metrics.cached.add(1);
            return Dispatch::Cached(reply);
        }
        let mut entries = self.entries.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(entry) = entries.get_mut(&key).filter(|_| info.pure) {
            entry.waiting += 1;
            metrics.joined.add(1);
            return Dispatch::Pending(self.ticket(&key, &entry.in_flight));
        }
        if let Some(limiter) = &self.shared.limits.solver_time
            && let Err(wait) = limiter.check(client, Instant::now())
        {
            metrics.refused.add(1);
            return Dispatch::Refused(wait.as_secs().max(1));
        }
        let in_flight = Arc::new(InFlight {
            cancel: CancelToken::default(),
            progress: broadcast::channel(64).0,
            done: watch::channel(None).0,
        });
        let question = Arc::clone(&key.question);
        // Random answers are not shared, so each such question gets a key of its own.
        let key = if info.pure {
            key
        } else {
            let unique = format!("{question}#{:p}", Arc::as_ptr(&in_flight));
            RequestKey {
                question: unique.into(),
                ..key
            }
        };
        let known = self.shared.lanes.get(&question).filter(|_| info.searches);
        let lane = known.unwrap_or(Lane::Quick);
        let job = Job {
            key: key.clone(),
            question,
            request,
            client,
            in_flight: Arc::clone(&in_flight),
            pool: Arc::downgrade(&self.pool),
            shared: Arc::clone(&self.shared),
        };
        if self
            .pool
            .push(lane, Box::new(move || job.run(lane)))
            .is_err()
        {
            metrics.refused.add(1);
            return Dispatch::Refused(1);
        }
        let ticket = self.ticket(&key, &in_flight);
        let entry = Entry {
            in_flight,
            waiting: 1,
        };
        entries.insert(key, entry);
        Dispatch::Pending(ticket)
    }

    fn ticket(&self, key: &RequestKey, in_flight: &Arc<InFlight>) -> Ticket {
        Ticket {
            key: key.clone(),
            in_flight: Arc::clone(in_flight),
            entries: Arc::clone(&self.entries),
            metrics: Arc::clone(&self.shared.metrics),
            progress: in_flight.progress.subscribe(),
            done: in_flight.done.subscribe(),
        }
    }
}

/// A question on its way through the lanes.
struct Job {
    key: RequestKey,
    /// The request without limits: a hard question is hard whatever its limits are.
    question: Arc<str>,
    request: Request,
    client: IpAddr,
    in_flight: Arc<InFlight>,
    /// Weak, so that queued jobs do not keep the pool alive.
    pool: Weak<Pool>,
    shared: Arc<Shared>,
}

thread_local! {
    /// A thread's evaluator, kept because analysing a game asks about one position after another.
    static EVALUATOR: RefCell<Evaluator> = RefCell::default();
}

impl Job {
    /// What a search may use in a lane, and the next lane; `None` in the last lane.
    fn slice(&self, lane: Lane) -> Option<(RequestLimits, Lane)> {
        let [quick, middle] = self.shared.limits.slices;
        match lane {
            Lane::Quick => Some((quick, Lane::Middle)),
            Lane::Middle => Some((middle, Lane::Slow)),
            Lane::Slow => None,
        }
    }

    fn run(self, lane: Lane) {
        if self.in_flight.cancel.is_cancelled() {
            return;
        }
        let info = self.request.info();
        let slice = self.slice(lane).filter(|_| info.searches);
        let mut policy = self.shared.limits.policy.clone();
        if let Some((slice, _)) = slice {
            policy = policy.within(&slice);
        }
        let started = Instant::now();
        let sender = self.in_flight.progress.clone();
        let report = move |progress: &Progress| {
            // A slice may start again in the next lane, which would report its progress twice.
            if slice.is_none()
                && sender.receiver_count() > 0
                && let Ok(json) = serde_json::to_string(progress)
            {
                let _ = sender.send(json.into());
            }
        };
        // A panic is a bug: the clients get an error, and the thread continues.
        let answered = catch_unwind(AssertUnwindSafe(|| {
            EVALUATOR.with_borrow_mut(|evaluator| {
                Call::new(&policy)
                    .cancel_with(&self.in_flight.cancel)
                    .on_progress(report)
                    .with_evaluator(evaluator)
                    .answer(&self.request)
            })
        }));
        let metrics = &self.shared.metrics;
        let result = answered.unwrap_or_else(|_| {
            EVALUATOR.set(Evaluator::new());
            metrics.panics.add(1);
            tracing::error!(question = info.name, "a question made a worker panic");
            Err(Error::new(ErrorKind::Internal, "an error in the server"))
        });
        let time = started.elapsed();
        if let Some(limiter) = &self.shared.limits.solver_time {
            limiter.spend(self.client, time.as_secs_f64(), Instant::now());
        }
        metrics.solver_micros.add(time.as_micros() as u64);
        if self.in_flight.cancel.is_cancelled() {
            return;
        }
        let complete = match &result {
            Ok(answer) => answer.is_complete(),
            Err(error) => error.kind != ErrorKind::Busy,
        };
        if let Some((slice, next)) = slice
            && !complete
            && !self.is_within(&slice)
        {
            let question = Arc::clone(&self.question);
            self.shared.lanes.insert(question, next);
            self.move_on(next);
            return;
        }
        let reply = Arc::new(Reply::new(result, info.pure));
        if reply.cacheable {
            let key = self.key.clone();
            self.shared.cache.insert(key, Arc::clone(&reply));
        }
        // Not `send`, which drops the value if there is no receiver yet.
        self.in_flight.done.send_replace(Some(reply));
    }

    /// Whether the request's own limits are no larger than a slice, so that it has been fully served.
    fn is_within(&self, slice: &RequestLimits) -> bool {
        let own = self.key.limits;
        let covers = |slice: Option<u64>, own: Option<u64>| matches!((slice, own), (Some(slice), Some(own)) if own <= slice);
        covers(slice.ms, own.ms) || covers(slice.nodes, own.nodes)
    }

    /// Starts again in the next lane.
    fn move_on(self, lane: Lane) {
        let metrics = Arc::clone(&self.shared.metrics);
        match lane {
            Lane::Slow => metrics.slow.add(1),
            _ => metrics.middle.add(1),
        }
        let done = self.in_flight.done.clone();
        let pushed = match self.pool.upgrade() {
            Some(pool) => pool.push(lane, Box::new(move || self.run(lane))),
            None => Err(QueueFull),
        };
        if pushed.is_err() {
            metrics.refused.add(1);
            let busy = Error::new(
                ErrorKind::Busy,
                "too many hard questions at once: ask again",
            );
            done.send_replace(Some(Arc::new(Reply::new(Err(busy), false))));
        }
    }
}
