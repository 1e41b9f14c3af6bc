//! Takes questions, answers equal ones once, and caches complete answers.
//!
//! A question that is already in flight is joined instead of being searched again. Disconnecting
//! drops the ticket; when the last ticket of a question is gone, its search is cancelled.

use std::cell::RefCell;
use std::collections::HashMap;
use std::net::IpAddr;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Duration;

use moka::sync::Cache;
use ricochet_service::{
    Answer, Call, Error, ErrorKind, Policy, Progress, Request, RequestKey, RequestLimits,
};
use ricochet_solve::CancelToken;
use ricochet_solve::evaluate::Evaluator;
use tokio::sync::{broadcast, watch};

use crate::clock::Clock;
use crate::metrics::Metrics;
use crate::queue::pool::{Lane, LaneLoad, Pool, QueueFull, Turn};
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
    /// After how many seconds to ask again, if the server is busy.
    pub(crate) retry_after: u64,
}

impl Reply {
    fn busy(message: &str, seconds: u64) -> Self {
        let busy = Error::new(ErrorKind::Busy, message);
        Self {
            retry_after: seconds,
            ..Self::new(Err(busy), false)
        }
    }

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
                retry_after: 1,
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
    /// The clients that wait for the answer, whose solver time may be spent.
    clients: Mutex<Vec<IpAddr>>,
}

/// A question in flight, and how many tickets wait for it.
struct Entry {
    in_flight: Arc<InFlight>,
    waiting: usize,
}

impl InFlight {
    fn clients(&self) -> MutexGuard<'_, Vec<IpAddr>> {
        self.clients.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn remove_client(&self, client: IpAddr) {
        let mut clients = self.clients();
        if let Some(index) = clients.iter().position(|it| *it == client) {
            clients.remove(index);
        }
    }
}

/// The questions in flight by their cache key.
type Entries = Mutex<HashMap<RequestKey, Entry>>;

/// One client's claim to the answer of a question in flight.
pub(crate) struct Ticket {
    key: RequestKey,
    client: IpAddr,
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
        self.in_flight.remove_client(self.client);
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
    pub(crate) clock: Clock,
}

/// The least solver time, in seconds, for which a search is started in the slow lane.
const LEAST_SLOW: f64 = 1.0;

/// The solver time, in seconds, that is reserved for a slice that is not limited by time.
const SLICES: [f64; 2] = [0.02, 0.4];

/// Solver time that a client has set aside for a slice. What was not used goes back when it is dropped.
struct Reservation {
    shared: Arc<Shared>,
    client: IpAddr,
    seconds: f64,
    used: f64,
}

impl Drop for Reservation {
    fn drop(&mut self) {
        let DispatchLimits {
            solver_time, clock, ..
        } = &self.shared.limits;
        if let Some(limiter) = solver_time {
            limiter.settle(self.client, self.seconds, self.used, clock.instant());
        }
    }
}

/// What the dispatcher shares with its jobs.
struct Shared {
    cache: Cache<RequestKey, Arc<Reply>>,
    /// Questions that outlived a slice, with the lane they moved on to: earlier lanes are skipped.
    lanes: Cache<Arc<str>, Lane>,
    metrics: Arc<Metrics>,
    limits: DispatchLimits,
}

impl Shared {
    /// How long a search for a question may take at most, in seconds.
    fn longest(&self, key: &RequestKey) -> f64 {
        let allowed = self.limits.policy.ms.into_iter().chain(key.limits.ms).min();
        allowed.map_or(3600.0, |ms| ms as f64 / 1e3)
    }

    /// Reserves a client's solver time for a search in a lane. A search may take `longest` seconds.
    fn reserve(
        self: &Arc<Self>,
        client: IpAddr,
        lane: Lane,
        longest: f64,
    ) -> Result<Reservation, Duration> {
        let slice = |index: usize| {
            let ms = self.limits.slices[index].ms;
            let seconds = ms.map_or(SLICES[index], |ms| ms as f64 / 1e3);
            seconds.min(longest)
        };
        let seconds = match &self.limits.solver_time {
            None => longest,
            Some(limiter) => {
                let (least, most) = match lane {
                    Lane::Quick => (slice(0), slice(0)),
                    Lane::Middle => (slice(1), slice(1)),
                    Lane::Slow => (limiter.at_most_a_quarter(LEAST_SLOW).min(longest), longest),
                };
                limiter.reserve(client, least, most, self.limits.clock.instant())?
            }
        };
        Ok(Reservation {
            shared: Arc::clone(self),
            client,
            seconds,
            used: 0.0,
        })
    }
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
            entry.in_flight.clients().push(client);
            metrics.joined.add(1);
            return Dispatch::Pending(self.ticket(&key, client, &entry.in_flight));
        }
        let known = self.shared.lanes.get(&key.question);
        let lane = known.filter(|_| info.searches).unwrap_or(Lane::Quick);
        let longest = self.shared.longest(&key);
        let paid = match self.shared.reserve(client, lane, longest) {
            Ok(paid) => paid,
            Err(wait) => {
                metrics.refused.add(1);
                return Dispatch::Refused(wait.as_secs().max(1));
            }
        };
        let in_flight = Arc::new(InFlight {
            cancel: CancelToken::default(),
            progress: broadcast::channel(64).0,
            done: watch::channel(None).0,
            clients: Mutex::new(vec![client]),
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
        let job = Job {
            key: key.clone(),
            question,
            request,
            paid,
            in_flight: Arc::clone(&in_flight),
            pool: Arc::downgrade(&self.pool),
            shared: Arc::clone(&self.shared),
        };
        if self
            .pool
            .push(lane, client, Box::new(move |turn| job.run(lane, turn)))
            .is_err()
        {
            metrics.refused.add(1);
            return Dispatch::Refused(1);
        }
        let ticket = self.ticket(&key, client, &in_flight);
        let entry = Entry {
            in_flight,
            waiting: 1,
        };
        entries.insert(key, entry);
        Dispatch::Pending(ticket)
    }

    fn ticket(&self, key: &RequestKey, client: IpAddr, in_flight: &Arc<InFlight>) -> Ticket {
        Ticket {
            key: key.clone(),
            client,
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
    /// The solver time of the next slice.
    paid: Reservation,
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

    fn run(mut self, lane: Lane, turn: Turn) {
        if self.in_flight.cancel.is_cancelled() {
            return;
        }
        if turn == Turn::Displaced {
            return self.refuse("too many questions of yours at once: ask again later", 1);
        }
        let info = self.request.info();
        let slice = self.slice(lane).filter(|_| info.searches);
        let mut policy = self.shared.limits.policy.clone();
        if let Some((slice, _)) = slice {
            policy = policy.within(&slice);
        } else if info.searches && self.shared.limits.solver_time.is_some() {
            policy = policy.within(&RequestLimits {
                ms: Some((self.paid.seconds * 1e3) as u64),
                ..RequestLimits::default()
            });
        }
        let clock = self.shared.limits.clock.clone();
        let started = clock.instant();
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
        let time = clock.instant().saturating_duration_since(started);
        self.paid.used = time.as_secs_f64();
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
            return self.move_on(next);
        }
        // Another client that waits for this answer may have more time left.
        let longest = self.shared.longest(&self.key);
        if slice.is_none() && info.searches && !complete && self.paid.seconds < longest {
            let payer = self.paid.client;
            let others: Vec<IpAddr> = self.in_flight.clients().clone();
            let mut others = others.into_iter().filter(|other| *other != payer);
            let paid = others.find_map(|other| {
                let paid = self.shared.reserve(other, lane, longest).ok()?;
                (paid.seconds > 2.0 * self.paid.seconds).then_some(paid)
            });
            if let Some(paid) = paid {
                return self.push(lane, paid);
            }
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

    /// Starts again in the next lane, for the first waiting client that has the time.
    fn move_on(self, lane: Lane) {
        match lane {
            Lane::Slow => self.shared.metrics.slow.add(1),
            _ => self.shared.metrics.middle.add(1),
        }
        let longest = self.shared.longest(&self.key);
        let clients = self.in_flight.clients().clone();
        let mut wait = Duration::MAX;
        for client in clients {
            match self.shared.reserve(client, lane, longest) {
                Ok(paid) => return self.push(lane, paid),
                Err(longer) => wait = wait.min(longer),
            }
        }
        let seconds = if wait == Duration::MAX {
            1
        } else {
            wait.as_secs()
        };
        self.refuse("your solver time is used up: ask again later", seconds);
    }

    fn push(mut self, lane: Lane, paid: Reservation) {
        let client = paid.client;
        // Returns what is left of the previous slice.
        self.paid = paid;
        let in_flight = Arc::clone(&self.in_flight);
        let shared = Arc::clone(&self.shared);
        let pushed = match self.pool.upgrade() {
            Some(pool) => pool.push(lane, client, Box::new(move |turn| self.run(lane, turn))),
            None => Err(QueueFull),
        };
        if pushed.is_err() {
            refuse(
                &shared,
                &in_flight,
                "too many hard questions at once: ask again",
                1,
            );
        }
    }

    fn refuse(&self, message: &str, seconds: u64) {
        refuse(&self.shared, &self.in_flight, message, seconds);
    }
}

/// Ends a question without an answer.
fn refuse(shared: &Shared, in_flight: &InFlight, message: &str, seconds: u64) {
    shared.metrics.refused.add(1);
    let reply = Reply::busy(message, seconds.max(1));
    in_flight.done.send_replace(Some(Arc::new(reply)));
}
