//! What can be asked of a room, and why it may refuse.

use std::fmt;

use ricochet_core::{Move, Solution};
use serde::{Deserialize, Serialize};

use crate::options::Options;
use crate::player::PlayerId;

/// The largest bid, and the longest solution that can be handed in.
pub const MAX_MOVES: u32 = 99;

/// Something that happens to a room from outside. Who may say it in whose name is the business of
/// the caller, who knows the players' tokens.
///
/// ```
/// use ricochet_rooms::{Command, PlayerId};
/// let bid = Command::Bid { player: PlayerId(1), moves: 7 };
/// assert_eq!(bid.player(), Some(PlayerId(1)));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// Somebody takes a seat.
    Join {
        /// The wished name; it is cleaned, and numbered if it is taken.
        name: String,
        /// Whether it is a program.
        bot: bool,
        /// The wished team; the smallest one by default.
        team: Option<u8>,
    },
    /// The last connection of a player is gone. The seat stays.
    Drop {
        /// Who.
        player: PlayerId,
    },
    /// A player is back.
    Return {
        /// Who.
        player: PlayerId,
    },
    /// A player gives up the seat.
    Leave {
        /// Who.
        player: PlayerId,
    },
    /// The host takes somebody's seat away.
    Remove {
        /// The host.
        player: PlayerId,
        /// Who has to go.
        other: PlayerId,
    },
    /// The host silences somebody, or lets them speak again.
    Mute {
        /// The host.
        player: PlayerId,
        /// Who is meant.
        other: PlayerId,
        /// Silenced, or not any more.
        yes: bool,
    },
    /// The host makes somebody else the host.
    HandOver {
        /// The host.
        player: PlayerId,
        /// Who is meant.
        other: PlayerId,
    },
    /// The host changes what the room plays, between two games.
    ChangeOptions {
        /// The host.
        player: PlayerId,
        /// All options, also those that stay.
        options: Box<Options>,
    },
    /// The host starts a game, or the next one.
    Start {
        /// The host.
        player: PlayerId,
    },
    /// What a solver found out about the round that is being prepared; see
    /// [`Room::to_prepare`](crate::Room::to_prepare).
    Prepared {
        /// The round.
        round: u32,
        /// What is known.
        optimum: Prepared,
    },
    /// A bid.
    Bid {
        /// Who.
        player: PlayerId,
        /// How many moves.
        moves: u32,
    },
    /// A solution, where they are handed in secretly.
    Submit {
        /// Who.
        player: PlayerId,
        /// The moves.
        moves: Vec<Move>,
    },
    /// A vote to end a round early: one that nobody has bid on, or one that is played in secret.
    Skip {
        /// Who.
        player: PlayerId,
        /// Yes, or taken back.
        yes: bool,
    },
    /// The next round at once, instead of after the pause: the host's word, or everybody's votes.
    Next {
        /// Who.
        player: PlayerId,
        /// Yes, or taken back.
        yes: bool,
    },
    /// The next move of the player whose turn it is to show.
    Show {
        /// Who.
        player: PlayerId,
        /// The move.
        play: Move,
    },
    /// The player whose turn it is to show cannot.
    GiveUp {
        /// Who.
        player: PlayerId,
    },
    /// A line of chat.
    Say {
        /// Who.
        player: PlayerId,
        /// What.
        text: String,
    },
    /// Nothing but the time has changed.
    Tick,
}

/// What a solver found out about a round before it began.
///
/// ```
/// use ricochet_rooms::Prepared;
/// assert_ne!(Prepared::Unknown, Prepared::Unsolvable);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Prepared {
    /// A shortest solution.
    Solved(Solution),
    /// There is none: another chip is turned up.
    Unsolvable,
    /// Not known in the time there was. The round is played all the same.
    Unknown,
}

impl Command {
    /// A person who joins, without wishes.
    ///
    /// ```
    /// use ricochet_rooms::Command;
    /// assert!(matches!(Command::join("Ada"), Command::Join { bot: false, team: None, .. }));
    /// ```
    pub fn join(name: impl Into<String>) -> Self {
        Self::Join {
            name: name.into(),
            bot: false,
            team: None,
        }
    }

    /// The player in whose name it is said, if any.
    ///
    /// ```
    /// assert_eq!(ricochet_rooms::Command::Tick.player(), None);
    /// ```
    pub const fn player(&self) -> Option<PlayerId> {
        match self {
            Self::Join { .. } | Self::Prepared { .. } | Self::Tick => None,
            Self::Drop { player }
            | Self::Return { player }
            | Self::Leave { player }
            | Self::Remove { player, .. }
            | Self::Mute { player, .. }
            | Self::HandOver { player, .. }
            | Self::ChangeOptions { player, .. }
            | Self::Start { player }
            | Self::Bid { player, .. }
            | Self::Submit { player, .. }
            | Self::Skip { player, .. }
            | Self::Next { player, .. }
            | Self::Show { player, .. }
            | Self::GiveUp { player }
            | Self::Say { player, .. } => Some(*player),
        }
    }
}

/// Why a room did not do what was asked. Nothing has changed then, but for what the time brought.
///
/// ```
/// use ricochet_rooms::{Command, Options, PlayerId, Refusal, Room, Time};
/// let (mut room, _) = Room::open(Options::default(), 1, Time(0))?;
/// let reply = room.handle(Time(1), Command::Bid { player: PlayerId(1), moves: 3 });
/// assert_eq!(reply.refusal, Some(Refusal::NoSuchPlayer));
/// # Ok::<(), ricochet_rooms::BadOptions>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "refusal", rename_all = "kebab-case")]
pub enum Refusal {
    /// Nobody here has that number.
    NoSuchPlayer,
    /// All seats are taken.
    Full,
    /// Nothing is left of the name.
    NoName,
    /// The room has no such team.
    NoSuchTeam,
    /// Only the host may.
    HostOnly,
    /// A game is being played.
    GameIsOn,
    /// The room cannot be played with these options.
    BadOptions {
        /// What is wrong with them.
        reason: String,
    },
    /// There is no pause between two rounds.
    NotPaused,
    /// There is no round to bid on, or none any more: the sand has run out.
    NotThinking,
    /// This room is not played with bids.
    NoBids,
    /// This room is played with bids.
    BidsOnly,
    /// A bid below 1 or above [`MAX_MOVES`].
    BidOutOfRange,
    /// A bid that is not lower than the player's own.
    NotLower {
        /// The player's bid.
        yours: u32,
    },
    /// A solution that is not better than the player's own.
    NotShorter {
        /// Its length.
        yours: u32,
    },
    /// The moves do not solve the puzzle.
    NotASolution {
        /// Why.
        reason: String,
    },
    /// Somebody has bid, so the round is not skipped.
    BidOn,
    /// Somebody else shows, or nobody.
    NotYourTurn,
    /// The move goes nowhere. It does not count.
    IllegalMove {
        /// Why.
        reason: String,
    },
    /// Not the round that is being prepared.
    NotPreparing,
    /// Chat is off, or the line is empty.
    NoChat,
    /// The host has silenced the player.
    Muted,
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoSuchPlayer => f.write_str("there is no such player in this room"),
            Self::Full => f.write_str("all seats are taken"),
            Self::NoName => f.write_str("a name needs at least one visible character"),
            Self::NoSuchTeam => f.write_str("this room has no such team"),
            Self::HostOnly => f.write_str("only the host can do that"),
            Self::GameIsOn => f.write_str("a game is being played"),
            Self::NotThinking => f.write_str("no round is open for bids and solutions now"),
            Self::NoBids => f.write_str("this room is played with hidden solutions, not with bids"),
            Self::BidsOnly => f.write_str("this room is played with bids"),
            Self::BidOutOfRange => write!(f, "a bid is a number from 1 to {MAX_MOVES}"),
            Self::NotLower { yours } => {
                write!(f, "your bid is {yours}; a new one has to be lower")
            }
            Self::NotShorter { yours } => write!(
                f,
                "you have handed in {yours} moves; a new solution has to be shorter"
            ),
            Self::NotPaused => f.write_str("there is no pause between two rounds now"),
            Self::BadOptions { reason }
            | Self::NotASolution { reason }
            | Self::IllegalMove { reason } => f.write_str(reason),
            Self::BidOn => f.write_str("somebody has bid, so the round is played"),
            Self::NotYourTurn => f.write_str("it is not your turn to show"),
            Self::NotPreparing => f.write_str("that round is not being prepared"),
            Self::Muted => f.write_str("the host has silenced you"),
            Self::NoChat => f.write_str("nothing to say, or chat is off in this room"),
        }
    }
}

impl std::error::Error for Refusal {}
