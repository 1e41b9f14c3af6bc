//! Standard output and standard error: colours only if wanted, whole lines, no panic when the reader
//! closes the pipe, foreign control characters escaped. Nothing else in this program writes to either.

use std::fmt::Display;
use std::io::{self, BufWriter, IsTerminal, Write};

use anstyle::{AnsiColor, Style};
use serde::Serialize;

use ricochet_lab::parts::Part;
use ricochet_solve::atomic_file::AtomicFile;

use crate::args::drawing::terminal_is_utf8;
use crate::term::plain::{Plain, escape_control};
use crate::term::progress::Progress;
use crate::term::size::TerminalSize;
use crate::term::wrap::wrap_hanging;

type Stdout = BufWriter<anstream::AutoStream<io::Stdout>>;

/// Where a command writes. Results go to standard output; everything about them (progress, notes,
/// warnings) goes to standard error and is silenced by `--quiet`. Errors are never silenced.
pub(crate) struct Output {
    stdout: Stdout,
    quiet: bool,
    progress: Progress,
    /// Receives results instead of standard output.
    part: Option<Part>,
    /// Receives results instead of standard output.
    file: Option<AtomicFile>,
    /// Whether signs such as `×` have to be spelled in ASCII.
    ascii: bool,
}

impl Output {
    pub(crate) fn new(quiet: bool) -> Self {
        // `AutoStream` looks at --color (set globally by main), NO_COLOR, CLICOLOR_FORCE and
        // whether standard output is a terminal, and removes unwanted escape codes.
        let stdout = io::stdout();
        Self {
            stdout: BufWriter::new(anstream::AutoStream::auto(stdout)),
            quiet,
            progress: Progress::new(quiet),
            part: None,
            file: None,
            ascii: !terminal_is_utf8(),
        }
    }

    /// Whether `--quiet` was given.
    pub(crate) fn is_quiet(&self) -> bool {
        self.quiet
    }

    /// The progress line.
    pub(crate) fn progress(&self) -> &Progress {
        &self.progress
    }

    /// Redirects results to a part.
    pub(crate) fn write_to_part(&mut self, part: Part) {
        self.part = Some(part);
    }

    /// Ends the redirection to a part.
    pub(crate) fn take_part(&mut self) -> Option<Part> {
        self.part.take()
    }

    /// Redirects results to a file; those for people without colours.
    pub(crate) fn write_to_file(&mut self, file: AtomicFile) {
        self.file = Some(file);
    }

    /// Ends the redirection to a file.
    pub(crate) fn take_file(&mut self) -> Option<AtomicFile> {
        self.file.take()
    }

    /// Writes a result for people, which should end with a line break, and flushes it, so that the
    /// reader of a pipe sees whole results as they come.
    pub(crate) fn record(&mut self, text: impl Display) -> io::Result<()> {
        let text = text.to_string();
        if let Some(file) = &mut self.file {
            let plain = anstream::adapter::strip_str(&text).to_string();
            return file.write_all(plain.as_bytes());
        }
        let mut text = escape_control(&text);
        if self.ascii {
            text = text
                .replace('×', "x")
                .replace('µ', "u")
                .replace('±', "+-")
                .into();
        }
        let stdout = &mut self.stdout;
        self.progress.suspend(|| {
            stdout.write_all(text.as_bytes())?;
            stdout.flush()
        })
    }

    /// The size of the terminal that results go to, if they go to one.
    pub(crate) fn terminal_size(&self) -> Option<TerminalSize> {
        TerminalSize::of(&io::stdout()).filter(|_| self.file.is_none())
    }

    /// Writes sentences for people. A terminal gets them wrapped between words; a file or a pipe gets
    /// one line for each.
    pub(crate) fn sentences(&mut self, text: impl Display) -> io::Result<()> {
        match self.terminal_size() {
            Some(size) => self.record(wrap_hanging(&text.to_string(), size.columns)),
            None => self.record(text),
        }
    }

    /// Writes a result for programs, such as a puzzle in some format: as it is, except that a terminal
    /// gets its control characters escaped.
    pub(crate) fn data(&mut self, text: impl Display) -> io::Result<()> {
        if let Some(part) = &mut self.part {
            return part.write_all(text.to_string().as_bytes());
        }
        if let Some(file) = &mut self.file {
            return file.write_all(text.to_string().as_bytes());
        }
        if io::stdout().is_terminal() {
            return self.record(text);
        }
        self.bytes(text.to_string().as_bytes())
    }

    /// Writes one JSON object on a line of its own.
    pub(crate) fn json(&mut self, row: &impl Serialize) -> anyhow::Result<()> {
        self.data(json_line(row)?)?;
        Ok(())
    }

    /// Writes bytes as they are, such as a picture.
    pub(crate) fn bytes(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.stdout.flush()?;
        self.progress.suspend(|| {
            let mut raw = io::stdout().lock();
            raw.write_all(bytes)?;
            raw.flush()
        })
    }

    /// Prints a note on one line of standard error, unless `--quiet`.
    pub(crate) fn note(&self, text: impl Display) {
        if !self.quiet {
            // Line breaks can only come from outside.
            let line = escape_control(&text.to_string()).replace('\n', "\\u{a}");
            self.progress.suspend(|| say(wrap_for_stderr(&line)));
        }
    }

    /// Prints a line of a dialogue on standard error, even with `--quiet`.
    pub(crate) fn say(&self, text: impl Display) {
        self.progress.suspend(|| say(text));
    }

    /// Prints a question on standard error; the cursor stays behind it.
    pub(crate) fn prompt(&self, text: impl Display) {
        self.progress.suspend(|| {
            let _ = anstream::stderr().write_all(escape_control(&text.to_string()).as_bytes());
        });
    }

    /// Clears the terminal of standard error and prints a page of a dialogue. The cursor stays behind
    /// its last character.
    pub(crate) fn page(&self, text: impl Display) {
        self.progress.suspend(|| {
            let mut stderr = io::stderr().lock();
            let _ = crossterm::execute!(
                stderr,
                crossterm::terminal::Clear(crossterm::terminal::ClearType::All),
                crossterm::cursor::MoveTo(0, 0)
            );
            let _ = anstream::AutoStream::auto(stderr)
                .write_all(escape_control(&text.to_string()).as_bytes());
        });
    }

    /// Prints an error on standard error, even with `--quiet`.
    pub(crate) fn error(&self, text: impl Display) {
        self.progress.suspend(|| error(text));
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

/// One line of JSON. The control characters that JSON leaves as they are (those after DEL) are also
/// escaped; they can only be inside strings.
fn json_line(row: &impl Serialize) -> serde_json::Result<String> {
    use std::fmt::Write as _;
    let mut line = String::new();
    for c in serde_json::to_string(row)?.chars() {
        if c.is_control() {
            let _ = write!(line, "\\u{:04x}", u32::from(c));
        } else {
            line.push(c);
        }
    }
    Ok(line + "\n")
}

/// Whether an error is a closed pipe.
pub(crate) fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error.chain().any(|cause| {
        cause
            .downcast_ref::<io::Error>()
            .is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
    })
}

/// Prints an error on one line of standard error. It may contain foreign text, such as a path with a
/// line break.
fn error(text: impl Display) {
    let style = Style::new().bold().fg_color(Some(AnsiColor::Red.into()));
    let line = format!("{style}error{style:#}: {}", Plain(text));
    say(wrap_for_stderr(&line));
}

/// Ends the program with clap's message: help and versions as they are, errors wrapped between words
/// in a terminal.
pub(crate) fn exit_with(error: &clap::Error) -> ! {
    if let Some(size) = TerminalSize::of(&io::stderr()).filter(|_| error.use_stderr()) {
        let text = wrap_hanging(&error.render().ansi().to_string(), size.columns);
        let _ = anstream::stderr().write_all(text.as_bytes());
        std::process::exit(error.exit_code());
    }
    error.exit()
}

/// A line for standard error, wrapped between words in a terminal.
fn wrap_for_stderr(line: &str) -> String {
    match TerminalSize::of(&io::stderr()) {
        Some(size) => wrap_hanging(line, size.columns).trim_end().to_owned(),
        None => line.to_owned(),
    }
}

/// Prints one line on standard error in one piece. A failure does not matter.
pub(crate) fn say(text: impl Display) {
    let line = format!("{text}\n");
    let _ = anstream::stderr().write_all(escape_control(&line).as_bytes());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_has_no_control_characters_at_all() {
        let line = json_line(&"a\u{1b}b\u{9b}c\nd").unwrap();
        assert_eq!(line, "\"a\\u001bb\\u009bc\\nd\"\n");
        let read: String = serde_json::from_str(&line).unwrap();
        assert_eq!(read, "a\u{1b}b\u{9b}c\nd");
    }
}
