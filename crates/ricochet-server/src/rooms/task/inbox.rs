//! How the task of a room handles messages.

use std::time::Instant;

use ricochet_rooms::{Command, Event, PlayerId, Refusal};
use tokio::sync::oneshot;

use crate::rate_limit::{Rate, TokenBucket};
use crate::rooms::names::{self, TokenHash};
use crate::rooms::protocol::incoming::Action;
use crate::rooms::protocol::outgoing::{CloseReason, Rejection};
use crate::rooms::task::connections::Role;
use crate::rooms::task::message::{Admission, ClientSender, RoomMessage, Seat, SeatRequest};
use crate::rooms::task::{Batch, PendingReply, RoomTask};
use crate::store::Report;

/// Chat lines per player.
const CHAT: Rate = Rate::new(5.0, 0.5);

/// Calls per player over HTTP; a WebSocket has a limit of its own.
const CALLS: Rate = Rate::new(40.0, 10.0);

/// Reports per player.
const REPORTS: Rate = Rate::new(3.0, 1.0 / 60.0);

/// How many chat lines of a player a report contains.
const REPORTED_LINES: usize = 10;

/// What a player has left of the limits.
pub(crate) struct PlayerLimits {
    chat: TokenBucket,
    calls: TokenBucket,
    reports: TokenBucket,
}

impl RoomTask {
    pub(crate) fn receive(&mut self, message: RoomMessage, batch: &mut Batch) {
        match message {
            RoomMessage::Join { request, reply } => {
                let seat = self.join(request, batch);
                batch.replies.push(PendingReply::Seat(reply, seat));
            }
            RoomMessage::Connect {
                token,
                since,
                client,
                reply,
            } => self.connect(token, since, client, reply, batch),
            RoomMessage::Disconnect { connection } => {
                let player = self.connections.remove(connection);
                self.start_grace(player);
                self.presence_changed = true;
                self.update_summary();
            }
            RoomMessage::Act {
                connection,
                id,
                action,
            } => {
                let result = match self.connections.role(connection) {
                    Some(Role::Player(player)) => self.act(player, action, batch),
                    Some(Role::Spectator) => Err(Rejection::Spectator),
                    None => return,
                };
                if let Some(id) = id {
                    batch
                        .replies
                        .push(PendingReply::Reply(connection, id, result));
                }
            }
            RoomMessage::Lag { connection, ms } => {
                self.connections.set_lag(connection, ms);
                self.presence_changed = true;
            }
            RoomMessage::Close => batch.closed = true,
            RoomMessage::Call {
                token,
                action,
                reply,
            } => {
                let Some(&player) = self.tokens.get(&token) else {
                    let _ = reply.send(None);
                    return;
                };
                let now = Instant::now();
                let result = if self.limits_of(player).calls.take(CALLS, now) {
                    self.act(player, action, batch)
                } else {
                    Err(Rejection::TooFast)
                };
                batch.replies.push(PendingReply::Call(reply, result));
            }
        }
    }

    fn join(&mut self, request: SeatRequest, batch: &mut Batch) -> Result<Seat, Rejection> {
        if self.is_nearly_full() {
            return Err(Rejection::WornOut);
        }
        let Ok(text) = names::new_token() else {
            return Err(Rejection::TooFast);
        };
        let before = batch.events.len();
        let SeatRequest {
            name,
            bot,
            level,
            team,
        } = request;
        let join = Command::Join {
            name,
            bot,
            level,
            team,
        };
        self.decide(join, batch)?;
        let joined = batch.events[before..].iter().find_map(|it| match it.event {
            Event::Joined { player, .. } => Some(player),
            _ => None,
        });
        let Some(player) = joined else {
            return Err(Rejection::TooFast);
        };
        let hash = names::hash_token(&text);
        self.tokens.insert(hash, player);
        batch.seats.push((player.0, hash));
        batch.touched = true;
        self.start_grace(Some(player));
        Ok(Seat {
            player,
            token: text,
        })
    }

    fn connect(
        &mut self,
        token: Option<TokenHash>,
        since: Option<u64>,
        client: ClientSender,
        reply: oneshot::Sender<Result<Admission, CloseReason>>,
        batch: &mut Batch,
    ) {
        let player = match token {
            None => None,
            Some(token) => {
                let Some(&player) = self.tokens.get(&token) else {
                    let _ = reply.send(Err(CloseReason::BAD_TOKEN));
                    return;
                };
                Some(player)
            }
        };
        if let Some(player) = player {
            self.away.remove(&player);
            let _ = self.decide(Command::Return { player }, batch);
        } else if self.connections.spectators() >= self.services.limits.spectators {
            let _ = reply.send(Err(CloseReason::FULL));
            return;
        }
        batch.replies.push(PendingReply::Connect {
            player,
            since,
            client,
            reply,
        });
    }

    fn act(
        &mut self,
        player: PlayerId,
        action: Action,
        batch: &mut Batch,
    ) -> Result<u64, Rejection> {
        let talks = matches!(action, Action::Say { .. } | Action::Phrase { .. });
        if (talks || action == Action::Start {}) && self.is_nearly_full() {
            return Err(Rejection::WornOut);
        }
        if let Action::Report { player: other } = action {
            return self.report(player, PlayerId(other), batch);
        }
        if talks {
            let now = Instant::now();
            if !self.limits_of(player).chat.take(CHAT, now) {
                return Err(Rejection::TooFast);
            }
        }
        let mut version = self.room.version();
        for command in action.commands(player) {
            version = self.decide(command, batch)?;
            batch.touched = true;
        }
        Ok(version)
    }

    /// Stores that a player reports another one, with the last lines of that player.
    fn report(
        &mut self,
        player: PlayerId,
        other: PlayerId,
        batch: &mut Batch,
    ) -> Result<u64, Rejection> {
        let mut players = self.room.players().iter();
        let Some(reported) = players.find(|it| it.id == other) else {
            return Err(Rejection::Room(Refusal::NoSuchPlayer));
        };
        let name = reported.name.clone();
        if !self.limits_of(player).reports.take(REPORTS, Instant::now()) {
            return Err(Rejection::TooFast);
        }
        let event = self.room.version();
        batch.reports.push(Report {
            room: self.name.to_string(),
            event,
            reporter: player.0,
            reported: other.0,
            name,
            said: self.recent.said_by(other, REPORTED_LINES),
            at: self.services.clock.wall_ms() / 1000,
        });
        Ok(event)
    }

    fn limits_of(&mut self, player: PlayerId) -> &mut PlayerLimits {
        let now = Instant::now();
        self.player_limits
            .entry(player)
            .or_insert_with(|| PlayerLimits {
                chat: TokenBucket::full(CHAT, now),
                calls: TokenBucket::full(CALLS, now),
                reports: TokenBucket::full(REPORTS, now),
            })
    }
}
