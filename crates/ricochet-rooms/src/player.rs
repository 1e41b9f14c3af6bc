//! Players and their names.

use std::fmt;

use serde::{Deserialize, Serialize};
use unicode_security::confusable_detection::skeleton;

/// A player's number in a room, assigned in the order of joining and never reused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct PlayerId(pub u32);

impl fmt::Display for PlayerId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "player {}", self.0)
    }
}

/// A player with a seat.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Player {
    /// The player's number.
    pub id: PlayerId,
    /// The displayed name, unique in the room.
    pub name: String,
    /// Whether the player is a program.
    pub bot: bool,
    /// How well the program plays, if it says so: one of [`LEVELS`](crate::LEVELS).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub level: Option<u8>,
    /// The team, from 0, if the room has teams.
    pub team: Option<u8>,
    /// Whether the player is connected. A disconnected player keeps seat, bids and chips.
    pub connected: bool,
    /// Whether the host has silenced the player.
    pub muted: bool,
    /// Chips won in this game.
    pub chips: u32,
}

/// The maximum length of a name, in characters.
pub const MAX_NAME: usize = 24;

/// The maximum length of a chat line, in characters.
pub const MAX_CHAT: usize = 300;

/// The quick phrases, counted from 1. Pages translate them, so a number never changes its meaning.
pub const PHRASES: [&str; 12] = [
    "Hello!",
    "Good luck!",
    "Well played!",
    "That was close.",
    "I don’t see anything.",
    "Let’s skip this one.",
    "One moment, please.",
    "Ready!",
    "Sorry!",
    "Thanks for the game!",
    "Another game?",
    "Goodbye!",
];

/// Cleans a name: removes control and direction characters, collapses white space, and cuts it to
/// [`MAX_NAME`] characters. `None` if nothing is left.
///
/// ```
/// use ricochet_rooms::clean_name;
/// assert_eq!(clean_name("  Ada\t\u{202e}Lovelace \n").as_deref(), Some("Ada Lovelace"));
/// assert_eq!(clean_name("\u{200b}\u{7}"), None);
/// ```
pub fn clean_name(text: &str) -> Option<String> {
    clean(text, MAX_NAME)
}

/// Cleans a chat line in the same way.
pub(crate) fn clean_chat(text: &str) -> Option<String> {
    clean(text, MAX_CHAT)
}

fn clean(text: &str, most: usize) -> Option<String> {
    // Only the first characters matter, so a very long text costs no more.
    let text: String = text
        .chars()
        .take(4 * most)
        .filter(|letter| !is_invisible(*letter))
        .collect();
    let words: Vec<&str> = text.split_whitespace().collect();
    let name: String = words.join(" ").chars().take(most).collect();
    let name = name.trim_end();
    (!name.is_empty()).then(|| name.to_owned())
}

/// Whether two names look the same to a reader: they differ only in case, or in letters that are
/// easily confused, such as a Latin and a Cyrillic A (Unicode Technical Standard 39).
pub(crate) fn looks_like(one: &str, other: &str) -> bool {
    let same = |one: &str, other: &str| skeleton(one).eq(skeleton(other));
    same(one, other) || same(&one.to_lowercase(), &other.to_lowercase())
}

/// Whether a character could hide, reverse or imitate other text.
fn is_invisible(letter: char) -> bool {
    let keeps_words_apart = letter.is_whitespace();
    (letter.is_control() && !keeps_words_apart)
        || matches!(
            letter,
            '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}'
                | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff0}'..='\u{fffb}'
                | '\u{e0000}'..='\u{e0fff}'
        )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_look_the_same_are_found() {
        for (one, other) in [
            ("Ada", "ada"),
            ("Ada", "\u{410}d\u{430}"),
            ("paypal", "\u{440}\u{430}ypal"),
            ("Ian", "lan"),
            ("Oscar", "0scar"),
            ("Zo\u{eb}", "Zoe\u{308}"),
        ] {
            assert!(looks_like(one, other), "{one} {other}");
        }
        for (one, other) in [("Ada", "Ida"), ("Ada", "Ada 2"), ("Zoe", "Zo\u{eb}")] {
            assert!(!looks_like(one, other), "{one} {other}");
        }
    }

    #[test]
    fn long_names_are_cut_at_a_character() {
        assert_eq!(clean_name(&"ä".repeat(1000)).unwrap(), "ä".repeat(MAX_NAME));
        assert_eq!(
            clean_name(&format!("{}  x", "a".repeat(MAX_NAME - 1)))
                .unwrap()
                .len(),
            MAX_NAME - 1
        );
    }
}
