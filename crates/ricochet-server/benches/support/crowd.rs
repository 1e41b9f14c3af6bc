//! Many connections from 50 addresses of this machine, which the server takes for strangers', and one
//! address that floods the server.
//!
//! Each connection of the crowd stays open and asks an easy question every five to nine seconds. The
//! flooding address opens connections that it leaves idle, and keeps asking hard questions: 32 at once,
//! and another one 50 ms after each response.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use ricochet_core::generate::Recipe;
use ricochet_core::notation;
use ricochet_core::quadrants::Edition;
use ricochet_core::rng::Rng;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpSocket, TcpStream};

const ADDRESSES: usize = 50;
const FLOOD: u8 = 60;
const FLOOD_TASKS: u64 = 32;
const FLOOD_IDLE: usize = 500;
const FLOOD_PAUSE: Duration = Duration::from_millis(50);

/// What came back to the crowd and to the flooding address.
#[derive(Default)]
pub(crate) struct Report {
    pub(crate) millis: Vec<f64>,
    statuses: BTreeMap<u16, u64>,
    flood: BTreeMap<u16, u64>,
    reconnects: u64,
    connections: usize,
}

impl std::fmt::Display for Report {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut millis = self.millis.clone();
        millis.sort_by(f64::total_cmp);
        let at = |share: f64| {
            let index = (millis.len() as f64 * share) as usize;
            millis
                .get(index)
                .or(millis.last())
                .copied()
                .unwrap_or(f64::NAN)
        };
        write!(
            f,
            "crowd: {} connections from {ADDRESSES} addresses, easy questions: {:?}; p50 {:.1} ms, \
             p95 {:.1} ms, p99 {:.1} ms, most {:.1} ms; {} connected again\n\
             flood from one address, hard questions: {:?} (0: no response)",
            self.connections,
            self.statuses,
            at(0.5),
            at(0.95),
            at(0.99),
            at(1.0),
            self.reconnects,
            self.flood,
        )
    }
}

impl Report {
    /// # Panics
    /// If the crowd got anything but 200 and 503.
    pub(crate) fn check(&self) {
        let wrong = self
            .statuses
            .keys()
            .any(|status| ![200, 503].contains(status));
        assert!(!wrong, "something else than 200 and 503");
    }
}

/// Runs the crowd and the flood for some time.
pub(crate) async fn run(server: SocketAddr, connections: usize, time: Duration) -> Report {
    let until = Instant::now() + time;
    let mut idle = Vec::new();
    for _ in 0..FLOOD_IDLE {
        idle.extend(connect(FLOOD, server).await);
    }
    let flood: Vec<_> = (0..FLOOD_TASKS)
        .map(|number| tokio::spawn(flood(server, number, until)))
        .collect();
    let reconnects = Arc::<AtomicU64>::default();
    let crowd: Vec<_> = (0..connections)
        .map(|number| tokio::spawn(visit(server, number, until, Arc::clone(&reconnects))))
        .collect();
    let mut report = Report {
        connections,
        ..Report::default()
    };
    for visitor in crowd {
        for (status, millis) in visitor.await.expect("a visitor") {
            *report.statuses.entry(status).or_default() += 1;
            if status == 200 {
                report.millis.push(millis);
            }
        }
    }
    for statuses in flood {
        for status in statuses.await.expect("a flooding client") {
            *report.flood.entry(status).or_default() += 1;
        }
    }
    report.reconnects = reconnects.load(Ordering::Relaxed);
    drop(idle);
    report
}

async fn connect(last: u8, server: SocketAddr) -> std::io::Result<TcpStream> {
    let socket = TcpSocket::new_v4()?;
    socket.bind(([127, 0, 0, last], 0).into())?;
    let stream = socket.connect(server).await?;
    stream.set_nodelay(true)?;
    Ok(stream)
}

async fn visit(
    server: SocketAddr,
    number: usize,
    until: Instant,
    reconnects: Arc<AtomicU64>,
) -> Vec<(u16, f64)> {
    let recipe = Recipe::official(Edition::Of2013);
    let mut rng = Rng::stream(8, number as u64);
    let address = 2 + (number % ADDRESSES) as u8;
    let mut answers = Vec::new();
    let mut stream = connect(address, server).await.ok();
    tokio::time::sleep(Duration::from_millis(rng.below(9_000) as u64)).await;
    for count in 1.. {
        if Instant::now() >= until {
            break;
        }
        let puzzle = recipe
            .puzzle(1_000 + number as u64, count)
            .expect("a puzzle");
        let line = notation::to_line(&puzzle);
        let (question, body) = match count % 4 {
            0 => ("solve", format!(r#"{{"puzzle":"{line}"}}"#)),
            1 => ("draw", format!(r#"{{"puzzle":"{line}"}}"#)),
            _ => ("check", format!(r#"{{"puzzle":"{line}","moves":"RN GE"}}"#)),
        };
        let started = Instant::now();
        let mut status = ask(stream.as_mut(), question, &body).await;
        if status.is_err() {
            // The server may close a connection that is idle.
            reconnects.fetch_add(1, Ordering::Relaxed);
            stream = connect(address, server).await.ok();
            status = ask(stream.as_mut(), question, &body).await;
        }
        answers.push((status.unwrap_or(0), started.elapsed().as_secs_f64() * 1e3));
        tokio::time::sleep(Duration::from_millis(5_000 + rng.below(4_000) as u64)).await;
    }
    answers
}

async fn flood(server: SocketAddr, number: u64, until: Instant) -> Vec<u16> {
    let mut statuses = Vec::new();
    for count in 0_u64.. {
        if Instant::now() >= until {
            break;
        }
        let body = format!(
            r#"{{"puzzle":"16x16..00112233445566{:x}7.R88","solver":"iddfs:memo=off","limits":{{"ms":{}}}}}"#,
            number % 6,
            2_000 + number * 1_000 + count % 1_000
        );
        let mut stream = connect(FLOOD, server).await.ok();
        let asked = ask(stream.as_mut(), "solve", &body);
        match tokio::time::timeout_at(until.into(), asked).await {
            Ok(status) => statuses.push(status.unwrap_or(0)),
            Err(_) => break,
        }
        tokio::time::sleep(FLOOD_PAUSE).await;
    }
    statuses
}

/// Asks on an open connection, which stays open; the status.
async fn ask(stream: Option<&mut TcpStream>, question: &str, body: &str) -> std::io::Result<u16> {
    let closed = || std::io::Error::from(std::io::ErrorKind::UnexpectedEof);
    let stream = stream.ok_or_else(closed)?;
    let request = format!(
        "POST /api/v1/{question} HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n\
         content-length: {}\r\n\r\n{body}",
        body.len()
    );
    stream.write_all(request.as_bytes()).await?;
    let mut received = Vec::new();
    loop {
        let head = received.windows(4).position(|it| it == b"\r\n\r\n");
        if let Some(head) = head {
            let text = String::from_utf8_lossy(&received[..head]);
            let length = text
                .lines()
                .find_map(|line| line.strip_prefix("content-length: ")?.parse::<usize>().ok());
            if received.len() >= head + 4 + length.ok_or_else(closed)? {
                let status = text.split(' ').nth(1).and_then(|it| it.parse().ok());
                return status.ok_or_else(closed);
            }
        }
        if stream.read_buf(&mut received).await? == 0 {
            return Err(closed());
        }
    }
}
