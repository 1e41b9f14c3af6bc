//! The questions of [`ricochet_service`] as WebAssembly, for a page that has no server.
//!
//! [`reply`] is all of it: a request as JSON in, messages as JSON out. Compiled for
//! `wasm32-unknown-unknown`, the module `host` puts it behind the fewest functions that JavaScript
//! can call; everywhere else this is an ordinary library, so that its tests need no browser.
//!
//! The messages are those of the server's streams: `{"progress":…}` any number of times, then
//! `{"answer":…}` or `{"error":…}`.
//!
//! ```
//! use ricochet_wasm::{Settings, reply};
//! let mut messages = Vec::new();
//! let request = r#"{"ask":"solve","puzzle":"4x3..0012.R31"}"#;
//! reply(request, Settings::default(), |message| messages.push(message.to_owned()));
//! assert!(messages[0].starts_with(r#"{"progress":{"depth":"#));
//! assert!(messages.last().unwrap().starts_with(r#"{"answer":{"#));
//! ```

#[cfg(target_arch = "wasm32")]
mod host;

use ricochet_service::{Call, Error, Policy, Request};
use serde_json::json;

/// The most milliseconds of a question, as at the server. Whoever waits no longer ends the search.
const MILLISECONDS: u64 = 60_000;

/// What the host decides for one question.
///
/// ```
/// use ricochet_wasm::Settings;
/// assert_eq!(Settings::default().memory_mib, 256);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settings {
    /// The most mebibytes that a search may hold.
    pub memory_mib: u32,
    /// The seed of what is random where the request names none.
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

/// Answers a request, and says messages on the way: progress, then the answer or an error.
///
/// ```
/// use ricochet_wasm::{Settings, reply};
/// let mut last = String::new();
/// reply("what a lovely day", Settings::default(), |message| last = message.to_owned());
/// let last: serde_json::Value = serde_json::from_str(&last).unwrap();
/// assert_eq!(last["error"]["kind"], "bad-request");
/// ```
pub fn reply(request: &str, settings: Settings, mut say: impl FnMut(&str)) {
    let last = match answer(request, settings, &mut say) {
        Ok(answer) => answer,
        Err(error) => json!({ "error": error }).to_string(),
    };
    say(&last);
}

fn answer(request: &str, settings: Settings, say: &mut impl FnMut(&str)) -> Result<String, Error> {
    let policy = Policy {
        ms: Some(MILLISECONDS),
        memory_mib: Some(u64::from(settings.memory_mib)),
        ..Policy::default()
    };
    let answer = Call::new(&policy)
        .seed(u64::from(settings.seed))
        .on_progress(|progress| say(&json!({ "progress": progress }).to_string()))
        .answer(&Request::from_json(request)?)?;
    Ok(json!({ "answer": answer }).to_string())
}
