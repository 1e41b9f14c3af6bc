//! What has happened in a room. The events alone determine its state: see [`Room::replay`].
//!
//! [`Room::replay`]: crate::Room::replay

use ricochet_core::{Cell, Move, Solution};
use serde::{Deserialize, Serialize};

use crate::options::Options;
use crate::player::PlayerId;
use crate::time::Time;

/// An event with its number and time. Numbers start at 1 and have no gaps, so that a client that was
/// away can say which event it saw last.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LogEntry {
    /// Its number.
    pub number: u64,
    /// When it happened.
    pub at: Time,
    /// What happened.
    #[serde(flatten)]
    pub event: Event,
}

impl LogEntry {
    /// The entry without what the viewer may not see; `None` is a spectator.
    ///
    /// ```
    /// use ricochet_rooms::{Event, Options, Room, Time};
    /// let (_, opened) = Room::open(Options::default(), 42, Time(0))?;
    /// assert!(matches!(opened.event, Event::Opened { seed: Some(42), .. }));
    /// assert!(matches!(opened.seen_by(None).event, Event::Opened { seed: None, .. }));
    /// # Ok::<(), ricochet_rooms::OptionsError>(())
    /// ```
    #[must_use]
    pub fn seen_by(&self, viewer: Option<PlayerId>) -> Self {
        let mut seen = self.clone();
        match &mut seen.event {
            // The seed determines all chips to come.
            Event::Opened { seed, .. } => *seed = None,
            Event::GameStarted { stack, .. }
            | Event::ChipReturned { stack }
            | Event::StackRefilled { stack } => *stack = None,
            Event::RoundStarted { optimum, .. } => *optimum = None,
            Event::Submitted { length, moves, .. }
                if viewer.is_none() || viewer != self.owner() =>
            {
                *length = None;
                *moves = None;
            }
            _ => {}
        }
        seen
    }

    /// The one player who may see more of it than the others, if there is one.
    pub const fn owner(&self) -> Option<PlayerId> {
        match &self.event {
            Event::Submitted { player, .. } => Some(*player),
            _ => None,
        }
    }
}

/// Something that has happened. Fields that stay secret until the end of a round or game are
/// optional, and [`LogEntry::seen_by`] removes them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "kebab-case")]
pub enum Event {
    /// The room was opened. Always the first event.
    Opened {
        /// The options.
        options: Options,
        /// The seed of all random choices. Hidden.
        seed: Option<u64>,
    },
    /// A player has taken a seat.
    Joined {
        /// The player.
        player: PlayerId,
        /// The name, cleaned.
        name: String,
        /// Whether the player is a program.
        bot: bool,
        /// How well the program plays, if it says so.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        level: Option<u8>,
        /// The team.
        team: Option<u8>,
    },
    /// A player's connection is gone.
    Dropped {
        /// The player.
        player: PlayerId,
    },
    /// A player is back.
    Returned {
        /// The player.
        player: PlayerId,
    },
    /// A player has left.
    Left {
        /// The player.
        player: PlayerId,
        /// Whether the host removed the player.
        removed: bool,
    },
    /// There is a new host.
    HostChanged {
        /// The host; null if the room is empty.
        player: Option<PlayerId>,
    },
    /// The host has muted or unmuted a player.
    Muted {
        /// The player.
        player: PlayerId,
        /// Whether the player is muted now.
        yes: bool,
    },
    /// The host has changed the options.
    OptionsChanged {
        /// All options, including unchanged ones.
        options: Options,
        /// The team of each player from now on.
        teams: Vec<TeamMember>,
    },
    /// A game begins.
    GameStarted {
        /// Its number, from 1.
        game: u32,
        /// The board.
        layout: String,
        /// Where the robots stand.
        #[serde(with = "cells_as_pairs")]
        robots: Vec<Cell>,
        /// The order of the chips: indices of the board's targets, the next one last. Hidden.
        stack: Option<Vec<u8>>,
        /// The number of chips.
        chips: u32,
        /// The number of chips that ends the game, if the game ends that way.
        chips_to_win: Option<u32>,
    },
    /// The stack was empty, and all chips are in it again.
    StackRefilled {
        /// The order of the chips. Hidden.
        stack: Option<Vec<u8>>,
    },
    /// A chip is turned up.
    RoundStarted {
        /// The number of the round in this game, from 1.
        round: u32,
        /// The position in one-line notation.
        puzzle: String,
        /// The index of the target on the board.
        target: u8,
        /// Chips left in the stack.
        left: u32,
        /// When the round ends, if that is known from the beginning.
        until: Option<Time>,
        /// A shortest solution. Hidden until the round ends.
        #[serde(with = "optional_moves")]
        optimum: Option<Vec<Move>>,
    },
    /// A chip whose target cannot be reached is out of the game.
    ChipDiscarded {
        /// The index of the target on the board.
        target: u8,
    },
    /// A player has bid.
    Bid {
        /// The player.
        player: PlayerId,
        /// The number of moves.
        moves: u32,
        /// When the sand timer runs out.
        until: Time,
    },
    /// A player has handed in a solution.
    Submitted {
        /// The player.
        player: PlayerId,
        /// Its length. Hidden from the others.
        length: Option<u32>,
        /// The moves. Hidden from the others.
        #[serde(with = "optional_moves")]
        moves: Option<Vec<Move>>,
    },
    /// The sand timer has been started.
    SandStarted {
        /// When it runs out.
        until: Time,
    },
    /// A player votes to end the round, or takes the vote back.
    SkipVoted {
        /// The player.
        player: PlayerId,
        /// `false` takes the vote back.
        yes: bool,
    },
    /// A player's turn to show begins. The robots are where they were when the round began.
    ShowStarted {
        /// The player.
        player: PlayerId,
        /// The player's bid.
        bid: u32,
        /// When the time to show ends.
        until: Time,
    },
    /// The player who shows has made a move.
    Shown {
        /// The player.
        player: PlayerId,
        /// The move.
        #[serde(with = "one_move")]
        play: Move,
    },
    /// The player who shows has failed.
    ShowFailed {
        /// The player.
        player: PlayerId,
        /// Why.
        reason: ShowFailure,
    },
    /// The chip goes back into the stack.
    ChipReturned {
        /// The order of the chips afterwards. Hidden.
        stack: Option<Vec<u8>>,
    },
    /// A round is over.
    RoundEnded {
        /// How it ended.
        result: RoundResult,
        /// Where the robots stand now.
        #[serde(with = "cells_as_pairs")]
        robots: Vec<Cell>,
        /// A shortest solution, if it is known and the chip does not come again at once.
        #[serde(with = "optional_moves")]
        optimum: Option<Vec<Move>>,
        /// The review of each player.
        review: Vec<Review>,
        /// When the next round may begin, unless the game ends now.
        next_at: Time,
    },
    /// A player votes to begin the next round at once, or takes the vote back.
    NextVoted {
        /// The player.
        player: PlayerId,
        /// `false` takes the vote back.
        yes: bool,
    },
    /// The pause between two rounds was cut short.
    PauseEnded,
    /// The game is over.
    GameEnded {
        /// All players, the winner first; players of one team are adjacent.
        standings: Vec<Standing>,
    },
    /// A line of chat.
    Said {
        /// The player.
        player: PlayerId,
        /// The text.
        text: String,
    },
    /// A quick phrase.
    Phrase {
        /// The player.
        player: PlayerId,
        /// Its number in [`PHRASES`](crate::PHRASES), from 1.
        phrase: u8,
    },
}

/// Why a show failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ShowFailure {
    /// The bid is used up, and the target has not been reached.
    TooManyMoves,
    /// The time ran out.
    Time,
    /// The player gave up.
    GaveUp,
    /// The player has left.
    Left,
}

/// How a round ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "how", rename_all = "kebab-case")]
pub enum RoundResult {
    /// A player has won the chip.
    Won {
        /// The player.
        player: PlayerId,
        /// The winning moves.
        #[serde(with = "some_moves")]
        moves: Vec<Move>,
    },
    /// All bidders failed: the chip is back in the stack.
    AllFailed,
    /// The players skipped it: the chip is out of the game, since its solution was shown.
    Skipped,
}

impl RoundResult {
    /// The player who has won the chip.
    pub const fn winner(&self) -> Option<PlayerId> {
        match self {
            Self::Won { player, .. } => Some(*player),
            Self::AllFailed | Self::Skipped => None,
        }
    }
}

/// The review of one player in a round that is over.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Review {
    /// The player.
    pub player: PlayerId,
    /// Milliseconds from the beginning of the round to the first bid or solution.
    pub first_ms: Option<u64>,
    /// Milliseconds to the last one.
    pub last_ms: Option<u64>,
    /// The lowest bid or the length of the shortest solution.
    pub best: Option<u32>,
    /// Whether that is the optimum, and the player did not fail to show it.
    pub saw_it: bool,
}

/// A player and the player's team.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TeamMember {
    /// The player.
    pub player: PlayerId,
    /// The team, if there are teams.
    pub team: Option<u8>,
}

/// A row of a game's final standings.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Standing {
    /// From 1; equal scores share a place.
    pub place: u32,
    /// The player.
    pub player: PlayerId,
    /// The name: the player may have left since.
    pub name: String,
    /// The team.
    pub team: Option<u8>,
    /// The player's own chips.
    pub chips: u32,
    /// The score: the player's chips, or those of the team.
    pub score: u32,
}

/// A move as `"RN"`.
mod one_move {
    use super::{Move, Serialize};
    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    #[expect(clippy::trivially_copy_pass_by_ref, reason = "serde's signature")]
    pub(super) fn serialize<S: Serializer>(play: &Move, to: S) -> Result<S::Ok, S::Error> {
        play.to_string().serialize(to)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Move, D::Error> {
        String::deserialize(from)?.parse().map_err(D::Error::custom)
    }
}

/// Moves as `"RN GE"`.
mod some_moves {
    use super::{Move, Solution};
    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    pub(super) fn serialize<S: Serializer>(moves: &[Move], to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(&Solution::new(moves.to_vec()))
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<Move>, D::Error> {
        let solution: Solution = String::deserialize(from)?
            .parse()
            .map_err(D::Error::custom)?;
        Ok(solution.moves().to_vec())
    }
}

/// Moves as `"RN GE"`, or null.
mod optional_moves {
    use super::{Move, Solution};
    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    #[expect(clippy::ref_option, reason = "serde's signature")]
    pub(super) fn serialize<S: Serializer>(
        moves: &Option<Vec<Move>>,
        to: S,
    ) -> Result<S::Ok, S::Error> {
        match moves {
            Some(moves) => to.collect_str(&Solution::new(moves.clone())),
            None => to.serialize_none(),
        }
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        from: D,
    ) -> Result<Option<Vec<Move>>, D::Error> {
        let Some(text) = Option::<String>::deserialize(from)? else {
            return Ok(None);
        };
        let solution: Solution = text.parse().map_err(D::Error::custom)?;
        Ok(Some(solution.moves().to_vec()))
    }
}

/// Cells as `[x,y]`.
pub(crate) mod cells_as_pairs {
    use super::{Cell, Serialize};
    use serde::{Deserialize, Deserializer, Serializer};

    pub(crate) fn serialize<S: Serializer>(cells: &[Cell], to: S) -> Result<S::Ok, S::Error> {
        let pairs: Vec<[u8; 2]> = cells.iter().map(|cell| [cell.x, cell.y]).collect();
        pairs.serialize(to)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<Cell>, D::Error> {
        let pairs = Vec::<[u8; 2]>::deserialize(from)?;
        Ok(pairs.into_iter().map(|[x, y]| Cell::new(x, y)).collect())
    }
}
