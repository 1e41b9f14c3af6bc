//! What a reader says when it cannot go on.

use std::fmt;

/// Why a text could not be read: where, and what was expected there.
///
/// ```
/// use ricochet_core::notation::ReadError;
/// let error = ReadError::new(3, 7, "expected a robot, found 'x'").in_format("line");
/// assert_eq!(error.to_string(), "line, line 3, column 7: expected a robot, found 'x'");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadError {
    /// The name of the format as which the text was read, if that was decided.
    pub format: Option<&'static str>,
    /// Line, from 1.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
    /// What was expected and what was found.
    pub message: String,
    /// Whether nothing in the text looks like a puzzle.
    is_unknown_format: bool,
}

impl ReadError {
    /// An error at a place.
    ///
    /// ```
    /// use ricochet_core::notation::ReadError;
    /// let error = ReadError::new(1, 4, "expected a robot");
    /// assert_eq!(error.to_string(), "line 1, column 4: expected a robot");
    /// ```
    pub fn new(line: usize, column: usize, message: impl Into<String>) -> Self {
        Self {
            format: None,
            line,
            column,
            message: message.into(),
            is_unknown_format: false,
        }
    }

    /// The same error in a text that does not even begin like a puzzle.
    #[cfg(feature = "formats")]
    #[must_use]
    pub(crate) fn foreign(mut self) -> Self {
        self.is_unknown_format = true;
        self
    }

    /// Whether the text does not even begin like a puzzle of any format: it is something else, and
    /// not a puzzle with a slip.
    ///
    /// ```
    /// use ricochet_core::notation::ReadError;
    /// assert!(!ReadError::new(1, 4, "expected a robot").is_unknown_format());
    /// # #[cfg(feature = "formats")]
    /// assert!(ricochet_core::formats::read("Dear reader,").unwrap_err().is_unknown_format());
    /// ```
    pub fn is_unknown_format(&self) -> bool {
        self.is_unknown_format
    }

    /// The same error in a text that begins `lines` lines further down a file.
    ///
    /// ```
    /// use ricochet_core::notation::ReadError;
    /// let error = ReadError::new(1, 4, "expected a robot").shifted_by(9).in_format("line");
    /// assert_eq!(error.to_string(), "line, line 10, column 4: expected a robot");
    /// ```
    #[must_use]
    pub fn shifted_by(mut self, lines: usize) -> Self {
        self.line += lines;
        self
    }

    /// The same error, naming the format.
    ///
    /// ```
    /// use ricochet_core::notation::ReadError;
    /// assert_eq!(ReadError::new(1, 4, "…").in_format("asp").format, Some("asp"));
    /// ```
    #[must_use]
    pub fn in_format(mut self, format: &'static str) -> Self {
        self.format = Some(format);
        self
    }
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(format) = self.format {
            write!(f, "{format}, ")?;
        }
        write!(
            f,
            "line {}, column {}: {}",
            self.line, self.column, self.message
        )
    }
}

impl std::error::Error for ReadError {}

/// At most 40 characters of a text, in quotes, for messages.
pub(crate) fn short(text: &str) -> String {
    let mut cut: String = text.chars().take(40).collect();
    if cut.len() < text.len() {
        cut.push('…');
    }
    format!("'{}'", cut.escape_debug())
}
