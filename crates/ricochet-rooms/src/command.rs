//! Commands to a room, and why it may refuse them.

use std::fmt;

use ricochet_core::{Move, Solution};
use serde::{Deserialize, Serialize};

use crate::options::Options;
use crate::player::{PHRASES, PlayerId};

/// The largest bid, and the longest solution that can be handed in.
pub const MAX_MOVES: u32 = 99;

/// A command to a room. The caller, who knows the players' tokens, checks who may send it for which
/// player.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// A player takes a seat.
    Join {
        /// The requested name; it is cleaned, and numbered if it is taken.
        name: String,
        /// Whether the player is a program.
        bot: bool,
        /// How well the program plays; ignored for people and unless it is one of
        /// [`LEVELS`](crate::LEVELS).
        level: Option<u8>,
        /// The requested team; the smallest one by default.
        team: Option<u8>,
    },
    /// A player's last connection is gone. The player keeps the seat.
    Drop {
        /// The player.
        player: PlayerId,
    },
    /// A player is back.
    Return {
        /// The player.
        player: PlayerId,
    },
    /// A player gives up the seat.
    Leave {
        /// The player.
        player: PlayerId,
    },
    /// The host removes a player.
    Remove {
        /// The host.
        player: PlayerId,
        /// The player to remove.
        other: PlayerId,
    },
    /// The host mutes or unmutes a player.
    Mute {
        /// The host.
        player: PlayerId,
        /// The player to mute or unmute.
        other: PlayerId,
        /// Whether to mute.
        yes: bool,
    },
    /// The host makes another player the host.
    HandOver {
        /// The host.
        player: PlayerId,
        /// The new host.
        other: PlayerId,
    },
    /// The host changes the options between two games.
    ChangeOptions {
        /// The host.
        player: PlayerId,
        /// All options, including unchanged ones.
        options: Box<Options>,
    },
    /// The host starts a game, or the next one.
    Start {
        /// The host.
        player: PlayerId,
    },
    /// The solver's answer for the round that [`Room::to_prepare`](crate::Room::to_prepare) asked
    /// about.
    Prepared {
        /// The round.
        round: u32,
        /// The solver's answer.
        optimum: Optimum,
    },
    /// A bid.
    Bid {
        /// The player.
        player: PlayerId,
        /// The number of moves.
        moves: u32,
    },
    /// A hidden solution, in games without bids.
    Submit {
        /// The player.
        player: PlayerId,
        /// The moves.
        moves: Vec<Move>,
    },
    /// A vote to end a round early: one without bids, or one played with hidden solutions.
    Skip {
        /// The player.
        player: PlayerId,
        /// `false` takes the vote back.
        yes: bool,
    },
    /// A vote to begin the next round at once instead of after the pause. The host's vote decides
    /// alone.
    Next {
        /// The player.
        player: PlayerId,
        /// `false` takes the vote back.
        yes: bool,
    },
    /// The next move of the player whose turn it is to show.
    Show {
        /// The player.
        player: PlayerId,
        /// The move.
        play: Move,
    },
    /// The player whose turn it is to show gives up.
    GiveUp {
        /// The player.
        player: PlayerId,
    },
    /// A line of chat.
    Say {
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
    /// Nothing but the time has changed.
    Tick,
}

/// What a solver found out about a round before it begins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Optimum {
    /// A shortest solution.
    Solved(Solution),
    /// There is no solution: another chip is turned up.
    Unsolvable,
    /// The solver ran out of time. The round is played anyway.
    Unknown,
}

impl Command {
    /// A person who joins without choosing a team.
    pub fn join(name: impl Into<String>) -> Self {
        Self::Join {
            name: name.into(),
            bot: false,
            level: None,
            team: None,
        }
    }

    /// The player who sends the command, if any.
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
            | Self::Say { player, .. }
            | Self::Phrase { player, .. } => Some(*player),
        }
    }
}

/// Why a room refused a command. Only what was due anyway has happened.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "refusal", rename_all = "kebab-case")]
pub enum Refusal {
    /// No player has that number.
    NoSuchPlayer,
    /// All seats are taken.
    Full,
    /// The name has no visible character.
    NoName,
    /// The room has no such team.
    NoSuchTeam,
    /// Only the host may do that.
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
    /// No round is open for bids, or its timer has run out.
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
        /// The length of the player's solution.
        yours: u32,
    },
    /// The moves do not solve the puzzle.
    NotASolution {
        /// Why.
        reason: String,
    },
    /// A player has bid, so the round cannot be skipped.
    BidOn,
    /// It is not the player's turn to show.
    NotYourTurn,
    /// The move is impossible. It does not count.
    IllegalMove {
        /// Why.
        reason: String,
    },
    /// It is not the round that is being prepared.
    NotPreparing,
    /// Chat is off, or the line is empty.
    NoChat,
    /// Only quick phrases are allowed.
    QuickOnly,
    /// No quick phrase has that number.
    NoSuchPhrase,
    /// The host has muted the player.
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
            Self::QuickOnly => f.write_str("only quick phrases are allowed in this room"),
            Self::NoSuchPhrase => {
                write!(f, "a phrase is a number from 1 to {}", PHRASES.len())
            }
            Self::NoChat => f.write_str("nothing to say, or chat is off in this room"),
        }
    }
}

impl std::error::Error for Refusal {}
