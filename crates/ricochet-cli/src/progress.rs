//! How far the work is: one line on the terminal for whatever takes over half a second. Nothing
//! where standard error is not a terminal.

use std::io::{self, IsTerminal};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use ricochet_solve::{DepthRow, Observer};

use crate::plain::Plain;
use crate::units::thousands;

/// Nobody needs to be told about work that ends sooner.
const PATIENCE: Duration = Duration::from_millis(500);

/// How often the time on the line is renewed.
const TICK: Duration = Duration::from_millis(100);

/// The line. Clones are the same line.
#[derive(Clone, Debug)]
pub(crate) struct Progress {
    /// Hidden until it is needed.
    bar: ProgressBar,
    wanted: bool,
}

/// Some work that may take long; the line vanishes with it.
pub(crate) struct Running {
    bar: ProgressBar,
    /// Dropped to say that the work is done.
    _done: Option<mpsc::Sender<()>>,
}

impl Progress {
    pub(crate) fn new(quiet: bool) -> Self {
        let wanted = !quiet && io::stderr().is_terminal();
        Self {
            bar: ProgressBar::hidden(),
            wanted,
        }
    }

    /// Shows the line if the work still runs after half a second.
    pub(crate) fn start(&self, what: impl Into<String>) -> Running {
        self.bar.set_message(what.into());
        self.bar.reset_elapsed();
        let done = self.wanted.then(|| {
            let (sender, receiver) = mpsc::channel::<()>();
            let bar = self.bar.clone();
            thread::spawn(move || {
                if receiver.recv_timeout(PATIENCE) == Err(RecvTimeoutError::Timeout) {
                    let style = ProgressStyle::with_template("{spinner} {wide_msg} {elapsed}");
                    bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_spinner()));
                    bar.set_draw_target(ProgressDrawTarget::stderr());
                    while receiver.recv_timeout(TICK) == Err(RecvTimeoutError::Timeout) {
                        bar.tick();
                    }
                    bar.set_draw_target(ProgressDrawTarget::hidden());
                }
            });
            sender
        });
        Running {
            bar: self.bar.clone(),
            _done: done,
        }
    }

    /// Says how far the work is.
    pub(crate) fn say(&self, what: impl Into<String>) {
        if self.wanted {
            self.bar.set_message(what.into());
        }
    }

    /// Does something with the terminal while the line is out of the way.
    pub(crate) fn aside<R>(&self, with: impl FnOnce() -> R) -> R {
        self.bar.suspend(with)
    }

    /// Tells the depths of a search as they are finished.
    pub(crate) fn of_search(&self, label: &str) -> SearchProgress {
        SearchProgress {
            progress: self.clone(),
            label: Plain(label).to_string(),
            nodes: 0,
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

/// An observer that shows each depth on the line.
pub(crate) struct SearchProgress {
    progress: Progress,
    label: String,
    nodes: u64,
}

impl Observer for SearchProgress {
    fn depth_done(&mut self, row: &DepthRow) {
        self.nodes += row.nodes;
        self.progress.say(format!(
            "{}: depth {} searched, at least {} moves needed, {} nodes",
            self.label,
            row.depth,
            row.depth + 1,
            thousands(self.nodes)
        ));
    }
}
