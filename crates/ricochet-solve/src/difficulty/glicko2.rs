//! Glicko-2: M. Glickman, *Example of the Glicko-2 system* (2022). The paper's worked example is a
//! test.
//!
//! It is short and its steps are published with numbers to check, so this is our own implementation;
//! it also has to run in the browser, where a dependency would cost more than these lines.

use std::f64::consts::PI;

/// Converts between the printed scale, around 1500, and the scale of the formulas.
const SCALE: f64 = 173.7178;

/// How much volatility may change: the paper suggests 0.3 to 1.2.
const TAU: f64 = 0.5;

/// When the iteration for the volatility has converged.
const EPSILON: f64 = 1e-6;

/// A rating that changes with each period of games.
///
/// ```
/// use ricochet_solve::difficulty::Glicko2;
/// let player = Glicko2::default();
/// let puzzle = Glicko2 { deviation: 60.0, ..Glicko2::default() };
/// let better = player.after(&[(puzzle, 1.0)]);
/// assert!(better.rating > 1600.0 && better.deviation < player.deviation);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Glicko2 {
    /// The rating.
    pub rating: f64,
    /// The rating deviation: the rating is within two deviations in 95 of 100 cases.
    pub deviation: f64,
    /// The volatility: how erratic results are.
    pub volatility: f64,
}

impl Default for Glicko2 {
    /// Someone about whom nothing is known.
    fn default() -> Self {
        Self {
            rating: 1500.0,
            deviation: 350.0,
            volatility: 0.06,
        }
    }
}

impl Glicko2 {
    /// The rating after a period of games against these opponents, with scores from 0 to 1. Without
    /// games, only the deviation grows.
    #[must_use]
    pub fn after(self, games: &[(Self, f64)]) -> Self {
        let mu = (self.rating - 1500.0) / SCALE;
        let phi = self.deviation / SCALE;
        let (mut information, mut surprise) = (0.0, 0.0);
        for (opponent, score) in games {
            let (expected, g) = self.expected(*opponent);
            information += g * g * expected * (1.0 - expected);
            surprise += g * (score - expected);
        }
        let volatility = if games.is_empty() {
            self.volatility
        } else {
            new_volatility(
                self.volatility,
                phi,
                1.0 / information,
                surprise / information,
            )
        };
        let before = phi * phi + volatility * volatility;
        let phi = (1.0 / before + information).sqrt().recip();
        let mu = mu + phi * phi * surprise;
        Self {
            rating: mu * SCALE + 1500.0,
            deviation: (phi * SCALE).min(350.0),
            volatility,
        }
    }

    /// The expected score against an opponent, and how much its deviation dampens a result.
    fn expected(self, opponent: Self) -> (f64, f64) {
        let phi = opponent.deviation / SCALE;
        let g = (1.0 + 3.0 * phi * phi / (PI * PI)).sqrt().recip();
        let difference = (self.rating - opponent.rating) / SCALE;
        // A certain result would carry no information at all.
        let expected = ((-g * difference).exp() + 1.0).recip();
        (expected.clamp(1e-9, 1.0 - 1e-9), g)
    }
}

/// Step 5 of the paper: the root of `f`, by the Illinois variant of regula falsi.
fn new_volatility(sigma: f64, phi: f64, variance: f64, delta: f64) -> f64 {
    let a = (sigma * sigma).ln();
    let f = |x: f64| {
        let e = x.exp();
        let sum = phi * phi + variance + e;
        e * (delta * delta - sum) / (2.0 * sum * sum) - (x - a) / (TAU * TAU)
    };
    let mut low = a;
    let excess = delta * delta - phi * phi - variance;
    let mut high = if excess > 0.0 {
        excess.ln()
    } else {
        let mut steps = 1.0;
        while f(a - steps * TAU) < 0.0 {
            steps += 1.0;
        }
        a - steps * TAU
    };
    let (mut f_low, mut f_high) = (f(low), f(high));
    // It converges in a few steps; the bound is for values that are no numbers.
    for _ in 0..100 {
        if (high - low).abs() <= EPSILON {
            break;
        }
        let middle = low + (low - high) * f_low / (f_high - f_low);
        let f_middle = f(middle);
        if f_middle * f_high <= 0.0 {
            (low, f_low) = (high, f_high);
        } else {
            f_low /= 2.0;
        }
        (high, f_high) = (middle, f_middle);
    }
    (low / 2.0).exp()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn opponent(rating: f64, deviation: f64) -> Glicko2 {
        Glicko2 {
            rating,
            deviation,
            ..Glicko2::default()
        }
    }

    #[test]
    fn the_example_of_the_paper() {
        let player = opponent(1500.0, 200.0);
        let games = [
            (opponent(1400.0, 30.0), 1.0),
            (opponent(1550.0, 100.0), 0.0),
            (opponent(1700.0, 300.0), 0.0),
        ];
        let after = player.after(&games);
        assert!((after.rating - 1464.06).abs() < 0.01, "{after:?}");
        assert!((after.deviation - 151.52).abs() < 0.01, "{after:?}");
        assert!((after.volatility - 0.05999).abs() < 0.00001, "{after:?}");
    }

    /// The page has its own implementation, which is compared with the same numbers.
    #[test]
    fn the_numbers_of_the_page() {
        let rows = include_str!("../../tests/data/glicko2.txt");
        let numbers = |text: &str| -> Vec<f64> {
            let words = text.split_whitespace();
            words.map(|word| word.parse().unwrap()).collect()
        };
        let rows = rows.lines().filter(|row| !row.starts_with('#'));
        let mut count = 0;
        for row in rows {
            let [player, games, after] = *row.split('|').collect::<Vec<_>>() else {
                panic!("{row}");
            };
            let player = numbers(player);
            let games: Vec<(Glicko2, f64)> = games
                .split(';')
                .map(numbers)
                .filter(|game| !game.is_empty())
                .map(|game| (opponent(game[0], game[1]), game[2]))
                .collect();
            let is = Glicko2 {
                volatility: player[2],
                ..opponent(player[0], player[1])
            }
            .after(&games);
            let wanted = numbers(after);
            for (is, wanted) in [is.rating, is.deviation, is.volatility].iter().zip(wanted) {
                assert!((is - wanted).abs() < 1e-6, "{is} is not {wanted} in {row}");
            }
            count += 1;
        }
        assert!(count >= 200);
    }

    #[test]
    fn without_games_only_the_deviation_grows() {
        let player = opponent(1700.0, 50.0);
        let after = player.after(&[]);
        assert!((after.rating - 1700.0).abs() < 1e-9);
        // The square root of 50² and (0.06 · 173.7178)².
        assert!((after.deviation - 51.075).abs() < 0.01, "{after:?}");
        assert_eq!(after.volatility.to_bits(), player.volatility.to_bits());
    }

    #[test]
    fn surprising_results_stay_finite() {
        let mut player = opponent(3000.0, 30.0);
        for _ in 0..50 {
            player = player.after(&[(opponent(0.0, 30.0), 0.0); 20]);
            assert!(
                player.rating.is_finite() && player.deviation > 0.0,
                "{player:?}"
            );
        }
        assert!(player.rating < 1000.0);
    }
}
