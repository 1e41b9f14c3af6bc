//! The checks that every request passes, and the headers of every response.
//!
//! A foreign page that is open in the same browser can send requests to this machine. Three checks
//! keep it out: `Host` has to be a known name (against DNS rebinding), `Origin` has to match `Host`,
//! and `Sec-Fetch-Site`, which browsers send, must not name another site.

use std::net::IpAddr;
use std::sync::Arc;
use std::time::Instant;

use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, Uri, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use ricochet_service::{Error, ErrorKind};

use crate::app::{App, client_of};
use crate::connections::GuardedBody;
use crate::http::query::decoded;
use crate::http::response::ApiError;

/// The content security policy of a response, with the hashes of the style sheets and scripts that
/// are in the document itself.
pub(crate) fn policy(styles: &[String], scripts: &[String], frame_ancestors: &str) -> String {
    let (styles, scripts) = (styles.join(" "), scripts.join(" "));
    format!(
        "default-src 'none'; script-src 'self' 'wasm-unsafe-eval' {scripts}; \
         style-src 'self' {styles}; img-src 'self' data: blob:; media-src 'self' data:; \
         font-src 'self'; connect-src 'self'; worker-src 'self'; manifest-src 'self'; \
         base-uri 'none'; form-action 'none'; frame-ancestors {frame_ancestors}"
    )
}

/// Marks a response that pages of other sites may use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ForOthers {
    /// They may show it in a frame; its policy says so.
    Frame,
    /// They may show the picture.
    Picture,
}

/// The headers of every response, besides its policy.
const HEADERS: [(HeaderName, &str); 6] = [
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::X_FRAME_OPTIONS, "DENY"),
    (header::REFERRER_POLICY, "no-referrer"),
    (
        HeaderName::from_static("cross-origin-opener-policy"),
        "same-origin",
    ),
    (
        HeaderName::from_static("cross-origin-embedder-policy"),
        "require-corp",
    ),
    (
        HeaderName::from_static("cross-origin-resource-policy"),
        "same-origin",
    ),
];

/// Checks a request, adds headers to the response, and counts and logs it.
pub(crate) async fn guard(State(app): State<Arc<App>>, request: Request, next: Next) -> Response {
    let started = Instant::now();
    let (method, path) = (request.method().clone(), request.uri().path().to_owned());
    let mut response = match check(&request, &app.config.hosts) {
        Ok(()) => admit(&app, request, next).await,
        Err((status, reason)) => {
            let error = Error::new(ErrorKind::BadRequest, reason);
            ApiError::new(status, &error).into_response()
        }
    };
    add_headers(&mut response);
    let time = started.elapsed();
    let status = response.status().as_u16();
    if let Some(counter) = app.metrics.statuses.get(usize::from(status / 100)) {
        counter.add(1);
    }
    app.metrics.times.record(time);
    tracing::info!(%method, path, status, micros = time.as_micros() as u64, "request");
    response
}

/// Answers a request if its client has not too many in flight. Without a proxy, the limit of
/// connections is enough.
async fn admit(app: &App, request: Request, next: Next) -> Response {
    if !app.config.behind_proxy {
        return next.run(request).await;
    }
    let client = client_of(&request, &app.config);
    let limit = app.config.connections_per_address;
    let Some(guard) = app.requests.admit(client, limit) else {
        app.metrics.connections_refused.add(1);
        return ApiError::busy(5).into_response();
    };
    let response = next.run(request).await;
    response.map(|body| {
        Body::new(GuardedBody {
            body,
            _guard: guard,
        })
    })
}

fn add_headers(response: &mut Response) {
    let for_others = response.extensions().get::<ForOthers>().copied();
    let headers = response.headers_mut();
    for (name, value) in HEADERS {
        headers.insert(name, HeaderValue::from_static(value));
    }
    if let Ok(policy) = HeaderValue::from_str(&policy(&[], &[], "'none'")) {
        let entry = headers.entry(header::CONTENT_SECURITY_POLICY);
        entry.or_insert(policy);
    }
    if for_others == Some(ForOthers::Frame) {
        headers.remove(header::X_FRAME_OPTIONS);
    }
    if for_others.is_some() {
        let name = HeaderName::from_static("cross-origin-resource-policy");
        headers.insert(name, HeaderValue::from_static("cross-origin"));
    }
}

fn check(request: &Request, hosts: &[String]) -> Result<(), (StatusCode, &'static str)> {
    // Others on the way might believe the other one.
    if request
        .headers()
        .get_all(header::HOST)
        .iter()
        .nth(1)
        .is_some()
    {
        return Err((StatusCode::BAD_REQUEST, "expected one header Host"));
    }
    if decoded(request.uri().path()).is_err() {
        return Err((StatusCode::BAD_REQUEST, "the path is not UTF-8"));
    }
    is_ours(request, hosts).map_err(|reason| (StatusCode::FORBIDDEN, reason))
}

fn is_ours(request: &Request, hosts: &[String]) -> Result<(), &'static str> {
    let headers = request.headers();
    let host = host_of(headers, request.uri()).ok_or("the header Host is missing")?;
    let name = name_of(host);
    let ours = name.eq_ignore_ascii_case("localhost")
        || name.trim_matches(['[', ']']).parse::<IpAddr>().is_ok()
        || hosts.iter().any(|known| known.eq_ignore_ascii_case(name));
    if !ours {
        return Err("this server does not answer under that name; --host adds one");
    }
    if let Some(origin) = headers.get(header::ORIGIN) {
        let origin = origin.to_str().unwrap_or_default();
        let place = origin.split_once("://").map_or("", |(_, place)| place);
        if !place.eq_ignore_ascii_case(host) {
            return Err("requests from other pages are refused");
        }
    }
    if !is_same_site(headers, request.method(), request.uri().path()) {
        return Err("requests from other pages are refused");
    }
    Ok(())
}

/// Whether the browser's headers do not name another page as the source. Others may link to our
/// pages, show a puzzle in a frame, and show the pictures of links.
fn is_same_site(headers: &HeaderMap, method: &Method, path: &str) -> bool {
    let value = |name: &str| headers.get(name).and_then(|value| value.to_str().ok());
    match value("sec-fetch-site") {
        None | Some("same-origin" | "none") => true,
        Some(_) => {
            let navigates = value("sec-fetch-mode") == Some("navigate");
            let allowed = match value("sec-fetch-dest") {
                Some("document") => navigates && !path.starts_with("/api/"),
                Some("iframe" | "frame") => navigates && path.starts_with("/embed/"),
                Some("image") => path.ends_with("/preview.png"),
                _ => false,
            };
            method == Method::GET && allowed
        }
    }
}

/// The host in a request.
pub(crate) fn host_of<'a>(headers: &'a HeaderMap, uri: &'a Uri) -> Option<&'a str> {
    match headers.get(header::HOST) {
        Some(host) => host.to_str().ok(),
        None => uri.authority().map(axum::http::uri::Authority::as_str),
    }
}

/// The scheme and host under which a client sees this server.
pub(crate) fn origin_of(headers: &HeaderMap, uri: &Uri, behind_proxy: bool) -> String {
    let forwarded = headers.get("x-forwarded-proto");
    let scheme = if behind_proxy && forwarded.is_some_and(|it| it == "https") {
        "https"
    } else {
        "http"
    };
    let host = host_of(headers, uri).unwrap_or("localhost");
    format!("{scheme}://{host}")
}

/// A host without its port.
fn name_of(host: &str) -> &str {
    if host.starts_with('[') {
        return host.find(']').map_or(host, |end| &host[..=end]);
    }
    host.rsplit_once(':').map_or(host, |(name, _)| name)
}

/// A response of plain text, for what a person may see in a browser.
pub(crate) fn plain(status: StatusCode, text: impl Into<String>) -> Response {
    let headers = [(header::CONTENT_TYPE, "text/plain; charset=utf-8")];
    (status, headers, text.into()).into_response()
}
