//! What the names of a process's rooms begin with.

use std::fmt;
use std::str::FromStr;

use crate::rooms::names::LETTERS;

/// More would leave too little to chance.
const MOST: usize = 2;

/// What the names of a process's rooms begin with, so that a proxy can tell from a name where its
/// room is. Empty for a process that is alone.
///
/// ```
/// use ricochet_server::RoomPrefix;
/// let prefix: RoomPrefix = "b".parse().unwrap();
/// assert_eq!(prefix.as_str(), "b");
/// assert_eq!(RoomPrefix::default().as_str(), "");
/// assert!("l".parse::<RoomPrefix>().is_err(), "it looks like 1");
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RoomPrefix(String);

impl RoomPrefix {
    /// Its letters.
    ///
    /// ```
    /// assert_eq!(ricochet_server::RoomPrefix::default().as_str(), "");
    /// ```
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// Why a text cannot be a prefix.
///
/// ```
/// let wrong = "abc".parse::<ricochet_server::RoomPrefix>().unwrap_err();
/// assert!(wrong.to_string().starts_with("expected at most 2 letters"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadPrefix;

impl fmt::Display for BadPrefix {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let letters = String::from_utf8_lossy(LETTERS);
        write!(f, "expected at most {MOST} letters and digits of {letters}")
    }
}

impl std::error::Error for BadPrefix {}

impl FromStr for RoomPrefix {
    type Err = BadPrefix;

    fn from_str(text: &str) -> Result<Self, BadPrefix> {
        let fits = text.len() <= MOST && text.bytes().all(|byte| LETTERS.contains(&byte));
        fits.then(|| Self(text.to_owned())).ok_or(BadPrefix)
    }
}
