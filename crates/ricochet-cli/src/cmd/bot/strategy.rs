//! How the bot plays: like a person, in time and in depth.
//!
//! The model: a solver finds a shortest solution at once, and the bot waits until a person of its level
//! would have seen it.
//!
//! - Depth: level L sees nothing longer than L + 4 moves.
//! - Time: a solution of n moves is seen after 6 s · 0.72^(L−1) · 1.55^(n−1), times something between
//!   0.6 and 1.6 that is drawn for each position. So each move more takes half as long again, and
//!   level 5 sees 6 moves after about 15 s, 8 moves after about 35 s.
//! - Doubt: the first bid is 0 to 2 moves too high, less often at higher levels; the right number
//!   follows after as much time again.
//!
//! The same seed, level and position always give the same decision.

use std::time::Duration;

use ricochet_core::rng::Rng;
use ricochet_core::{Solution, notation};
use ricochet_solve::flagship::Flagship;
use ricochet_solve::{Limits, NullObserver, Outcome, Solver};

/// How well and how fast the bot plays.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Strategy {
    pub(crate) level: u8,
    pub(crate) seed: u64,
}

/// The bids for a position and their times.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Decision {
    pub(crate) moves: Vec<String>,
    pub(crate) first_bid: u32,
    pub(crate) first_after: Duration,
    pub(crate) best_after: Duration,
}

impl Decision {
    pub(crate) fn length(&self) -> u32 {
        self.moves.len() as u32
    }
}

impl Strategy {
    /// The longest solution that it sees.
    fn depth(self) -> u32 {
        u32::from(self.level) + 4
    }

    /// How long it looks at a position in which it sees nothing.
    pub(crate) const PATIENCE: Duration = Duration::from_secs(90);

    /// Thinks about a position; `None` if it sees nothing in it.
    pub(crate) fn decide(self, line: &str) -> Option<Decision> {
        self.decision(line, &self.solution(line)?)
    }

    /// What there is to be seen in a position.
    pub(super) fn solution(self, line: &str) -> Option<Solution> {
        let puzzle = notation::parse_line(line).ok()?.validate().ok()?;
        let limits = Limits {
            time: Some(Duration::from_secs(5)),
            moves: Some(self.depth()),
            ..Limits::default()
        };
        let (outcome, _) = Flagship::new().solve(&puzzle, &limits, &mut NullObserver);
        match outcome {
            Outcome::Solved { solution, .. } => Some(solution),
            _ => None,
        }
    }

    /// When it sees a shortest solution of a position, if it does.
    pub(super) fn decision(self, line: &str, solution: &Solution) -> Option<Decision> {
        let length = solution.len() as u32;
        if length == 0 || length > self.depth() {
            return None;
        }
        let mut chance = Rng::stream(self.seed, number_of(line));
        let seconds = self.seconds(length) * (0.6 + chance.below(1001) as f64 / 1000.0);
        let doubt = (0..2).filter(|_| chance.chance(10 - usize::from(self.level), 12));
        let first_bid = length + doubt.count() as u32;
        let first_after = Duration::from_secs_f64(seconds);
        let best_after = if first_bid > length {
            2 * first_after
        } else {
            first_after
        };
        Some(Decision {
            moves: solution.moves().iter().map(ToString::to_string).collect(),
            first_bid,
            first_after,
            best_after,
        })
    }

    fn seconds(self, length: u32) -> f64 {
        let quickness = 0.72_f64.powi(i32::from(self.level) - 1);
        6.0 * quickness * 1.55_f64.powi(length as i32 - 1)
    }
}

/// A number that belongs to a position.
fn number_of(line: &str) -> u64 {
    // FNV-1a: the same on every machine.
    line.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Three moves.
    const EASY: &str = "4x3..0012.R31";

    fn strategy(level: u8) -> Strategy {
        Strategy { level, seed: 1 }
    }

    #[test]
    fn the_same_seed_thinks_the_same_and_another_does_not() {
        let decision = strategy(5).decide(EASY).unwrap();
        assert_eq!(strategy(5).decide(EASY), Some(decision.clone()));
        let others = (2..20).map(|seed| Strategy { level: 5, seed }.decide(EASY).unwrap());
        assert!(
            others
                .into_iter()
                .any(|it| it.first_after != decision.first_after)
        );
        assert_eq!(decision.length(), 3);
        assert!(decision.first_bid >= 3 && decision.best_after >= decision.first_after);
    }

    #[test]
    fn higher_levels_are_quicker_and_see_more() {
        for level in 1..9 {
            for length in 1..12 {
                assert!(strategy(level).seconds(length) > strategy(level + 1).seconds(length));
                assert!(strategy(level).seconds(length) < strategy(level).seconds(length + 1));
            }
        }
        // About a good player.
        assert!((10.0..25.0).contains(&strategy(5).seconds(6)));
        // Eight moves, from the README.
        let hard = "1A4B3B2B.5e1b9cf1.Y39";
        let lengths = (1..=9).map(|level| strategy(level).decide(hard).map(|it| it.length()));
        let seen: Vec<bool> = lengths.map(|it| it.is_some()).collect();
        assert!(
            seen.is_sorted(),
            "who sees it at a level sees it above: {seen:?}"
        );
    }

    #[test]
    fn what_is_no_puzzle_is_not_thought_about() {
        assert_eq!(strategy(9).decide("nothing"), None);
        assert_eq!(strategy(9).decide("4x4..00.R00"), None, "there already");
    }
}
