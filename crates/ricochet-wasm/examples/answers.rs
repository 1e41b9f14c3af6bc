//! Answers requests as this machine's own code, one JSON a line: what the engine for browsers is
//! compared with. `web/tools/measure-engine.mjs` does it.
//!
//! ```sh
//! echo '{"ask":"solve","puzzle":"4x3..0012.R31"}' | cargo run -p ricochet-wasm --example answers
//! ```

use std::io::{BufRead, Write};

use ricochet_wasm::{Settings, reply};

fn main() -> std::io::Result<()> {
    let settings = Settings {
        memory_mib: 1024,
        ..Settings::default()
    };
    let mut out = std::io::stdout().lock();
    for line in std::io::stdin().lock().lines() {
        let mut last = String::new();
        reply(&line?, settings, |message| message.clone_into(&mut last));
        writeln!(out, "{last}")?;
    }
    Ok(())
}
