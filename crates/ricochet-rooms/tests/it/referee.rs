//! A slow referee: reads a log from its beginning and judges every event by the printed rules, with
//! slides of its own. It shares no code with the room but the types of the events.

use std::collections::BTreeMap;

use ricochet_core::quadrants::Layout;
use ricochet_core::{Board, Cell, Direction, Lean, Move};
use ricochet_rooms::{
    Chat, Event, GameLength, LogEntry, Options, PHRASES, PlayerId, RoundResult, ShowFailure, Style,
    TeamMember, TieBreak, Time,
};

#[derive(Default)]
#[expect(clippy::struct_excessive_bools, reason = "each is a fact of its own")]
struct Seat {
    team: Option<u8>,
    chips: u32,
    left: bool,
    muted: bool,
    bot: bool,
    there: bool,
}

struct Open {
    target: Cell,
    robot: Option<usize>,
    start: Vec<Cell>,
    chip: u8,
    until: Option<Time>,
    /// Player, moves, number of the event, hidden solution.
    stakes: Vec<(PlayerId, u32, u64, Vec<Move>)>,
    failed: Vec<PlayerId>,
    show: Option<(PlayerId, u32, Time)>,
    shown: Vec<Move>,
}

/// Panics with the event that breaks a rule.
pub(crate) fn judge(log: &[LogEntry]) {
    let Event::Opened { options, .. } = &log[0].event else {
        panic!("the first event opens the room");
    };
    let mut referee = Referee {
        options: options.clone(),
        seats: BTreeMap::new(),
        board: None,
        robots: Vec::new(),
        stack: Vec::new(),
        out: 0,
        won: 0,
        open: None,
        over: false,
        host: None,
        pause: None,
    };
    for (index, numbered) in log.iter().enumerate() {
        assert_eq!(numbered.number, index as u64 + 1, "numbers have no gaps");
        if index > 0 {
            assert!(
                log[index - 1].at <= numbered.at,
                "time does not run backwards"
            );
            referee.judge(numbered);
        }
    }
}

struct Referee {
    options: Options,
    seats: BTreeMap<PlayerId, Seat>,
    board: Option<Board>,
    robots: Vec<Cell>,
    stack: Vec<u8>,
    out: u32,
    won: u32,
    open: Option<Open>,
    over: bool,
    host: Option<PlayerId>,
    /// Not earlier does the next round begin, and who wants it earlier.
    pause: Option<(Time, Vec<PlayerId>)>,
}

impl Referee {
    fn judge(&mut self, numbered: &LogEntry) {
        let LogEntry { at, event, number } = numbered;
        match event {
            Event::Opened { .. } => panic!("opened twice"),
            Event::Joined {
                player, team, bot, ..
            } => {
                assert!(
                    !self.seats.contains_key(player),
                    "numbers are never used again"
                );
                let seat = Seat {
                    team: *team,
                    bot: *bot,
                    there: true,
                    ..Seat::default()
                };
                self.seats.insert(*player, seat);
                let taken = self.seats.values().filter(|seat| !seat.left).count();
                assert!(taken <= usize::from(self.options.seats));
            }
            Event::Left { player, .. } => {
                self.seat(*player).left = true;
                if let Some(open) = &mut self.open {
                    open.stakes.retain(|stake| stake.0 != *player);
                }
                if let Some((_, votes)) = &mut self.pause {
                    votes.retain(|voter| voter != player);
                }
            }
            Event::HostChanged { player } => {
                assert!(!self.options.automatic);
                if let Some(player) = player {
                    assert!(!self.seat(*player).left);
                }
                self.host = *player;
            }
            Event::OptionsChanged { options, teams } => self.options_changed(options, teams),
            Event::NextVoted { player, yes } => {
                assert!(!self.seat(*player).left);
                let (next_at, votes) = self.pause.as_mut().expect("a pause");
                assert!(*at < *next_at, "what is over needs no votes");
                assert_eq!(votes.contains(player), !yes, "a vote changes something");
                votes.retain(|voter| voter != player);
                if *yes {
                    votes.push(*player);
                }
            }
            Event::PauseEnded => {
                let (next_at, votes) = self.pause.as_mut().expect("a pause");
                assert!(*at < *next_at, "only what is not over can end");
                let seats = || self.seats.iter().filter(|(_, seat)| !seat.left);
                let people = seats().any(|(_, seat)| seat.there && !seat.bot);
                let mut voters = seats().filter(|(_, seat)| seat.there && !(people && seat.bot));
                let all = voters.all(|(id, _)| votes.contains(id));
                let host = self.host.is_some_and(|host| !self.seats[&host].left);
                assert!(all || host, "all players or the host want it");
                (*next_at, *votes) = (*at, Vec::new());
            }
            Event::GameStarted {
                layout,
                robots,
                stack,
                ..
            } => {
                if self.options.automatic {
                    let seats = || self.seats.values().filter(|seat| !seat.left);
                    assert!(seats().any(|seat| seat.there), "a game needs a player");
                    assert!(seats().all(|seat| seat.there || seat.bot), "absent people");
                }
                let board = layout.parse::<Layout>().unwrap().board();
                assert_eq!(robots.len(), usize::from(self.options.robots));
                self.robots.clone_from(robots);
                self.stack = stack.clone().unwrap();
                assert_eq!(self.stack.len(), board.targets().len());
                self.board = Some(board);
                (self.out, self.won, self.over, self.open) = (0, 0, false, None);
                self.pause = Some((*at, Vec::new()));
                for seat in self.seats.values_mut() {
                    seat.chips = 0;
                }
            }
            Event::StackRefilled { stack } => {
                assert!(
                    self.stack.is_empty() && matches!(self.options.length, GameLength::Rounds(_))
                );
                self.stack = stack.clone().unwrap();
                (self.out, self.won) = (0, 0);
            }
            Event::ChipDiscarded { target } => {
                self.take(*target);
                self.out += 1;
            }
            Event::RoundStarted {
                target,
                until,
                left,
                ..
            } => {
                let (next_at, _) = self.pause.take().expect("a pause before the round");
                assert!(next_at <= *at, "not before the pause is over");
                let mut seats = self.seats.values();
                let there = seats.any(|seat| !seat.left && seat.there);
                assert!(there || !self.options.automatic, "a round needs a player");
                self.round_started(*target, *until, *left);
            }
            Event::Bid {
                player,
                moves,
                until,
            } => {
                assert_eq!(self.options.style, Style::Bidding);
                let sand = at.after(self.options.sand_ms);
                let open = self.thinking(*at);
                assert_eq!(*until, open.until.unwrap_or(sand), "the sand starts once");
                open.until = Some(*until);
                stake(open, *player, *moves, *number, Vec::new());
            }
            Event::Submitted {
                player,
                length,
                moves,
            } => {
                assert_ne!(self.options.style, Style::Bidding);
                let moves = moves.clone().unwrap();
                assert_eq!(*length, Some(moves.len() as u32));
                let open = self.thinking(*at);
                let start = open.start.clone();
                stake(open, *player, moves.len() as u32, *number, moves.clone());
                assert!(
                    self.solves(&start, &moves),
                    "hidden solutions are solutions"
                );
            }
            Event::SandStarted { until } => {
                let sand = at.after(self.options.sand_ms);
                let open = self.thinking(*at);
                assert!(open.until.is_none() && *until == sand && open.stakes.len() == 1);
                open.until = Some(*until);
            }
            Event::ShowStarted { player, bid, until } => {
                self.show_started(*at, *player, *bid, *until);
            }
            Event::Shown { player, play } => {
                let open = self.open.as_mut().unwrap();
                let (who, bid, until) = open.show.unwrap();
                assert!(who == *player && *at < until);
                open.shown.push(*play);
                assert!(open.shown.len() <= bid as usize);
                let (start, shown) = (open.start.clone(), open.shown.clone());
                self.end_of(&start, &shown).expect("shown moves are legal");
            }
            Event::ShowFailed { player, reason } => {
                let open = self.open.as_mut().unwrap();
                let (who, bid, until) = open.show.take().unwrap();
                assert_eq!(who, *player);
                match reason {
                    ShowFailure::TooManyMoves => assert_eq!(open.shown.len(), bid as usize),
                    ShowFailure::Time => assert_eq!(*at, until),
                    ShowFailure::GaveUp | ShowFailure::Left => {}
                }
                open.failed.push(*player);
                let (start, shown) = (open.start.clone(), open.shown.clone());
                assert!(!self.solves(&start, &shown), "a solution is not a failure");
            }
            Event::ChipReturned { stack } => {
                let chip = self.open.as_ref().unwrap().chip;
                let mut before = self.stack.clone();
                before.push(chip);
                before.sort_unstable();
                self.stack = stack.clone().unwrap();
                let mut after = self.stack.clone();
                after.sort_unstable();
                assert_eq!(before, after);
            }
            Event::RoundEnded {
                result,
                robots,
                next_at,
                ..
            } => {
                assert_eq!(*next_at, at.after(self.options.pause_ms));
                self.pause = Some((*next_at, Vec::new()));
                self.round_ended(result, robots);
            }
            Event::GameEnded { standings } => {
                self.pause = None;
                self.game_ended(standings);
            }
            Event::Dropped { player } => self.seat(*player).there = false,
            Event::Returned { player } => self.seat(*player).there = true,
            Event::SkipVoted { .. } => {}
            Event::Muted { player, yes } => self.seat(*player).muted = *yes,
            Event::Said { player, .. } => {
                let seat = self.seat(*player);
                assert!(!seat.left && !seat.muted);
                assert_eq!(self.options.chat, Chat::Free);
            }
            Event::Phrase { player, phrase } => {
                let seat = self.seat(*player);
                assert!(!seat.left && !seat.muted);
                assert!((1..=PHRASES.len()).contains(&usize::from(*phrase)));
                assert_ne!(self.options.chat, Chat::Off);
            }
        }
    }

    fn options_changed(&mut self, options: &Options, teams: &[TeamMember]) {
        assert!(self.over || self.board.is_none(), "only between two games");
        options.check().unwrap();
        assert_eq!(options.spectator_delay_ms, self.options.spectator_delay_ms);
        let seated: Vec<PlayerId> = self
            .seats
            .iter()
            .filter(|(_, seat)| !seat.left)
            .map(|(id, _)| *id)
            .collect();
        assert!(seated.len() <= usize::from(options.seats));
        let told: Vec<PlayerId> = teams.iter().map(|it| it.player).collect();
        assert_eq!(told, seated, "the team of each player is listed");
        for member in teams {
            let before = self.seat(member.player).team;
            match member.team {
                None => assert_eq!(options.teams, 0),
                Some(team) => assert!(team < options.teams),
            }
            if before.is_some_and(|team| team < options.teams) {
                assert_eq!(member.team, before, "whose team is still there stays in it");
            }
            self.seat(member.player).team = member.team;
        }
        self.options = options.clone();
    }

    fn seat(&mut self, player: PlayerId) -> &mut Seat {
        self.seats.get_mut(&player).expect("a player")
    }

    fn score(&self, player: PlayerId) -> u32 {
        let seat = &self.seats[&player];
        if seat.team.is_none() {
            return seat.chips;
        }
        let team = self
            .seats
            .values()
            .filter(|it| it.team == seat.team && !it.left);
        team.map(|it| it.chips).sum()
    }

    fn take(&mut self, chip: u8) {
        let place = self
            .stack
            .iter()
            .position(|it| *it == chip)
            .expect("in the stack");
        self.stack.remove(place);
    }

    fn thinking(&mut self, at: Time) -> &mut Open {
        let open = self.open.as_mut().expect("a round");
        assert!(open.show.is_none() && open.failed.is_empty());
        assert!(
            open.until.is_none_or(|until| at < until),
            "the sand has run out"
        );
        open
    }

    fn round_started(&mut self, chip: u8, until: Option<Time>, left: u32) {
        assert!(self.open.is_none() && !self.over);
        self.take(chip);
        assert_eq!(self.stack.len() as u32, left);
        let target = self.board.as_ref().unwrap().targets()[usize::from(chip)];
        assert_eq!(until.is_some(), self.options.style == Style::Correspondence);
        self.open = Some(Open {
            target: target.cell,
            robot: target.robot.map(ricochet_core::Robot::index),
            start: self.robots.clone(),
            chip,
            until,
            stakes: Vec::new(),
            failed: Vec::new(),
            show: None,
            shown: Vec::new(),
        });
    }

    fn show_started(&mut self, at: Time, player: PlayerId, bid: u32, until: Time) {
        assert_eq!(until, at.after(self.options.show_ms));
        let open = self.open.as_ref().unwrap();
        if open.failed.is_empty() {
            assert_eq!(
                Some(at),
                open.until,
                "shows begin when the sand has run out"
            );
        }
        // The best of those who are left, found by comparing each with each.
        let rank = |stake: &(PlayerId, u32, u64, Vec<Move>)| match self.options.ties {
            TieBreak::FewerChips => (stake.1, u64::from(self.score(stake.0)), stake.2),
            TieBreak::Newcomer => (stake.1, u64::MAX - u64::from(stake.0.0), 0),
        };
        let waiting = || open.stakes.iter().filter(|it| !open.failed.contains(&it.0));
        let first = waiting().find(|one| waiting().all(|other| rank(one) <= rank(other)));
        let first = first.expect("a player is left");
        assert_eq!((first.0, first.1), (player, bid));
        let open = self.open.as_mut().unwrap();
        open.show = Some((player, bid, until));
        open.shown.clear();
    }

    fn round_ended(&mut self, result: &RoundResult, robots: &[Cell]) {
        let open = self.open.take().unwrap();
        match result {
            RoundResult::Won { player, moves } => {
                if self.options.style == Style::Bidding {
                    let (who, bid, _) = open.show.expect("only one who shows wins");
                    assert_eq!((who, moves), (*player, &open.shown));
                    assert!(moves.len() <= bid as usize);
                } else {
                    let best = open.stakes.iter().min_by_key(|it| (it.1, it.2)).unwrap();
                    assert_eq!((best.0, &best.3), (*player, moves));
                }
                self.open = Some(open);
                let start = self.robots.clone();
                assert!(self.solves(&start, moves));
                assert_eq!(self.end_of(&start, moves).unwrap(), robots);
                self.open = None;
                self.seat(*player).chips += 1;
                self.won += 1;
            }
            RoundResult::AllFailed => {
                assert!(!open.failed.is_empty() && open.show.is_none());
                assert!(open.stakes.iter().all(|it| open.failed.contains(&it.0)));
                assert_eq!(robots, self.robots);
                assert!(self.stack.contains(&open.chip));
            }
            RoundResult::Skipped => {
                assert!(open.stakes.is_empty() && open.failed.is_empty());
                assert_eq!(robots, self.robots);
                self.out += 1;
            }
        }
        self.robots = robots.to_vec();
        let all = self.board.as_ref().unwrap().targets().len();
        assert_eq!(
            self.stack.len() + (self.out + self.won) as usize,
            all,
            "no chip is lost"
        );
    }

    fn game_ended(&mut self, standings: &[ricochet_rooms::Standing]) {
        assert!(self.open.is_none() && !self.over);
        self.over = true;
        let seated = self.seats.iter().filter(|(_, seat)| !seat.left).count();
        assert_eq!(standings.len(), seated);
        for standing in standings {
            assert_eq!(standing.chips, self.seats[&standing.player].chips);
            assert_eq!(standing.score, self.score(standing.player));
        }
        assert!(standings.windows(2).all(|two| two[0].score >= two[1].score));
        assert!(
            standings
                .windows(2)
                .all(|two| { (two[0].score == two[1].score) == (two[0].place == two[1].place) })
        );
    }

    /// Whether moves lead to the open round's goal.
    fn solves(&self, start: &[Cell], moves: &[Move]) -> bool {
        let open = self.open.as_ref().unwrap();
        let Some(end) = self.end_of(start, moves) else {
            return false;
        };
        let must_ricochet = self.options.must_ricochet;
        let robots = || (0..end.len()).filter(|&it| open.robot.is_none_or(|active| active == it));
        // Nobody may stop there without a turn, not even on the way.
        let too_early = |played: usize| {
            let moves = &moves[..played];
            let robot = moves[played - 1].robot.index();
            robots().any(|it| it == robot)
                && self.end_of(start, moves).unwrap()[robot] == open.target
                && !self.ricochets(start, moves, robot)
        };
        if must_ricochet && (1..=moves.len()).any(too_early) {
            return false;
        }
        robots().any(|robot| {
            end[robot] == open.target && (!must_ricochet || self.ricochets(start, moves, robot))
        })
    }

    fn ricochets(&self, start: &[Cell], moves: &[Move], robot: usize) -> bool {
        let mut robots = start.to_vec();
        let mut axes = [false; 2];
        for play in moves {
            let cells = self.slide(&robots, *play);
            if play.robot.index() == robot {
                for pair in cells.windows(2) {
                    axes[usize::from(pair[0].x == pair[1].x)] = true;
                }
            }
            robots[play.robot.index()] = *cells.last().unwrap();
        }
        axes == [true; 2]
    }

    fn end_of(&self, start: &[Cell], moves: &[Move]) -> Option<Vec<Cell>> {
        let mut robots = start.to_vec();
        for play in moves {
            let index = play.robot.index();
            let end = *self.slide(&robots, *play).last()?;
            if *robots.get(index)? == end {
                return None;
            }
            robots[index] = end;
        }
        Some(robots)
    }

    /// Every cell of a slide, the first one included.
    fn slide(&self, robots: &[Cell], play: Move) -> Vec<Cell> {
        let board = self.board.as_ref().unwrap();
        let Some(&start) = robots.get(play.robot.index()) else {
            return Vec::new();
        };
        let mut way = vec![start];
        let mut direction = play.direction;
        while way.len() < 2_000 {
            let here = way[way.len() - 1];
            if board.has_wall(here, direction) {
                break;
            }
            let (dx, dy) = match direction {
                Direction::North => (0, -1),
                Direction::East => (1, 0),
                Direction::South => (0, 1),
                Direction::West => (-1, 0),
            };
            let next = Cell::new(
                (i16::from(here.x) + dx) as u8,
                (i16::from(here.y) + dy) as u8,
            );
            if robots.contains(&next) && next != start {
                break;
            }
            way.push(next);
            if let Some(diagonal) = board.diagonals().iter().find(|it| it.cell == next)
                && diagonal.color != play.robot
            {
                let slash = diagonal.lean == Lean::Slash;
                direction = match (direction, slash) {
                    (Direction::North, true) | (Direction::South, false) => Direction::East,
                    (Direction::South, true) | (Direction::North, false) => Direction::West,
                    (Direction::East, true) | (Direction::West, false) => Direction::North,
                    (Direction::West, true) | (Direction::East, false) => Direction::South,
                };
            }
        }
        way
    }
}

fn stake(open: &mut Open, player: PlayerId, moves: u32, number: u64, hidden: Vec<Move>) {
    if let Some(old) = open.stakes.iter().position(|it| it.0 == player) {
        assert!(moves < open.stakes[old].1, "only lower");
        open.stakes.remove(old);
    }
    open.stakes.push((player, moves, number, hidden));
}
