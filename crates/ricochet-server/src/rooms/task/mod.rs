//! The task that owns a room: its state, its clock and its connections.
//!
//! Messages come in, the room decides, its events are written to disk, and only then are events and
//! replies sent. Messages that arrive while a commit is under way are handled together afterwards.

mod connections;
mod history;
mod inbox;
pub(crate) mod message;
mod preparation;
pub(crate) mod standing;
pub(crate) mod summary;

use std::collections::HashMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use ricochet_rooms::{Command, Event, LogEntry, Optimum, Options, PlayerId, Room, Time};
use tokio::sync::{mpsc, oneshot};

use crate::clock::Clock;
use crate::config::RoomLimits;
use crate::metrics::Metrics;
use crate::queue::dispatcher::Dispatcher;
use crate::rooms::log_writer::LogWriter;
use crate::rooms::names::TokenHash;
use crate::rooms::protocol::outgoing::{self, CloseReason, Rejection, Welcome};
use crate::rooms::task::connections::{Audience, Connections};
use crate::rooms::task::history::{DelayedRoom, RecentEvents};
use crate::rooms::task::inbox::PlayerLimits;
use crate::rooms::task::message::{
    Admission, CallResult, ClientSender, QUEUE, RoomHandle, RoomMessage, Seat,
};
use crate::rooms::task::preparation::Preparation;
use crate::rooms::task::standing::StandingBots;
use crate::rooms::task::summary::RoomSummary;
use crate::store::{Report, RoomEntry, Store, Wake};

/// The shortest time between two lists of connected players.
const PRESENCE_INTERVAL: Duration = Duration::from_secs(5);

/// The longest sleep of the task, in case the clock jumps.
const MAX_SLEEP: Duration = Duration::from_secs(20);

/// How many messages are handled at once.
const BATCH: usize = 64;

/// What the tasks of all rooms share.
#[derive(Clone)]
pub(crate) struct RoomServices {
    pub(crate) log: LogWriter,
    pub(crate) store: Arc<Store>,
    pub(crate) dispatcher: Arc<Dispatcher>,
    pub(crate) metrics: Arc<Metrics>,
    pub(crate) limits: Arc<RoomLimits>,
    pub(crate) clock: Clock,
}

/// A room with its log and seats, new or from the database.
pub(crate) struct LoadedRoom {
    pub(crate) id: i64,
    pub(crate) room: Room,
    pub(crate) log: Vec<Arc<LogEntry>>,
    pub(crate) seats: Vec<(u32, TokenHash)>,
}

/// The clock of a room. If its log is ahead of the server's clock, since that was set back before a
/// restart, the room continues from the end of its log.
#[derive(Clone)]
pub(crate) struct RoomClock {
    clock: Clock,
    ahead: u64,
}

impl RoomClock {
    fn new(clock: &Clock, last: Option<Time>) -> Self {
        Self {
            ahead: last.map_or(0, |last| last.since(clock.time())),
            clock: clock.clone(),
        }
    }

    pub(crate) fn now(&self) -> Time {
        self.clock.time().after(self.ahead)
    }

    /// What the server's clock shows at a time of the room.
    fn by_server(&self, time: Time) -> Time {
        Time(time.0.saturating_sub(self.ahead))
    }
}

/// The task that owns a room.
pub(crate) struct RoomTask {
    pub(crate) name: Arc<str>,
    id: i64,
    pub(crate) room: Room,
    options: Arc<Options>,
    opened: Time,
    pub(crate) clock: RoomClock,
    /// The bots, if it is the standing room.
    pub(crate) standing: Option<StandingBots>,
    pub(crate) tokens: HashMap<TokenHash, PlayerId>,
    pub(crate) connections: Connections,
    /// Disconnected players, and when the others are told.
    pub(crate) away: HashMap<PlayerId, Time>,
    pub(crate) recent: RecentEvents,
    delayed: Option<DelayedRoom>,
    preparation: Option<Preparation>,
    pub(crate) player_limits: HashMap<PlayerId, PlayerLimits>,
    pub(crate) presence_changed: bool,
    presence_sent: Instant,
    used: Instant,
    pub(crate) services: RoomServices,
    summary: Arc<Mutex<RoomSummary>>,
    failure: Arc<OnceLock<CloseReason>>,
    receiver: mpsc::Receiver<RoomMessage>,
}

/// The outcome of some messages, before it is on disk.
#[derive(Default)]
pub(crate) struct Batch {
    pub(crate) events: Vec<LogEntry>,
    pub(crate) seats: Vec<(u32, TokenHash)>,
    pub(crate) touched: bool,
    pub(crate) reports: Vec<Report>,
    pub(crate) replies: Vec<PendingReply>,
    /// Whether an operator has closed the room.
    pub(crate) closed: bool,
}

/// A reply that is sent after the batch has been written.
pub(crate) enum PendingReply {
    Seat(
        oneshot::Sender<Result<Seat, Rejection>>,
        Result<Seat, Rejection>,
    ),
    Reply(u64, u64, Result<u64, Rejection>),
    Call(oneshot::Sender<CallResult>, Result<u64, Rejection>),
    Connect {
        player: Option<PlayerId>,
        since: Option<u64>,
        client: ClientSender,
        reply: oneshot::Sender<Result<Admission, CloseReason>>,
    },
}

impl RoomTask {
    /// Starts the task of a room.
    pub(crate) fn spawn(
        name: Arc<str>,
        loaded: LoadedRoom,
        services: RoomServices,
        standing: bool,
    ) -> RoomHandle {
        let (sender, receiver) = mpsc::channel(QUEUE);
        let LoadedRoom {
            id,
            room,
            log,
            seats,
        } = loaded;
        let clock = RoomClock::new(&services.clock, log.last().map(|last| last.at));
        let now = clock.now();
        let limits = &services.limits;
        let options = Arc::new(room.options().clone());
        let delay = options.spectator_delay_ms;
        let delayed = (delay > 0)
            .then(|| DelayedRoom::new(&log, delay, now, limits.recent).ok())
            .flatten();
        let mut recent = RecentEvents::new(limits.recent);
        for event in &log {
            recent.push(Arc::clone(event));
        }
        let tokens = seats
            .into_iter()
            .map(|(player, hash)| (hash, PlayerId(player)));
        let sits = |player| room.players().iter().any(|it| it.id == player);
        let tokens = tokens.filter(|(_, player)| sits(*player)).collect();
        // Players who were connected before a restart get some time to come back.
        let there = room.players().iter().filter(|player| player.connected);
        let grace = 4 * limits.grace.as_millis() as u64;
        let away = there.map(|player| (player.id, now.after(grace))).collect();
        let opened = log.first().map_or(now, |opened| opened.at);
        let summary = RoomSummary::new(&name, &room, &options, opened, 0, standing);
        let summary = Arc::new(Mutex::new(summary));
        let failure = Arc::default();
        let mut task = Self {
            standing: standing.then(StandingBots::default),
            name,
            id,
            room,
            options,
            opened,
            clock: clock.clone(),
            tokens,
            connections: Connections::default(),
            away,
            recent,
            delayed,
            preparation: None,
            player_limits: HashMap::new(),
            presence_changed: false,
            presence_sent: Instant::now(),
            used: Instant::now(),
            services,
            summary: Arc::clone(&summary),
            failure: Arc::clone(&failure),
            receiver,
        };
        task.forget_bots();
        tokio::spawn(task.run());
        RoomHandle {
            sender,
            summary,
            clock,
            failure,
        }
    }

    async fn run(mut self) {
        let awake = self.entry(Some(Wake::Always));
        let _ = self.services.log.write(awake).await;
        let mut messages = Vec::new();
        loop {
            // After the last commit, since a new connection counts only then.
            let mut bots = Batch::default();
            self.seat_bots(&mut bots);
            if let Err(reason) = self.commit(bots).await {
                return self.connections.close_all(reason);
            }
            self.prepare();
            let mut batch = Batch::default();
            let wait = self.wait();
            tokio::select! {
                count = self.receiver.recv_many(&mut messages, BATCH) => {
                    if count == 0 {
                        // The server has shut down.
                        return self.connections.close_all(CloseReason::ENDING);
                    }
                    self.used = Instant::now();
                    for message in messages.drain(..) {
                        self.receive(message, &mut batch);
                    }
                }
                (round, optimum) = next_optimum(&mut self.preparation) => {
                    self.preparation = None;
                    let _ = self.decide(Command::Prepared { round, optimum }, &mut batch);
                }
                () = tokio::time::sleep(wait) => {}
            }
            if batch.closed {
                return self.connections.close_all(CloseReason::WORN_OUT);
            }
            self.play_bots(&mut batch);
            self.pass_time(&mut batch);
            if let Err(reason) = self.commit(batch).await {
                return self.connections.close_all(reason);
            }
            self.send_delayed();
            self.send_presence();
            if self.is_worn_out() {
                return match self.standing {
                    Some(_) => self.renew().await,
                    None => self.close().await,
                };
            }
            if self.is_idle() && self.sleep().await {
                return;
            }
        }
    }

    /// The time until something is due without a message.
    fn wait(&self) -> Duration {
        let now = self.clock.now();
        let times = [
            self.room.deadline(),
            self.away.values().min().copied(),
            self.next_bot_action().map(|(at, _)| at),
            self.delayed.as_ref().and_then(DelayedRoom::next),
        ];
        let next = times.into_iter().flatten().min();
        let mut wait = next.map_or(MAX_SLEEP, |time| Duration::from_millis(time.since(now)));
        if self.presence_changed {
            wait = wait.min(PRESENCE_INTERVAL.saturating_sub(self.presence_sent.elapsed()));
        }
        if self.connections.is_empty() {
            wait = wait.min(self.services.limits.idle);
        }
        wait.min(MAX_SLEEP)
    }

    /// Passes a command to the room. The result must not be sent before the batch is written.
    pub(crate) fn decide(&mut self, command: Command, batch: &mut Batch) -> Result<u64, Rejection> {
        let reply = self.room.handle(self.clock.now(), command);
        batch.events.extend(reply.events);
        match reply.refusal {
            None => Ok(self.room.version()),
            Some(refusal) => Err(Rejection::Room(refusal)),
        }
    }

    fn pass_time(&mut self, batch: &mut Batch) {
        let now = self.clock.now();
        let gone = self.away.iter().filter(|&(_, &until)| until <= now);
        let gone: Vec<PlayerId> = gone.map(|(&player, _)| player).collect();
        for player in gone {
            self.away.remove(&player);
            let _ = self.decide(Command::Drop { player }, batch);
        }
        let _ = self.decide(Command::Tick, batch);
    }

    /// Starts to solve the next round, or stops if it is no longer needed.
    fn prepare(&mut self) {
        let Some((round, puzzle)) = self.room.to_prepare() else {
            self.preparation = None;
            return;
        };
        let line = ricochet_core::notation::to_line(&puzzle);
        let is_same = |it: &Preparation| it.round == round && it.line == line;
        if !self.preparation.as_ref().is_some_and(is_same) {
            let preparation = Preparation::start(&self.services.dispatcher, round, &puzzle);
            self.preparation = Some(preparation);
        }
    }

    /// Writes a batch and then sends its events and replies. If it cannot be written, the reason is
    /// told to all connections.
    async fn commit(&mut self, batch: Batch) -> Result<(), CloseReason> {
        let Batch {
            events,
            seats,
            touched,
            reports,
            replies,
            closed: _,
        } = batch;
        let mut left = Vec::new();
        if !events.is_empty() || !reports.is_empty() {
            for report in &reports {
                tracing::warn!(
                    "room {}: player {} reports player {} at event {}",
                    report.room,
                    report.reporter,
                    report.reported,
                    report.event
                );
            }
            self.services.metrics.room_reports.add(reports.len() as u64);
            let texts = events.iter().map(|event| {
                let text = serde_json::to_string(event).unwrap_or_default();
                (event.number, text)
            });
            let entry = RoomEntry {
                events: texts.collect(),
                seats,
                reports,
                touched: touched.then(|| self.services.store.age(&self.services.clock)),
                ..self.entry(None)
            };
            if let Err(reason) = self.services.log.write(entry).await {
                // Before the replies are dropped, so that those who wait for them can tell why.
                let _ = self.failure.set(reason);
                return Err(reason);
            }
            self.services.metrics.room_events.add(events.len() as u64);
            left = self.publish(events);
        }
        for reply in replies {
            self.send_reply(reply);
        }
        // Last, so that a player who leaves gets the reply.
        for player in left {
            self.connections.close_player(player, CloseReason::NO_SEAT);
        }
        Ok(())
    }

    /// Sends events, and returns the players who have left.
    fn publish(&mut self, events: Vec<LogEntry>) -> Vec<PlayerId> {
        let mut left = Vec::new();
        let audience = match self.delayed {
            Some(_) => Audience::Players,
            None => Audience::All,
        };
        let mut shown_in_lobby = false;
        for event in events.into_iter().map(Arc::new) {
            shown_in_lobby |= !matches!(
                event.event,
                Event::Bid { .. }
                    | Event::Submitted { .. }
                    | Event::Shown { .. }
                    | Event::Said { .. }
                    | Event::Phrase { .. }
            );
            let slow = self.connections.send_event(&event, audience);
            self.start_grace_of(slow);
            if let Event::OptionsChanged { options, .. } = &event.event {
                self.options = Arc::new(options.clone());
            }
            if let Event::Left { player, .. } = event.event {
                left.push(player);
                self.tokens.retain(|_, it| *it != player);
                self.away.remove(&player);
                self.player_limits.remove(&player);
            }
            if let Some(delayed) = &mut self.delayed {
                delayed.push(Arc::clone(&event));
            }
            self.recent.push(event);
        }
        if shown_in_lobby {
            self.update_summary();
        }
        left
    }

    fn send_reply(&mut self, reply: PendingReply) {
        match reply {
            PendingReply::Seat(reply, seat) => {
                let _ = reply.send(seat);
            }
            PendingReply::Call(reply, result) => {
                let _ = reply.send(Some(result));
            }
            PendingReply::Reply(connection, id, result) => {
                // A client that does not keep up is noticed at the next event.
                self.connections
                    .send(connection, outgoing::reply(id, &result));
            }
            PendingReply::Connect {
                player,
                since,
                client,
                reply,
            } => {
                if player.is_some_and(|it| !self.tokens.values().any(|sits| *sits == it)) {
                    let _ = reply.send(Err(CloseReason::NO_SEAT));
                    return;
                }
                self.welcome(player, since, &client);
                let connection = self.connections.add(player, client);
                self.presence_changed = true;
                self.update_summary();
                if reply.send(Ok(Admission { connection, player })).is_err() {
                    let player = self.connections.remove(connection);
                    self.start_grace(player);
                }
            }
        }
    }

    /// Sends the first messages to a new connection.
    fn welcome(&self, player: Option<PlayerId>, since: Option<u64>, client: &ClientSender) {
        let delayed = self.delayed.as_ref().filter(|_| player.is_none());
        let (room, recent) = match delayed {
            Some(delayed) => (&delayed.room, &delayed.recent),
            None => (&self.room, &self.recent),
        };
        let rest = since.and_then(|since| Some((since, recent.after(since)?)));
        let snapshot = rest.is_none().then(|| room.view(player));
        let welcome = Welcome {
            room: &self.name,
            you: player,
            now: self.clock.now(),
            version: rest.as_ref().map_or(room.version(), |(since, _)| *since),
            snapshot: snapshot.as_ref(),
            delay_ms: delayed.map_or(0, |_| self.options.spectator_delay_ms),
        };
        let _ = client.messages.try_send(welcome.text());
        for event in rest.into_iter().flat_map(|(_, events)| events) {
            let _ = client.messages.try_send(outgoing::event(event, player));
        }
    }

    fn send_delayed(&mut self) {
        let now = self.clock.now();
        while let Some(event) = self.delayed.as_mut().and_then(|delayed| delayed.take(now)) {
            self.connections.send_event(&event, Audience::Spectators);
        }
    }

    fn send_presence(&mut self) {
        if !self.presence_changed || self.presence_sent.elapsed() < PRESENCE_INTERVAL {
            return;
        }
        self.presence_changed = false;
        self.presence_sent = Instant::now();
        let slow = self.connections.send_presence();
        self.start_grace_of(slow);
    }

    /// If a player has no connection left, the others are told after the grace period.
    pub(crate) fn start_grace(&mut self, player: Option<PlayerId>) {
        let Some(player) = player.filter(|it| !self.connections.has(*it)) else {
            return;
        };
        let grace = self.services.limits.grace.as_millis() as u64;
        self.away.insert(player, self.clock.now().after(grace));
    }

    fn start_grace_of(&mut self, players: Vec<PlayerId>) {
        for player in players {
            self.start_grace(Some(player));
        }
        let slow = std::mem::take(&mut self.connections.slow);
        self.services.metrics.room_slow.add(slow);
    }

    pub(crate) fn update_summary(&self) {
        let spectators = self.connections.spectators();
        let new = RoomSummary::new(
            &self.name,
            &self.room,
            &self.options,
            self.opened,
            spectators,
            self.standing.is_some(),
        );
        *self.summary.lock().unwrap_or_else(PoisonError::into_inner) = new;
    }

    pub(crate) fn is_nearly_full(&self) -> bool {
        self.room.version() >= self.services.limits.events / 5 * 4
    }

    /// Whether the log is so long that the room ends; the standing room begins a new log after a game
    /// in the second half.
    fn is_worn_out(&self) -> bool {
        let (version, limit) = (self.room.version(), self.services.limits.events);
        let renews = self.standing.is_some() && self.room.is_over() && version >= limit / 2;
        version >= limit || renews
    }

    fn is_idle(&self) -> bool {
        let idle = self.services.limits.idle;
        let soon = self.clock.now().after(idle.as_millis() as u64);
        self.standing.is_none()
            && self.connections.is_empty()
            && self.away.is_empty()
            && self.preparation.is_none()
            && self.room.to_prepare().is_none()
            && self.used.elapsed() >= idle
            && self.room.deadline().is_none_or(|deadline| deadline > soon)
            && self
                .delayed
                .as_ref()
                .is_none_or(|delayed| delayed.next().is_none())
    }

    /// Removes the room from memory, unless a message arrives at this moment.
    async fn sleep(&mut self) -> bool {
        let wake = match self.room.deadline() {
            Some(time) => Wake::At(self.clock.by_server(time).0),
            None => Wake::Never,
        };
        let asleep = self.entry(Some(wake));
        let _ = self.services.log.write(asleep).await;
        if !self.receiver.is_empty() {
            let awake = self.entry(Some(Wake::Always));
            let _ = self.services.log.write(awake).await;
            return false;
        }
        // Messages from now on are refused, and their senders wake the room again.
        self.receiver.close();
        true
    }

    /// Deletes a room whose log is full.
    async fn close(&mut self) {
        self.receiver.close();
        let (store, name) = (Arc::clone(&self.services.store), Arc::clone(&self.name));
        let forgotten = tokio::task::spawn_blocking(move || store.delete_room(&name)).await;
        if !matches!(forgotten, Ok(Ok(()))) {
            tracing::error!("a room whose log is full cannot be deleted");
        }
        self.connections.close_all(CloseReason::WORN_OUT);
    }

    fn entry(&self, wake: Option<Wake>) -> RoomEntry {
        RoomEntry {
            room: self.id,
            events: Vec::new(),
            seats: Vec::new(),
            reports: Vec::new(),
            touched: None,
            wake,
        }
    }
}

/// Waits for the solver, for ever if nothing is being solved.
async fn next_optimum(preparation: &mut Option<Preparation>) -> (u32, Optimum) {
    match preparation {
        Some(preparation) => (preparation.round, preparation.search.as_mut().await),
        None => std::future::pending().await,
    }
}
