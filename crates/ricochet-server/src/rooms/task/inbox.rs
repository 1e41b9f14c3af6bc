//! How a room takes letters.

use std::time::Instant;

use ricochet_rooms::{Command, Event, PlayerId};
use tokio::sync::oneshot;

use crate::rate_limit::{Rate, TokenBucket};
use crate::rooms::names::{self, TokenHash};
use crate::rooms::protocol::incoming::Wish;
use crate::rooms::protocol::outgoing::{Close, No};
use crate::rooms::task::connections::Who;
use crate::rooms::task::message::{Connected, Letter, Line, Seated, Wanted};
use crate::rooms::task::{After, Batch, Task};

/// Chat lines of one player.
const CHAT: Rate = Rate {
    burst: 5.0,
    per_second: 0.5,
};

/// Calls of one player without a WebSocket, which counts for itself.
const CALLS: Rate = Rate {
    burst: 40.0,
    per_second: 10.0,
};

/// How much a player may still say.
pub(crate) struct Rates {
    chat: TokenBucket,
    calls: TokenBucket,
}

impl Task {
    pub(crate) fn take(&mut self, letter: Letter, batch: &mut Batch) {
        match letter {
            Letter::Join { wanted, answer } => {
                let seat = self.join(wanted, batch);
                batch.after.push(After::Seat(answer, seat));
            }
            Letter::Connect {
                token,
                since,
                line,
                answer,
            } => self.connect(token, since, line, answer, batch),
            Letter::Gone { connection } => {
                let player = self.guests.remove(connection);
                self.missing(player);
                self.presence_changed = true;
                self.update_status();
            }
            Letter::Wish {
                connection,
                id,
                wish,
            } => {
                let result = match self.guests.who(connection) {
                    Some(Who::Player(player)) => self.wish(player, wish, batch),
                    Some(Who::Spectator) => Err(No::Spectator),
                    None => return,
                };
                if let Some(id) = id {
                    batch.after.push(After::Reply(connection, id, result));
                }
            }
            Letter::Lag { connection, ms } => {
                self.guests.set_lag(connection, ms);
                self.presence_changed = true;
            }
            Letter::Call {
                token,
                wish,
                answer,
            } => {
                let Some(&player) = self.tokens.get(&token) else {
                    let _ = answer.send(None);
                    return;
                };
                let now = Instant::now();
                let result = if self.rates(player).calls.take(CALLS, now) {
                    self.wish(player, wish, batch)
                } else {
                    Err(No::TooFast)
                };
                batch.after.push(After::Answer(answer, result));
            }
        }
    }

    fn join(&mut self, wanted: Wanted, batch: &mut Batch) -> Result<Seated, No> {
        if self.is_worn() {
            return Err(No::WornOut);
        }
        let Ok(text) = names::token() else {
            return Err(No::TooFast);
        };
        let before = batch.events.len();
        let Wanted { name, bot, team } = wanted;
        self.decide(Command::Join { name, bot, team }, batch)?;
        let joined = batch.events[before..].iter().find_map(|it| match it.event {
            Event::Joined { player, .. } => Some(player),
            _ => None,
        });
        let Some(player) = joined else {
            return Err(No::TooFast);
        };
        let hash = names::hash(&text);
        self.tokens.insert(hash, player);
        batch.seats.push((player.0, hash));
        batch.touched = true;
        self.missing(Some(player));
        Ok(Seated {
            player,
            token: text,
        })
    }

    fn connect(
        &mut self,
        token: Option<TokenHash>,
        since: Option<u64>,
        line: Line,
        answer: oneshot::Sender<Result<Connected, Close>>,
        batch: &mut Batch,
    ) {
        let player = match token {
            None => None,
            Some(token) => {
                let Some(&player) = self.tokens.get(&token) else {
                    let _ = answer.send(Err(Close::BAD_TOKEN));
                    return;
                };
                Some(player)
            }
        };
        if let Some(player) = player {
            self.away.remove(&player);
            let _ = self.decide(Command::Return { player }, batch);
        } else if self.guests.spectators() >= self.shared.limits.spectators {
            let _ = answer.send(Err(Close::FULL));
            return;
        }
        batch.after.push(After::Connect {
            player,
            since,
            line,
            answer,
        });
    }

    fn wish(&mut self, player: PlayerId, wish: Wish, batch: &mut Batch) -> Result<u64, No> {
        if matches!(wish, Wish::Say { .. } | Wish::Start {}) && self.is_worn() {
            return Err(No::WornOut);
        }
        if matches!(wish, Wish::Say { .. }) {
            let now = Instant::now();
            if !self.rates(player).chat.take(CHAT, now) {
                return Err(No::TooFast);
            }
        }
        let mut version = self.room.version();
        for command in wish.commands(player) {
            version = self.decide(command, batch)?;
            batch.touched = true;
        }
        Ok(version)
    }

    fn rates(&mut self, player: PlayerId) -> &mut Rates {
        let now = Instant::now();
        self.rates.entry(player).or_insert_with(|| Rates {
            chat: TokenBucket::full(CHAT, now),
            calls: TokenBucket::full(CALLS, now),
        })
    }
}
