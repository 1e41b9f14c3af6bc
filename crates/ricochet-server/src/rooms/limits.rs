//! How much there may be.

use std::time::Duration;

/// What the rooms of a server may take.
///
/// ```
/// let limits = ricochet_server::RoomLimits::default();
/// assert!(limits.awake <= limits.stored);
/// ```
#[derive(Clone, Debug)]
pub struct RoomLimits {
    /// Rooms in memory at once.
    pub awake: usize,
    /// Rooms in the database.
    pub stored: usize,
    /// Connections to rooms at once: `WebSockets` and streams.
    pub sockets: usize,
    /// Connections to rooms of one address at once; those of this machine are not counted.
    pub sockets_of_one: usize,
    /// Spectators of one room at once.
    pub spectators: usize,
    /// Events of one room: after that it is closed.
    pub events: u64,
    /// Events of one room that are kept in memory for those who come back.
    pub recent: usize,
    /// Messages that may wait for one reader.
    pub unread: usize,
    /// How long a room without anybody stays in memory.
    pub idle: Duration,
    /// How long a room is kept after anybody did anything in it.
    pub kept: Duration,
    /// How long a player may be without a connection before the others see it.
    pub grace: Duration,
    /// How long a connection may be silent.
    pub silence: Duration,
}

impl Default for RoomLimits {
    fn default() -> Self {
        Self {
            awake: 1_000,
            stored: 10_000,
            sockets: 4_096,
            sockets_of_one: 64,
            spectators: 200,
            events: 20_000,
            recent: 128,
            unread: 512,
            idle: Duration::from_mins(10),
            kept: Duration::from_hours(30 * 24),
            grace: Duration::from_secs(5),
            silence: Duration::from_secs(30),
        }
    }
}
