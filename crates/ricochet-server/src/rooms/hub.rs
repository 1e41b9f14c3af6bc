//! All rooms: which are awake, and the way to each.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::Duration;

use ricochet_rooms::{LogEntry, Options, OptionsError, Room};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, oneshot, watch};

use crate::clock;
use crate::config::Config;
use crate::metrics::Metrics;
use crate::queue::dispatcher::Dispatcher;
use crate::rate_limit::{Rate, RateLimiter};
use crate::rooms::limits::RoomLimits;
use crate::rooms::log_writer::RoomLog;
use crate::rooms::names::{self, TokenHash};
use crate::rooms::peers::Peers;
use crate::rooms::prefix::RoomPrefix;
use crate::rooms::protocol::incoming::Wish;
use crate::rooms::protocol::outgoing::{Close, No};
use crate::rooms::task::message::{Called, Connected, Handle, Letter, Line, Seated, Wanted};
use crate::rooms::task::summary::Status;
use crate::rooms::task::{Found, Shared, Task};
use crate::store::{Store, StoreError};

/// How often sleeping rooms are looked at.
const SWEEP: Duration = Duration::from_secs(10);

/// How often old rooms are looked for, in sweeps.
const FORGET: u32 = 60;

/// How long a room in which nobody has taken a seat is kept, in milliseconds.
const NEVER_USED: u64 = 3_600_000;

/// Rooms that a client may open.
const OPENING: Rate = Rate {
    burst: 10.0,
    per_second: 0.02,
};

/// Seats that a client may take.
const SITTING: Rate = Rate {
    burst: 20.0,
    per_second: 0.1,
};

/// Reviews that a client may read, and rooms that it may ask for.
const READING: Rate = Rate {
    burst: 60.0,
    per_second: 2.0,
};

/// Why there is no way to a room.
#[derive(Debug)]
pub(crate) enum Trouble {
    /// There is no such room.
    NoRoom,
    /// No more can be awake.
    Full,
    /// The database or the log is broken.
    Broken,
    /// The options make no sense.
    Options(OptionsError),
}

/// All rooms of a server.
pub(crate) struct Hub {
    awake: Mutex<HashMap<Arc<str>, Handle>>,
    /// One room is waked at a time, so that none is waked twice.
    waking: tokio::sync::Mutex<()>,
    shared: Shared,
    sockets: Arc<Semaphore>,
    sockets_of: Mutex<HashMap<IpAddr, usize>>,
    pub(crate) opening: RateLimiter,
    pub(crate) sitting: RateLimiter,
    pub(crate) reading: RateLimiter,
    ending: watch::Sender<bool>,
    prefix: RoomPrefix,
    pub(crate) peers: Peers,
}

impl Hub {
    pub(crate) fn new(
        store: &Arc<Store>,
        dispatcher: &Arc<Dispatcher>,
        metrics: &Arc<Metrics>,
        config: &Config,
    ) -> std::io::Result<Self> {
        let limits = &config.rooms;
        let log = RoomLog::start(Arc::clone(store), Arc::clone(metrics))?;
        Ok(Self {
            awake: Mutex::default(),
            waking: tokio::sync::Mutex::default(),
            shared: Shared {
                log,
                store: Arc::clone(store),
                dispatcher: Arc::clone(dispatcher),
                metrics: Arc::clone(metrics),
                limits: Arc::new(limits.clone()),
            },
            sockets: Arc::new(Semaphore::new(limits.sockets)),
            sockets_of: Mutex::default(),
            opening: RateLimiter::new(OPENING),
            sitting: RateLimiter::new(SITTING),
            reading: RateLimiter::new(READING),
            ending: watch::channel(false).0,
            prefix: config.room_prefix.clone(),
            peers: Peers::new(config.room_peers.clone()),
        })
    }

    pub(crate) fn limits(&self) -> &RoomLimits {
        &self.shared.limits
    }

    pub(crate) fn metrics(&self) -> &Metrics {
        &self.shared.metrics
    }

    /// Tells all connections that the server ends.
    pub(crate) fn end(&self) {
        self.ending.send_replace(true);
    }

    /// Hears when the server ends.
    pub(crate) fn ending(&self) -> watch::Receiver<bool> {
        self.ending.subscribe()
    }

    /// How many rooms are awake, and how many listen.
    pub(crate) fn load(&self) -> (usize, usize) {
        let listening = self.limits().sockets - self.sockets.available_permits();
        (self.handles().len(), listening)
    }

    /// All rooms that are awake.
    pub(crate) fn statuses(&self) -> Vec<Status> {
        self.handles().iter().map(Handle::status).collect()
    }

    fn handles(&self) -> Vec<Handle> {
        let mut awake = self.awake.lock().unwrap_or_else(PoisonError::into_inner);
        awake.retain(|_, handle| !handle.sender.is_closed());
        awake.values().cloned().collect()
    }

    fn find(&self, name: &str) -> Option<Handle> {
        let awake = self.awake.lock().unwrap_or_else(PoisonError::into_inner);
        let handle = awake.get(name)?;
        (!handle.sender.is_closed()).then(|| handle.clone())
    }

    fn insert(&self, name: Arc<str>, found: Found) -> Handle {
        let handle = Task::spawn(Arc::clone(&name), found, self.shared.clone());
        let mut awake = self.awake.lock().unwrap_or_else(PoisonError::into_inner);
        awake.insert(name, handle.clone());
        handle
    }

    /// Opens a room; its name.
    pub(crate) async fn open(&self, options: Options) -> Result<Arc<str>, Trouble> {
        options.check().map_err(Trouble::Options)?;
        let _one = self.waking.lock().await;
        if self.handles().len() >= self.limits().awake {
            return Err(Trouble::Full);
        }
        let drawn = names::room_name(&self.prefix).and_then(|name| Ok((name, names::seed()?)));
        let (name, seed) = drawn.map_err(|_| Trouble::Broken)?;
        let name: Arc<str> = name.into();
        let now = clock::time();
        let (room, opened) = Room::open(options, seed, now).map_err(Trouble::Options)?;
        let text = serde_json::to_string(&opened).map_err(|_| Trouble::Broken)?;
        let (kept, most) = (Arc::clone(&name), self.limits().stored);
        let id = self
            .stored(move |store| store.open_room(&kept, now.0, &text, most))
            .await?;
        let found = Found {
            id,
            room,
            log: vec![Arc::new(opened)],
            seats: Vec::new(),
        };
        self.insert(Arc::clone(&name), found);
        Ok(name)
    }

    /// The way to a room, which is waked if it sleeps.
    pub(crate) async fn room(&self, name: &str) -> Result<Handle, Trouble> {
        if !names::is_room_name(name) {
            return Err(Trouble::NoRoom);
        }
        if let Some(handle) = self.find(name) {
            return Ok(handle);
        }
        let _one = self.waking.lock().await;
        if let Some(handle) = self.find(name) {
            return Ok(handle);
        }
        if self.handles().len() >= self.limits().awake {
            return Err(Trouble::Full);
        }
        let found = self.found(name).await?;
        Ok(self.insert(name.into(), found))
    }

    /// A room from the database.
    pub(crate) async fn found(&self, name: &str) -> Result<Found, Trouble> {
        let key = name.to_owned();
        let found = self.stored(move |store| {
            let Some(stored) = store.room(&key)? else {
                return Ok(None);
            };
            let texts = stored.events.iter();
            let log: Result<Vec<LogEntry>, _> =
                texts.map(|text| serde_json::from_str(text)).collect();
            Ok(Some((stored.id, stored.seats, log)))
        });
        let (id, seats, log) = found.await?.ok_or(Trouble::NoRoom)?;
        let log = log.map_err(|wrong| {
            tracing::error!("the log of room {name} cannot be read: {wrong}");
            Trouble::Broken
        })?;
        let room = Room::replay(log.iter().cloned()).map_err(|wrong| {
            tracing::error!("room {name}: {wrong}");
            Trouble::Broken
        })?;
        Ok(Found {
            id,
            room,
            log: log.into_iter().map(Arc::new).collect(),
            seats,
        })
    }

    async fn stored<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Store) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, Trouble> {
        let store = Arc::clone(&self.shared.store);
        match tokio::task::spawn_blocking(move || work(&store)).await {
            Ok(Ok(value)) => Ok(value),
            Ok(Err(full @ StoreError::Full(_))) => {
                tracing::warn!("{full}");
                Err(Trouble::Full)
            }
            Ok(Err(wrong)) => {
                tracing::error!("the database: {wrong}");
                Err(Trouble::Broken)
            }
            Err(_) => Err(Trouble::Broken),
        }
    }

    /// Sends a letter and waits for the answer. A room may fall asleep at that very moment, or give
    /// up because of the disk; then nothing was done, and it is waked again.
    async fn post<T>(
        &self,
        name: &str,
        mut letter: impl FnMut(oneshot::Sender<T>) -> Letter,
    ) -> Result<(T, Handle), Trouble> {
        for _ in 0..3 {
            let handle = self.room(name).await?;
            let (answer, answered) = oneshot::channel();
            if handle.sender.send(letter(answer)).await.is_err() {
                continue;
            }
            if let Ok(answer) = answered.await {
                return Ok((answer, handle));
            }
        }
        Err(Trouble::Broken)
    }

    /// Gives somebody a seat.
    pub(crate) async fn join(
        &self,
        name: &str,
        wanted: &Wanted,
    ) -> Result<Result<Seated, No>, Trouble> {
        let joined = self.post(name, |answer| Letter::Join {
            wanted: wanted.clone(),
            answer,
        });
        Ok(joined.await?.0)
    }

    /// Does something for a player.
    pub(crate) async fn call(
        &self,
        name: &str,
        token: TokenHash,
        wish: &Wish,
    ) -> Result<Called, Trouble> {
        let called = self.post(name, |answer| Letter::Call {
            token,
            wish: wish.clone(),
            answer,
        });
        Ok(called.await?.0)
    }

    /// Lets somebody listen; `line` makes the two ends of the way to them.
    pub(crate) async fn connect<Ends>(
        &self,
        name: &str,
        token: Option<TokenHash>,
        since: Option<u64>,
        line: impl Fn() -> (Line, Ends),
    ) -> Result<(Connected, Handle, Ends), Close> {
        let mut kept = None;
        let posted = self.post(name, |answer| {
            let (line, ends) = line();
            kept = Some(ends);
            Letter::Connect {
                token,
                since,
                line,
                answer,
            }
        });
        match (posted.await, kept) {
            (Ok((Ok(connected), handle)), Some(ends)) => Ok((connected, handle, ends)),
            (Ok((Err(close), _)), _) => Err(close),
            (Err(Trouble::NoRoom), _) => Err(Close::NO_ROOM),
            (Err(Trouble::Full), _) => Err(Close::FULL),
            _ => Err(Close::MISTAKE),
        }
    }

    /// A place for a connection of a client, if there is one.
    pub(crate) fn place(self: &Arc<Self>, client: IpAddr) -> Option<Place> {
        let permit = Arc::clone(&self.sockets).try_acquire_owned().ok()?;
        if !client.is_loopback() {
            let mut of = self
                .sockets_of
                .lock()
                .unwrap_or_else(PoisonError::into_inner);
            let count = of.entry(client).or_default();
            if *count >= self.limits().sockets_of_one {
                return None;
            }
            *count += 1;
        }
        Some(Place {
            client,
            hub: Arc::downgrade(self),
            _permit: permit,
        })
    }

    /// Wakes rooms whose time has come and forgets old ones, as long as the server lives.
    pub(crate) fn watch(self: &Arc<Self>) {
        let hub = Arc::downgrade(self);
        tokio::spawn(async move {
            let mut sweeps = 0;
            while let Some(hub) = hub.upgrade() {
                hub.wake_due().await;
                if sweeps % FORGET == 0 {
                    hub.forget_old().await;
                }
                sweeps += 1;
                drop(hub);
                tokio::time::sleep(SWEEP).await;
            }
        });
    }

    async fn wake_due(&self) {
        let now = clock::time().0;
        let due = self.stored(move |store| store.rooms_due(now)).await;
        for name in due.unwrap_or_default() {
            if self.find(&name).is_none() && self.room(&name).await.is_err() {
                tracing::warn!("room {name} cannot be waked");
            }
        }
    }

    async fn forget_old(&self) {
        let now = clock::time().0;
        let untouched = now.saturating_sub(self.limits().kept.as_millis() as u64);
        let never_used = now.saturating_sub(NEVER_USED);
        let forgotten = self.stored(move |store| store.forget_rooms(untouched, never_used));
        for name in forgotten.await.unwrap_or_default() {
            // A task that is still there notices with its next event that it has no log any more.
            let mut awake = self.awake.lock().unwrap_or_else(PoisonError::into_inner);
            awake.remove(name.as_str());
        }
    }
}

/// The place of one connection.
pub(crate) struct Place {
    client: IpAddr,
    hub: Weak<Hub>,
    _permit: OwnedSemaphorePermit,
}

impl Drop for Place {
    fn drop(&mut self) {
        let Some(hub) = self.hub.upgrade().filter(|_| !self.client.is_loopback()) else {
            return;
        };
        let mut of = hub
            .sockets_of
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        if let Some(count) = of.get_mut(&self.client) {
            *count -= 1;
            if *count == 0 {
                of.remove(&self.client);
            }
        }
    }
}
