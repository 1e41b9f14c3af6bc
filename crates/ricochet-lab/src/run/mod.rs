//! Runs: a plan is carried out solve by solve, and the rows go to a directory.

pub mod machine;
pub mod plan;
mod pool;
mod runner;
pub mod signature;
pub mod solve;
pub mod store;
pub mod tally;

use indicatif::{ProgressBar, ProgressStyle};

pub(crate) use pool::{ResultSender, run_parallel};
pub(crate) use runner::print_above;
pub use runner::{RunOptions, RunSummary, run, run_in};
pub(crate) use solve::micros;
pub(crate) use store::journal::{Journal, for_each_record, line};

/// A progress bar for `length` steps, of which `done` were done earlier. It is hidden if `quiet`, or if
/// standard error is not a terminal.
pub fn progress_bar(length: u64, done: u64, unit: &str, quiet: bool) -> ProgressBar {
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
