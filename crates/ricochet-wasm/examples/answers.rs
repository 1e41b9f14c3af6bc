//! Answers requests with native code, one line of JSON each. `web/tools/measure-engine.mjs` compares
//! the browser's engine with it.
//!
//! ```sh
//! echo '{"ask":"solve","puzzle":"4x3..0012.R31"}' | cargo run -p ricochet-wasm --example answers
//! ```

use std::io::{BufRead, Write};

use ricochet_wasm::{Engine, Settings};

fn main() -> std::io::Result<()> {
    let settings = Settings {
        memory_mib: 1024,
        ..Settings::default()
    };
    let mut engine = Engine::default();
    let mut out = std::io::stdout().lock();
    for line in std::io::stdin().lock().lines() {
        let mut last = String::new();
        engine.reply(&line?, settings, |message| message.clone_into(&mut last));
        writeln!(out, "{last}")?;
    }
    Ok(())
}
