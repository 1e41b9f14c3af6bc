//! A room as the lobby shows it.

use std::borrow::Cow;
use std::sync::Arc;

use ricochet_rooms::{Options, Player, Room, Time};
use serde::{Deserialize, Serialize};

/// A room as the lobby shows it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Status {
    pub(crate) room: Arc<str>,
    pub(crate) host: Option<String>,
    pub(crate) phase: Cow<'static, str>,
    pub(crate) players: usize,
    pub(crate) bots: usize,
    pub(crate) connected: usize,
    pub(crate) seats: u8,
    pub(crate) spectators: usize,
    pub(crate) game: Option<u32>,
    pub(crate) round: Option<u32>,
    pub(crate) opened: Time,
    pub(crate) options: Arc<Options>,
}

impl Status {
    /// Of a room with so many spectators.
    pub(crate) fn of(
        name: &Arc<str>,
        room: &Room,
        options: &Arc<Options>,
        opened: Time,
        spectators: usize,
    ) -> Self {
        let view = room.view(None);
        let count = |wanted: fn(&Player) -> bool| {
            let players = view.players.iter();
            players.filter(|player| wanted(player)).count()
        };
        let host = view.players.iter().find(|it| Some(it.id) == view.host);
        Self {
            room: Arc::clone(name),
            host: host.map(|host| host.name.clone()),
            phase: view.phase.into(),
            players: view.players.len(),
            bots: count(|player| player.bot),
            connected: count(|player| player.connected),
            seats: options.seats,
            spectators,
            game: view.game.as_ref().map(|game| game.number),
            round: view.game.as_ref().map(|game| game.rounds),
            opened,
            options: Arc::clone(options),
        }
    }

    /// Whether strangers may know of it.
    pub(crate) fn is_public(&self) -> bool {
        !self.options.private && self.connected > 0
    }

    /// How busy it is: games that are played, then people, then spectators.
    pub(crate) fn bustle(&self) -> (bool, usize, usize) {
        let plays = !matches!(&*self.phase, "lobby" | "over");
        (plays, self.connected, self.spectators)
    }
}
