//! The operations on rooms in the description of the API; `docs/api/rooms.md` has the details.

use ricochet_service::json::layout_pattern;
use serde_json::{Value, json};

use crate::http::openapi::{operation_id, path_parameters};

/// Path, method and summary.
pub(crate) const OPERATIONS: [(&str, &str, &str); 10] = [
    ("/api/v1/rooms", "get", "Public rooms, the busiest first"),
    ("/api/v1/rooms", "post", "Open a room"),
    ("/api/v1/rooms/tv", "get", "The busiest public room"),
    (
        "/api/v1/rooms/{room}",
        "get",
        "What a room plays and who is there",
    ),
    ("/api/v1/rooms/{room}/seats", "post", "Take a seat"),
    (
        "/api/v1/rooms/{room}/socket",
        "get",
        "A WebSocket: hello first, then events and replies",
    ),
    (
        "/api/v1/rooms/{room}/stream",
        "get",
        "For bots: the whole room and then its events, one JSON object per line",
    ),
    (
        "/api/v1/rooms/{room}/do/{what}",
        "post",
        "For bots, with `Authorization: Bearer TOKEN`: bid, show, submit, give-up, skip, say, start, \
         remove, mute or leave, with the fields of the message of that name",
    ),
    (
        "/api/v1/rooms/{room}/qr.svg",
        "get",
        "The invitation link as a QR code",
    ),
    (
        "/api/v1/rooms/{room}/games/{game}",
        "get",
        "The rounds of a game that are over: optimum, bids, who saw it",
    ),
];

/// What bots can do. Calls have no use for `ping`.
pub(crate) const ACTIONS: [&str; 16] = [
    "bid",
    "submit",
    "show",
    "give-up",
    "skip",
    "say",
    "phrase",
    "report",
    "options",
    "start",
    "next",
    "remove",
    "mute",
    "hand-over",
    "leave",
    "ping",
];

/// Path, method and `OpenAPI` description of each operation. `OpenAPI` has no `WebSockets`.
pub(crate) fn describe(error: &Value) -> Vec<(&'static str, &'static str, Value)> {
    let operations = OPERATIONS
        .iter()
        .filter(|(path, ..)| !path.ends_with("/socket"));
    let described = operations.map(|&(path, method, summary)| {
        let mut parameters = path_parameters(path);
        parameters.extend(query_parameter(path, method));
        let mut call = json!({
            "operationId": operation_id(method, path),
            "summary": summary,
            "parameters": parameters,
            "responses": responses(path, method, error),
        });
        if path.ends_with("{what}") {
            call["security"] = json!([{ "secret": [] }]);
        }
        if method == "post" {
            call["requestBody"] = json!({
                "required": true,
                "content": { "application/json": { "schema": request(path) } },
            });
        }
        (path, method, call)
    });
    described.collect()
}

fn object(properties: &Value) -> Value {
    json!({ "type": "object", "properties": properties })
}

/// An object whose fields are all known.
fn closed(properties: &Value, required: &[&str]) -> Value {
    let mut schema = object(properties);
    schema["required"] = json!(required);
    schema["additionalProperties"] = false.into();
    schema
}

/// A whole number within a range.
fn number(least: u64, most: u64) -> Value {
    json!({ "type": "integer", "minimum": least, "maximum": most })
}

/// The parameter in the query, if there is one.
fn query_parameter(path: &str, method: &str) -> Option<Value> {
    let (name, description, schema) = match (path.rsplit('/').next(), method) {
        (Some("rooms"), "get") => (
            "own",
            "Only rooms of the process that answers.",
            json!({ "type": "boolean" }),
        ),
        (Some("stream"), _) => (
            "since",
            "The last event that is known.",
            number(0, u64::MAX),
        ),
        _ => return None,
    };
    Some(json!({ "name": name, "in": "query", "description": description, "schema": schema }))
}

fn request(path: &str) -> Value {
    let (text, switch) = (json!({ "type": "string" }), json!({ "type": "boolean" }));
    let mut team = number(0, u64::from(u8::MAX));
    team["type"] = json!(["integer", "null"]);
    let player = number(0, u64::from(u32::MAX));
    match path.rsplit('/').next() {
        Some("rooms") => closed(
            &json!({
                "options": options(),
                "name": { "type": ["string", "null"] },
                "team": team,
            }),
            &[],
        ),
        Some("seats") => closed(
            &json!({
                "name": text,
                "team": team,
                "bot": switch,
                "level": { "type": ["integer", "null"], "minimum": 1, "maximum": 9 },
            }),
            &["name"],
        ),
        // Each action has some of these.
        _ => closed(
            &json!({
                "moves": {
                    "description": "A number in a bid; moves in submit and show.",
                    "anyOf": [
                        number(0, u64::from(u32::MAX)),
                        { "$ref": "#/components/schemas/Moves" },
                    ],
                },
                "yes": switch,
                "text": text,
                "player": player,
                "phrase": number(0, u64::from(u8::MAX)),
                "options": options(),
                "t": { "type": ["number", "null"] },
                "lag": { "type": ["integer", "null"], "minimum": 0, "maximum": u32::MAX },
            }),
            &[],
        ),
    }
}

/// The options of a room, each with the range that [`Options::check`](ricochet_rooms::Options::check)
/// allows.
fn options() -> Value {
    let minute = 60_000;
    let switch = json!({ "type": "boolean" });
    closed(
        &json!({
            "edition": { "enum": [1999, 2003, 2013] },
            "layout": { "type": ["string", "null"], "pattern": layout_pattern() },
            "diagonals": { "type": ["boolean", "null"] },
            "robots": number(4, 5),
            "must_ricochet": switch,
            "style": { "enum": ["bidding", "secret", "correspondence"] },
            "sand_ms": number(5_000, 30 * minute),
            "show_ms": number(5_000, 30 * minute),
            "round_ms": number(minute, 7 * 24 * 60 * minute),
            "pause_ms": number(0, 10 * minute),
            "length": { "anyOf": [
                { "enum": ["all-chips", "race"] },
                closed(&json!({ "rounds": number(1, 500) }), &["rounds"]),
            ] },
            "ties": { "enum": ["fewer-chips", "newcomer"] },
            "teams": { "enum": [0, 2, 3, 4] },
            "seats": number(1, 64),
            "private": switch,
            "chat": { "enum": ["off", "quick", "free", true, false] },
            "automatic": switch,
            "spectator_delay_ms": number(0, 10 * minute),
        }),
        &[],
    )
}

fn responses(path: &str, method: &str, error: &Value) -> Value {
    let (text, number) = (json!({ "type": "string" }), json!({ "type": "integer" }));
    let seat = json!({ "room": text, "link": text, "player": number, "token": text });
    let json = |schema: Value| json!({ "application/json": { "schema": schema } });
    let (status, content) = match (path.rsplit('/').next(), method) {
        (Some("rooms"), "get") => (
            "200",
            json(object(&json!({
                "now": number,
                "tv": { "type": ["string", "null"] },
                "rooms": { "type": "array", "items": status() },
            }))),
        ),
        (Some("rooms" | "seats"), _) => ("201", json(object(&seat))),
        (Some("tv"), _) => (
            "200",
            json(object(&json!({ "room": { "type": ["string", "null"] } }))),
        ),
        (Some("{room}"), _) => ("200", json(status())),
        (Some("qr.svg"), _) => (
            "200",
            json!({ "image/svg+xml": { "schema": { "type": "string", "format": "binary" } } }),
        ),
        (Some("stream"), _) => (
            "200",
            json!({ "application/x-ndjson": { "schema": object(&json!({ "type": text })) } }),
        ),
        (Some("{what}"), _) => ("200", json(object(&json!({ "version": number })))),
        _ => (
            "200",
            json(object(&json!({
                "room": text,
                "game": number,
                "layout": text,
                "over": { "type": "boolean" },
                "standings": { "type": ["array", "null"] },
                "players": { "type": "array" },
                "rounds": { "type": "array" },
            }))),
        ),
    };
    let mut responses = json!({
        status: { "description": "Done.", "content": content },
        "default": error,
    });
    if method == "post" {
        let refusal = object(&json!({ "refusal": text, "message": text }));
        responses["409"] = json!({ "description": "The room refuses.", "content": json(refusal) });
    }
    responses
}

/// A room in the lobby.
fn status() -> Value {
    let (text, number) = (json!({ "type": "string" }), json!({ "type": "integer" }));
    let optional = json!({ "type": ["integer", "null"] });
    object(&json!({
        "room": text,
        "host": { "type": ["string", "null"] },
        "phase": text,
        "players": number,
        "bots": number,
        "connected": number,
        "seats": number,
        "spectators": number,
        "game": optional,
        "round": optional,
        "opened": number,
        "options": { "type": "object" },
    }))
}
