//! Ctrl-C: the first cancels the running searches, the second ends the process.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use std::{io, process, thread};

use ricochet_solve::CancelToken;

use crate::exit_code::ExitCode;

/// How long the command has to end by itself. Searches stop within milliseconds, but waiting for input
/// may take forever.
const GRACE: Duration = Duration::from_secs(1);

/// The token that Ctrl-C cancels; the first call installs the handler. Finished results are still
/// written completely; the second Ctrl-C does not wait for that.
pub(crate) fn cancel_on_interrupt() -> anyhow::Result<CancelToken> {
    static TOKEN: OnceLock<CancelToken> = OnceLock::new();
    if let Some(token) = TOKEN.get() {
        return Ok(token.clone());
    }
    let token = CancelToken::default();
    let in_handler = token.clone();
    let asked_before = AtomicBool::new(false);
    ctrlc::set_handler(move || {
        if asked_before.swap(true, Ordering::SeqCst) {
            exit();
        }
        in_handler.cancel();
        thread::spawn(|| {
            thread::sleep(GRACE);
            // A record that is being written is completed first.
            let _whole_lines = io::stdout().lock();
            exit();
        });
    })?;
    Ok(TOKEN.get_or_init(|| token).clone())
}

fn exit() -> ! {
    process::exit(i32::from(ExitCode::Interrupted.number()))
}
