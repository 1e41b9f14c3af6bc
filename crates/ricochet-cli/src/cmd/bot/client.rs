//! A client of a room over HTTP; `docs/api/rooms.md` describes the protocol.

use std::io::{BufRead, BufReader, Read};
use std::sync::mpsc::{Receiver, sync_channel};
use std::thread;
use std::time::Duration;

use anyhow::{Context, bail};
use serde_json::{Value, json};
use ureq::Agent;

/// The longest line that is read, in bytes; a room with all its seats and names is far smaller.
const LINE: u64 = 1 << 20;

/// The invitation link of a room.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct RoomLink {
    /// The server, such as `http://127.0.0.1:8017`.
    server: String,
    room: String,
}

impl RoomLink {
    /// Reads `http://HOST/#room=NAME`.
    pub(crate) fn read(text: &str) -> anyhow::Result<Self> {
        let expected = "expected the link of a room, such as http://127.0.0.1:8017/#room=NAME";
        let (server, fragment) = text.split_once('#').context(expected)?;
        let room = fragment
            .split('&')
            .find_map(|part| part.strip_prefix("room="));
        let room = room.filter(|it| it.bytes().all(|it| it.is_ascii_alphanumeric()));
        let room = room.filter(|it| !it.is_empty()).context(expected)?;
        if server.starts_with("https://") {
            bail!("this program speaks plain HTTP only: use the server's own address");
        }
        if !server.starts_with("http://") {
            bail!(expected);
        }
        Ok(Self {
            server: server.trim_end_matches('/').to_owned(),
            room: room.to_owned(),
        })
    }

    fn url(&self, rest: &str) -> String {
        format!("{}/api/v1/rooms/{}/{rest}", self.server, self.room)
    }
}

/// A connection to a room, with a seat in it.
pub(crate) struct RoomClient {
    link: RoomLink,
    agent: Agent,
    token: String,
    pub(crate) player: u64,
}

impl RoomClient {
    /// Takes a seat as a bot.
    pub(crate) fn join(
        link: RoomLink,
        name: &str,
        level: u8,
        team: Option<u8>,
    ) -> anyhow::Result<Self> {
        let agent: Agent = Agent::config_builder()
            .http_status_as_error(false)
            .timeout_connect(Some(Duration::from_secs(10)))
            .build()
            .into();
        let body = json!({ "name": name, "team": team, "bot": true, "level": level });
        let mut response = agent.post(link.url("seats")).send_json(&body)?;
        let status = response.status();
        let told: Value = response.body_mut().read_json().unwrap_or_default();
        if !status.is_success() {
            bail!("no seat: {}", reason(&told, status.as_u16()));
        }
        let token = told["token"].as_str().context("there is no token")?;
        Ok(Self {
            token: token.to_owned(),
            player: told["player"].as_u64().context("there is no player")?,
            link,
            agent,
        })
    }

    /// A client without a room, for tests.
    #[cfg(test)]
    pub(super) fn nowhere() -> Self {
        Self {
            link: RoomLink {
                server: "http://127.0.0.1:9".to_owned(),
                room: "none".to_owned(),
            },
            agent: Agent::new_with_defaults(),
            token: String::new(),
            player: 1,
        }
    }

    fn bearer(&self) -> String {
        format!("Bearer {}", self.token)
    }

    /// Sends an action. Returns the reason if the room refuses it.
    pub(crate) fn send(&self, what: &str, body: &Value) -> anyhow::Result<Option<String>> {
        let mut response = self
            .agent
            .post(self.link.url(&format!("do/{what}")))
            .header("authorization", self.bearer())
            .config()
            .timeout_global(Some(Duration::from_secs(10)))
            .build()
            .send_json(body)?;
        let status = response.status();
        if status.is_success() {
            return Ok(None);
        }
        let told: Value = response.body_mut().read_json().unwrap_or_default();
        Ok(Some(reason(&told, status.as_u16())))
    }

    /// Opens the stream of messages, which ends with the connection.
    pub(crate) fn messages(&self) -> anyhow::Result<Receiver<Value>> {
        let mut response = self
            .agent
            .get(self.link.url("stream"))
            .header("authorization", self.bearer())
            .call()?;
        let status = response.status().as_u16();
        if status != 200 {
            let told: Value = response.body_mut().read_json().unwrap_or_default();
            bail!("no stream: {}", reason(&told, status));
        }
        let (sender, receiver) = sync_channel(64);
        let mut lines = BufReader::new(response.into_body().into_reader());
        thread::spawn(move || {
            loop {
                let mut line = String::new();
                match lines.by_ref().take(LINE).read_line(&mut line) {
                    Ok(0) | Err(_) => return,
                    Ok(_) => {}
                }
                // Blank lines keep the connection open.
                let Ok(message) = serde_json::from_str(&line) else {
                    continue;
                };
                if sender.send(message).is_err() {
                    return;
                }
            }
        });
        Ok(receiver)
    }
}

/// The server's reason for a refusal.
fn reason(told: &Value, status: u16) -> String {
    let message = told["message"]
        .as_str()
        .or_else(|| told["error"]["message"].as_str());
    message.map_or_else(|| format!("status {status}"), ToOwned::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_are_read() {
        let link = RoomLink::read("http://127.0.0.1:8017/#room=abc2").unwrap();
        assert_eq!(
            link.url("stream"),
            "http://127.0.0.1:8017/api/v1/rooms/abc2/stream"
        );
        for wrong in [
            "",
            "http://127.0.0.1:8017/",
            "http://h/#room=",
            "http://h/#room=../x",
            "https://h/#room=abc",
            "ftp://h/#room=abc",
        ] {
            assert!(RoomLink::read(wrong).is_err(), "{wrong}");
        }
    }
}
