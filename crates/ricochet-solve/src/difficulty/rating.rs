//! [`Rating`]: how hard a puzzle is, on the scale of players' ratings.
//!
//! Each attempt is a game between a player and a puzzle. The rating of a puzzle is the one at which
//! the [reference players](reference_players), whose ratings are fixed, are expected to solve it
//! exactly as often as they do in the simulation. So no dice are rolled, and the same puzzle always
//! has the same rating.

use std::sync::OnceLock;

use super::population::{Choices, Player};

/// The number of reference players.
pub const REFERENCE_PLAYERS: usize = 32;

/// The seed of the reference players.
pub const REFERENCE_SEED: u64 = 33;

/// The ratings of the reference players. With them, their mean is 1500, and each of them solves as
/// many of 990 random official positions as these ratings and those of the positions predict
/// (`ricochet lab ratings --seed 6`).
const REFERENCE_RATINGS: [i32; REFERENCE_PLAYERS] = [
    1000, 1755, 1815, 933, 813, 1372, 1861, 1891, 1971, 1243, 1276, 1441, 1804, 1920, 958, 1639,
    1401, 1400, 1191, 1868, 1940, 1854, 1723, 1258, 1171, 1980, 1154, 1558, 934, 1674, 1433, 1769,
];

/// A rating on the scale of Glicko: a player with the same rating solves the puzzle in half of the
/// attempts, one with 400 more in 10 of 11.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub struct Rating {
    /// The rating.
    pub value: f64,
    /// By how much the ratings that single reference players would give differ (their standard
    /// deviation, weighted by what each attempt says): large if it depends on the kind of player.
    pub deviation: f64,
}

/// The reference players with their ratings.
pub fn reference_players() -> &'static [(Player, f64)] {
    static PLAYERS: OnceLock<Vec<(Player, f64)>> = OnceLock::new();
    PLAYERS.get_or_init(|| {
        let ratings = REFERENCE_RATINGS.iter().enumerate();
        ratings
            .map(|(number, &rating)| {
                (
                    Player::new(REFERENCE_SEED, number as u64),
                    f64::from(rating),
                )
            })
            .collect()
    })
}

/// The expected score of a player against an opponent.
pub fn expected_score(player: f64, opponent: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf((opponent - player) / 400.0))
}

impl Rating {
    /// The rating as it is shown.
    pub fn rounded(self) -> i32 {
        self.value.round() as i32
    }

    /// The rating of a puzzle with these choices.
    pub fn of(choices: &Choices) -> Self {
        let chances: Vec<(f64, f64)> = reference_players()
            .iter()
            .map(|(player, rating)| (*rating, player.chance(choices)))
            .collect();
        Self::of_chances(&chances)
    }

    /// The rating of a puzzle that players with these ratings solve with these chances.
    pub fn of_chances(chances: &[(f64, f64)]) -> Self {
        let solved: f64 = chances.iter().map(|&(_, chance)| chance).sum();
        // The expected number falls with the rating: bisect.
        let (mut low, mut high) = (-2_000.0, 6_000.0);
        for _ in 0..50 {
            let middle = f64::midpoint(low, high);
            let expected: f64 = chances
                .iter()
                .map(|&(it, _)| expected_score(it, middle))
                .sum();
            if expected > solved {
                low = middle;
            } else {
                high = middle;
            }
        }
        let value = f64::midpoint(low, high);
        let (mut sum, mut weights) = (0.0, 0.0);
        for &(rating, chance) in chances {
            let chance = chance.clamp(1e-9, 1.0 - 1e-9);
            let alone = rating + 400.0 * (1.0 / chance - 1.0).log10();
            let expected = expected_score(rating, value);
            let weight = expected * (1.0 - expected);
            sum += weight * (alone - value).powi(2);
            weights += weight;
        }
        Self {
            value,
            deviation: (sum / weights).sqrt(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_reference_players_are_always_the_same() {
        let players = reference_players();
        assert_eq!(players.len(), REFERENCE_PLAYERS);
        let mean = players.iter().map(|it| it.1).sum::<f64>() / players.len() as f64;
        assert!((mean - 1500.0).abs() < 1.0, "{mean}");
        let again = Player::new(REFERENCE_SEED, 7);
        assert_eq!(players[7].0, again);
    }

    #[test]
    fn a_puzzle_that_players_solve_as_often_as_expected_has_that_rating() {
        let ratings = [900.0, 1400.0, 2000.0];
        let chances = ratings.map(|it| (it, expected_score(it, 1700.0)));
        let rating = Rating::of_chances(&chances);
        assert!((rating.value - 1700.0).abs() < 0.01, "{rating:?}");
        assert!(rating.deviation < 0.01, "all players agree");
        // The weak player does better than its rating, the strong one worse.
        let mixed = [(900.0, 0.5), (1400.0, 0.5), (2000.0, 0.5)];
        assert!(Rating::of_chances(&mixed).deviation > 100.0);
    }

    #[test]
    fn nobody_and_everybody_solving_it_still_is_a_number() {
        for chance in [0.0, 1.0] {
            let rating = Rating::of_chances(&[(1500.0, chance), (1800.0, chance)]);
            assert!(
                rating.value.is_finite() && rating.deviation.is_finite(),
                "{rating:?}"
            );
        }
    }
}
