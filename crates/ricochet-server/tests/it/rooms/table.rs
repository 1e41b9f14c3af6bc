//! A server with rooms, and players who talk to it over sockets.

use std::collections::VecDeque;
use std::net::SocketAddr;
use std::time::Duration;

use futures_util::{SinkExt, StreamExt};
use ricochet_server::{Config, RoomLimits, Server};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;

/// Long enough for any machine.
const PATIENCE: Duration = Duration::from_secs(60);

/// A server.
pub(crate) struct TestServer {
    pub(crate) address: SocketAddr,
    end: oneshot::Sender<()>,
    running: JoinHandle<()>,
}

pub(crate) fn config(rooms: RoomLimits) -> Config {
    Config {
        port: Some(0),
        rooms,
        ..Config::default()
    }
}

/// Rounds as short as the rules allow.
pub(crate) fn quick() -> Value {
    json!({ "sand_ms": 5000, "show_ms": 5000, "pause_ms": 0 })
}

impl TestServer {
    pub(crate) async fn new() -> Self {
        Self::open(config(RoomLimits::default())).await
    }

    pub(crate) async fn open(config: Config) -> Self {
        let server = Server::bind(config).await.unwrap();
        let address = server.address();
        let (end, ended) = oneshot::channel();
        let running = tokio::spawn(server.run(async {
            let _ = ended.await;
        }));
        Self {
            address,
            end,
            running,
        }
    }

    pub(crate) async fn close(self) {
        let _ = self.end.send(());
        self.running.await.unwrap();
    }

    pub(crate) async fn get(&self, path: &str) -> (u16, String) {
        self.http("GET", path, None, None).await
    }

    pub(crate) async fn post(&self, path: &str, token: Option<&str>, body: &Value) -> (u16, Value) {
        let (status, text) = self.http("POST", path, token, Some(body)).await;
        (status, serde_json::from_str(&text).unwrap_or(Value::Null))
    }

    async fn http(
        &self,
        method: &str,
        path: &str,
        token: Option<&str>,
        body: Option<&Value>,
    ) -> (u16, String) {
        let mut stream = TcpStream::connect(self.address).await.unwrap();
        let body = body.map(ToString::to_string).unwrap_or_default();
        let text = format!(
            "{method} {path} HTTP/1.1\r\nhost: {}\r\nconnection: close\r\n\
             authorization: Bearer {}\r\ncontent-type: application/json\r\n\
             content-length: {}\r\n\r\n{body}",
            self.address,
            token.unwrap_or_default(),
            body.len()
        );
        stream.write_all(text.as_bytes()).await.unwrap();
        let mut answer = Vec::new();
        let reading = stream.read_to_end(&mut answer);
        tokio::time::timeout(PATIENCE, reading).await.unwrap().ok();
        let answer = String::from_utf8_lossy(&answer).into_owned();
        let (head, body) = answer.split_once("\r\n\r\n").unwrap();
        let status = head[9..12].parse().unwrap();
        (status, body.to_owned())
    }

    pub(crate) async fn open_room(&self, options: &Value) -> String {
        let body = json!({ "options": options });
        let (status, told) = self.post("/api/v1/rooms", None, &body).await;
        assert_eq!(status, 201, "{told}");
        let room = told["room"].as_str().unwrap();
        assert_eq!(told["link"], format!("/#room={room}"));
        room.to_owned()
    }

    /// A seat: player and token.
    pub(crate) async fn sit(&self, room: &str, seat: &Value) -> (u64, String) {
        let path = format!("/api/v1/rooms/{room}/seats");
        let (status, told) = self.post(&path, None, seat).await;
        assert_eq!(status, 201, "{told}");
        let token = told["token"].as_str().unwrap().to_owned();
        (told["player"].as_u64().unwrap(), token)
    }

    pub(crate) async fn join(&self, room: &str, name: &str) -> Guest {
        let (_, token) = self.sit(room, &json!({ "name": name })).await;
        self.come(room, Some(&token), None).await
    }

    /// Connects, and waits for the welcome.
    pub(crate) async fn come(&self, room: &str, token: Option<&str>, since: Option<u64>) -> Guest {
        let mut guest = self.connect(room).await;
        let hello = json!({ "hello": 1, "token": token, "since": since });
        guest.say(&hello).await;
        guest.token = token.map(ToOwned::to_owned);
        guest.welcome = guest.next().await.unwrap();
        assert_eq!(guest.welcome["type"], "welcome", "{}", guest.welcome);
        guest
    }

    /// A socket on which nothing was said.
    pub(crate) async fn connect(&self, room: &str) -> Guest {
        let url = format!("ws://{}/api/v1/rooms/{room}/socket", self.address);
        let stream = TcpStream::connect(self.address).await.unwrap();
        let request = url.into_client_request().unwrap();
        let (socket, _) = tokio_tungstenite::client_async(request, stream)
            .await
            .unwrap();
        Guest {
            socket,
            token: None,
            welcome: Value::Null,
            heard: Vec::new(),
            asked: 0,
            unread: VecDeque::new(),
            closed: None,
        }
    }

    /// A table where a game has begun: the players, and what the first round is about.
    pub(crate) async fn play(&self, options: &Value, names: &[&str]) -> (String, Vec<Guest>) {
        let room = self.open_room(options).await;
        let mut guests = Vec::new();
        for name in names {
            guests.push(self.join(&room, name).await);
        }
        guests[0].ok(json!({"do": "start"})).await;
        (room, guests)
    }

    /// A shortest solution, from the API.
    pub(crate) async fn solve(&self, puzzle: &Value) -> Vec<String> {
        let (status, answer) = self
            .post("/api/v1/solve", None, &json!({ "puzzle": puzzle }))
            .await;
        assert_eq!(status, 200, "{answer}");
        let moves = answer["moves"].as_array().unwrap();
        let moves = moves.iter().map(|it| it.as_str().unwrap().to_owned());
        moves.collect()
    }
}

/// A client with a socket.
pub(crate) struct Guest {
    pub(crate) socket: WebSocketStream<TcpStream>,
    pub(crate) token: Option<String>,
    pub(crate) welcome: Value,
    /// Everything that was heard, as it came.
    pub(crate) heard: Vec<String>,
    asked: u64,
    /// Events that came before a reply.
    unread: VecDeque<Value>,
    pub(crate) closed: Option<u16>,
}

impl Guest {
    pub(crate) async fn say(&mut self, message: &Value) {
        let frame = Message::text(message.to_string());
        let _ = self.socket.send(frame).await;
    }

    /// The next message; `None` after the end, whose code is then in `closed`.
    pub(crate) async fn next(&mut self) -> Option<Value> {
        loop {
            let frame = tokio::time::timeout(PATIENCE, self.socket.next()).await;
            match frame.expect("nothing came") {
                Some(Ok(Message::Text(text))) => {
                    self.heard.push(text.to_string());
                    return Some(serde_json::from_str(&text).unwrap());
                }
                Some(Ok(Message::Close(frame))) => {
                    self.closed = Some(frame.map_or(1005, |frame| frame.code.into()));
                }
                Some(Ok(_)) => {}
                Some(Err(_)) | None => {
                    self.closed.get_or_insert(1006);
                    return None;
                }
            }
        }
    }

    /// The next event of a kind.
    pub(crate) async fn event(&mut self, kind: &str) -> Value {
        loop {
            let message = match self.unread.pop_front() {
                Some(message) => Some(message),
                None => self.next().await,
            };
            let message = message.unwrap_or_else(|| panic!("no {kind}: {:?}", self.closed));
            if message["type"] == "event" && message["event"] == kind {
                return message;
            }
        }
    }

    /// Asks for something and waits for the reply.
    pub(crate) async fn ask(&mut self, mut message: Value) -> Value {
        self.asked += 1;
        message["id"] = json!(self.asked);
        self.say(&message).await;
        loop {
            let heard = self.next().await;
            let heard = heard.unwrap_or_else(|| panic!("no reply: {:?}", self.closed));
            if heard["type"] == "reply" && heard["id"] == self.asked {
                return heard;
            }
            self.unread.push_back(heard);
        }
    }

    pub(crate) async fn ok(&mut self, message: Value) {
        let reply = self.ask(message.clone()).await;
        assert_eq!(reply["ok"], true, "{message}: {reply}");
    }

    /// Asks for something that is refused; why.
    pub(crate) async fn refused(&mut self, message: Value) -> String {
        let reply = self.ask(message.clone()).await;
        assert_eq!(reply["ok"], false, "{message}: {reply}");
        assert!(reply["message"].as_str().unwrap().len() > 5, "{reply}");
        reply["refusal"].as_str().unwrap().to_owned()
    }

    /// Everything until the end; its code.
    pub(crate) async fn end(&mut self) -> u16 {
        while self.next().await.is_some() {}
        self.closed.unwrap()
    }

    /// The numbers of all events that were heard.
    pub(crate) fn numbers(&self) -> Vec<u64> {
        let events = self.heard.iter().filter_map(|text| {
            let value: Value = serde_json::from_str(text).unwrap();
            (value["type"] == "event").then(|| value["number"].as_u64().unwrap())
        });
        events.collect()
    }
}
