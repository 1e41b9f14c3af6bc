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

#[tokio::test]
async fn more_connections_than_places_are_closed() {
    let (address, _end, _) = start(Config {
        max_connections: 2,
        ..Config::default()
    })
    .await;
    let hold = |address| async move { TcpStream::connect(address).await.unwrap() };
    let (first, second) = (hold(address).await, hold(address).await);
    // Both are served before the third comes.
    tokio::time::sleep(Duration::from_millis(200)).await;
    let answer = talk(address, "GET /healthz HTTP/1.1\r\nhost: localhost\r\n\r\n").await;
    assert_eq!(answer, "");
    drop((first, second));
}
