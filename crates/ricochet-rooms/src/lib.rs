//! Ricochet Robots for several players, by the printed rules: all look at one board and bid how
//! many moves they need, a timer runs, and the lowest bidder shows the moves.
//!
//! A [`Room`] is a state machine. It has no clock, no connections and no solver: commands and the
//! time go in, numbered events come out. Whoever drives it writes the events to a log, sends each
//! player what that player may see ([`Numbered::seen_by`]), calls [`Room::handle`] when
//! [`Room::deadline`] has come, and has the next round solved when [`Room::to_prepare`] asks for it.
//! [`Room::replay`] makes the same room from the log again.
//!
//! # A round
//!
//! ```
//! use ricochet_rooms::{Command, Event, Options, PlayerId, Prepared, Room, Time};
//!
//! let (mut room, opened) = Room::open(Options::default(), 7, Time(0))?;
//! let mut log = vec![opened];
//! let (ada, ben) = (PlayerId(1), PlayerId(2));
//! for command in [
//!     Command::join("Ada"),
//!     Command::join("Ben"),
//!     Command::Start { player: ada },
//!     Command::Prepared { round: 1, optimum: Prepared::Unknown },
//!     Command::Bid { player: ben, moves: 9 },
//!     Command::Bid { player: ada, moves: 7 },
//! ] {
//!     let reply = room.handle(Time(1_000), command);
//!     assert_eq!(reply.refusal, None);
//!     log.extend(reply.events);
//! }
//!
//! // Ben's bid started the sand. When it has run out, Ada shows, since her bid is lower.
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
//! - The first bid starts the sand; later bids do not start it again. A player may bid again, only
//!   lower; the new bid replaces the old one.
//! - When the sand has run out, the lowest bid shows; of equal bids the player with fewer chips,
//!   then the one who bid first ([`Ties`]). A show succeeds when the target is reached within the
//!   bid. A move that goes nowhere is refused and does not count.
//! - Success: the chip is won, and the robots stay where they are. Failure (too many moves, time,
//!   giving up, leaving): the robots go back, and the next bid shows. If all fail, the chip goes back
//!   into the stack, but not on top of it.
//! - A round that nobody has bid on ends when everybody who is there votes for it. Its chip is out
//!   of the game, since everybody sees the solution then.
//! - A chip whose robot stands on its target already waits for later.
//! - The next round comes after a pause, or as soon as the host or everybody who is there says so.
//! - Between two games the host may change the options, all but the spectators' delay. Where the number of teams
//!   changes, everybody whose team is still there stays in it.

mod command;
mod decide;
mod event;
mod options;
mod player;
mod room;
mod round;
mod time;
mod view;

pub use command::{Command, MAX_MOVES, Prepared, Refusal};
pub use event::{Event, Member, Numbered, Review, RoundResult, ShowFailure, Standing};
pub use options::{BadOptions, Length, Options, Style, Ties};
pub use player::{MAX_CHAT, MAX_NAME, Player, PlayerId, clean_name};
pub use room::{BadLog, Reply, Room};
pub use time::Time;
pub use view::{GameView, PauseView, RoomView, RoundView, ShowView, StakeView};
