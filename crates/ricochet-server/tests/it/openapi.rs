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
                if call["requestBody"].is_object() {
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
            let name = call["operationId"].as_str();
            let name = name.unwrap_or_else(|| panic!("{method} {path} has no name"));
            assert!(names.insert(name), "{name} twice");
            if ["post", "put"].contains(&method.as_str()) {
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

#[tokio::test]
async fn every_option_of_a_room_is_described() {
    let client = Client::new(config());
    let document = json_of(client.get("/api/v1/openapi.json").await).await;
    let open = &document["paths"]["/api/v1/rooms"]["post"]["requestBody"]["content"];
    let told = &open["application/json"]["schema"]["properties"]["options"];
    let options = serde_json::to_value(ricochet_rooms::Options::default()).unwrap();
    assert!(fits(&document, told, &options), "{told}");
    let told: Vec<&String> = told["properties"].as_object().unwrap().keys().collect();
    let all: Vec<&String> = options.as_object().unwrap().keys().collect();
    assert_eq!(told, all);
}

/// A request with a token that allows it.
struct Call<'d> {
    method: Method,
    target: String,
    token: String,
    body: Option<&'d Value>,
    query: Vec<(&'d str, bool, &'d Value)>,
}

/// Every operation of the document, about things that exist.
async fn calls<'d>(client: &Client, document: &'d Value) -> Vec<Call<'d>> {
    let puzzle = json!({"puzzle": "4x3..0012.R31"});
    let puzzle = json_of(client.post("/api/v1/puzzles", &puzzle).await).await;
    let room = json_of(client.post("/api/v1/rooms", &json!({"name": "Ada"})).await).await;
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let mut calls = Vec::new();
    for (path, operations) in document["paths"].as_object().unwrap() {
        for (method, call) in operations.as_object().unwrap() {
            // A stream does not end, and what is deleted is gone.
            if path.ends_with("/stream") || method == "delete" {
                continue;
            }
            let target = path
                .replace("{id}", puzzle["id"].as_str().unwrap())
                .replace("{room}", room["room"].as_str().unwrap())
                .replace("{date}", "2026-11-17")
                .replace("{what}", "say")
                .replace("{game}", "latest");
            let body = &call["requestBody"]["content"]["application/json"]["schema"];
            let parameters = call["parameters"].as_array().into_iter().flatten();
            let query = parameters.filter(|it| it["in"] == "query").map(|it| {
                let name = it["name"].as_str().unwrap();
                (name, it["required"] == true, &it["schema"])
            });
            calls.push(Call {
                method: Method::from_bytes(method.to_uppercase().as_bytes()).unwrap(),
                target,
                token: if path.contains("rooms") {
                    text(&room["token"])
                } else {
                    text(&puzzle["secret"])
                },
                body: body.is_object().then(|| resolved(document, body)),
                query: query.collect(),
            });
        }
    }
    calls
}

impl Call<'_> {
    /// The status and the text of the response.
    async fn send(&self, client: &Client, query: &str, body: &str) -> (StatusCode, String) {
        let token = format!("Bearer {}", self.token);
        let headers = [
            ("content-type", "application/json"),
            ("authorization", &*token),
        ];
        let target = format!("{}?{query}", self.target);
        let target = target.trim_end_matches('?');
        let response = client
            .send(self.method.clone(), target, &headers, body)
            .await;
        let status = response.status();
        let bytes = axum::body::to_bytes(response.into_body(), 64 << 20).await;
        (
            status,
            String::from_utf8_lossy(&bytes.unwrap()).into_owned(),
        )
    }
}

/// Texts that fit no pattern.
const ODD_TEXTS: [&str; 5] = ["\u{1}", "7", "x", "-1", "0.5"];

/// Values that fit few schemas.
fn odd_values() -> Vec<Value> {
    let odd = r#"[null, true, -1, 0.5, 1e300, "\u0001", "7", [], [[]], [7], {}, {"\u0001": 7}]"#;
    serde_json::from_str(odd).unwrap()
}

/// Whether a value fits a schema. Of the texts, only odd ones do not fit a pattern.
fn fits(document: &Value, schema: &Value, value: &Value) -> bool {
    let schema = resolved(document, schema);
    if let Some(choices) = schema["anyOf"].as_array().or(schema["oneOf"].as_array()) {
        return choices.iter().any(|choice| fits(document, choice, value));
    }
    if let Some(words) = schema["enum"].as_array() {
        return words.contains(value);
    }
    if !schema["const"].is_null() {
        return *value == schema["const"];
    }
    let is = |name: &str| match &schema["type"] {
        Value::String(kind) => kind == name,
        Value::Array(kinds) => kinds.iter().any(|kind| kind == name),
        _ => true,
    };
    let within = |length: usize, least: &str, most: &str| {
        let length = length as u64;
        schema[least].as_u64().is_none_or(|least| length >= least)
            && schema[most].as_u64().is_none_or(|most| length <= most)
    };
    match value {
        Value::Null => is("null"),
        Value::Bool(_) => is("boolean"),
        Value::Number(number) => {
            let value = number.as_f64().unwrap();
            let least = schema["minimum"].as_f64().is_none_or(|it| value >= it);
            let most = schema["maximum"].as_f64().is_none_or(|it| value <= it);
            let whole = value.fract() == 0.0 && value.abs() < 2e19;
            (is("number") || is("integer") && whole) && least && most
        }
        Value::String(text) => {
            let length = text.chars().count();
            let matches = schema["pattern"].is_null() || !ODD_TEXTS.contains(&&**text);
            is("string") && within(length, "minLength", "maxLength") && matches
        }
        Value::Array(list) => {
            let items = &schema["items"];
            is("array")
                && within(list.len(), "minItems", "maxItems")
                && (items.is_null() || list.iter().all(|it| fits(document, items, it)))
        }
        Value::Object(fields) => {
            let required = schema["required"].as_array().into_iter().flatten();
            let required = required.filter_map(Value::as_str);
            is("object")
                && required.into_iter().all(|it| fields.contains_key(it))
                && fields
                    .iter()
                    .all(|(name, value)| match &schema["properties"][name] {
                        Value::Null if schema["additionalProperties"].is_object() => {
                            fits(document, &schema["additionalProperties"], value)
                        }
                        Value::Null => schema["additionalProperties"] != false,
                        field => fits(document, field, value),
                    })
        }
    }
}

/// Whether a text in a query fits a schema.
fn fits_text(document: &Value, schema: &Value, text: &str) -> bool {
    let schema = resolved(document, schema);
    if let Some(choices) = schema["anyOf"].as_array() {
        return choices.iter().any(|it| fits_text(document, it, text));
    }
    if schema["type"] == "array" {
        let texts: Vec<&str> = text.split(',').filter(|it| !it.is_empty()).collect();
        let length = texts.len() as u64;
        let items = &schema["items"];
        return schema["minItems"]
            .as_u64()
            .is_none_or(|least| length >= least)
            && texts.iter().all(|it| fits_text(document, items, it));
    }
    let value = serde_json::from_str(text).unwrap_or_else(|_| Value::from(text));
    fits(document, schema, &value) || fits(document, schema, &text.into())
}

#[tokio::test(flavor = "multi_thread")]
async fn what_breaks_the_schema_is_refused() {
    let client = Client::new(config());
    let document = json_of(client.get("/api/v1/openapi.json").await).await;
    let mut runner = TestRunner::deterministic();
    let (mut broken, mut wrong) = (0, Vec::new());
    for call in calls(&client, &document).await {
        let mut requests: Vec<(String, String)> = Vec::new();
        if let Some(schema) = call.body {
            let good = drawn(&document, schema, &mut runner);
            let mut bodies = odd_values();
            for name in schema["properties"].as_object().into_iter().flatten() {
                bodies.extend(odd_values().into_iter().map(|odd| {
                    let mut body = good.clone();
                    body[name.0] = odd;
                    body
                }));
            }
            let mut unknown = good.clone();
            unknown["unknown"] = 7.into();
            bodies.push(unknown);
            for name in schema["required"].as_array().into_iter().flatten() {
                let mut body = good.clone();
                body.as_object_mut().unwrap().remove(name.as_str().unwrap());
                bodies.push(body);
            }
            bodies.retain(|body| !fits(&document, schema, body));
            requests.extend(bodies.iter().map(|body| (String::new(), body.to_string())));
        } else {
            let required: Vec<String> = call
                .query
                .iter()
                .filter(|(_, required, _)| *required)
                .map(|(name, _, schema)| query(&document, name, schema, &mut runner))
                .collect();
            for (name, _, schema) in &call.query {
                for text in ODD_TEXTS {
                    if fits_text(&document, schema, text) {
                        continue;
                    }
                    let mut parts = required.clone();
                    parts.retain(|part| !part.starts_with(&format!("{name}=")));
                    parts.push(format!("{name}={}", encoded(text)));
                    requests.push((parts.join("&"), String::new()));
                }
            }
        }
        for (query, body) in requests {
            let (status, text) = call.send(&client, &query, &body).await;
            let (method, target) = (&call.method, &call.target);
            if !status.is_client_error() || status == StatusCode::UNAUTHORIZED {
                wrong.push(format!(
                    "{method} {target}?{query} {body}: {status} {text:.200}"
                ));
            }
            broken += 1;
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(broken > 500, "{broken}");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_fits_the_schema_is_not_refused_for_its_shape() {
    let client = Client::new(config());
    let document = json_of(client.get("/api/v1/openapi.json").await).await;
    let mut runner = TestRunner::deterministic();
    let mut wrong = Vec::new();
    for call in calls(&client, &document).await {
        // The fields of an action depend on the path.
        if call.target.ends_with("/say") {
            continue;
        }
        for round in 0..12 {
            let mut parts = Vec::new();
            for (name, required, schema) in &call.query {
                if *required || round % 3 != 0 && draw(&any::<bool>(), &mut runner) {
                    parts.push(query(&document, name, schema, &mut runner));
                }
            }
            let body = call.body.map_or_else(String::new, |schema| {
                drawn(&document, schema, &mut runner).to_string()
            });
            let (status, text) = call.send(&client, &parts.join("&"), &body).await;
            let (method, target, query) = (&call.method, &call.target, parts.join("&"));
            let error: Value = serde_json::from_str(&text).unwrap_or_default();
            let code = error["error"]["code"].as_str().unwrap_or_default();
            // A pattern does not know the leap years.
            let leap = query.contains("-02-29") || body.contains("-02-29");
            if ["malformed", "no-date"].contains(&code) && !leap {
                wrong.push(format!("{method} {target}?{query} {body}: {status} {text}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let broken = json!({"puzzle": 7, "consent": true, "moves": [], "ms": 1});
    for path in ["/api/v1/solve", "/api/v1/attempts"] {
        let error = json_of(client.post(path, &broken).await).await;
        assert_eq!(error["error"]["code"], "malformed", "{path}: {error}");
    }
}

fn draw<S: Strategy>(strategy: &S, runner: &mut TestRunner) -> S::Value {
    strategy.new_tree(runner).unwrap().current()
}

/// A fitting parameter, as `name=value`.
fn query(document: &Value, name: &str, schema: &Value, runner: &mut TestRunner) -> String {
    let value = match drawn(document, schema, runner) {
        Value::Array(list) => list.iter().map(text_of).collect::<Vec<_>>().join(","),
        value => text_of(&value),
    };
    format!("{name}={}", encoded(&value))
}

/// A value that fits a schema.
fn drawn(document: &Value, schema: &Value, runner: &mut TestRunner) -> Value {
    let schema = resolved(document, schema);
    for key in ["anyOf", "oneOf", "enum"] {
        if let Some(choices) = schema[key].as_array() {
            let choice = draw(&prop::sample::select(choices.clone()), runner);
            return match key {
                "enum" => choice,
                _ => drawn(document, &choice, runner),
            };
        }
    }
    if !schema["const"].is_null() {
        return schema["const"].clone();
    }
    let kind = match &schema["type"] {
        Value::Array(kinds) => draw(&prop::sample::select(kinds.clone()), runner),
        kind => kind.clone(),
    };
    match kind.as_str() {
        Some("null") => Value::Null,
        Some("boolean") => draw(&any::<bool>(), runner).into(),
        Some("integer" | "number") => {
            let least = schema["minimum"].as_u64().unwrap_or(0);
            let most = schema["maximum"].as_u64().unwrap_or(5_000);
            let near = least.saturating_add(9).min(most);
            let number = draw(&prop_oneof![4 => least..=near, 1 => Just(most)], runner);
            // A number with a fraction of zero is an integer.
            if number < 1 << 50 && draw(&any::<bool>(), runner) {
                (number as f64).into()
            } else {
                number.into()
            }
        }
        Some("string") => match schema["pattern"].as_str() {
            Some(pattern) => {
                let pattern = pattern.trim_start_matches('^').trim_end_matches('$');
                let strategy = proptest::string::string_regex(pattern).unwrap();
                let least = schema["minLength"].as_u64().unwrap_or(0) as usize;
                let mut texts = std::iter::repeat_with(|| draw(&strategy, runner));
                let fits = texts.find(|text| text.chars().count() >= least);
                fits.unwrap_or_default().into()
            }
            None => "4x3..0012.R31".into(),
        },
        Some("array") => {
            let least = schema["minItems"].as_u64().unwrap_or(0);
            let most = schema["maxItems"].as_u64().unwrap_or(3).min(least + 3);
            let length = draw(&(least..=most), runner);
            let items = (0..length).map(|index| {
                let item = &schema["prefixItems"][index as usize];
                let item = if item.is_null() {
                    &schema["items"]
                } else {
                    item
                };
                drawn(document, item, runner)
            });
            Value::Array(items.collect())
        }
        _ => {
            let required = schema["required"].as_array();
            let mut fields = Map::new();
            for (name, field) in schema["properties"].as_object().into_iter().flatten() {
                let needed = required.is_some_and(|list| list.iter().any(|it| it == name));
                if needed || draw(&any::<bool>(), runner) {
                    fields.insert(name.clone(), drawn(document, field, runner));
                }
            }
            Value::Object(fields)
        }
    }
}
