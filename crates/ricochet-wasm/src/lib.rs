//! The questions of [`ricochet_service`] as WebAssembly, for a page that has no server.
//!
//! [`Engine::reply`] is all of it: a request as JSON in, messages as JSON out. Compiled for
//! `wasm32-unknown-unknown`, the module `host` exports it to JavaScript; everywhere else this is an
//! ordinary library, so that its tests need no browser.
//!
//! The messages are those of the server's streams: `{"progress":…}` any number of times, then
//! `{"answer":…}` or `{"error":…}`.
//!
//! ```
//! use ricochet_wasm::{Engine, Settings};
//! let mut messages = Vec::new();
//! let request = r#"{"ask":"solve","puzzle":"4x3..0012.R31"}"#;
//! Engine::default().reply(request, Settings::default(), |message| messages.push(message.to_owned()));
//! assert!(messages[0].starts_with(r#"{"progress":{"#));
//! assert!(messages.last().unwrap().starts_with(r#"{"answer":{"#));
//! ```

#[cfg(target_arch = "wasm32")]
mod host;

use ricochet_service::{Call, Error, Policy, Request};
use ricochet_solve::evaluate::Evaluator;
use serde_json::json;

/// The most milliseconds of a request, as at the server.
const MILLISECONDS: u64 = 60_000;

/// What the host decides for one request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settings {
    /// The most mebibytes that a search may hold.
    pub memory_mib: u32,
    /// The seed of random choices if the request names none.
    pub seed: u32,
}

impl Default for Settings {
    /// As much memory as the server gives.
    fn default() -> Self {
        Self {
            memory_mib: 256,
            seed: 0,
        }
    }
}

/// Answers requests, and keeps what it has learned about positions for the next one.
#[derive(Default)]
pub struct Engine {
    evaluator: Evaluator,
}

impl Engine {
    /// Answers a request through messages: progress, then the answer or an error.
    pub fn reply(&mut self, request: &str, settings: Settings, mut send: impl FnMut(&str)) {
        let last = match self.answer(request, settings, &mut send) {
            Ok(answer) => answer,
            Err(error) => json!({ "error": error }).to_string(),
        };
        send(&last);
    }

    fn answer(
        &mut self,
        request: &str,
        settings: Settings,
        send: &mut impl FnMut(&str),
    ) -> Result<String, Error> {
        let policy = Policy {
            ms: Some(MILLISECONDS),
            memory_mib: Some(u64::from(settings.memory_mib)),
            ..Policy::default()
        };
        let answer = Call::new(&policy)
            .seed(u64::from(settings.seed))
            .with_evaluator(&mut self.evaluator)
            .on_progress(|progress| send(&json!({ "progress": progress }).to_string()))
            .answer(&Request::from_json(request)?)?;
        Ok(json!({ "answer": answer }).to_string())
    }
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;

    fn reply(engine: &mut Engine, request: &Value) -> Value {
        let mut last = String::new();
        let send = |message: &str| message.clone_into(&mut last);
        engine.reply(&request.to_string(), Settings::default(), send);
        serde_json::from_str(&last).unwrap()
    }

    #[test]
    fn a_text_that_is_not_a_request_is_an_error() {
        let error = reply(&mut Engine::default(), &json!("what a lovely day"));
        assert_eq!(error["error"]["kind"], "bad-request");
    }

    #[test]
    fn what_was_learned_about_a_position_helps_after_a_move() {
        let position = |moves: &Value| json!({"ask": "position", "puzzle": "1A4B3B2B.1fc1f0c0.B9c", "moves": moves});
        let mut engine = Engine::default();
        let start = reply(&mut engine, &position(&json!([])));
        let next = position(&json!([start["answer"]["moves"][0]["move"]]));
        let kept = reply(&mut engine, &next);
        let fresh = reply(&mut Engine::default(), &next);
        let nodes = |reply: &Value| reply["answer"]["nodes"].as_u64().unwrap();
        assert!(nodes(&kept) < nodes(&fresh), "{kept} {fresh}");
        assert_eq!(kept["answer"]["distance"], fresh["answer"]["distance"]);
    }
}
