//! Standard output and standard error: colours only where they are wanted, whole lines, no panic
//! when the reader goes away.

use std::fmt::Display;
use std::io::{self, BufWriter, IsTerminal, Write};

use anstyle::{AnsiColor, Style};

type Stdout = BufWriter<anstream::AutoStream<io::Stdout>>;

/// Where a command writes. Results go to standard output; everything about them (progress, notes,
/// warnings) goes to standard error and is silenced by `--quiet`. Errors are never silenced.
pub(crate) struct Output {
    stdout: Stdout,
    quiet: bool,
}

impl Output {
    pub(crate) fn new(quiet: bool) -> Self {
        // `AutoStream` looks at --color (set globally by main), NO_COLOR, CLICOLOR_FORCE and
        // whether standard output is a terminal, and removes escape codes where they are unwanted.
        let stdout = io::stdout();
        Self {
            stdout: BufWriter::new(anstream::AutoStream::auto(stdout)),
            quiet,
        }
    }

    /// Whether `--quiet` was given.
    pub(crate) fn is_quiet(&self) -> bool {
        self.quiet
    }

    /// Writes a result, which should end with a line break, and hands it on at once, so that a
    /// reader at the other end of a pipe sees whole results as they come.
    pub(crate) fn record(&mut self, text: impl Display) -> io::Result<()> {
        write!(self.stdout, "{text}")?;
        self.stdout.flush()
    }

    /// Writes bytes as they are: a picture, for instance.
    pub(crate) fn bytes(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.stdout.flush()?;
        let mut raw = io::stdout().lock();
        raw.write_all(bytes)?;
        raw.flush()
    }

    /// Says something about the work on standard error, unless `--quiet`.
    pub(crate) fn note(&self, text: impl Display) {
        if !self.quiet {
            // Nobody is left to hear that standard error is gone.
            let _ = writeln!(anstream::stderr(), "{text}");
        }
    }

    /// Like [`Output::note`], but only where somebody watches: on a terminal.
    pub(crate) fn progress(&self, text: impl Display) {
        if io::stderr().is_terminal() {
            self.note(text);
        }
    }

    pub(crate) fn flush(&mut self) -> io::Result<()> {
        self.stdout.flush()
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.stdout.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.stdout.flush()
    }
}

/// Whether an error is 'nobody reads this any more'.
pub(crate) fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error.chain().any(|cause| {
        cause
            .downcast_ref::<io::Error>()
            .is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
    })
}

/// Says what went wrong on standard error, `--quiet` or not.
pub(crate) fn error(text: impl Display) {
    let style = Style::new().bold().fg_color(Some(AnsiColor::Red.into()));
    let _ = writeln!(anstream::stderr(), "{style}error{style:#}: {text}");
}
