//! A progress line on the terminal for work that takes over half a second. Nothing is printed if
//! standard error is not a terminal.

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

/// Work that ends sooner shows no line.
const DELAY: Duration = Duration::from_millis(500);

/// How often the line is redrawn.
const TICK: Duration = Duration::from_millis(100);

/// The progress line. Clones share the line.
#[derive(Clone, Debug)]
pub(crate) struct Progress {
    /// Hidden until it is needed.
    bar: ProgressBar,
    is_shown: bool,
    /// Computes the text each time the line is drawn, if it changes all the time.
    source: Arc<Mutex<Option<MessageSource>>>,
}

/// Computes the current text of the line.
struct MessageSource(Box<dyn Fn() -> String + Send>);

impl fmt::Debug for MessageSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("MessageSource")
    }
}

/// Removes the line when it is dropped.
pub(crate) struct ProgressGuard {
    bar: ProgressBar,
    /// Dropped when the work is done.
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

    /// Sets the text of the line.
    pub(crate) fn set_message(&self, what: impl Into<String>) {
        if self.is_shown {
            self.set_source(None);
            self.bar.set_message(what.into());
        }
    }

    /// Computes the text each time the line is drawn, until another text is set.
    pub(crate) fn set_message_source(&self, source: impl Fn() -> String + Send + 'static) {
        if self.is_shown {
            self.set_source(Some(MessageSource(Box::new(source))));
        }
    }

    fn set_source(&self, source: Option<MessageSource>) {
        *self.source.lock().unwrap_or_else(PoisonError::into_inner) = source;
    }

    /// Updates the text from its source, if there is one.
    fn refresh(&self) {
        let source = self.source.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(MessageSource(text)) = source.as_ref() {
            self.bar.set_message(text());
        }
    }

    /// Hides the line while something else is written to the terminal.
    pub(crate) fn suspend<R>(&self, with: impl FnOnce() -> R) -> R {
        self.bar.suspend(with)
    }

    /// An observer that reports each finished depth of a search.
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
