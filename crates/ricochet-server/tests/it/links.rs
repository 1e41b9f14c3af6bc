//! Links to puzzles: documents, previews, frames and oEmbed; and how the page is delivered.

use std::fmt::Write as _;
use std::io::Read;

use axum::body::{Body, to_bytes};
use axum::http::{Method, Response, StatusCode};
use proptest::prelude::*;
use ricochet_server::Config;
use serde_json::Value;

use crate::support::{Client, json_of, text_of};

const LINE: &str = "1A4B3B2B.1fc1f0c0.B9c";

fn value(response: &Response<Body>, name: &str) -> String {
    let value = response.headers().get(name);
    value.map_or(String::new(), |value| value.to_str().unwrap().to_owned())
}

async fn bytes_of(response: Response<Body>) -> Vec<u8> {
    to_bytes(response.into_body(), 64 << 20)
        .await
        .unwrap()
        .to_vec()
}

/// The `content` or `href` of the element that has this attribute.
fn element<'a>(html: &'a str, attribute: &str, name: &str) -> &'a str {
    let line = html.lines().find(|line| line.contains(attribute));
    let line = line.unwrap_or_else(|| panic!("{attribute} in {html}"));
    let (_, rest) = line.split_once(&format!("{name}=\"")).unwrap();
    rest.split_once('"').unwrap().0
}

/// The addresses below `/assets/` that a document names.
fn assets(html: &str) -> Vec<String> {
    let parts = html
        .split("=\"")
        .skip(1)
        .filter_map(|part| part.split('"').next());
    let parts = parts.filter_map(|part| part.find("assets/").map(|at| format!("/{}", &part[at..])));
    parts.collect()
}

#[tokio::test]
async fn a_link_opens_the_page_at_its_puzzle() {
    let client = Client::new(Config::default());
    let response = client.get(&format!("/p/{LINE}")).await;
    assert_eq!(response.status(), StatusCode::OK);
    assert_eq!(value(&response, "content-type"), "text/html; charset=utf-8");
    assert_eq!(value(&response, "x-frame-options"), "DENY");
    assert!(value(&response, "content-security-policy").contains("frame-ancestors 'none'"));
    let html = text_of(response).await;
    assert_eq!(
        element(&html, "og:url", "content"),
        format!("http://localhost/p/{LINE}")
    );
    let image = format!("http://localhost/p/{LINE}/preview.png");
    assert_eq!(element(&html, "og:image\"", "content"), image);
    assert_eq!(element(&html, "twitter:image", "content"), image);
    assert_eq!(
        element(&html, "twitter:card", "content"),
        "summary_large_image"
    );
    assert_eq!(
        element(&html, "og:title", "content"),
        "Ricochet Robots: blue to (9,12)"
    );
    assert!(html.contains("<title>Ricochet Robots: blue to (9,12)</title>"));
    assert!(
        html.contains("<div class=\"board-drawn\"><svg class=\"drawn\""),
        "the board is in the document"
    );
    assert!(html.contains(&format!("\"route\":\"#play={LINE}\"")));
    assert!(html.contains("\"question\":\"read\""));
    assert!(
        html.contains("data-root=\"../\"") && html.contains("src=\"../assets/"),
        "relative addresses"
    );
}

#[tokio::test]
async fn a_link_tells_neither_name_nor_optimum() {
    let client = Client::new(Config::default());
    for path in [format!("/p/{LINE}.o8"), format!("/embed/{LINE}.o8")] {
        let html = text_of(client.get(&path).await).await;
        assert!(
            html.contains(LINE) && !html.contains(".o8") && html.contains("\"optimal\":null"),
            "{path}"
        );
    }
}

#[tokio::test]
async fn the_puzzle_of_a_day_has_a_link() {
    let client = Client::new(Config::default());
    let html = text_of(client.get("/daily/2026-11-16").await).await;
    assert!(html.contains("\"route\":\"#play&as=daily-2026-11-16\""));
    assert!(html.contains("\"question\":\"daily\""));
    assert_eq!(
        element(&html, "og:image\"", "content"),
        "http://localhost/daily/2026-11-16/preview.png"
    );
    let image = client.get("/daily/2026-11-16/preview.png").await;
    assert_eq!(value(&image, "content-type"), "image/png");
    let today = client.get("/daily").await;
    assert_eq!(today.status(), StatusCode::FOUND);
    assert!(value(&today, "location").starts_with("daily/20"));
    for wrong in [
        "/daily/2026-13-01",
        "/daily/today",
        "/daily/2026-13-01/preview.png",
    ] {
        let status = client.get(wrong).await.status();
        assert!(
            [StatusCode::NOT_FOUND, StatusCode::BAD_REQUEST].contains(&status),
            "{wrong}: {status}"
        );
    }
}

#[tokio::test]
async fn addresses_are_right_behind_a_proxy() {
    let config = Config {
        behind_proxy: true,
        hosts: vec!["robots.example.org".into()],
        ..Config::default()
    };
    let client = Client::new(config);
    let headers = [
        ("host", "robots.example.org"),
        ("x-forwarded-proto", "https"),
    ];
    let path = format!("/p/{LINE}");
    let html = text_of(client.send(Method::GET, &path, &headers, "").await).await;
    assert_eq!(
        element(&html, "og:url", "content"),
        format!("https://robots.example.org{path}")
    );
    assert!(element(&html, "og:image\"", "content").starts_with("https://robots.example.org/p/"));
    let discovery = element(&html, "json+oembed", "href").replace("&amp;", "&");
    let path = discovery
        .strip_prefix("https://robots.example.org")
        .unwrap();
    let answer = json_of(client.send(Method::GET, path, &headers, "").await).await;
    assert!(
        answer["html"]
            .as_str()
            .unwrap()
            .contains("src=\"https://robots.example.org/embed/")
    );
    // Without the option, anybody could write the header.
    let client = Client::new(Config::default());
    let headers = [("x-forwarded-proto", "https")];
    let html = text_of(client.send(Method::GET, "/", &headers, "").await).await;
    assert!(element(&html, "og:url", "content").starts_with("http://localhost/"));
}

#[tokio::test]
async fn the_preview_is_a_picture_for_other_sites() {
    let client = Client::new(Config::default());
    let path = format!("/p/{LINE}/preview.png");
    let headers = [
        ("sec-fetch-site", "cross-site"),
        ("sec-fetch-mode", "no-cors"),
        ("sec-fetch-dest", "image"),
    ];
    let response = client.send(Method::GET, &path, &headers, "").await;
    assert_eq!(response.status(), StatusCode::OK);
    assert_eq!(value(&response, "content-type"), "image/png");
    assert_eq!(
        value(&response, "cross-origin-resource-policy"),
        "cross-origin"
    );
    assert!(value(&response, "cache-control").contains("max-age="));
    let tag = value(&response, "etag");
    let png = bytes_of(response).await;
    let size = |at: usize| u32::from_be_bytes(png[at..at + 4].try_into().unwrap());
    assert_eq!((&png[1..4], size(16), size(20)), (&b"PNG"[..], 1200, 630));
    let again = client
        .send(Method::GET, &path, &[("if-none-match", &tag)], "")
        .await;
    assert_eq!(again.status(), StatusCode::NOT_MODIFIED);
    // The same picture whatever the puzzle says about its optimum.
    let other = client.get(&format!("/p/{LINE}.o3/preview.png")).await;
    assert_eq!(bytes_of(other).await, png);
}

#[tokio::test]
async fn only_the_board_alone_may_be_in_a_frame() {
    let client = Client::new(Config::default());
    let framed = [
        ("sec-fetch-site", "cross-site"),
        ("sec-fetch-mode", "navigate"),
        ("sec-fetch-dest", "iframe"),
    ];
    let response = client
        .send(Method::GET, &format!("/embed/{LINE}"), &framed, "")
        .await;
    assert_eq!(response.status(), StatusCode::OK);
    assert_eq!(value(&response, "x-frame-options"), "");
    assert!(value(&response, "content-security-policy").contains("frame-ancestors *"));
    let html = text_of(response).await;
    assert!(html.contains("embed/embed.js") && html.contains("id=\"reset\""));
    for path in [
        "/",
        "/api",
        "/p/4x3..0012.R31",
        "/daily/2026-11-16",
        "/embed/nonsense",
        "/embed/",
    ] {
        let response = client.get(path).await;
        assert_eq!(value(&response, "x-frame-options"), "DENY", "{path}");
        assert!(
            value(&response, "content-security-policy").contains("frame-ancestors 'none'"),
            "{path}"
        );
        if !path.starts_with("/embed/") {
            let status = client.send(Method::GET, path, &framed, "").await.status();
            assert_eq!(status, StatusCode::FORBIDDEN, "{path}");
        }
    }
}

#[tokio::test]
async fn an_address_without_a_puzzle_says_why() {
    let client = Client::new(Config::default());
    let long = "a".repeat(5000);
    for line in [
        "nonsense",
        "%3Cscript%3E",
        "4x3..0012.R99",
        "4x3..0000.R31",
        "%20",
        "%FF",
        &long,
    ] {
        for path in [format!("/p/{line}"), format!("/embed/{line}")] {
            let response = client.get(&path).await;
            let status = response.status();
            assert!(
                [StatusCode::NOT_FOUND, StatusCode::BAD_REQUEST].contains(&status),
                "{path}: {status}"
            );
            assert_eq!(value(&response, "x-frame-options"), "DENY");
            let text = text_of(response).await;
            assert!(
                !text.contains("<script>alert") && !text.contains("<script>%"),
                "{text}"
            );
            if status == StatusCode::NOT_FOUND {
                assert!(
                    text.contains("<h1>There is no puzzle at this address</h1>"),
                    "{text}"
                );
                assert!(text.contains("href=\".././\""), "a way to the page: {text}");
                assert!(
                    !text.contains("drifting-droids"),
                    "a list of formats: {text}"
                );
            }
        }
        let status = client.get(&format!("/p/{line}/preview.png")).await.status();
        assert!(status.is_client_error(), "{line}: {status}");
    }
}

#[tokio::test]
async fn oembed_describes_a_frame() {
    let client = Client::new(Config::default());
    let html = text_of(client.get(&format!("/p/{LINE}")).await).await;
    let link = element(&html, "json+oembed", "href").replace("&amp;", "&");
    let path = link.strip_prefix("http://localhost").unwrap();
    let answer = json_of(client.get(path).await).await;
    for (name, expected) in [
        ("version", "1.0"),
        ("type", "rich"),
        ("provider_name", "Ricochet Robots"),
    ] {
        assert_eq!(answer[name], expected);
    }
    let frame = answer["html"].as_str().unwrap();
    assert!(
        frame.starts_with(&format!("<iframe src=\"http://localhost/embed/{LINE}\"")),
        "{frame}"
    );
    assert_eq!(
        (&answer["width"], &answer["height"]),
        (&Value::from(480), &Value::from(560))
    );
    let small = json_of(
        client
            .get(&format!("{path}&maxwidth=300&maxheight=1000"))
            .await,
    )
    .await;
    assert_eq!(
        (&small["width"], &small["height"]),
        (&Value::from(300), &Value::from(380))
    );
    let day = client
        .get("/oembed?url=http%3A%2F%2Flocalhost%2Fdaily%2F2026-11-16%23play")
        .await;
    assert_eq!(
        json_of(day).await["title"],
        "Ricochet Robots, daily puzzle of 2026-11-16"
    );
    for (query, status) in [
        ("", StatusCode::BAD_REQUEST),
        (
            "?url=http%3A%2F%2Flocalhost%2Fp%2Fx&maxwidth=wide",
            StatusCode::BAD_REQUEST,
        ),
        (
            "?url=http%3A%2F%2Felsewhere%2Fp%2F4x3..0012.R31",
            StatusCode::NOT_FOUND,
        ),
        (
            "?url=http%3A%2F%2Flocalhost%2Fp%2Fnonsense",
            StatusCode::NOT_FOUND,
        ),
        ("?url=http%3A%2F%2Flocalhost%2F", StatusCode::NOT_FOUND),
        (
            "?url=http%3A%2F%2Flocalhost%2Fp%2F4x3..0012.R31&format=xml",
            StatusCode::NOT_IMPLEMENTED,
        ),
    ] {
        assert_eq!(
            client.get(&format!("/oembed{query}")).await.status(),
            status,
            "{query}"
        );
    }
}

#[tokio::test]
async fn files_are_kept_for_ever_and_documents_are_asked_for_again() {
    let client = Client::new(Config::default());
    let index = client.get("/").await;
    assert_eq!(value(&index, "cache-control"), "no-cache");
    let tag = value(&index, "etag");
    let html = text_of(index).await;
    let again = client
        .send(Method::GET, "/", &[("if-none-match", &tag)], "")
        .await;
    assert_eq!(again.status(), StatusCode::NOT_MODIFIED);
    assert_eq!(text_of(again).await, "");
    let named = assets(&html);
    assert!(
        named.iter().any(|path| path.ends_with("/app/app.js")),
        "{named:?}"
    );
    for path in &named {
        let response = client.get(path).await;
        assert_eq!(response.status(), StatusCode::OK, "{path}");
        assert_eq!(
            value(&response, "cache-control"),
            "public, max-age=31536000, immutable",
            "{path}"
        );
    }
    // Files of another version must never be kept under this one's address.
    let app = named
        .iter()
        .find(|path| path.ends_with("/app/app.js"))
        .unwrap();
    let hash = app.split('/').nth(2).unwrap();
    let other = client.get(&app.replace(hash, "0123456789abcdef")).await;
    assert_eq!(other.status(), StatusCode::NOT_FOUND);
    assert_eq!(value(&other, "cache-control"), "no-store");
    for path in ["/service-worker.js", "/manifest.webmanifest", "/icon.svg"] {
        let response = client.get(path).await;
        assert_eq!(value(&response, "cache-control"), "no-cache", "{path}");
        let tag = value(&response, "etag");
        let again = client
            .send(Method::GET, path, &[("if-none-match", &tag)], "")
            .await;
        assert_eq!(again.status(), StatusCode::NOT_MODIFIED, "{path}");
    }
    let worker = text_of(client.get("/service-worker.js").await).await;
    assert!(
        worker.contains("HAS_SERVER = true")
            && !worker.contains("'FILES'")
            && worker.contains(&app[1..])
    );
    // Everything that it keeps is there.
    let list = worker
        .split("FILES = ")
        .nth(1)
        .unwrap()
        .split(';')
        .next()
        .unwrap();
    for file in serde_json::from_str::<Vec<String>>(list).unwrap() {
        let path = format!("/{}", file.trim_start_matches("./"));
        assert_eq!(client.get(&path).await.status(), StatusCode::OK, "{path}");
    }
    let manifest = json_of(client.get("/manifest.webmanifest").await).await;
    for icon in manifest["icons"].as_array().unwrap() {
        let path = format!("/{}", icon["src"].as_str().unwrap());
        assert_eq!(client.get(&path).await.status(), StatusCode::OK, "{path}");
    }
}

#[tokio::test]
async fn every_form_of_a_response_has_its_own_tag_and_the_same_content() {
    let client = Client::new(Config::default());
    let html = text_of(client.get("/").await).await;
    let app = assets(&html)
        .into_iter()
        .find(|path| path.ends_with("/app/app.js"))
        .unwrap();
    for path in ["/", &app] {
        let mut tags = Vec::new();
        let mut texts = Vec::new();
        let mut sizes = Vec::new();
        for (accepted, name) in [
            ("", ""),
            ("gzip", "gzip"),
            ("gzip, br", "br"),
            ("br;q=0, gzip", "gzip"),
        ] {
            let response = client
                .send(Method::GET, path, &[("accept-encoding", accepted)], "")
                .await;
            assert_eq!(
                value(&response, "content-encoding"),
                name,
                "{path}: {accepted}"
            );
            assert_eq!(value(&response, "vary"), "accept-encoding");
            let tag = value(&response, "etag");
            let known = [("accept-encoding", accepted), ("if-none-match", &*tag)];
            let again = client.send(Method::GET, path, &known, "").await;
            assert_eq!(again.status(), StatusCode::NOT_MODIFIED);
            assert_eq!(value(&again, "content-encoding"), "");
            tags.push(tag);
            let bytes = bytes_of(response).await;
            sizes.push(bytes.len());
            let mut text = String::new();
            match name {
                "br" => brotli::Decompressor::new(&*bytes, 4096)
                    .read_to_string(&mut text)
                    .unwrap(),
                "gzip" => flate2::read::GzDecoder::new(&*bytes)
                    .read_to_string(&mut text)
                    .unwrap(),
                _ => String::from_utf8(bytes)
                    .map(|plain| text.push_str(&plain))
                    .map(|()| 0)
                    .unwrap(),
            };
            texts.push(text);
        }
        assert!(texts.iter().all(|text| *text == texts[0]), "{path}");
        assert!(
            tags[0] != tags[1] && tags[1] != tags[2] && tags[0] != tags[2] && tags[1] == tags[3],
            "{tags:?}"
        );
        assert!(
            sizes[2] < sizes[1] && sizes[1] * 2 < sizes[0],
            "{path}: {sizes:?}"
        );
    }
}

#[tokio::test]
async fn answers_are_not_cached_by_the_worker_and_pages_of_others_get_nothing() {
    let client = Client::new(Config::default());
    let foreign = |dest: &'static str| {
        [
            ("sec-fetch-site", "cross-site"),
            ("sec-fetch-mode", "no-cors"),
            ("sec-fetch-dest", dest),
        ]
    };
    for (path, dest) in [
        ("/", "image"),
        ("/icon.svg", "image"),
        ("/api/v1/draw.png?p=4x3..0012.R31", "image"),
        ("/service-worker.js", "script"),
        ("/oembed", "empty"),
    ] {
        let status = client
            .send(Method::GET, path, &foreign(dest), "")
            .await
            .status();
        assert_eq!(status, StatusCode::FORBIDDEN, "{path}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    /// Whatever a stranger asks for is answered, and nothing of it becomes a part of the document.
    #[test]
    fn any_address_is_answered(name in "[ -~]{0,30}|[0-9A-Za-z.]{10,40}|\\PC{0,10}", kind in 0..5usize) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let client = Client::new(Config { quick_workers: 1, slow_workers: 1, ..Config::default() });
            let mut encoded = String::new();
            for byte in name.bytes() {
                let _ = write!(encoded, "%{byte:02X}");
            }
            let path = match kind {
                0 => format!("/p/{encoded}"),
                1 => format!("/embed/{encoded}"),
                2 => format!("/daily/{encoded}"),
                3 => format!("/p/{encoded}/preview.png"),
                _ => format!("/oembed?url=http%3A%2F%2Flocalhost%2Fp%2F{encoded}"),
            };
            let response = client.get(&path).await;
            assert!(!response.status().is_server_error(), "{path}: {}", response.status());
            if kind < 3 {
                let text = text_of(response).await;
                assert_eq!(text.matches("</script>").count(), text.matches("<script").count(), "{text}");
            }
        });
    }
}
