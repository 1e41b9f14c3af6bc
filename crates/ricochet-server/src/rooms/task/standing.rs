//! The standing room: always open, with bots that play as long as somebody plays or watches.
//!
//! The bots are players without a token, so they are recognised in a log after a restart. They use
//! what the room knows anyway, the optimum of the round, so they cost no solver time.

use std::sync::Arc;

use ricochet_rooms::{Chat, Command, Options, Player, PlayerId, Room, Time};

use crate::rooms::names::TokenHash;
use crate::rooms::protocol::outgoing::CloseReason;
use crate::rooms::task::{Batch, RoomTask};

/// The bots with their levels. If fewer are needed, the first ones play.
const BOTS: [(&str, u8); 3] = [("Cog", 5), ("Bolt", 2), ("Gear", 8)];

/// How many play together before bots leave.
const TABLE: usize = 4;

/// The most actions of bots at once; the others follow at once.
const BATCH: usize = 32;

/// The options of the standing room.
pub(crate) fn standing_options() -> Options {
    Options {
        automatic: true,
        chat: Chat::Quick,
        round_ms: 180_000,
        ..Options::default()
    }
}

/// What the task remembers about its bots; everything else is in the room.
#[derive(Default)]
pub(crate) struct StandingBots {
    /// The version of the room at which an action was refused. Bots know the rules, so this is only
    /// to be safe: the same action is not tried again and again.
    stuck: Option<u64>,
}

/// A log that replaces one that is too long.
struct NewLog {
    /// Its first events as JSON.
    events: Vec<String>,
    /// The players and the hashes of their tokens.
    seats: Vec<(u32, TokenHash)>,
}

impl RoomTask {
    fn is_own_bot(&self, player: &Player) -> bool {
        self.standing.is_some()
            && player.bot
            && !self.tokens.values().any(|seated| *seated == player.id)
    }

    fn own_bots(&self) -> impl Iterator<Item = &Player> {
        let players = self.room.players().iter();
        players.filter(|player| self.is_own_bot(player))
    }

    /// Bots have no connections, so they are not waited for after a restart.
    pub(crate) fn forget_bots(&mut self) {
        let bots: Vec<PlayerId> = self.own_bots().map(|bot| bot.id).collect();
        self.away.retain(|player, _| !bots.contains(player));
    }

    /// Lets as many bots play as are needed: none if nobody plays or watches.
    pub(crate) fn seat_bots(&mut self, batch: &mut Batch) {
        if self.standing.is_none() {
            return;
        }
        let players = self.room.players().iter();
        let others = players.filter(|player| player.connected && !self.is_own_bot(player));
        let others = others.count();
        let is_watched = others > 0 || !self.connections.is_empty();
        if !is_watched {
            let playing = self.own_bots().filter(|bot| bot.connected);
            for player in playing.map(|bot| bot.id).collect::<Vec<_>>() {
                let _ = self.decide(Command::Drop { player }, batch);
            }
            return;
        }
        let needed = TABLE.saturating_sub(others).min(BOTS.len());
        for (index, (name, level)) in BOTS.into_iter().enumerate() {
            let seat = self
                .own_bots()
                .find(|bot| bot.level == Some(level))
                .map(|bot| (bot.id, bot.connected));
            let command = match seat {
                None if index < needed => Command::Join {
                    name: name.to_owned(),
                    bot: true,
                    level: Some(level),
                    team: None,
                },
                Some((player, false)) if index < needed => Command::Return { player },
                // Nobody loses a bid: they leave between two rounds.
                Some((player, _)) if index >= needed && self.room.is_between_rounds() => {
                    Command::Leave { player }
                }
                _ => continue,
            };
            let _ = self.decide(command, batch);
        }
    }

    /// The next action of a bot, and when it is due.
    pub(crate) fn next_bot_action(&self) -> Option<(Time, Command)> {
        let standing = self.standing.as_ref()?;
        if standing.stuck == Some(self.room.version()) {
            return None;
        }
        let playing = self.own_bots().filter(|bot| bot.connected);
        let actions = playing.filter_map(|bot| self.room.bot_action(bot.id, bot.level?));
        actions.min_by_key(|(at, _)| *at)
    }

    /// Does what the bots were to do until now, each at its time.
    pub(crate) fn play_bots(&mut self, batch: &mut Batch) {
        let now = self.clock.now();
        for _ in 0..BATCH {
            let due = self.next_bot_action().filter(|(at, _)| *at <= now);
            let Some((at, command)) = due else { return };
            let before = self.room.version();
            let reply = self.room.handle(at, command);
            if reply.refusal.is_some()
                && self.room.version() == before
                && let Some(standing) = &mut self.standing
            {
                standing.stuck = Some(before);
            }
            batch.events.extend(reply.events);
            // Otherwise the room would expire while people only watch.
            batch.touched = true;
        }
    }

    /// Begins a new log, with the people who are there in their seats. They come back to it by
    /// themselves.
    pub(crate) async fn renew(&mut self) {
        self.receiver.close();
        let renewed = self.renewed();
        let stored = match renewed {
            Some(NewLog { events, seats }) => {
                let (store, clock) = (Arc::clone(&self.services.store), &self.services.clock);
                let (id, now, age) = (self.id, self.clock.now(), store.age(clock));
                let replace = move |store: &crate::store::Store| {
                    store.replace_room(id, now.0, age, &events, &seats)
                };
                store.run(replace).await.is_ok()
            }
            None => false,
        };
        if !stored {
            tracing::error!("room {}: no new log can be begun", self.name);
        }
        self.connections.close_all(CloseReason::RENEWED);
    }

    /// The first events of the new log.
    fn renewed(&self) -> Option<NewLog> {
        let seed = crate::rooms::names::new_seed().ok()?;
        let now = self.clock.now();
        let (mut room, opened) = Room::open(self.room.options().clone(), seed, now).ok()?;
        let mut events = vec![opened];
        let mut seats = Vec::new();
        for player in self.room.players().iter().filter(|it| it.connected) {
            let mut tokens = self.tokens.iter();
            let Some((hash, _)) = tokens.find(|(_, seated)| **seated == player.id) else {
                continue;
            };
            let before = events.len();
            let join = Command::Join {
                name: player.name.clone(),
                bot: player.bot,
                level: player.level,
                team: None,
            };
            events.extend(room.handle(now, join).events);
            seats.extend(events[before..].iter().find_map(|it| match it.event {
                ricochet_rooms::Event::Joined { player, .. } => Some((player.0, *hash)),
                _ => None,
            }));
        }
        let texts = events.iter().map(serde_json::to_string);
        Some(NewLog {
            events: texts.collect::<Result<_, _>>().ok()?,
            seats,
        })
    }
}
