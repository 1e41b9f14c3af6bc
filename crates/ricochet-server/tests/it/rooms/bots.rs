//! Programs that play over HTTP.

use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::net::TcpStream;

use super::table::{TestServer, quick};

/// The lines of a stream; chunk sizes and heads are left out.
struct Lines(BufReader<TcpStream>);

impl Lines {
    async fn open(server: &TestServer, room: &str, token: Option<&str>, query: &str) -> Self {
        let mut stream = TcpStream::connect(server.address).await.unwrap();
        let bearer = token.map(|it| format!("authorization: Bearer {it}\r\n"));
        let request = format!(
            "GET /api/v1/rooms/{room}/stream{query} HTTP/1.1\r\nhost: {}\r\n{}\r\n",
            server.address,
            bearer.unwrap_or_default()
        );
        stream.write_all(request.as_bytes()).await.unwrap();
        Self(BufReader::new(stream))
    }

    /// The next line that is an object, and how many blank chunks came before it.
    async fn next(&mut self) -> Option<Value> {
        loop {
            let mut line = String::new();
            if self.0.read_line(&mut line).await.ok()? == 0 {
                return None;
            }
            if line.starts_with('{') {
                return Some(serde_json::from_str(&line).unwrap());
            }
        }
    }

    async fn event(&mut self, kind: &str) -> Value {
        loop {
            let line = self.next().await.unwrap_or_else(|| panic!("no {kind}"));
            if line["event"] == kind {
                return line;
            }
        }
    }
}

#[tokio::test]
async fn a_bot_follows_a_stream_and_plays_with_calls() {
    let server = TestServer::new().await;
    let room = server.open_room(&quick()).await;
    let mut ada = server.join(&room, "Ada").await;
    let (bot, token) = server
        .sit(&room, &json!({"name": "Tin", "bot": true}))
        .await;
    let mut lines = Lines::open(&server, &room, Some(&token), "").await;
    let welcome = lines.next().await.unwrap();
    assert_eq!(
        (&welcome["type"], &welcome["you"]),
        (&json!("welcome"), &json!(bot))
    );
    assert_eq!(welcome["snapshot"]["players"][1]["bot"], true);
    ada.ok(json!({"do": "start"})).await;
    let started = lines.event("round-started").await;
    assert_eq!(started["optimum"], Value::Null);
    let solution = server.solve(&started["puzzle"]).await;
    let act = async |what: &str, body: Value| {
        let path = format!("/api/v1/rooms/{room}/do/{what}");
        server.post(&path, Some(&token), &body).await
    };
    let (status, told) = act("bid", json!({"moves": solution.len()})).await;
    assert_eq!(status, 200);
    assert_eq!(lines.event("bid").await["number"], told["version"]);
    let (status, told) = act("bid", json!({"moves": 50})).await;
    assert_eq!((status, told["refusal"].as_str()), (409, Some("not-lower")));
    assert_eq!(act("bid", json!({"move": 1})).await.0, 400);
    assert_eq!(act("dance", json!({})).await.0, 400);
    lines.event("show-started").await;
    assert_eq!(act("show", json!({"moves": solution})).await.0, 200);
    assert_eq!(lines.event("round-ended").await["result"]["player"], bot);
    // A new stream takes up where the other one was.
    let number = told["version"].as_u64();
    assert_eq!(number, None);
    let mut again = Lines::open(&server, &room, Some(&token), "?since=1").await;
    assert_eq!(again.next().await.unwrap()["snapshot"], Value::Null);
    assert_eq!(again.next().await.unwrap()["number"], 2);
    // Who leaves hears it, and why the stream ends.
    assert_eq!(act("leave", json!({})).await.0, 200);
    assert_eq!(lines.event("left").await["player"], bot);
    let last = lines.next().await.unwrap();
    assert_eq!(
        (&last["type"], &last["code"]),
        (&json!("closed"), &json!(4000))
    );
    assert_eq!(act("bid", json!({"moves": 3})).await.0, 401);
}

#[tokio::test]
async fn blank_lines_keep_a_stream_alive() {
    let server = TestServer::new().await;
    let room = server.open_room(&quick()).await;
    let mut lines = Lines::open(&server, &room, None, "").await;
    assert_eq!(lines.next().await.unwrap()["you"], Value::Null);
    let mut seen = Vec::new();
    // A chunk of one byte, which is a line feed.
    while !seen.ends_with(b"\r\n1\r\n\n\r\n") {
        let mut byte = [0];
        tokio::io::AsyncReadExt::read_exact(&mut lines.0, &mut byte)
            .await
            .unwrap();
        seen.push(byte[0]);
    }
}

#[tokio::test]
async fn a_stream_needs_a_room_and_a_token_of_it() {
    let server = TestServer::new().await;
    let room = server.open_room(&quick()).await;
    let path = format!("/api/v1/rooms/{room}/stream");
    assert_eq!(server.get("/api/v1/rooms/abcdefghijkm/stream").await.0, 404);
    assert_eq!(server.get(&format!("{path}?since=x")).await.0, 400);
    let mut stream = TcpStream::connect(server.address).await.unwrap();
    let request = format!(
        "GET {path} HTTP/1.1\r\nhost: {}\r\nauthorization: Bearer x\r\n\r\n",
        server.address
    );
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut line = String::new();
    BufReader::new(stream).read_line(&mut line).await.unwrap();
    assert!(line.contains(" 401 "), "{line}");
    let body = json!({"moves": 1});
    let (status, _) = server
        .post(&format!("/api/v1/rooms/{room}/do/bid"), None, &body)
        .await;
    assert_eq!(status, 401);
}
