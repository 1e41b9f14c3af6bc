//! Everybody who listens to a room.

use std::collections::{BTreeMap, HashMap};

use axum::extract::ws::Utf8Bytes;
use ricochet_rooms::{LogEntry, PlayerId};

use crate::rooms::protocol::outgoing::{self, Close};
use crate::rooms::task::message::Line;

/// Connections of one player at most.
const OF_ONE: usize = 4;

struct Guest {
    player: Option<PlayerId>,
    line: Line,
    lag: Option<u32>,
}

/// The connections of a room.
#[derive(Default)]
pub(crate) struct Guests {
    next: u64,
    /// By number, so that the oldest comes first.
    all: BTreeMap<u64, Guest>,
    /// Readers that were too slow.
    pub(crate) slow: u64,
}

/// Who listens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Who {
    Player(PlayerId),
    Spectator,
}

/// Whom something is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Audience {
    All,
    Players,
    Spectators,
}

impl Audience {
    fn has(self, player: Option<PlayerId>) -> bool {
        match self {
            Self::All => true,
            Self::Players => player.is_some(),
            Self::Spectators => player.is_none(),
        }
    }
}

impl Guests {
    /// A new connection. The oldest one of a player who has too many is closed.
    pub(crate) fn add(&mut self, player: Option<PlayerId>, line: Line) -> u64 {
        let of_one = self
            .all
            .iter()
            .filter(|(_, guest)| player.is_some() && guest.player == player);
        let of_one: Vec<u64> = of_one.map(|(&number, _)| number).collect();
        if of_one.len() >= OF_ONE {
            self.kick(of_one[0], Close::ELSEWHERE);
        }
        self.next += 1;
        let guest = Guest {
            player,
            line,
            lag: None,
        };
        self.all.insert(self.next, guest);
        self.next
    }

    /// Forgets a connection; whose it was.
    pub(crate) fn remove(&mut self, connection: u64) -> Option<PlayerId> {
        self.all.remove(&connection)?.player
    }

    /// Who it is, if they are still there.
    pub(crate) fn who(&self, connection: u64) -> Option<Who> {
        let guest = self.all.get(&connection)?;
        Some(guest.player.map_or(Who::Spectator, Who::Player))
    }

    pub(crate) fn set_lag(&mut self, connection: u64, lag: u32) {
        if let Some(guest) = self.all.get_mut(&connection) {
            guest.lag = Some(lag.min(60_000));
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    pub(crate) fn has(&self, player: PlayerId) -> bool {
        self.all.values().any(|it| it.player == Some(player))
    }

    pub(crate) fn spectators(&self) -> usize {
        let spectators = self.all.values().filter(|it| it.player.is_none());
        spectators.count()
    }

    /// Closes one connection.
    pub(crate) fn kick(&mut self, connection: u64, close: Close) -> Option<PlayerId> {
        let guest = self.all.remove(&connection)?;
        let _ = guest.line.kick.send(close);
        guest.player
    }

    /// Closes all connections of a player.
    pub(crate) fn kick_player(&mut self, player: PlayerId, close: Close) {
        let of_one = self.all.iter();
        let of_one = of_one.filter(|(_, guest)| guest.player == Some(player));
        let numbers: Vec<u64> = of_one.map(|(&number, _)| number).collect();
        for number in numbers {
            self.kick(number, close);
        }
    }

    /// Closes everything.
    pub(crate) fn kick_all(&mut self, close: Close) {
        for (_, guest) in std::mem::take(&mut self.all) {
            let _ = guest.line.kick.send(close);
        }
    }

    /// Sends a message to one; `false` if nobody is there any more.
    pub(crate) fn send(&mut self, connection: u64, text: Utf8Bytes) -> bool {
        let Some(guest) = self.all.get(&connection) else {
            return false;
        };
        guest.line.out.try_send(text).is_ok()
    }

    /// Tells an event, to each what they may see of it. Those who do not keep up are closed; gives
    /// the players among them.
    pub(crate) fn tell(&mut self, entry: &LogEntry, audience: Audience) -> Vec<PlayerId> {
        let public = outgoing::event(entry, None);
        let own = entry
            .owner()
            .map(|player| (player, outgoing::event(entry, Some(player))));
        self.send_all(audience, |player| match &own {
            Some((owner, text)) if player == Some(*owner) => text.clone(),
            _ => public.clone(),
        })
    }

    /// Tells who is there and how well.
    pub(crate) fn tell_presence(&mut self) -> Vec<PlayerId> {
        let mut lags: HashMap<PlayerId, Option<u32>> = HashMap::new();
        for guest in self.all.values() {
            if let Some(player) = guest.player {
                let lag = lags.entry(player).or_default();
                *lag = guest.lag.or(*lag);
            }
        }
        let lags = lags.into_iter().map(|(player, lag)| (player.0, lag));
        let text = outgoing::presence(&lags.collect(), self.spectators());
        self.send_all(Audience::All, |_| text.clone())
    }

    fn send_all(
        &mut self,
        audience: Audience,
        text: impl Fn(Option<PlayerId>) -> Utf8Bytes,
    ) -> Vec<PlayerId> {
        let mut behind = Vec::new();
        for (&number, guest) in &self.all {
            let meant = audience.has(guest.player);
            if meant && guest.line.out.try_send(text(guest.player)).is_err() {
                behind.push(number);
            }
        }
        self.slow += behind.len() as u64;
        let players = behind.into_iter();
        players
            .filter_map(|number| self.kick(number, Close::SLOW))
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use tokio::sync::{mpsc, oneshot};

    use super::*;

    fn line(places: usize) -> (Line, mpsc::Receiver<Utf8Bytes>, oneshot::Receiver<Close>) {
        let (out, received) = mpsc::channel(places);
        let (kick, kicked) = oneshot::channel();
        (Line { out, kick }, received, kicked)
    }

    #[test]
    fn who_does_not_keep_up_is_sent_away_and_nobody_else() {
        let mut guests = Guests::default();
        let (slow, _unread, mut kicked) = line(2);
        let (quick, mut read, mut stays) = line(2);
        guests.add(Some(PlayerId(1)), slow);
        guests.add(Some(PlayerId(2)), quick);
        for _ in 0..2 {
            assert_eq!(guests.tell_presence(), []);
            assert!(read.try_recv().is_ok());
        }
        assert_eq!(guests.tell_presence(), [PlayerId(1)]);
        assert!(read.try_recv().is_ok());
        assert_eq!(kicked.try_recv(), Ok(Close::SLOW));
        assert!(stays.try_recv().is_err());
        assert!(!guests.has(PlayerId(1)) && guests.has(PlayerId(2)));
        assert_eq!(guests.slow, 1);
    }
}
