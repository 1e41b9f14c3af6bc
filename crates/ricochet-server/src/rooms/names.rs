//! Names of rooms and tokens of players, both random.

use std::fmt::{self, Write};
use std::str::FromStr;

use sha2::{Digest, Sha256};

/// Letters and digits that are not easily confused.
const ALPHABET: &[u8; 32] = b"abcdefghijkmnpqrstuvwxyz23456789";

/// The random letters of a room's name: few enough to read aloud. Guessing among 2³⁰ names is slow,
/// because every look at a room counts against a rate limit.
const RANDOM_LETTERS: usize = 6;

/// The length of names given by earlier versions, whose rooms may still be open.
const OLD_LENGTH: usize = 12;

/// The hash of a token, which is all that is stored.
pub(crate) type TokenHash = [u8; 32];

/// The system has no source of randomness.
#[derive(Debug)]
pub(crate) struct NoRandomness;

fn random_bytes<const N: usize>() -> Result<[u8; N], NoRandomness> {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes).map_err(|error| {
        tracing::error!("no source of randomness: {error}");
        NoRandomness
    })?;
    Ok(bytes)
}

/// Random letters of five bits each.
fn random_letters<const N: usize>() -> Result<String, NoRandomness> {
    let bytes: [u8; N] = random_bytes()?;
    let letter = |byte: u8| char::from(ALPHABET[usize::from(byte % 32)]);
    Ok(bytes.into_iter().map(letter).collect())
}

/// A random name: the prefix, then six letters.
pub(crate) fn new_room_name(prefix: &RoomPrefix) -> Result<String, NoRandomness> {
    Ok(prefix.as_str().to_owned() + &random_letters::<RANDOM_LETTERS>()?)
}

/// The random name of a saved puzzle. Unlike rooms, puzzles stay for a year and there can be many of
/// them, so that names of 30 bits could be guessed; these have 80.
pub(crate) fn new_puzzle_name() -> Result<String, NoRandomness> {
    random_letters::<16>()
}

/// The name of the standing room after the prefix, in letters of [`ALPHABET`].
const STANDING: &str = "square";

/// The name of the standing room.
pub(crate) fn standing_room_name(prefix: &RoomPrefix) -> String {
    format!("{prefix}{STANDING}", prefix = prefix.as_str())
}

/// Whether a text has the form of a room's name.
pub(crate) fn is_room_name(text: &str) -> bool {
    let fits = (RANDOM_LETTERS..=RANDOM_LETTERS + MAX_PREFIX).contains(&text.len())
        || text.len() == OLD_LENGTH;
    fits && text.bytes().all(|byte| ALPHABET.contains(&byte))
}

/// A random seed for a room.
pub(crate) fn new_seed() -> Result<u64, NoRandomness> {
    Ok(u64::from_le_bytes(random_bytes()?))
}

/// A random token of 128 bits.
pub(crate) fn new_token() -> Result<String, NoRandomness> {
    let bytes: [u8; 16] = random_bytes()?;
    let mut text = String::new();
    for byte in bytes {
        let _ = write!(text, "{byte:02x}");
    }
    Ok(text)
}

/// Hashes a token. Tokens are long enough to need no salt and no slow hash.
pub(crate) fn hash_token(token: &str) -> TokenHash {
    Sha256::digest(token.as_bytes()).into()
}

/// The longest prefix; names should stay short.
const MAX_PREFIX: usize = 2;

/// What the names of all rooms of a process begin with, so that a proxy can tell by the name which
/// process has a room. Empty for a single process.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RoomPrefix(String);

impl RoomPrefix {
    /// Its letters and digits.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// A text that is not a valid prefix.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RoomPrefixError;

impl fmt::Display for RoomPrefixError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let alphabet = String::from_utf8_lossy(ALPHABET);
        write!(f, "expected at most {MAX_PREFIX} characters of {alphabet}")
    }
}

impl std::error::Error for RoomPrefixError {}

impl FromStr for RoomPrefix {
    type Err = RoomPrefixError;

    fn from_str(text: &str) -> Result<Self, RoomPrefixError> {
        let fits = text.len() <= MAX_PREFIX && text.bytes().all(|byte| ALPHABET.contains(&byte));
        fits.then(|| Self(text.to_owned())).ok_or(RoomPrefixError)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_tokens_differ() {
        let name = |prefix: &str| new_room_name(&prefix.parse().unwrap()).unwrap();
        let (first, second) = (name(""), name(""));
        assert!(is_room_name(&first) && is_room_name(&second) && first != second);
        let (first, second) = (name("b7"), name("b7"));
        assert!(is_room_name(&first) && first.starts_with("b7") && first != second);
        assert!(is_room_name(&standing_room_name(&"b7".parse().unwrap())));
        assert!("l".parse::<RoomPrefix>().is_err(), "it looks like 1");
        let error = "abc".parse::<RoomPrefix>().unwrap_err().to_string();
        assert!(error.starts_with("expected at most 2 characters of abcdef"));
        assert_eq!((first.len(), second.len()), (8, 8));
        assert!(is_room_name("abcdefghijkm"), "a name of an earlier version");
        assert!(!is_room_name("../../etc/pas") && !is_room_name(""));
        assert!(!is_room_name("abcde") && !is_room_name("abcdefghi"));
        let (first, second) = (new_token().unwrap(), new_token().unwrap());
        assert_eq!(first.len(), 32);
        assert_ne!(hash_token(&first), hash_token(&second));
    }
}
