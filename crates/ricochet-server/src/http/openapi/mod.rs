//! The description of the API, for programs (`OpenAPI`) and for people (a page).
//!
//! Both are generated from the table of questions, which also makes the routes, and from the types
//! of requests and answers.

mod rooms;

use std::fmt::Write;

use axum::http::{HeaderMap, header};
use axum::response::{IntoResponse, Response};
use ricochet_service::json::DATE_PATTERN;
use ricochet_service::{QUESTIONS, schema};
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde_json::{Map, Value, json};

use crate::http::response::NDJSON;
use crate::http::submissions::{
    AttemptResponse, NewAttempt, NewPuzzle, NewResult, OwnResults, PuzzleResponse, ResultResponse,
    SavedPuzzles,
};
use crate::serve::DEFAULT_PORT;
use crate::store::{Attempt, DaySummary, SavedPuzzle};

/// An operation on stored data.
struct Operation {
    method: &'static str,
    path: &'static str,
    summary: &'static str,
    /// The body of the request, if it has one.
    request: Option<SchemaOf>,
    /// The status of success.
    status: &'static str,
    answer: Option<SchemaOf>,
    media_type: &'static str,
}

/// Generates the schema of a type.
type SchemaOf = fn(&mut SchemaGenerator) -> Schema;

fn of<T: JsonSchema>(generator: &mut SchemaGenerator) -> Schema {
    generator.subschema_for::<T>()
}

const JSON: &str = "application/json";

const fn get(path: &'static str, summary: &'static str, answer: SchemaOf) -> Operation {
    Operation {
        method: "get",
        path,
        summary,
        request: None,
        status: "200",
        answer: Some(answer),
        media_type: JSON,
    }
}

const fn post(
    path: &'static str,
    summary: &'static str,
    request: SchemaOf,
    answer: SchemaOf,
) -> Operation {
    Operation {
        method: "post",
        request: Some(request),
        status: "201",
        ..get(path, summary, answer)
    }
}

const OPERATIONS: [Operation; 11] = [
    post(
        "/api/v1/results",
        "Keep a result of the daily puzzle; only the best of each player is kept",
        of::<NewResult>,
        of::<ResultResponse>,
    ),
    get(
        "/api/v1/results/{date}",
        "The results of all players on a day",
        of::<DaySummary>,
    ),
    get(
        "/api/v1/results/mine",
        "The daily results of a player, with the player's key",
        of::<OwnResults>,
    ),
    Operation {
        method: "delete",
        status: "204",
        answer: None,
        ..get(
            "/api/v1/results/mine",
            "Delete the daily results of a player, with the player's key",
            of::<OwnResults>,
        )
    },
    get(
        "/api/v1/puzzles",
        "The saved puzzles that everybody may see",
        of::<SavedPuzzles>,
    ),
    post(
        "/api/v1/puzzles",
        "Save a puzzle",
        of::<NewPuzzle>,
        of::<PuzzleResponse>,
    ),
    get("/api/v1/puzzles/{id}", "A saved puzzle", of::<SavedPuzzle>),
    Operation {
        method: "put",
        request: Some(of::<NewPuzzle>),
        ..get(
            "/api/v1/puzzles/{id}",
            "Replace a saved puzzle, with its secret",
            of::<SavedPuzzle>,
        )
    },
    Operation {
        method: "delete",
        status: "204",
        answer: None,
        ..get(
            "/api/v1/puzzles/{id}",
            "Delete a saved puzzle, with its secret",
            of::<SavedPuzzle>,
        )
    },
    post(
        "/api/v1/attempts",
        "Keep an attempt of a player who agreed",
        of::<NewAttempt>,
        of::<AttemptResponse>,
    ),
    Operation {
        media_type: NDJSON,
        ..get(
            "/api/v1/attempts",
            "All attempts, one JSON object per line",
            of::<Attempt>,
        )
    },
];

/// The `OpenAPI` document.
pub(crate) fn describe() -> Value {
    let (questions, stored, mut definitions) =
        schema::questions_and("/components/schemas", |generator| {
            OPERATIONS.map(|operation| operation.describe(generator))
        });
    let mut paths = Map::new();
    for question in QUESTIONS {
        let entry = &questions[question.name];
        let name = entry["request"]["$ref"].as_str().unwrap_or_default();
        let name = name.rsplit('/').next().unwrap_or_default();
        let parameters = parameters(&definitions[name], &definitions);
        let example: Value = serde_json::from_str(question.example).unwrap_or_default();
        let responses = responses(&entry["answer"]);
        let mut path = json!({
            "post": {
                "operationId": question.name,
                "summary": question.summary,
                "requestBody": {
                    "required": true,
                    "content": { "application/json": {
                        "schema": entry["request"],
                        "example": example,
                    } },
                },
                "responses": responses,
            },
        });
        if let Some(parameters) = parameters {
            path["get"] = json!({
                "operationId": format!("get-{}", question.name),
                "summary": question.summary,
                "parameters": parameters,
                "responses": with_uri_too_long(responses),
            });
        }
        paths.insert(format!("/api/v1/{}", question.name), path);
    }
    for (path, summary) in [
        ("/api/v1/puzzle/daily", "Today's puzzle, by UTC"),
        ("/api/v1/puzzle/daily/{date}", "The puzzle of a day"),
    ] {
        let get = json!({
            "operationId": operation_id("get", path),
            "summary": summary,
            "parameters": path_parameters(path),
            "responses": responses(&questions["daily"]["answer"]),
        });
        paths.insert(path.to_owned(), json!({ "get": get }));
    }
    for (kind, media_type) in [
        ("svg", "image/svg+xml"),
        ("png", "image/png"),
        ("gif", "image/gif"),
        ("pdf", "application/pdf"),
    ] {
        let path = format!("/api/v1/draw.{kind}");
        // The path says which kind it is.
        let parameters = parameters(&definitions["Draw"], &definitions).unwrap_or_default();
        let parameters = parameters.into_iter().filter(|it| it["name"] != "kind");
        let get = json!({
            "operationId": operation_id("get", &path),
            "summary": format!("A picture of a puzzle, as {kind}"),
            "parameters": parameters.collect::<Vec<_>>(),
            "responses": with_uri_too_long(json!({
                "200": {
                    "description": "The picture.",
                    "content": { media_type: { "schema": { "type": "string", "format": "binary" } } },
                },
                "default": error_response(),
            })),
        });
        paths.insert(path, json!({ "get": get }));
    }
    for (operation, described) in OPERATIONS.iter().zip(stored) {
        paths.entry(operation.path).or_insert_with(|| json!({}))[operation.method] = described;
    }
    for (path, method, described) in rooms::describe(&error_response()) {
        paths.entry(path).or_insert_with(|| json!({}))[method] = described;
    }
    if let Some(definitions) = definitions.as_object_mut() {
        definitions.insert(
            "ErrorBody".to_owned(),
            json!({
                "type": "object",
                "required": ["error"],
                "properties": { "error": { "$ref": "#/components/schemas/Error" } },
            }),
        );
    }
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "Ricochet Robots",
            "version": env!("CARGO_PKG_VERSION"),
            "description": "Every question about a puzzle. Limits in a request can only lower those \
                            of the server. With `Accept: application/x-ndjson` an answer comes as \
                            lines: `{\"progress\":…}` while it is looked for, then `{\"answer\":…}` \
                            or `{\"error\":…}`; blank lines keep the connection open.",
        },
        "paths": paths,
        "components": {
            "schemas": definitions,
            "securitySchemes": { "secret": { "type": "http", "scheme": "bearer" } },
        },
    })
}

impl Operation {
    fn describe(&self, generator: &mut SchemaGenerator) -> Value {
        let mut done = json!({ "description": "Done." });
        if let Some(answer) = self.answer {
            done["content"] = json!({ self.media_type: { "schema": answer(generator) } });
        }
        let mut call = json!({
            "operationId": operation_id(self.method, self.path),
            "summary": self.summary,
            "parameters": path_parameters(self.path),
            "responses": { self.status: done, "default": error_response() },
        });
        if self.path.ends_with("mine") || (self.path.contains('{') && self.method != "get") {
            call["security"] = json!([{ "secret": [] }]);
        }
        if let Some(request) = self.request {
            call["requestBody"] = json!({
                "required": true,
                "content": { JSON: { "schema": request(generator) } },
            });
        }
        call
    }
}

/// `post-results`, `get-puzzles-id`.
fn operation_id(method: &str, path: &str) -> String {
    let path = path.trim_start_matches("/api/v1/");
    let words = path.replace(['/', '.'], "-").replace(['{', '}'], "");
    format!("{method}-{words}")
}

/// The parameters in a path.
fn path_parameters(path: &str) -> Vec<Value> {
    let names = path.split('/').filter_map(|part| {
        let name = part.strip_prefix('{')?;
        name.strip_suffix('}')
    });
    let parameters = names.map(|name| {
        let schema = match name {
            "date" => json!({ "type": "string", "format": "date", "pattern": DATE_PATTERN }),
            "what" => json!({ "enum": rooms::ACTIONS }),
            _ => json!({ "type": "string" }),
        };
        json!({ "name": name, "in": "path", "required": true, "schema": schema })
    });
    parameters.collect()
}

/// The parameters of a query, from the fields of a request; none if a query cannot ask this question.
pub(crate) fn parameters(request: &Value, definitions: &Value) -> Option<Vec<Value>> {
    let required = request["required"].as_array();
    let is_required = |name: &str| required.is_some_and(|list| list.iter().any(|it| it == name));
    let properties = request["properties"].as_object();
    let (in_query, other): (Vec<_>, Vec<_>) = properties
        .into_iter()
        .flatten()
        .map(|(name, field)| (name, as_text(without_null(field), definitions)))
        .partition(|(_, field)| is_plain(field, definitions));
    if other.iter().any(|(name, _)| is_required(name)) {
        return None;
    }
    let has_limits = other.iter().any(|(name, _)| *name == "limits");
    let list = in_query
        .into_iter()
        .map(|(name, field)| {
            json!({
                "name": if name == "puzzle" { "p" } else { name },
                "in": "query",
                "required": is_required(name),
                "description": field["description"],
                "schema": field,
                "style": "form",
                "explode": false,
            })
        })
        .chain(has_limits.then(|| {
            json!({
                "name": "ms",
                "in": "query",
                "description": "Milliseconds that a search may take.",
                "schema": { "type": "integer", "minimum": 0, "maximum": u64::MAX },
            })
        }));
    Some(list.collect())
}

/// The schema of a field in a query, which cannot say null: there, the field is left out.
fn without_null(field: &Value) -> Value {
    let mut field = field.clone();
    if field["default"].is_null()
        && let Some(fields) = field.as_object_mut()
    {
        fields.remove("default");
    }
    for key in ["type", "anyOf", "enum"] {
        if let Some(list) = field.get_mut(key).and_then(Value::as_array_mut) {
            list.retain(|it| it != "null" && !it.is_null() && it["type"] != "null");
        }
    }
    if let Some([kind]) = field["type"].as_array().map(Vec::as_slice) {
        field["type"] = kind.clone();
    }
    field
}

/// A field in a query is a text if it may be one: a list cannot be told from it.
fn as_text(mut field: Value, definitions: &Value) -> Value {
    let name = field["$ref"].as_str().and_then(|it| it.rsplit('/').next());
    let choices = name.map_or(&field, |name| &definitions[name])["anyOf"].as_array();
    let is_text = |it: &&Value| it["type"] == "string";
    let texts: Vec<Value> = choices
        .into_iter()
        .flatten()
        .filter(is_text)
        .cloned()
        .collect();
    if let Some(fields) = field.as_object_mut().filter(|_| !texts.is_empty()) {
        fields.remove("$ref");
        fields.insert("anyOf".to_owned(), texts.into());
    }
    field
}

/// Whether the query of a URL can have the value: a text, a number, a switch, or a list of these.
fn is_plain(schema: &Value, definitions: &Value) -> bool {
    let name = schema["$ref"].as_str().and_then(|it| it.rsplit('/').next());
    let schema = name.map_or(schema, |name| &definitions[name]);
    if let Some(choices) = schema["anyOf"].as_array() {
        return choices.iter().all(|it| is_plain(it, definitions));
    }
    match schema["type"].as_str() {
        Some("object") => false,
        Some("array") => {
            let items = &schema["items"];
            items["type"] != "array" && is_plain(items, definitions)
        }
        _ => true,
    }
}

/// Adds the response for a URL that is too long, which is sent before any handler runs.
fn with_uri_too_long(mut responses: Value) -> Value {
    responses["414"] = json!({ "description": "The address is too long: ask with POST." });
    responses
}

fn error_response() -> Value {
    json!({
        "description": "Why there is no answer.",
        "content": { "application/json": {
            "schema": { "$ref": "#/components/schemas/ErrorBody" },
        } },
    })
}

fn responses(answer: &Value) -> Value {
    json!({
        "200": {
            "description": "The answer.",
            "content": {
                "application/json": { "schema": answer },
                "application/x-ndjson": {
                    "schema": {
                        "description": "One object per line.",
                        "oneOf": [
                            { "type": "object", "required": ["progress"],
                              "properties": { "progress": { "$ref": "#/components/schemas/Progress" } } },
                            { "type": "object", "required": ["answer"],
                              "properties": { "answer": answer } },
                            { "$ref": "#/components/schemas/ErrorBody" },
                        ],
                    },
                },
            },
        },
        "503": {
            "description": "Too many questions at once.",
            "headers": { "Retry-After": { "schema": { "type": "integer" } } },
            "content": { "application/json": {
                "schema": { "$ref": "#/components/schemas/ErrorBody" },
            } },
        },
        "default": error_response(),
    })
}

/// `GET /api/v1/openapi.json`
pub(crate) async fn document() -> Response {
    let headers = [
        (header::CONTENT_TYPE, "application/json"),
        (header::CACHE_CONTROL, "no-cache"),
    ];
    (headers, describe().to_string()).into_response()
}

/// `GET /api`: the API with examples.
pub(crate) async fn page(headers: HeaderMap) -> Response {
    // The guard allows only known names.
    let host = headers
        .get(header::HOST)
        .and_then(|host| host.to_str().ok());
    let host = host.map_or_else(|| format!("127.0.0.1:{DEFAULT_PORT}"), escaped);
    let mut html = String::from(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width\">\n\
         <title>Ricochet Robots: the interface</title>\n\
         <link rel=\"stylesheet\" href=\"/api/style.css\">\n</head>\n<body>\n\
         <h1>Questions over HTTP</h1>\n\
         <p>Each question is asked with <code>POST</code> and a JSON object, or with <code>GET</code> \
         and its fields in the query (<code>p</code> is the puzzle, <code>ms</code> a time limit). \
         With <code>Accept: application/x-ndjson</code> the answer comes as one JSON object per line, \
         with progress before it. <a href=\"/api/v1/openapi.json\">The OpenAPI document</a> describes \
         every field.</p>\n",
    );
    let (questions, definitions) = schema::questions("/$defs");
    for question in QUESTIONS {
        let _ = write!(
            html,
            "<section id=\"{0}\">\n<h2>{0}</h2>\n<p>{1}.</p>\n<table>\n",
            question.name,
            with_code(question.summary)
        );
        let request = questions[question.name]["request"]["$ref"].as_str();
        let request = request
            .and_then(|it| it.rsplit('/').next())
            .unwrap_or_default();
        let fields = definitions[request]["properties"].as_object();
        for (name, field) in fields.into_iter().flatten() {
            let description = field["description"].as_str().unwrap_or_default();
            let _ = writeln!(
                html,
                "<tr><th><code>{}</code></th><td>{}</td></tr>",
                escaped(name),
                with_code(description)
            );
        }
        let _ = write!(
            html,
            "</table>\n<pre>curl -H 'content-type: application/json' \\\n  -d '{}' \\\n  \
             http://{host}/api/v1/{}</pre>\n</section>\n",
            escaped(question.example),
            question.name
        );
    }
    html.push_str("<h1>What is stored</h1>\n<table>\n");
    for operation in &OPERATIONS {
        let Operation {
            method,
            path,
            summary,
            ..
        } = operation;
        html.push_str(&operation_row(method, path, summary));
    }
    html.push_str("</table>\n<h1>Rooms</h1>\n<table>\n");
    for (path, method, summary) in rooms::OPERATIONS {
        html.push_str(&operation_row(method, path, summary));
    }
    html.push_str("</table>\n</body>\n</html>\n");
    ([(header::CONTENT_TYPE, "text/html; charset=utf-8")], html).into_response()
}

fn operation_row(method: &str, path: &str, summary: &str) -> String {
    format!(
        "<tr><th><code>{} {}</code></th><td>{}</td></tr>\n",
        method.to_uppercase(),
        escaped(path),
        with_code(summary)
    )
}

/// `GET /api/style.css`
pub(crate) async fn style() -> Response {
    let css = ":root{color-scheme:light dark}\
               body{font:1rem/1.5 system-ui,sans-serif;max-width:50rem;margin:2rem auto;padding:0 1rem}\
               th{text-align:left;vertical-align:top;padding-right:1rem}\
               pre{overflow:auto;padding:.5rem;border:1px solid}";
    ([(header::CONTENT_TYPE, "text/css; charset=utf-8")], css).into_response()
}

/// Escapes text for HTML, and turns backticks into code.
fn with_code(text: &str) -> String {
    let parts = escaped(text);
    let parts = parts.split('`').enumerate().map(|(i, part)| {
        if i % 2 == 1 {
            format!("<code>{part}</code>")
        } else {
            part.to_owned()
        }
    });
    parts.collect()
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}
