//! Questions that are being answered, and answers that are kept.
//!
//! Equal questions are answered once: whoever asks what is in flight joins. Who leaves (a closed
//! connection) drops a ticket; when the last ticket is gone, the search is cancelled.

use std::cell::RefCell;
use std::collections::HashMap;
use std::net::IpAddr;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use moka::sync::Cache;
use ricochet_service::{Answer, Ask, Door, Error, ErrorKind, Progress, Request, Spend};
use ricochet_solve::CancelToken;
use ricochet_solve::evaluate::Evaluator;
use tokio::sync::{broadcast, watch};

use crate::metrics::Metrics;
use crate::queue::budget::Budgets;
use crate::queue::pool::{Full, Lane, LaneLoad, Pool};

/// A finished answer, as it is sent.
#[derive(Debug)]
pub(crate) struct Reply {
    /// The answer, or why there is none.
    pub(crate) result: Result<Answer, Error>,
    /// The JSON of the answer, or of `{"error":…}`.
    pub(crate) json: String,
    /// Whether it will be the same whenever it is asked.
    pub(crate) lasting: bool,
}

impl Reply {
    pub(crate) fn new(result: Result<Answer, Error>, pure: bool) -> Self {
        let lasting = pure && result.as_ref().is_ok_and(Answer::is_complete);
        let json = match &result {
            Ok(answer) => serde_json::to_string(answer),
            Err(error) => serde_json::to_string(&serde_json::json!({ "error": error })),
        };
        match json {
            Ok(json) => Self {
                result,
                json,
                lasting,
            },
            Err(error) => Self::new(
                Err(Error::new(ErrorKind::Internal, error.to_string())),
                false,
            ),
        }
    }
}

/// A question that is being answered.
struct Flight {
    cancel: CancelToken,
    progress: broadcast::Sender<Arc<str>>,
    done: watch::Sender<Option<Arc<Reply>>>,
}

/// The place of one asker.
pub(crate) struct Ticket {
    key: Arc<str>,
    flight: Arc<Flight>,
    flights: Arc<Mutex<HashMap<Arc<str>, Seat>>>,
    metrics: Arc<Metrics>,
    pub(crate) progress: broadcast::Receiver<Arc<str>>,
    pub(crate) done: watch::Receiver<Option<Arc<Reply>>>,
}

impl Ticket {
    /// The answer; `None` if it will never come, as the server is ending.
    pub(crate) async fn reply(&mut self) -> Option<Arc<Reply>> {
        reply(&mut self.done).await
    }
}

/// The answer that a flight brings.
pub(crate) async fn reply(done: &mut watch::Receiver<Option<Arc<Reply>>>) -> Option<Arc<Reply>> {
    let reply = done.wait_for(Option::is_some).await.ok()?;
    reply.clone()
}

/// A flight and how many wait for it.
struct Seat {
    flight: Arc<Flight>,
    waiting: usize,
}

impl Drop for Ticket {
    fn drop(&mut self) {
        let mut flights = self.flights.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(seat) = flights.get_mut(&self.key) else {
            return;
        };
        // The key may belong to a later flight.
        if !Arc::ptr_eq(&seat.flight, &self.flight) {
            return;
        }
        seat.waiting -= 1;
        if seat.waiting == 0 {
            self.flight.cancel.cancel();
            if self.flight.done.borrow().is_none() {
                self.metrics.abandoned.add(1);
            }
            flights.remove(&self.key);
        }
    }
}

/// How a question was met.
pub(crate) enum Met {
    /// The answer was known.
    Kept(Arc<Reply>),
    /// It is being looked for.
    Flying(Ticket),
    /// There is no room; ask again after some seconds.
    Refused(u64),
}

/// Everything that answers questions.
pub(crate) struct Flights {
    aloft: Arc<Mutex<HashMap<Arc<str>, Seat>>>,
    kept: Cache<Arc<str>, Arc<Reply>>,
    /// Questions that did not end in a slice, with the lane they went on to: no earlier one is tried again.
    hard: Cache<Arc<str>, Lane>,
    pool: Arc<Pool>,
    budgets: Arc<Budgets>,
    metrics: Arc<Metrics>,
    door: Door,
    slices: [Spend; 2],
}

impl Flights {
    pub(crate) fn new(
        pool: Pool,
        budgets: Budgets,
        metrics: &Arc<Metrics>,
        door: Door,
        slices: [Spend; 2],
        kept: u64,
    ) -> Self {
        let weigh = |key: &Arc<str>, reply: &Arc<Reply>| {
            // The answer is held as a value too, which takes about as much again.
            let bytes = key.len() + 2 * reply.json.len() + 200;
            u32::try_from(bytes).unwrap_or(u32::MAX)
        };
        Self {
            aloft: Arc::default(),
            kept: Cache::builder().max_capacity(kept).weigher(weigh).build(),
            hard: Cache::builder().max_capacity(100_000).build(),
            pool: Arc::new(pool),
            budgets: Arc::new(budgets),
            metrics: Arc::clone(metrics),
            door,
            slices,
        }
    }

    /// How many questions are in flight, and how much each lane has to do.
    pub(crate) fn load(&self) -> (usize, [LaneLoad; 3]) {
        let flights = self.aloft.lock().unwrap_or_else(PoisonError::into_inner);
        (flights.len(), Lane::ALL.map(|lane| self.pool.load(lane)))
    }

    /// Cancels everything that is in flight.
    pub(crate) fn cancel_all(&self) {
        let flights = self.aloft.lock().unwrap_or_else(PoisonError::into_inner);
        for seat in flights.values() {
            seat.flight.cancel.cancel();
        }
    }

    /// Takes a question.
    pub(crate) fn ask(&self, request: Request, client: IpAddr) -> Met {
        let info = request.info();
        let key: Arc<str> = match serde_json::to_string(&request) {
            Ok(json) => json.into(),
            Err(error) => {
                let error = Error::new(ErrorKind::Internal, error.to_string());
                return Met::Kept(Arc::new(Reply::new(Err(error), false)));
            }
        };
        if info.pure
            && let Some(reply) = self.kept.get(&key)
        {
            self.metrics.kept.add(1);
            return Met::Kept(reply);
        }
        let mut flights = self.aloft.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(seat) = flights.get_mut(&key).filter(|_| info.pure) {
            seat.waiting += 1;
            self.metrics.joined.add(1);
            return Met::Flying(self.ticket(&key, &seat.flight));
        }
        if let Err(wait) = self.budgets.check(client, Instant::now()) {
            self.metrics.refused.add(1);
            return Met::Refused(wait.as_secs().max(1));
        }
        let flight = Arc::new(Flight {
            cancel: CancelToken::default(),
            progress: broadcast::channel(64).0,
            done: watch::channel(None).0,
        });
        // What is random is not shared: it flies under a name of its own.
        let key = if info.pure {
            key
        } else {
            format!("{key}#{:p}", Arc::as_ptr(&flight)).into()
        };
        let question: Arc<str> = serde_json::to_string(&request.without_limits())
            .unwrap_or_default()
            .into();
        let known = self.hard.get(&question).filter(|_| info.searches);
        let lane = known.unwrap_or(Lane::Quick);
        let job = Job {
            key: Arc::clone(&key),
            question,
            request,
            client,
            flight: Arc::clone(&flight),
            kept: self.kept.clone(),
            hard: self.hard.clone(),
            pool: Arc::downgrade(&self.pool),
            budgets: Arc::clone(&self.budgets),
            metrics: Arc::clone(&self.metrics),
            door: self.door.clone(),
            slices: self.slices,
        };
        if self
            .pool
            .push(lane, Box::new(move || job.run(lane)))
            .is_err()
        {
            self.metrics.refused.add(1);
            return Met::Refused(1);
        }
        let ticket = self.ticket(&key, &flight);
        flights.insert(key, Seat { flight, waiting: 1 });
        Met::Flying(ticket)
    }

    fn ticket(&self, key: &Arc<str>, flight: &Arc<Flight>) -> Ticket {
        Ticket {
            key: Arc::clone(key),
            flight: Arc::clone(flight),
            flights: Arc::clone(&self.aloft),
            metrics: Arc::clone(&self.metrics),
            progress: flight.progress.subscribe(),
            done: flight.done.subscribe(),
        }
    }
}

/// A question on its way through the lanes.
struct Job {
    key: Arc<str>,
    /// The key without limits: what is hard is hard whatever it may spend.
    question: Arc<str>,
    request: Request,
    client: IpAddr,
    flight: Arc<Flight>,
    kept: Cache<Arc<str>, Arc<Reply>>,
    hard: Cache<Arc<str>, Lane>,
    pool: std::sync::Weak<Pool>,
    budgets: Arc<Budgets>,
    metrics: Arc<Metrics>,
    door: Door,
    slices: [Spend; 2],
}

thread_local! {
    /// What a thread has learned about positions: those who analyse a game ask about one after the
    /// other.
    static EVALUATOR: RefCell<Evaluator> = RefCell::default();
}

impl Job {
    /// What a search may spend in a lane, and the lane that it goes on to then; none in the last one.
    fn slice(&self, lane: Lane) -> Option<(Spend, Lane)> {
        match lane {
            Lane::Quick => Some((self.slices[0], Lane::Middle)),
            Lane::Middle => Some((self.slices[1], Lane::Slow)),
            Lane::Slow => None,
        }
    }

    fn run(self, lane: Lane) {
        if self.flight.cancel.is_cancelled() {
            return;
        }
        let info = self.request.info();
        let slice = self.slice(lane).filter(|_| info.searches);
        let mut door = self.door.clone();
        if let Some((slice, _)) = slice {
            door = door.within(&slice);
        }
        let started = Instant::now();
        let progress = self.flight.progress.clone();
        let tell = move |progress_made: &Progress| {
            // A slice that fails would tell its progress twice.
            if slice.is_none()
                && progress.receiver_count() > 0
                && let Ok(json) = serde_json::to_string(progress_made)
            {
                let _ = progress.send(json.into());
            }
        };
        // A panic is a mistake of ours: those who wait hear of it, and the thread goes on.
        let answered = catch_unwind(AssertUnwindSafe(|| {
            EVALUATOR.with_borrow_mut(|evaluator| {
                Ask::at(&door)
                    .cancelled_by(&self.flight.cancel)
                    .watched_by(tell)
                    .remembering(evaluator)
                    .answer(&self.request)
            })
        }));
        let result = answered.unwrap_or_else(|_| {
            EVALUATOR.set(Evaluator::new());
            self.metrics.panics.add(1);
            tracing::error!(question = info.name, "a question made a worker panic");
            Err(Error::new(ErrorKind::Internal, "an error in the server"))
        });
        let time = started.elapsed();
        self.budgets.spend(self.client, time, Instant::now());
        self.metrics.solver_micros.add(time.as_micros() as u64);
        if self.flight.cancel.is_cancelled() {
            return;
        }
        let ended = match &result {
            Ok(answer) => answer.is_complete(),
            Err(error) => error.kind != ErrorKind::Busy,
        };
        if let Some((slice, next)) = slice
            && !ended
            && !self.is_all_it_wanted(&slice)
        {
            self.hard.insert(Arc::clone(&self.question), next);
            self.go_on(next);
            return;
        }
        let reply = Arc::new(Reply::new(result, info.pure));
        if reply.lasting {
            self.kept.insert(Arc::clone(&self.key), Arc::clone(&reply));
        }
        // Not `send`: it keeps nothing where nobody listens yet.
        self.flight.done.send_replace(Some(reply));
    }

    /// Whether the request asked for no more than a slice: then it has had it.
    fn is_all_it_wanted(&self, slice: &Spend) -> bool {
        let wanted = self.request.spend().unwrap_or_default();
        let covers = |slice: Option<u64>, wanted: Option<u64>| matches!((slice, wanted), (Some(slice), Some(wanted)) if wanted <= slice);
        covers(slice.ms, wanted.ms) || covers(slice.nodes, wanted.nodes)
    }

    fn go_on(self, lane: Lane) {
        match lane {
            Lane::Slow => self.metrics.slow.add(1),
            _ => self.metrics.middle.add(1),
        }
        let done = self.flight.done.clone();
        let metrics = Arc::clone(&self.metrics);
        let pushed = match self.pool.upgrade() {
            Some(pool) => pool.push(lane, Box::new(move || self.run(lane))),
            None => Err(Full),
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
