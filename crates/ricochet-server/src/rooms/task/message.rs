//! Messages to the task of a room, and the channel to a client.

use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use axum::extract::ws::Utf8Bytes;
use ricochet_rooms::PlayerId;
use tokio::sync::{mpsc, oneshot};

use crate::config::RoomLimits;
use crate::rooms::names::TokenHash;
use crate::rooms::protocol::incoming::Action;
use crate::rooms::protocol::outgoing::{CloseReason, Rejection};
use crate::rooms::task::RoomClock;
use crate::rooms::task::summary::RoomSummary;

/// How many messages may wait for a room; senders wait when there are more.
pub(crate) const QUEUE: usize = 128;

/// A message to the task of a room.
pub(crate) enum RoomMessage {
    /// A request for a seat.
    Join {
        request: SeatRequest,
        reply: oneshot::Sender<Result<Seat, Rejection>>,
    },
    /// A new connection.
    Connect {
        token: Option<TokenHash>,
        since: Option<u64>,
        client: ClientSender,
        reply: oneshot::Sender<Result<Admission, CloseReason>>,
    },
    /// A connection is gone.
    Disconnect { connection: u64 },
    /// An action of a connected client.
    Act {
        connection: u64,
        id: Option<u64>,
        action: Action,
    },
    /// The round-trip time that a client has measured.
    Lag { connection: u64, ms: u32 },
    /// An operator has closed the room.
    Close,
    /// An action over HTTP, without a connection.
    Call {
        token: TokenHash,
        action: Action,
        reply: oneshot::Sender<CallResult>,
    },
}

/// The version of the room after a call; `None` if the token is unknown.
pub(crate) type CallResult = Option<Result<u64, Rejection>>;

/// A request for a seat.
#[derive(Clone, Debug)]
pub(crate) struct SeatRequest {
    pub(crate) name: String,
    pub(crate) bot: bool,
    pub(crate) level: Option<u8>,
    pub(crate) team: Option<u8>,
}

/// A seat that was given to a player.
#[derive(Debug)]
pub(crate) struct Seat {
    pub(crate) player: PlayerId,
    pub(crate) token: String,
}

/// An accepted connection: its number in the room, and the player, if it is not a spectator.
#[derive(Debug)]
pub(crate) struct Admission {
    pub(crate) connection: u64,
    pub(crate) player: Option<PlayerId>,
}

/// The room's end of the channel to a client.
#[derive(Debug)]
pub(crate) struct ClientSender {
    /// Messages. A client that lets them pile up is disconnected.
    pub(crate) messages: mpsc::Sender<Utf8Bytes>,
    /// Closes the connection.
    pub(crate) close: oneshot::Sender<CloseReason>,
}

/// The connection's end of the channel to a client.
pub(crate) struct ClientReceiver {
    pub(crate) messages: mpsc::Receiver<Utf8Bytes>,
    pub(crate) close: oneshot::Receiver<CloseReason>,
}

/// A channel from a room to a client.
pub(crate) fn client_channel(limits: &RoomLimits) -> (ClientSender, ClientReceiver) {
    // A returning client gets all recent events at once.
    let capacity = limits.unread.max(limits.recent + 16);
    let (messages, received) = mpsc::channel(capacity);
    let (close, closed) = oneshot::channel();
    let sender = ClientSender { messages, close };
    let receiver = ClientReceiver {
        messages: received,
        close: closed,
    };
    (sender, receiver)
}

/// Access to a room that is awake.
#[derive(Clone)]
pub(crate) struct RoomHandle {
    pub(crate) sender: mpsc::Sender<RoomMessage>,
    pub(crate) summary: Arc<Mutex<RoomSummary>>,
    pub(crate) clock: RoomClock,
    /// Why the task ended, if it could not write to the log.
    pub(crate) failure: Arc<OnceLock<CloseReason>>,
}

impl RoomHandle {
    pub(crate) fn summary(&self) -> RoomSummary {
        let summary = self.summary.lock().unwrap_or_else(PoisonError::into_inner);
        summary.clone()
    }
}
