//! Hostile clients do not disturb a room.

use std::time::Duration;

use futures_util::SinkExt;
use ricochet_server::RoomLimits;
use serde_json::json;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::Message;

use super::table::{Guest, TestServer, config, quick};

#[tokio::test]
async fn wrong_order() {
    let server = TestServer::new().await;
    let room = server.open_room(&quick()).await;
    for first in [
        json!({"do": "bid", "moves": 3}),
        json!({"hello": 2}),
        json!({"hello": 1, "name": "x"}),
        json!("hello"),
    ] {
        let mut guest = server.connect(&room).await;
        guest.say(&first).await;
        assert_eq!(guest.end().await, 4002, "{first}");
    }
    let mut ada = server.join(&room, "Ada").await;
    for (message, refusal) in [
        (json!({"do": "bid", "moves": 3}), "not-thinking"),
        (json!({"do": "show", "moves": "RN"}), "not-your-turn"),
        (json!({"do": "give-up"}), "not-your-turn"),
        (json!({"do": "skip", "yes": true}), "not-thinking"),
        (json!({"do": "submit", "moves": "RN"}), "bids-only"),
        (json!({"do": "remove", "player": 77}), "no-such-player"),
        (json!({"do": "dance"}), "unreadable"),
        (json!({"do": "bid", "moves": -3}), "unreadable"),
        (json!({"do": "bid", "moves": 3, "player": 2}), "unreadable"),
    ] {
        assert_eq!(ada.refused(message.clone()).await, refusal, "{message}");
    }
    ada.ok(json!({"do": "start"})).await;
    assert_eq!(ada.refused(json!({"do": "start"})).await, "game-is-on");
    for moves in [0, 100] {
        let mut reply = ada.ask(json!({"do": "bid", "moves": moves})).await;
        while reply["refusal"] == "not-thinking" {
            reply = ada.ask(json!({"do": "bid", "moves": moves})).await;
            tokio::time::sleep(Duration::from_millis(150)).await;
        }
        assert_eq!(reply["refusal"], "bid-out-of-range");
    }
}

#[tokio::test]
async fn the_tokens_of_others_are_of_no_use() {
    let server = TestServer::new().await;
    let (here, there) = (
        server.open_room(&quick()).await,
        server.open_room(&quick()).await,
    );
    let (_, token) = server.sit(&here, &json!({"name": "Ada"})).await;
    server.sit(&there, &json!({"name": "Ada"})).await;
    for wrong in [token.as_str(), "", "x", &"f".repeat(3000)] {
        let mut guest = server.connect(&there).await;
        guest.say(&json!({"hello": 1, "token": wrong})).await;
        assert_eq!(guest.end().await, 4001);
        let path = format!("/api/v1/rooms/{there}/do/start");
        let (status, _) = server.post(&path, Some(wrong), &json!({})).await;
        assert_eq!(status, 401);
    }
    let mut guest = server.connect("abcdefghijkm").await;
    guest.say(&json!({"hello": 1, "token": token})).await;
    assert_eq!(guest.end().await, 4004);
    let mut guest = server.connect("nothing").await;
    guest.say(&json!({"hello": 1})).await;
    assert_eq!(guest.end().await, 4004);
}

#[tokio::test]
async fn oversize_messages_close_the_connection_and_nothing_else() {
    let server = TestServer::new().await;
    let room = server.open_room(&quick()).await;
    let mut ada = server.join(&room, "Ada").await;
    let mut ben = server.join(&room, "Ben").await;
    ben.say(&json!({"do": "say", "text": "x".repeat(100_000)}))
        .await;
    assert_eq!(ben.end().await, 1009);
    let mut again = server.connect(&room).await;
    again
        .say(&json!({"hello": 1, "token": "x".repeat(100_000)}))
        .await;
    assert_eq!(again.end().await, 1009);
    ada.ok(json!({"do": "say", "text": "still here"})).await;
}

#[tokio::test]
async fn broken_frames_close_with_their_own_codes() {
    let server = TestServer::new().await;
    let room = server.open_room(&quick()).await;
    for (frame, code) in [
        // An opcode that does not exist, and a text that is not UTF-8; both with an empty mask.
        (&[0x83, 0x80, 0, 0, 0, 0][..], 1002),
        (&[0x81, 0x82, 0, 0, 0, 0, 0xc3, 0x28][..], 1007),
    ] {
        for greeted in [true, false] {
            let mut guest = if greeted {
                server.come(&room, None, None).await
            } else {
                server.connect(&room).await
            };
            guest.socket.get_mut().write_all(frame).await.unwrap();
            assert_eq!(guest.end().await, code, "{frame:?} {greeted}");
        }
    }
}

#[tokio::test]
async fn leaving_is_confirmed() {
    let server = TestServer::new().await;
    let room = server.open_room(&quick()).await;
    let mut ada = server.join(&room, "Ada").await;
    ada.ok(json!({"do": "leave"})).await;
    assert_eq!(ada.end().await, 4000);
}

#[tokio::test]
async fn names_that_look_the_same_are_numbered() {
    let server = TestServer::new().await;
    let room = server.open_room(&quick()).await;
    let mut ada = server.join(&room, "Ada").await;
    server.sit(&room, &json!({"name": "\u{410}d\u{430}"})).await;
    let joined = ada.event("joined").await;
    assert_eq!(joined["name"], "\u{410}d\u{430} 2");
}

#[tokio::test]
async fn floods_close_the_connection_with_1008() {
    let server = TestServer::new().await;
    let room = server.open_room(&quick()).await;
    let mut ada = server.join(&room, "Ada").await;
    let mut ben = server.join(&room, "Ben").await;
    for _ in 0..2000 {
        ben.say(&json!({"do": "ping"})).await;
    }
    assert_eq!(ben.end().await, 1008);
    // What makes no sense closes it sooner.
    let mut cem = server.join(&room, "Cem").await;
    for _ in 0..20 {
        cem.say(&json!({"do": "dance"})).await;
    }
    assert_eq!(cem.end().await, 1008);
    let mut dan = server.join(&room, "Dan").await;
    for _ in 0..2000 {
        let _ = dan.socket.send(Message::Ping(vec![0; 100].into())).await;
    }
    assert_eq!(dan.end().await, 1008);
    ada.ok(json!({"do": "say", "text": "still here"})).await;
    // Calls have limits of their own.
    let token = ada.token.clone();
    let path = format!("/api/v1/rooms/{room}/do/skip");
    let mut statuses = Vec::new();
    for _ in 0..80 {
        let body = json!({"yes": true});
        statuses.push(server.post(&path, token.as_deref(), &body).await.0);
    }
    assert_eq!(statuses[0], 409, "there is no round");
    assert!(statuses.contains(&429), "{statuses:?}");
    let (_, text) = server.get("/metrics").await;
    assert!(text.contains("ricochet_room_floods_total 3"), "{text}");
}

/// A room in which two connections are never read: Ben's, and a spectator's stream.
#[cfg(target_os = "linux")]
struct Deaf {
    server: TestServer,
    room: String,
    ada: Guest,
    ben: String,
    connections: [TcpStream; 2],
    /// Bytes that the kernel kept for one of them at most.
    most: usize,
}

#[cfg(target_os = "linux")]
impl Deaf {
    /// Tells all of them 260 kB, of which Ada hears everything.
    async fn told_much(stalled: Duration) -> Self {
        const TALKERS: usize = 40;
        const LINES: usize = 5;
        let mut config = config(RoomLimits {
            recent: 8,
            unread: 24,
            ..RoomLimits::default()
        });
        config.stall_timeout = stalled;
        let server = TestServer::open(config).await;
        let room = server.open_room(&json!({"seats": 64})).await;
        let mut ada = server.join(&room, "Ada").await;
        let (_, ben) = server.sit(&room, &json!({"name": "Ben"})).await;
        let connections = [
            deaf_socket(&server, &room, &ben).await,
            deaf_stream(&server, &room).await,
        ];
        let line = json!({ "text": "\u{1f916}".repeat(300) });
        let path = format!("/api/v1/rooms/{room}/do/say");
        let mut most = 0;
        for talker in 0..TALKERS {
            let seat = json!({ "name": format!("Talker {talker}") });
            let (_, token) = server.sit(&room, &seat).await;
            for _ in 0..LINES {
                let (status, told) = server.post(&path, Some(&token), &line).await;
                assert_eq!(status, 200, "{told}");
                ada.event("said").await;
                for deaf in &connections {
                    most = most.max(kept_for(&server, deaf));
                }
            }
        }
        let numbers = ada.numbers();
        assert!(numbers.is_sorted_by(|a, b| a + 1 == *b), "{numbers:?}");
        Self {
            server,
            room,
            ada,
            ben,
            connections,
            most,
        }
    }

    /// A number of the server's metrics.
    async fn metric(&self, name: &str) -> u64 {
        let (_, text) = self.server.get("/metrics").await;
        let line = text.lines().find_map(|line| line.strip_prefix(name));
        line.unwrap_or_default().trim().parse().unwrap()
    }
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn who_never_reads_is_sent_away_the_others_hear_every_event_and_memory_is_bounded() {
    let mut deaf = Deaf::told_much(Duration::from_secs(3600)).await;
    assert_eq!(deaf.metric("ricochet_room_slow_total ").await, 2);
    assert!(
        (1..130_000).contains(&deaf.most),
        "{} bytes were kept",
        deaf.most
    );
    while deaf.metric("ricochet_room_connections ").await > 1 {
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    // The disconnected client can come back, and all others are still connected.
    let back = deaf.server.come(&deaf.room, Some(&deaf.ben), None).await;
    assert_eq!(back.welcome["you"], 2);
    assert!(back.welcome["version"].as_u64() >= deaf.ada.numbers().last().copied());
    deaf.ada
        .ok(json!({"do": "say", "text": "still here"}))
        .await;
}

/// However alive the connection is: a stream ends when the other side has read nothing for a while,
/// so that it does not take a place for ever.
#[cfg(target_os = "linux")]
#[tokio::test]
async fn a_connection_that_is_never_read_is_cut() {
    let mut deaf = Deaf::told_much(Duration::from_secs(1)).await;
    for connection in &deaf.connections {
        let waited = tokio::time::timeout(Duration::from_secs(50), cut(connection));
        waited.await.expect("it was not cut");
    }
    deaf.ada
        .ok(json!({"do": "say", "text": "still here"}))
        .await;
}

/// Ben's connection, from which nothing is ever read.
#[cfg(target_os = "linux")]
async fn deaf_socket(server: &TestServer, room: &str, token: &str) -> TcpStream {
    let url = format!("ws://{}/api/v1/rooms/{room}/socket", server.address);
    let stream = small_window(server).await;
    let (mut socket, _) = tokio_tungstenite::client_async(url, stream).await.unwrap();
    let hello = json!({ "hello": 1, "token": token });
    let sent = socket.send(Message::text(hello.to_string())).await;
    sent.unwrap();
    socket.into_inner()
}

/// A spectator's stream, from which nothing is ever read.
#[cfg(target_os = "linux")]
async fn deaf_stream(server: &TestServer, room: &str) -> TcpStream {
    let mut stream = small_window(server).await;
    let request = format!(
        "GET /api/v1/rooms/{room}/stream HTTP/1.1\r\nhost: {}\r\n\r\n",
        server.address
    );
    stream.write_all(request.as_bytes()).await.unwrap();
    stream
}

/// A connection with small buffers on the reading side.
#[cfg(target_os = "linux")]
async fn small_window(server: &TestServer) -> TcpStream {
    let socket = tokio::net::TcpSocket::new_v4().unwrap();
    socket.set_recv_buffer_size(4096).unwrap();
    socket.connect(server.address).await.unwrap()
}

/// Waits until writing fails: the other side has ended the connection.
#[cfg(target_os = "linux")]
async fn cut(stream: &TcpStream) {
    loop {
        match stream.try_write(b"x") {
            Err(error) if error.kind() != std::io::ErrorKind::WouldBlock => return,
            _ => tokio::time::sleep(Duration::from_millis(50)).await,
        }
    }
}

/// Bytes that the kernel keeps on the server's side of a connection.
#[cfg(target_os = "linux")]
fn kept_for(server: &TestServer, stream: &TcpStream) -> usize {
    let (ours, theirs) = (server.address.port(), stream.local_addr().unwrap().port());
    let ends = format!(" 0100007F:{ours:04X} 0100007F:{theirs:04X} ");
    let table = std::fs::read_to_string("/proc/net/tcp").unwrap();
    let line = table.lines().find(|line| line.contains(&ends));
    let queue = line.and_then(|line| line.split_whitespace().nth(4)?.split(':').next());
    queue.map_or(0, |digits| usize::from_str_radix(digits, 16).unwrap())
}

#[tokio::test]
async fn pages_of_others_get_no_socket() {
    let server = TestServer::new().await;
    let room = server.open_room(&quick()).await;
    let upgrade = |host: &str, more: &str| {
        format!(
            "GET /api/v1/rooms/{room}/socket HTTP/1.1\r\nhost: {host}\r\nconnection: upgrade\r\n\
             upgrade: websocket\r\nsec-websocket-version: 13\r\n\
             sec-websocket-key: AAAAAAAAAAAAAAAAAAAAAA==\r\n{more}\r\n"
        )
    };
    let ours = server.address.to_string();
    let origin = format!("origin: http://{ours}\r\n");
    for (request, status) in [
        (upgrade(&ours, &origin), "101"),
        (upgrade(&ours, "origin: http://evil.example\r\n"), "403"),
        (upgrade("evil.example", ""), "403"),
        (upgrade(&ours, "sec-fetch-site: cross-site\r\n"), "403"),
    ] {
        let mut stream = TcpStream::connect(server.address).await.unwrap();
        stream.write_all(request.as_bytes()).await.unwrap();
        let mut answer = [0; 12];
        stream.read_exact(&mut answer).await.unwrap();
        let answer = String::from_utf8_lossy(&answer);
        assert!(answer.ends_with(status), "{answer} for {request}");
    }
}

#[tokio::test]
async fn places_are_counted() {
    let limits = RoomLimits {
        awake: 2,
        spectators: 1,
        sockets: 3,
        ..RoomLimits::default()
    };
    let server = TestServer::open(config(limits)).await;
    let room = server.open_room(&json!({"seats": 1})).await;
    server.open_room(&json!({})).await;
    let (status, _) = server.post("/api/v1/rooms", None, &json!({})).await;
    assert_eq!(status, 503, "two rooms are enough");
    let ada = server.join(&room, "Ada").await;
    let path = format!("/api/v1/rooms/{room}/seats");
    let (status, told) = server.post(&path, None, &json!({"name": "Ben"})).await;
    assert_eq!((status, told["refusal"].as_str()), (409, Some("full")));
    let first = server.come(&room, None, None).await;
    let mut second = server.connect(&room).await;
    second.say(&json!({"hello": 1})).await;
    assert_eq!(second.end().await, 1013, "one spectator is enough");
    drop((ada, first));
}

#[tokio::test]
async fn a_player_with_too_many_connections_loses_the_oldest() {
    let server = TestServer::new().await;
    let room = server.open_room(&quick()).await;
    let mut first = server.join(&room, "Ada").await;
    let token = first.token.clone();
    let mut others = Vec::new();
    for _ in 0..4 {
        others.push(server.come(&room, token.as_deref(), None).await);
    }
    assert_eq!(first.end().await, 4009);
    others[0]
        .ok(json!({"do": "say", "text": "still here"}))
        .await;
}
