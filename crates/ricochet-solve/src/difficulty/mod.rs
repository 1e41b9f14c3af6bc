//! How hard a puzzle is for a person: features, themes and a rating.
//!
//! - [`Features`] counts what all shortest solutions of a puzzle have in common: their number, the
//!   robots and helper moves that they need, how the moves depend on each other.
//! - A [`Theme`] is something that happens in a solution, such as a helper that stops another robot:
//!   a predicate on one [`Line`] of play.
//! - A [`Rating`] says how hard it is to find a shortest solution, on the scale of players' ratings.
//!   It comes from simulated [players](Player), each attempt being a game between player and puzzle.
//!   How well it agrees with people is not known.
//!
//! The grades of [`Difficulty`] cut the ratings at 1000, 2000 and 3200.
//! `docs/design/difficulty.md` explains the model.

mod features;
mod glicko2;
mod line;
mod population;
mod rating;
mod theme;

use std::fmt;

pub use self::features::{Features, LineFeatures, MAX_LINES};
pub use self::glicko2::Glicko2;
pub use self::line::{Line, LineMove, Stop};
pub use self::population::{Choices, Player, Technique};
pub use self::rating::{
    REFERENCE_PLAYERS, REFERENCE_SEED, Rating, expected_score, reference_players,
};
pub use self::theme::{Theme, Themes, UnknownTheme};

/// A grade that a [`Rating`] falls into.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Difficulty {
    /// Under 1000.
    Easy,
    /// 1000 to under 2000.
    Medium,
    /// 2000 to under 3200.
    Hard,
    /// 3200 and more.
    Expert,
}

impl Difficulty {
    /// All grades, the easiest first.
    pub const ALL: [Self; 4] = [Self::Easy, Self::Medium, Self::Hard, Self::Expert];

    /// The grade of a rating.
    pub fn of_rating(rating: f64) -> Self {
        match rating {
            _ if rating < 1000.0 => Self::Easy,
            _ if rating < 2000.0 => Self::Medium,
            _ if rating < 3200.0 => Self::Hard,
            _ => Self::Expert,
        }
    }

    /// Lower case English name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Easy => "easy",
            Self::Medium => "medium",
            Self::Hard => "hard",
            Self::Expert => "expert",
        }
    }
}

impl fmt::Display for Difficulty {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn grades_begin_at_their_bounds() {
        let grades = [0.0, 1000.0, 2000.0, 3200.0, 9000.0];
        let grades = grades.map(|rating| Difficulty::of_rating(rating).name());
        assert_eq!(grades, ["easy", "medium", "hard", "expert", "expert"]);
    }
}
