//! The Model Context Protocol over HTTP.

use axum::http::{Method, StatusCode, header};
use ricochet_server::Config;
use ricochet_service::schema;
use serde_json::{Value, json};

use super::support::{Client, json_of, text_of};

/// A scripted client.
struct Mcp(Client);

impl Mcp {
    fn new() -> Self {
        Self(Client::new(Config::default()))
    }

    async fn request(&self, method: &str, params: Value) -> Value {
        let body = json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params });
        let headers = [
            ("content-type", "application/json"),
            ("accept", "application/json, text/event-stream"),
            ("mcp-protocol-version", "2025-06-18"),
        ];
        let body = body.to_string();
        let response = self.0.send(Method::POST, "/mcp", &headers, &body).await;
        assert_eq!(response.status(), StatusCode::OK, "{body}");
        json_of(response).await
    }

    async fn call(&self, tool: &str, arguments: Value) -> Value {
        let params = json!({ "name": tool, "arguments": arguments });
        self.request("tools/call", params).await["result"].clone()
    }

    async fn answer(&self, tool: &str, arguments: Value) -> Value {
        let result = self.call(tool, arguments).await;
        assert_eq!(result["isError"], false, "{result}");
        result["structuredContent"].clone()
    }

    async fn error(&self, tool: &str, arguments: Value) -> String {
        let result = self.call(tool, arguments).await;
        assert_eq!(result["isError"], true, "{result}");
        result["content"][0]["text"].as_str().unwrap().to_owned()
    }
}

const PUZZLE: &str = "4x3..0012.R31";

#[tokio::test]
async fn it_introduces_itself_and_its_tools() {
    let mcp = Mcp::new();
    let hello = json!({
        "protocolVersion": "2025-06-18", "capabilities": {},
        "clientInfo": { "name": "test", "version": "1" },
    });
    let hello = mcp.request("initialize", hello).await;
    let about = &hello["result"];
    assert_eq!(about["serverInfo"]["name"], "ricochet");
    assert!(
        about["instructions"]
            .as_str()
            .unwrap()
            .contains("(N E S W)")
    );
    let listed = mcp.request("tools/list", json!({})).await;
    let tools = listed["result"]["tools"].as_array().unwrap();
    let names: Vec<&str> = tools
        .iter()
        .map(|it| it["name"].as_str().unwrap())
        .collect();
    let expected = [
        "solve",
        "evaluate",
        "check",
        "hint",
        "explain",
        "generate",
        "convert",
        "draw",
        "list_rooms",
        "join_room",
        "look_at_room",
        "act_in_room",
    ];
    assert_eq!(names, expected);
    for tool in tools {
        let schema = &tool["inputSchema"];
        assert_eq!(schema["type"], "object", "{tool}");
        assert!(!tool.to_string().contains("$ref"), "{tool}");
        assert!(tool["description"].as_str().unwrap().len() > 40);
        for required in schema["required"].as_array().into_iter().flatten() {
            assert!(schema["properties"][required.as_str().unwrap()].is_object());
        }
    }
    // Every field exists in the question, with its type.
    let (questions, _) = schema::questions("/$defs");
    assert!(questions["solve"].is_object());
    let solve = &tools[0]["inputSchema"]["properties"];
    assert_eq!(
        solve["limits"]["properties"]["ms"]["type"],
        json!(["integer", "null"])
    );
    for (name, schema) in solve.as_object().unwrap() {
        assert!(!schema.is_null(), "{name}");
    }
}

#[tokio::test]
async fn its_answers_are_those_of_the_questions() {
    let mcp = Mcp::new();
    for (tool, question, arguments) in [
        ("solve", "solve", json!({ "puzzle": PUZZLE })),
        (
            "evaluate",
            "position",
            json!({ "puzzle": PUZZLE, "moves": "GE" }),
        ),
        (
            "check",
            "check",
            json!({ "puzzle": PUZZLE, "moves": "GE RE RS" }),
        ),
        ("hint", "hint", json!({ "puzzle": PUZZLE, "level": 3 })),
        ("explain", "explain", json!({ "puzzle": PUZZLE })),
        (
            "generate",
            "generate",
            json!({ "seed": 7, "size": [6, 6], "robots": 2, "moves": [2, 4], "rating": [500, 1500],
                    "themes": ["placed-blocker"], "rate": true }),
        ),
        (
            "convert",
            "convert",
            json!({ "puzzle": PUZZLE, "to": "text" }),
        ),
    ] {
        let mut told = mcp.answer(tool, arguments.clone()).await;
        let path = format!("/api/v1/{question}");
        let mut expected = json_of(mcp.0.post(&path, &arguments).await).await;
        for answer in [&mut told, &mut expected] {
            // The time of a search is another each time.
            if let Some(fields) = answer.as_object_mut() {
                fields.remove("micros");
                fields.remove("stats");
            }
        }
        assert_eq!(told, expected, "{tool}");
    }
    let picture = mcp
        .call("draw", json!({ "puzzle": PUZZLE, "moves": "GE" }))
        .await;
    let image = &picture["content"][0];
    assert_eq!(
        (&image["type"], &image["mimeType"]),
        (&json!("image"), &json!("image/png"))
    );
    assert!(image["data"].as_str().unwrap().starts_with("iVBORw0KGgo"));
    let told = mcp.call("explain", json!({ "puzzle": PUZZLE })).await;
    let sentences = told["content"][0]["text"].as_str().unwrap();
    assert!(
        sentences.contains("3 moves, the fewest possible"),
        "{sentences}"
    );
}

#[tokio::test]
async fn errors_say_what_to_do() {
    let mcp = Mcp::new();
    let unreadable = mcp.error("solve", json!({ "puzzle": "no puzzle" })).await;
    assert!(unreadable.contains("4x3..0012.R31"), "{unreadable}");
    let missing = mcp.error("solve", json!({})).await;
    assert!(missing.contains("puzzle"), "{missing}");
    let unknown = mcp
        .error("solve", json!({ "puzzle": PUZZLE, "depth": 3 }))
        .await;
    assert!(
        unknown.contains("expected puzzle, solver, limits"),
        "{unknown}"
    );
    let format = mcp
        .error("convert", json!({ "puzzle": PUZZLE, "to": "song" }))
        .await;
    assert!(format.contains("drifting-droids"), "{format}");
    let moves = mcp
        .error("check", json!({ "puzzle": PUZZLE, "moves": "go on" }))
        .await;
    assert!(moves.contains("GE RE RS"), "{moves}");
    for hostile in ["../../x", "a b", "", "x\u{0}", "%2e%2e"] {
        let room = mcp.error("look_at_room", json!({ "room": hostile })).await;
        assert!(room.contains("expected the name of a room"), "{room}");
    }
    let token = json!({ "room": "k3x9w2m7qabc", "token": "a\nb", "action": "skip" });
    assert!(mcp.error("act_in_room", token).await.contains("token"));
    let params = json!({ "name": "solver", "arguments": {} });
    let wrong = mcp.request("tools/call", params).await;
    let message = wrong["error"]["message"].as_str().unwrap();
    assert!(message.contains("expected solve, evaluate"), "{message}");
}

#[tokio::test]
async fn other_pages_and_large_bodies_are_refused() {
    let mcp = Mcp::new();
    let headers = |origin| {
        [
            ("content-type", "application/json"),
            ("accept", "application/json, text/event-stream"),
            ("origin", origin),
        ]
    };
    let ping = r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#;
    let foreign = headers("https://example.org");
    let refused = mcp.0.send(Method::POST, "/mcp", &foreign, ping).await;
    assert_eq!(refused.status(), StatusCode::FORBIDDEN);
    let hosts = [
        ("host", "example.org"),
        ("content-type", "application/json"),
    ];
    let rebound = mcp.0.send(Method::POST, "/mcp", &hosts, ping).await;
    assert_eq!(rebound.status(), StatusCode::FORBIDDEN);
    let own = headers("http://localhost");
    let answered = mcp.0.send(Method::POST, "/mcp", &own, ping).await;
    assert_eq!(answered.status(), StatusCode::OK);
    let large = format!(
        r#"{{"jsonrpc":"2.0","id":1,"method":"{}"}}"#,
        "x".repeat(3 << 20)
    );
    let refused = mcp.0.send(Method::POST, "/mcp", &own, &large).await;
    assert_eq!(refused.status(), StatusCode::PAYLOAD_TOO_LARGE);
    for body in ["", "{", "[]", "null", r#"{"jsonrpc":"2.0"}"#] {
        let refused = mcp.0.send(Method::POST, "/mcp", &own, body).await;
        assert!(
            refused.status().is_client_error(),
            "{body}: {}",
            refused.status()
        );
        text_of(refused).await;
    }
}

#[tokio::test]
async fn searches_have_the_limits_of_the_server() {
    let mut config = Config::default();
    config.policy.ms = Some(1);
    let mcp = Mcp(Client::new(config));
    let hard = ricochet_core::formats::read_one("16x16..00010203040506.R88");
    assert!(hard.is_ok());
    let asked = json!({ "puzzle": "16x16..00010203.R88", "solver": "bfs:duplicates=keep",
        "limits": { "ms": 60000 } });
    let answer = mcp.answer("solve", asked).await;
    assert_eq!(
        (&answer["outcome"], &answer["limit"]),
        (&json!("limit"), &json!("time limit"))
    );
}

/// A client at an address, as a proxy would pass it on. The result of the tool.
async fn call_from(client: &Client, address: &str, tool: &str, arguments: Value) -> Value {
    let headers = [
        ("content-type", "application/json"),
        ("accept", "application/json, text/event-stream"),
        ("mcp-protocol-version", "2025-06-18"),
        ("host", "localhost"),
        ("x-forwarded-for", address),
        ("x-forwarded-proto", "https"),
    ];
    let body = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call",
        "params": { "name": tool, "arguments": arguments } });
    let response = client
        .send(Method::POST, "/mcp", &headers, &body.to_string())
        .await;
    assert_eq!(response.status(), StatusCode::OK);
    json_of(response).await["result"].clone()
}

fn error_of(result: &Value) -> &str {
    assert_eq!(result["isError"], true, "{result}");
    result["content"][0]["text"].as_str().unwrap()
}

/// A search that takes as long as it is let; all are different.
fn hard(number: u32, ms: u64) -> Value {
    let line = format!("16x16..00112233445566{number:x}7.R88");
    json!({ "puzzle": line, "solver": "iddfs:memo=off", "limits": { "ms": ms } })
}

#[tokio::test]
async fn solver_time_is_that_of_the_address() {
    let mut config = Config {
        behind_proxy: true,
        budget: Some(1),
        ..Config::default()
    };
    config.policy.ms = Some(600_000);
    let client = Client::new(config);
    let (spender, other) = ("192.0.2.1", "192.0.2.2");
    let spent = call_from(&client, spender, "solve", hard(0, 1500)).await;
    assert_eq!(spent["structuredContent"]["outcome"], "limit", "{spent}");
    // The next hard one is refused in words, with a time to come again.
    let refused = call_from(&client, spender, "solve", hard(1, 60_000)).await;
    let (_, seconds) = error_of(&refused).split_once("Try again in ").unwrap();
    assert!(seconds.split(' ').next().unwrap().parse::<u64>().unwrap() >= 1);
    // It is the account of the address, not of the protocol.
    let headers = [
        ("content-type", "application/json"),
        ("x-forwarded-for", spender),
    ];
    let body = hard(2, 60_000).to_string();
    let over_http = client.send(Method::POST, "/api/v1/solve", &headers, &body);
    let over_http = over_http.await;
    assert_eq!(over_http.status(), StatusCode::SERVICE_UNAVAILABLE);
    assert!(over_http.headers().contains_key(header::RETRY_AFTER));
    // Others are served, and so are easy questions of the same one.
    for address in [other, spender] {
        let easy = call_from(&client, address, "solve", json!({ "puzzle": PUZZLE })).await;
        assert_eq!(easy["structuredContent"]["length"], 3, "{address}");
    }
    let hard_one = call_from(&client, other, "solve", hard(3, 100)).await;
    assert_eq!(hard_one["isError"], false, "{hard_one}");
}

#[tokio::test]
async fn too_many_rooms_are_refused_with_a_time() {
    let client = Client::new(Config {
        behind_proxy: true,
        ..Config::default()
    });
    let mut refused = None;
    for number in 0..1000 {
        let seat = call_from(&client, "192.0.2.1", "join_room", json!({ "name": "Bot" })).await;
        if seat["isError"] == true {
            refused = Some(error_of(&seat).to_owned());
            break;
        }
        let link = seat["structuredContent"]["link"].as_str().unwrap();
        assert!(link.starts_with("https://localhost/"), "{number}: {link}");
    }
    let refused = refused.expect("a limit");
    assert!(refused.contains("Try again in "), "{refused}");
    let served = call_from(&client, "192.0.2.2", "join_room", json!({ "name": "Bot" })).await;
    assert_eq!(served["isError"], false, "{served}");
}

/// A whole round: one player by tools, alone in a room.
#[tokio::test]
async fn a_player_of_rooms() {
    let mcp = Mcp::new();
    let options = json!({ "sand_ms": 5000, "pause_ms": 0, "length": { "rounds": 1 } });
    let seat = mcp
        .answer("join_room", json!({ "name": "Bot", "options": options }))
        .await;
    let (room, token) = (seat["room"].clone(), seat["token"].clone());
    let link = seat["link"].as_str().unwrap();
    let relative = link.strip_prefix("http://localhost/").unwrap_or("");
    assert!(relative.contains("#room="), "{seat}");
    let look = |after: Value| {
        let asked = json!({ "room": room, "token": token, "after": after, "wait_seconds": 20 });
        mcp.answer("look_at_room", asked)
    };
    let act = |mut fields: Value| {
        fields["room"] = room.clone();
        fields["token"] = token.clone();
        mcp.call("act_in_room", fields)
    };
    let lobby = look(Value::Null).await;
    assert_eq!(
        (&lobby["phase"], &lobby["players"][0]["bot"]),
        (&json!("lobby"), &json!(true))
    );
    assert_eq!(act(json!({ "action": "start" })).await["isError"], false);
    let mut state = look(Value::Null).await;
    while state["phase"] != "thinking" {
        state = look(state["version"].clone()).await;
    }
    let puzzle = state["round"]["puzzle"].clone();
    let solved = mcp.answer("solve", json!({ "puzzle": puzzle })).await;
    let moves: Vec<&str> = solved["moves"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(Value::as_str)
        .collect();
    let bid = json!({ "action": "bid", "bid": moves.len() });
    assert_eq!(act(bid).await["isError"], false);
    let lower = act(json!({ "action": "bid", "bid": moves.len() + 1 })).await;
    assert_eq!(lower["isError"], true, "{lower}");
    while state["phase"] != "showing" {
        state = look(state["version"].clone()).await;
    }
    let shown = act(json!({ "action": "show", "moves": moves.join(" ") })).await;
    assert_eq!(shown["isError"], false, "{shown}");
    let end = look(Value::Null).await;
    assert_eq!(end["players"][0]["chips"], 1, "{end}");
    let no_action = act(json!({ "action": "fly" })).await;
    assert!(
        no_action["content"][0]["text"]
            .as_str()
            .unwrap()
            .contains("expected bid")
    );
    let no_token = json!({ "room": room, "token": "wrong", "action": "skip" });
    assert_eq!(mcp.call("act_in_room", no_token).await["isError"], true);
    mcp.answer("list_rooms", json!({})).await;
}
