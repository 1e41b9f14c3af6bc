//! Accepts connections, shuts down gracefully, and logs.

use std::convert::Infallible;
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::extract::Request;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Semaphore, watch};
use tower::ServiceExt;
use tracing_subscriber::EnvFilter;

use crate::app::{App, PeerAddress};
use crate::config::Config;
use crate::connections::{ConnectionGuard, ConnectionLimits, Connections, GuardedBody};
use crate::http::assets::Page;
use crate::rate_limit::network_of;
use crate::store::Store;

/// The port if none is given.
pub const DEFAULT_PORT: u16 = 8017;

/// How long requests in flight may continue after a signal to stop.
const GRACE: Duration = Duration::from_secs(5);

/// How many connections are told at once that there is no place; the others are closed.
const MAX_REFUSALS: usize = 64;

/// Bytes that may wait in the kernel to be sent on one connection.
#[cfg(target_os = "linux")]
const UNSENT: u32 = 64 << 10;

/// A server that listens.
///
/// ```
/// use ricochet_server::{Config, Server};
/// # tokio::runtime::Runtime::new().unwrap().block_on(async {
/// let config = Config { port: Some(0), ..Config::default() };
/// let server = Server::bind(config).await.unwrap();
/// println!("http://{}/", server.address());
/// let stop = async {}; // at once, for this example
/// server.run(stop).await;
/// # });
/// ```
pub struct Server {
    listener: TcpListener,
    address: SocketAddr,
    app: Arc<App>,
    router: Router,
}

impl Server {
    /// Binds the address and starts the threads that search.
    ///
    /// # Errors
    /// If the address is taken, or the database cannot be opened.
    pub async fn bind(config: Config) -> io::Result<Self> {
        let listener = listen(config.listen, config.port).await?;
        let app = App::new(config)?;
        app.hub.start_sweeping();
        // Debug builds read the page from the disk and compress less.
        if !cfg!(debug_assertions) {
            Page::compress_ahead();
        }
        Ok(Self {
            address: listener.local_addr()?,
            listener,
            router: app.router(),
            app,
        })
    }

    /// The address that it listens on.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Answers until `stop` is ready; then requests in flight get some seconds to finish.
    pub async fn run(self, stop: impl Future<Output = ()>) {
        let connections = Connections::new(ConnectionLimits {
            total: self.app.config.max_connections,
            per_client: self.app.config.connections_per_address,
        });
        let refusals = Arc::new(Semaphore::new(MAX_REFUSALS));
        let (shutdown, _) = watch::channel(false);
        let mut stop = std::pin::pin!(stop);
        loop {
            let (stream, peer) = tokio::select! {
                () = &mut stop => break,
                accepted = self.listener.accept() => match accepted {
                    Ok(accepted) => accepted,
                    Err(error) => {
                        // Most likely out of file descriptors: wait until some are free.
                        tracing::warn!("a connection cannot be accepted: {error}");
                        tokio::time::sleep(Duration::from_millis(50)).await;
                        continue;
                    }
                },
            };
            let Some(guard) = connections.admit(network_of(peer.ip())) else {
                self.app.metrics.connections_refused.add(1);
                if let Ok(permit) = Arc::clone(&refusals).try_acquire_owned() {
                    tokio::spawn(async move {
                        refuse(stream).await;
                        drop(permit);
                    });
                }
                continue;
            };
            let router = self.router.clone();
            let config = &self.app.config;
            let (request_timeout, stall_timeout) = (config.request_timeout, config.stall_timeout);
            let ended = shutdown.subscribe();
            tokio::spawn(async move {
                limit_unread(&stream, stall_timeout);
                serve_one(stream, peer.ip(), router, request_timeout, ended, guard).await;
            });
        }
        tracing::info!("shutting down");
        let _ = shutdown.send(true);
        self.app.hub.shut_down();
        let all_gone = async {
            while connections.count() > 0 {
                connections.gone.notified().await;
            }
        };
        if tokio::time::timeout(GRACE, all_gone).await.is_err() {
            self.app.dispatcher.cancel_all();
        }
        // Rooms write their last events; then the next server can open the database.
        let Self {
            app,
            router,
            listener,
            ..
        } = self;
        let store = Arc::clone(&app.store);
        if let Err(error) = store.save_age(&app.config.clock) {
            tracing::warn!("the age of the database cannot be stored: {error}");
        }
        drop((app, router, listener));
        let released = async {
            while Arc::strong_count(&store) > 1 {
                tokio::time::sleep(Duration::from_millis(10)).await;
            }
        };
        let _ = tokio::time::timeout(GRACE, released).await;
    }
}

async fn serve_one(
    stream: TcpStream,
    peer: IpAddr,
    router: Router,
    request_timeout: Duration,
    mut ended: watch::Receiver<bool>,
    guard: ConnectionGuard,
) {
    let open = Arc::clone(&guard.connection);
    let _ = stream.set_nodelay(true);
    let service = tower::service_fn(move |request: Request<Incoming>| {
        let guard = open.busy();
        let mut request = request.map(Body::new);
        request.extensions_mut().insert(PeerAddress(peer));
        let response = router.clone().oneshot(request);
        async move {
            let response = response.await?;
            Ok::<_, Infallible>(response.map(|body| {
                Body::new(GuardedBody {
                    body,
                    _guard: guard,
                })
            }))
        }
    });
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(request_timeout)
        .max_buf_size(64 << 10)
        .serve_connection(TokioIo::new(stream), TowerToHyperService::new(service))
        .with_upgrades();
    let mut connection = std::pin::pin!(connection);
    let result = tokio::select! {
        result = connection.as_mut() => result,
        () = guard.connection.closed() => return,
        () = async { drop(ended.wait_for(|ended| *ended).await) } => {
            connection.as_mut().graceful_shutdown();
            connection.await
        }
    };
    if let Err(error) = result {
        tracing::debug!("a connection ended early: {error}");
    }
}

/// Refuses a connection for which there is no place.
async fn refuse(mut stream: TcpStream) {
    let body = r#"{"error":{"kind":"busy","code":"busy","message":"too many connections: try again later"}}"#;
    let response = format!(
        "HTTP/1.1 503 Service Unavailable\r\nretry-after: 5\r\ncontent-type: application/json\r\n\
         content-length: {}\r\nconnection: close\r\n\r\n{body}",
        body.len()
    );
    let answer = async {
        stream.write_all(response.as_bytes()).await?;
        stream.shutdown().await?;
        // Closing with unread data would reset the connection before the response is read.
        let mut rest = [0; 4096];
        for _ in 0..16 {
            if stream.read(&mut rest).await? == 0 {
                break;
            }
        }
        io::Result::Ok(())
    };
    let _ = tokio::time::timeout(Duration::from_secs(1), answer).await;
}

/// Bounds what a client that does not read can hold in the kernel's memory (megabytes per connection
/// otherwise), and cuts it off after `stall_timeout`, even if the connection is alive. Data on its
/// way to a distant reader does not count.
fn limit_unread(stream: &TcpStream, stall_timeout: Duration) {
    #[cfg(target_os = "linux")]
    {
        let socket = socket2::SockRef::from(stream);
        let _ = socket.set_tcp_notsent_lowat(UNSENT);
        let _ = socket.set_tcp_user_timeout(Some(stall_timeout));
    }
    #[cfg(not(target_os = "linux"))]
    let _ = (stream, stall_timeout);
}

/// Binds the given port, or the default port, or any free one.
async fn listen(address: IpAddr, port: Option<u16>) -> io::Result<TcpListener> {
    let Some(port) = port else {
        return match TcpListener::bind((address, DEFAULT_PORT)).await {
            Err(error) if error.kind() == io::ErrorKind::AddrInUse => {
                TcpListener::bind((address, 0)).await
            }
            other => other,
        };
    };
    TcpListener::bind((address, port)).await
}

/// A future that is ready after Ctrl-C or a request to terminate. Signals count from this call on,
/// since one may arrive as soon as the address has been printed.
///
/// # Errors
/// If the process cannot listen for signals.
fn signal() -> io::Result<impl Future<Output = ()>> {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        let mut interrupt = signal(SignalKind::interrupt())?;
        let mut terminate = signal(SignalKind::terminate())?;
        Ok(async move {
            tokio::select! {
                _ = interrupt.recv() => {}
                _ = terminate.recv() => {}
            }
        })
    }
    #[cfg(windows)]
    {
        let mut interrupt = tokio::signal::windows::ctrl_c()?;
        Ok(async move {
            interrupt.recv().await;
        })
    }
}

/// Runs a server until Ctrl-C or a request to terminate. `ready` is called with its address; an error
/// stops the server.
///
/// # Errors
/// If the address is taken, the database cannot be opened, or `ready` fails.
pub fn serve(config: Config, ready: impl FnOnce(SocketAddr) -> io::Result<()>) -> io::Result<()> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()?;
    runtime.block_on(async {
        let server = Server::bind(config).await?;
        let signal = signal();
        ready(server.address())?;
        let end = async {
            match signal {
                Ok(signal) => signal.await,
                Err(error) => {
                    tracing::error!("cannot listen for signals: {error}");
                    std::future::pending::<()>().await;
                }
            }
        };
        server.run(end).await;
        Ok(())
    })
}

/// Checks a configuration without serving: that the address is free, that the database can be used and
/// is not damaged, and that the process may open as many files as the limits need. Returns what is
/// worth knowing, one sentence each.
///
/// # Errors
/// The first reason why a server would not start.
pub fn check(config: &Config) -> io::Result<Vec<String>> {
    let mut notes = Vec::new();
    let port = config.port.unwrap_or(DEFAULT_PORT);
    std::net::TcpListener::bind((config.listen, port)).map_err(|error| {
        let address = SocketAddr::new(config.listen, port);
        io::Error::new(error.kind(), format!("{address} cannot be used: {error}"))
    })?;
    notes.push(format!("{} port {port} is free.", config.listen));
    if let Some(folder) = &config.data {
        let shown = folder.display();
        let store = Store::open(folder, &config.clock).map_err(|error| {
            io::Error::other(format!("the database in {shown} cannot be used: {error}"))
        })?;
        store.check().map_err(|error| {
            io::Error::other(format!("the database in {shown} cannot be used: {error}"))
        })?;
        notes.push(format!("The database in {shown} can be used."));
    }
    #[cfg(unix)]
    {
        // One for each connection, and some for the database, the log and the threads.
        let needed = (config.max_connections + config.rooms.sockets + 64) as u64;
        let limit = rustix::process::getrlimit(rustix::process::Resource::Nofile).current;
        if let Some(limit) = limit.filter(|limit| *limit < needed) {
            return Err(io::Error::other(format!(
                "the limits allow {needed} open files, the system only {limit}: raise it with \
                 ulimit -n or LimitNOFILE, or lower --room-connections"
            )));
        }
        notes.push(format!("{needed} files can be open at once."));
    }
    if !config.listen.is_loopback() && config.behind_proxy {
        notes.push(
            "With --behind-proxy, make sure that only the proxy can reach the server: clients could \
             claim any address."
                .to_owned(),
        );
    }
    if !config.listen.is_loopback() && config.hosts.is_empty() {
        notes.push(
            "Without --host, requests are answered only under an IP address or localhost."
                .to_owned(),
        );
    }
    Ok(notes)
}

/// Starts logging to standard error, as text or as one JSON object per line. The variable `RUST_LOG`
/// sets the level; the default is warnings and errors. Only the first call has an effect.
pub fn log(json: bool) {
    let filter = EnvFilter::try_from_default_env().unwrap_or_else(|_| EnvFilter::new("warn"));
    let builder = tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(std::io::stderr);
    let _ = if json {
        builder.json().try_init()
    } else {
        builder.try_init()
    };
}
