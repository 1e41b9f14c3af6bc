//! Messages of a player, one per line, over a WebSocket to a room of a server: what comes back is JSON,
//! no mistake is the server's own, and the room can still be visited afterwards. A line that begins
//! with a zero is sent as it is, without a frame around it; one that begins with a one, as binary data.
#![no_main]

#[path = "support/server.rs"]
mod server;

use std::cell::RefCell;
use std::net::SocketAddr;
use std::time::Duration;

use futures_util::{SinkExt, StreamExt};
use serde_json::Value;
use server::{FuzzServer, exchange};
use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::Message;

/// More messages than a client may send at once.
const MESSAGES: usize = 50;

/// Long enough for any machine.
const PATIENCE: Duration = Duration::from_secs(20);

thread_local! {
    static SERVER: RefCell<FuzzServer> = RefCell::new(FuzzServer::new(PATIENCE));
}

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    SERVER.with_borrow_mut(|server| {
        server.run(async |address| {
            let room = post(address, "/api/v1/rooms", "{}").await;
            let path = format!("/api/v1/rooms/{}", room["room"].as_str().unwrap());
            let seat = post(address, &format!("{path}/seats"), r#"{"name":"Ada"}"#).await;
            let hello = format!(r#"{{"hello":1,"token":{}}}"#, seat["token"]);
            let mut socket = connect(address, &path).await;
            socket.send(Message::text(hello)).await.unwrap();
            tokio::time::timeout(PATIENCE, send_lines(&mut socket, bytes))
                .await
                .expect("the room does not answer any more");
            drop(socket);
            let request =
                format!("GET {path} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n");
            let answer = exchange(address, request.as_bytes(), PATIENCE).await;
            assert!(answer.starts_with(b"HTTP/1.1 200"), "the room is gone");
        });
    });
});

/// Sends the lines and a ping, and reads until the pong or the end.
async fn send_lines(socket: &mut WebSocketStream<TcpStream>, bytes: &[u8]) {
    for line in bytes.split(|byte| *byte == b'\n').take(MESSAGES) {
        let sent = match line {
            [0, raw @ ..] => socket.get_mut().write_all(raw).await.is_ok(),
            [1, data @ ..] => socket.send(Message::binary(data.to_vec())).await.is_ok(),
            text => {
                let text = String::from_utf8_lossy(text);
                socket.send(Message::text(text.into_owned())).await.is_ok()
            }
        };
        if !sent {
            break;
        }
    }
    let _ = socket.send(Message::Ping(Vec::new().into())).await;
    // What was sent without a frame may have begun one that never ends.
    let framed = !bytes
        .split(|byte| *byte == b'\n')
        .any(|line| line.first() == Some(&0));
    let moment = if framed {
        PATIENCE
    } else {
        Duration::from_millis(50)
    };
    while let Ok(Some(Ok(frame))) = tokio::time::timeout(moment, socket.next()).await {
        match frame {
            Message::Text(text) => drop(serde_json::from_str::<Value>(&text).unwrap()),
            Message::Close(Some(frame)) => assert_ne!(u16::from(frame.code), 1011, "{frame}"),
            Message::Pong(_) => return,
            _ => {}
        }
    }
}

async fn post(address: SocketAddr, path: &str, body: &str) -> Value {
    let request = format!(
        "POST {path} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\
         content-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
        body.len()
    );
    let answer = exchange(address, request.as_bytes(), PATIENCE).await;
    let answer = String::from_utf8_lossy(&answer);
    let (head, body) = answer.split_once("\r\n\r\n").expect("an answer");
    assert!(head.starts_with("HTTP/1.1 201"), "{head}");
    serde_json::from_str(body).unwrap()
}

async fn connect(address: SocketAddr, path: &str) -> WebSocketStream<TcpStream> {
    let stream = TcpStream::connect(address).await.unwrap();
    let url = format!("ws://{address}{path}/socket");
    tokio_tungstenite::client_async(url, stream)
        .await
        .unwrap()
        .0
}
