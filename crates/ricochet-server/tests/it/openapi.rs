//! Requests made from the `OpenAPI` document: every path with values of every kind gives only
//! 2xx, 4xx and 503, and the server survives.

use crate::support::{Client, json_of, milliseconds};
use axum::http::{Method, StatusCode};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::{Config as Cases, TestRunner};
use ricochet_server::Config;
use serde_json::{Map, Value, json};

fn config() -> Config {
    let mut config = Config {
        slices: [2, 4].map(milliseconds),
        ..Config::default()
    };
    config.policy.ms = Some(10);
    config.policy.nodes = Some(5_000);
    config.policy.memory_mib = Some(16);
    config.policy.candidates = 5;
    config
}

fn leaf() -> impl Strategy<Value = Value> {
    prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        (0..40u64).prop_map(Value::from),
        Just(json!("4x3..0012.R31")),
        Just(json!("1D4B3B2B.1fc1f0c0.B9c.m")),
        Just(json!(["RN", "GE"])),
        Just(json!("2026-11-17")),
        Just(json!("../../etc/passwd")),
        "\\PC{0,30}".prop_map(Value::from),
    ]
}

/// A value for a schema, most often a fitting one.
fn fitting(schema: &Value) -> BoxedStrategy<Value> {
    if let Some(words) = schema["enum"].as_array() {
        return prop_oneof![4 => prop::sample::select(words.clone()), 1 => leaf()].boxed();
    }
    leaf().boxed()
}

/// Text as a part of a URL.
fn encoded(text: &str) -> String {
    text.bytes()
        .map(|byte| match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'.' | b'-' | b'_' => {
                char::from(byte).to_string()
            }
            other => format!("%{other:02X}"),
        })
        .collect()
}

fn text_of(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn hostile_requests_get_nothing_but_answers_refusals_and_busy() {
    let client = Client::new(config());
    let document = json_of(client.get("/api/v1/openapi.json").await).await;
    let mut runner = TestRunner::new(Cases::default());
    let mut seen = std::collections::BTreeMap::<u16, u32>::new();
    for (path, calls) in document["paths"].as_object().unwrap() {
        for (method, call) in calls.as_object().unwrap() {
            for _ in 0..12 {
                let mut draw =
                    |schema: &Value| fitting(schema).new_tree(&mut runner).unwrap().current();
                let mut target = path.clone();
                let mut query = Vec::new();
                for parameter in call["parameters"].as_array().into_iter().flatten() {
                    let name = parameter["name"].as_str().unwrap();
                    let value = encoded(&text_of(&draw(&parameter["schema"])));
                    if parameter["in"] == "path" {
                        target = target.replace(&format!("{{{name}}}"), &format!("x{value}"));
                    } else {
                        query.push(format!("{name}={value}"));
                    }
                }
                let mut body = String::new();
                if method == "post" {
                    let schema = &call["requestBody"]["content"]["application/json"]["schema"];
                    let name = schema["$ref"].as_str().and_then(|it| it.rsplit('/').next());
                    let schema = &document["components"]["schemas"][name.unwrap_or("Error")];
                    let mut fields = Map::new();
                    for (key, field) in schema["properties"].as_object().into_iter().flatten() {
                        fields.insert(key.clone(), draw(field));
                    }
                    body = Value::Object(fields).to_string();
                } else if !query.is_empty() {
                    target = format!("{target}?{}", query.join("&"));
                }
                let method = Method::from_bytes(method.to_uppercase().as_bytes()).unwrap();
                let headers = [("content-type", "application/json")];
                let response = client.send(method.clone(), &target, &headers, &body).await;
                let status = response.status();
                *seen.entry(status.as_u16()).or_default() += 1;
                let fine = status.is_success()
                    || status.is_client_error()
                    || status == StatusCode::SERVICE_UNAVAILABLE;
                assert!(fine, "{method} {target} {body}: {status}");
            }
        }
    }
    assert!(
        seen.contains_key(&200) && seen.contains_key(&400),
        "{seen:?}"
    );
    assert_eq!(client.get("/healthz").await.status(), StatusCode::OK);
}

/// The schema that a reference leads to.
fn resolved<'d>(document: &'d Value, schema: &'d Value) -> &'d Value {
    match schema["$ref"].as_str() {
        Some(path) => document
            .pointer(path.trim_start_matches('#'))
            .unwrap_or(&Value::Null),
        None => schema,
    }
}

#[tokio::test]
async fn every_body_is_described_field_by_field() {
    let client = Client::new(config());
    let document = json_of(client.get("/api/v1/openapi.json").await).await;
    let mut names = std::collections::BTreeSet::new();
    for (path, calls) in document["paths"].as_object().unwrap() {
        for (method, call) in calls.as_object().unwrap() {
            if let Some(name) = call["operationId"].as_str() {
                assert!(names.insert(name), "{name} twice");
            }
            if method == "post" {
                let schema = &call["requestBody"]["content"]["application/json"]["schema"];
                let fields = &resolved(&document, schema)["properties"];
                // Those that take nothing say so.
                let none =
                    ["formats", "quadrants", "solvers"].map(|name| format!("/api/v1/{name}"));
                assert!(
                    fields.is_object() || none.contains(path),
                    "{path}: {schema}"
                );
            }
            for (status, answer) in call["responses"].as_object().unwrap() {
                if ["204", "414"].contains(&status.as_str()) {
                    continue;
                }
                let content = answer["content"].as_object();
                let content = content.unwrap_or_else(|| panic!("{method} {path} {status}"));
                for (kind, body) in content {
                    let schema = resolved(&document, &body["schema"]);
                    let told = schema["properties"].is_object()
                        || schema["oneOf"].is_array()
                        || schema["anyOf"].is_array()
                        || schema["format"] == "binary";
                    assert!(told, "{method} {path} {status} {kind}: {schema}");
                }
            }
        }
    }
}

#[tokio::test]
async fn what_is_stored_is_answered_as_the_document_says() {
    let client = Client::new(config());
    let document = json_of(client.get("/api/v1/openapi.json").await).await;
    let puzzle = json!({"puzzle": "4x3..0012.R31", "title": "mine"});
    let attempt = json!({"consent": true, "puzzle": "4x3..0012.R31", "moves": ["GE"], "ms": 5});
    let kept = json_of(client.post("/api/v1/puzzles", &puzzle).await).await;
    let answers = [
        ("/api/v1/puzzles", "post", "201", kept.clone()),
        (
            "/api/v1/attempts",
            "post",
            "201",
            json_of(client.post("/api/v1/attempts", &attempt).await).await,
        ),
        (
            "/api/v1/puzzles",
            "get",
            "200",
            json_of(client.get("/api/v1/puzzles").await).await,
        ),
        (
            "/api/v1/puzzles/{id}",
            "get",
            "200",
            json_of(
                client
                    .get(&format!("/api/v1/puzzles/{}", kept["id"].as_str().unwrap()))
                    .await,
            )
            .await,
        ),
        (
            "/api/v1/results/{date}",
            "get",
            "200",
            json_of(client.get("/api/v1/results/2026-11-17").await).await,
        ),
    ];
    for (path, method, status, answer) in answers {
        let content = &document["paths"][path][method]["responses"][status]["content"];
        let schema = resolved(&document, &content["application/json"]["schema"]);
        let told: Vec<&String> = schema["properties"].as_object().unwrap().keys().collect();
        let given: Vec<&String> = answer.as_object().unwrap().keys().collect();
        assert_eq!(told, given, "{method} {path}");
    }
}
