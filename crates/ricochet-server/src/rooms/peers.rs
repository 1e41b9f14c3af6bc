//! The lobbies of other processes, so that a lobby lists the rooms of all of them.
//!
//! Only the lists are asked for. A room is reached through the proxy, which knows its process by its
//! name.

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

use crate::rooms::task::summary::Status;

/// How long a list is good enough.
const FRESH: Duration = Duration::from_secs(1);

/// How long a process may take to tell its list.
const PATIENCE: Duration = Duration::from_millis(500);

/// Bytes of a list: 100 rooms have a tenth of this.
const MOST: usize = 1 << 20;

/// The other processes.
pub(crate) struct Peers {
    addresses: Vec<String>,
    /// Whoever comes while others are asked waits for that answer.
    known: Mutex<Option<(Instant, Vec<Status>)>>,
}

/// What a lobby tells, as far as it is of interest here.
#[derive(Deserialize)]
struct Lobby {
    rooms: Vec<Status>,
}

impl Peers {
    pub(crate) fn new(addresses: Vec<String>) -> Self {
        Self {
            addresses,
            known: Mutex::default(),
        }
    }

    /// The public rooms of all other processes that answer.
    pub(crate) async fn rooms(&self) -> Vec<Status> {
        if self.addresses.is_empty() {
            return Vec::new();
        }
        let mut known = self.known.lock().await;
        if let Some((at, rooms)) = &*known
            && at.elapsed() < FRESH
        {
            return rooms.clone();
        }
        let lists = join_all(self.addresses.iter().map(|address| list(address))).await;
        let rooms: Vec<Status> = lists.into_iter().flatten().collect();
        *known = Some((Instant::now(), rooms.clone()));
        rooms
    }
}

/// The rooms of one process; none if it does not answer.
async fn list(address: &str) -> Vec<Status> {
    let asked = tokio::time::timeout(PATIENCE, ask(address)).await;
    match asked.unwrap_or_else(|_| Err(io::ErrorKind::TimedOut.into())) {
        Ok(rooms) => rooms,
        Err(wrong) => {
            tracing::warn!("the rooms of {address} cannot be listed: {wrong}");
            Vec::new()
        }
    }
}

async fn ask(address: &str) -> io::Result<Vec<Status>> {
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
    let body = to_bytes(Body::new(response.into_body()), MOST).await;
    connection.abort();
    let lobby: Lobby = serde_json::from_slice(&body.map_err(io::Error::other)?)?;
    Ok(lobby.rooms)
}
