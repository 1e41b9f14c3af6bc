//! The options of a room.

use std::fmt;

use ricochet_core::quadrants::{Edition, Layout};
use serde::de::{self, Visitor};
use serde::{Deserialize, Deserializer, Serialize};

/// How a round is decided.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Style {
    /// Players bid a number of moves; the lowest bid shows.
    #[default]
    Bidding,
    /// Players hand in solutions that stay hidden until the sand timer has run out. The first
    /// solution starts the timer; the shortest wins, the earlier of two equal ones.
    Secret,
    /// Like `Secret`, but each round lasts a fixed time, such as a day, so that players need not be
    /// online together.
    Correspondence,
}

impl Style {
    /// Whether players bid and then show, instead of handing in solutions.
    pub const fn has_bids(self) -> bool {
        matches!(self, Self::Bidding)
    }
}

/// When a game ends.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum GameLength {
    /// When the stack of target chips is empty: 17 of them on a printed board.
    #[default]
    AllChips,
    /// When a player has 8, 6 or 5 chips, with 2, 3 or 4 players; with other numbers of players,
    /// when the stack is empty.
    Race,
    /// After this many rounds. Chips that were won go back when the stack is empty.
    Rounds(u32),
}

impl GameLength {
    /// The number of chips that ends the game, if the game ends that way.
    pub const fn chips_to_win(self, players: usize) -> Option<u32> {
        match (self, players) {
            (Self::Race, 2) => Some(8),
            (Self::Race, 3) => Some(6),
            (Self::Race, 4) => Some(5),
            _ => None,
        }
    }
}

/// Which of several equal bidders shows first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TieBreak {
    /// The one with fewer chips, then the one who bid first. The printed rule.
    #[default]
    FewerChips,
    /// The one who joined the room last, so that newcomers get their turn.
    Newcomer,
}

/// What players may say to each other.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Chat {
    /// Nothing.
    Off,
    /// Only the numbered [`PHRASES`](crate::PHRASES), which every page shows in its own language.
    Quick,
    /// Anything, and the phrases.
    #[default]
    Free,
}

impl<'de> Deserialize<'de> for Chat {
    /// Also reads `true` and `false`, which the logs of earlier versions have.
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct ChatVisitor;
        impl Visitor<'_> for ChatVisitor {
            type Value = Chat;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("\"off\", \"quick\" or \"free\"")
            }

            fn visit_bool<E: de::Error>(self, yes: bool) -> Result<Chat, E> {
                Ok(if yes { Chat::Free } else { Chat::Off })
            }

            fn visit_str<E: de::Error>(self, name: &str) -> Result<Chat, E> {
                match name {
                    "off" => Ok(Chat::Off),
                    "quick" => Ok(Chat::Quick),
                    "free" => Ok(Chat::Free),
                    other => Err(E::invalid_value(de::Unexpected::Str(other), &self)),
                }
            }
        }
        from.deserialize_any(ChatVisitor)
    }
}

/// The options of a room. [`Options::check`] validates them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Options {
    /// The printed edition that boards are drawn from: 1999, 2003 or 2013.
    pub edition: u16,
    /// A fixed layout instead of a random one, such as `1A 4B 3B 2B`.
    pub layout: Option<String>,
    /// Whether the board must have diagonals or must not; `None` allows both.
    pub diagonals: Option<bool>,
    /// The number of robots: 4 or 5.
    pub robots: u8,
    /// Whether the robot has to turn at least once on its way.
    pub must_ricochet: bool,
    /// Bids or hidden solutions.
    pub style: Style,
    /// How long the sand timer runs after the first bid or solution, in milliseconds.
    pub sand_ms: u64,
    /// How long a player may take to show a solution.
    pub show_ms: u64,
    /// How long a round of a correspondence game lasts; in an automatic room, how long a round may
    /// go on without a bid or a solution.
    pub round_ms: u64,
    /// The pause between two rounds.
    pub pause_ms: u64,
    /// When the game ends.
    pub length: GameLength,
    /// Which of several equal bidders shows first.
    pub ties: TieBreak,
    /// The number of teams: 2 to 4, or 0 for none. Chips are counted by team.
    pub teams: u8,
    /// The maximum number of players.
    pub seats: u8,
    /// Whether the room is left out of the lobby.
    pub private: bool,
    /// What players may say to each other.
    pub chat: Chat,
    /// Whether games start by themselves. Such a room has no host, and rests while nobody is
    /// connected.
    pub automatic: bool,
    /// How much later spectators see everything than the players.
    pub spectator_delay_ms: u64,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            edition: 1999,
            layout: None,
            diagonals: None,
            robots: 4,
            must_ricochet: false,
            style: Style::Bidding,
            sand_ms: 60_000,
            show_ms: 60_000,
            round_ms: 24 * 60 * 60 * 1000,
            pause_ms: 10_000,
            length: GameLength::AllChips,
            ties: TieBreak::FewerChips,
            teams: 0,
            seats: 16,
            private: false,
            chat: Chat::Free,
            automatic: false,
            spectator_delay_ms: 0,
        }
    }
}

impl Options {
    /// Validates the values.
    ///
    /// # Errors
    /// The first value that is out of range.
    pub fn check(&self) -> Result<(), OptionsError> {
        let faces = faces(self.edition).ok_or(OptionsError::Edition {
            edition: self.edition,
        })?;
        if let Some(text) = &self.layout {
            text.parse::<Layout>()
                .map_err(|error| OptionsError::Layout(error.to_string()))?;
        } else if self.diagonals == Some(true) && !faces.contains(&'D') {
            return Err(OptionsError::NoDiagonals {
                edition: self.edition,
            });
        }
        in_range("robots", u64::from(self.robots), 4, 5)?;
        in_range("seats", u64::from(self.seats), 1, 64)?;
        if self.teams != 0 {
            in_range("teams", u64::from(self.teams), 2, 4)?;
        }
        if let GameLength::Rounds(rounds) = self.length {
            in_range("rounds", u64::from(rounds), 1, 500)?;
        }
        let minute = 60_000;
        lasts("the sand runs", self.sand_ms, 5_000, 30 * minute)?;
        lasts("showing takes", self.show_ms, 5_000, 30 * minute)?;
        lasts("a round lasts", self.round_ms, minute, 7 * 24 * 60 * minute)?;
        lasts("the pause lasts", self.pause_ms, 0, 10 * minute)?;
        lasts("spectators wait", self.spectator_delay_ms, 0, 10 * minute)
    }

    /// The layouts that a game may be played on.
    pub(crate) fn layouts(&self) -> Vec<Layout> {
        if let Some(layout) = self.layout.as_ref().and_then(|text| text.parse().ok()) {
            return vec![layout];
        }
        let faces = faces(self.edition).unwrap_or(&['A', 'B']);
        let mut layouts = Edition::Of2013.layouts();
        layouts.retain(|layout| {
            let quadrants = layout.quadrants();
            quadrants
                .iter()
                .all(|quadrant| faces.contains(&quadrant.face()))
                && self.diagonals.is_none_or(|wanted| {
                    wanted == quadrants.iter().any(|quadrant| quadrant.face() == 'D')
                })
        });
        layouts
    }
}

/// The printed faces of an edition's tiles.
const fn faces(edition: u16) -> Option<&'static [char]> {
    match edition {
        1999 => Some(&['A', 'B']),
        2003 => Some(&['C', 'D']),
        2013 => Some(&['A', 'B', 'C', 'D']),
        _ => None,
    }
}

fn in_range(what: &'static str, given: u64, least: u64, most: u64) -> Result<(), OptionsError> {
    if (least..=most).contains(&given) {
        return Ok(());
    }
    Err(OptionsError::Number {
        what,
        given,
        least,
        most,
    })
}

fn lasts(what: &'static str, given: u64, least: u64, most: u64) -> Result<(), OptionsError> {
    if (least..=most).contains(&given) {
        return Ok(());
    }
    Err(OptionsError::Duration {
        what,
        given,
        least,
        most,
    })
}

/// Why a room cannot be opened with these options.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OptionsError {
    /// An unknown edition.
    Edition {
        /// The value given.
        edition: u16,
    },
    /// A layout that cannot be read.
    Layout(String),
    /// Diagonals were asked for, and the edition has none.
    NoDiagonals {
        /// The edition.
        edition: u16,
    },
    /// A number out of range.
    Number {
        /// Its name.
        what: &'static str,
        /// The value given.
        given: u64,
        /// The smallest that is allowed.
        least: u64,
        /// The largest that is allowed.
        most: u64,
    },
    /// A duration out of range, in milliseconds.
    Duration {
        /// A clause that the allowed range completes, such as 'the sand runs'.
        what: &'static str,
        /// The value given.
        given: u64,
        /// The shortest that is allowed.
        least: u64,
        /// The longest that is allowed.
        most: u64,
    },
}

impl fmt::Display for OptionsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Edition { edition } => {
                write!(
                    f,
                    "there is no edition {edition}; expected 1999, 2003 or 2013"
                )
            }
            Self::Layout(error) => write!(f, "layout: {error}"),
            Self::NoDiagonals { edition } => write!(
                f,
                "the boards of {edition} have no diagonals; those of 2003 and 2013 do"
            ),
            Self::Number {
                what,
                given,
                least,
                most,
            } => write!(f, "{what}: expected {least} to {most}, not {given}"),
            Self::Duration {
                what,
                given,
                least,
                most,
            } => write!(
                f,
                "{what} for {} to {}, not {} s",
                spoken(*least),
                spoken(*most),
                given / 1000
            ),
        }
    }
}

impl std::error::Error for OptionsError {}

/// `5 s`, `30 min`, `7 days`.
fn spoken(milliseconds: u64) -> String {
    match milliseconds / 1000 {
        seconds if seconds >= 48 * 3600 => format!("{} days", seconds / 86400),
        seconds if seconds >= 120 => format!("{} min", seconds / 60),
        seconds => format!("{seconds} s"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn layouts_follow_edition_and_diagonals() {
        let count = |edition, diagonals| {
            let options = Options {
                edition,
                diagonals,
                ..Options::default()
            };
            options.check().unwrap();
            options.layouts().len()
        };
        assert_eq!(count(1999, None), 96);
        assert_eq!(count(1999, Some(false)), 96);
        assert_eq!(count(2003, None), 96);
        assert_eq!(
            count(2003, Some(true)),
            90,
            "all but those of C quadrants only"
        );
        assert_eq!(count(2013, None), 1536);
    }

    #[test]
    fn every_range_is_checked() {
        let changes: [fn(&mut Options); 10] = [
            |it| it.robots = 9,
            |it| it.seats = 0,
            |it| it.teams = 1,
            |it| it.length = GameLength::Rounds(0),
            |it| it.show_ms = 0,
            |it| it.round_ms = 1,
            |it| it.pause_ms = u64::MAX,
            |it| it.spectator_delay_ms = u64::MAX,
            |it| it.layout = Some("1A 1B 2A 3A".into()),
            |it| it.diagonals = Some(true),
        ];
        for change in changes {
            let mut options = Options::default();
            change(&mut options);
            assert!(options.check().is_err(), "{options:?}");
        }
        let error = Options {
            robots: 9,
            ..Options::default()
        }
        .check()
        .unwrap_err();
        assert_eq!(error.to_string(), "robots: expected 4 to 5, not 9");
    }

    #[test]
    fn options_of_earlier_versions_are_read() {
        let read = |text: &str| serde_json::from_str::<Options>(text).map(|it| it.chat);
        assert_eq!(read(r#"{"chat":true}"#).unwrap(), Chat::Free);
        assert_eq!(read(r#"{"chat":false}"#).unwrap(), Chat::Off);
        assert_eq!(read("{}").unwrap(), Chat::Free);
        for chat in [Chat::Off, Chat::Quick, Chat::Free] {
            let options = Options {
                chat,
                ..Options::default()
            };
            let text = serde_json::to_string(&options).unwrap();
            assert_eq!(read(&text).unwrap(), chat);
        }
        let error = read(r#"{"chat":"loud"}"#).unwrap_err().to_string();
        assert!(
            error.contains(r#"expected "off", "quick" or "free""#),
            "{error}"
        );
    }
}
