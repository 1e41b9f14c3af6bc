//! How a bot plays: like a person, in time and in depth.
//!
//! The model: a shortest solution is known, and the bot waits until a person of its level would have
//! seen it.
//!
//! - Depth: level L sees nothing longer than L + 4 moves.
//! - Time: a solution of n moves is seen after 6 s · 0.72^(L−1) · 1.55^(n−1), times something between
//!   0.6 and 1.6 that is drawn for each position. So each move more takes half as long again, and
//!   level 5 sees 6 moves after about 15 s, 8 moves after about 35 s.
//! - Doubt: the first bid is 0 to 2 moves too high, less often at higher levels; the right number
//!   follows after as much time again.
//!
//! The same seed, level and position always give the same decision.

use std::ops::RangeInclusive;
use std::time::Duration;

use ricochet_core::rng::Rng;
use ricochet_core::{Move, Solution, notation};

use crate::command::Command;
use crate::player::PlayerId;
use crate::room::{Phase, Room};
use crate::round::{Round, Show};
use crate::time::Time;

/// How well a bot can play.
pub const LEVELS: RangeInclusive<u8> = 1..=9;

/// How well and how fast a bot plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BotStrategy {
    /// How well: one of [`LEVELS`].
    pub level: u8,
    /// The seed of its random choices.
    pub seed: u64,
}

/// A bot's bids for a position and their times.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BotDecision {
    /// The solution that it sees.
    pub moves: Vec<Move>,
    /// The number of moves that it bids first.
    pub first_bid: u32,
    /// The time of the first bid, from the beginning of the round.
    pub first_after: Duration,
    /// The time of the right bid.
    pub best_after: Duration,
}

impl BotDecision {
    /// The number of moves of the solution.
    pub fn length(&self) -> u32 {
        self.moves.len() as u32
    }
}

impl BotStrategy {
    /// How long a bot looks at a position in which it sees nothing.
    pub const PATIENCE: Duration = Duration::from_secs(90);

    /// The time between two moves of a show, so that people can follow.
    pub const MOVE_INTERVAL: Duration = Duration::from_millis(700);

    /// The longest solution that it sees.
    pub fn depth(self) -> u32 {
        u32::from(self.level) + 4
    }

    /// Whether and when it sees a shortest solution of a position in one-line notation.
    pub fn decide(self, line: &str, solution: &Solution) -> Option<BotDecision> {
        let length = solution.len() as u32;
        if length == 0 || length > self.depth() {
            return None;
        }
        let mut chance = Rng::stream(self.seed, number_of(line));
        let seconds = self.seconds(length) * (0.6 + chance.below(1001) as f64 / 1000.0);
        let doubts = usize::from(LEVELS.end().saturating_sub(self.level)) + 1;
        let doubt = (0..2).filter(|_| chance.chance(doubts, 12));
        let first_bid = length + doubt.count() as u32;
        let first_after = Duration::from_secs_f64(seconds);
        let best_after = if first_bid > length {
            2 * first_after
        } else {
            first_after
        };
        Some(BotDecision {
            moves: solution.moves().to_vec(),
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

impl Room {
    /// What a bot that sits at this table does next, and when, if nothing else happens before. It
    /// knows the hidden optimum of the round, so it needs no solver; in a round without a known
    /// optimum it sees nothing.
    pub fn bot_action(&self, player: PlayerId, level: u8) -> Option<(Time, Command)> {
        let strategy = BotStrategy {
            level,
            seed: self.seed.wrapping_add(u64::from(player.0)),
        };
        match &self.phase {
            Phase::Thinking(round) => self.next_bid(round, player, strategy),
            Phase::Showing {
                round,
                show: Some(show),
                ..
            } if show.player == player => Some(self.next_move(round, show, strategy)),
            _ => None,
        }
    }

    fn next_bid(
        &self,
        round: &Round,
        player: PlayerId,
        strategy: BotStrategy,
    ) -> Option<(Time, Command)> {
        let at = |after: Duration| round.since.after(after.as_millis() as u64);
        let Some(decision) = decide(strategy, round) else {
            let yes = true;
            let may_skip = round.stakes.is_empty() && !round.skip_votes.contains(&player);
            return may_skip.then(|| (at(BotStrategy::PATIENCE), Command::Skip { player, yes }));
        };
        let own = round.stake_of(player).map(|stake| stake.length);
        if !self.options.style.has_bids() {
            let moves = decision.moves;
            let submit = Command::Submit { player, moves };
            return own.is_none().then(|| (at(decision.best_after), submit));
        }
        let (after, moves) = match own {
            None => (decision.first_after, decision.first_bid),
            Some(own) if own > decision.length() => (decision.best_after, decision.length()),
            Some(_) => return None,
        };
        Some((at(after), Command::Bid { player, moves }))
    }

    fn next_move(&self, round: &Round, show: &Show, strategy: BotStrategy) -> (Time, Command) {
        let player = show.player;
        let shown = show.moves.len();
        let moves = decide(strategy, round).map_or(Vec::new(), |decision| decision.moves);
        // All moves fit into the time, even if it is short.
        let interval = BotStrategy::MOVE_INTERVAL.as_millis() as u64;
        let interval = interval.min(self.options.show_ms / (moves.len() as u64 + 2));
        let begun = Time(show.until.0.saturating_sub(self.options.show_ms));
        let command = match moves.get(shown) {
            Some(&play) if moves.starts_with(&show.moves) => Command::Show { player, play },
            _ => Command::GiveUp { player },
        };
        (begun.after(interval * (shown as u64 + 1)), command)
    }
}

fn decide(strategy: BotStrategy, round: &Round) -> Option<BotDecision> {
    let optimum = round.optimum.clone()?;
    strategy.decide(&notation::to_line(&round.puzzle), &Solution::new(optimum))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn strategy(level: u8) -> BotStrategy {
        BotStrategy { level, seed: 1 }
    }

    fn solution(moves: &str) -> Solution {
        moves.parse().unwrap()
    }

    #[test]
    fn the_same_seed_decides_the_same_and_another_does_not() {
        let (line, solution) = ("4x3..0012.R31", solution("RE RS RW"));
        let decision = strategy(5).decide(line, &solution).unwrap();
        assert_eq!(strategy(5).decide(line, &solution), Some(decision.clone()));
        let others = (2..20).map(|seed| BotStrategy { level: 5, seed }.decide(line, &solution));
        assert!(
            others
                .flatten()
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
        let hard = solution("RN RE RS RW RN RE RS RW");
        let seen: Vec<bool> = LEVELS
            .map(|level| strategy(level).decide("hard", &hard).is_some())
            .collect();
        assert!(
            seen.is_sorted() && seen[3] && !seen[2],
            "who sees it at a level sees it above: {seen:?}"
        );
        assert_eq!(strategy(9).decide("there already", &solution("")), None);
    }
}
