//! The page, embedded in the program.
//!
//! A browser gets one document with its style, then one file with the modules that it needs. All
//! files are below `/assets/HASH/`, where the hash changes with the content of the page, so browsers
//! may keep them for ever; only the document, the service worker and the manifest are asked for again.

mod bundle;
pub(crate) mod document;
pub(crate) mod encoding;

use std::collections::BTreeMap;
use std::fmt::Write;
use std::sync::Arc;

use axum::body::{Body, Bytes};
use axum::extract::Path;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use rust_embed::Embed;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use crate::http::assets::bundle::{BundleError, Entry, Modules, bundle};
use crate::http::assets::document::Template;
use crate::http::assets::encoding::{Effort, Encoded, Encoding};
use crate::http::response::{entity_tag, has_current};

/// The folder `web/public/`, found by `build.rs`. Debug builds read it from the disk, so changes show at once. Only these
/// kinds of files are served, whatever else is there.
#[derive(Embed)]
#[folder = "$RICOCHET_PAGE"]
#[include = "index.html"]
#[include = "embed.html"]
#[include = "*.js"]
#[include = "*.css"]
#[include = "icon.svg"]
#[include = "icons/*.png"]
#[include = "training/*.txt"]
#[include = "wasm/*.wasm"]
#[include = "wasm/engine.json"]
struct Web;

/// The list of the engine's files for browsers, written by `./wasm.sh`. Without it, the page asks the
/// server.
const ENGINE: &str = "wasm/engine.json";
const INDEX: &str = "index.html";
const EMBED: &str = "embed.html";
const WORKER: &str = "service-worker.js";

/// What documents and workers start with. Play is what most visitors open first.
const ENTRIES: [Entry; 3] = [
    Entry {
        module: "app/app.js",
        always: &["home/mode.js", "play/mode.js"],
    },
    Entry {
        module: "embed/embed.js",
        always: &["engine/worker.js"],
    },
    Entry {
        module: "engine/worker-script.js",
        always: &[],
    },
];

/// Joins the page's modules, by path, into the few files that browsers load. `./site.sh` uses it for the
/// static site.
///
/// # Errors
/// If a module uses a part of the language that cannot be joined.
pub fn join_modules(
    modules: &BTreeMap<String, String>,
) -> Result<BTreeMap<String, String>, Box<dyn std::error::Error>> {
    Ok(bundle(modules, &ENTRIES)?)
}

/// The document for addresses without a puzzle.
const ERROR: &str = r#"<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    <link rel="icon" href="icon.svg" type="image/svg+xml" />
    <title></title>
    <script src="ui/theme.js"></script>
    <link rel="stylesheet" href="style/theme.css" />
    <link rel="stylesheet" href="style/error.css" />
  </head>
  <body>
    <main>
      <h1></h1>
      <p class="description"></p>
      <p><a href="./">Today’s puzzle</a></p>
    </main>
  </body>
</html>
"#;

/// The same document in German.
fn german_error() -> String {
    ERROR
        .replace("lang=\"en\"", "lang=\"de\"")
        .replace("Today’s puzzle", "Rätsel von heute")
}

/// How long browsers may keep a file whose address changes with its content.
const FOR_EVER: &str = "public, max-age=31536000, immutable";

/// The page in the form in which it is sent.
pub(crate) struct Page {
    /// Changes with any file.
    version: String,
    files: BTreeMap<String, File>,
    template: Template,
    /// The board alone.
    embed: Template,
    /// For addresses without a puzzle, in English and German.
    errors: [Template; 2],
    manifest: Content,
    worker: Content,
    /// The engine's files for browsers by kind, relative to the page.
    engine: Value,
}

/// A file below `/assets/`.
struct File {
    /// Changes with its own content.
    hash: String,
    content: Content,
}

/// What is sent under an address.
pub(crate) struct Content {
    media_type: &'static str,
    tag: String,
    encoded: Encoded,
}

impl Content {
    pub(crate) fn new(media_type: &'static str, bytes: Bytes, effort: Effort) -> Self {
        let compressible = !media_type.starts_with("image/png");
        Self {
            media_type,
            tag: entity_tag(&bytes),
            encoded: Encoded::new(bytes, compressible, effort),
        }
    }

    /// A response in the encoding that the client wants, or its word that nothing changed.
    pub(crate) fn response(&self, headers: &HeaderMap, cache_control: &'static str) -> Response {
        let (encoding, bytes) = self.encoded.get(Encoding::wanted(headers));
        // Different bytes need different tags.
        let tag = match encoding.name() {
            Some(name) => format!("{}-{name}\"", self.tag.trim_end_matches('"')),
            None => self.tag.clone(),
        };
        let mut response = if has_current(headers, &tag) {
            StatusCode::NOT_MODIFIED.into_response()
        } else {
            let headers = [(header::CONTENT_TYPE, self.media_type)];
            let mut response = (headers, Body::from(bytes)).into_response();
            if let Some(name) = encoding.name() {
                let name = HeaderValue::from_static(name);
                response
                    .headers_mut()
                    .insert(header::CONTENT_ENCODING, name);
            }
            response
        };
        let headers = response.headers_mut();
        if let Ok(tag) = HeaderValue::from_str(&tag) {
            headers.insert(header::ETAG, tag);
        }
        headers.insert(
            header::CACHE_CONTROL,
            HeaderValue::from_static(cache_control),
        );
        headers.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
        response
    }
}

impl Page {
    /// The page as it is now.
    #[cfg(not(debug_assertions))]
    pub(crate) fn current() -> Arc<Self> {
        static PAGE: std::sync::LazyLock<Arc<Page>> =
            std::sync::LazyLock::new(|| match Page::of::<Web>() {
                Ok(page) => Arc::new(page),
                // A test makes sure that the embedded page can be prepared.
                Err(error) => panic!("the embedded page is broken: {error}"),
            });
        Arc::clone(&PAGE)
    }

    /// The page as it is on the disk, which is looked at again after a moment.
    #[cfg(debug_assertions)]
    pub(crate) fn current() -> Arc<Self> {
        use std::sync::{Mutex, PoisonError};
        use std::time::{Duration, Instant};
        type Read = (Instant, Arc<Page>);
        static PAGE: Mutex<Option<Read>> = Mutex::new(None);
        let mut page = PAGE.lock().unwrap_or_else(PoisonError::into_inner);
        match &*page {
            Some((read, page)) if read.elapsed() < Duration::from_secs(1) => Arc::clone(page),
            before => {
                let new = match (Page::of::<Web>(), before) {
                    (Ok(new), Some((_, old))) if new.version == old.version => Arc::clone(old),
                    (Ok(new), _) => Arc::new(new),
                    // Somebody is editing a module.
                    (Err(error), Some((_, old))) => {
                        tracing::error!("the page is broken: {error}");
                        Arc::clone(old)
                    }
                    (Err(error), None) => panic!("the page is broken: {error}"),
                };
                *page = Some((Instant::now(), Arc::clone(&new)));
                new
            }
        }
    }

    /// Compresses everything in the background, so that no visitor has to wait for it.
    pub(crate) fn compress_ahead() {
        std::thread::spawn(|| {
            let page = Self::current();
            for file in page.files.values() {
                for encoding in [Encoding::Brotli, Encoding::Gzip] {
                    file.content.encoded.get(encoding);
                }
            }
        });
    }

    /// Prepares an embedded folder.
    fn of<Folder: Embed>() -> Result<Self, BundleError> {
        let mut files: BTreeMap<String, Bytes> = Folder::iter()
            .filter_map(|path| {
                Some((
                    path.to_string(),
                    Folder::get(&path)?.data.into_owned().into(),
                ))
            })
            .collect();
        let mut take = |path: &str| files.remove(path).unwrap_or_default();
        let index = String::from_utf8_lossy(&take(INDEX)).into_owned();
        let embed = String::from_utf8_lossy(&take(EMBED)).into_owned();
        let worker = String::from_utf8_lossy(&take(WORKER)).into_owned();
        let engine = take(ENGINE);
        let scripts = files.iter().filter(|(path, _)| has_ending(path, "js"));
        let scripts = scripts
            .map(|(path, bytes)| (path.clone(), String::from_utf8_lossy(bytes).into_owned()));
        let scripts: Modules = scripts.collect();
        files.retain(|path, _| !has_ending(path, "js"));
        for (path, text) in bundle(&scripts, &ENTRIES)? {
            files.insert(path, text.into());
        }

        let parts = files
            .iter()
            .flat_map(|(path, bytes)| [path.as_bytes(), bytes]);
        let parts = parts.chain([
            index.as_bytes(),
            embed.as_bytes(),
            worker.as_bytes(),
            &engine,
        ]);
        let version = hash(parts.chain(scripts.values().map(String::as_bytes)));
        let files: BTreeMap<String, File> = files
            .into_iter()
            .map(|(path, bytes)| {
                let file = File {
                    hash: hash([&*bytes]),
                    content: Content::new(media_type(&path), bytes, Effort::Much),
                };
                (path, file)
            })
            .collect();
        let mut page = Self {
            template: Template::default(),
            embed: Template::default(),
            errors: [Template::default(), Template::default()],
            manifest: Content::new("application/manifest+json", Bytes::new(), Effort::Much),
            worker: Content::new("text/javascript; charset=utf-8", Bytes::new(), Effort::Much),
            engine: json!({}),
            version,
            files,
        };
        page.engine = page.engine_files(&engine);
        let german = german_error();
        let [index, embed, error, german] = [&*index, &*embed, ERROR, &*german].map(|html| {
            let file = |path: &str| page.files.get(path);
            let plain =
                |path: &str| file(path).map(|it| it.content.encoded.get(Encoding::Identity).1);
            Template::new(html, &scripts, plain, |path| page.address(path))
        });
        // What the documents hold is not fetched.
        let inside = [&index, &embed, &error]
            .map(Template::style_sheets)
            .concat();
        page.files.retain(|path, _| !inside.contains(path));
        (page.template, page.embed, page.errors) = (index, embed, [error, german]);
        let json = page.web_manifest().to_string();
        page.manifest = Content::new("application/manifest+json", json.into(), Effort::Much);
        let text = page.service_worker(&worker);
        page.worker = Content::new("text/javascript; charset=utf-8", text.into(), Effort::Much);
        Ok(page)
    }

    pub(crate) fn template(&self) -> &Template {
        &self.template
    }

    pub(crate) fn embed_template(&self) -> &Template {
        &self.embed
    }

    pub(crate) fn error_template(&self, german: bool) -> &Template {
        &self.errors[usize::from(german)]
    }

    pub(crate) fn version(&self) -> &str {
        &self.version
    }

    pub(crate) fn engine(&self) -> &Value {
        &self.engine
    }

    /// The address of a file, relative to the page. What refers to no other file keeps its address
    /// until it changes itself.
    fn address(&self, path: &str) -> Option<String> {
        let file = self.files.get(path)?;
        // Scripts ask for style sheets and puzzles by a path relative to their own.
        let alone = !["js", "css", "txt"].iter().any(|it| has_ending(path, it));
        let hash = if alone { &file.hash } else { &self.version };
        Some(format!("assets/{hash}/{path}"))
    }

    /// A file by its address below `/assets/`.
    fn file(&self, hash: &str, path: &str) -> Option<&Content> {
        let file = self.files.get(path)?;
        (hash == self.version || hash == file.hash).then_some(&file.content)
    }

    fn engine_files(&self, engine: &[u8]) -> Value {
        let mut engine: Value = serde_json::from_slice(engine).unwrap_or_else(|_| json!({}));
        let files = engine.as_object_mut().into_iter().flatten();
        for (_, file) in files {
            if let Some(name) = file.as_str() {
                *file = self.address(&format!("wasm/{name}")).into();
            }
        }
        engine["offline"] = WORKER.into();
        engine
    }

    /// What makes the page installable.
    fn web_manifest(&self) -> Value {
        let icon = |size: &str, purpose: &str, path: &str| json!({"src": self.address(path), "sizes": size, "type": "image/png", "purpose": purpose});
        json!({
            "name": "Ricochet Robots",
            "short_name": "Ricochet",
            "description": "Play, analyse and set up Ricochet Robots.",
            "id": "./",
            "start_url": "./",
            "scope": "./",
            "display": "standalone",
            "background_color": "#faf7f0",
            "theme_color": "#faf7f0",
            "icons": [
                icon("192x192", "any", "icons/icon-192.png"),
                icon("512x512", "any", "icons/icon-512.png"),
                icon("512x512", "maskable", "icons/icon-512-maskable.png"),
            ],
        })
    }

    /// The service worker with the list of what it keeps.
    fn service_worker(&self, script: &str) -> String {
        let files = self.files.keys().filter(|path| !path.starts_with("embed/"));
        let kept: Vec<String> = ["./".to_owned(), "manifest.webmanifest".to_owned()]
            .into_iter()
            .chain(files.filter_map(|path| self.address(path)))
            .collect();
        script
            .replace("'VERSION'", &json!(self.version).to_string())
            .replace("['FILES']", &json!(kept).to_string())
            .replace("const HAS_SERVER = false;", "const HAS_SERVER = true;")
    }
}

/// A short name for some bytes that other bytes do not have.
fn hash<'a>(parts: impl IntoIterator<Item = &'a [u8]>) -> String {
    let mut hasher = Sha256::new();
    for part in parts {
        hasher.update((part.len() as u64).to_le_bytes());
        hasher.update(part);
    }
    let mut text = String::new();
    for byte in &hasher.finalize()[..8] {
        let _ = write!(text, "{byte:02x}");
    }
    text
}

/// `GET /assets/HASH/PATH`
pub(crate) async fn file(
    Path((hash, path)): Path<(String, String)>,
    headers: HeaderMap,
) -> Response {
    // Compressing a file for the first time takes a moment.
    let response = tokio::task::spawn_blocking(move || {
        let page = Page::current();
        page.file(&hash, &path)
            .map(|content| content.response(&headers, FOR_EVER))
    });
    match response.await {
        Ok(Some(response)) => response,
        // Perhaps a file of another version, whose page then loads itself again.
        _ => missing(),
    }
}

/// `GET /service-worker.js`
pub(crate) async fn worker(headers: HeaderMap) -> Response {
    Page::current().worker.response(&headers, "no-cache")
}

/// `GET /manifest.webmanifest`
pub(crate) async fn manifest(headers: HeaderMap) -> Response {
    Page::current().manifest.response(&headers, "no-cache")
}

/// `GET /icon.svg`, for those who look for it there.
pub(crate) async fn icon(headers: HeaderMap) -> Response {
    match Page::current().files.get("icon.svg") {
        Some(file) => file.content.response(&headers, "no-cache"),
        None => missing(),
    }
}

/// Whether a file's name ends with a dot and these letters.
fn has_ending(path: &str, ending: &str) -> bool {
    let name = std::path::Path::new(path);
    name.extension().is_some_and(|it| it == ending)
}

/// The answer to an address that is not there.
pub(crate) fn missing() -> Response {
    let headers = [(header::CACHE_CONTROL, "no-store")];
    (StatusCode::NOT_FOUND, headers, "There is no such page.\n").into_response()
}

fn media_type(path: &str) -> &'static str {
    match path.rsplit('.').next() {
        Some("html") => "text/html; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("json") => "application/json",
        Some("svg") => "image/svg+xml",
        Some("txt") => "text/plain; charset=utf-8",
        Some("png") => "image/png",
        Some("wasm") => "application/wasm",
        _ => "application/octet-stream",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::http::assets::document::Document;

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
        assert!(has(INDEX) && has(EMBED) && has(WORKER) && has("icon.svg"));
        for name in &names {
            let (folder, file) = name.rsplit_once('/').unwrap_or(("", name));
            let extension = file.rsplit_once('.').map(|(_, extension)| extension);
            let allowed = match extension {
                Some("html") => folder.is_empty(),
                Some("js" | "css" | "svg" | "png") => true,
                Some("txt") => folder == "training",
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

    #[test]
    fn the_embedded_page_can_be_prepared() {
        let page = Page::of::<Web>().unwrap();
        let has = |path: &str| page.files.contains_key(path);
        assert!(has("app/app.js") && has("analyse/mode.js") && has("embed/embed.js"));
        let puzzles = page.address("training/puzzles.txt");
        let named = format!("assets/{}/training/puzzles.txt", page.version);
        assert_eq!(puzzles, Some(named), "next to the scripts that ask for it");
        assert!(
            !has("play/mode.js") && !has("style/theme.css"),
            "inside of others"
        );
        assert_eq!(page.version, Page::of::<Web>().unwrap().version);
        let document = Document {
            root: "../",
            title: "A <title>".into(),
            delivered: json!({"text": "</script>"}),
            ..Document::default()
        };
        let html = page.template.text(&document);
        assert!(html.contains("<title>A &lt;title&gt;</title>"));
        assert!(html.contains("{\"text\":\"\\u003c/script>\"}"));
        assert!(!html.contains(['\u{1}', '\u{2}']), "every place is filled");
        let named = format!("src=\"../assets/{}/app/app.js\"", page.version);
        assert!(html.contains(&named), "{html}");
    }

    #[test]
    fn an_engine_keeps_its_address_until_it_changes() {
        let page = Page::of::<WithEngine>().unwrap();
        let address = page.engine["portable"].as_str().unwrap();
        let [_, hash, path] = *address.splitn(3, '/').collect::<Vec<_>>() else {
            panic!("{address}");
        };
        assert_eq!(path, "wasm/tiny.wasm");
        assert_ne!(hash, page.version);
        let engine = page.file(hash, path).unwrap();
        // Browsers compile while loading only with this type.
        assert_eq!(engine.media_type, "application/wasm");
        let bytes = engine.encoded.get(Encoding::Identity).1;
        assert_eq!(&*bytes, b"\0asm\x01\0\0\0");
        assert!(page.file("another", path).is_none());
        let worker = page.service_worker("['FILES']");
        assert!(worker.contains(address), "{worker}");
    }

    #[test]
    fn without_an_engine_the_server_answers() {
        let page = Page::of::<Without>().unwrap();
        assert_eq!(page.engine, json!({"offline": WORKER}));
    }
}
