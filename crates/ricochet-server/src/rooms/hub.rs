//! All rooms of a server: opens, wakes, finds and deletes them.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::Duration;

use ricochet_rooms::{LogEntry, Options, OptionsError, Room};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, oneshot, watch};

use crate::clock::date_of;
use crate::config::{Config, RoomLimits};
use crate::metrics::Metrics;
use crate::queue::dispatcher::Dispatcher;
use crate::rate_limit::{Rate, RateLimiter, is_limited};
use crate::rooms::log_writer::LogWriter;
use crate::rooms::names::{self, RoomPrefix, TokenHash};
use crate::rooms::peers::Peers;
use crate::rooms::protocol::incoming::Action;
use crate::rooms::protocol::outgoing::{CloseReason, Rejection};
use crate::rooms::task::message::{
    Admission, ClientReceiver, RoomHandle, RoomMessage, Seat, SeatRequest, client_channel,
};
use crate::rooms::task::standing::standing_options;
use crate::rooms::task::summary::RoomSummary;
use crate::rooms::task::{LoadedRoom, RoomServices, RoomTask};
use crate::store::{ATTEMPT_DAYS, PUZZLES_KEPT, REPORT_DAYS, RESULT_DAYS, Store, StoreError};

/// How often the hub looks for sleeping rooms that have to wake up.
const SWEEP: Duration = Duration::from_secs(10);

/// How often the hub looks for old rooms, in sweeps.
const DELETE_EVERY: u32 = 60;

/// How long a room without any seat is stored, in milliseconds.
const UNUSED_MS: u64 = 3_600_000;

const DAY_MS: u64 = 86_400_000;

/// How many rooms a client may open.
const OPEN_RATE: Rate = Rate::new(10.0, 0.02);

/// How many seats a client may take.
const SEAT_RATE: Rate = Rate::new(20.0, 0.1);

/// How many reviews, rooms and QR codes a client may read.
const READ_RATE: Rate = Rate::new(60.0, 2.0);

/// Why a request to a room failed.
#[derive(Debug)]
pub(crate) enum HubError {
    /// There is no such room.
    NoRoom,
    /// No more rooms fit into memory or the database.
    Full,
    /// The disk is full.
    DiskFull,
    /// The database or the log is broken.
    Broken,
    /// The options are not valid.
    Options(OptionsError),
    /// The token belongs to no player of the room.
    UnknownToken,
    /// The room rejected the request.
    Rejected(Rejection),
    /// The room did not accept the connection.
    Closed(CloseReason),
}

impl From<HubError> for CloseReason {
    fn from(error: HubError) -> Self {
        match error {
            HubError::Closed(reason) => reason,
            HubError::NoRoom => Self::NO_ROOM,
            HubError::Full => Self::FULL,
            HubError::DiskFull => Self::DISK_FULL,
            _ => Self::SERVER_ERROR,
        }
    }
}

/// All rooms of a server.
pub(crate) struct Hub {
    awake: Mutex<HashMap<Arc<str>, RoomHandle>>,
    /// Rooms are woken one at a time, so that none is woken twice.
    waking: tokio::sync::Mutex<()>,
    services: RoomServices,
    sockets: Arc<Semaphore>,
    sockets_by_address: Mutex<HashMap<IpAddr, usize>>,
    pub(crate) open_limit: RateLimiter,
    pub(crate) seat_limit: RateLimiter,
    pub(crate) read_limit: RateLimiter,
    ending: watch::Sender<bool>,
    prefix: RoomPrefix,
    /// The name of the standing room, if there is one.
    standing: Option<Arc<str>>,
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
        let log = LogWriter::start(Arc::downgrade(store), Arc::clone(metrics))?;
        Ok(Self {
            awake: Mutex::default(),
            waking: tokio::sync::Mutex::default(),
            services: RoomServices {
                log,
                store: Arc::clone(store),
                dispatcher: Arc::clone(dispatcher),
                metrics: Arc::clone(metrics),
                limits: Arc::new(limits.clone()),
                clock: config.clock.clone(),
            },
            sockets: Arc::new(Semaphore::new(limits.sockets)),
            sockets_by_address: Mutex::default(),
            open_limit: RateLimiter::new(OPEN_RATE),
            seat_limit: RateLimiter::new(SEAT_RATE),
            read_limit: RateLimiter::new(READ_RATE),
            ending: watch::channel(false).0,
            prefix: config.room_prefix.clone(),
            standing: config
                .public_room
                .then(|| names::standing_room_name(&config.room_prefix).into()),
            peers: Peers::new(config.room_peers.clone()),
        })
    }

    pub(crate) fn limits(&self) -> &RoomLimits {
        &self.services.limits
    }

    pub(crate) fn metrics(&self) -> &Metrics {
        &self.services.metrics
    }

    /// Closes all connections because the server shuts down.
    pub(crate) fn shut_down(&self) {
        self.ending.send_replace(true);
    }

    /// Becomes `true` when the server shuts down.
    pub(crate) fn shutting_down(&self) -> watch::Receiver<bool> {
        self.ending.subscribe()
    }

    /// The numbers of rooms that are awake and of connections.
    pub(crate) fn load(&self) -> (usize, usize) {
        let listening = self.limits().sockets - self.sockets.available_permits();
        (self.handles().len(), listening)
    }

    /// Summaries of all rooms that are awake.
    pub(crate) fn summaries(&self) -> Vec<RoomSummary> {
        self.handles().iter().map(RoomHandle::summary).collect()
    }

    fn handles(&self) -> Vec<RoomHandle> {
        let mut awake = self.awake.lock().unwrap_or_else(PoisonError::into_inner);
        awake.retain(|_, handle| !handle.sender.is_closed());
        awake.values().cloned().collect()
    }

    fn find(&self, name: &str) -> Option<RoomHandle> {
        let awake = self.awake.lock().unwrap_or_else(PoisonError::into_inner);
        let handle = awake.get(name)?;
        (!handle.sender.is_closed()).then(|| handle.clone())
    }

    fn insert(&self, name: Arc<str>, loaded: LoadedRoom) -> RoomHandle {
        let standing = self.standing.as_deref() == Some(&*name);
        let handle = RoomTask::spawn(Arc::clone(&name), loaded, self.services.clone(), standing);
        let mut awake = self.awake.lock().unwrap_or_else(PoisonError::into_inner);
        awake.insert(name, handle.clone());
        handle
    }

    /// Opens a room and returns its name.
    pub(crate) async fn open(&self, options: Options) -> Result<Arc<str>, HubError> {
        options.check().map_err(HubError::Options)?;
        let _one = self.waking.lock().await;
        if self.handles().len() >= self.limits().awake {
            return Err(HubError::Full);
        }
        let name = self.free_name().await?;
        let loaded = self.new_room(Arc::clone(&name), options).await?;
        self.insert(Arc::clone(&name), loaded);
        Ok(name)
    }

    /// Stores a new room.
    async fn new_room(&self, name: Arc<str>, options: Options) -> Result<LoadedRoom, HubError> {
        let seed = names::new_seed().map_err(|_| HubError::Broken)?;
        let clock = &self.services.clock;
        let (now, age) = (clock.time(), self.services.store.age(clock));
        let (room, opened) = Room::open(options, seed, now).map_err(HubError::Options)?;
        let text = serde_json::to_string(&opened).map_err(|_| HubError::Broken)?;
        let limit = self.limits().stored;
        let id = self
            .with_store(move |store| store.open_room(&name, now.0, age, &text, limit))
            .await?;
        Ok(LoadedRoom {
            id,
            room,
            log: vec![Arc::new(opened)],
            seats: Vec::new(),
        })
    }

    /// A random name that no room has. Names are short, so two rooms may draw the same one.
    async fn free_name(&self) -> Result<Arc<str>, HubError> {
        for _ in 0..8 {
            let name = names::new_room_name(&self.prefix).map_err(|_| HubError::Broken)?;
            if name == names::standing_room_name(&self.prefix) {
                continue;
            }
            let key = name.clone();
            let stored = self.with_store(move |store| store.room(&key)).await?;
            if self.find(&name).is_none() && stored.is_none() {
                return Ok(name.into());
            }
        }
        Err(HubError::Broken)
    }

    /// Access to a room, which is woken if it sleeps.
    pub(crate) async fn room(&self, name: &str) -> Result<RoomHandle, HubError> {
        if !names::is_room_name(name) {
            return Err(HubError::NoRoom);
        }
        if let Some(handle) = self.find(name) {
            return Ok(handle);
        }
        let _one = self.waking.lock().await;
        if let Some(handle) = self.find(name) {
            return Ok(handle);
        }
        if self.handles().len() >= self.limits().awake {
            return Err(HubError::Full);
        }
        let loaded = match (self.load_room(name).await, &self.standing) {
            (Err(HubError::NoRoom), Some(standing)) if **standing == *name => {
                let options = standing_options();
                self.new_room(Arc::clone(standing), options).await?
            }
            (loaded, _) => loaded?,
        };
        Ok(self.insert(name.into(), loaded))
    }

    /// Loads a room from the database.
    pub(crate) async fn load_room(&self, name: &str) -> Result<LoadedRoom, HubError> {
        let key = name.to_owned();
        let found = self.with_store(move |store| {
            let Some(stored) = store.room(&key)? else {
                return Ok(None);
            };
            let texts = stored.events.iter();
            let log: Result<Vec<LogEntry>, _> =
                texts.map(|text| serde_json::from_str(text)).collect();
            Ok(Some((stored.id, stored.seats, log)))
        });
        let (id, seats, log) = found.await?.ok_or(HubError::NoRoom)?;
        let log = log.map_err(|error| {
            tracing::error!("the log of room {name} cannot be read: {error}");
            HubError::Broken
        })?;
        let room = Room::replay(log.iter().cloned()).map_err(|error| {
            tracing::error!("room {name}: {error}");
            HubError::Broken
        })?;
        Ok(LoadedRoom {
            id,
            room,
            log: log.into_iter().map(Arc::new).collect(),
            seats,
        })
    }

    async fn with_store<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Store) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, HubError> {
        let result = self.services.store.run(work).await;
        result.map_err(|error| match error {
            StoreError::Full(_) => HubError::Full,
            StoreError::DiskFull => HubError::DiskFull,
            _ => HubError::Broken,
        })
    }

    /// Sends a message to a room and waits for the reply. If the room falls asleep at that moment or
    /// fails to write, nothing was done, and the room is woken again.
    async fn request<T>(
        &self,
        name: &str,
        mut message: impl FnMut(oneshot::Sender<T>) -> RoomMessage,
    ) -> Result<(T, RoomHandle), HubError> {
        for _ in 0..3 {
            let handle = self.room(name).await?;
            let (sender, receiver) = oneshot::channel();
            if handle.sender.send(message(sender)).await.is_err() {
                continue;
            }
            if let Ok(reply) = receiver.await {
                return Ok((reply, handle));
            }
            if handle.failure.get() == Some(&CloseReason::DISK_FULL) {
                return Err(HubError::DiskFull);
            }
        }
        Err(HubError::Broken)
    }

    /// Takes a seat in a room.
    pub(crate) async fn join(&self, name: &str, request: &SeatRequest) -> Result<Seat, HubError> {
        let joined = self.request(name, |reply| RoomMessage::Join {
            request: request.clone(),
            reply,
        });
        joined.await?.0.map_err(HubError::Rejected)
    }

    /// Carries out an action of a player; returns the version of the room.
    pub(crate) async fn call(
        &self,
        name: &str,
        token: TokenHash,
        action: &Action,
    ) -> Result<u64, HubError> {
        let called = self.request(name, |reply| RoomMessage::Call {
            token,
            action: action.clone(),
            reply,
        });
        let result = called.await?.0.ok_or(HubError::UnknownToken)?;
        result.map_err(HubError::Rejected)
    }

    /// Connects a client to a room.
    pub(crate) async fn connect(
        &self,
        name: &str,
        token: Option<TokenHash>,
        since: Option<u64>,
    ) -> Result<(Admission, RoomHandle, ClientReceiver), HubError> {
        let mut receiver = None;
        let connected = self.request(name, |reply| {
            let (client, other_end) = client_channel(self.limits());
            receiver = Some(other_end);
            RoomMessage::Connect {
                token,
                since,
                client,
                reply,
            }
        });
        let (admission, handle) = connected.await?;
        let admission = admission.map_err(HubError::Closed)?;
        let receiver = receiver.ok_or(HubError::Broken)?;
        Ok((admission, handle, receiver))
    }

    /// A permit for one more connection of a client, if it may have one.
    pub(crate) fn connection_permit(self: &Arc<Self>, client: IpAddr) -> Option<ConnectionPermit> {
        let permit = Arc::clone(&self.sockets).try_acquire_owned().ok()?;
        if is_limited(client) {
            let mut of = self
                .sockets_by_address
                .lock()
                .unwrap_or_else(PoisonError::into_inner);
            let count = of.entry(client).or_default();
            if *count >= self.limits().sockets_per_address {
                return None;
            }
            *count += 1;
        }
        Some(ConnectionPermit {
            client,
            hub: Arc::downgrade(self),
            _permit: permit,
        })
    }

    /// Wakes rooms whose time has come and deletes old ones, as long as the server runs.
    pub(crate) fn start_sweeping(self: &Arc<Self>) {
        let hub = Arc::downgrade(self);
        tokio::spawn(async move {
            let mut sweeps = 0;
            while let Some(hub) = hub.upgrade() {
                hub.wake_due().await;
                if sweeps % DELETE_EVERY == 0 {
                    hub.delete_old().await;
                }
                sweeps += 1;
                drop(hub);
                tokio::time::sleep(SWEEP).await;
            }
        });
    }

    async fn wake_due(&self) {
        let now = self.services.clock.time().0;
        let due = self.with_store(move |store| store.rooms_due(now)).await;
        let Ok(due) = due else { return };
        self.close_deleted(&due).await;
        let standing = self.standing.iter().map(ToString::to_string);
        for name in due.into_iter().chain(standing) {
            if self.find(&name).is_none() && self.room(&name).await.is_err() {
                tracing::warn!("room {name} cannot be woken");
            }
        }
    }

    /// Closes rooms that an operator has deleted from the database.
    async fn close_deleted(&self, due: &[String]) {
        let awake: Vec<Arc<str>> = {
            let awake = self.awake.lock().unwrap_or_else(PoisonError::into_inner);
            let names = awake.keys();
            // Rooms that are awake are due, except at the moment when they wake up.
            names
                .filter(|name| !due.iter().any(|it| **it == ***name))
                .cloned()
                .collect()
        };
        for name in awake {
            let key = Arc::clone(&name);
            let exists = self.with_store(move |store| store.has_room(&key)).await;
            if matches!(exists, Ok(false))
                && let Some(handle) = self.find(&name)
            {
                let _ = handle.sender.send(RoomMessage::Close).await;
            }
        }
    }

    async fn delete_old(&self) {
        let clock = self.services.clock.clone();
        let now = self.services.store.age(&clock);
        let untouched = now.saturating_sub(self.limits().kept.as_millis() as u64);
        let never_used = now.saturating_sub(UNUSED_MS);
        let standing = self.standing.clone();
        // Like everything that expires, by the age of the database instead of the date.
        let day = |days: u64| now.saturating_sub(days * DAY_MS) / DAY_MS;
        let results = date_of(day(RESULT_DAYS));
        let attempts = date_of(day(ATTEMPT_DAYS));
        let reports = day(REPORT_DAYS) * (DAY_MS / 1000);
        let deleted = self.with_store(move |store| {
            store.save_age(&clock)?;
            store.delete_results_before(&results)?;
            store.delete_attempts_before(&attempts)?;
            store.delete_reports(reports)?;
            store.delete_puzzles(now.saturating_sub(PUZZLES_KEPT.as_millis() as u64))?;
            store.delete_rooms(untouched, never_used, standing.as_deref())
        });
        for name in deleted.await.unwrap_or_default() {
            // A task that is still running fails to write its next event.
            let mut awake = self.awake.lock().unwrap_or_else(PoisonError::into_inner);
            awake.remove(name.as_str());
        }
    }
}

/// A permit for one connection, returned when dropped.
pub(crate) struct ConnectionPermit {
    client: IpAddr,
    hub: Weak<Hub>,
    _permit: OwnedSemaphorePermit,
}

impl Drop for ConnectionPermit {
    fn drop(&mut self) {
        let Some(hub) = self.hub.upgrade().filter(|_| is_limited(self.client)) else {
            return;
        };
        let mut of = hub
            .sockets_by_address
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

#[cfg(test)]
mod tests {
    use ricochet_rooms::Event;

    use super::*;
    use crate::app::App;

    #[tokio::test]
    async fn a_full_disk_closes_connections_with_1011_and_loses_nothing_acknowledged() {
        let app = App::new(Config::default()).unwrap();
        let hub = &app.hub;
        let room = hub.open(Options::default()).await.unwrap();
        let request = SeatRequest {
            name: "Ada".to_owned(),
            bot: false,
            level: None,
            team: None,
        };
        let seat = hub.join(&room, &request).await.unwrap();
        let token = names::hash_token(&seat.token);
        let (_, _, receiver) = hub.connect(&room, Some(token), None).await.unwrap();
        app.store.fill_disk();
        // Until the pages that are there are full.
        let mut changes = 0;
        let refused = loop {
            let fields = format!(r#"{{"options":{{"pause_ms":{}}}}}"#, 1_000 + changes);
            let action = Action::from_fields("options", fields.as_bytes()).unwrap();
            match hub.call(&room, token, &action).await {
                Ok(_) => changes += 1,
                Err(error) => break error,
            }
        };
        assert!(matches!(refused, HubError::DiskFull), "{refused:?}");
        assert_eq!(receiver.close.await, Ok(CloseReason::DISK_FULL));
        let log = hub.load_room(&room).await.unwrap().log;
        let stored = log
            .iter()
            .filter(|entry| matches!(entry.event, Event::OptionsChanged { .. }));
        assert_eq!(stored.count(), changes);
    }
}
