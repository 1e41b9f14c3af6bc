//! The state that all handlers share, and the routes.

use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;

use axum::Router;
use axum::extract::{Request, State};
use axum::http::{StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use axum::routing::{any, get, post};
use ricochet_service::{Error, ErrorKind};

use crate::config::Config;
use crate::connections::Requests;
use crate::http::query::Fields;
use crate::http::response::ApiError;
use crate::http::{assets, guard, links, openapi, privacy, questions, submissions};
use crate::mcp;
use crate::metrics::Metrics;
use crate::queue::dispatcher::{DispatchLimits, Dispatcher};
use crate::queue::pool::{LaneSize, Pool};
use crate::rate_limit::{Rate, RateLimiter, is_limited, network_of};
use crate::rooms::Hub;
use crate::rooms::handlers::{bots, lobby, qr, review, socket};
use crate::store::Store;

/// The state that all handlers share.
pub(crate) struct App {
    pub(crate) config: Config,
    pub(crate) dispatcher: Arc<Dispatcher>,
    pub(crate) hub: Arc<Hub>,
    pub(crate) fields: Fields,
    pub(crate) metrics: Arc<Metrics>,
    pub(crate) store: Arc<Store>,
    /// Requests in flight, counted if a proxy reports the clients.
    pub(crate) requests: Arc<Requests>,
    /// How many puzzles a client may save.
    pub(crate) save_limit: RateLimiter,
    /// How many results and attempts a client may submit.
    pub(crate) submit_limit: RateLimiter,
}

/// Puzzles that a client may save: 30 at once, and one more per minute.
const SAVE_RATE: Rate = Rate::new(30.0, 1.0 / 60.0);

/// Results and attempts that a client may submit.
const SUBMIT_RATE: Rate = Rate::new(60.0, 0.5);

impl App {
    /// Opens the database and starts the threads that search.
    pub(crate) fn new(config: Config) -> std::io::Result<Arc<Self>> {
        let store = match &config.data {
            Some(folder) => Store::open(folder, &config.clock).map_err(|error| {
                let folder = folder.display();
                std::io::Error::other(format!("the database in {folder} cannot be used: {error}"))
            })?,
            None => Store::in_memory(&config.clock).map_err(std::io::Error::other)?,
        };
        let metrics = Arc::<Metrics>::default();
        let lanes = [
            (config.quick_workers, config.quick_queue),
            (config.middle_workers, config.middle_queue),
            (config.slow_workers, config.slow_queue),
        ];
        let pool = Pool::new(
            lanes.map(|(workers, queue)| LaneSize { workers, queue }),
            &metrics,
        )?;
        let solver_time = config
            .budget
            .map(|per_minute| Rate::new(per_minute as f64, per_minute as f64 / 60.0));
        let limits = DispatchLimits {
            policy: config.policy.clone(),
            slices: config.slices,
            solver_time: solver_time.map(RateLimiter::new),
            cache_bytes: config.cache_bytes,
            clock: config.clock.clone(),
        };
        let dispatcher = Arc::new(Dispatcher::new(pool, &metrics, limits));
        let store = Arc::new(store);
        let hub = Hub::new(&store, &dispatcher, &metrics, &config)?;
        Ok(Arc::new(Self {
            dispatcher,
            hub: Arc::new(hub),
            fields: Fields::new(),
            metrics,
            store,
            requests: Arc::default(),
            save_limit: RateLimiter::new(SAVE_RATE),
            submit_limit: RateLimiter::new(SUBMIT_RATE),
            config,
        }))
    }

    /// The routes.
    pub(crate) fn router(self: &Arc<Self>) -> Router {
        let guarded = axum::middleware::from_fn_with_state(Arc::clone(self), guard::guard);
        let routes = Router::new()
            .route("/healthz", get(|| async { "ok\n" }))
            .route("/metrics", get(metrics))
            .route("/api", get(openapi::page))
            .route("/api/style.css", get(openapi::style))
            .route("/api/v1/openapi.json", get(openapi::document))
            .route("/api/v1/puzzle/daily", get(questions::today))
            .route("/api/v1/puzzle/daily/{date}", get(questions::day))
            .route("/api/v1/results", post(submissions::add_result))
            .route("/api/v1/results/{date}", get(submissions::day))
            .route(
                "/api/v1/results/mine",
                get(submissions::own_results).delete(submissions::delete_own_results),
            )
            .route("/privacy", get(privacy::page))
            .route(
                "/api/v1/puzzles",
                get(submissions::puzzles).post(submissions::save_puzzle),
            )
            .route(
                "/api/v1/puzzles/{id}",
                get(submissions::puzzle)
                    .put(submissions::replace_puzzle)
                    .delete(submissions::delete_puzzle),
            )
            .route(
                "/api/v1/attempts",
                get(submissions::attempts).post(submissions::add_attempt),
            )
            .route("/api/v1/rooms", get(lobby::rooms).post(lobby::open))
            .route("/api/v1/rooms/tv", get(lobby::tv))
            .route("/api/v1/rooms/{room}", get(lobby::room))
            .route("/api/v1/rooms/{room}/seats", post(lobby::take_seat))
            .route("/api/v1/rooms/{room}/socket", get(socket::socket))
            .route("/api/v1/rooms/{room}/stream", get(bots::stream))
            .route("/api/v1/rooms/{room}/do/{what}", post(bots::call))
            .route("/api/v1/rooms/{room}/qr.svg", get(qr::qr))
            .route("/api/v1/rooms/{room}/games/{game}", get(review::game))
            .route("/api/v1/{question}", any(questions::question))
            .route("/", get(links::index))
            .route("/p/{line}", get(links::puzzle))
            .route("/p/{line}/preview.png", get(links::puzzle_preview))
            .route("/daily", get(links::today))
            .route("/daily/{date}", get(links::day))
            .route("/daily/{date}/preview.png", get(links::day_preview))
            .route("/embed/{line}", get(links::embed))
            .route("/oembed", get(links::oembed))
            .route("/assets/{hash}/{*path}", get(assets::file))
            .route("/icon.svg", get(assets::icon))
            .route("/manifest.webmanifest", get(assets::manifest))
            .route("/service-worker.js", get(assets::worker))
            .fallback(get(fallback))
            .method_not_allowed_fallback(wrong_method)
            .layer(guarded.clone())
            .with_state(Arc::clone(self));
        let endpoint = mcp::endpoint(&routes, &self.config);
        let endpoint = Router::new().route_service("/mcp", endpoint).layer(guarded);
        routes.merge(endpoint)
    }
}

/// The routes of a server, for tests without a socket.
///
/// ```
/// use axum::body::Body;
/// use axum::http::Request;
/// use tower::ServiceExt;
/// # tokio::runtime::Runtime::new().unwrap().block_on(async {
/// let app = ricochet_server::app(ricochet_server::Config::default()).unwrap();
/// let request = Request::get("/healthz").header("host", "localhost").body(Body::empty());
/// let response = app.oneshot(request.unwrap()).await.unwrap();
/// assert!(response.status().is_success());
/// # });
/// ```
///
/// # Errors
/// If a thread cannot be started or the database cannot be opened.
pub fn app(config: Config) -> std::io::Result<Router> {
    Ok(App::new(config)?.router())
}

/// Only for this machine: a proxy would show them to everybody.
async fn metrics(State(app): State<Arc<App>>, request: Request) -> Response {
    if is_limited(client_of(&request, &app.config)) {
        let text = "Metrics are shown only to this machine.\n";
        return guard::plain(StatusCode::FORBIDDEN, text);
    }
    let (in_flight, [quick, middle, slow]) = app.dispatcher.load();
    let (rooms, listening) = app.hub.load();
    let text = app.metrics.text(&[
        ("rooms_awake", "Rooms in memory.", rooms as u64),
        (
            "room_connections",
            "Connections to rooms.",
            listening as u64,
        ),
        ("in_flight", "Questions in flight.", in_flight as u64),
        (
            "quick_waiting",
            "Questions that wait for a first slice.",
            quick.waiting as u64,
        ),
        (
            "middle_waiting",
            "Searches that wait for a second slice.",
            middle.waiting as u64,
        ),
        (
            "slow_waiting",
            "Searches that wait for a slow thread.",
            slow.waiting as u64,
        ),
        (
            "slow_running",
            "Searches that run on slow threads.",
            slow.running as u64,
        ),
    ]);
    let headers = [(header::CONTENT_TYPE, "text/plain; version=0.0.4")];
    (headers, text).into_response()
}

/// What is neither a route nor a file of the page.
async fn fallback(uri: Uri) -> Response {
    if is_api(&uri) {
        return ApiError::not_found("there is no such address").into_response();
    }
    assets::missing()
}

fn is_api(uri: &Uri) -> bool {
    let rest = uri.path().strip_prefix("/api");
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

async fn wrong_method(uri: Uri) -> Response {
    if is_api(&uri) {
        let message = "this address needs another HTTP method";
        let error = Error::new(ErrorKind::BadRequest, message);
        return ApiError::new(StatusCode::METHOD_NOT_ALLOWED, &error).into_response();
    }
    guard::plain(
        StatusCode::METHOD_NOT_ALLOWED,
        "This address needs another HTTP method.\n",
    )
}

/// The address of the other side of a connection.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PeerAddress(pub(crate) IpAddr);

/// The client that a request's limits are counted against: an address, or a network of IPv6.
pub(crate) fn client_of(request: &Request, config: &Config) -> IpAddr {
    let peer = request.extensions().get::<PeerAddress>();
    let peer = peer.map_or(IpAddr::from([127, 0, 0, 1]), |peer| peer.0);
    if !config.behind_proxy {
        return network_of(peer);
    }
    let values = request.headers().get_all("x-forwarded-for");
    let last = values.iter().next_back();
    let last = last.and_then(|value| value.to_str().ok());
    let forwarded = last.and_then(|value| value.rsplit(',').next());
    network_of(forwarded.and_then(forwarded_address).unwrap_or(peer))
}

/// An address as proxies write it: some add the port, and brackets for IPv6.
fn forwarded_address(text: &str) -> Option<IpAddr> {
    let text = text.trim();
    let plain = text.trim_matches(['[', ']']).parse().ok();
    plain.or_else(|| text.parse::<SocketAddr>().ok().map(|both| both.ip()))
}
