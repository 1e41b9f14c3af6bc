//! Names and tokens, drawn by lot.

use std::fmt::Write;

use sha2::{Digest, Sha256};

use crate::rooms::prefix::RoomPrefix;

/// Letters and digits that are not taken for one another.
pub(crate) const LETTERS: &[u8; 32] = b"abcdefghijkmnpqrstuvwxyz23456789";

/// Letters of a room's name.
pub(crate) const NAME: usize = 12;

/// What is kept of a token.
pub(crate) type TokenHash = [u8; 32];

/// There is no source of randomness.
#[derive(Debug)]
pub(crate) struct NoChance;

fn chance<const N: usize>() -> Result<[u8; N], NoChance> {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes).map_err(|error| {
        tracing::error!("there is no randomness: {error}");
        NoChance
    })?;
    Ok(bytes)
}

/// A name that nobody guesses: 60 bits, and five fewer for each letter of the prefix.
pub(crate) fn room_name(prefix: &RoomPrefix) -> Result<String, NoChance> {
    let bytes: [u8; NAME] = chance()?;
    let letter = |byte: u8| char::from(LETTERS[usize::from(byte % 32)]);
    let drawn = bytes.into_iter().map(letter);
    let prefix = prefix.as_str();
    Ok(prefix.chars().chain(drawn).take(NAME).collect())
}

/// Whether a text can be the name of a room.
pub(crate) fn is_room_name(text: &str) -> bool {
    text.len() == NAME && text.bytes().all(|byte| LETTERS.contains(&byte))
}

/// The seed of a room.
pub(crate) fn seed() -> Result<u64, NoChance> {
    Ok(u64::from_le_bytes(chance()?))
}

/// A token: 128 bits.
pub(crate) fn token() -> Result<String, NoChance> {
    let bytes: [u8; 16] = chance()?;
    let mut text = String::new();
    for byte in bytes {
        let _ = write!(text, "{byte:02x}");
    }
    Ok(text)
}

/// What is kept of a token: tokens are long enough that nobody can try them all.
pub(crate) fn hash(token: &str) -> TokenHash {
    Sha256::digest(token.as_bytes()).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_tokens_differ() {
        let name = |prefix: &str| room_name(&prefix.parse().unwrap()).unwrap();
        let (first, second) = (name(""), name(""));
        assert!(is_room_name(&first) && is_room_name(&second) && first != second);
        let (first, second) = (name("b7"), name("b7"));
        assert!(is_room_name(&first) && first.starts_with("b7") && first != second);
        assert!(!is_room_name("../../etc/pas") && !is_room_name(""));
        let (first, second) = (token().unwrap(), token().unwrap());
        assert_eq!(first.len(), 32);
        assert_ne!(hash(&first), hash(&second));
    }
}
