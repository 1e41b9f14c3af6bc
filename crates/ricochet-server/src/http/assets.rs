//! The page, embedded in the program.

use axum::body::Body;
use axum::http::{HeaderMap, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use rust_embed::Embed;

use crate::http::response::{entity_tag, has_current};

/// The folder `web/public/`. Debug builds read it from the disk, so changes show at once.
#[derive(Embed)]
#[folder = "$CARGO_MANIFEST_DIR/../../web/public"]
#[exclude = "*.md"]
#[exclude = "service-worker.js"]
#[exclude = ".*"]
struct Web;

/// Which files of the engine there are for browsers; `./wasm.sh` writes it beside them. Without it,
/// the page asks the server.
const ENGINE: &str = "wasm/engine.json";

/// A file of the page; `/` is `index.html`.
pub(crate) async fn file(uri: Uri, headers: HeaderMap) -> Response {
    file_of::<Web>(&uri, &headers)
}

/// A file of a folder that is embedded.
fn file_of<Folder: Embed>(uri: &Uri, headers: &HeaderMap) -> Response {
    let path = uri.path().trim_start_matches('/');
    let path = if path.is_empty() { "index.html" } else { path };
    // Names in the folder are plain: nothing is decoded, and nothing leads out of it.
    if path
        .split('/')
        .any(|part| part.is_empty() || part.starts_with('.'))
    {
        return missing();
    }
    let Some(file) = Folder::get(path) else {
        // The page asks this before anything else, and an error would be written to its console.
        if path == ENGINE {
            let headers = [
                (header::CONTENT_TYPE, media_type(path)),
                (header::CACHE_CONTROL, "no-cache"),
            ];
            return (headers, "{}\n").into_response();
        }
        return missing();
    };
    let tag = entity_tag(&file.metadata.sha256_hash());
    let kind = media_type(path);
    // The names do not change with the content: the browser asks each time whether it has changed.
    if has_current(headers, &tag) {
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

#[cfg(test)]
mod tests {
    use super::*;

    /// A page that was built with an engine: the least module that there is.
    #[derive(Embed)]
    #[folder = "$CARGO_MANIFEST_DIR/tests/data/with-engine"]
    struct WithEngine;

    /// A page that was built without.
    #[derive(Embed)]
    #[folder = "$CARGO_MANIFEST_DIR/tests/data/with-engine"]
    #[include = "nothing"]
    struct Without;

    fn get<Folder: Embed>(path: &str, headers: &HeaderMap) -> Response {
        file_of::<Folder>(&path.parse().unwrap(), headers)
    }

    async fn text(response: Response) -> String {
        let bytes = axum::body::to_bytes(response.into_body(), 1 << 20);
        String::from_utf8(bytes.await.unwrap().to_vec()).unwrap()
    }

    #[tokio::test]
    async fn an_engine_that_was_built_is_delivered_as_what_it_is() {
        let list = get::<WithEngine>("/wasm/engine.json", &HeaderMap::new());
        assert_eq!(list.headers()[header::CONTENT_TYPE], "application/json");
        assert_eq!(text(list).await, "{\"portable\": \"tiny.wasm\"}\n");
        // Browsers compile while they load only what has this type.
        let engine = get::<WithEngine>("/wasm/tiny.wasm", &HeaderMap::new());
        assert_eq!(engine.status(), StatusCode::OK);
        assert_eq!(engine.headers()[header::CONTENT_TYPE], "application/wasm");
        // The next build has the same name, so it is asked for each time, and sent only if it is new.
        assert_eq!(engine.headers()[header::CACHE_CONTROL], "no-cache");
        let tag = engine.headers()[header::ETAG].clone();
        assert_eq!(text(engine).await, "\0asm\u{1}\0\0\0");
        let mut known = HeaderMap::new();
        known.insert(header::IF_NONE_MATCH, tag.clone());
        let again = get::<WithEngine>("/wasm/tiny.wasm", &known);
        assert_eq!(again.status(), StatusCode::NOT_MODIFIED);
        assert_eq!(again.headers()[header::ETAG], tag);
        assert_eq!(text(again).await, "");
        known.insert(header::IF_NONE_MATCH, "\"another\"".parse().unwrap());
        let newer = get::<WithEngine>("/wasm/tiny.wasm", &known);
        assert_eq!(newer.status(), StatusCode::OK);
    }

    #[tokio::test]
    async fn without_an_engine_the_list_is_empty_and_not_kept() {
        let list = get::<Without>("/wasm/engine.json", &HeaderMap::new());
        assert_eq!(list.status(), StatusCode::OK);
        assert_eq!(list.headers()[header::CACHE_CONTROL], "no-cache");
        assert_eq!(text(list).await, "{}\n");
        let engine = get::<Without>("/wasm/tiny.wasm", &HeaderMap::new());
        assert_eq!(engine.status(), StatusCode::NOT_FOUND);
    }
}
