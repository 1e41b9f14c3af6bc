//! `ricochet mcp`: a scripted client on standard input and output.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use serde_json::{Value, json};

struct Session {
    child: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
    id: u64,
}

impl Session {
    fn start() -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_ricochet"))
            .args(["mcp", "--time-limit", "20s"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the command runs");
        let input = child.stdin.take();
        let output = BufReader::new(child.stdout.take().expect("a pipe"));
        let mut session = Self {
            child,
            input,
            output,
            id: 0,
        };
        let hello = json!({
            "protocolVersion": "2025-06-18", "capabilities": {},
            "clientInfo": { "name": "test", "version": "1" },
        });
        assert_eq!(
            session.request("initialize", &hello)["result"]["serverInfo"]["name"],
            "ricochet"
        );
        session.write(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }));
        session
    }

    fn write(&mut self, message: &Value) {
        let input = self.input.as_mut().expect("not closed yet");
        writeln!(input, "{message}").expect("it listens");
    }

    fn send(&mut self, method: &str, params: &Value) -> u64 {
        self.id += 1;
        let id = self.id;
        self.write(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }));
        id
    }

    /// The answer to a request.
    fn receive(&mut self, id: u64) -> Value {
        loop {
            let mut line = String::new();
            assert_ne!(
                self.output.read_line(&mut line).expect("text"),
                0,
                "it ended"
            );
            let message: Value = serde_json::from_str(&line).expect("every line is JSON");
            if message["id"] == id {
                return message;
            }
        }
    }

    fn request(&mut self, method: &str, params: &Value) -> Value {
        let id = self.send(method, params);
        self.receive(id)
    }
}

#[test]
fn an_assistant_uses_the_engine() {
    let mut session = Session::start();
    let listed = session.request("tools/list", &json!({}));
    let tools = listed["result"]["tools"].as_array().expect("a list");
    assert_eq!(tools.len(), 8, "no rooms: nobody else could enter them");
    let solve = json!({ "name": "solve", "arguments": { "puzzle": "4x3..0012.R31" } });
    let solved = session.request("tools/call", &solve);
    let answer = &solved["result"]["structuredContent"];
    assert_eq!(
        (&answer["outcome"], &answer["length"]),
        (&json!("solved"), &json!(3))
    );
    // A search that the client cancels ends, and the next question is answered.
    let hard = json!({ "name": "solve", "arguments": {
        "puzzle": "32x32..00ffvv0v.R8i", "solver": "bfs:duplicates=keep" } });
    let id = session.send("tools/call", &hard);
    let cancelled = json!({ "requestId": id });
    session.write(
        &json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": cancelled }),
    );
    let hint = json!({ "name": "hint", "arguments": { "puzzle": "4x3..0012.R31", "level": 2 } });
    assert_eq!(
        session.request("tools/call", &hint)["result"]["isError"],
        false
    );
    // Closing its input ends it.
    session.input = None;
    assert!(session.child.wait().expect("it ends").success());
}
