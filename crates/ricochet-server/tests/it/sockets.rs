//! Over real sockets: slow clients, endless bodies, shutdown.

use std::net::SocketAddr;
use std::time::Duration;

use ricochet_server::{Config, Server};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::sync::oneshot;

async fn start(config: Config) -> (SocketAddr, oneshot::Sender<()>, tokio::task::JoinHandle<()>) {
    let server = Server::bind(Config {
        port: Some(0),
        ..config
    })
    .await
    .unwrap();
    let address = server.address();
    let (end, ended) = oneshot::channel();
    let running = tokio::spawn(server.run(async {
        let _ = ended.await;
    }));
    (address, end, running)
}

/// Everything that comes back until the server closes.
async fn talk(address: SocketAddr, text: &str) -> String {
    let mut stream = TcpStream::connect(address).await.unwrap();
    stream.write_all(text.as_bytes()).await.unwrap();
    let mut answer = Vec::new();
    let _ = stream.read_to_end(&mut answer).await;
    String::from_utf8_lossy(&answer).into_owned()
}

#[tokio::test]
async fn a_request_over_a_socket_is_answered() {
    let (address, end, running) = start(Config::default()).await;
    let answer = talk(
        address,
        &format!("GET /healthz HTTP/1.1\r\nhost: {address}\r\nconnection: close\r\n\r\n"),
    )
    .await;
    assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    assert!(answer.contains("content-security-policy"), "{answer}");
    end.send(()).unwrap();
    running.await.unwrap();
    assert!(TcpStream::connect(address).await.is_err(), "it has ended");
}

#[tokio::test]
async fn slow_and_endless_clients_are_sent_away() {
    let (address, _end, _) = start(Config {
        request_timeout: Duration::from_millis(300),
        max_body: 10_000,
        ..Config::default()
    })
    .await;
    // Half a header: the connection ends by itself.
    let answer = talk(address, "GET /healthz HTTP/1.1\r\nhost: loc").await;
    assert!(!answer.contains(" 200 "), "{answer}");
    // Half a body.
    let head = format!(
        "POST /api/v1/solve HTTP/1.1\r\nhost: {address}\r\ncontent-type: application/json\r\n"
    );
    let slow = format!("{head}connection: close\r\ncontent-length: 500\r\n\r\n{{\"puz");
    let answer = talk(address, &slow).await;
    assert!(answer.starts_with("HTTP/1.1 408"), "{answer}");
    // A body without end.
    let mut stream = TcpStream::connect(address).await.unwrap();
    let endless = format!("{head}transfer-encoding: chunked\r\n\r\n");
    stream.write_all(endless.as_bytes()).await.unwrap();
    let chunk = format!("400\r\n{}\r\n", "x".repeat(1024));
    let mut refused = false;
    for _ in 0..10_000 {
        if stream.write_all(chunk.as_bytes()).await.is_err() {
            refused = true;
            break;
        }
    }
    let mut answer = Vec::new();
    let _ = stream.read_to_end(&mut answer).await;
    let answer = String::from_utf8_lossy(&answer);
    assert!(refused || answer.starts_with("HTTP/1.1 413"), "{answer}");
    // What is not HTTP.
    let answer = talk(address, "\u{0}\u{1}\u{2} hello\r\n\r\n").await;
    assert!(
        answer.is_empty() || answer.starts_with("HTTP/1.1 400"),
        "{answer}"
    );
    // And the server lives.
    let answer = talk(
        address,
        &format!("GET /healthz HTTP/1.1\r\nhost: {address}\r\nconnection: close\r\n\r\n"),
    )
    .await;
    assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
}

/// A connection from a loopback address that the server takes for a stranger's.
#[cfg(target_os = "linux")]
async fn connect_from(last: u8, address: SocketAddr) -> TcpStream {
    let socket = tokio::net::TcpSocket::new_v4().unwrap();
    socket.bind(([127, 0, 0, last], 0).into()).unwrap();
    socket.connect(address).await.unwrap()
}

const HEALTH: &str = "GET /healthz HTTP/1.1\r\nhost: localhost\r\n\r\n";

/// The beginning of the next response.
async fn response(stream: &mut TcpStream) -> String {
    let mut bytes = [0; 4096];
    let count = stream.read(&mut bytes).await.unwrap_or(0);
    String::from_utf8_lossy(&bytes[..count]).into_owned()
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn idle_connections_of_one_address_lock_nobody_out() {
    let (address, _end, _) = start(Config {
        max_connections: 12,
        connections_per_address: 8,
        ..Config::default()
    })
    .await;
    let mut idle = Vec::new();
    for _ in 0..50 {
        idle.push(connect_from(2, address).await);
    }
    // Others are served, and so is that address: its idlest connections are closed.
    for from in [3, 4, 5, 2] {
        let mut stream = connect_from(from, address).await;
        stream.write_all(HEALTH.as_bytes()).await.unwrap();
        let answer = response(&mut stream).await;
        assert!(answer.starts_with("HTTP/1.1 200"), "{from}: {answer}");
        idle.push(stream);
    }
    assert_eq!(response(&mut idle[0]).await, "", "it was closed");
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn connections_that_are_in_use_are_not_closed() {
    let (address, _end, _) = start(Config {
        connections_per_address: 2,
        keep_alive: Duration::from_millis(20),
        ..Config::default()
    })
    .await;
    let mut busy = Vec::new();
    for number in 0..2 {
        let body = format!(
            r#"{{"puzzle":"16x16..00112233445566{number:x}7.R88","solver":"iddfs:memo=off"}}"#
        );
        let text = format!(
            "POST /api/v1/solve HTTP/1.1\r\nhost: {address}\r\naccept: application/x-ndjson\r\n\
             content-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
            body.len()
        );
        let mut stream = connect_from(2, address).await;
        stream.write_all(text.as_bytes()).await.unwrap();
        assert!(response(&mut stream).await.starts_with("HTTP/1.1 200"));
        busy.push(stream);
    }
    let mut third = connect_from(2, address).await;
    third.write_all(HEALTH.as_bytes()).await.unwrap();
    let answer = response(&mut third).await;
    assert!(answer.starts_with("HTTP/1.1 503"), "{answer}");
    assert!(answer.contains("retry-after: 5"), "{answer}");
    for stream in &mut busy {
        assert_ne!(response(stream).await, "", "it goes on");
    }
}

#[tokio::test]
async fn behind_a_proxy_requests_in_flight_are_limited_by_address() {
    let (address, _end, _) = start(Config {
        behind_proxy: true,
        connections_per_address: 2,
        keep_alive: Duration::from_millis(20),
        ..Config::default()
    })
    .await;
    // As a proxy does, all connections come from this machine.
    let ask = async |from: &str, line: &str| {
        let mut stream = TcpStream::connect(address).await.unwrap();
        let text = format!("{line} HTTP/1.1\r\nhost: localhost\r\nx-forwarded-for: {from}\r\n");
        stream.write_all(text.as_bytes()).await.unwrap();
        stream
    };
    let mut busy = Vec::new();
    for number in 0..2 {
        let body = format!(
            r#"{{"puzzle":"16x16..00112233445566{number:x}7.R88","solver":"iddfs:memo=off"}}"#
        );
        let mut stream = ask("192.0.2.1", "POST /api/v1/solve").await;
        let rest = format!(
            "accept: application/x-ndjson\r\ncontent-type: application/json\r\n\
             content-length: {}\r\n\r\n{body}",
            body.len()
        );
        stream.write_all(rest.as_bytes()).await.unwrap();
        assert!(response(&mut stream).await.starts_with("HTTP/1.1 200"));
        busy.push(stream);
    }
    let health = async |from: &str| {
        let mut stream = ask(from, "GET /healthz").await;
        stream.write_all(b"\r\n").await.unwrap();
        response(&mut stream).await
    };
    let refused = health("192.0.2.1").await;
    assert!(refused.starts_with("HTTP/1.1 503"), "{refused}");
    assert!(refused.contains("retry-after: 5"), "{refused}");
    assert!(health("192.0.2.2").await.starts_with("HTTP/1.1 200"));
    // A response that is not read to its end gives its place back.
    busy.pop();
    while health("192.0.2.1").await.starts_with("HTTP/1.1 503") {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    assert_ne!(response(&mut busy[0]).await, "", "the other goes on");
}

#[tokio::test]
async fn wrong_heads_and_bodies_are_told_apart() {
    let (address, _end, _) = start(Config::default()).await;
    let head = format!("host: {address}\r\nconnection: close\r\n");
    let json = "content-type: application/json\r\n";
    let two = format!("GET /healthz HTTP/1.1\r\n{head}host: localhost\r\n\r\n");
    let huge =
        format!("POST /api/v1/solve HTTP/1.1\r\n{head}{json}content-length: 10000000000\r\n\r\n");
    let chunks = format!(
        "POST /api/v1/solve HTTP/1.1\r\n{head}{json}transfer-encoding: chunked\r\n\r\nzz\r\n{{}}\r\n0\r\n\r\n"
    );
    for (text, status) in [(two, "400"), (huge, "413"), (chunks, "400")] {
        let answer = talk(address, &text).await;
        assert!(
            answer.starts_with(&format!("HTTP/1.1 {status}")),
            "{text}{answer}"
        );
        assert!(answer.contains("{\"error\":"), "{answer}");
    }
}
