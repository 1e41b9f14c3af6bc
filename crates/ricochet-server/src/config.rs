//! The configuration of a server.

use std::net::{IpAddr, Ipv4Addr};
use std::path::PathBuf;
use std::time::Duration;

use ricochet_service::{Policy, RequestLimits};

use crate::clock::Clock;
use crate::rooms::RoomPrefix;

/// The configuration of a server.
#[derive(Clone, Debug)]
pub struct Config {
    /// The address to listen on.
    pub listen: IpAddr,
    /// The port; `None` means 8017, or any free port if that is taken.
    pub port: Option<u16>,
    /// Names of the server, in addition to IP addresses and `localhost`.
    pub hosts: Vec<String>,
    /// Whether to trust the client address that a proxy reports (`X-Forwarded-For`).
    pub behind_proxy: bool,
    /// The folder of the database; `None` keeps it in memory.
    pub data: Option<PathBuf>,
    /// The limits of one request.
    pub policy: Policy,
    /// Threads of the quick lane.
    pub quick_workers: usize,
    /// Threads of the middle lane.
    pub middle_workers: usize,
    /// Threads of the slow lane.
    pub slow_workers: usize,
    /// How many questions may wait in the quick lane.
    pub quick_queue: usize,
    /// How many searches may wait in the middle lane.
    pub middle_queue: usize,
    /// How many searches may wait in the slow lane.
    pub slow_queue: usize,
    /// What a search may use in the quick lane, and in the middle lane, before it moves on.
    pub slices: [RequestLimits; 2],
    /// Seconds of solver time per minute and client; `None` means no limit. Clients on this machine
    /// are not limited.
    pub budget: Option<u64>,
    /// Bytes of answers that are cached.
    pub cache_bytes: u64,
    /// The largest body of a request, in bytes.
    pub max_body: usize,
    /// Connections at once, without those to rooms.
    pub max_connections: usize,
    /// Connections from one address, or one network of IPv6, at once; behind a proxy, requests in
    /// flight. Those from this machine do not count.
    pub connections_per_address: usize,
    /// How long a client may take to send a request.
    pub request_timeout: Duration,
    /// How long a client may leave data unread before the connection is cut. Only on Linux; rooms
    /// disconnect slow readers sooner, on every platform.
    pub stall_timeout: Duration,
    /// How often a blank line keeps a stream alive.
    pub keep_alive: Duration,
    /// The limits of rooms.
    pub rooms: RoomLimits,
    /// The prefix of the names of this process's rooms, if several processes share an address.
    pub room_prefix: RoomPrefix,
    /// The other processes (`127.0.0.1:8022`), whose public rooms the lobby lists as well.
    pub room_peers: Vec<String>,
    /// Whether there is a public room that is always open.
    pub public_room: bool,
    /// The clock.
    pub clock: Clock,
}

impl Default for Config {
    /// Listens on this machine only, and stores nothing.
    fn default() -> Self {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        Self {
            listen: IpAddr::V4(Ipv4Addr::LOCALHOST),
            port: None,
            hosts: Vec::new(),
            behind_proxy: false,
            data: None,
            policy: Policy {
                ms: Some(60_000),
                memory_mib: Some(256),
                ..Policy::default()
            },
            quick_workers: cores.max(2),
            middle_workers: 1,
            slow_workers: cores,
            quick_queue: 512,
            middle_queue: 32,
            slow_queue: 8,
            slices: [20, 400].map(|ms| RequestLimits {
                ms: Some(ms),
                ..RequestLimits::default()
            }),
            budget: Some(30),
            cache_bytes: 64 << 20,
            max_body: 2 << 20,
            max_connections: 1024,
            connections_per_address: 128,
            request_timeout: Duration::from_secs(10),
            stall_timeout: Duration::from_secs(30),
            keep_alive: Duration::from_secs(5),
            rooms: RoomLimits::default(),
            room_prefix: RoomPrefix::default(),
            room_peers: Vec::new(),
            public_room: false,
            clock: Clock::system(),
        }
    }
}

/// The limits of rooms.
#[derive(Clone, Debug)]
pub struct RoomLimits {
    /// Rooms in memory at once.
    pub awake: usize,
    /// Rooms in the database.
    pub stored: usize,
    /// Connections to rooms at once, both `WebSockets` and streams.
    pub sockets: usize,
    /// Connections to rooms from one address at once; those from this machine do not count.
    pub sockets_per_address: usize,
    /// Spectators of one room at once.
    pub spectators: usize,
    /// Events of one room; after that it is closed.
    pub events: u64,
    /// Events of one room that are kept in memory for returning clients.
    pub recent: usize,
    /// Messages that may wait for one client.
    pub unread: usize,
    /// How long a room without connections stays in memory.
    pub idle: Duration,
    /// How long a room is stored after its last activity.
    pub kept: Duration,
    /// How long a player may be disconnected before the others see it.
    pub grace: Duration,
    /// How long a connection may be silent before it is closed.
    pub silence: Duration,
}

impl Default for RoomLimits {
    fn default() -> Self {
        Self {
            awake: 1_000,
            stored: 10_000,
            sockets: 4_096,
            sockets_per_address: 64,
            spectators: 200,
            events: 20_000,
            recent: 128,
            unread: 512,
            idle: Duration::from_secs(600),
            kept: Duration::from_secs(30 * 24 * 60 * 60),
            grace: Duration::from_secs(5),
            silence: Duration::from_secs(30),
        }
    }
}
