//! The connections of a room.

use std::collections::{BTreeMap, HashMap};

use axum::extract::ws::Utf8Bytes;
use ricochet_rooms::{LogEntry, PlayerId};

use crate::rooms::protocol::outgoing::{self, CloseReason};
use crate::rooms::task::message::ClientSender;

/// The most connections of one player.
const MAX_PER_PLAYER: usize = 4;

struct Connection {
    player: Option<PlayerId>,
    client: ClientSender,
    lag: Option<u32>,
}

/// The connections of a room.
#[derive(Default)]
pub(crate) struct Connections {
    next: u64,
    /// By number, so that the oldest comes first.
    all: BTreeMap<u64, Connection>,
    /// How many were closed because they were too slow.
    pub(crate) slow: u64,
}

/// The role of a client in a room.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    Player(PlayerId),
    Spectator,
}

/// The clients that an event is sent to.
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

impl Connections {
    /// Adds a connection. If the player has too many, the oldest one is closed.
    pub(crate) fn add(&mut self, player: Option<PlayerId>, client: ClientSender) -> u64 {
        let of_player = self
            .all
            .iter()
            .filter(|(_, connection)| player.is_some() && connection.player == player);
        let of_player: Vec<u64> = of_player.map(|(&number, _)| number).collect();
        if of_player.len() >= MAX_PER_PLAYER {
            self.close_one(of_player[0], CloseReason::TOO_MANY);
        }
        self.next += 1;
        let connection = Connection {
            player,
            client,
            lag: None,
        };
        self.all.insert(self.next, connection);
        self.next
    }

    /// Removes a connection and returns its player.
    pub(crate) fn remove(&mut self, connection: u64) -> Option<PlayerId> {
        self.all.remove(&connection)?.player
    }

    /// The role of a connection, if it still exists.
    pub(crate) fn role(&self, connection: u64) -> Option<Role> {
        let connection = self.all.get(&connection)?;
        Some(connection.player.map_or(Role::Spectator, Role::Player))
    }

    pub(crate) fn set_lag(&mut self, connection: u64, lag: u32) {
        if let Some(connection) = self.all.get_mut(&connection) {
            connection.lag = Some(lag.min(60_000));
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

    /// Closes a connection and returns its player.
    pub(crate) fn close_one(&mut self, connection: u64, close: CloseReason) -> Option<PlayerId> {
        let connection = self.all.remove(&connection)?;
        let _ = connection.client.close.send(close);
        connection.player
    }

    /// Closes all connections of a player.
    pub(crate) fn close_player(&mut self, player: PlayerId, close: CloseReason) {
        let of_player = self.all.iter();
        let of_player = of_player.filter(|(_, connection)| connection.player == Some(player));
        let numbers: Vec<u64> = of_player.map(|(&number, _)| number).collect();
        for number in numbers {
            self.close_one(number, close);
        }
    }

    /// Closes all connections.
    pub(crate) fn close_all(&mut self, close: CloseReason) {
        for (_, connection) in std::mem::take(&mut self.all) {
            let _ = connection.client.close.send(close);
        }
    }

    /// Sends a message to one connection; `false` if that is not possible.
    pub(crate) fn send(&mut self, connection: u64, text: Utf8Bytes) -> bool {
        let Some(connection) = self.all.get(&connection) else {
            return false;
        };
        connection.client.messages.try_send(text).is_ok()
    }

    /// Sends an event, to each client what it may see. Clients that do not keep up are disconnected;
    /// returns the players among them.
    pub(crate) fn send_event(&mut self, entry: &LogEntry, audience: Audience) -> Vec<PlayerId> {
        let public = outgoing::event(entry, None);
        let own = entry
            .owner()
            .map(|player| (player, outgoing::event(entry, Some(player))));
        self.send_all(audience, |player| match &own {
            Some((owner, text)) if player == Some(*owner) => text.clone(),
            _ => public.clone(),
        })
    }

    /// Sends who is connected, with the lags.
    pub(crate) fn send_presence(&mut self) -> Vec<PlayerId> {
        let mut lags: HashMap<PlayerId, Option<u32>> = HashMap::new();
        for connection in self.all.values() {
            if let Some(player) = connection.player {
                let lag = lags.entry(player).or_default();
                *lag = connection.lag.or(*lag);
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
        for (&number, connection) in &self.all {
            let meant = audience.has(connection.player);
            if meant
                && connection
                    .client
                    .messages
                    .try_send(text(connection.player))
                    .is_err()
            {
                behind.push(number);
            }
        }
        self.slow += behind.len() as u64;
        let players = behind.into_iter();
        players
            .filter_map(|number| self.close_one(number, CloseReason::SLOW))
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use tokio::sync::{mpsc, oneshot};

    use super::*;

    fn channel(
        capacity: usize,
    ) -> (
        ClientSender,
        mpsc::Receiver<Utf8Bytes>,
        oneshot::Receiver<CloseReason>,
    ) {
        let (messages, received) = mpsc::channel(capacity);
        let (close, closed) = oneshot::channel();
        (ClientSender { messages, close }, received, closed)
    }

    #[test]
    fn only_clients_that_do_not_keep_up_are_disconnected() {
        let mut connections = Connections::default();
        let (slow, _unread, mut closed) = channel(2);
        let (quick, mut read, mut stays) = channel(2);
        connections.add(Some(PlayerId(1)), slow);
        connections.add(Some(PlayerId(2)), quick);
        for _ in 0..2 {
            assert_eq!(connections.send_presence(), []);
            assert!(read.try_recv().is_ok());
        }
        assert_eq!(connections.send_presence(), [PlayerId(1)]);
        assert!(read.try_recv().is_ok());
        assert_eq!(closed.try_recv(), Ok(CloseReason::SLOW));
        assert!(stays.try_recv().is_err());
        assert!(!connections.has(PlayerId(1)) && connections.has(PlayerId(2)));
        assert_eq!(connections.slow, 1);
    }
}
