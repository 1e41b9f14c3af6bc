//! Ctrl-C: the first asks the running searches to stop, the second ends the process.

use std::process;
use std::sync::atomic::{AtomicBool, Ordering};

use ricochet_solve::CancelToken;

use crate::exit_code::ExitCode;

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
            process::exit(i32::from(ExitCode::Interrupted.number()));
        }
        in_handler.cancel();
    })?;
    Ok(token)
}
