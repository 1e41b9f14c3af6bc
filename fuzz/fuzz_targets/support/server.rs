//! A server in this process, on a loopback port of its own, with limits that keep every input short.

use std::net::SocketAddr;
use std::time::Duration;

use ricochet_server::{Config, Server};
use ricochet_service::{Policy, RequestLimits};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::runtime::Runtime;
use tokio::signal::unix::{SignalKind, signal};

/// A server starts anew after so many inputs, since rooms and puzzles pile up.
const INPUTS: usize = 500;

/// A server, and the runtime that it and its clients run on.
pub struct FuzzServer {
    runtime: Runtime,
    address: SocketAddr,
    request_timeout: Duration,
    inputs: usize,
}

impl FuzzServer {
    /// A server that waits so long for a request.
    pub fn new(request_timeout: Duration) -> Self {
        let runtime = Runtime::new().unwrap();
        let address = runtime.block_on(start(request_timeout));
        Self {
            runtime,
            address,
            request_timeout,
            inputs: 0,
        }
    }

    /// Runs a client of the server until it is done.
    pub fn run<F: Future<Output = ()>>(&mut self, client: impl FnOnce(SocketAddr) -> F) {
        self.inputs += 1;
        if self.inputs > INPUTS {
            let old = std::mem::replace(self, Self::new(self.request_timeout));
            old.runtime.shutdown_background();
        }
        self.runtime.block_on(client(self.address));
    }
}

async fn start(request_timeout: Duration) -> SocketAddr {
    // Rust programs ignore it, but libFuzzer's `main` does not: a client that leaves would end the process.
    let _ = signal(SignalKind::pipe()).unwrap();
    let short = RequestLimits {
        ms: Some(10),
        ..RequestLimits::default()
    };
    let config = Config {
        port: Some(0),
        policy: Policy {
            ms: Some(20),
            memory_mib: Some(64),
            ..Policy::default()
        },
        quick_workers: 1,
        slow_workers: 1,
        slices: [short.clone(), short],
        request_timeout,
        keep_alive: Duration::from_millis(20),
        ..Config::default()
    };
    let server = Server::bind(config).await.unwrap();
    let address = server.address();
    tokio::spawn(server.run(std::future::pending()));
    address
}

/// Sends bytes, and reads what comes back until the server closes or a moment has passed.
pub async fn exchange(address: SocketAddr, bytes: &[u8], moment: Duration) -> Vec<u8> {
    let mut stream = TcpStream::connect(address).await.unwrap();
    let mut received = Vec::new();
    let talk = async {
        let (mut read, mut write) = stream.split();
        // The server may answer, and close, before it has read everything.
        let _ = tokio::join!(write.write_all(bytes), async {
            let mut chunk = [0; 16 << 10];
            while let Ok(count @ 1..) = read.read(&mut chunk).await {
                received.extend_from_slice(&chunk[..count]);
            }
        });
    };
    let _ = tokio::time::timeout(moment, talk).await;
    received
}
