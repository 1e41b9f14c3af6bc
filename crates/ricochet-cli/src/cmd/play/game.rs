//! The state of a game in the terminal, and what each action does.

use std::time::{Duration, Instant};

use ricochet_core::describe::plural;
use ricochet_core::describe::{MoveWord, capitalize, join_with_and, move_words, moves_in_words};
use ricochet_core::{Direction, Move, Puzzle, Robot, Solution, State, Trace};
use ricochet_solve::{Limit, Limits, NullObserver, Outcome, Solver};

use super::generator::PuzzleGenerator;
use super::targets::{TargetPile, with_printed_targets};

/// An action of the player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Action {
    Select(Robot),
    Go(Direction),
    Play(Move),
    Undo,
    Redo,
    Reset,
    /// Another target on the same board, with the robots where they are.
    Next,
    New,
    Solve,
    Hint,
    /// The next move of the solution that was shown.
    Step,
    Help,
    Quit,
    /// A key that means nothing.
    Unknown(char),
}

impl Action {
    /// Parses a line of text: moves such as `RN GE` or `red north`, or a word.
    ///
    /// # Errors
    /// The first word that is neither.
    pub(super) fn parse_line(line: &str) -> Result<Vec<Self>, String> {
        let mut actions: Vec<Self> = Vec::new();
        for word in move_words(line) {
            let after_robot = matches!(actions.last(), Some(Self::Select(_)));
            actions.push(Self::parse(word, after_robot)?);
        }
        Ok(actions)
    }

    fn parse(word: &str, after_robot: bool) -> Result<Self, String> {
        // After a robot, N and S are directions; elsewhere they are commands.
        if after_robot && let Some(MoveWord::Direction(way)) = MoveWord::read(word, true) {
            return Ok(Self::Go(way));
        }
        Ok(match word.to_lowercase().as_str() {
            "u" | "undo" => Self::Undo,
            "redo" => Self::Redo,
            "0" | "reset" => Self::Reset,
            "t" | "next" => Self::Next,
            "n" | "new" => Self::New,
            "s" | "solve" => Self::Solve,
            "h" | "hint" => Self::Hint,
            "step" => Self::Step,
            "?" | "help" => Self::Help,
            "q" | "quit" | "exit" => Self::Quit,
            _ => match MoveWord::read(word, false) {
                Some(MoveWord::Move(play)) => Self::Play(play),
                Some(MoveWord::Robot(robot)) => Self::Select(robot),
                Some(MoveWord::Direction(way)) => Self::Go(way),
                None => {
                    return Err(format!(
                        "'{}' is not a move or a command: expected a move such as RN or red north, \
                         or ? for help",
                        word.chars().take(40).collect::<String>().escape_debug()
                    ));
                }
            },
        })
    }
}

/// The help below the board.
pub(super) const KEYS: &str = "\
R G B Y select a robot (W silver), arrows move it
U or Backspace undo, Shift+U redo, 0 start again
T next target with the robots where they are, N new puzzle
H hint (more each time), S solve from here, Enter plays it, ? help, Q quit";

/// The same in one line.
const KEYS_IN_SHORT: &str = "\
R G B Y, arrows, U undo, 0 reset, T next, N new, H hint, S solve, Enter, Q quit";

/// The same for players who type lines.
const LINES: &str = "\
Type moves such as RN GE, or a robot (red) and directions (north)
undo, redo, reset, next (the next target, robots where they are), new (another puzzle)
hint (more each time), solve, step (plays a move of the solution), help, quit";

/// A puzzle that is being played.
pub(super) struct Game {
    pub(super) puzzle: Puzzle,
    moves: Vec<Move>,
    undone: Vec<Move>,
    pub(super) selected: Option<Robot>,
    /// Hints given in this position.
    hints: usize,
    /// A shortest solution from the start, once it has been computed.
    optimum: Option<Solution>,
    /// The solution that was shown last.
    shown: Option<Solution>,
    /// Its moves that are still to be played, the next one last.
    to_play: Vec<Move>,
    /// When the round began, and how long it took once it is solved.
    started: Instant,
    solved_after: Option<Duration>,
    /// The answer to the last action.
    pub(super) message: String,
    /// The help for keys or for lines.
    help: &'static str,
    /// Whether the player asked for the help.
    asked_for_help: bool,
    seed: u64,
    /// The number of new puzzles so far.
    made: u64,
    /// The source of new puzzles.
    generator: PuzzleGenerator,
    /// The next targets on this board.
    targets: TargetPile,
    round: u32,
}

impl Game {
    /// A puzzle that the player chose: new ones are on the same board.
    pub(super) fn of(puzzle: &Puzzle, seed: u64) -> anyhow::Result<Self> {
        let puzzle = with_printed_targets(puzzle)?;
        let generator = PuzzleGenerator::on_the_board_of(&puzzle, seed);
        Ok(Self::new(puzzle, generator, seed))
    }

    /// A random position: new ones are on other boards.
    pub(super) fn random(seed: u64) -> anyhow::Result<Self> {
        let (generator, puzzle) = PuzzleGenerator::on_random_boards(seed)?;
        Ok(Self::new(puzzle, generator, seed))
    }

    fn new(puzzle: Puzzle, generator: PuzzleGenerator, seed: u64) -> Self {
        let mut game = Self {
            puzzle,
            moves: Vec::new(),
            undone: Vec::new(),
            selected: None,
            hints: 0,
            optimum: None,
            shown: None,
            to_play: Vec::new(),
            started: Instant::now(),
            solved_after: None,
            message: String::new(),
            help: LINES,
            asked_for_help: false,
            seed,
            made: 0,
            generator,
            targets: TargetPile::new(seed),
            round: 1,
        };
        if game.is_solved() {
            game.message = game.solved_at_once();
        }
        game
    }

    /// The same game, played with keys; it begins by telling which.
    pub(super) fn tell_keys(&mut self) {
        self.help = KEYS;
        if self.message.is_empty() {
            KEYS.clone_into(&mut self.message);
        } else {
            self.message.push_str(" ? lists the keys.");
        }
    }

    /// Whether the message is the list of keys, shown without being asked for; it is left out first.
    pub(super) fn offers_keys(&self) -> bool {
        self.message == KEYS && !self.asked_for_help
    }

    /// The message in fewer words, if there are any: a solution in letters, the keys in one line.
    pub(super) fn message_in_short(&self) -> Option<String> {
        if self.message == KEYS {
            return Some(KEYS_IN_SHORT.to_owned());
        }
        let shown = self.shown.as_ref()?;
        let in_words = from_here(shown, &moves_in_words(shown.moves()));
        (self.message == in_words).then(|| from_here(shown, &shown.to_string()))
    }

    fn trace(&self) -> Trace {
        Trace::play(&self.puzzle, &self.moves).unwrap_or(Trace {
            start: self.puzzle.start(),
            steps: Vec::new(),
            solved: false,
            straight_arrival: None,
        })
    }

    pub(super) fn state(&self) -> State {
        self.trace().end()
    }

    pub(super) fn is_solved(&self) -> bool {
        self.trace().solved
    }

    /// `3 moves: RN GE BS`.
    pub(super) fn line(&self) -> String {
        let moves = plural(self.moves.len(), "move");
        if self.moves.is_empty() {
            return moves;
        }
        format!("{moves}: {}", Solution::new(self.moves.clone()))
    }

    /// Applies an action. Returns false if the player quits.
    pub(super) fn apply(
        &mut self,
        action: Action,
        solver: &mut dyn Solver,
        limits: &Limits,
    ) -> anyhow::Result<bool> {
        if !matches!(action, Action::Step | Action::Help | Action::Unknown(_)) {
            self.to_play.clear();
        }
        match action {
            Action::Quit => return Ok(false),
            Action::Help => {
                self.asked_for_help = true;
                self.help.clone_into(&mut self.message);
            }
            Action::Select(robot) => self.select(robot),
            Action::Go(direction) => match self.selected {
                Some(robot) => self.play(Move { robot, direction }, solver, limits),
                None => "Select a robot first: R, G, B or Y.".clone_into(&mut self.message),
            },
            Action::Play(play) => {
                self.select(play.robot);
                self.play(play, solver, limits);
            }
            Action::Undo => match self.moves.pop() {
                Some(play) => {
                    self.hints = 0;
                    self.undone.push(play);
                    self.message = format!("Took back {play}.");
                }
                None => "There is no move to take back.".clone_into(&mut self.message),
            },
            Action::Redo => match self.undone.pop() {
                Some(play) => {
                    self.hints = 0;
                    self.moves.push(play);
                    self.message = format!("Played {play} again.");
                }
                None => "There is no move to redo.".clone_into(&mut self.message),
            },
            Action::Reset => {
                self.hints = 0;
                self.message = if self.moves.is_empty() {
                    "The robots are at the start.".to_owned()
                } else {
                    let redo = if self.help == KEYS { "Shift+U" } else { "redo" };
                    format!("Back at the start; {redo} plays the moves again, one by one.")
                };
                // The first move is redone first.
                self.undone.extend(self.moves.drain(..).rev());
            }
            Action::Unknown(key) => {
                self.message = format!("'{}' does nothing; ? lists the keys.", key.escape_debug());
            }
            Action::Next => self.next_round()?,
            Action::New => match self.generator.next_puzzle(solver, limits) {
                Ok(puzzle) => self.begin(puzzle),
                Err(error) => self.message = format!("{}.", capitalize(&error.to_string())),
            },
            Action::Hint => self.hint(solver, limits),
            Action::Step => self.step(solver, limits),
            Action::Solve => self.solve(solver, limits),
        }
        Ok(true)
    }

    /// Starts another puzzle.
    fn begin(&mut self, puzzle: Puzzle) {
        self.start_clock();
        self.puzzle = puzzle;
        self.moves.clear();
        self.undone.clear();
        self.selected = None;
        self.hints = 0;
        self.optimum = None;
        self.made += 1;
        // On the same board, the targets come in another order.
        self.targets = TargetPile::new(self.seed.wrapping_add(self.made));
        self.round = 1;
        self.message = self.generator.announcement();
    }

    /// As in the printed game: the robots stay where they are, and a new target is turned up.
    fn next_round(&mut self) -> anyhow::Result<()> {
        let robots = self.state();
        let Some(next) = self.targets.next(&self.puzzle, robots) else {
            "This board has no other target. N makes a new puzzle.".clone_into(&mut self.message);
            return Ok(());
        };
        self.puzzle = self.puzzle.with_position(robots.cells(), next.goal)?;
        self.start_clock();
        self.moves.clear();
        self.undone.clear();
        self.hints = 0;
        self.optimum = None;
        self.round += 1;
        // Any robot may reach the vortex, so the selection does not change.
        self.selected = next.goal.robot.or(self.selected);
        self.message = format!("Round {}: the robots stay where they are.", self.round);
        if next.begins_again {
            self.message
                .push_str(" All targets of this board have been played; they start over.");
        }
        Ok(())
    }

    fn select(&mut self, robot: Robot) {
        if robot.index() < self.state().len() {
            self.selected = Some(robot);
            let how = if self.help == KEYS {
                "The arrow keys move"
            } else {
                "north, east, south or west moves"
            };
            self.message = format!("{how} the {robot} robot.");
        } else {
            self.message = format!("There is no {robot} robot.");
        }
    }

    fn play(&mut self, play: Move, solver: &mut dyn Solver, limits: &Limits) {
        if self.is_solved() && self.moves.is_empty() {
            self.message = self.solved_at_once();
            return;
        }
        if self.is_solved() {
            "The puzzle is solved: T turns up the next target, N makes a new puzzle, U takes a move back."
                .clone_into(&mut self.message);
            return;
        }
        let mut moves = self.moves.clone();
        moves.push(play);
        match Trace::play(&self.puzzle, &moves) {
            Err(error) => {
                let text = error.to_string();
                let reason = text
                    .split_once(": ")
                    .map_or(text.as_str(), |(_, rest)| rest);
                self.message = format!("{}.", capitalize(reason));
            }
            Ok(trace) => {
                self.moves = moves;
                self.undone.clear();
                self.hints = 0;
                if trace.solved {
                    self.solved_after.get_or_insert(self.started.elapsed());
                    self.congratulate(solver, limits);
                } else if trace.straight_arrival.is_some() {
                    self.message = format!(
                        "The {} robot stops on the target before it has turned, so this is no way \
                         to solve it: take the move back.",
                        play.robot
                    );
                } else {
                    self.message.clear();
                }
            }
        }
    }

    fn start_clock(&mut self) {
        self.started = Instant::now();
        self.solved_after = None;
    }

    /// The time of the round and the number of its target: `1:05, target 2 of 17`.
    pub(super) fn clock(&self) -> String {
        let time = self.solved_after.unwrap_or_else(|| self.started.elapsed());
        let seconds = time.as_secs();
        let time = format!("{}:{:02}", seconds / 60, seconds % 60);
        match self.puzzle.board().targets().len() {
            0 | 1 => time,
            all => {
                let number = (self.round as usize - 1) % all + 1;
                format!("{time}, target {number} of {all}")
            }
        }
    }

    /// Plays the next move of the solution that was shown.
    fn step(&mut self, solver: &mut dyn Solver, limits: &Limits) {
        let Some(play) = self.to_play.pop() else {
            let key = if self.help == KEYS { "S" } else { "solve" };
            self.message = if self.is_solved() {
                "The puzzle is solved.".to_owned()
            } else {
                format!("There is no solution to play: {key} shows one.")
            };
            return;
        };
        let rest = std::mem::take(&mut self.to_play);
        self.play(play, solver, limits);
        self.to_play = rest;
        if self.message.is_empty() {
            let left = plural(self.to_play.len(), "move");
            self.message = format!("Played {play}; {left} of the solution left.");
        }
    }

    /// The message for a puzzle that is already solved.
    fn solved_at_once(&self) -> String {
        let who = self.puzzle.goal().robot.map_or_else(
            || "A robot is already on the target".to_owned(),
            |robot| format!("The {robot} robot is already on its target"),
        );
        format!("{who}: T turns up the next target, N makes a new puzzle.")
    }

    fn congratulate(&mut self, solver: &mut dyn Solver, limits: &Limits) {
        let mine = self.moves.len();
        let optimum = self.optimum(solver, limits).map(Solution::len);
        self.message = match optimum {
            Some(fewest) if fewest == mine => {
                format!(
                    "Solved in {}, the fewest possible! T turns up the next target.",
                    plural(mine, "move")
                )
            }
            Some(fewest) => format!(
                "Solved in {}; {fewest} would do. Press 0 to start again, then S for a solution, \
                 or T for the next target.",
                plural(mine, "move")
            ),
            None => format!(
                "Solved in {}. T turns up the next target.",
                plural(mine, "move")
            ),
        };
    }

    /// A shortest solution from the start.
    fn optimum(&mut self, solver: &mut dyn Solver, limits: &Limits) -> Option<&Solution> {
        if self.optimum.is_none() {
            let (outcome, _) = solver.solve(&self.puzzle, limits, &mut NullObserver);
            if let Outcome::Solved {
                solution,
                optimal: true,
                ..
            } = outcome
            {
                self.optimum = Some(solution);
            }
        }
        self.optimum.as_ref()
    }

    /// Solves the puzzle from the current position.
    fn solve_from_here(&self, solver: &mut dyn Solver, limits: &Limits) -> Outcome {
        let here = self
            .puzzle
            .with_position(self.state().cells(), self.puzzle.goal());
        match here {
            Ok(puzzle) => {
                solver
                    .solve(
                        &puzzle.with_rules(self.puzzle.rules()),
                        limits,
                        &mut NullObserver,
                    )
                    .0
            }
            Err(_) => Outcome::Unsolvable,
        }
    }

    fn hint(&mut self, solver: &mut dyn Solver, limits: &Limits) {
        let outcome = self.solve_from_here(solver, limits);
        let Outcome::Solved { solution, .. } = &outcome else {
            self.message = verdict(&outcome);
            return;
        };
        let Some(first) = solution.moves().first() else {
            "The robot is already on the target.".clone_into(&mut self.message);
            return;
        };
        self.hints += 1;
        self.message = match self.hints {
            1 => format!("Look at the {} robot first.", first.robot),
            2 => {
                let mut robots: Vec<Robot> =
                    solution.moves().iter().map(|play| play.robot).collect();
                robots.sort_unstable();
                robots.dedup();
                let names: Vec<String> = robots.iter().map(ToString::to_string).collect();
                format!(
                    "{} left; {} can do it.",
                    plural(solution.len(), "move"),
                    join_with_and(&names)
                )
            }
            _ => format!(
                "Next: {first}, the {} robot goes {}.",
                first.robot, first.direction
            ),
        };
    }

    fn solve(&mut self, solver: &mut dyn Solver, limits: &Limits) {
        let outcome = self.solve_from_here(solver, limits);
        self.message = match &outcome {
            Outcome::Solved { solution, .. } if solution.is_empty() => {
                "The robot is already on the target.".to_owned()
            }
            Outcome::Solved { solution, .. } => {
                from_here(solution, &moves_in_words(solution.moves()))
            }
            _ => verdict(&outcome),
        };
        self.shown = outcome.solution().cloned();
        let moves = self.shown.iter().flat_map(|it| it.moves().iter().rev());
        self.to_play = moves.copied().collect();
    }
}

/// A solution, in words or in letters.
fn from_here(solution: &Solution, moves: &str) -> String {
    format!("{} from here: {moves}.", plural(solution.len(), "move"))
}

fn verdict(outcome: &Outcome) -> String {
    match outcome {
        Outcome::Unsolvable => "There is no solution from here.".to_owned(),
        Outcome::LimitReached {
            limit: Limit::Cancelled,
            lower_bound,
        } => format!(
            "Stopped. A solution needs at least {}.",
            plural(*lower_bound as usize, "move")
        ),
        _ => format!(
            "No solution within the limits. It needs at least {}.",
            plural(outcome.lower_bound().unwrap_or(0) as usize, "move")
        ),
    }
}

#[cfg(test)]
mod tests {
    use ricochet_core::notation;
    use ricochet_solve::registry::SolverSpec;

    use super::*;

    fn game() -> Game {
        let puzzle = notation::parse_line("4x3..0012.R31")
            .unwrap()
            .validate()
            .unwrap();
        Game::of(&puzzle, 7).unwrap()
    }

    fn said(game: &mut Game, line: &str) -> String {
        let mut solver = "flagship".parse::<SolverSpec>().unwrap().build();
        for action in Action::parse_line(line).unwrap() {
            assert!(
                game.apply(action, solver.as_mut(), &Limits::default())
                    .unwrap()
            );
        }
        game.message.clone()
    }

    #[test]
    fn a_whole_game_by_words() {
        let mut game = game();
        assert_eq!(
            said(&mut game, "RN"),
            "The red robot at (0,0) cannot go north: the rim is in the way."
        );
        assert_eq!(said(&mut game, "right"), "");
        assert_eq!(game.line(), "1 move: RE");
        assert_eq!(said(&mut game, "u"), "Took back RE.");
        assert_eq!(said(&mut game, "u"), "There is no move to take back.");
        assert_eq!(
            said(&mut game, "redo 0 redo reset g"),
            "north, east, south or west moves the green robot."
        );
        assert_eq!(game.selected, Some(Robot::GREEN));
        assert_eq!(
            said(&mut game, "s"),
            "3 moves from here: red east, green east, red south."
        );
        assert_eq!(
            said(&mut game, "ge re rs"),
            "Solved in 3 moves, the fewest possible! T turns up the next target."
        );
        assert!(game.is_solved());
        assert!(said(&mut game, "RN").starts_with("The puzzle is solved"));
    }

    #[test]
    fn hints_say_more_each_time() {
        let mut game = game();
        assert_eq!(said(&mut game, "h"), "Look at the red robot first.");
        assert_eq!(
            said(&mut game, "h"),
            "3 moves left; red and green can do it."
        );
        assert_eq!(said(&mut game, "h"), "Next: RE, the red robot goes east.");
        said(&mut game, "RE");
        let first = said(&mut game, "h");
        assert!(first.starts_with("Look at the "), "a new position: {first}");
        said(&mut game, "undo");
        assert_eq!(said(&mut game, "h"), "Look at the red robot first.");
    }

    #[test]
    fn the_next_round_is_on_the_same_board_with_the_robots_where_they_are() {
        let puzzle = notation::parse_line("1A4B3B2B.18c1f0c0.G6e").unwrap();
        let mut game = Game::of(&puzzle.validate().unwrap(), 7).unwrap();
        let (board, first) = (game.puzzle.board().clone(), game.puzzle.goal());
        said(&mut game, "RN GE");
        let robots = game.state();
        assert_ne!(robots, game.puzzle.start());
        let told = said(&mut game, "t");
        assert_eq!(told, "Round 2: the robots stay where they are.");
        assert_eq!(game.puzzle.board(), &board);
        assert_eq!(game.puzzle.start(), robots);
        assert_ne!(game.puzzle.goal(), first);
        assert_eq!(game.line(), "0 moves");
        assert_eq!(said(&mut game, "u"), "There is no move to take back.");
        assert_eq!(game.selected, game.puzzle.goal().robot);
        assert!(said(&mut game, "next").starts_with("Round 3"));
    }

    #[test]
    fn all_targets_of_the_board_are_on_it_whatever_the_source_says() {
        for line in ["1A4B3B2B.18c1f0c0.G6e", "2C1B4B3C.f019d67a.Y32.t"] {
            let puzzle = notation::parse_line(line).unwrap().validate().unwrap();
            let mut game = Game::of(&puzzle, 7).unwrap();
            for action in ["0", "t", "t", "n", "t"] {
                said(&mut game, action);
                let shown = game.puzzle.board().targets().len();
                assert_eq!(shown, 17, "{line} {action}");
            }
        }
    }

    #[test]
    fn moves_come_back_after_a_new_start() {
        let puzzle = notation::parse_line("1A4B3B2B.18c1f0c0.G6e").unwrap();
        let mut game = Game::of(&puzzle.validate().unwrap(), 7).unwrap();
        said(&mut game, "RN BS GE");
        let told = said(&mut game, "0");
        assert_eq!(
            told,
            "Back at the start; redo plays the moves again, one by one."
        );
        assert_eq!(game.line(), "0 moves");
        assert_eq!(said(&mut game, "redo redo"), "Played BS again.");
        said(&mut game, "0");
        said(&mut game, "redo redo redo");
        assert_eq!(game.line(), "3 moves: RN BS GE");
    }

    #[test]
    fn a_key_that_means_nothing_is_answered() {
        let mut game = game();
        let mut solver = "flagship".parse::<SolverSpec>().unwrap().build();
        let unknown = Action::Unknown('x');
        let limits = Limits::default();
        assert!(game.apply(unknown, solver.as_mut(), &limits).unwrap());
        assert_eq!(game.message, "'x' does nothing; ? lists the keys.");
    }

    #[test]
    fn the_robot_of_the_next_target_is_selected() {
        let puzzle = notation::parse_line("1A4B3B2B.18c1f0c0.G6e").unwrap();
        let mut game = Game::of(&puzzle.validate().unwrap(), 7).unwrap();
        let mut last = None;
        for _ in 0..17 {
            said(&mut game, "t");
            last = game.puzzle.goal().robot.or(last);
            assert_eq!(game.selected, last);
        }
    }

    #[test]
    fn the_end_of_all_targets_is_told_once() {
        let puzzle = notation::parse_line("1A4B3B2B.18d1f0c0.G6e").unwrap();
        let mut game = Game::of(&puzzle.validate().unwrap(), 7).unwrap();
        for round in 2..=20 {
            let told = said(&mut game, "t");
            let is_told =
                told.ends_with("All targets of this board have been played; they start over.");
            assert_eq!(is_told, round == 18, "round {round}: {told}");
        }
    }

    #[test]
    fn a_round_that_is_solved_at_its_start_says_so_at_once() {
        let already = "The green robot is already on its target: T turns up the next target, \
                       N makes a new puzzle.";
        let puzzle = notation::parse_line("1A4B3B2B.2f6ef4c0.G6e").unwrap();
        let mut game = Game::of(&puzzle.validate().unwrap(), 7).unwrap();
        assert_eq!(game.message, already);
        assert_eq!(
            said(&mut game, "RN"),
            already,
            "there is no move to take back"
        );
        let puzzle = game.puzzle.clone();
        let mut game = Game::of(&puzzle, 7).unwrap();
        game.tell_keys();
        assert_eq!(game.message, format!("{already} ? lists the keys."));
    }

    #[test]
    fn a_new_puzzle_is_on_the_chosen_board() {
        let puzzle = notation::parse_line("1A4B3B2B.18c1f0c033.G6e").unwrap();
        let mut game = Game::of(&puzzle.validate().unwrap(), 7).unwrap();
        let (board, start) = (game.puzzle.board().clone(), game.puzzle.start());
        for _ in 0..3 {
            let told = said(&mut game, "n");
            assert_eq!(told, "A new puzzle on the same board, with 5 robots again.");
            assert_eq!(game.puzzle.board(), &board);
            assert_ne!(game.puzzle.start(), start);
        }
        let mut game = Game::random(7).unwrap();
        let board = game.puzzle.board().clone();
        assert_eq!(said(&mut game, "n"), "A new puzzle on a new board.");
        assert_ne!(game.puzzle.board(), &board);
    }

    #[test]
    fn a_board_without_room_for_another_puzzle_says_so() {
        let puzzle = notation::parse_line("2x2..00100111.R11").unwrap();
        let mut game = Game::of(&puzzle.validate().unwrap(), 7).unwrap();
        let told = said(&mut game, "n");
        assert!(
            told.starts_with("4 robots and a free target need"),
            "{told}"
        );
    }

    #[test]
    fn a_board_with_one_target_says_that_there_is_no_other() {
        let told = said(&mut game(), "next");
        assert!(told.starts_with("This board has no other target"), "{told}");
    }

    #[test]
    fn new_puzzles_differ_and_are_not_solved_already() {
        let mut game = game();
        said(&mut game, "n");
        let first = notation::to_line(&game.puzzle);
        said(&mut game, "n");
        assert_ne!(first, notation::to_line(&game.puzzle));
        assert!(!game.is_solved());
    }

    #[test]
    fn what_is_not_understood_says_what_was_expected() {
        let error = Action::parse_line("RN jump").unwrap_err();
        assert!(
            error.contains("'jump' is not a move or a command"),
            "{error}"
        );
        let silver = Action::Select(Robot::SILVER);
        let west = Action::Go(Direction::West);
        for line in ["silver w", "w ←", "W W", "the silver robot goes left"] {
            assert_eq!(Action::parse_line(line), Ok(vec![silver, west]), "{line}");
        }
        assert_eq!(
            Action::parse_line("w, n"),
            Ok(vec![silver, Action::Go(Direction::North)])
        );
        assert_eq!(Action::parse_line("n"), Ok(vec![Action::New]));
    }
}
