//! Ctrl-C: the first asks the running searches to stop, the second ends the process.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use std::{io, process, thread};

use ricochet_solve::CancelToken;

use crate::exit_code::ExitCode;

/// How long the command has to end by itself. Searches stop within milliseconds; what can take
/// longer is waiting for input that may never come.
const GRACE: Duration = Duration::from_secs(1);

/// Installs the handler and gives the token that it cancels. Results that were already found are
/// still written, whole; the second Ctrl-C does not wait for that.
///
/// Must be called at most once.
pub(crate) fn cancel_on_interrupt() -> anyhow::Result<CancelToken> {
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
            // Whoever is writing finishes first.
            let _whole_lines = io::stdout().lock();
            exit();
        });
    })?;
    Ok(token)
}

fn exit() -> ! {
    process::exit(i32::from(ExitCode::Interrupted.number()))
}
