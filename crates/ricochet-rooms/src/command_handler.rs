//! How a room responds to commands and to the passing of time.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use ricochet_core::{Board, Cell, Move, Puzzle, ReplayError, Solution, Trace, notation};

use crate::bot::LEVELS;
use crate::command::{Command, MAX_MOVES, Optimum, Refusal};
use crate::event::{Event, LogEntry, RoundResult, ShowFailure, Standing, TeamMember};
use crate::options::{Chat, GameLength, Options, Style};
use crate::player::{MAX_NAME, PHRASES, PlayerId, clean_chat, clean_name, looks_like};
use crate::room::{Phase, Reply, Room};
use crate::time::Time;

impl Room {
    /// Carries out a command at a given time. Whatever was due before that happens first, so a bid
    /// after the end of the timer is too late even if the caller has not ticked.
    ///
    /// A time earlier than the last one counts as the last one.
    pub fn handle(&mut self, now: Time, command: Command) -> Reply {
        let now = self.now.max(now);
        let mut handler = CommandHandler {
            room: self,
            events: Vec::new(),
        };
        handler.pass_time(now);
        let refusal = handler.carry_out(command).err();
        // An automatic room goes on when a player connects.
        handler.pass_time(now);
        Reply {
            events: handler.events,
            refusal,
        }
    }
}

/// Carries out one command on a room and collects the events.
struct CommandHandler<'a> {
    room: &'a mut Room,
    events: Vec<LogEntry>,
}

impl CommandHandler<'_> {
    /// Records an event and applies it.
    fn emit(&mut self, event: Event) {
        let entry = LogEntry {
            number: self.room.version + 1,
            at: self.room.now,
            event,
        };
        self.room.version += 1;
        let fits = self.room.apply_event(&entry);
        debug_assert!(
            fits.is_some(),
            "an event of our own does not fit: {entry:?}"
        );
        self.events.push(entry);
    }

    /// Does what is due until a time.
    fn pass_time(&mut self, now: Time) {
        while let Some(deadline) = self.room.deadline()
            && deadline <= now
        {
            self.room.now = self.room.now.max(deadline);
            self.expire();
        }
        self.room.now = now;
    }

    fn carry_out(&mut self, command: Command) -> Result<(), Refusal> {
        if let Some(player) = command.player()
            && self.room.player(player).is_none()
        {
            return Err(Refusal::NoSuchPlayer);
        }
        match command {
            Command::Join {
                name,
                bot,
                level,
                team,
            } => self.join(&name, bot, level, team),
            Command::Drop { player } => {
                if self.is_connected(player) {
                    self.emit(Event::Dropped { player });
                    self.find_host();
                    self.count_votes();
                }
                Ok(())
            }
            Command::Return { player } => {
                if !self.is_connected(player) {
                    self.emit(Event::Returned { player });
                    self.find_host();
                }
                Ok(())
            }
            Command::Leave { player } => {
                self.leave(player, false);
                Ok(())
            }
            Command::Remove { player, other } => {
                self.host_only(player)?;
                if self.room.player(other).is_none() {
                    return Err(Refusal::NoSuchPlayer);
                }
                self.leave(other, true);
                Ok(())
            }
            Command::Mute { player, other, yes } => {
                self.host_only(player)?;
                let muted = self.room.player(other).map(|other| other.muted);
                if muted.ok_or(Refusal::NoSuchPlayer)? != yes {
                    self.emit(Event::Muted { player: other, yes });
                }
                Ok(())
            }
            Command::HandOver { player, other } => {
                self.host_only(player)?;
                // An absent player could not hand it back.
                if !self.is_connected(other) {
                    return Err(Refusal::NoSuchPlayer);
                }
                if other != player {
                    let player = Some(other);
                    self.emit(Event::HostChanged { player });
                }
                Ok(())
            }
            Command::ChangeOptions { player, options } => {
                self.host_only(player)?;
                self.change_options(*options)
            }
            Command::Start { player } => {
                self.host_only(player)?;
                match self.room.phase {
                    Phase::Lobby | Phase::Over { .. } => self.start(),
                    _ => return Err(Refusal::GameIsOn),
                }
                Ok(())
            }
            Command::Prepared { round, optimum } => self.prepared(round, optimum),
            Command::Bid { player, moves } => self.bid(player, moves),
            Command::Submit { player, moves } => self.submit(player, moves),
            Command::Skip { player, yes } => self.skip(player, yes),
            Command::Next { player, yes } => self.next(player, yes),
            Command::Show { player, play } => self.show(player, play),
            Command::GiveUp { player } => {
                self.showing(player)?;
                self.fail(player, ShowFailure::GaveUp);
                Ok(())
            }
            Command::Say { player, text } => {
                let text = clean_chat(&text).ok_or(Refusal::NoChat)?;
                self.may_talk(player)?;
                if self.room.options.chat != Chat::Free {
                    return Err(Refusal::QuickOnly);
                }
                self.emit(Event::Said { player, text });
                Ok(())
            }
            Command::Phrase { player, phrase } => {
                self.may_talk(player)?;
                if !(1..=PHRASES.len()).contains(&usize::from(phrase)) {
                    return Err(Refusal::NoSuchPhrase);
                }
                self.emit(Event::Phrase { player, phrase });
                Ok(())
            }
            Command::Tick => Ok(()),
        }
    }

    /// Does what is due at the deadline.
    fn expire(&mut self) {
        match &self.room.phase {
            Phase::Preparing { .. } => self.begin_round(),
            // Without a bid there is no timer, only the limit of an automatic room.
            Phase::Thinking(round)
                if self.room.options.style.has_bids() && round.until.is_some() =>
            {
                self.next_show();
            }
            Phase::Thinking(_) => self.compare_solutions(),
            Phase::Showing {
                show: Some(show), ..
            } => self.fail(show.player, ShowFailure::Time),
            Phase::Showing { show: None, .. } => {}
            // Only automatic rooms have a deadline now.
            Phase::Lobby | Phase::Over { .. } => self.start(),
        }
    }

    fn is_connected(&self, id: PlayerId) -> bool {
        self.room.player(id).is_some_and(|player| player.connected)
    }

    fn host_only(&self, player: PlayerId) -> Result<(), Refusal> {
        if self.room.host == Some(player) {
            Ok(())
        } else {
            Err(Refusal::HostOnly)
        }
    }

    fn may_talk(&self, player: PlayerId) -> Result<(), Refusal> {
        if self.room.options.chat == Chat::Off {
            return Err(Refusal::NoChat);
        }
        if self.room.player(player).is_some_and(|it| it.muted) {
            return Err(Refusal::Muted);
        }
        Ok(())
    }

    fn join(
        &mut self,
        name: &str,
        bot: bool,
        level: Option<u8>,
        team: Option<u8>,
    ) -> Result<(), Refusal> {
        let is_full = self.room.players.len() >= usize::from(self.room.options.seats);
        // An automatic room has no host who could remove absent players.
        let mut players = self.room.players.iter();
        let absent = players
            .find(|player| is_full && self.room.options.automatic && !player.connected)
            .map(|player| player.id);
        if is_full && absent.is_none() {
            return Err(Refusal::Full);
        }
        let name = clean_name(name).ok_or(Refusal::NoName)?;
        let teams = self.room.options.teams;
        let team = match team {
            _ if teams == 0 => None,
            Some(team) if team >= teams => return Err(Refusal::NoSuchTeam),
            Some(team) => Some(team),
            None => {
                let taken = self.room.players.iter().map(|player| player.team);
                smallest_team(teams, &taken.collect::<Vec<_>>())
            }
        };
        if let Some(absent) = absent {
            self.leave(absent, false);
        }
        self.emit(Event::Joined {
            player: PlayerId(self.room.next_player),
            name: self.free_name(name),
            bot,
            level: level.filter(|level| bot && LEVELS.contains(level)),
            team,
        });
        self.find_host();
        Ok(())
    }

    /// The name, with a number appended if another player has it or one that looks the same.
    fn free_name(&self, name: String) -> String {
        let is_free = |name: &str| {
            let mut players = self.room.players.iter();
            players.all(|player| !looks_like(&player.name, name))
        };
        if is_free(&name) {
            return name;
        }
        // One of these is free, since no room has as many seats.
        (2..=u32::from(u8::MAX) + 2)
            .map(|number| {
                let number = format!(" {number}");
                let room = MAX_NAME - number.len();
                name.chars()
                    .take(room)
                    .collect::<String>()
                    .trim_end()
                    .to_owned()
                    + &number
            })
            .find(|name| is_free(name))
            .unwrap_or(name)
    }

    fn leave(&mut self, player: PlayerId, removed: bool) {
        let shows = self.showing(player).is_ok();
        if shows {
            self.emit(Event::ShowFailed {
                player,
                reason: ShowFailure::Left,
            });
        }
        self.emit(Event::Left { player, removed });
        self.find_host();
        if shows {
            self.next_show();
        } else {
            // If the only bidder leaves, the timer keeps running, and then nobody shows.
            self.count_votes();
        }
    }

    /// Makes a connected player the host, a person if there is one.
    fn find_host(&mut self) {
        if self.room.options.automatic {
            return;
        }
        let there = |player: &&crate::player::Player| player.connected;
        let fits = self.room.host.and_then(|host| self.room.player(host));
        if fits.is_some_and(|host| host.connected) {
            return;
        }
        let people = self.room.players.iter().filter(|player| !player.bot);
        let host = people
            .clone()
            .find(there)
            .or_else(|| self.room.players.iter().find(there))
            .map(|player| player.id)
            // If nobody is connected, the host stays the same.
            .or(fits.map(|host| host.id))
            .or_else(|| people.clone().next().map(|player| player.id))
            .or_else(|| self.room.players.first().map(|player| player.id));
        if host != self.room.host {
            self.emit(Event::HostChanged { player: host });
        }
    }

    /// Changes the options from the next game on.
    fn change_options(&mut self, options: Options) -> Result<(), Refusal> {
        if !matches!(self.room.phase, Phase::Lobby | Phase::Over { .. }) {
            return Err(Refusal::GameIsOn);
        }
        let bad = |reason: String| Err(Refusal::BadOptions { reason });
        if let Err(wrong) = options.check() {
            return bad(wrong.to_string());
        }
        if options.spectator_delay_ms != self.room.options.spectator_delay_ms {
            // Spectators would see something twice, or miss it.
            return bad("the spectators' delay stays as it was when the room was opened".into());
        }
        if options.automatic != self.room.options.automatic {
            return bad("a room stays automatic, or stays with its host".into());
        }
        let seated = self.room.players.len();
        if seated > usize::from(options.seats) {
            let seats = options.seats;
            return bad(format!("seats: {seated} players are here, not {seats}"));
        }
        if options != self.room.options {
            let teams = self.teams_of(options.teams);
            self.emit(Event::OptionsChanged { options, teams });
        }
        Ok(())
    }

    /// The team of each player for a new number of teams: the same as before if it still exists, else
    /// the smallest.
    fn teams_of(&self, teams: u8) -> Vec<TeamMember> {
        let players = self.room.players.iter();
        let mut taken: Vec<Option<u8>> = players
            .clone()
            .map(|player| player.team.filter(|&team| team < teams))
            .collect();
        for index in 0..taken.len() {
            if taken[index].is_none() {
                taken[index] = smallest_team(teams, &taken);
            }
        }
        let ids = players.map(|player| player.id);
        ids.zip(taken)
            .map(|(player, team)| TeamMember { player, team })
            .collect()
    }

    fn start(&mut self) {
        if self.room.options.automatic {
            self.clear_seats();
        }
        let mut rng = self.room.rng();
        let layouts = self.room.options.layouts();
        let Some(layout) = rng.choose(&layouts).copied() else {
            return;
        };
        let board = layout.board();
        let mut cells = starting_cells(&board);
        rng.shuffle(&mut cells);
        cells.truncate(usize::from(self.room.options.robots));
        let mut stack = all_chips(&board);
        rng.shuffle(&mut stack);
        let number = self.room.game.as_ref().map_or(1, |game| game.number + 1);
        let sides = match self.room.options.teams {
            0 => self.room.players.len(),
            teams => usize::from(teams),
        };
        self.emit(Event::GameStarted {
            game: number,
            layout: layout.to_string(),
            robots: cells,
            chips: stack.len() as u32,
            stack: Some(stack),
            chips_to_win: self.room.options.length.chips_to_win(sides),
        });
        self.end_or_go_on();
    }

    /// Gives the seats of absent people back, who would hold them for ever without a host.
    fn clear_seats(&mut self) {
        let players = self.room.players.iter();
        let absent: Vec<PlayerId> = players
            .filter(|player| !player.connected && !player.bot)
            .map(|player| player.id)
            .collect();
        for player in absent {
            self.leave(player, false);
        }
    }

    /// Ends the game if it is over; called after each round and before the first.
    fn end_or_go_on(&mut self) {
        let Some(game) = &self.room.game else { return };
        let won = game.chips_to_win.is_some_and(|enough| {
            let mut players = self.room.players.iter();
            players.any(|player| self.room.score(player.id) >= enough)
        });
        let mut over = won;
        if let GameLength::Rounds(rounds) = self.room.options.length {
            over |= game.rounds >= rounds;
            if !over && game.stack.is_empty() {
                let mut stack = all_chips(&game.board);
                self.room.rng().shuffle(&mut stack);
                self.emit(Event::StackRefilled { stack: Some(stack) });
            }
        }
        if over || self.room.next_chip().is_none() {
            let standings = self.standings();
            self.emit(Event::GameEnded { standings });
        }
    }

    fn standings(&self) -> Vec<Standing> {
        let mut players: Vec<_> = self.room.players.iter().collect();
        let score = |id| self.room.score(id);
        players.sort_by_key(|player| {
            (
                Reverse(score(player.id)),
                player.team,
                Reverse(player.chips),
            )
        });
        players
            .iter()
            .map(|player| {
                let better: BTreeSet<u32> = players
                    .iter()
                    .map(|other| score(other.id))
                    .filter(|&other| other > score(player.id))
                    .collect();
                // Places count teams if there are teams, else players.
                let before = if self.room.options.teams > 0 {
                    better.len()
                } else {
                    let others = players.iter();
                    others
                        .filter(|other| score(other.id) > score(player.id))
                        .count()
                };
                Standing {
                    place: before as u32 + 1,
                    player: player.id,
                    name: player.name.clone(),
                    team: player.team,
                    chips: player.chips,
                    score: score(player.id),
                }
            })
            .collect()
    }

    fn prepared(&mut self, round: u32, optimum: Optimum) -> Result<(), Refusal> {
        let expected = self.room.to_prepare().map(|(number, _)| number);
        let Phase::Preparing {
            not_before,
            prepared,
            ..
        } = &mut self.room.phase
        else {
            return Err(Refusal::NotPreparing);
        };
        if expected != Some(round) {
            return Err(Refusal::NotPreparing);
        }
        let now = *not_before <= self.room.now;
        *prepared = Some(optimum);
        if now {
            self.begin_round();
        }
        Ok(())
    }

    fn begin_round(&mut self) {
        let Phase::Preparing { prepared, .. } = &mut self.room.phase else {
            return;
        };
        let Some(prepared) = prepared.take() else {
            return;
        };
        let Some((target, puzzle)) = self.room.next_chip() else {
            return;
        };
        let optimum = match prepared {
            Optimum::Unsolvable => {
                self.emit(Event::ChipDiscarded { target });
                self.end_or_go_on();
                return;
            }
            Optimum::Unknown => None,
            // Solutions are not trusted until they have been replayed.
            Optimum::Solved(solution) => solution
                .replay(&puzzle)
                .is_ok()
                .then(|| solution.moves().to_vec()),
        };
        let Some(game) = &self.room.game else { return };
        let until = (self.room.options.style == Style::Correspondence)
            .then(|| self.room.now.after(self.room.options.round_ms));
        self.emit(Event::RoundStarted {
            round: game.rounds + 1,
            puzzle: notation::to_line(&puzzle),
            target,
            left: game.stack.len() as u32 - 1,
            until,
            optimum,
        });
    }

    fn bid(&mut self, player: PlayerId, moves: u32) -> Result<(), Refusal> {
        if !self.room.options.style.has_bids() {
            return Err(Refusal::NoBids);
        }
        let Phase::Thinking(round) = &self.room.phase else {
            return Err(Refusal::NotThinking);
        };
        if !(1..=MAX_MOVES).contains(&moves) {
            return Err(Refusal::BidOutOfRange);
        }
        if let Some(own) = round.stake_of(player)
            && own.length <= moves
        {
            return Err(Refusal::NotLower { yours: own.length });
        }
        let sand = self.room.now.after(self.room.options.sand_ms);
        let until = round.until.unwrap_or(sand);
        self.emit(Event::Bid {
            player,
            moves,
            until,
        });
        Ok(())
    }

    fn submit(&mut self, player: PlayerId, moves: Vec<Move>) -> Result<(), Refusal> {
        if self.room.options.style.has_bids() {
            return Err(Refusal::BidsOnly);
        }
        let Phase::Thinking(round) = &self.room.phase else {
            return Err(Refusal::NotThinking);
        };
        if moves.is_empty() || moves.len() > MAX_MOVES as usize {
            let reason = format!("a solution has 1 to {MAX_MOVES} moves");
            return Err(Refusal::NotASolution { reason });
        }
        let solution = Solution::new(moves);
        if let Err(error) = solution.replay(&round.puzzle) {
            let reason = error.to_string();
            return Err(Refusal::NotASolution { reason });
        }
        let length = solution.len() as u32;
        if let Some(own) = round.stake_of(player)
            && own.length <= length
        {
            return Err(Refusal::NotShorter { yours: own.length });
        }
        let starts_the_sand = round.until.is_none();
        self.emit(Event::Submitted {
            player,
            length: Some(length),
            moves: Some(solution.moves().to_vec()),
        });
        if starts_the_sand {
            let until = self.room.now.after(self.room.options.sand_ms);
            self.emit(Event::SandStarted { until });
        }
        self.count_skip_votes();
        Ok(())
    }

    fn skip(&mut self, player: PlayerId, yes: bool) -> Result<(), Refusal> {
        let Phase::Thinking(round) = &self.room.phase else {
            return Err(Refusal::NotThinking);
        };
        if self.room.options.style.has_bids() && !round.stakes.is_empty() {
            return Err(Refusal::BidOn);
        }
        if round.skip_votes.contains(&player) != yes {
            self.emit(Event::SkipVoted { player, yes });
            self.count_skip_votes();
        }
        Ok(())
    }

    /// Begins the next round at once if the host or all players want it.
    fn next(&mut self, player: PlayerId, yes: bool) -> Result<(), Refusal> {
        let Phase::Preparing {
            not_before, votes, ..
        } = &self.room.phase
        else {
            return Err(Refusal::NotPaused);
        };
        if *not_before <= self.room.now {
            // The pause is over; the round is only waiting for the solver.
            return Ok(());
        }
        if yes && self.room.host == Some(player) {
            self.end_pause();
        } else if votes.contains(&player) != yes {
            self.emit(Event::NextVoted { player, yes });
            self.count_votes();
        }
        Ok(())
    }

    fn end_pause(&mut self) {
        self.emit(Event::PauseEnded);
        self.begin_round();
    }

    /// Counts the votes again after a vote, or after a player has left.
    fn count_votes(&mut self) {
        self.count_skip_votes();
        if let Phase::Preparing {
            not_before, votes, ..
        } = &self.room.phase
            && *not_before > self.room.now
            && self.all_agree(votes)
        {
            self.end_pause();
        }
    }

    /// Whether all connected players have voted; programs count only if there are no people.
    fn all_agree(&self, votes: &[PlayerId]) -> bool {
        let there = || self.room.players.iter().filter(|player| player.connected);
        let people = there().any(|player| !player.bot);
        let mut voters = there().filter(|player| !(people && player.bot)).peekable();
        voters.peek().is_some() && voters.all(|it| votes.contains(&it.id))
    }

    /// Ends the round if all connected players have voted for it.
    fn count_skip_votes(&mut self) {
        let Phase::Thinking(round) = &self.room.phase else {
            return;
        };
        if self.room.options.style.has_bids() && !round.stakes.is_empty() {
            return;
        }
        if self.all_agree(&round.skip_votes) {
            self.compare_solutions();
        }
    }

    /// Ends a round without bids: the shortest hidden solution wins, if there is one.
    fn compare_solutions(&mut self) {
        let Phase::Thinking(round) = &self.room.phase else {
            return;
        };
        let result = match round.best_solution() {
            Some(best) => RoundResult::Won {
                player: best.player,
                moves: best.moves.clone(),
            },
            None => RoundResult::Skipped,
        };
        self.end_round(result);
    }

    fn showing(&self, player: PlayerId) -> Result<(), Refusal> {
        match &self.room.phase {
            Phase::Showing {
                show: Some(show), ..
            } if show.player == player => Ok(()),
            _ => Err(Refusal::NotYourTurn),
        }
    }

    /// Gives the turn to the best bidder who has not failed; without one the round is over.
    fn next_show(&mut self) {
        let (round, failed) = match &self.room.phase {
            Phase::Thinking(round) => (round, &[][..]),
            Phase::Showing { round, failed, .. } => (round, failed.as_slice()),
            _ => return,
        };
        let order = round.showing_order(self.room.options.ties, |id| self.room.score(id));
        let next = order.into_iter().find(|player| !failed.contains(player));
        if let Some(stake) = next.and_then(|player| round.stake_of(player)) {
            let until = self.room.now.after(self.room.options.show_ms);
            self.emit(Event::ShowStarted {
                player: stake.player,
                bid: stake.length,
                until,
            });
            return;
        }
        // The timer can run out without a bid if all bidders have left.
        let nobody_showed = failed.is_empty();
        self.end_round(if nobody_showed {
            RoundResult::Skipped
        } else {
            RoundResult::AllFailed
        });
    }

    fn show(&mut self, player: PlayerId, play: Move) -> Result<(), Refusal> {
        self.showing(player)?;
        let Phase::Showing {
            round,
            show: Some(show),
            ..
        } = &self.room.phase
        else {
            return Err(Refusal::NotYourTurn);
        };
        let mut moves = show.moves.clone();
        moves.push(play);
        let bid = show.bid as usize;
        let trace = Trace::play(&round.puzzle, &moves).map_err(|error| Refusal::IllegalMove {
            reason: reason(&error),
        })?;
        self.emit(Event::Shown { player, play });
        if trace.solved {
            self.end_round(RoundResult::Won { player, moves });
        } else if moves.len() >= bid {
            self.fail(player, ShowFailure::TooManyMoves);
        }
        Ok(())
    }

    fn fail(&mut self, player: PlayerId, reason: ShowFailure) {
        self.emit(Event::ShowFailed { player, reason });
        self.next_show();
    }

    fn end_round(&mut self, result: RoundResult) {
        let (round, failed) = match &self.room.phase {
            Phase::Thinking(round) => (round.clone(), Vec::new()),
            Phase::Showing { round, failed, .. } => (round.clone(), failed.clone()),
            _ => return,
        };
        let mut optimum = round.optimum.clone();
        if result == RoundResult::AllFailed {
            let stack = self.with_chip_returned(round.target);
            if stack.len() == 1 {
                // The same puzzle comes again at once.
                optimum = None;
            }
            self.emit(Event::ChipReturned { stack: Some(stack) });
        }
        let robots = match &result {
            RoundResult::Won { moves, .. } => end_of(&round.puzzle, moves),
            RoundResult::AllFailed | RoundResult::Skipped => round.puzzle.start().cells().to_vec(),
        };
        let shown = match &result {
            RoundResult::Won { player, moves } => Some((*player, moves.len())),
            RoundResult::AllFailed | RoundResult::Skipped => None,
        };
        let review = round.review(&self.room.players, &failed, shown);
        let next_at = self.room.now.after(self.room.options.pause_ms);
        self.emit(Event::RoundEnded {
            result,
            robots,
            optimum,
            review,
            next_at,
        });
        self.end_or_go_on();
    }

    /// The stack with the chip put back at random, but not on top unless it is the only one.
    fn with_chip_returned(&self, target: u8) -> Vec<u8> {
        let mut stack = self
            .room
            .game
            .as_ref()
            .map_or(Vec::new(), |game| game.stack.clone());
        let places = stack.len().max(1);
        stack.insert(self.room.rng().below(places), target);
        stack
    }
}

/// The team with the fewest members, the first of several; `None` if there are no teams.
fn smallest_team(teams: u8, taken: &[Option<u8>]) -> Option<u8> {
    (0..teams).min_by_key(|&team| taken.iter().filter(|&&it| it == Some(team)).count())
}

/// Cells where robots may stand when a game begins: not in the closed centre, not on a target.
fn starting_cells(board: &Board) -> Vec<Cell> {
    let is_target = |cell| board.targets().iter().any(|target| target.cell == cell);
    board
        .cells()
        .filter(|&cell| !board.is_closed(cell) && board.diagonal(cell).is_none())
        .filter(|&cell| !is_target(cell))
        .collect()
}

fn all_chips(board: &Board) -> Vec<u8> {
    (0..board.targets().len() as u8).collect()
}

/// Where the robots stand after legal moves.
fn end_of(puzzle: &Puzzle, moves: &[Move]) -> Vec<Cell> {
    let end = Trace::play(puzzle, moves).map_or(puzzle.start(), |trace| trace.end());
    end.cells().to_vec()
}

/// Why the last move is impossible, without its number.
fn reason(error: &ReplayError) -> String {
    let text = error.to_string();
    text.split_once(": ")
        .map_or(text.clone(), |(_, rest)| rest.to_owned())
}
