//! What a long run tells while it works: a bar with rate and time left on a terminal, nothing
//! where the output is a file.

use indicatif::{ProgressBar, ProgressStyle};

/// A bar for `length` steps of which `done` were done earlier. Hidden unless standard error is a
/// terminal, or if `quiet`.
pub fn bar(length: u64, done: u64, unit: &str, quiet: bool) -> ProgressBar {
    if quiet {
        return ProgressBar::hidden();
    }
    let template = format!(
        "{{spinner}} {{wide_bar}} {{pos}}/{{len}} {unit}  {{per_sec}}  {{elapsed}} gone, {{eta}} left  {{msg}}"
    );
    let style =
        ProgressStyle::with_template(&template).unwrap_or_else(|_| ProgressStyle::default_bar());
    ProgressBar::new(length)
        .with_style(style)
        .with_position(done)
        .with_elapsed(std::time::Duration::ZERO)
}
