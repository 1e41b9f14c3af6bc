//! A room with a log, and a clock that tests turn by hand.

use ricochet_core::{Direction, Move, Puzzle, Robot, Solution, State};
use ricochet_rooms::{
    Command, Event, LogEntry, Optimum, Options, PlayerId, Refusal, Room, RoomView, Time,
};

pub(crate) struct Table {
    pub(crate) room: Room,
    pub(crate) log: Vec<LogEntry>,
    pub(crate) now: Time,
}

impl Table {
    pub(crate) fn new(options: Options, seed: u64) -> Self {
        let (room, opened) = Room::open(options, seed, Time(1_000)).unwrap();
        Self {
            room,
            log: vec![opened],
            now: Time(1_000),
        }
    }

    /// A game with this many players whose first round has begun.
    pub(crate) fn playing(options: Options, players: u32) -> Self {
        let mut table = Self::new(options, 5);
        for number in 1..=players {
            table.ok(Command::join(format!("P{number}")));
        }
        table.ok(Command::Start {
            player: PlayerId(1),
        });
        table.prepare();
        assert_eq!(table.view().phase, "thinking");
        table
    }

    pub(crate) fn say(&mut self, command: Command) -> Result<Vec<Event>, Refusal> {
        let reply = self.room.handle(self.now, command);
        let events = reply.events.iter().map(|it| it.event.clone()).collect();
        self.log.extend(reply.events);
        reply.refusal.map_or(Ok(events), Err)
    }

    pub(crate) fn ok(&mut self, command: Command) -> Vec<Event> {
        let text = format!("{command:?}");
        self.say(command)
            .unwrap_or_else(|refusal| panic!("{text}: {refusal}"))
    }

    /// Lets time pass, and what it brings happen.
    pub(crate) fn wait(&mut self, milliseconds: u64) -> Vec<Event> {
        self.now = self.now.after(milliseconds);
        self.ok(Command::Tick)
    }

    /// Begins the next round, with the optimum as far as three moves reach.
    pub(crate) fn prepare(&mut self) {
        let (round, puzzle) = self.room.to_prepare().expect("a round to prepare");
        let optimum = within(&puzzle, 3).map_or(Optimum::Unknown, Optimum::Solved);
        self.ok(Command::Prepared { round, optimum });
        while self.view().phase == "pause" && self.room.deadline().is_some() {
            self.wait(1_000);
        }
    }

    pub(crate) fn view(&self) -> RoomView {
        self.room.view(None)
    }

    pub(crate) fn puzzle(&self) -> Puzzle {
        let line = self.view().round.expect("a round").puzzle;
        ricochet_core::notation::parse_line(&line)
            .unwrap()
            .validate()
            .unwrap()
    }

    pub(crate) fn bid(&mut self, player: u32, moves: u32) {
        self.ok(Command::Bid {
            player: PlayerId(player),
            moves,
        });
    }

    /// Plays a way to the target that a breadth first search finds, and gives its events.
    pub(crate) fn show_all(&mut self, player: u32, solution: &Solution) -> Vec<Event> {
        let mut events = Vec::new();
        for &play in solution.moves() {
            events.extend(self.ok(Command::Show {
                player: PlayerId(player),
                play,
            }));
        }
        events
    }

    pub(crate) fn chips(&self, player: u32) -> u32 {
        let players = self.room.players();
        players
            .iter()
            .find(|it| it.id == PlayerId(player))
            .unwrap()
            .chips
    }
}

/// Any legal move.
pub(crate) fn some_move(puzzle: &Puzzle, state: State, salt: usize) -> Move {
    let mut moves = Vec::new();
    for robot in state.robots() {
        for direction in Direction::ALL {
            if puzzle.apply(state, robot, direction).is_some() {
                moves.push(Move { robot, direction });
            }
        }
    }
    moves[salt % moves.len()]
}

/// A shortest solution within a number of moves, by trying everything.
pub(crate) fn within(puzzle: &Puzzle, most: usize) -> Option<Solution> {
    let mut layer = vec![(puzzle.start(), Vec::new())];
    let mut seen = std::collections::HashSet::from([puzzle.start()]);
    for _ in 0..most {
        let mut next = Vec::new();
        for (state, moves) in layer {
            for robot in Robot::ALL.into_iter().take(state.len()) {
                for direction in Direction::ALL {
                    let Some(after) = puzzle.apply(state, robot, direction) else {
                        continue;
                    };
                    let mut moves: Vec<Move> = moves.clone();
                    moves.push(Move { robot, direction });
                    let solution = Solution::new(moves.clone());
                    if puzzle.is_on_target(after) && solution.replay(puzzle).is_ok() {
                        return Some(solution);
                    }
                    if seen.insert(after) {
                        next.push((after, moves));
                    }
                }
            }
        }
        layer = next;
    }
    None
}

/// A game whose first round has a solution of two or three moves.
pub(crate) fn easy_table(options: &Options, players: u32) -> (Table, Solution) {
    for seed in 1.. {
        let mut table = Table::new(options.clone(), seed);
        for number in 1..=players {
            table.ok(Command::join(format!("P{number}")));
        }
        table.ok(Command::Start {
            player: PlayerId(1),
        });
        let (_, puzzle) = table.room.to_prepare().unwrap();
        if let Some(solution) = within(&puzzle, 3)
            && solution.len() >= 2
        {
            table.prepare();
            return (table, solution);
        }
    }
    unreachable!("one seed in a few has such a round")
}
