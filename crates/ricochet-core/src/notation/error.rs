//! [`ReadError`]: why a text cannot be read.

use std::fmt;

use super::reason::Reason;

/// Why a text cannot be read: where, and what was expected there.
///
/// ```
/// use ricochet_core::notation::parse_line;
/// let error = parse_line("4x4..0z.R33").unwrap_err();
/// assert_eq!(error.to_string(), "line 1, column 7: expected a row (0-9, a-v), found 'z'");
/// // The same as data, for programs and translations.
/// assert_eq!(error.reason.code(), "expected-found");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadError {
    /// The format's name, if it is known.
    pub format: Option<&'static str>,
    /// Line, from 1.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
    /// What was expected and what was found.
    pub reason: Reason,
    /// Whether nothing in the text looks like a puzzle.
    is_unknown_format: bool,
}

impl ReadError {
    pub(crate) fn new(line: usize, column: usize, reason: impl Into<Reason>) -> Self {
        Self {
            format: None,
            line,
            column,
            reason: reason.into(),
            is_unknown_format: false,
        }
    }

    /// The same error in a text that does not begin like a puzzle.
    #[cfg(feature = "formats")]
    #[must_use]
    pub(crate) fn unknown_format(mut self) -> Self {
        self.is_unknown_format = true;
        self
    }

    /// Whether the text does not begin like a puzzle of any format, so that it is probably something
    /// else.
    pub fn is_unknown_format(&self) -> bool {
        self.is_unknown_format
    }

    /// The same error in a text that begins `lines` lines further down a file.
    #[cfg(feature = "formats")]
    #[must_use]
    pub(crate) fn shifted_by(mut self, lines: usize) -> Self {
        self.line += lines;
        self
    }

    /// The same error, naming the format.
    #[cfg(feature = "formats")]
    #[must_use]
    pub(crate) fn in_format(mut self, format: &'static str) -> Self {
        self.format = Some(format);
        self
    }
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(format) = self.format {
            write!(f, "{format}, ")?;
        }
        let Self { line, column, .. } = self;
        write!(f, "line {line}, column {column}: {}", self.reason)
    }
}

impl std::error::Error for ReadError {}
