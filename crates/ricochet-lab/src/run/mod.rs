//! Runs: a plan is carried out solve by solve, and the rows go to a directory.

pub mod clock;
pub mod cold;
pub mod external;
mod journal;
pub mod machine;
pub mod plan;
mod pool;
pub mod row;
mod runner;
pub mod signature;
pub mod store;
pub mod tally;
mod task;
pub mod verify;

use indicatif::{ProgressBar, ProgressStyle};

pub(crate) use journal::{Journal, for_each_record, line};
pub(crate) use pool::{ResultSender, run_parallel};
pub(crate) use runner::print_above;
pub use runner::{RunOptions, RunSummary, run, run_in};
pub(crate) use task::{SolveTask, micros, solve_here};

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
