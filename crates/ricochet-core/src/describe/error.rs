//! What is said when words are not understood.

use std::fmt;

/// Words that are not understood, with what would be.
///
/// ```
/// use ricochet_core::describe::GoalDescription;
/// let error = "green heptagon".parse::<GoalDescription>().unwrap_err();
/// assert!(error.to_string().starts_with("'heptagon' is neither a colour nor a shape"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DescriptionError {
    message: String,
}

impl DescriptionError {
    /// With a message of one's own, for those who ask further questions about a position.
    ///
    /// ```
    /// use ricochet_core::describe::DescriptionError;
    /// assert_eq!(DescriptionError::new("no such cell").to_string(), "no such cell");
    /// ```
    pub fn new(message: impl Into<String>) -> Self {
        Self {
            message: message.into(),
        }
    }
}

impl fmt::Display for DescriptionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for DescriptionError {}
