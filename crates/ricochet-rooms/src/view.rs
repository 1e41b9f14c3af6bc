//! A room as somebody sees it who has just come in.

use ricochet_core::{Cell, Move, Solution, notation};
use serde::Serialize;

use crate::event::cells_as_pairs;
use crate::options::Options;
use crate::player::{Player, PlayerId};
use crate::room::{Phase, Room};
use crate::round::Round;
use crate::time::Time;

/// Everything that one viewer may know of a room.
///
/// ```
/// use ricochet_rooms::{Command, Options, PlayerId, Room, Time};
/// let (mut room, _) = Room::open(Options::default(), 1, Time(0))?;
/// room.handle(Time(1), Command::join("Ada"));
/// let view = room.view(Some(PlayerId(1)));
/// assert_eq!((view.version, view.phase, view.host), (3, "lobby", Some(PlayerId(1))));
/// # Ok::<(), ricochet_rooms::BadOptions>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct RoomView {
    /// The number of the last event that is in it.
    pub version: u64,
    /// What the room plays.
    pub options: Options,
    /// Everybody with a seat.
    pub players: Vec<Player>,
    /// The host.
    pub host: Option<PlayerId>,
    /// `lobby`, `pause`, `thinking`, `showing` or `over`.
    pub phase: &'static str,
    /// The game, if one has begun.
    pub game: Option<GameView>,
    /// The round, if one is being played.
    pub round: Option<RoundView>,
    /// The show, if somebody shows.
    pub show: Option<ShowView>,
    /// The pause, if there is one before the next round.
    pub pause: Option<PauseView>,
}

/// What is seen of the pause before a round.
///
/// ```
/// use ricochet_rooms::{Command, Options, PlayerId, Room, Time};
/// let (mut room, _) = Room::open(Options::default(), 1, Time(0))?;
/// room.handle(Time(1), Command::join("Ada"));
/// room.handle(Time(2), Command::Start { player: PlayerId(1) });
/// let pause = room.view(None).pause.unwrap();
/// assert_eq!((pause.next_at, pause.votes), (Time(2), vec![]), "no pause before the first round");
/// # Ok::<(), ricochet_rooms::BadOptions>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PauseView {
    /// The next round begins then, or a little later if it has not been solved until then.
    pub next_at: Time,
    /// Who wants it at once.
    pub votes: Vec<PlayerId>,
}

/// What is seen of a game.
///
/// ```
/// use ricochet_rooms::{Command, Options, PlayerId, Room, Time};
/// let (mut room, _) = Room::open(Options::default(), 1, Time(0))?;
/// room.handle(Time(1), Command::join("Ada"));
/// room.handle(Time(2), Command::Start { player: PlayerId(1) });
/// let game = room.view(None).game.unwrap();
/// assert_eq!((game.number, game.chips_left, game.robots.len()), (1, 17, 4));
/// # Ok::<(), ricochet_rooms::BadOptions>(())
/// ```
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
    /// The chips that end the game, if a number of chips does.
    pub chips_to_win: Option<u32>,
    /// Rounds that have begun.
    pub rounds: u32,
}

/// What is seen of a round.
///
/// ```
/// use ricochet_rooms::{Command, Options, PlayerId, Prepared, Room, Time};
/// let (mut room, _) = Room::open(Options::default(), 1, Time(0))?;
/// room.handle(Time(1), Command::join("Ada"));
/// room.handle(Time(2), Command::Start { player: PlayerId(1) });
/// room.handle(Time(3), Command::Prepared { round: 1, optimum: Prepared::Unknown });
/// room.handle(Time(4), Command::Bid { player: PlayerId(1), moves: 9 });
/// let round = room.view(None).round.unwrap();
/// assert_eq!(round.until, Some(Time(60_004)));
/// assert_eq!(round.stakes[0].length, Some(9));
/// # Ok::<(), ricochet_rooms::BadOptions>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct RoundView {
    /// Its number in the game, from 1.
    pub number: u32,
    /// The position in one-line notation.
    pub puzzle: String,
    /// Number of the board's target.
    pub target: u8,
    /// When it began.
    pub since: Time,
    /// When the sand will have run out, if it runs.
    pub until: Option<Time>,
    /// Bids, or who has handed in a solution, the latest last.
    pub stakes: Vec<StakeView>,
    /// Who wants to end it.
    pub skip_votes: Vec<PlayerId>,
}

/// What is seen of a bid or a hidden solution.
///
/// ```
/// use ricochet_rooms::{PlayerId, StakeView};
/// let hidden = StakeView { player: PlayerId(1), length: None, moves: None };
/// assert_eq!(serde_json::to_string(&hidden)?, r#"{"player":1,"length":null,"moves":null}"#);
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct StakeView {
    /// Whose.
    pub player: PlayerId,
    /// The bid, or the length of one's own solution.
    pub length: Option<u32>,
    /// One's own solution.
    pub moves: Option<String>,
}

/// What is seen of a show.
///
/// ```
/// use ricochet_rooms::{PlayerId, ShowView, Time};
/// let show = ShowView { player: PlayerId(1), bid: 3, moves: "RN".into(), until: Time(9) };
/// assert_eq!(show.moves, "RN");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ShowView {
    /// Who shows.
    pub player: PlayerId,
    /// In at most so many moves.
    pub bid: u32,
    /// The moves so far.
    pub moves: String,
    /// Until when.
    pub until: Time,
}

impl Room {
    /// The room as one viewer may see it; `None` is a spectator.
    ///
    /// ```
    /// use ricochet_rooms::{Options, Room, Time};
    /// let (room, _) = Room::open(Options::default(), 1, Time(0))?;
    /// assert_eq!(room.view(None).version, room.version());
    /// # Ok::<(), ricochet_rooms::BadOptions>(())
    /// ```
    pub fn view(&self, viewer: Option<PlayerId>) -> RoomView {
        let (phase, round, show) = match &self.phase {
            Phase::Lobby => ("lobby", None, None),
            Phase::Preparing { .. } => ("pause", None, None),
            Phase::Thinking(round) => ("thinking", Some(round), None),
            Phase::Showing { round, show, .. } => ("showing", Some(round), show.as_ref()),
            Phase::Over => ("over", None, None),
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
