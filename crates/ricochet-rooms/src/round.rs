//! A round: bids and solutions, the order of showing, and the review of all players.

use ricochet_core::{Move, Puzzle};

use crate::event::Review;
use crate::options::TieBreak;
use crate::player::{Player, PlayerId};
use crate::time::Time;

/// A player's stake in a round: a bid, or a hidden solution.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Stake {
    pub(crate) player: PlayerId,
    /// The bid, or the length of the solution.
    pub(crate) length: u32,
    /// The hidden solution; empty for a bid.
    pub(crate) moves: Vec<Move>,
    pub(crate) first_at: Time,
    pub(crate) last_at: Time,
    /// The number of the event, which decides between two stakes of the same millisecond.
    pub(crate) number: u64,
}

/// A round that has begun.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Round {
    pub(crate) number: u32,
    pub(crate) puzzle: Puzzle,
    /// The index of the target on the board.
    pub(crate) target: u8,
    pub(crate) since: Time,
    /// When the sand timer, or the fixed time of the round, runs out.
    pub(crate) until: Option<Time>,
    pub(crate) stakes: Vec<Stake>,
    pub(crate) skip_votes: Vec<PlayerId>,
    pub(crate) optimum: Option<Vec<Move>>,
}

impl Round {
    pub(crate) fn stake_of(&self, player: PlayerId) -> Option<&Stake> {
        self.stakes.iter().find(|stake| stake.player == player)
    }

    /// Adds a stake. It replaces the player's previous one, but keeps the time of the first.
    pub(crate) fn stake(&mut self, mut stake: Stake) {
        if let Some(old) = self.stakes.iter().position(|it| it.player == stake.player) {
            stake.first_at = self.stakes[old].first_at;
            self.stakes.remove(old);
        }
        self.stakes.push(stake);
    }

    pub(crate) fn forget(&mut self, player: PlayerId) {
        self.stakes.retain(|stake| stake.player != player);
        self.skip_votes.retain(|voter| *voter != player);
    }

    /// The players in the order in which they show.
    pub(crate) fn showing_order(
        &self,
        ties: TieBreak,
        score: impl Fn(PlayerId) -> u32,
    ) -> Vec<PlayerId> {
        let mut order: Vec<&Stake> = self.stakes.iter().collect();
        order.sort_by_key(|stake| {
            let (first, second) = match ties {
                TieBreak::FewerChips => (u64::from(score(stake.player)), stake.number),
                // Ids are assigned in the order of joining.
                TieBreak::Newcomer => (u64::MAX - u64::from(stake.player.0), stake.number),
            };
            (stake.length, first, second)
        });
        order.into_iter().map(|stake| stake.player).collect()
    }

    /// The shortest hidden solution, the earlier of two equal ones.
    pub(crate) fn best_solution(&self) -> Option<&Stake> {
        self.stakes
            .iter()
            .min_by_key(|stake| (stake.length, stake.number))
    }

    /// The review of all players, in the order of joining. `shown` is the winner with the number of
    /// moves shown.
    pub(crate) fn review(
        &self,
        players: &[Player],
        failed: &[PlayerId],
        shown: Option<(PlayerId, usize)>,
    ) -> Vec<Review> {
        let optimum = self.optimum.as_ref().map(|moves| moves.len() as u32);
        // A player who bid too many moves and then showed a shortest solution has seen it as well.
        let showed = |player| {
            shown.is_some_and(|(who, moves)| who == player && Some(moves as u32) == optimum)
        };
        players
            .iter()
            .map(|player| {
                let stake = self.stake_of(player.id);
                let best = stake.map(|stake| stake.length);
                Review {
                    player: player.id,
                    first_ms: stake.map(|stake| stake.first_at.since(self.since)),
                    last_ms: stake.map(|stake| stake.last_at.since(self.since)),
                    best,
                    saw_it: showed(player.id)
                        || best.is_some() && best == optimum && !failed.contains(&player.id),
                }
            })
            .collect()
    }
}

/// A player's turn to show a solution.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Show {
    pub(crate) player: PlayerId,
    pub(crate) bid: u32,
    pub(crate) moves: Vec<Move>,
    pub(crate) until: Time,
}
