//! What is sent to the task of a room.

use std::sync::{Arc, Mutex, PoisonError};

use axum::extract::ws::Utf8Bytes;
use ricochet_rooms::PlayerId;
use tokio::sync::{mpsc, oneshot};

use crate::rooms::names::TokenHash;
use crate::rooms::protocol::incoming::Wish;
use crate::rooms::protocol::outgoing::{Close, No};
use crate::rooms::task::summary::Status;

/// Letters that may wait for a room; whoever writes more waits.
pub(crate) const QUEUE: usize = 128;

/// Something that a room is told.
pub(crate) enum Letter {
    /// Somebody wants a seat.
    Join {
        wanted: Wanted,
        answer: oneshot::Sender<Result<Seated, No>>,
    },
    /// Somebody wants to listen.
    Connect {
        token: Option<TokenHash>,
        since: Option<u64>,
        line: Line,
        answer: oneshot::Sender<Result<Connected, Close>>,
    },
    /// A listener is gone.
    Gone { connection: u64 },
    /// A listener wants something.
    Wish {
        connection: u64,
        id: Option<u64>,
        wish: Wish,
    },
    /// A listener says how long its messages take.
    Lag { connection: u64, ms: u32 },
    /// A player wants something and has no line.
    Call {
        token: TokenHash,
        wish: Wish,
        answer: oneshot::Sender<Called>,
    },
}

/// What became of a call: `None` if the token is not known.
pub(crate) type Called = Option<Result<u64, No>>;

/// The seat that somebody wants.
#[derive(Clone, Debug)]
pub(crate) struct Wanted {
    pub(crate) name: String,
    pub(crate) bot: bool,
    pub(crate) team: Option<u8>,
}

/// A seat that was given.
#[derive(Debug)]
pub(crate) struct Seated {
    pub(crate) player: PlayerId,
    pub(crate) token: String,
}

/// A connection that was made.
#[derive(Debug)]
pub(crate) struct Connected {
    pub(crate) connection: u64,
    pub(crate) player: Option<PlayerId>,
}

/// The way to a listener.
#[derive(Debug)]
pub(crate) struct Line {
    /// Messages. Who lets them pile up is sent away.
    pub(crate) out: mpsc::Sender<Utf8Bytes>,
    /// Ends the connection.
    pub(crate) kick: oneshot::Sender<Close>,
}

/// The way to a room that is awake.
#[derive(Clone)]
pub(crate) struct Handle {
    pub(crate) sender: mpsc::Sender<Letter>,
    pub(crate) status: Arc<Mutex<Status>>,
}

impl Handle {
    pub(crate) fn status(&self) -> Status {
        let status = self.status.lock().unwrap_or_else(PoisonError::into_inner);
        status.clone()
    }
}
