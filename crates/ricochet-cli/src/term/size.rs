//! The size of the terminal.

use std::io::IsTerminal;

use ricochet_draw::TextPicture;

/// Columns and rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TerminalSize {
    pub(crate) columns: usize,
    pub(crate) rows: usize,
}

impl TerminalSize {
    /// The size of the terminal that a stream writes to; `None` if it is a file or a pipe.
    pub(crate) fn of(stream: &impl IsTerminal) -> Option<Self> {
        if !stream.is_terminal() {
            return None;
        }
        let (columns, rows) = crossterm::terminal::size().ok()?;
        // Some terminals do not know their size.
        (columns > 0 && rows > 0).then_some(Self {
            columns: columns.into(),
            rows: rows.into(),
        })
    }

    /// Whether a picture fits.
    pub(crate) fn holds(self, picture: &TextPicture) -> bool {
        picture.width() <= self.columns && picture.height() <= self.rows
    }
}
