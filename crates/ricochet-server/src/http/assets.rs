//! The page, embedded in the program.

use axum::body::Body;
use axum::http::{HeaderMap, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use rust_embed::Embed;

use crate::http::response::{entity_tag, has_current};

/// The folder `web/public/`. Debug builds read it from the disk, so changes show at once. Only these
/// kinds of files are served, whatever else is there; the service worker is for static sites.
#[derive(Embed)]
#[folder = "$CARGO_MANIFEST_DIR/../../web/public"]
#[include = "index.html"]
#[include = "*.js"]
#[include = "*.css"]
#[include = "icon.svg"]
#[include = "icons/*.png"]
#[include = "wasm/*.wasm"]
#[include = "wasm/engine.json"]
#[exclude = "service-worker.js"]
struct Web;

/// The list of the engine's files for browsers, written by `./wasm.sh`. Without it, the page asks the
/// server.
const ENGINE: &str = "wasm/engine.json";

/// A file of the page; `/` is `index.html`.
pub(crate) async fn file(uri: Uri, headers: HeaderMap) -> Response {
    file_of::<Web>(&uri, &headers)
}

/// A file of an embedded folder.
fn file_of<Folder: Embed>(uri: &Uri, headers: &HeaderMap) -> Response {
    let path = uri.path().trim_start_matches('/');
    let path = if path.is_empty() { "index.html" } else { path };
    // Names in the folder are plain: nothing is decoded, and no path leads out of the folder.
    if path
        .split('/')
        .any(|part| part.is_empty() || part.starts_with('.'))
    {
        return missing();
    }
    let Some(file) = Folder::get(path) else {
        // The page asks for this file first, and browsers log a missing file as an error.
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
    // Names do not change with the content, so the browser has to ask each time.
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
        Some("js") => "text/javascript; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("json") => "application/json",
        Some("svg") => "image/svg+xml",
        Some("png") => "image/png",
        Some("wasm") => "application/wasm",
        _ => "application/octet-stream",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A page with an engine: the smallest valid module.
    #[derive(Embed)]
    #[folder = "$CARGO_MANIFEST_DIR/tests/data/with-engine"]
    struct WithEngine;

    /// A page without an engine.
    #[derive(Embed)]
    #[folder = "$CARGO_MANIFEST_DIR/tests/data/with-engine"]
    #[include = "nothing"]
    struct Without;

    /// Tools, tests, types, notes and settings of the page's developers must not be served.
    #[test]
    fn only_files_of_the_page_are_embedded() {
        let names: Vec<_> = Web::iter().collect();
        let has = |name: &str| names.iter().any(|it| it == name);
        assert!(has("index.html") && has("icon.svg") && !has("service-worker.js"));
        for name in &names {
            let (folder, file) = name.rsplit_once('/').unwrap_or(("", name));
            let extension = file.rsplit_once('.').map(|(_, extension)| extension);
            let allowed = match extension {
                Some("html") => folder.is_empty(),
                Some("js" | "css" | "svg" | "png") => true,
                Some("wasm") => folder == "wasm",
                Some("json") => &**name == ENGINE,
                _ => false,
            };
            let is_plain = name
                .split('/')
                .all(|part| !part.starts_with('.') && part != "node_modules" && part != "tests");
            assert!(allowed && is_plain, "{name}");
            assert_ne!(media_type(name), "application/octet-stream", "{name}");
        }
    }

    fn get<Folder: Embed>(path: &str, headers: &HeaderMap) -> Response {
        file_of::<Folder>(&path.parse().unwrap(), headers)
    }

    async fn text(response: Response) -> String {
        let bytes = axum::body::to_bytes(response.into_body(), 1 << 20);
        String::from_utf8(bytes.await.unwrap().to_vec()).unwrap()
    }

    #[tokio::test]
    async fn an_engine_is_served_with_its_media_type() {
        let list = get::<WithEngine>("/wasm/engine.json", &HeaderMap::new());
        assert_eq!(list.headers()[header::CONTENT_TYPE], "application/json");
        assert_eq!(text(list).await, "{\"portable\": \"tiny.wasm\"}\n");
        // Browsers compile while loading only with this type.
        let engine = get::<WithEngine>("/wasm/tiny.wasm", &HeaderMap::new());
        assert_eq!(engine.status(), StatusCode::OK);
        assert_eq!(engine.headers()[header::CONTENT_TYPE], "application/wasm");
        // The next build has the same name, so browsers ask each time, and get only what is new.
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
    async fn without_an_engine_the_list_is_empty_and_not_cached() {
        let list = get::<Without>("/wasm/engine.json", &HeaderMap::new());
        assert_eq!(list.status(), StatusCode::OK);
        assert_eq!(list.headers()[header::CACHE_CONTROL], "no-cache");
        assert_eq!(text(list).await, "{}\n");
        let engine = get::<Without>("/wasm/tiny.wasm", &HeaderMap::new());
        assert_eq!(engine.status(), StatusCode::NOT_FOUND);
    }
}
