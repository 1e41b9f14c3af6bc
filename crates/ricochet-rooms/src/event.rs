//! What has happened in a room. The events, in order, are the room: see [`Room::replay`].
//!
//! [`Room::replay`]: crate::Room::replay

use ricochet_core::{Cell, Move, Solution};
use serde::{Deserialize, Serialize};

use crate::options::Options;
use crate::player::PlayerId;
use crate::time::Time;

/// An event with its number and time. Numbers start at 1 and have no gaps, so that somebody who
/// was away can say which one was the last that arrived.
///
/// ```
/// use ricochet_rooms::{Options, Room, Time};
/// let (room, opened) = Room::open(Options::default(), 1, Time(5))?;
/// assert_eq!((opened.number, opened.at, room.version()), (1, Time(5), 1));
/// # Ok::<(), ricochet_rooms::BadOptions>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Numbered {
    /// Its number.
    pub number: u64,
    /// When it happened.
    pub at: Time,
    /// What happened.
    #[serde(flatten)]
    pub event: Event,
}

impl Numbered {
    /// What one viewer may see of it; `None` is a spectator. Everything else is left out.
    ///
    /// ```
    /// use ricochet_rooms::{Event, Options, Room, Time};
    /// let (_, opened) = Room::open(Options::default(), 42, Time(0))?;
    /// assert!(matches!(opened.event, Event::Opened { seed: Some(42), .. }));
    /// assert!(matches!(opened.seen_by(None).event, Event::Opened { seed: None, .. }));
    /// # Ok::<(), ricochet_rooms::BadOptions>(())
    /// ```
    #[must_use]
    pub fn seen_by(&self, viewer: Option<PlayerId>) -> Self {
        let mut seen = self.clone();
        match &mut seen.event {
            // The seed decides about all chips to come.
            Event::Opened { seed, .. } => *seed = None,
            Event::GameStarted { stack, .. }
            | Event::ChipReturned { stack }
            | Event::StackRefilled { stack } => *stack = None,
            Event::RoundStarted { optimum, .. } => *optimum = None,
            Event::Submitted { length, moves, .. }
                if viewer.is_none() || viewer != self.sees_more() =>
            {
                *length = None;
                *moves = None;
            }
            _ => {}
        }
        seen
    }

    /// The one player who sees more of it than everybody else, if there is one.
    ///
    /// ```
    /// use ricochet_rooms::{Event, Numbered, PlayerId, Time};
    /// let player = PlayerId(1);
    /// let event = Event::Submitted { player, length: Some(0), moves: Some(vec![]) };
    /// let handed_in = Numbered { number: 9, at: Time(0), event };
    /// assert_eq!(handed_in.sees_more(), Some(player));
    /// ```
    pub const fn sees_more(&self) -> Option<PlayerId> {
        match &self.event {
            Event::Submitted { player, .. } => Some(*player),
            _ => None,
        }
    }
}

/// Something that has happened. Fields that only the room itself knows until the end of a round or
/// game are options, and [`Numbered::seen_by`] takes them away.
///
/// ```
/// use ricochet_rooms::{Event, PlayerId};
/// let event = Event::Dropped { player: PlayerId(2) };
/// assert_eq!(serde_json::to_string(&event)?, r#"{"event":"dropped","player":2}"#);
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "kebab-case")]
pub enum Event {
    /// The room exists. Always the first.
    Opened {
        /// What it plays.
        options: Options,
        /// From which all chance is drawn. Hidden.
        seed: Option<u64>,
    },
    /// Somebody has taken a seat.
    Joined {
        /// Who.
        player: PlayerId,
        /// The name, cleaned.
        name: String,
        /// Whether it is a program.
        bot: bool,
        /// The team.
        team: Option<u8>,
    },
    /// A player's connection is gone.
    Dropped {
        /// Who.
        player: PlayerId,
    },
    /// A player is back.
    Returned {
        /// Who.
        player: PlayerId,
    },
    /// A player has no seat any more.
    Left {
        /// Who.
        player: PlayerId,
        /// Whether the host took it.
        removed: bool,
    },
    /// There is a new host.
    HostChanged {
        /// Who; nobody if nobody is there.
        player: Option<PlayerId>,
    },
    /// The host has silenced somebody, or lets them speak again.
    Muted {
        /// Who may not speak.
        player: PlayerId,
        /// Silenced, or not any more.
        yes: bool,
    },
    /// The host has changed what the room plays.
    OptionsChanged {
        /// All options, also those that stay.
        options: Options,
        /// Everybody's team from now on.
        teams: Vec<Member>,
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
        /// The order of the chips: numbers of the board's targets, the next one last. Hidden.
        stack: Option<Vec<u8>>,
        /// How many chips there are.
        chips: u32,
        /// The chips that end the game, if a number of chips does.
        chips_to_win: Option<u32>,
    },
    /// The stack was empty, and the chips that were won are in it again.
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
        /// Number of the board's target.
        target: u8,
        /// Chips left in the stack.
        left: u32,
        /// When the round ends, where that is known from the beginning.
        until: Option<Time>,
        /// A shortest solution. Hidden until the round ends.
        #[serde(with = "optional_moves")]
        optimum: Option<Vec<Move>>,
    },
    /// A target that no robot can reach is out of the game.
    ChipDiscarded {
        /// Number of the board's target.
        target: u8,
    },
    /// Somebody has bid.
    Bid {
        /// Who.
        player: PlayerId,
        /// How many moves.
        moves: u32,
        /// When the sand will have run out.
        until: Time,
    },
    /// Somebody has handed in a solution.
    Submitted {
        /// Who.
        player: PlayerId,
        /// Its length. Hidden from the others.
        length: Option<u32>,
        /// The moves. Hidden from the others.
        #[serde(with = "optional_moves")]
        moves: Option<Vec<Move>>,
    },
    /// The sand runs.
    SandStarted {
        /// When it will have run out.
        until: Time,
    },
    /// Somebody votes to end the round, or takes the vote back.
    SkipVoted {
        /// Who.
        player: PlayerId,
        /// Yes, or taken back.
        yes: bool,
    },
    /// It is somebody's turn to show. The robots are where they were when the round began.
    ShowStarted {
        /// Who.
        player: PlayerId,
        /// In at most so many moves.
        bid: u32,
        /// Until when.
        until: Time,
    },
    /// A move of the one who shows.
    Shown {
        /// Who.
        player: PlayerId,
        /// The move.
        #[serde(with = "one_move")]
        play: Move,
    },
    /// The one who shows has failed.
    ShowFailed {
        /// Who.
        player: PlayerId,
        /// Why.
        reason: ShowFailure,
    },
    /// The chip goes back into the stack.
    ChipReturned {
        /// The order of the chips after it. Hidden.
        stack: Option<Vec<u8>>,
    },
    /// A round is over.
    RoundEnded {
        /// How.
        result: RoundResult,
        /// Where the robots stand now.
        #[serde(with = "cells_as_pairs")]
        robots: Vec<Cell>,
        /// A shortest solution, if it is known and the chip does not come again at once.
        #[serde(with = "optional_moves")]
        optimum: Option<Vec<Move>>,
        /// Everybody's part in it.
        review: Vec<Review>,
        /// When the next round may begin, unless the game ends now.
        next_at: Time,
    },
    /// Somebody wants the next round at once, or does not any more.
    NextVoted {
        /// Who.
        player: PlayerId,
        /// Yes, or taken back.
        yes: bool,
    },
    /// The pause between two rounds is over before its time.
    PauseEnded,
    /// The game is over.
    GameEnded {
        /// Everybody, the winner first; players of one team stand together.
        standings: Vec<Standing>,
    },
    /// A line of chat.
    Said {
        /// Who.
        player: PlayerId,
        /// What.
        text: String,
    },
}

/// Why a show failed.
///
/// ```
/// use ricochet_rooms::ShowFailure;
/// assert_eq!(serde_json::to_string(&ShowFailure::TooManyMoves)?, r#""too-many-moves""#);
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ShowFailure {
    /// All moves of the bid are played, and the target is not reached.
    TooManyMoves,
    /// The time is over.
    Time,
    /// The player gave up.
    GaveUp,
    /// The player has left.
    Left,
}

/// How a round ended.
///
/// ```
/// use ricochet_rooms::{PlayerId, RoundResult};
/// let won = RoundResult::Won { player: PlayerId(1), moves: vec!["RN".parse()?] };
/// assert_eq!(won.winner(), Some(PlayerId(1)));
/// # Ok::<(), ricochet_core::ParseMoveError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "how", rename_all = "kebab-case")]
pub enum RoundResult {
    /// Somebody has the chip.
    Won {
        /// Who.
        player: PlayerId,
        /// How.
        #[serde(with = "some_moves")]
        moves: Vec<Move>,
    },
    /// All who bid failed: the chip is in the stack again.
    AllFailed,
    /// Nobody wanted it: the chip is out of the game, since everybody has seen the solution.
    Skipped,
}

impl RoundResult {
    /// Who has the chip.
    ///
    /// ```
    /// assert_eq!(ricochet_rooms::RoundResult::Skipped.winner(), None);
    /// ```
    pub const fn winner(&self) -> Option<PlayerId> {
        match self {
            Self::Won { player, .. } => Some(*player),
            Self::AllFailed | Self::Skipped => None,
        }
    }
}

/// One player's part in a round that is over.
///
/// ```
/// use ricochet_rooms::{PlayerId, Review};
/// let review = Review { player: PlayerId(1), first_ms: Some(900), last_ms: Some(900), best: Some(5), saw_it: true };
/// assert!(serde_json::to_string(&review)?.contains(r#""saw_it":true"#));
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Review {
    /// Who.
    pub player: PlayerId,
    /// Milliseconds from the beginning of the round to the first bid or solution.
    pub first_ms: Option<u64>,
    /// Milliseconds to the last one.
    pub last_ms: Option<u64>,
    /// The lowest bid or the length of the shortest solution.
    pub best: Option<u32>,
    /// Whether that is the optimum (and, of a bid that was shown, did not fail).
    pub saw_it: bool,
}

/// Whose team is which.
///
/// ```
/// use ricochet_rooms::{Member, PlayerId};
/// let member = Member { player: PlayerId(2), team: Some(0) };
/// assert_eq!(serde_json::to_string(&member)?, r#"{"player":2,"team":0}"#);
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Member {
    /// Who.
    pub player: PlayerId,
    /// The team, where there are teams.
    pub team: Option<u8>,
}

/// A line of a game's result.
///
/// ```
/// use ricochet_rooms::{PlayerId, Standing};
/// let standing = Standing { place: 1, player: PlayerId(2), name: "Ada".into(), team: None, chips: 5, score: 5 };
/// assert_eq!(standing.place, 1);
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Standing {
    /// From 1; equal scores share a place.
    pub place: u32,
    /// Who.
    pub player: PlayerId,
    /// The name, since the player may have left.
    pub name: String,
    /// The team.
    pub team: Option<u8>,
    /// The player's own chips.
    pub chips: u32,
    /// What counts: the player's chips, or those of the team.
    pub score: u32,
}

/// Moves as `"RN"`.
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

/// The same, or null.
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
