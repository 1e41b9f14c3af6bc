//! What is said when words are not understood.

use std::fmt;

/// Words that are not understood, with what would be.
///
/// ```
/// use ricochet_core::describe::Wanted;
/// let error = "green heptagon".parse::<Wanted>().unwrap_err();
/// assert!(error.to_string().starts_with("'heptagon' is neither a colour nor a shape"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotUnderstood {
    message: String,
}

impl NotUnderstood {
    /// With a message of one's own, for those who ask further questions about a position.
    ///
    /// ```
    /// use ricochet_core::describe::NotUnderstood;
    /// assert_eq!(NotUnderstood::new("no such cell").to_string(), "no such cell");
    /// ```
    pub fn new(message: impl Into<String>) -> Self {
        Self {
            message: message.into(),
        }
    }
}

impl fmt::Display for NotUnderstood {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for NotUnderstood {}
