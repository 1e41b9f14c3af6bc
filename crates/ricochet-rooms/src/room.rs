//! The state of a room, and how events change it.

use std::sync::Arc;

use ricochet_core::quadrants::Layout;
use ricochet_core::rng::Rng;
use ricochet_core::{Board, Cell, Goal, Puzzle, Rules, notation};

use crate::command::{Optimum, Refusal};
use crate::event::{Event, LogEntry};
use crate::options::{Options, OptionsError};
use crate::player::{Player, PlayerId};
use crate::round::{Round, Show, Stake};
use crate::time::Time;

/// A game that is being played, or the last one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Game {
    pub(crate) number: u32,
    pub(crate) layout: String,
    pub(crate) board: Arc<Board>,
    pub(crate) robots: Vec<Cell>,
    /// Numbers of the board's targets; the next one is the last.
    pub(crate) stack: Vec<u8>,
    pub(crate) chips_to_win: Option<u32>,
    /// Rounds that have begun.
    pub(crate) rounds: u32,
}

/// What a room is waiting for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Phase {
    /// The host has to start.
    Lobby,
    /// The pause has to end, and a solver has to answer.
    Preparing {
        not_before: Time,
        /// The solver's answer. It is not in the log: after a restart the solver is asked again.
        prepared: Option<Optimum>,
        /// Players who vote for the next round at once.
        votes: Vec<PlayerId>,
    },
    /// Players think and bid, or hand in solutions.
    Thinking(Round),
    /// A player shows a solution.
    Showing {
        round: Round,
        show: Option<Show>,
        /// Players who have failed in this round.
        failed: Vec<PlayerId>,
    },
    /// The game is over; the host may start the next one.
    Over { since: Time },
}

/// How long the standings of an automatic room are shown before the next game, in milliseconds.
const BETWEEN_GAMES_MS: u64 = 20_000;

impl Phase {
    /// The phase before a round that has not been solved and must not begin before a time.
    const fn waiting(not_before: Time) -> Self {
        Self::Preparing {
            not_before,
            prepared: None,
            votes: Vec::new(),
        }
    }
}

/// Several players at one board. See the [crate's documentation](crate) for an example.
///
/// A room has no clock and no connections. [`Room::handle`] takes a command and the time, and
/// returns the resulting events; [`Room::deadline`] says when the room needs to be called next.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Room {
    pub(crate) options: Options,
    pub(crate) seed: u64,
    pub(crate) version: u64,
    pub(crate) now: Time,
    pub(crate) players: Vec<Player>,
    pub(crate) host: Option<PlayerId>,
    pub(crate) next_player: u32,
    pub(crate) game: Option<Game>,
    pub(crate) phase: Phase,
}

/// The outcome of a command.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Reply {
    /// What happened, in order: first what was due by the time, then what the command did. Write
    /// these to the log before anyone sees them.
    pub events: Vec<LogEntry>,
    /// Why the command was not carried out.
    pub refusal: Option<Refusal>,
}

/// Why a log cannot be replayed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LogError {
    /// The number of the event that is missing or does not fit.
    pub number: u64,
}

impl std::fmt::Display for LogError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "event {} of the log is missing or damaged", self.number)
    }
}

impl std::error::Error for LogError {}

impl Room {
    /// Opens a room. All random choices depend on the seed, which must stay secret.
    ///
    /// # Errors
    /// If an option is out of its range.
    pub fn open(options: Options, seed: u64, now: Time) -> Result<(Self, LogEntry), OptionsError> {
        options.check()?;
        let opened = LogEntry {
            number: 1,
            at: now,
            event: Event::Opened {
                options: options.clone(),
                seed: Some(seed),
            },
        };
        let room = Self {
            options,
            seed,
            version: 1,
            now,
            players: Vec::new(),
            host: None,
            next_player: 1,
            game: None,
            phase: Phase::Lobby,
        };
        Ok((room, opened))
    }

    /// Rebuilds a room from its log, as after a restart.
    ///
    /// # Errors
    /// If an event is missing, or does not fit those before it.
    pub fn replay(log: impl IntoIterator<Item = LogEntry>) -> Result<Self, LogError> {
        let mut log = log.into_iter();
        let mut room = match log.next() {
            Some(LogEntry {
                number: 1,
                at,
                event:
                    Event::Opened {
                        options,
                        seed: Some(seed),
                    },
            }) => {
                Self::open(options, seed, at)
                    .map_err(|_| LogError { number: 1 })?
                    .0
            }
            _ => return Err(LogError { number: 1 }),
        };
        for entry in log {
            room.apply(&entry)?;
        }
        Ok(room)
    }

    /// Applies the next event of a log, or of the same room somewhere else.
    ///
    /// # Errors
    /// If it is not the next one, or does not fit; the room must not be used after that.
    pub fn apply(&mut self, entry: &LogEntry) -> Result<(), LogError> {
        let bad = LogError {
            number: self.version + 1,
        };
        if entry.number != self.version + 1 {
            return Err(bad);
        }
        self.now = self.now.max(entry.at);
        self.version = entry.number;
        self.apply_event(entry).ok_or(bad)
    }

    /// The number of the last event.
    pub const fn version(&self) -> u64 {
        self.version
    }

    /// The options of the room.
    pub const fn options(&self) -> &Options {
        &self.options
    }

    /// All players with a seat, in the order of joining.
    pub fn players(&self) -> &[Player] {
        &self.players
    }

    /// When something is due without a command: call [`Room::handle`] then, with
    /// [`Command::Tick`](crate::Command::Tick) if there is nothing else.
    pub fn deadline(&self) -> Option<Time> {
        match &self.phase {
            Phase::Preparing {
                not_before,
                prepared: Some(_),
                ..
            } => (!self.is_resting()).then_some(*not_before),
            Phase::Thinking(round) => round.until.or_else(|| {
                let may_end = self.options.automatic && !self.is_resting();
                may_end.then(|| round.since.after(self.options.round_ms))
            }),
            Phase::Showing { show, .. } => show.as_ref().map(|show| show.until),
            Phase::Preparing { prepared: None, .. } => None,
            Phase::Lobby | Phase::Over { .. } if !self.options.automatic || self.is_resting() => {
                None
            }
            Phase::Lobby => Some(self.now),
            Phase::Over { since } => Some(since.after(BETWEEN_GAMES_MS)),
        }
    }

    /// Whether an automatic room waits for a player to connect.
    fn is_resting(&self) -> bool {
        self.options.automatic && !self.players.iter().any(|player| player.connected)
    }

    /// Whether no round is open: before a game, in a pause, and after a game.
    pub const fn is_between_rounds(&self) -> bool {
        !matches!(self.phase, Phase::Thinking(_) | Phase::Showing { .. })
    }

    /// Whether the last game is over.
    pub const fn is_over(&self) -> bool {
        matches!(self.phase, Phase::Over { .. })
    }

    /// The number and the puzzle of the round that has to be solved before it begins. The caller
    /// solves it with any solver and answers with [`Command::Prepared`](crate::Command::Prepared).
    /// If the round began earlier, the time of the answer would reveal how hard the puzzle is.
    pub fn to_prepare(&self) -> Option<(u32, Puzzle)> {
        let Phase::Preparing { prepared: None, .. } = self.phase else {
            return None;
        };
        if self.is_resting() {
            return None;
        }
        let game = self.game.as_ref()?;
        let (_, puzzle) = self.next_chip()?;
        Some((game.rounds + 1, puzzle))
    }

    /// The chip that is turned up next: its number and the puzzle. A chip whose goal is already
    /// reached waits until the robots have moved.
    pub(crate) fn next_chip(&self) -> Option<(u8, Puzzle)> {
        let game = self.game.as_ref()?;
        game.stack.iter().rev().find_map(|&target| {
            let puzzle = self.puzzle(game, target)?;
            (!puzzle.is_solved(puzzle.start())).then_some((target, puzzle))
        })
    }

    fn puzzle(&self, game: &Game, target: u8) -> Option<Puzzle> {
        let target = game.board.targets().get(usize::from(target))?;
        let goal = Goal {
            robot: target.robot,
            cell: target.cell,
        };
        let rules = Rules {
            must_ricochet: self.options.must_ricochet,
        };
        let puzzle = Puzzle::new(game.board.clone(), &game.robots, goal).ok()?;
        Some(puzzle.with_rules(rules))
    }

    pub(crate) fn player(&self, id: PlayerId) -> Option<&Player> {
        self.players.iter().find(|player| player.id == id)
    }

    fn player_mut(&mut self, id: PlayerId) -> Option<&mut Player> {
        self.players.iter_mut().find(|player| player.id == id)
    }

    /// A player's score: the player's chips, or those of the team.
    pub(crate) fn score(&self, id: PlayerId) -> u32 {
        let Some(player) = self.player(id) else {
            return 0;
        };
        if player.team.is_none() {
            return player.chips;
        }
        let team = self.players.iter().filter(|it| it.team == player.team);
        team.map(|it| it.chips).sum()
    }

    /// A random stream that depends on the seed and the last event, so that a log can be continued
    /// anywhere.
    pub(crate) fn rng(&self) -> Rng {
        Rng::stream(self.seed, self.version)
    }

    /// Changes the state by an event; `None` if it does not fit, which only a damaged log can cause.
    pub(crate) fn apply_event(&mut self, entry: &LogEntry) -> Option<()> {
        let LogEntry { number, at, event } = entry;
        match event {
            Event::Opened { .. } => return None,
            Event::Joined {
                player,
                name,
                bot,
                level,
                team,
            } => {
                self.next_player = player.0.checked_add(1)?;
                self.players.push(Player {
                    id: *player,
                    name: name.clone(),
                    bot: *bot,
                    level: *level,
                    team: *team,
                    connected: true,
                    muted: false,
                    chips: 0,
                });
            }
            Event::Dropped { player } => self.player_mut(*player)?.connected = false,
            Event::Returned { player } => self.player_mut(*player)?.connected = true,
            Event::Left { player, .. } => {
                self.players.retain(|it| it.id != *player);
                match &mut self.phase {
                    Phase::Thinking(round) | Phase::Showing { round, .. } => round.forget(*player),
                    Phase::Preparing { votes, .. } => votes.retain(|voter| voter != player),
                    _ => {}
                }
            }
            Event::HostChanged { player } => self.host = *player,
            Event::Muted { player, yes } => self.player_mut(*player)?.muted = *yes,
            Event::OptionsChanged { options, teams } => {
                options.check().ok()?;
                self.options = options.clone();
                for member in teams {
                    self.player_mut(member.player)?.team = member.team;
                }
            }
            Event::GameStarted {
                game,
                layout,
                robots,
                stack,
                chips_to_win,
                ..
            } => {
                let board = layout.parse::<Layout>().ok()?.board();
                self.game = Some(Game {
                    number: *game,
                    layout: layout.clone(),
                    board: Arc::new(board),
                    robots: robots.clone(),
                    stack: stack.clone()?,
                    chips_to_win: *chips_to_win,
                    rounds: 0,
                });
                for player in &mut self.players {
                    player.chips = 0;
                }
                self.phase = Phase::waiting(*at);
            }
            Event::StackRefilled { stack } | Event::ChipReturned { stack } => {
                self.game.as_mut()?.stack.clone_from(stack.as_ref()?);
            }
            Event::ChipDiscarded { target } => {
                self.game.as_mut()?.stack.retain(|it| it != target);
                self.phase = match &self.phase {
                    Phase::Preparing { not_before, .. } => Phase::waiting(*not_before),
                    _ => return None,
                };
            }
            Event::RoundStarted {
                round,
                puzzle,
                target,
                until,
                optimum,
                ..
            } => {
                let game = self.game.as_mut()?;
                game.stack.retain(|it| it != target);
                game.rounds = *round;
                let puzzle = notation::parse_line(puzzle).ok()?.validate().ok()?;
                self.phase = Phase::Thinking(Round {
                    number: *round,
                    puzzle,
                    target: *target,
                    since: *at,
                    until: *until,
                    stakes: Vec::new(),
                    skip_votes: Vec::new(),
                    optimum: optimum.clone(),
                });
            }
            Event::Bid {
                player,
                moves,
                until,
            } => {
                let round = self.thinking_mut()?;
                round.until = Some(*until);
                round.skip_votes.clear();
                round.stake(Stake {
                    player: *player,
                    length: *moves,
                    moves: Vec::new(),
                    first_at: *at,
                    last_at: *at,
                    number: *number,
                });
            }
            Event::Submitted {
                player,
                length,
                moves,
            } => {
                let stake = Stake {
                    player: *player,
                    length: (*length)?,
                    moves: moves.clone()?,
                    first_at: *at,
                    last_at: *at,
                    number: *number,
                };
                self.thinking_mut()?.stake(stake);
            }
            Event::SandStarted { until } => self.thinking_mut()?.until = Some(*until),
            Event::SkipVoted { player, yes } => {
                let round = self.thinking_mut()?;
                round.skip_votes.retain(|voter| voter != player);
                if *yes {
                    round.skip_votes.push(*player);
                }
            }
            Event::ShowStarted { player, bid, until } => {
                let show = Some(Show {
                    player: *player,
                    bid: *bid,
                    moves: Vec::new(),
                    until: *until,
                });
                self.phase = match std::mem::replace(&mut self.phase, Phase::Lobby) {
                    Phase::Thinking(round) => Phase::Showing {
                        round,
                        show,
                        failed: Vec::new(),
                    },
                    Phase::Showing { round, failed, .. } => Phase::Showing {
                        round,
                        show,
                        failed,
                    },
                    _ => return None,
                };
            }
            Event::Shown { play, .. } => match &mut self.phase {
                Phase::Showing {
                    show: Some(show), ..
                } => show.moves.push(*play),
                _ => return None,
            },
            Event::ShowFailed { player, .. } => match &mut self.phase {
                Phase::Showing { show, failed, .. } => {
                    *show = None;
                    failed.push(*player);
                }
                _ => return None,
            },
            Event::RoundEnded {
                result,
                robots,
                next_at,
                ..
            } => {
                self.game.as_mut()?.robots.clone_from(robots);
                if let Some(winner) = result.winner() {
                    self.player_mut(winner)?.chips += 1;
                }
                self.phase = Phase::waiting(*next_at);
            }
            Event::NextVoted { player, yes } => match &mut self.phase {
                Phase::Preparing { votes, .. } => {
                    votes.retain(|voter| voter != player);
                    if *yes {
                        votes.push(*player);
                    }
                }
                _ => return None,
            },
            Event::PauseEnded => match &mut self.phase {
                Phase::Preparing {
                    not_before, votes, ..
                } => {
                    *not_before = *at;
                    votes.clear();
                }
                _ => return None,
            },
            Event::GameEnded { .. } => self.phase = Phase::Over { since: *at },
            Event::Said { .. } | Event::Phrase { .. } => {}
        }
        Some(())
    }

    fn thinking_mut(&mut self) -> Option<&mut Round> {
        match &mut self.phase {
            Phase::Thinking(round) => Some(round),
            _ => None,
        }
    }
}
