//! The routes without a socket: answers, errors, and the refusal of foreign pages.

use std::time::Duration;

use crate::support::{Client, json_of, milliseconds, text_of};
use axum::http::{Method, StatusCode, header};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use ricochet_server::{Config, ManualClock};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

#[tokio::test]
async fn every_question_is_answered_by_post() {
    let client = Client::new(Config::default());
    for question in ricochet_service::QUESTIONS {
        let fields: Value = serde_json::from_str(question.example).unwrap();
        let response = client
            .post(&format!("/api/v1/{}", question.name), &fields)
            .await;
        assert_eq!(response.status(), StatusCode::OK, "{}", question.name);
        let answer = json_of(response).await;
        assert!(
            answer.is_object() && answer.get("error").is_none(),
            "{answer}"
        );
    }
}

#[tokio::test]
async fn a_pure_question_by_get_is_tagged_and_cached() {
    let client = Client::new(Config::default());
    let path = "/api/v1/position?p=4x3..0012.R31&moves=GE";
    let response = client.get(path).await;
    assert_eq!(response.status(), StatusCode::OK);
    let tag = response.headers()[header::ETAG]
        .to_str()
        .unwrap()
        .to_owned();
    assert!(tag.starts_with('"'), "a strong one: {tag}");
    let caching = response.headers()[header::CACHE_CONTROL].to_str().unwrap();
    assert!(caching.contains("max-age="), "{caching}");
    let answer = json_of(response).await;
    assert_eq!(answer["distance"], 2);
    let again = client
        .send(Method::GET, path, &[("if-none-match", &tag)], "")
        .await;
    assert_eq!(again.status(), StatusCode::NOT_MODIFIED);
    assert_eq!(text_of(again).await, "");
}

#[tokio::test]
async fn an_answer_that_a_limit_ended_is_not_cached() {
    let client = Client::new(Config::default());
    let response = client
        .get("/api/v1/solve?p=4x3..0012.R31&limits.moves=1")
        .await;
    assert_eq!(response.headers()[header::CACHE_CONTROL], "no-store");
    let answer = json_of(response).await;
    assert_eq!(
        (&answer["outcome"], &answer["length"]),
        (&json!("limit"), &Value::Null)
    );
    assert_eq!(answer["lower_bound"], 2);
}

#[tokio::test]
async fn pictures_are_pictures() {
    let client = Client::new(Config::default());
    for (kind, media_type) in [
        ("svg", "image/svg+xml"),
        ("png", "image/png"),
        ("gif", "image/gif"),
        ("pdf", "application/pdf"),
    ] {
        let path = format!("/api/v1/draw.{kind}?p=4x3..0012.R31&theme=dark&solution");
        let response = client.get(&path).await;
        assert_eq!(response.status(), StatusCode::OK, "{kind}");
        assert_eq!(response.headers()[header::CONTENT_TYPE], media_type);
        assert!(response.headers().contains_key(header::ETAG));
    }
    let response = client.get("/api/v1/draw.bmp?p=4x3..0012.R31").await;
    assert_eq!(response.status(), StatusCode::BAD_REQUEST);
}

#[tokio::test]
async fn a_stream_tells_progress_and_then_the_answer() {
    let client = Client::new(Config {
        slices: [0, 400].map(milliseconds),
        ..Config::default()
    });
    // The goal cannot be reached, and no solver here has the time to prove it.
    let fields = json!({
        "puzzle": "16x16..0011223344556617.R88",
        "solver": "iddfs:memo=off",
        "limits": {"ms": 500},
    });
    let response = client
        .send(
            Method::POST,
            "/api/v1/solve",
            &[
                ("content-type", "application/json"),
                ("accept", "application/x-ndjson"),
            ],
            &fields.to_string(),
        )
        .await;
    assert_eq!(
        response.headers()[header::CONTENT_TYPE],
        "application/x-ndjson"
    );
    let text = text_of(response).await;
    let lines: Vec<Value> = text
        .lines()
        .filter(|line| !line.is_empty())
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let (last, first) = lines.split_last().unwrap();
    assert!(
        first.iter().all(|line| line["progress"]["depth"].is_u64()),
        "{text}"
    );
    assert!(!first.is_empty(), "{text}");
    assert_eq!(last["answer"]["outcome"], "limit", "{text}");
}

#[tokio::test]
async fn errors_say_what_is_wrong_and_where() {
    let client = Client::new(Config::default());
    let response = client
        .post("/api/v1/solve", &json!({"puzzle": "4x4..00.Rz9"}))
        .await;
    assert_eq!(response.status(), StatusCode::UNPROCESSABLE_ENTITY);
    let error = json_of(response).await;
    assert_eq!(error["error"]["kind"], "unreadable");
    assert_eq!(error["error"]["problems"][0]["column"], 10);
    for (path, status) in [
        ("/api/v1/sing", StatusCode::NOT_FOUND),
        ("/api/v1/solve", StatusCode::BAD_REQUEST),
        ("/api/v1/solve?p=%zz", StatusCode::BAD_REQUEST),
        (
            "/api/v1/hint?p=4x3..0012.R31&level=9",
            StatusCode::BAD_REQUEST,
        ),
        (
            "/api/v1/solve?p=4x4..0000.R33",
            StatusCode::UNPROCESSABLE_ENTITY,
        ),
        ("/nothing.html", StatusCode::NOT_FOUND),
        ("/../Cargo.toml", StatusCode::NOT_FOUND),
        ("/%2e%2e/Cargo.toml", StatusCode::NOT_FOUND),
        ("/package.json", StatusCode::NOT_FOUND),
        ("/test.sh", StatusCode::NOT_FOUND),
        ("/public/index.html", StatusCode::NOT_FOUND),
        ("/types/api.d.ts", StatusCode::NOT_FOUND),
        ("/tests/page.test.mjs", StatusCode::NOT_FOUND),
        ("/wasm/README.md", StatusCode::NOT_FOUND),
        ("//etc/passwd", StatusCode::NOT_FOUND),
    ] {
        let response = client.get(path).await;
        assert_eq!(response.status(), status, "{path}");
    }
    let response = client.send(Method::DELETE, "/api/v1/solve", &[], "").await;
    assert_eq!(response.status(), StatusCode::METHOD_NOT_ALLOWED);
}

#[tokio::test]
async fn every_error_of_the_interface_is_json() {
    let client = Client::new(Config::default());
    for (method, path, status) in [
        (Method::GET, "/api/v2/solve", StatusCode::NOT_FOUND),
        (Method::GET, "/api/v1/rooms/a/b/c/d", StatusCode::NOT_FOUND),
        (Method::GET, "/api/v1/%ff", StatusCode::BAD_REQUEST),
        (
            Method::DELETE,
            "/api/v1/solve",
            StatusCode::METHOD_NOT_ALLOWED,
        ),
        (Method::PUT, "/api/v1/rooms", StatusCode::METHOD_NOT_ALLOWED),
        (
            Method::GET,
            "/api/v1/rooms/abcdefghijkm/socket",
            StatusCode::BAD_REQUEST,
        ),
    ] {
        let response = client.send(method, path, &[], "").await;
        assert_eq!(response.status(), status, "{path}");
        assert_eq!(response.headers()["content-type"], "application/json");
        let error = json_of(response).await;
        assert!(error["error"]["message"].is_string(), "{path}: {error}");
    }
    let response = client.get("/nothing.html").await;
    assert_eq!(response.status(), StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn weak_tags_are_matched() {
    let client = Client::new(Config::default());
    for path in ["/api/v1/solve?p=4x3..0012.R31", "/icon.svg"] {
        let tag = client.get(path).await.headers()["etag"].clone();
        let tag = tag.to_str().unwrap();
        for given in [
            format!("W/{tag}"),
            format!("\"x\", W/{tag}"),
            tag.to_owned(),
        ] {
            let headers = [("if-none-match", given.as_str())];
            let response = client.send(Method::GET, path, &headers, "").await;
            assert_eq!(response.status(), StatusCode::NOT_MODIFIED, "{given}");
        }
    }
}

#[tokio::test]
async fn files_of_the_machine_cannot_be_named() {
    let client = Client::new(Config::default());
    let fields = json!({"puzzle": "4x3..0012.R31", "solver": "tablebase:file=/etc/passwd"});
    let error = json_of(client.post("/api/v1/solve", &fields).await).await;
    assert_eq!(error["error"]["kind"], "unsupported");
    let fields = json!({
        "puzzle": "4x3..0012.R31", "solver": "tablebase", "options": {"file": "/etc/passwd"},
    });
    let error = json_of(client.post("/api/v1/solve", &fields).await).await;
    assert_eq!(error["error"]["kind"], "unsupported");
}

#[tokio::test]
async fn the_page_is_there_with_its_headers() {
    let client = Client::new(Config::default());
    let response = client.get("/").await;
    assert_eq!(response.status(), StatusCode::OK);
    assert_eq!(
        response.headers()[header::CONTENT_TYPE],
        "text/html; charset=utf-8"
    );
    let policy = response.headers()[header::CONTENT_SECURITY_POLICY]
        .to_str()
        .unwrap()
        .to_owned();
    assert!(policy.contains("default-src 'none'"), "{policy}");
    assert!(!policy.contains("unsafe-inline"), "{policy}");
    assert_eq!(
        response.headers()[header::X_CONTENT_TYPE_OPTIONS],
        "nosniff"
    );
    let page = text_of(response).await;
    assert!(page.contains("<html"), "{page}");
    for script in page.split("<script>").skip(1) {
        let (script, _) = script.split_once("</script>").expect("its end");
        let hash = STANDARD.encode(Sha256::digest(script));
        assert!(policy.contains(&format!("'sha256-{hash}'")), "{script}");
    }
}

#[tokio::test]
async fn foreign_pages_are_refused() {
    let client = Client::new(Config {
        hosts: vec!["robots.example.org".to_owned()],
        ..Config::default()
    });
    let path = "/api/v1/solvers";
    for (headers, status) in [
        (&[("host", "localhost:8017")][..], StatusCode::OK),
        (&[("host", "127.0.0.1")], StatusCode::OK),
        (&[("host", "[::1]:8017")], StatusCode::OK),
        (&[("host", "robots.example.org")], StatusCode::OK),
        // A foreign name that resolves to this machine.
        (&[("host", "evil.example.com:8017")], StatusCode::FORBIDDEN),
        (
            &[
                ("host", "localhost:8017"),
                ("origin", "http://localhost:8017"),
            ],
            StatusCode::OK,
        ),
        (
            &[("host", "localhost:8017"), ("origin", "http://localhost:9")],
            StatusCode::FORBIDDEN,
        ),
        (
            &[
                ("host", "localhost"),
                ("origin", "https://evil.example.com"),
            ],
            StatusCode::FORBIDDEN,
        ),
        (
            &[("host", "localhost"), ("origin", "null")],
            StatusCode::FORBIDDEN,
        ),
        (
            &[("host", "localhost"), ("sec-fetch-site", "cross-site")],
            StatusCode::FORBIDDEN,
        ),
        (
            &[("host", "localhost"), ("sec-fetch-site", "same-origin")],
            StatusCode::OK,
        ),
    ] {
        let response = client.send(Method::GET, path, headers, "").await;
        assert_eq!(response.status(), status, "{headers:?}");
    }
    // A link to the page is welcome, a picture of ours in another page is not.
    let link = [
        ("sec-fetch-site", "cross-site"),
        ("sec-fetch-mode", "navigate"),
        ("sec-fetch-dest", "document"),
    ];
    assert_eq!(
        client.send(Method::GET, "/", &link, "").await.status(),
        StatusCode::OK
    );
    let picture = [
        ("sec-fetch-site", "cross-site"),
        ("sec-fetch-mode", "no-cors"),
        ("sec-fetch-dest", "image"),
    ];
    assert_eq!(
        client
            .send(Method::GET, "/icon.svg", &picture, "")
            .await
            .status(),
        StatusCode::FORBIDDEN
    );
    // Forms cannot send JSON.
    let form = [("content-type", "text/plain")];
    let response = client
        .send(Method::POST, "/api/v1/solve", &form, "{}")
        .await;
    assert_eq!(response.status(), StatusCode::UNSUPPORTED_MEDIA_TYPE);
}

#[tokio::test]
async fn large_bodies_are_refused() {
    let client = Client::new(Config {
        max_body: 1000,
        ..Config::default()
    });
    let fields = json!({"text": "x".repeat(2000)});
    let response = client.post("/api/v1/read", &fields).await;
    assert_eq!(response.status(), StatusCode::PAYLOAD_TOO_LARGE);
}

#[tokio::test]
async fn today_has_a_puzzle() {
    let client = Client::new(Config::default());
    let response = client.get("/api/v1/puzzle/daily").await;
    assert_eq!(response.status(), StatusCode::OK);
    assert_eq!(response.headers()[header::CACHE_CONTROL], "no-cache");
    let today = json_of(response).await;
    let date = today["date"].as_str().unwrap().to_owned();
    let same = json_of(client.get(&format!("/api/v1/puzzle/daily/{date}")).await).await;
    assert_eq!(today, same);
}

#[tokio::test]
async fn equal_questions_are_answered_once_and_kept() {
    let client = Client::new(Config::default());
    let fields = json!({"puzzle": "1A4B3B2B.1fc1f0c0.B9c"});
    let (a, b) = tokio::join!(
        client.post("/api/v1/solve", &fields),
        client.post("/api/v1/solve", &fields)
    );
    // Times are part of the answer: equal ones come from one search.
    assert_eq!(text_of(a).await, text_of(b).await);
    let metrics = text_of(client.get("/metrics").await).await;
    let saved = ["joined", "kept"].map(|name| number(&metrics, &format!("ricochet_{name}_total")));
    assert_eq!(saved.iter().sum::<u64>(), 1, "{metrics}");
}

fn number(metrics: &str, name: &str) -> u64 {
    let line = metrics
        .lines()
        .find(|line| line.starts_with(&format!("{name} ")));
    line.unwrap().rsplit(' ').next().unwrap().parse().unwrap()
}

#[tokio::test]
async fn the_interface_is_described() {
    let client = Client::new(Config::default());
    let document = json_of(client.get("/api/v1/openapi.json").await).await;
    assert_eq!(document["openapi"], "3.1.0");
    let schemas = document["components"]["schemas"].as_object().unwrap();
    let text = document.to_string();
    for reference in text.split("\"$ref\":\"#/components/schemas/").skip(1) {
        let name = reference.split('"').next().unwrap();
        assert!(schemas.contains_key(name), "{name} is not described");
    }
    let page = text_of(client.get("/api").await).await;
    for question in ricochet_service::QUESTIONS {
        assert!(page.contains(&format!("<h2>{}</h2>", question.name)));
        assert!(document["paths"][format!("/api/v1/{}", question.name)]["post"].is_object());
    }
    assert!(!page.contains('`'), "what is code looks like code");
    assert!(page.contains("http://localhost/api/v1/solve"), "as asked");
    assert!(
        !page.contains("http://") || !page.contains("src=\"http"),
        "no request elsewhere"
    );
}

#[tokio::test]
async fn the_dashboard_and_the_alerts_name_metrics_that_exist() {
    let client = Client::new(Config::default());
    let metrics = text_of(client.get("/metrics").await).await;
    let known: Vec<&str> = metrics
        .lines()
        .filter_map(|line| line.strip_prefix("# TYPE ")?.split(' ').next())
        .collect();
    for (file, text) in [
        (
            "dashboard.json",
            include_str!("../../../../docs/serve/dashboard.json"),
        ),
        (
            "alerts.yml",
            include_str!("../../../../docs/serve/alerts.yml"),
        ),
    ] {
        let words = text.split(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_');
        let mut named: Vec<&str> = words.filter(|it| it.starts_with("ricochet_")).collect();
        named.dedup();
        assert!(named.len() > 5, "{file}");
        for name in named {
            let base = name.trim_end_matches("_bucket");
            assert!(known.contains(&base), "{file}: {name}");
        }
    }
    let _: Value =
        serde_json::from_str(include_str!("../../../../docs/serve/dashboard.json")).unwrap();
}

#[tokio::test]
async fn metrics_are_shown_only_to_this_machine() {
    let client = Client::new(Config {
        behind_proxy: true,
        ..Config::default()
    });
    let headers = [("x-forwarded-for", "192.0.2.1")];
    let response = client.send(Method::GET, "/metrics", &headers, "").await;
    assert_eq!(response.status(), StatusCode::FORBIDDEN);
    assert_eq!(client.get("/metrics").await.status(), StatusCode::OK);
}

#[tokio::test]
async fn rooms_seats_and_attempts_are_limited_per_address() {
    let client = Client::new(Config {
        behind_proxy: true,
        clock: ManualClock::new(Duration::from_secs(1_800_000_000)).clock(),
        ..Config::default()
    });
    let room = json_of(client.post("/api/v1/rooms", &json!({})).await).await;
    let room = format!("/api/v1/rooms/{}", room["room"].as_str().unwrap());
    let attempt = json!({"consent": true, "puzzle": "4x3..0012.R31", "moves": ["GE"], "ms": 5});
    for (method, path, body, most) in [
        (Method::POST, "/api/v1/rooms", json!({}), 10),
        (
            Method::POST,
            &*format!("{room}/seats"),
            json!({"name": "Ada"}),
            20,
        ),
        (Method::POST, "/api/v1/attempts", attempt, 60),
        (Method::GET, &*room, Value::Null, 60),
    ] {
        let body = body.to_string();
        let ask = async |from: &str| {
            let headers = [
                ("content-type", "application/json"),
                ("x-forwarded-for", from),
            ];
            let response = client.send(method.clone(), path, &headers, &body);
            response.await.status()
        };
        for number in 0..most {
            let status = ask("192.0.2.1").await;
            assert_ne!(status, StatusCode::TOO_MANY_REQUESTS, "{path} {number}");
        }
        assert_eq!(
            ask("192.0.2.1").await,
            StatusCode::TOO_MANY_REQUESTS,
            "{path}"
        );
        assert_ne!(
            ask("192.0.2.2").await,
            StatusCode::TOO_MANY_REQUESTS,
            "{path}"
        );
    }
}
