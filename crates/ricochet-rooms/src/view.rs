//! A snapshot of a room for one viewer.

use ricochet_core::{Cell, Move, Solution, notation};
use serde::Serialize;

use crate::event::cells_as_pairs;
use crate::options::Options;
use crate::player::{Player, PlayerId};
use crate::room::{Phase, Room};
use crate::round::Round;
use crate::time::Time;

/// Everything that one viewer may know about a room.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct RoomView {
    /// The number of the last event that it includes.
    pub version: u64,
    /// The options of the room.
    pub options: Options,
    /// All players with a seat.
    pub players: Vec<Player>,
    /// The host.
    pub host: Option<PlayerId>,
    /// `lobby`, `pause`, `thinking`, `showing` or `over`.
    pub phase: &'static str,
    /// The game, if one has begun.
    pub game: Option<GameView>,
    /// The current round, if there is one.
    pub round: Option<RoundView>,
    /// The current show, if there is one.
    pub show: Option<ShowView>,
    /// The pause before the next round, if there is one.
    pub pause: Option<PauseView>,
}

/// The pause before a round, as viewers see it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PauseView {
    /// When the next round begins, or a little later if it has not been solved by then.
    pub next_at: Time,
    /// Players who vote for the next round at once.
    pub votes: Vec<PlayerId>,
}

/// A game, as viewers see it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct GameView {
    /// Its number, from 1.
    pub number: u32,
    /// The board.
    pub layout: String,
    /// Where the robots stand between rounds.
    #[serde(with = "cells_as_pairs")]
    pub robots: Vec<Cell>,
    /// Chips in the stack.
    pub chips_left: u32,
    /// The number of chips that ends the game, if the game ends that way.
    pub chips_to_win: Option<u32>,
    /// Rounds that have begun.
    pub rounds: u32,
}

/// A round, as viewers see it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct RoundView {
    /// Its number in the game, from 1.
    pub number: u32,
    /// The position in one-line notation.
    pub puzzle: String,
    /// The index of the target on the board.
    pub target: u8,
    /// When it began.
    pub since: Time,
    /// When the sand timer runs out, if it is running.
    pub until: Option<Time>,
    /// Bids or hidden solutions, the latest last.
    pub stakes: Vec<StakeView>,
    /// Players who vote to end it.
    pub skip_votes: Vec<PlayerId>,
}

/// A bid or a hidden solution, as viewers see it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct StakeView {
    /// The player.
    pub player: PlayerId,
    /// The bid, or the length of the viewer's own solution.
    pub length: Option<u32>,
    /// The viewer's own solution.
    pub moves: Option<String>,
}

/// A show, as viewers see it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ShowView {
    /// The player who shows.
    pub player: PlayerId,
    /// The player's bid.
    pub bid: u32,
    /// The moves so far.
    pub moves: String,
    /// When the time to show ends.
    pub until: Time,
}

impl Room {
    /// The room as one viewer may see it; `None` is a spectator.
    pub fn view(&self, viewer: Option<PlayerId>) -> RoomView {
        let (phase, round, show) = match &self.phase {
            Phase::Lobby => ("lobby", None, None),
            Phase::Preparing { .. } => ("pause", None, None),
            Phase::Thinking(round) => ("thinking", Some(round), None),
            Phase::Showing { round, show, .. } => ("showing", Some(round), show.as_ref()),
            Phase::Over { .. } => ("over", None, None),
        };
        let pause = match &self.phase {
            Phase::Preparing {
                not_before, votes, ..
            } => Some(PauseView {
                next_at: *not_before,
                votes: votes.clone(),
            }),
            _ => None,
        };
        RoomView {
            pause,
            version: self.version,
            options: self.options.clone(),
            players: self.players.clone(),
            host: self.host,
            phase,
            game: self.game.as_ref().map(|game| GameView {
                number: game.number,
                layout: game.layout.clone(),
                robots: game.robots.clone(),
                chips_left: game.stack.len() as u32,
                chips_to_win: game.chips_to_win,
                rounds: game.rounds,
            }),
            round: round.map(|round| self.round_view(round, viewer)),
            show: show.map(|show| ShowView {
                player: show.player,
                bid: show.bid,
                moves: as_text(&show.moves),
                until: show.until,
            }),
        }
    }

    fn round_view(&self, round: &Round, viewer: Option<PlayerId>) -> RoundView {
        let public = self.options.style.has_bids();
        let stakes = round.stakes.iter().map(|stake| {
            let own = viewer == Some(stake.player);
            StakeView {
                player: stake.player,
                length: (public || own).then_some(stake.length),
                moves: (!public && own).then(|| as_text(&stake.moves)),
            }
        });
        RoundView {
            number: round.number,
            puzzle: notation::to_line(&round.puzzle),
            target: round.target,
            since: round.since,
            until: round.until,
            stakes: stakes.collect(),
            skip_votes: round.skip_votes.clone(),
        }
    }
}

fn as_text(moves: &[Move]) -> String {
    Solution::new(moves.to_vec()).to_string()
}
