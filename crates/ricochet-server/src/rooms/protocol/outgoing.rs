//! Messages to clients, and the reasons for closing a connection.

use std::collections::BTreeMap;

use axum::extract::ws::Utf8Bytes;
use ricochet_rooms::{LogEntry, PlayerId, Refusal, RoomView, Time};
use serde::Serialize;

use crate::rooms::protocol::incoming::PROTOCOL_VERSION;

/// How often clients should ping, in milliseconds.
const PING_MS: u64 = 5_000;

/// Why a connection is closed, with the close code of `WebSockets`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct CloseReason {
    pub(crate) code: u16,
    pub(crate) reason: &'static str,
}

impl CloseReason {
    const fn new(code: u16, reason: &'static str) -> Self {
        Self { code, reason }
    }

    pub(crate) const DONE: Self = Self::new(1000, "closed");
    pub(crate) const ENDING: Self = Self::new(1001, "the server is shutting down");
    pub(crate) const RENEWED: Self = Self::new(1001, "the room begins a new log");
    pub(crate) const SILENT: Self = Self::new(1001, "nothing was heard for too long");
    pub(crate) const PROTOCOL: Self = Self::new(1002, "not the WebSocket protocol");
    pub(crate) const NOT_UTF8: Self = Self::new(1007, "a text that is not UTF-8");
    pub(crate) const FLOOD: Self = Self::new(1008, "too many messages");
    pub(crate) const UNREADABLE: Self = Self::new(1008, "too many messages that cannot be read");
    pub(crate) const TOO_LARGE: Self = Self::new(1009, "a message that is too large");
    pub(crate) const SERVER_ERROR: Self = Self::new(1011, "a mistake of the server's");
    pub(crate) const DISK_FULL: Self = Self::new(1011, "the server's disk is full");
    pub(crate) const FULL: Self = Self::new(1013, "no place is left: try again later");
    pub(crate) const NO_SEAT: Self = Self::new(4000, "the seat is gone");
    pub(crate) const BAD_TOKEN: Self = Self::new(4001, "the token is not one of this room");
    pub(crate) const NO_HELLO: Self = Self::new(4002, "expected hello, version 1");
    pub(crate) const NO_ROOM: Self = Self::new(4004, "there is no such room");
    pub(crate) const SLOW: Self = Self::new(4008, "too slow: come back with since");
    pub(crate) const TOO_MANY: Self = Self::new(4009, "too many connections of one player");
    pub(crate) const WORN_OUT: Self = Self::new(4010, "the room is closed");
}

/// Why an action was not carried out: the room refused it, or the server did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Rejection {
    Room(Refusal),
    TooFast,
    Spectator,
    Unreadable(String),
    WornOut,
}

/// A rejection as it is sent.
#[derive(Serialize)]
struct RejectionBody<'a> {
    #[serde(flatten)]
    room: Option<&'a Refusal>,
    #[serde(skip_serializing_if = "Option::is_none")]
    refusal: Option<&'static str>,
    message: String,
}

impl Rejection {
    fn body(&self) -> RejectionBody<'_> {
        let (refusal, message) = match self {
            Self::Room(refusal) => {
                return RejectionBody {
                    room: Some(refusal),
                    refusal: None,
                    message: refusal.to_string(),
                };
            }
            Self::TooFast => ("too-fast", "that was too fast: wait a little".to_owned()),
            Self::Spectator => ("spectator", "spectators only watch".to_owned()),
            Self::Unreadable(why) => ("unreadable", why.clone()),
            Self::WornOut => (
                "worn-out",
                "this room has seen too much: open a new one".to_owned(),
            ),
        };
        RejectionBody {
            room: None,
            refusal: Some(refusal),
            message,
        }
    }

    /// The body of a response.
    pub(crate) fn json(&self) -> String {
        text(&self.body())
    }
}

/// A message to a client.
#[derive(Serialize)]
#[serde(tag = "type", rename_all = "kebab-case")]
enum OutgoingMessage<'a> {
    Welcome {
        protocol: u32,
        room: &'a str,
        you: Option<PlayerId>,
        now: Time,
        version: u64,
        snapshot: Option<&'a RoomView>,
        delay_ms: u64,
        ping_ms: u64,
    },
    Event(&'a LogEntry),
    Reply {
        id: u64,
        ok: bool,
        #[serde(skip_serializing_if = "Option::is_none")]
        version: Option<u64>,
        #[serde(flatten)]
        rejection: Option<RejectionBody<'a>>,
    },
    Pong {
        t: Option<f64>,
        now: Time,
    },
    Presence {
        lags: &'a BTreeMap<u32, Option<u32>>,
        spectators: usize,
    },
    Error {
        message: &'a str,
    },
    Closed {
        code: u16,
        message: &'a str,
    },
}

fn text(message: &impl Serialize) -> String {
    // Only maps with other keys than strings and failing types cannot be written; there are none.
    serde_json::to_string(message).unwrap_or_default()
}

/// The first message to a client.
pub(crate) struct Welcome<'a> {
    pub(crate) room: &'a str,
    pub(crate) you: Option<PlayerId>,
    pub(crate) now: Time,
    pub(crate) version: u64,
    pub(crate) snapshot: Option<&'a RoomView>,
    pub(crate) delay_ms: u64,
}

impl Welcome<'_> {
    pub(crate) fn text(&self) -> Utf8Bytes {
        text(&OutgoingMessage::Welcome {
            protocol: PROTOCOL_VERSION,
            room: self.room,
            you: self.you,
            now: self.now,
            version: self.version,
            snapshot: self.snapshot,
            delay_ms: self.delay_ms,
            ping_ms: PING_MS,
        })
        .into()
    }
}

/// An event without what the viewer may not see.
pub(crate) fn event(entry: &LogEntry, viewer: Option<PlayerId>) -> Utf8Bytes {
    text(&OutgoingMessage::Event(&entry.seen_by(viewer))).into()
}

pub(crate) fn reply(id: u64, result: &Result<u64, Rejection>) -> Utf8Bytes {
    let message = match result {
        Ok(version) => OutgoingMessage::Reply {
            id,
            ok: true,
            version: Some(*version),
            rejection: None,
        },
        Err(rejection) => OutgoingMessage::Reply {
            id,
            ok: false,
            version: None,
            rejection: Some(rejection.body()),
        },
    };
    text(&message).into()
}

pub(crate) fn pong(t: Option<f64>, now: Time) -> Utf8Bytes {
    text(&OutgoingMessage::Pong { t, now }).into()
}

pub(crate) fn presence(lags: &BTreeMap<u32, Option<u32>>, spectators: usize) -> Utf8Bytes {
    text(&OutgoingMessage::Presence { lags, spectators }).into()
}

pub(crate) fn error(message: &str) -> Utf8Bytes {
    text(&OutgoingMessage::Error { message }).into()
}

/// The last line of a stream, which has no close codes.
pub(crate) fn closed(close: CloseReason) -> Utf8Bytes {
    text(&OutgoingMessage::Closed {
        code: close.code,
        message: close.reason,
    })
    .into()
}

#[cfg(test)]
mod tests {
    use ricochet_rooms::{Options, Room};

    use super::*;

    #[test]
    fn the_texts_of_the_protocol() {
        let (_, opened) = Room::open(Options::default(), 77_777, Time(5)).unwrap();
        let seen = event(&opened, None);
        let start =
            r#"{"type":"event","number":1,"at":5,"event":"opened","options":{"edition":1999"#;
        assert!(seen.starts_with(start), "{seen}");
        assert!(seen.ends_with(r#""seed":null}"#), "{seen}");
        assert_eq!(
            reply(7, &Ok(42)).as_str(),
            r#"{"type":"reply","id":7,"ok":true,"version":42}"#
        );
        let rejection = Rejection::Room(Refusal::NotLower { yours: 7 });
        assert_eq!(
            reply(8, &Err(rejection.clone())).as_str(),
            r#"{"type":"reply","id":8,"ok":false,"refusal":"not-lower","yours":7,"message":"your bid is 7; a new one has to be lower"}"#
        );
        assert_eq!(
            rejection.json(),
            r#"{"refusal":"not-lower","yours":7,"message":"your bid is 7; a new one has to be lower"}"#
        );
        assert_eq!(
            Rejection::TooFast.json(),
            r#"{"refusal":"too-fast","message":"that was too fast: wait a little"}"#
        );
        assert_eq!(
            pong(Some(1.5), Time(9)).as_str(),
            r#"{"type":"pong","t":1.5,"now":9}"#
        );
        let lags = BTreeMap::from([(1, Some(35)), (2, None)]);
        assert_eq!(
            presence(&lags, 3).as_str(),
            r#"{"type":"presence","lags":{"1":35,"2":null},"spectators":3}"#
        );
    }
}
