//! The operations on rooms in the description of the API; `docs/api/rooms.md` has the details.

use serde_json::{Value, json};

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

/// Path, method and `OpenAPI` description of each operation. `OpenAPI` has no `WebSockets`.
pub(crate) fn describe(error: &Value) -> Vec<(&'static str, &'static str, Value)> {
    let operations = OPERATIONS
        .iter()
        .filter(|(path, ..)| !path.ends_with("/socket"));
    let described = operations.map(|&(path, method, summary)| {
        let mut call = json!({
            "summary": summary,
            "responses": responses(path, method, error),
        });
        let names = path.split('/').filter_map(|part| {
            let name = part.strip_prefix('{')?;
            name.strip_suffix('}')
        });
        let names: Vec<Value> = names
            .map(|name| json!({ "name": name, "in": "path", "required": true, "schema": { "type": "string" } }))
            .collect();
        if !names.is_empty() {
            call["parameters"] = names.into();
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

fn request(path: &str) -> Value {
    let (text, number) = (json!({ "type": "string" }), json!({ "type": "integer" }));
    let team = json!({ "type": ["integer", "null"] });
    match path.rsplit('/').next() {
        Some("rooms") => object(&json!({
            "options": { "type": "object" },
            "name": { "type": ["string", "null"] },
            "team": team,
        })),
        Some("seats") => {
            object(&json!({ "name": text, "team": team, "bot": { "type": "boolean" } }))
        }
        _ => object(&json!({
            "moves": { "description": "A number in a bid; moves in submit and show." },
            "yes": { "type": "boolean" },
            "text": text,
            "player": number,
        })),
    }
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
