//! Ricochet Robots for several players, by the printed rules: all look at one board and bid how
//! many moves they need, a timer runs, and the lowest bidder shows the solution.
//!
//! A [`Room`] is a state machine without a clock, connections or a solver: commands and the time go
//! in, numbered events come out. The caller writes the events to a log, sends each player what that
//! player may see ([`LogEntry::seen_by`]), calls [`Room::handle`] when [`Room::deadline`] has come,
//! and solves the next round when [`Room::to_prepare`] asks for it. [`Room::replay`] rebuilds a room
//! from its log.
//!
//! # A round
//!
//! ```
//! use ricochet_rooms::{Command, Event, Options, PlayerId, Optimum, Room, Time};
//!
//! let (mut room, opened) = Room::open(Options::default(), 7, Time(0))?;
//! let mut log = vec![opened];
//! let (ada, ben) = (PlayerId(1), PlayerId(2));
//! for command in [
//!     Command::join("Ada"),
//!     Command::join("Ben"),
//!     Command::Start { player: ada },
//!     Command::Prepared { round: 1, optimum: Optimum::Unknown },
//!     Command::Bid { player: ben, moves: 9 },
//!     Command::Bid { player: ada, moves: 7 },
//! ] {
//!     let reply = room.handle(Time(1_000), command);
//!     assert_eq!(reply.refusal, None);
//!     log.extend(reply.events);
//! }
//!
//! // Ben's bid started the sand timer. When it has run out, Ada shows, since her bid is lower.
//! let sand = room.deadline().unwrap();
//! assert_eq!(sand, Time(61_000));
//! let reply = room.handle(sand, Command::Tick);
//! assert!(matches!(reply.events[0].event, Event::ShowStarted { player, bid: 7, .. } if player == ada));
//! log.extend(reply.events);
//!
//! assert_eq!(Room::replay(log)?, room);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # The rules
//!
//! - The first bid starts the sand timer; later bids do not restart it. A player may bid again, but
//!   only lower; the new bid replaces the old one.
//! - When the timer has run out, the lowest bidder shows; among equal bids the player with fewer
//!   chips, then the one who bid first ([`TieBreak`]). A show succeeds if it reaches the target
//!   within the bid. A move that goes nowhere is refused and does not count.
//! - Success: the player wins the chip, and the robots stay where they are. Failure (too many moves,
//!   time, giving up, leaving): the robots go back, and the next bidder shows. If all fail, the chip
//!   goes back into the stack, but not on top of it.
//! - A round without bids ends when all connected players vote for it. Its chip is out of the game,
//!   since the solution is shown.
//! - A chip whose robot already stands on its target is postponed.
//! - The next round begins after a pause, or as soon as the host or all connected players want it.
//! - An automatic room has no host: a game starts when a player is there and 20 s after the last one,
//!   a round without bids ends after a while, and nothing begins while nobody is connected. Absent
//!   people lose their seats when a game starts, or when somebody needs them.
//! - Between two games the host may change all options except the spectators' delay. If the number
//!   of teams changes, players whose team still exists stay in it.

mod bot;
mod command;
mod command_handler;
mod event;
mod options;
mod player;
mod room;
mod round;
mod time;
mod view;

pub use bot::{BotDecision, BotStrategy, LEVELS};
pub use command::{Command, MAX_MOVES, Optimum, Refusal};
pub use event::{Event, LogEntry, Review, RoundResult, ShowFailure, Standing, TeamMember};
pub use options::{Chat, GameLength, Options, OptionsError, Style, TieBreak};
pub use player::{MAX_CHAT, MAX_NAME, PHRASES, Player, PlayerId, clean_name};
pub use room::{LogError, Reply, Room};
pub use time::Time;
pub use view::{GameView, PauseView, RoomView, RoundView, ShowView, StakeView};
