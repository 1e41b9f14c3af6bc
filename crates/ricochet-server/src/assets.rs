//! The page, embedded in the program.

use axum::body::Body;
use axum::http::{HeaderMap, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use rust_embed::Embed;

use crate::caching;

/// The folder `web/`. In debug builds it is read from the disk, so that a change is seen at once.
#[derive(Embed)]
#[folder = "$CARGO_MANIFEST_DIR/../../web"]
#[exclude = "node_modules/*"]
#[exclude = "tests/*"]
#[exclude = "package*.json"]
#[exclude = "*.d.ts"]
#[exclude = "*.md"]
#[exclude = "jsconfig.json"]
#[exclude = "service-worker.js"]
#[exclude = ".*"]
struct Web;

/// Which files of the engine there are for browsers; `./wasm.sh` writes it beside them. Without it,
/// the page asks the server.
const ENGINE: &str = "wasm/engine.json";

/// A file of the page; `/` is `index.html`.
pub(crate) async fn file(uri: Uri, headers: HeaderMap) -> Response {
    let path = uri.path().trim_start_matches('/');
    let path = if path.is_empty() { "index.html" } else { path };
    // Names in the folder are plain: nothing is decoded, and nothing leads out of it.
    if path
        .split('/')
        .any(|part| part.is_empty() || part.starts_with('.'))
    {
        return missing();
    }
    let Some(file) = Web::get(path) else {
        // The page asks this before anything else, and an error would be written to its console.
        if path == ENGINE {
            return ([(header::CONTENT_TYPE, media_type(path))], "{}\n").into_response();
        }
        return missing();
    };
    let tag = caching::tag(&file.metadata.sha256_hash());
    let kind = media_type(path);
    // The names do not change with the content: the browser asks each time whether it has changed.
    if caching::is_current(&headers, &tag) {
        let headers = [
            (header::ETAG, tag),
            (header::CACHE_CONTROL, "no-cache".to_owned()),
        ];
        return (StatusCode::NOT_MODIFIED, headers).into_response();
    }
    let headers = [
        (header::CONTENT_TYPE, kind.to_owned()),
        (header::ETAG, tag),
        (header::CACHE_CONTROL, "no-cache".to_owned()),
    ];
    (headers, Body::from(file.data.into_owned())).into_response()
}

fn missing() -> Response {
    (StatusCode::NOT_FOUND, "There is no such page.\n").into_response()
}

fn media_type(path: &str) -> &'static str {
    match path.rsplit('.').next() {
        Some("html") => "text/html; charset=utf-8",
        Some("js" | "mjs") => "text/javascript; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("json" | "webmanifest") => "application/json",
        Some("svg") => "image/svg+xml",
        Some("png") => "image/png",
        Some("ico") => "image/x-icon",
        Some("woff2") => "font/woff2",
        Some("wasm") => "application/wasm",
        Some("txt") => "text/plain; charset=utf-8",
        _ => "application/octet-stream",
    }
}
