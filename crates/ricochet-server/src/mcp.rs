//! The Model Context Protocol: tools with which language models use the engine and play in rooms.
//!
//! Every tool is a request to the routes of [`crate::app()`], so that it has the policy, the queue, the
//! cache, the solver time and the rate limits of that client's other requests, and their errors.
//! [`endpoint`] serves the tools under `/mcp`; [`serve_stdio`] on standard input and output.

use std::fmt::Write;
use std::io;
use std::sync::{Arc, LazyLock};
use std::time::Duration;

use axum::Router;
use axum::body::{Body, BodyDataStream, to_bytes};
use axum::http::{HeaderName, HeaderValue, Method, Request, StatusCode, header, request};
use futures_util::StreamExt;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, Implementation,
    JsonObject, ListToolsResult, PaginatedRequestParams, ServerCapabilities, ServerConfig, Tool,
    ToolAnnotations,
};
use rmcp::service::RequestContext;
use rmcp::transport::streamable_http_server::session::never::NeverSessionManager;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};
use rmcp::{ErrorData, RoleServer, ServerHandler, ServiceExt};
use serde_json::{Value, json};
use tower::ServiceExt as _;

use crate::app::PeerAddress;
use crate::config::Config;
use crate::http::guard::origin_of;

const INSTRUCTIONS: &str = "\
Ricochet Robots: robots slide until something stops them, and the goal is to bring one robot to rest on \
its target in as few moves as possible. Do not work moves out yourself: call solve, check or evaluate, \
which are exact and fast. A puzzle is text in any common format. The shortest is one line, such as \
4x3..0012.R31 (size, walls, cells of the robots, goal); generate returns such lines, and convert with \
\"to\":\"text\" draws one. Moves are two letters each, the robot (R G B Y W O P C: red green blue yellow \
silver orange purple cyan) and the direction (N E S W): \"GE RE RS\". Cells are (column, row), counted from 0 \
in the north-west corner.";

const PUZZLE: &str = "The puzzle, in one line such as 4x3..0012.R31 or in any other format \
                      (recognised by its content), such as a drawing made of + - | characters.";

/// A tool that asks a question of the service.
struct QuestionTool {
    name: &'static str,
    question: &'static str,
    title: &'static str,
    description: &'static str,
    /// The fields of the question that the tool takes.
    fields: &'static [&'static str],
}

const QUESTION_TOOLS: &[QuestionTool] = &[
    QuestionTool {
        name: "solve",
        question: "solve",
        title: "Solve a puzzle",
        description: "Finds a shortest solution and proves that it is one. `outcome` is `solved`, `unsolvable` \
                      (proved), or `limit` if the time limit came first; then `lower_bound` is what was proved. \
                      Use this instead of searching by hand.",
        fields: &["puzzle", "solver", "limits"],
    },
    QuestionTool {
        name: "evaluate",
        question: "position",
        title: "Evaluate a position",
        description: "Tells how many moves the position is from the goal, now and after each legal move: use it to \
                      find the best next move, or to see what a move costs. `moves` are played first.",
        fields: &["puzzle", "moves", "limits"],
    },
    QuestionTool {
        name: "check",
        question: "check",
        title: "Check moves",
        description: "Plays moves and tells whether they solve the puzzle, or which move fails and why. \
                      Check every solution that you worked out yourself.",
        fields: &["puzzle", "moves"],
    },
    QuestionTool {
        name: "hint",
        question: "hint",
        title: "Give a hint",
        description: "Gives a hint without giving the solution away. Level 1 tells a rough length, 2 the length, 3 the \
                      robots that move, 4 the first move. Begin with 1 when you help a person.",
        fields: &["puzzle", "level"],
    },
    QuestionTool {
        name: "explain",
        question: "explain",
        title: "Explain a solution",
        description: "Explains a solution move by move in sentences: where each robot stops, what stops it, and which \
                      moves prepare others. Without `moves`, explains a shortest solution.",
        fields: &["puzzle", "moves", "limits"],
    },
    QuestionTool {
        name: "generate",
        question: "generate",
        title: "Generate a puzzle",
        description: "Makes a puzzle with the given properties. `moves` is the fewest and the most moves of its shortest \
                      solution, such as [5, 8], `rating` the lowest and the highest rating; the same seed gives the same puzzle. `puzzle.line` of the answer \
                      is what the other tools take.",
        fields: &[
            "seed",
            "edition",
            "layout",
            "size",
            "diagonals",
            "robots",
            "who",
            "moves",
            "unique",
            "robots_used",
            "difficulty",
            "rating",
            "themes",
            "rate",
            "must_ricochet",
        ],
    },
    QuestionTool {
        name: "convert",
        question: "convert",
        title: "Convert a puzzle",
        description: "Writes a puzzle in another format: `text` (a drawing for reading), `line`, `json`, `asp`, \
                      `drifting-droids` and others; an unknown name returns the list.",
        fields: &["puzzle", "to"],
    },
    QuestionTool {
        name: "draw",
        question: "draw",
        title: "Draw a puzzle",
        description: "Returns a picture (PNG) of the board with robots and target. `moves` shows these moves as numbered \
                      paths; `solution` shows a shortest solution.",
        fields: &[
            "puzzle",
            "moves",
            "solution",
            "coordinates",
            "overlay",
            "theme",
        ],
    },
];

/// A tool for rooms.
struct RoomTool {
    name: &'static str,
    title: &'static str,
    description: &'static str,
    schema: fn() -> Value,
}

const ROOM_TOOLS: &[RoomTool] = &[
    RoomTool {
        name: "list_rooms",
        title: "List rooms",
        description: "Lists the public rooms, in which people play against each other at this moment.",
        schema: || json!({ "properties": {} }),
    },
    RoomTool {
        name: "join_room",
        title: "Join a room",
        description: "Takes a seat in a room as a bot. Without `room`, opens a new room; `link` is the invitation for the \
                      others. Keep `room` and `token` for the other tools.",
        schema: || {
            json!({
                "properties": {
                    "name": { "type": "string", "description": "Your name, as the others see it." },
                    "room": { "type": "string", "description": "The name of the room, from list_rooms or \
                        from the end of an invitation link (#room=NAME)." },
                    "team": { "type": "integer", "minimum": 0, "description": "The team, if there are teams." },
                    "options": { "type": "object", "description": "The options of a new room, such as \
                        {\"sand_ms\":60000,\"private\":true}." },
                },
                "required": ["name"],
            })
        },
    },
    RoomTool {
        name: "look_at_room",
        title: "Look at a room",
        description: "Returns the state of the room: `phase` (lobby, pause, thinking, showing, over), the round's \
                      `puzzle`, bids (`stakes`), the current `show`, players and chips. With `after`, waits until \
                      something happens after that `version`, at most `wait_seconds`.",
        schema: || {
            json!({
                "properties": {
                    "room": { "type": "string" },
                    "token": { "type": "string", "description": "Your token; without one you are a spectator." },
                    "after": { "type": "integer", "minimum": 0, "description": "The `version` you have seen." },
                    "wait_seconds": { "type": "integer", "minimum": 0, "maximum": 60, "default": 20 },
                },
                "required": ["room"],
            })
        },
    },
    RoomTool {
        name: "act_in_room",
        title: "Act in a room",
        description: "Plays: `bid` (with `bid`, the number of moves of a solution you have found; call solve on the \
                      round's puzzle), `show` (with `moves`, when it is your turn to show them), `submit` (with `moves`, in rooms \
                      with hidden solutions), `give-up` a show, `skip` the round, `next` to end a pause, `start` a game \
                      (as the host), `say` (with `text`), or `leave`.",
        schema: || {
            json!({
                "properties": {
                    "room": { "type": "string" },
                    "token": { "type": "string" },
                    "action": { "enum": ["bid", "show", "submit", "give-up", "skip", "next", "start", "say", "leave"] },
                    "bid": { "type": "integer", "minimum": 1 },
                    "moves": { "type": "string", "description": "Moves, such as \"GE RE RS\"." },
                    "text": { "type": "string" },
                },
                "required": ["room", "token", "action"],
            })
        },
    },
];

/// The tools of the questions and those of the rooms.
static TOOLS: LazyLock<(Vec<Tool>, Vec<Tool>)> = LazyLock::new(|| {
    let (questions, definitions) = ricochet_service::schema::questions("/$defs");
    let of_question = QUESTION_TOOLS.iter().map(|it| {
        let schema = inline(&questions[it.question]["request"], &definitions);
        let mut properties = JsonObject::new();
        for &field in it.fields {
            let mut property = schema["properties"][field].clone();
            match field {
                "puzzle" => property["description"] = PUZZLE.into(),
                "coordinates" => property["default"] = true.into(),
                _ => {}
            }
            properties.insert(field.to_owned(), property);
        }
        let required = schema["required"].clone();
        let mut input = json!({ "properties": properties, "additionalProperties": false });
        if !required.is_null() {
            input["required"] = required;
        }
        let hints = ToolAnnotations::new().read_only(true).open_world(false);
        tool(it.name, it.title, it.description, input).with_annotations(hints)
    });
    let of_rooms = ROOM_TOOLS.iter().map(|it| {
        let looks = matches!(it.name, "list_rooms" | "look_at_room");
        let hints = ToolAnnotations::new().read_only(looks).destructive(false);
        tool(it.name, it.title, it.description, (it.schema)()).with_annotations(hints)
    });
    (of_question.collect(), of_rooms.collect())
});

fn tool(name: &'static str, title: &str, description: &'static str, mut input: Value) -> Tool {
    input["type"] = "object".into();
    let input = input.as_object().cloned().unwrap_or_default();
    Tool::new(name, description, Arc::new(input)).with_title(title)
}

/// A schema whose references are replaced by what they refer to, because many clients of models do not
/// resolve them.
fn inline(schema: &Value, definitions: &Value) -> Value {
    match schema {
        Value::Object(fields) => {
            let mut result = JsonObject::new();
            if let Some(name) = fields.get("$ref").and_then(Value::as_str) {
                let name = name.rsplit('/').next().unwrap_or_default();
                if let Value::Object(found) = inline(&definitions[name], definitions) {
                    result.extend(found);
                }
            }
            for (key, value) in fields.iter().filter(|(key, _)| *key != "$ref") {
                result.insert(key.clone(), inline(value, definitions));
            }
            result.into()
        }
        Value::Array(items) => items.iter().map(|it| inline(it, definitions)).collect(),
        other => other.clone(),
    }
}

/// The tools as an MCP server.
#[derive(Clone)]
pub(crate) struct Mcp {
    routes: Router,
    /// Whether there are rooms to play in.
    rooms: bool,
    max_body: usize,
    behind_proxy: bool,
}

/// A tool's failure, in words for the model.
struct ToolError(String);

impl ToolError {
    fn new(message: impl Into<String>) -> Self {
        Self(message.into())
    }
}

/// The routes' answer to a tool.
type ToolAnswer = Result<Value, ToolError>;

impl ServerHandler for Mcp {
    fn get_info(&self) -> ServerConfig {
        let mut info = ServerConfig::new(ServerCapabilities::builder().enable_tools().build());
        info.server_info = Implementation::new("ricochet", env!("CARGO_PKG_VERSION"))
            .with_title("Ricochet Robots");
        info.instructions = Some(INSTRUCTIONS.to_owned());
        info
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        Ok(ListToolsResult::with_all_items(self.tools()))
    }

    fn get_tool(&self, name: &str) -> Option<Tool> {
        self.tools().into_iter().find(|tool| tool.name == name)
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let arguments = request.arguments.unwrap_or_default();
        let client = ClientParts::of(&context, self.behind_proxy);
        // Dropping the request cancels its search.
        let answer = tokio::select! {
            answer = self.call(&request.name, arguments, &client) => answer?,
            () = context.ct.cancelled() => Err(ToolError::new("cancelled")),
        };
        let result = match answer {
            Ok(result) => result,
            Err(ToolError(message)) => CallToolResult::error(vec![ContentBlock::text(message)]),
        };
        Ok(result.into())
    }
}

/// What the routes need to know about the client.
struct ClientParts {
    peer: Option<PeerAddress>,
    headers: Vec<(HeaderName, HeaderValue)>,
    /// The scheme and host under which it sees this server.
    origin: String,
}

impl ClientParts {
    fn of(context: &RequestContext<RoleServer>, behind_proxy: bool) -> Self {
        let parts = context.extensions.get::<request::Parts>();
        let headers = parts.into_iter().flat_map(|parts| {
            let forwarded = parts.headers.get_all("x-forwarded-for").iter();
            forwarded.map(|value| (HeaderName::from_static("x-forwarded-for"), value.clone()))
        });
        Self {
            peer: parts.and_then(|parts| parts.extensions.get::<PeerAddress>().copied()),
            headers: headers.collect(),
            origin: parts.map_or_else(String::new, |parts| {
                origin_of(&parts.headers, &parts.uri, behind_proxy)
            }),
        }
    }
}

impl Mcp {
    fn tools(&self) -> Vec<Tool> {
        let (questions, rooms) = &*TOOLS;
        let rooms = rooms.iter().filter(|_| self.rooms);
        questions.iter().chain(rooms).cloned().collect()
    }

    /// Calls a tool. The outer error is a tool that does not exist.
    async fn call(
        &self,
        name: &str,
        arguments: JsonObject,
        client: &ClientParts,
    ) -> Result<Result<CallToolResult, ToolError>, ErrorData> {
        if let Some(tool) = QUESTION_TOOLS.iter().find(|tool| tool.name == name) {
            return Ok(self.ask(tool, arguments, client).await);
        }
        if self.rooms && ROOM_TOOLS.iter().any(|tool| tool.name == name) {
            let answer = self.room_tool(name, &arguments, client).await;
            return Ok(answer.map(|value| structured(value.to_string(), value)));
        }
        let known: Vec<String> = self.tools().iter().map(|it| it.name.to_string()).collect();
        let message = format!("there is no such tool: expected {}", known.join(", "));
        Err(ErrorData::invalid_params(message, None))
    }

    async fn ask(
        &self,
        tool: &QuestionTool,
        mut arguments: JsonObject,
        client: &ClientParts,
    ) -> Result<CallToolResult, ToolError> {
        if let Some(other) = arguments
            .keys()
            .find(|key| !tool.fields.contains(&key.as_str()))
        {
            return Err(ToolError::new(format!(
                "{} has no argument {}: expected {}",
                tool.name,
                Value::from(other.chars().take(40).collect::<String>()),
                tool.fields.join(", ")
            )));
        }
        if tool.name == "draw" {
            arguments.insert("kind".to_owned(), "png".into());
            arguments
                .entry("coordinates")
                .or_insert_with(|| true.into());
        }
        let path = format!("/api/v1/{}", tool.question);
        let answer = self
            .post(&path, arguments.into(), client)
            .await
            .map_err(|ToolError(message)| ToolError(with_advice(tool.name, &message)))?;
        Ok(match tool.name {
            "draw" => {
                let picture = answer["base64"].as_str().unwrap_or_default();
                let kind = answer["type"].as_str().unwrap_or_default();
                CallToolResult::success(vec![ContentBlock::image(picture, kind)])
            }
            "explain" => {
                let lines = [&answer["task"], &answer["summary"]]
                    .into_iter()
                    .filter_map(Value::as_str);
                let sentences = answer["sentences"].as_array().into_iter().flatten();
                let lines = lines.chain(sentences.filter_map(Value::as_str));
                structured(lines.collect::<Vec<_>>().join("\n"), answer.clone())
            }
            _ => structured(answer.to_string(), answer),
        })
    }

    async fn room_tool(
        &self,
        name: &str,
        arguments: &JsonObject,
        client: &ClientParts,
    ) -> ToolAnswer {
        let text = |key: &str| arguments.get(key).and_then(Value::as_str);
        let room = || {
            let name = text("room").unwrap_or_default();
            let fits = !name.is_empty()
                && name.len() <= 64
                && name
                    .bytes()
                    .all(|byte| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_');
            fits.then_some(name).ok_or_else(|| {
                ToolError::new("room: expected the name of a room, from list_rooms or join_room")
            })
        };
        match name {
            "list_rooms" => {
                self.send(Method::GET, "/api/v1/rooms", None, None, client)
                    .await
            }
            "join_room" => {
                let mut seat = json!({ "name": text("name"), "bot": true });
                if let Some(team) = arguments.get("team") {
                    seat["team"] = team.clone();
                }
                if text("room").is_some() {
                    let path = format!("/api/v1/rooms/{}/seats", room()?);
                    return self.post(&path, seat, client).await;
                }
                let options = arguments.get("options").cloned();
                let new = json!({ "options": options.unwrap_or_else(|| json!({})) });
                let opened = self.post("/api/v1/rooms", new, client).await?;
                let opened_room = opened["room"].as_str().unwrap_or_default();
                let path = format!("/api/v1/rooms/{opened_room}/seats");
                let mut seat = self.post(&path, seat, client).await?;
                let link = opened["link"].as_str().unwrap_or_default();
                seat["link"] = format!("{}{link}", client.origin).into();
                Ok(seat)
            }
            "look_at_room" => {
                let number = |key: &str| arguments.get(key).and_then(Value::as_u64);
                let wait = Duration::from_secs(number("wait_seconds").unwrap_or(20).min(60));
                self.look(room()?, text("token"), number("after"), wait, client)
                    .await
            }
            _ => {
                let action = text("action").unwrap_or_default();
                let missing = |key: &str| ToolError::new(format!("{action} needs {key:?}"));
                let body = match action {
                    "bid" => {
                        json!({ "moves": arguments.get("bid").ok_or_else(|| missing("bid"))? })
                    }
                    "show" | "submit" => {
                        json!({ "moves": text("moves").ok_or_else(|| missing("moves"))? })
                    }
                    "say" => json!({ "text": text("text").ok_or_else(|| missing("text"))? }),
                    "skip" | "next" => json!({ "yes": true }),
                    "give-up" | "start" | "leave" => json!({}),
                    _ => {
                        return Err(ToolError::new(
                            "action: expected bid, show, submit, give-up, skip, next, start, say or leave",
                        ));
                    }
                };
                let token = text("token").ok_or_else(|| missing("token"))?;
                let path = format!("/api/v1/rooms/{}/do/{action}", room()?);
                self.send(Method::POST, &path, Some(token), Some(body), client)
                    .await
            }
        }
    }

    /// The state of a room: what its stream begins with. If it is no newer than `after`, waits for an
    /// event and looks again.
    async fn look(
        &self,
        room: &str,
        token: Option<&str>,
        after: Option<u64>,
        wait: Duration,
        client: &ClientParts,
    ) -> ToolAnswer {
        let path = format!("/api/v1/rooms/{room}/stream");
        let mut lines = self.lines(&path, token, client).await?;
        let first = lines.next().await.unwrap_or_default();
        if first["type"] != "welcome" {
            return Err(ToolError::new(
                first["message"].as_str().unwrap_or("the room is gone"),
            ));
        }
        let seen = |snapshot: &Value| {
            after.is_some_and(|after| snapshot["version"].as_u64() <= Some(after))
        };
        if !seen(&first["snapshot"]) {
            return Ok(first["snapshot"].clone());
        }
        let changed = async {
            while let Some(line) = lines.next().await {
                if line["type"] == "event" || line["type"] == "closed" {
                    return;
                }
            }
        };
        if tokio::time::timeout(wait, changed).await.is_err() {
            return Ok(first["snapshot"].clone());
        }
        drop(lines);
        let mut again = self.lines(&path, token, client).await?;
        let now = again.next().await.unwrap_or_default();
        if now["snapshot"].is_object() {
            return Ok(now["snapshot"].clone());
        }
        let gone = now["message"].as_str().unwrap_or("the room is gone");
        Err(ToolError::new(gone))
    }

    async fn lines(
        &self,
        path: &str,
        token: Option<&str>,
        client: &ClientParts,
    ) -> Result<Lines, ToolError> {
        let response = self.respond(Method::GET, path, token, None, client).await?;
        Ok(Lines {
            stream: response.into_body().into_data_stream(),
            rest: Vec::new(),
        })
    }

    async fn post(&self, path: &str, body: Value, client: &ClientParts) -> ToolAnswer {
        self.send(Method::POST, path, None, Some(body), client)
            .await
    }

    /// The JSON of a response.
    async fn send(
        &self,
        method: Method,
        path: &str,
        token: Option<&str>,
        body: Option<Value>,
        client: &ClientParts,
    ) -> ToolAnswer {
        let response = self.respond(method, path, token, body, client).await?;
        let bytes = to_bytes(response.into_body(), usize::MAX).await;
        bytes
            .ok()
            .and_then(|bytes| serde_json::from_slice(&bytes).ok())
            .ok_or_else(|| ToolError::new("the answer is not JSON: a mistake of this server"))
    }

    /// Sends a request to the routes; a response other than success is an error in words.
    async fn respond(
        &self,
        method: Method,
        path: &str,
        token: Option<&str>,
        body: Option<Value>,
        client: &ClientParts,
    ) -> Result<axum::response::Response, ToolError> {
        let mut request = Request::builder()
            .method(method)
            .uri(path)
            .header(header::HOST, "localhost")
            .header(header::CONTENT_TYPE, "application/json");
        if let Some(token) = token {
            request = request.header(header::AUTHORIZATION, format!("Bearer {token}"));
        }
        for (name, value) in &client.headers {
            request = request.header(name, value);
        }
        if let Some(peer) = client.peer {
            request = request.extension(peer);
        }
        let body = body.map_or_else(Body::empty, |body| Body::from(body.to_string()));
        let request = request
            .body(body)
            .map_err(|_| ToolError::new("token: expected the token from join_room"))?;
        let Ok(response) = self.routes.clone().oneshot(request).await;
        let status = response.status();
        if status.is_success() {
            return Ok(response);
        }
        let wait = response.headers().get(header::RETRY_AFTER).cloned();
        let bytes = to_bytes(response.into_body(), self.max_body).await;
        let answer: Value = serde_json::from_slice(&bytes.unwrap_or_default()).unwrap_or_default();
        Err(ToolError(message_of(&answer, status, wait.as_ref())))
    }
}

/// What went wrong: the message, all problems with their places, and when to try again.
fn message_of(answer: &Value, status: StatusCode, wait: Option<&HeaderValue>) -> String {
    let error = &answer["error"];
    let message = [&error["message"], &answer["message"]]
        .into_iter()
        .find_map(Value::as_str);
    let mut text = message.map_or_else(|| status.to_string(), str::to_owned);
    for problem in error["problems"].as_array().into_iter().flatten() {
        let message = problem["message"].as_str().unwrap_or_default();
        if !text.contains(message) {
            text.push_str("; ");
            text.push_str(message);
        }
    }
    if let Some(seconds) = wait.and_then(|wait| wait.to_str().ok()) {
        let _ = write!(text, ". Try again in {seconds} seconds.");
    }
    text
}

/// A message with what the model can do about it.
fn with_advice(tool: &str, message: &str) -> String {
    let advice = if message.contains("Try again") {
        ""
    } else if tool == "generate" {
        " Change the arguments and call generate again."
    } else {
        " A puzzle is one line such as 4x3..0012.R31, or a drawing; moves are such as \"GE RE RS\". Correct the \
          argument and call the tool again."
    };
    let stop = if message.ends_with(['.', '!', '?']) {
        ""
    } else {
        "."
    };
    format!("{message}{stop}{advice}")
}

fn structured(text: String, value: Value) -> CallToolResult {
    let mut result = CallToolResult::success(vec![ContentBlock::text(text)]);
    result.structured_content = Some(value);
    result
}

/// The lines of a stream as JSON; blank ones only keep it open.
struct Lines {
    stream: BodyDataStream,
    rest: Vec<u8>,
}

impl Lines {
    async fn next(&mut self) -> Option<Value> {
        loop {
            if let Some(end) = self.rest.iter().position(|&byte| byte == b'\n') {
                let line: Vec<u8> = self.rest.drain(..=end).collect();
                match serde_json::from_slice(&line) {
                    Ok(value) => return Some(value),
                    Err(_) => continue,
                }
            }
            let chunk = self.stream.next().await?.ok()?;
            self.rest.extend_from_slice(&chunk);
        }
    }
}

/// The streamable HTTP endpoint over some routes. It keeps no sessions: every request stands alone.
pub(crate) fn endpoint(
    routes: &Router,
    config: &Config,
) -> StreamableHttpService<Mcp, NeverSessionManager> {
    let mcp = Mcp {
        routes: routes.clone(),
        rooms: true,
        max_body: config.max_body,
        behind_proxy: config.behind_proxy,
    };
    // The guard of all routes checks `Host` and `Origin`.
    let http = StreamableHttpServerConfig::default()
        .disable_allowed_hosts()
        .with_legacy_session_mode(false)
        .with_json_response(true)
        .with_max_request_body_bytes(config.max_body);
    StreamableHttpService::new(move || Ok(mcp.clone()), Arc::default(), http)
}

/// Serves the tools on standard input and output until the client closes them. There are no rooms:
/// nobody else could enter them.
///
/// # Errors
/// If a thread cannot be started, or the client does not speak the protocol.
pub fn serve_stdio(config: Config) -> io::Result<()> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()?;
    let max_body = config.max_body;
    runtime.block_on(async {
        let mcp = Mcp {
            routes: crate::app(config)?,
            rooms: false,
            max_body,
            behind_proxy: false,
        };
        let running = mcp
            .serve(rmcp::transport::stdio())
            .await
            .map_err(io::Error::other)?;
        running.waiting().await.map_err(io::Error::other)?;
        Ok::<(), io::Error>(())
    })?;
    // Reading standard input cannot be interrupted, so its thread must not be waited for.
    runtime.shutdown_background();
    Ok(())
}
