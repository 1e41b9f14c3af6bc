//! Accepts connections, shuts down gracefully, and logs.

use std::io;
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::Request;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Semaphore, watch};
use tower::ServiceExt;
use tracing_subscriber::EnvFilter;

use crate::app::{App, PeerAddress};
use crate::config::Config;

/// The port if none is given.
pub const DEFAULT_PORT: u16 = 8017;

/// How long requests in flight may continue after a signal to stop.
const GRACE: Duration = Duration::from_secs(5);

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
        let permits = Arc::new(Semaphore::new(self.app.config.max_connections));
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
            // Connections above the limit are closed at once, so that they cannot pile up.
            let Ok(permit) = Arc::clone(&permits).try_acquire_owned() else {
                continue;
            };
            let router = self.router.clone();
            let config = &self.app.config;
            let (request_timeout, stall_timeout) = (config.request_timeout, config.stall_timeout);
            let ended = shutdown.subscribe();
            tokio::spawn(async move {
                limit_unread(&stream, stall_timeout);
                serve_one(stream, peer.ip(), router, request_timeout, ended).await;
                drop(permit);
            });
        }
        tracing::info!("shutting down");
        let _ = shutdown.send(true);
        self.app.hub.shut_down();
        let all = permits.acquire_many(self.app.config.max_connections as u32);
        if tokio::time::timeout(GRACE, all).await.is_err() {
            self.app.dispatcher.cancel_all();
        }
    }
}

async fn serve_one(
    stream: TcpStream,
    peer: IpAddr,
    router: Router,
    request_timeout: Duration,
    mut ended: watch::Receiver<bool>,
) {
    let _ = stream.set_nodelay(true);
    let service = router.map_request(move |request: Request<Incoming>| {
        let mut request = request.map(axum::body::Body::new);
        request.extensions_mut().insert(PeerAddress(peer));
        request
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
        () = async { drop(ended.wait_for(|ended| *ended).await) } => {
            connection.as_mut().graceful_shutdown();
            connection.await
        }
    };
    if let Err(error) = result {
        tracing::debug!("a connection ended early: {error}");
    }
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
