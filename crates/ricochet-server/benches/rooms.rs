//! Many rooms at once on loopback:
//!
//! ```sh
//! cargo bench -p ricochet-server --bench rooms           # 500 rooms with 4 players for 60 s
//! ROOMS=50 ROOMS_SECONDS=10 cargo bench -p ricochet-server --bench rooms
//! ROOMS_CROWD=2000 cargo bench -p ricochet-server --bench rooms      # with a crowd and a flood
//! ```
//!
//! The server is a process of its own with its database on the disk. In every room all four players
//! bid, each every one to three seconds, ever lower, while the sand runs; nobody can show, the chip
//! goes back, and the next round begins. Measured is the time from the moment a player sends a bid to
//! the moment each of the four hears of it. The program fails if an event is missing anywhere, if an
//! acknowledged bid was not heard by all, or if a connection breaks. Two of the four players say that
//! they are bots.

#[path = "support/crowd.rs"]
mod crowd;

use std::io::{BufRead, BufReader};
use std::net::SocketAddr;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use futures_util::{SinkExt, StreamExt};
use ricochet_core::rng::Rng;
use ricochet_server::{Config, RoomLimits};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;

const PLAYERS: usize = 4;

fn number(name: &str, default: u64) -> u64 {
    let given = std::env::var(name).ok();
    given.and_then(|text| text.parse().ok()).unwrap_or(default)
}

fn main() {
    more_files();
    if let Some(folder) = std::env::var_os("ROOMS_SERVER") {
        return serve(folder.into());
    }
    let (rooms, seconds) = (number("ROOMS", 500), number("ROOMS_SECONDS", 60));
    let folder = std::env::temp_dir().join(format!("ricochet-rooms-{}", std::process::id()));
    let mut server = Server::start(&folder);
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    let told = runtime.block_on(run(&server, rooms as usize, Duration::from_secs(seconds)));
    println!("{told}");
    let _ = server.child.kill();
    let _ = server.child.wait();
    let _ = std::fs::remove_dir_all(folder);
}

/// As many open files as the system allows.
fn more_files() {
    #[cfg(unix)]
    {
        use rustix::process::{Resource, getrlimit, setrlimit};
        let mut limit = getrlimit(Resource::Nofile);
        limit.current = limit.maximum;
        let _ = setrlimit(Resource::Nofile, limit);
    }
}

fn serve(folder: std::path::PathBuf) {
    let config = Config {
        port: Some(0),
        data: Some(folder),
        max_connections: 8_192,
        rooms: RoomLimits {
            awake: 10_000,
            sockets: 50_000,
            ..RoomLimits::default()
        },
        ..Config::default()
    };
    ricochet_server::serve(config, |address| {
        println!("{address}");
        Ok(())
    })
    .expect("a server");
}

struct Server {
    child: Child,
    address: SocketAddr,
    folder: std::path::PathBuf,
}

impl Server {
    fn start(folder: &std::path::Path) -> Self {
        let program = std::env::current_exe().expect("this program");
        let mut child = Command::new(program)
            .env("ROOMS_SERVER", folder)
            .stdout(Stdio::piped())
            .spawn()
            .expect("a server");
        let mut line = String::new();
        let stdout = child.stdout.take().expect("its output");
        BufReader::new(stdout)
            .read_line(&mut line)
            .expect("its address");
        let address = line.trim().parse().expect("an address");
        Self {
            child,
            address,
            folder: folder.to_owned(),
        }
    }

    /// Its largest and present size in KiB.
    fn memory(&self) -> (u64, u64) {
        let path = format!("/proc/{}/status", self.child.id());
        let status = std::fs::read_to_string(path).unwrap_or_default();
        let field = |name: &str| {
            let line = status.lines().find_map(|line| line.strip_prefix(name));
            let number = line.and_then(|it| it.split_whitespace().next()?.parse().ok());
            number.unwrap_or(0)
        };
        (field("VmHWM:"), field("VmRSS:"))
    }

    /// The size of its database on the disk in bytes.
    fn disk(&self) -> u64 {
        let files = std::fs::read_dir(&self.folder).into_iter().flatten();
        let sizes = files.flatten().filter_map(|file| file.metadata().ok());
        sizes.map(|it| it.len()).sum()
    }

    /// Its processor time in seconds.
    fn processor(&self) -> f64 {
        let path = format!("/proc/{}/stat", self.child.id());
        let stat = std::fs::read_to_string(path).unwrap_or_default();
        let fields = stat.rsplit(')').next().unwrap_or_default();
        let mut fields = fields.split_whitespace().skip(11);
        let mut ticks = || -> f64 {
            let field = fields.next().and_then(|it| it.parse().ok());
            field.unwrap_or(0.0)
        };
        (ticks() + ticks()) / 100.0
    }
}

/// When each bid of a round was sent, in microseconds since the start.
struct Table {
    sent: Vec<AtomicU64>,
}

impl Table {
    fn at(&self, player: usize, bid: usize) -> &AtomicU64 {
        &self.sent[player * 100 + bid]
    }
}

/// What one player saw.
#[derive(Default)]
struct Seen {
    micros: Vec<u32>,
    /// Bids that were acknowledged to this player.
    acknowledged: u64,
    /// The bids of all players that this player has received.
    bids: u64,
    last: u64,
    events: u64,
}

async fn run(server: &Server, rooms: usize, time: Duration) -> String {
    let address = server.address;
    let empty = server.memory().1;
    let started = Instant::now();
    let begin = Arc::new(tokio::sync::Notify::new());
    let mut players = Vec::new();
    for room in 0..rooms {
        let options = json!({"sand_ms": 20_000, "pause_ms": 1_000, "show_ms": 5_000});
        let told = post(address, "/api/v1/rooms", &json!({ "options": options })).await;
        let name = told["room"].as_str().expect("a room").to_owned();
        let table = Arc::new(Table {
            sent: (0..PLAYERS * 100 + 100)
                .map(|_| AtomicU64::new(0))
                .collect(),
        });
        for player in 0..PLAYERS {
            let path = format!("/api/v1/rooms/{name}/seats");
            let seat = post(
                address,
                &path,
                &json!({"name": format!("P{player}"), "bot": player >= 2}),
            )
            .await;
            let token = seat["token"].as_str().expect("a seat").to_owned();
            let socket = connect(address, &name, &token).await;
            let (table, begin) = (Arc::clone(&table), Arc::clone(&begin));
            let chance = Rng::stream(room as u64, player as u64);
            players.push(tokio::spawn(async move {
                begin.notified().await;
                play(socket, player, &table, chance, time).await
            }));
        }
    }
    let opening = started.elapsed();
    let full = server.memory().1;
    // All of them wait for the signal by now.
    tokio::time::sleep(Duration::from_secs(1)).await;
    let (before, counted) = (server.processor(), metrics(address).await);
    let written = server.disk();
    begin.notify_waiters();
    let crowd = number("ROOMS_CROWD", 0) as usize;
    if crowd > 0 {
        let report = crowd::run(address, crowd, time).await;
        println!("{report}");
        report.check();
    }
    let mut all = Vec::new();
    for player in players {
        all.push(player.await.expect("no player panicked"));
    }
    let processor = server.processor() - before;
    let after = metrics(address).await;
    let written = server.disk() - written;
    let mut micros: Vec<u32> = all
        .iter()
        .flat_map(|it| it.micros.iter().copied())
        .collect();
    micros.sort_unstable();
    let at = |share: f64| {
        let index = (micros.len() as f64 * share) as usize;
        f64::from(micros.get(index).copied().unwrap_or(0)) / 1e3
    };
    let acknowledged: u64 = all.iter().map(|it| it.acknowledged).sum();
    let heard: u64 = all.iter().map(|it| it.bids).sum();
    for table in all.chunks(PLAYERS) {
        let acknowledged: u64 = table.iter().map(|it| it.acknowledged).sum();
        for player in table {
            assert_eq!(player.bids, acknowledged, "every bid was heard by all");
        }
    }
    let of = |name: &str| after(name) - counted(name);
    let (commits, events) = (of("room_commits_total"), of("room_events_total"));
    let per_room = full.saturating_sub(empty) as f64 / rooms as f64;
    format!(
        "{rooms} rooms with {PLAYERS} players, {} s, {} cores; opened in {:.1} s\n\
         {acknowledged} bids, {heard} heard; {events} events, {} messages of events\n\
         from sending a bid to hearing of it: p50 {:.1} ms, p95 {:.1} ms, p99 {:.1} ms, most {:.1} ms\n\
         {commits} commits, {:.1} events each, {:.2} ms each\n\
         server: {:.1} s of processor time, {:.2} ms a room and second; {} MiB at most, \
         {} MiB empty, {per_room:.0} KiB a room with its players\n\
         disk: {} MiB, {} bytes an event",
        time.as_secs(),
        std::thread::available_parallelism().map_or(1, usize::from),
        opening.as_secs_f64(),
        all.iter().map(|it| it.events).sum::<u64>(),
        at(0.5),
        at(0.95),
        at(0.99),
        at(1.0 - 1e-9),
        events as f64 / commits.max(1) as f64,
        of("room_commit_microseconds_total") as f64 / 1e3 / commits.max(1) as f64,
        processor,
        processor * 1e3 / rooms as f64 / time.as_secs_f64(),
        server.memory().0 / 1024,
        empty / 1024,
        written >> 20,
        written / events.max(1),
    )
}

type Socket = tokio_tungstenite::WebSocketStream<TcpStream>;

/// Plays until the time is over, and then listens until it is quiet.
async fn play(
    mut socket: Socket,
    me: usize,
    table: &Table,
    mut chance: Rng,
    time: Duration,
) -> Seen {
    let start = Instant::now();
    let mut seen = Seen::default();
    let (mut lowest, mut thinking, mut pinged) = (100_u64, false, Instant::now());
    if me == 0 {
        send(&mut socket, &json!({"do": "start"})).await;
    }
    let mut next = start + wait(&mut chance);
    loop {
        let over = start.elapsed() >= time;
        if start.elapsed() >= time + Duration::from_secs(8) {
            break;
        }
        tokio::select! {
            frame = socket.next() => {
                let frame = frame.expect("the connection holds").expect("a frame");
                let Message::Text(text) = frame else { continue };
                let now = micros();
                let message: Value = serde_json::from_str(&text).expect("JSON");
                if message["type"] == "reply" && message["ok"] == true {
                    seen.acknowledged += 1;
                }
                if message["type"] == "welcome" {
                    seen.last = message["version"].as_u64().expect("a version");
                }
                if message["type"] != "event" {
                    continue;
                }
                seen.events += 1;
                let number = message["number"].as_u64().expect("a number");
                if number <= seen.last {
                    continue;
                }
                assert_eq!(number, seen.last + 1, "an event is missing");
                seen.last = number;
                match message["event"].as_str() {
                    Some("round-started") => (lowest, thinking) = (100, true),
                    Some("bid") => {
                        seen.bids += 1;
                        let player = message["player"].as_u64().expect("a player") as usize - 1;
                        let bid = message["moves"].as_u64().expect("moves") as usize;
                        let sent = table.at(player, bid).load(Ordering::Acquire);
                        seen.micros.push((now - sent) as u32);
                    }
                    Some("show-started") => {
                        thinking = false;
                        if message["player"] == me as u64 + 1 {
                            send(&mut socket, &json!({"do": "give-up"})).await;
                        }
                    }
                    _ => {}
                }
            }
            () = tokio::time::sleep_until(next.into()) => {
                next = Instant::now() + wait(&mut chance);
                if pinged.elapsed() > Duration::from_secs(5) {
                    pinged = Instant::now();
                    send(&mut socket, &json!({"do": "ping", "t": 1.0, "lag": 1})).await;
                }
                if thinking && !over && lowest > 1 {
                    lowest -= 1;
                    table.at(me, lowest as usize).store(micros(), Ordering::Release);
                    send(&mut socket, &json!({"do": "bid", "moves": lowest, "id": 1})).await;
                }
            }
        }
    }
    seen
}

fn wait(chance: &mut Rng) -> Duration {
    Duration::from_millis(1_000 + chance.below(2_000) as u64)
}

fn micros() -> u64 {
    static START: std::sync::OnceLock<Instant> = std::sync::OnceLock::new();
    START.get_or_init(Instant::now).elapsed().as_micros() as u64
}

async fn send(socket: &mut Socket, message: &Value) {
    let sent = socket.send(Message::text(message.to_string())).await;
    sent.expect("the connection holds");
}

async fn connect(address: SocketAddr, room: &str, token: &str) -> Socket {
    let url = format!("ws://{address}/api/v1/rooms/{room}/socket");
    let request = url.into_client_request().expect("a request");
    let stream = TcpStream::connect(address).await.expect("a connection");
    stream.set_nodelay(true).expect("no delay");
    let joined = tokio_tungstenite::client_async(request, stream).await;
    let (mut socket, _) = joined.expect("a socket");
    send(&mut socket, &json!({"hello": 1, "token": token})).await;
    socket
}

async fn ask(address: SocketAddr, request: String) -> String {
    let mut stream = TcpStream::connect(address).await.expect("a connection");
    stream.write_all(request.as_bytes()).await.expect("sent");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await.expect("an answer");
    let (_, body) = answer.split_once("\r\n\r\n").expect("a body");
    body.to_owned()
}

async fn post(address: SocketAddr, path: &str, body: &Value) -> Value {
    let body = body.to_string();
    let request = format!(
        "POST {path} HTTP/1.1\r\nhost: {address}\r\ncontent-type: application/json\r\n\
         connection: close\r\ncontent-length: {}\r\n\r\n{body}",
        body.len()
    );
    serde_json::from_str(&ask(address, request).await).expect("JSON")
}

async fn metrics(address: SocketAddr) -> impl Fn(&str) -> u64 {
    let request = format!("GET /metrics HTTP/1.1\r\nhost: {address}\r\nconnection: close\r\n\r\n");
    let text = ask(address, request).await;
    move |name: &str| {
        let line = text.lines().find_map(|line| {
            let value = line.strip_prefix("ricochet_")?.strip_prefix(name)?;
            value.trim().parse::<u64>().ok()
        });
        line.unwrap_or(0)
    }
}
