//! A room as the lobby shows it.

use std::borrow::Cow;
use std::sync::Arc;

use ricochet_rooms::{Options, Player, Room, Time};
use serde::{Deserialize, Serialize};

/// A room as the lobby shows it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct RoomSummary {
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
    /// Whether it is the public room of its server, which is always open.
    #[serde(default)]
    pub(crate) standing: bool,
}

impl RoomSummary {
    pub(crate) fn new(
        name: &Arc<str>,
        room: &Room,
        options: &Arc<Options>,
        opened: Time,
        spectators: usize,
        standing: bool,
    ) -> Self {
        let view = room.view(None);
        let count = |condition: fn(&Player) -> bool| {
            let players = view.players.iter();
            players.filter(|player| condition(player)).count()
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
            standing,
        }
    }

    /// Whether the lobby lists it.
    pub(crate) fn is_public(&self) -> bool {
        !self.options.private && (self.connected > 0 || self.standing)
    }

    /// How busy it is: whether a game is on, then the number of players, then of spectators.
    pub(crate) fn activity(&self) -> (bool, usize, usize) {
        let playing = !matches!(&*self.phase, "lobby" | "over");
        (playing, self.connected, self.spectators)
    }
}
