//! Messages from clients. `docs/api/rooms.md` describes them.

use ricochet_rooms::{Command, Options, PlayerId};
use ricochet_service::json::{MoveList, make_whole};
use serde::Deserialize;

/// The version of the protocol.
pub(crate) const PROTOCOL_VERSION: u32 = 1;

/// The largest message, in bytes.
pub(crate) const MAX_MESSAGE_BYTES: usize = 4096;

/// The first message.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Hello {
    /// The version of the protocol.
    #[serde(rename = "hello")]
    pub(crate) version: u32,
    /// The token of a player; none for a spectator.
    #[serde(default)]
    pub(crate) token: Option<String>,
    /// The last event that the client has seen.
    #[serde(default)]
    pub(crate) since: Option<u64>,
}

/// Every other message.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub(crate) struct IncomingMessage {
    /// Repeated in the reply; without one there is no reply.
    #[serde(default)]
    pub(crate) id: Option<u64>,
    /// What the client wants to do.
    #[serde(flatten)]
    pub(crate) action: Action,
}

/// What a client wants to do.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(tag = "do", rename_all = "kebab-case", deny_unknown_fields)]
pub(crate) enum Action {
    Bid {
        moves: u32,
    },
    Submit {
        moves: MoveList,
    },
    Show {
        moves: MoveList,
    },
    GiveUp {},
    Skip {
        yes: bool,
    },
    Say {
        text: String,
    },
    Phrase {
        phrase: u8,
    },
    Report {
        player: u32,
    },
    Options {
        options: Box<Options>,
    },
    Start {},
    Next {
        yes: bool,
    },
    Remove {
        player: u32,
    },
    Mute {
        player: u32,
        yes: bool,
    },
    HandOver {
        player: u32,
    },
    Leave {},
    Ping {
        /// The client's own time, echoed in the reply.
        #[serde(default)]
        t: Option<f64>,
        /// The round-trip time of the previous ping, in milliseconds.
        #[serde(default)]
        lag: Option<u32>,
    },
}

impl Hello {
    /// Reads the first message.
    pub(crate) fn read(text: &str) -> Result<Self, String> {
        serde_json::from_str(text).map_err(|wrong| format!("expected hello: {wrong}"))
    }
}

impl IncomingMessage {
    /// Reads a message.
    pub(crate) fn read(text: &str) -> Result<Self, String> {
        if text.len() > MAX_MESSAGE_BYTES {
            return Err(format!("a message has at most {MAX_MESSAGE_BYTES} bytes"));
        }
        serde_json::from_str(text).map_err(|wrong| format!("not a message: {wrong}"))
    }
}

impl Action {
    /// Reads the fields of an action whose name is given separately, as in the path of a call.
    pub(crate) fn from_fields(what: &str, fields: &[u8]) -> Result<Self, String> {
        let fields: &[u8] = if fields.is_empty() { b"{}" } else { fields };
        let mut fields: serde_json::Map<String, serde_json::Value> =
            serde_json::from_slice(fields).map_err(|wrong| wrong.to_string())?;
        fields.insert("do".to_owned(), what.into());
        let mut fields = serde_json::Value::Object(fields);
        make_whole(&mut fields);
        serde_json::from_value(fields).map_err(|wrong| wrong.to_string())
    }

    /// The commands that carry out the action of a player; none for a ping and for a report, which
    /// the room does not see.
    pub(crate) fn commands(self, player: PlayerId) -> Vec<Command> {
        let command = match self {
            Self::Bid { moves } => Command::Bid { player, moves },
            Self::Submit { moves } => Command::Submit {
                player,
                moves: moves.0,
            },
            Self::Show { moves } => {
                let moves = moves.0.into_iter().take(ricochet_rooms::MAX_MOVES as usize);
                return moves.map(|play| Command::Show { player, play }).collect();
            }
            Self::GiveUp {} => Command::GiveUp { player },
            Self::Skip { yes } => Command::Skip { player, yes },
            Self::Say { text } => Command::Say { player, text },
            Self::Phrase { phrase } => Command::Phrase { player, phrase },
            Self::Options { options } => Command::ChangeOptions { player, options },
            Self::Start {} => Command::Start { player },
            Self::Next { yes } => Command::Next { player, yes },
            Self::Remove { player: other } => Command::Remove {
                player,
                other: PlayerId(other),
            },
            Self::Mute { player: other, yes } => Command::Mute {
                player,
                other: PlayerId(other),
                yes,
            },
            Self::HandOver { player: other } => Command::HandOver {
                player,
                other: PlayerId(other),
            },
            Self::Leave {} => Command::Leave { player },
            Self::Report { .. } | Self::Ping { .. } => return Vec::new(),
        };
        vec![command]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> IncomingMessage {
        IncomingMessage::read(text).unwrap()
    }

    #[test]
    fn messages_are_read() {
        assert_eq!(
            read(r#"{"do":"bid","moves":7,"id":3}"#),
            IncomingMessage {
                id: Some(3),
                action: Action::Bid { moves: 7 }
            }
        );
        let show = read(r#"{"do":"show","moves":"RN GE"}"#);
        assert_eq!(show, read(r#"{"moves":["RN","GE"],"do":"show"}"#));
        assert_eq!(show.action.commands(PlayerId(1)).len(), 2);
        assert_eq!(read(r#"{"do":"give-up"}"#).action, Action::GiveUp {});
        let ping = read(r#"{"do":"ping","t":12.5,"lag":3}"#).action;
        assert!(matches!(ping, Action::Ping { t: Some(t), lag: Some(3) } if t > 12.0));
        let hello = Hello::read(r#"{"hello":1,"token":null,"since":4}"#).unwrap();
        assert_eq!((hello.token, hello.since), (None, Some(4)));
        let action = Action::from_fields("bid", br#"{"moves":7}"#);
        assert_eq!(action, Ok(Action::Bid { moves: 7 }));
        assert_eq!(Action::from_fields("bid", br#"{"moves":7.0}"#), action);
        assert_eq!(Action::from_fields("start", b""), Ok(Action::Start {}));
        assert_eq!(
            read(r#"{"do":"next","yes":true}"#).action,
            Action::Next { yes: true }
        );
        assert_eq!(
            read(r#"{"do":"phrase","phrase":3}"#).action,
            Action::Phrase { phrase: 3 }
        );
        assert_eq!(
            read(r#"{"do":"report","player":2}"#).action,
            Action::Report { player: 2 }
        );
        // Missing options have their default values.
        let options = read(r#"{"do":"options","options":{"robots":5}}"#).action;
        let Action::Options { options } = options else {
            panic!("{options:?}");
        };
        let defaults = Options::default();
        assert_eq!((options.robots, options.sand_ms), (5, defaults.sand_ms));
    }

    #[test]
    fn anything_else_is_an_error() {
        for text in [
            "",
            "[]",
            "{}",
            r#"{"do":"bid"}"#,
            r#"{"do":"bid","moves":-1}"#,
            r#"{"do":"bid","moves":1e9999}"#,
            r#"{"do":"bid","moves":7,"player":2}"#,
            r#"{"do":"start","player":2}"#,
            r#"{"do":"dance"}"#,
            r#"{"do":"next"}"#,
            r#"{"do":"phrase","phrase":256}"#,
            r#"{"do":"report"}"#,
            r#"{"do":"options"}"#,
            r#"{"do":"options","options":{"colour":"red"}}"#,
            r#"{"do":"show","moves":"XX"}"#,
            r#"{"do":"bid","moves":7,"id":"x"}"#,
        ] {
            assert!(IncomingMessage::read(text).is_err(), "{text}");
        }
        let long = format!(
            r#"{{"do":"say","text":"{}"}}"#,
            "x".repeat(MAX_MESSAGE_BYTES)
        );
        assert!(IncomingMessage::read(&long).is_err());
        assert!(Action::from_fields("bid", br#"{"moves":7,"player":2}"#).is_err());
        assert!(Action::from_fields("dance", b"{}").is_err());
        assert!(Hello::read(r#"{"hello":1,"name":"x"}"#).is_err());
    }
}
