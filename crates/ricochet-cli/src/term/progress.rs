//! How far the work is: one line on the terminal for whatever takes over half a second. Nothing
//! where standard error is not a terminal.

use std::fmt;
use std::io::{self, IsTerminal};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use ricochet_solve::{DepthRow, Observer};

use crate::term::plain::Plain;
use crate::term::units::thousands;

/// Nobody needs to be told about work that ends sooner.
const DELAY: Duration = Duration::from_millis(500);

/// How often the time on the line is renewed.
const TICK: Duration = Duration::from_millis(100);

/// The line. Clones are the same line.
#[derive(Clone, Debug)]
pub(crate) struct Progress {
    /// Hidden until it is needed.
    bar: ProgressBar,
    is_shown: bool,
    /// What to ask for the text each time the line is drawn, if it changes all the time.
    source: Arc<Mutex<Option<Source>>>,
}

/// Says how far the work is at this moment.
struct Source(Box<dyn Fn() -> String + Send>);

impl fmt::Debug for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Source")
    }
}

/// Some work that may take long; the line vanishes with it.
pub(crate) struct ProgressGuard {
    bar: ProgressBar,
    /// Dropped to say that the work is done.
    _done: Option<mpsc::Sender<()>>,
}

impl Progress {
    pub(crate) fn new(quiet: bool) -> Self {
        let is_shown = !quiet && io::stderr().is_terminal();
        Self {
            bar: ProgressBar::hidden(),
            is_shown,
            source: Arc::default(),
        }
    }

    /// Shows the line if the work still runs after half a second.
    pub(crate) fn start(&self, what: impl Into<String>) -> ProgressGuard {
        self.set_source(None);
        self.bar.set_message(what.into());
        self.bar.reset_elapsed();
        let done = self.is_shown.then(|| {
            let (sender, receiver) = mpsc::channel::<()>();
            let line = self.clone();
            thread::spawn(move || {
                if receiver.recv_timeout(DELAY) == Err(RecvTimeoutError::Timeout) {
                    let bar = &line.bar;
                    let style = ProgressStyle::with_template("{spinner} {wide_msg} {elapsed}");
                    bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_spinner()));
                    line.refresh();
                    bar.set_draw_target(ProgressDrawTarget::stderr());
                    while receiver.recv_timeout(TICK) == Err(RecvTimeoutError::Timeout) {
                        line.refresh();
                        bar.tick();
                    }
                    bar.set_draw_target(ProgressDrawTarget::hidden());
                }
            });
            sender
        });
        ProgressGuard {
            bar: self.bar.clone(),
            _done: done,
        }
    }

    /// Says how far the work is.
    pub(crate) fn set_message(&self, what: impl Into<String>) {
        if self.is_shown {
            self.set_source(None);
            self.bar.set_message(what.into());
        }
    }

    /// Asks how far the work is each time the line is drawn, until something else is said.
    pub(crate) fn set_message_source(&self, source: impl Fn() -> String + Send + 'static) {
        if self.is_shown {
            self.set_source(Some(Source(Box::new(source))));
        }
    }

    fn set_source(&self, source: Option<Source>) {
        *self.source.lock().unwrap_or_else(PoisonError::into_inner) = source;
    }

    /// Renews the text from its source, if it has one.
    fn refresh(&self) {
        let source = self.source.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(Source(says)) = source.as_ref() {
            self.bar.set_message(says());
        }
    }

    /// Does something with the terminal while the line is out of the way.
    pub(crate) fn suspend<R>(&self, with: impl FnOnce() -> R) -> R {
        self.bar.suspend(with)
    }

    /// Tells the depths of a search as they are finished.
    pub(crate) fn search_observer(&self, label: &str) -> SearchProgress {
        SearchProgress {
            progress: self.clone(),
            label: Plain(label).to_string(),
            nodes: 0,
        }
    }
}

impl Drop for ProgressGuard {
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
        self.progress.set_message(format!(
            "{}: depth {} searched, at least {} moves needed, {} nodes",
            self.label,
            row.depth,
            row.depth + 1,
            thousands(self.nodes)
        ));
    }
}
