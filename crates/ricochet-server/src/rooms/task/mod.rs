//! The task that owns a room: its state, its clock and everybody who listens.
//!
//! Letters come in, the room decides, the events go to the disk, and only then does anybody hear of
//! them. Letters that arrive while a commit is on its way are taken together afterwards.

mod connections;
mod history;
mod inbox;
pub(crate) mod message;
mod preparation;
pub(crate) mod summary;

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use ricochet_rooms::{Command, Event, LogEntry, Optimum, Options, PlayerId, Room, Time};
use tokio::sync::{mpsc, oneshot};

use crate::clock;
use crate::metrics::Metrics;
use crate::queue::dispatcher::Dispatcher;
use crate::rooms::limits::RoomLimits;
use crate::rooms::log_writer::RoomLog;
use crate::rooms::names::TokenHash;
use crate::rooms::protocol::outgoing::{self, Close, No, Welcome};
use crate::rooms::task::connections::{Audience, Guests};
use crate::rooms::task::history::{Late, Recent};
use crate::rooms::task::inbox::Rates;
use crate::rooms::task::message::{Called, Connected, Handle, Letter, Line, QUEUE, Seated};
use crate::rooms::task::preparation::Preparing;
use crate::rooms::task::summary::Status;
use crate::store::{RoomEntry, Store, Wake};

/// How often everybody is told who is there.
const PRESENCE: Duration = Duration::from_secs(5);

/// How long the clock may jump without being looked at.
const LOOK: Duration = Duration::from_secs(20);

/// Letters that are taken at once.
const BATCH: usize = 64;

/// What the tasks of all rooms share.
#[derive(Clone)]
pub(crate) struct Shared {
    pub(crate) log: RoomLog,
    pub(crate) store: Arc<Store>,
    pub(crate) dispatcher: Arc<Dispatcher>,
    pub(crate) metrics: Arc<Metrics>,
    pub(crate) limits: Arc<RoomLimits>,
}

/// A room with what belongs to it, new or from the database.
pub(crate) struct Found {
    pub(crate) id: i64,
    pub(crate) room: Room,
    pub(crate) log: Vec<Arc<LogEntry>>,
    pub(crate) seats: Vec<(u32, TokenHash)>,
}

/// A room, and everybody who listens.
pub(crate) struct Task {
    name: Arc<str>,
    id: i64,
    pub(crate) room: Room,
    options: Arc<Options>,
    opened: Time,
    pub(crate) tokens: HashMap<TokenHash, PlayerId>,
    pub(crate) guests: Guests,
    /// Players without a connection, and when the others are told.
    pub(crate) away: HashMap<PlayerId, Time>,
    recent: Recent,
    late: Option<Late>,
    preparing: Option<Preparing>,
    pub(crate) rates: HashMap<PlayerId, Rates>,
    pub(crate) presence_changed: bool,
    presence_told: Instant,
    used: Instant,
    pub(crate) shared: Shared,
    status: Arc<Mutex<Status>>,
    receiver: mpsc::Receiver<Letter>,
}

/// What some letters led to, before it is on the disk.
#[derive(Default)]
pub(crate) struct Batch {
    pub(crate) events: Vec<LogEntry>,
    pub(crate) seats: Vec<(u32, TokenHash)>,
    pub(crate) touched: bool,
    pub(crate) after: Vec<After>,
}

/// What is done after that.
pub(crate) enum After {
    Seat(oneshot::Sender<Result<Seated, No>>, Result<Seated, No>),
    Reply(u64, u64, Result<u64, No>),
    Answer(oneshot::Sender<Called>, Result<u64, No>),
    Connect {
        player: Option<PlayerId>,
        since: Option<u64>,
        line: Line,
        answer: oneshot::Sender<Result<Connected, Close>>,
    },
}

impl Task {
    /// Wakes a room up.
    pub(crate) fn spawn(name: Arc<str>, found: Found, shared: Shared) -> Handle {
        let (sender, receiver) = mpsc::channel(QUEUE);
        let Found {
            id,
            room,
            log,
            seats,
        } = found;
        let now = clock::time();
        let limits = &shared.limits;
        let options = Arc::new(room.options().clone());
        let delay = options.spectator_delay_ms;
        let late = (delay > 0)
            .then(|| Late::new(&log, delay, now, limits.recent).ok())
            .flatten();
        let mut recent = Recent::new(limits.recent);
        for event in &log {
            recent.push(Arc::clone(event));
        }
        let tokens = seats
            .into_iter()
            .map(|(player, hash)| (hash, PlayerId(player)));
        let sits = |player| room.players().iter().any(|it| it.id == player);
        let tokens = tokens.filter(|(_, player)| sits(*player)).collect();
        // Whoever was there before a restart has a moment to come back.
        let there = room.players().iter().filter(|player| player.connected);
        let grace = 4 * limits.grace.as_millis() as u64;
        let away = there.map(|player| (player.id, now.after(grace))).collect();
        let opened = log.first().map_or(now, |opened| opened.at);
        let status = Status::of(&name, &room, &options, opened, 0);
        let status = Arc::new(Mutex::new(status));
        let task = Self {
            name,
            id,
            room,
            options,
            opened,
            tokens,
            guests: Guests::default(),
            away,
            recent,
            late,
            preparing: None,
            rates: HashMap::new(),
            presence_changed: false,
            presence_told: Instant::now(),
            used: Instant::now(),
            shared,
            status: Arc::clone(&status),
            receiver,
        };
        tokio::spawn(task.run());
        Handle { sender, status }
    }

    async fn run(mut self) {
        let awake = self.entry(Some(Wake::Always));
        self.shared.log.write(awake).await;
        let mut letters = Vec::new();
        loop {
            self.prepare();
            let mut batch = Batch::default();
            let wait = self.wait();
            tokio::select! {
                count = self.receiver.recv_many(&mut letters, BATCH) => {
                    if count == 0 {
                        // The server is gone.
                        return self.guests.kick_all(Close::ENDING);
                    }
                    self.used = Instant::now();
                    for letter in letters.drain(..) {
                        self.take(letter, &mut batch);
                    }
                }
                (round, optimum) = solved(&mut self.preparing) => {
                    self.preparing = None;
                    let _ = self.decide(Command::Prepared { round, optimum }, &mut batch);
                }
                () = tokio::time::sleep(wait) => {}
            }
            self.pass_time(&mut batch);
            if !self.settle(batch).await {
                return self.guests.kick_all(Close::MISTAKE);
            }
            self.tell_spectators();
            self.tell_presence();
            if self.room.version() >= self.shared.limits.events {
                return self.close().await;
            }
            if self.is_idle() && self.sleep().await {
                return;
            }
        }
    }

    /// How long nothing has to be done by itself.
    fn wait(&self) -> Duration {
        let now = clock::time();
        let times = [
            self.room.deadline(),
            self.away.values().min().copied(),
            self.late.as_ref().and_then(Late::next),
        ];
        let next = times.into_iter().flatten().min();
        let mut wait = next.map_or(LOOK, |time| Duration::from_millis(time.since(now)));
        if self.presence_changed {
            wait = wait.min(PRESENCE.saturating_sub(self.presence_told.elapsed()));
        }
        if self.guests.is_empty() {
            wait = wait.min(self.shared.limits.idle);
        }
        wait.min(LOOK)
    }

    /// Lets the room decide. The result is not to be told before the batch is settled.
    pub(crate) fn decide(&mut self, command: Command, batch: &mut Batch) -> Result<u64, No> {
        let reply = self.room.handle(clock::time(), command);
        batch.events.extend(reply.events);
        match reply.refusal {
            None => Ok(self.room.version()),
            Some(refusal) => Err(No::Room(refusal)),
        }
    }

    // Time.

    fn pass_time(&mut self, batch: &mut Batch) {
        let now = clock::time();
        let gone = self.away.iter().filter(|&(_, &until)| until <= now);
        let gone: Vec<PlayerId> = gone.map(|(&player, _)| player).collect();
        for player in gone {
            self.away.remove(&player);
            let _ = self.decide(Command::Drop { player }, batch);
        }
        let _ = self.decide(Command::Tick, batch);
    }

    /// Starts to solve the next round, or stops if it is not wanted any more.
    fn prepare(&mut self) {
        let Some((round, puzzle)) = self.room.to_prepare() else {
            self.preparing = None;
            return;
        };
        let line = ricochet_core::notation::to_line(&puzzle);
        let is_same = |it: &Preparing| it.round == round && it.line == line;
        if !self.preparing.as_ref().is_some_and(is_same) {
            let preparing = Preparing::start(&self.shared.dispatcher, round, &puzzle);
            self.preparing = Some(preparing);
        }
    }

    // After the decision.

    /// Writes a batch and then tells everybody; `false` if it could not be written.
    async fn settle(&mut self, batch: Batch) -> bool {
        let Batch {
            events,
            seats,
            touched,
            after,
        } = batch;
        if !events.is_empty() {
            let texts = events.iter().map(|event| {
                let text = serde_json::to_string(event).unwrap_or_default();
                (event.number, text)
            });
            let entry = RoomEntry {
                events: texts.collect(),
                seats,
                touched: touched.then(|| clock::time().0),
                ..self.entry(None)
            };
            if !self.shared.log.write(entry).await {
                return false;
            }
            self.shared.metrics.room_events.add(events.len() as u64);
            self.tell(events);
        }
        for after in after {
            self.finish(after);
        }
        true
    }

    fn tell(&mut self, events: Vec<LogEntry>) {
        let audience = match self.late {
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
            );
            let slow = self.guests.tell(&event, audience);
            self.all_missing(slow);
            if let Event::OptionsChanged { options, .. } = &event.event {
                self.options = Arc::new(options.clone());
            }
            if let Event::Left { player, .. } = event.event {
                self.guests.kick_player(player, Close::NO_SEAT);
                self.tokens.retain(|_, it| *it != player);
                self.away.remove(&player);
                self.rates.remove(&player);
            }
            if let Some(late) = &mut self.late {
                late.push(Arc::clone(&event));
            }
            self.recent.push(event);
        }
        if shown_in_lobby {
            self.update_status();
        }
    }

    fn finish(&mut self, after: After) {
        match after {
            After::Seat(answer, seat) => {
                let _ = answer.send(seat);
            }
            After::Answer(answer, result) => {
                let _ = answer.send(Some(result));
            }
            After::Reply(connection, id, result) => {
                // Who does not keep up is noticed at the next event.
                self.guests.send(connection, outgoing::reply(id, &result));
            }
            After::Connect {
                player,
                since,
                line,
                answer,
            } => {
                if player.is_some_and(|it| !self.tokens.values().any(|sits| *sits == it)) {
                    let _ = answer.send(Err(Close::NO_SEAT));
                    return;
                }
                self.welcome(player, since, &line);
                let connection = self.guests.add(player, line);
                self.presence_changed = true;
                self.update_status();
                if answer.send(Ok(Connected { connection, player })).is_err() {
                    let player = self.guests.remove(connection);
                    self.missing(player);
                }
            }
        }
    }

    /// The first messages to somebody who has come.
    fn welcome(&self, player: Option<PlayerId>, since: Option<u64>, line: &Line) {
        let late = self.late.as_ref().filter(|_| player.is_none());
        let (room, recent) = match late {
            Some(late) => (&late.room, &late.recent),
            None => (&self.room, &self.recent),
        };
        let rest = since.and_then(|since| Some((since, recent.after(since)?)));
        let snapshot = rest.is_none().then(|| room.view(player));
        let welcome = Welcome {
            room: &self.name,
            you: player,
            now: clock::time(),
            version: rest.as_ref().map_or(room.version(), |(since, _)| *since),
            snapshot: snapshot.as_ref(),
            delay_ms: late.map_or(0, |_| self.options.spectator_delay_ms),
        };
        let _ = line.out.try_send(welcome.text());
        for event in rest.into_iter().flat_map(|(_, events)| events) {
            let _ = line.out.try_send(outgoing::event(event, player));
        }
    }

    fn tell_spectators(&mut self) {
        let now = clock::time();
        while let Some(event) = self.late.as_mut().and_then(|late| late.take(now)) {
            self.guests.tell(&event, Audience::Spectators);
        }
    }

    fn tell_presence(&mut self) {
        if !self.presence_changed || self.presence_told.elapsed() < PRESENCE {
            return;
        }
        self.presence_changed = false;
        self.presence_told = Instant::now();
        let slow = self.guests.tell_presence();
        self.all_missing(slow);
    }

    /// A player may be without a connection: the others hear of it after a moment.
    pub(crate) fn missing(&mut self, player: Option<PlayerId>) {
        let Some(player) = player.filter(|it| !self.guests.has(*it)) else {
            return;
        };
        let grace = self.shared.limits.grace.as_millis() as u64;
        self.away.insert(player, clock::time().after(grace));
    }

    fn all_missing(&mut self, players: Vec<PlayerId>) {
        for player in players {
            self.missing(Some(player));
        }
        let slow = std::mem::take(&mut self.guests.slow);
        self.shared.metrics.room_slow.add(slow);
    }

    pub(crate) fn update_status(&self) {
        let spectators = self.guests.spectators();
        let new = Status::of(
            &self.name,
            &self.room,
            &self.options,
            self.opened,
            spectators,
        );
        *self.status.lock().unwrap_or_else(PoisonError::into_inner) = new;
    }

    // The end.

    pub(crate) fn is_worn(&self) -> bool {
        self.room.version() >= self.shared.limits.events / 5 * 4
    }

    fn is_idle(&self) -> bool {
        let idle = self.shared.limits.idle;
        let soon = clock::time().after(idle.as_millis() as u64);
        self.guests.is_empty()
            && self.away.is_empty()
            && self.preparing.is_none()
            && self.room.to_prepare().is_none()
            && self.used.elapsed() >= idle
            && self.room.deadline().is_none_or(|deadline| deadline > soon)
            && self.late.as_ref().is_none_or(|late| late.next().is_none())
    }

    /// Leaves the memory, unless somebody comes at this moment.
    async fn sleep(&mut self) -> bool {
        let wake = match self.room.deadline() {
            Some(time) => Wake::At(time.0),
            None => Wake::Never,
        };
        let asleep = self.entry(Some(wake));
        self.shared.log.write(asleep).await;
        if !self.receiver.is_empty() {
            let awake = self.entry(Some(Wake::Always));
            self.shared.log.write(awake).await;
            return false;
        }
        // Letters that come from now on are refused, and their senders wake the room again.
        self.receiver.close();
        true
    }

    /// The room has seen enough.
    async fn close(&mut self) {
        self.receiver.close();
        let (store, name) = (Arc::clone(&self.shared.store), Arc::clone(&self.name));
        let forgotten = tokio::task::spawn_blocking(move || store.forget_room(&name)).await;
        if !matches!(forgotten, Ok(Ok(()))) {
            tracing::error!("a room that is over cannot be forgotten");
        }
        self.guests.kick_all(Close::WORN_OUT);
    }

    fn entry(&self, wake: Option<Wake>) -> RoomEntry {
        RoomEntry {
            room: self.id,
            events: Vec::new(),
            seats: Vec::new(),
            touched: None,
            wake,
        }
    }
}

/// The round that is being solved, when it is.
async fn solved(preparing: &mut Option<Preparing>) -> (u32, Optimum) {
    match preparing {
        Some(preparing) => (preparing.round, preparing.search.as_mut().await),
        None => std::future::pending().await,
    }
}
