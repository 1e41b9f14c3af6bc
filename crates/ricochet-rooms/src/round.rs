//! A round: who has bid or handed in what, who shows first, and what everybody's part was.

use ricochet_core::{Move, Puzzle};

use crate::event::Review;
use crate::options::Ties;
use crate::player::{Player, PlayerId};
use crate::time::Time;

/// What somebody has staked in a round: a bid, or a hidden solution.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Stake {
    pub(crate) player: PlayerId,
    /// The bid, or the length of the solution.
    pub(crate) length: u32,
    /// The hidden solution; empty for a bid.
    pub(crate) moves: Vec<Move>,
    pub(crate) first_at: Time,
    pub(crate) last_at: Time,
    /// Number of the event: of two at the same millisecond one is still the earlier.
    pub(crate) number: u64,
}

/// A round that has begun.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Round {
    pub(crate) number: u32,
    pub(crate) puzzle: Puzzle,
    /// Number of the board's target.
    pub(crate) target: u8,
    pub(crate) since: Time,
    /// When the sand, or the fixed time of the round, will have run out.
    pub(crate) until: Option<Time>,
    pub(crate) stakes: Vec<Stake>,
    pub(crate) skip_votes: Vec<PlayerId>,
    pub(crate) optimum: Option<Vec<Move>>,
}

impl Round {
    pub(crate) fn stake_of(&self, player: PlayerId) -> Option<&Stake> {
        self.stakes.iter().find(|stake| stake.player == player)
    }

    /// Puts in a stake; a player's own one is replaced, and keeps its first time.
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

    /// Who shows first, second …
    pub(crate) fn showing_order(
        &self,
        ties: Ties,
        score: impl Fn(PlayerId) -> u32,
    ) -> Vec<PlayerId> {
        let mut order: Vec<&Stake> = self.stakes.iter().collect();
        order.sort_by_key(|stake| {
            let (first, second) = match ties {
                Ties::FewerChips => (u64::from(score(stake.player)), stake.number),
                // Numbers are given in the order of joining.
                Ties::Newcomer => (u64::MAX - u64::from(stake.player.0), stake.number),
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

    /// Everybody's part, in the order of the seats. `shown`: who won, and with how many moves.
    pub(crate) fn review(
        &self,
        players: &[Player],
        failed: &[PlayerId],
        shown: Option<(PlayerId, usize)>,
    ) -> Vec<Review> {
        let optimum = self.optimum.as_ref().map(|moves| moves.len() as u32);
        // Whoever bid more than was needed and then showed a shortest way saw it too.
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

/// A show that is going on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Show {
    pub(crate) player: PlayerId,
    pub(crate) bid: u32,
    pub(crate) moves: Vec<Move>,
    pub(crate) until: Time,
}
