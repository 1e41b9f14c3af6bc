//! The lobbies of other processes, so that each lobby lists the rooms of all of them.
//!
//! Only the lists are exchanged. Rooms are reached through the proxy, which finds the process by the
//! room's name.

use std::io;
use std::time::{Duration, Instant};

use axum::body::{Body, to_bytes};
use axum::http::{Request, header};
use futures_util::future::join_all;
use hyper::client::conn::http1;
use hyper_util::rt::TokioIo;
use serde::Deserialize;
use tokio::net::TcpStream;
use tokio::sync::Mutex;

use crate::rooms::task::summary::RoomSummary;

/// How long a list is reused.
const MAX_AGE: Duration = Duration::from_secs(1);

/// How long to wait for the list of another process.
const TIMEOUT: Duration = Duration::from_millis(500);

/// The largest list, in bytes; 100 rooms take a tenth of this.
const MAX_BYTES: usize = 1 << 20;

/// The other processes.
pub(crate) struct Peers {
    addresses: Vec<String>,
    /// The latest lists. Requests that arrive while they are fetched wait for them.
    cached: Mutex<Option<(Instant, Vec<RoomSummary>)>>,
}

/// The part of a lobby's answer that is used here.
#[derive(Deserialize)]
struct Lobby {
    rooms: Vec<RoomSummary>,
}

impl Peers {
    pub(crate) fn new(addresses: Vec<String>) -> Self {
        Self {
            addresses,
            cached: Mutex::default(),
        }
    }

    /// The public rooms of all other processes that answer.
    pub(crate) async fn rooms(&self) -> Vec<RoomSummary> {
        if self.addresses.is_empty() {
            return Vec::new();
        }
        let mut cached = self.cached.lock().await;
        if let Some((at, rooms)) = &*cached
            && at.elapsed() < MAX_AGE
        {
            return rooms.clone();
        }
        let lists = join_all(self.addresses.iter().map(|address| list(address))).await;
        let rooms: Vec<RoomSummary> = lists.into_iter().flatten().collect();
        *cached = Some((Instant::now(), rooms.clone()));
        rooms
    }
}

/// The rooms of one process; none if it does not answer.
async fn list(address: &str) -> Vec<RoomSummary> {
    let fetched = tokio::time::timeout(TIMEOUT, fetch(address)).await;
    match fetched.unwrap_or_else(|_| Err(io::ErrorKind::TimedOut.into())) {
        Ok(rooms) => rooms,
        Err(error) => {
            tracing::warn!("the rooms of {address} cannot be listed: {error}");
            Vec::new()
        }
    }
}

async fn fetch(address: &str) -> io::Result<Vec<RoomSummary>> {
    let stream = TcpStream::connect(address).await?;
    let (mut sender, connection) = http1::handshake(TokioIo::new(stream))
        .await
        .map_err(io::Error::other)?;
    let connection = tokio::spawn(connection);
    let request = Request::get("/api/v1/rooms?own=true")
        .header(header::HOST, "localhost")
        .body(Body::empty())
        .map_err(io::Error::other)?;
    let response = sender.send_request(request).await;
    let response = response.map_err(io::Error::other)?;
    let body = to_bytes(Body::new(response.into_body()), MAX_BYTES).await;
    connection.abort();
    let lobby: Lobby = serde_json::from_slice(&body.map_err(io::Error::other)?)?;
    Ok(lobby.rooms)
}
