//! Players and their names.

use std::fmt;

use serde::{Deserialize, Serialize};

/// A player's number in a room, given in the order of joining and never used again.
///
/// ```
/// assert_eq!(ricochet_rooms::PlayerId(3).to_string(), "player 3");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct PlayerId(pub u32);

impl fmt::Display for PlayerId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "player {}", self.0)
    }
}

/// Somebody with a seat.
///
/// ```
/// use ricochet_rooms::{Command, Options, Room, Time};
/// let mut room = Room::open(Options::default(), 1, Time(0))?.0;
/// room.handle(Time(1), Command::join("Ada"));
/// let ada = &room.players()[0];
/// assert_eq!((ada.name.as_str(), ada.chips, ada.connected), ("Ada", 0, true));
/// # Ok::<(), ricochet_rooms::BadOptions>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Player {
    /// Who.
    pub id: PlayerId,
    /// What the others see; no two players of a room have the same.
    pub name: String,
    /// Whether it is a program.
    pub bot: bool,
    /// The team, from 0, if the room has teams.
    pub team: Option<u8>,
    /// Whether the player is there. One who is not keeps the seat, bids and chips.
    pub connected: bool,
    /// Whether the host has silenced the player.
    pub muted: bool,
    /// Chips won in this game.
    pub chips: u32,
}

/// Characters in a name at most.
pub const MAX_NAME: usize = 24;

/// Characters in a chat line at most.
pub const MAX_CHAT: usize = 300;

/// A name as the others see it: without control and direction characters, white space in single
/// blanks, at most [`MAX_NAME`] characters. `None` if nothing is left.
///
/// ```
/// use ricochet_rooms::clean_name;
/// assert_eq!(clean_name("  Ada\t\u{202e}Lovelace \n").as_deref(), Some("Ada Lovelace"));
/// assert_eq!(clean_name("\u{200b}\u{7}"), None);
/// ```
pub fn clean_name(text: &str) -> Option<String> {
    clean(text, MAX_NAME)
}

/// A chat line, cleaned in the same way.
pub(crate) fn clean_chat(text: &str) -> Option<String> {
    clean(text, MAX_CHAT)
}

fn clean(text: &str, most: usize) -> Option<String> {
    // Nobody reads more than the first characters, so a flood costs no more than they do.
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

/// Characters that could hide, turn round or imitate other text.
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
