//! A game in the terminal, without the terminal: what a key or a word does.

use ricochet::generate::Recipe;
use ricochet::quadrants::Edition;
use ricochet::{Direction, Move, Puzzle, Robot, Solution, State, Trace};
use ricochet_service::narrate::{listed, plural};
use ricochet_solve::{Limit, Limits, Outcome, Silent, Solver};

/// What a player can want.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Wish {
    Select(Robot),
    Go(Direction),
    Play(Move),
    Undo,
    Redo,
    Reset,
    New,
    Solve,
    Hint,
    Help,
    Quit,
}

impl Wish {
    /// The wishes of a line of text: moves such as `RN GE`, or a word.
    ///
    /// # Errors
    /// The first word that is neither.
    pub(super) fn parse_line(line: &str) -> Result<Vec<Self>, String> {
        line.split([' ', ',', '\t'])
            .filter(|word| !word.is_empty())
            .map(Self::parse)
            .collect()
    }

    fn parse(word: &str) -> Result<Self, String> {
        Ok(match word.to_lowercase().as_str() {
            "u" | "undo" => Self::Undo,
            "redo" => Self::Redo,
            "reset" => Self::Reset,
            "n" | "new" => Self::New,
            "s" | "solve" => Self::Solve,
            "h" | "hint" => Self::Hint,
            "?" | "help" => Self::Help,
            "q" | "quit" | "exit" => Self::Quit,
            "up" | "north" => Self::Go(Direction::North),
            "right" | "east" => Self::Go(Direction::East),
            "down" | "south" => Self::Go(Direction::South),
            "left" | "west" => Self::Go(Direction::West),
            other => {
                if let Ok(play) = word.to_uppercase().parse::<Move>() {
                    return Ok(Self::Play(play));
                }
                let letter = other.chars().next().filter(|_| other.chars().count() == 1);
                let robot = letter
                    .and_then(|letter| Robot::from_letter(letter.to_ascii_uppercase()))
                    .or_else(|| Robot::from_name(other));
                match robot {
                    Some(robot) => Self::Select(robot),
                    None => {
                        return Err(format!(
                            "'{}' is not a move or a command: expected a move such as RN, or ? for help",
                            word.chars().take(40).collect::<String>().escape_debug()
                        ));
                    }
                }
            }
        })
    }
}

/// What the player sees below the board.
pub(super) const KEYS: &str = "\
R G B Y select a robot (W silver), arrows move it
U or Backspace undo, Shift+U redo, 0 start again, N new puzzle
H hint (more each time), S solve from here, ? help, Q quit";

/// The same for those who type lines.
const LINES: &str = "\
Type moves such as RN GE, or a robot (red) and directions (north)
undo, redo, reset, new (another puzzle), hint (more each time), solve, help, quit";

/// A puzzle that is being played.
pub(super) struct Game {
    pub(super) puzzle: Puzzle,
    moves: Vec<Move>,
    undone: Vec<Move>,
    pub(super) selected: Option<Robot>,
    /// How many were given in this position.
    hints: usize,
    /// The optimum, once it was asked for.
    optimum: Option<Solution>,
    /// What to say about the last wish.
    pub(super) message: String,
    /// What a player can do, in the words of the way in which this one plays.
    help: &'static str,
    seed: u64,
    made: u64,
}

impl Game {
    pub(super) fn new(puzzle: Puzzle, seed: u64) -> Self {
        Self {
            puzzle,
            moves: Vec::new(),
            undone: Vec::new(),
            selected: None,
            hints: 0,
            optimum: None,
            message: String::new(),
            help: LINES,
            seed,
            made: 0,
        }
    }

    /// The same game, played with keys; it begins by telling which.
    pub(super) fn tell_keys(&mut self) {
        self.help = KEYS;
        KEYS.clone_into(&mut self.message);
    }

    /// A random position of the 1999 edition.
    pub(super) fn random(seed: u64, number: u64) -> anyhow::Result<Puzzle> {
        let recipe = Recipe::official(Edition::Of1999);
        let mut number = number;
        loop {
            let puzzle = recipe.puzzle(seed, number)?;
            if !puzzle.is_solved(puzzle.start()) {
                return Ok(puzzle);
            }
            number += 1;
        }
    }

    fn trace(&self) -> Trace {
        Trace::play(&self.puzzle, &self.moves).unwrap_or(Trace {
            start: self.puzzle.start(),
            steps: Vec::new(),
            solved: false,
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

    /// Does what the player wants. False if that is to end.
    pub(super) fn wish(
        &mut self,
        wish: Wish,
        solver: &mut dyn Solver,
        limits: &Limits,
    ) -> anyhow::Result<bool> {
        match wish {
            Wish::Quit => return Ok(false),
            Wish::Help => self.help.clone_into(&mut self.message),
            Wish::Select(robot) => self.select(robot),
            Wish::Go(direction) => match self.selected {
                Some(robot) => self.play(Move { robot, direction }, solver, limits),
                None => "Select a robot first: R, G, B or Y.".clone_into(&mut self.message),
            },
            Wish::Play(play) => {
                self.select(play.robot);
                self.play(play, solver, limits);
            }
            Wish::Undo => match self.moves.pop() {
                Some(play) => {
                    self.hints = 0;
                    self.undone.push(play);
                    self.message = format!("Took back {play}.");
                }
                None => "There is no move to take back.".clone_into(&mut self.message),
            },
            Wish::Redo => match self.undone.pop() {
                Some(play) => {
                    self.hints = 0;
                    self.moves.push(play);
                    self.message = format!("Played {play} again.");
                }
                None => "There is no move to redo.".clone_into(&mut self.message),
            },
            Wish::Reset => {
                self.hints = 0;
                self.moves.clear();
                self.undone.clear();
                "Back at the start.".clone_into(&mut self.message);
            }
            Wish::New => {
                self.made += 1;
                let puzzle = Self::random(self.seed, self.made * 1000)?;
                *self = Self {
                    help: self.help,
                    made: self.made,
                    ..Self::new(puzzle, self.seed)
                };
            }
            Wish::Hint => self.hint(solver, limits),
            Wish::Solve => self.solve(solver, limits),
        }
        Ok(true)
    }

    fn select(&mut self, robot: Robot) {
        if robot.index() < self.state().len() {
            self.selected = Some(robot);
            self.message = format!("Selected {robot}: move it with the arrow keys.");
        } else {
            self.message = format!("There is no {robot} robot.");
        }
    }

    fn play(&mut self, play: Move, solver: &mut dyn Solver, limits: &Limits) {
        if self.is_solved() {
            "The puzzle is solved: N makes a new one, U takes a move back."
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
                self.message = format!("{}.", capital(reason));
            }
            Ok(trace) => {
                self.moves = moves;
                self.undone.clear();
                self.hints = 0;
                if trace.solved {
                    self.congratulate(solver, limits);
                } else {
                    self.message.clear();
                }
            }
        }
    }

    fn congratulate(&mut self, solver: &mut dyn Solver, limits: &Limits) {
        let mine = self.moves.len();
        let optimum = self.optimum(solver, limits).map(Solution::len);
        self.message = match optimum {
            Some(fewest) if fewest == mine => {
                format!("Solved in {}, the fewest possible!", plural(mine, "move"))
            }
            Some(fewest) => format!(
                "Solved in {}; {fewest} would do. Press 0 to start again, then S for a solution.",
                plural(mine, "move")
            ),
            None => format!("Solved in {}.", plural(mine, "move")),
        };
    }

    /// A shortest solution from the start.
    fn optimum(&mut self, solver: &mut dyn Solver, limits: &Limits) -> Option<&Solution> {
        if self.optimum.is_none() {
            let (outcome, _) = solver.solve(&self.puzzle, limits, &mut Silent);
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

    /// A shortest way from where the robots stand now.
    fn way_from_here(&self, solver: &mut dyn Solver, limits: &Limits) -> Outcome {
        let here = self
            .puzzle
            .with_position(self.state().cells(), self.puzzle.goal());
        match here {
            Ok(puzzle) => {
                solver
                    .solve(&puzzle.with_rules(self.puzzle.rules()), limits, &mut Silent)
                    .0
            }
            Err(_) => Outcome::Unsolvable,
        }
    }

    fn hint(&mut self, solver: &mut dyn Solver, limits: &Limits) {
        let outcome = self.way_from_here(solver, limits);
        let Outcome::Solved { solution, .. } = &outcome else {
            self.message = verdict(&outcome);
            return;
        };
        let Some(first) = solution.moves().first() else {
            "The robot is on the target already.".clone_into(&mut self.message);
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
                    listed(&names)
                )
            }
            _ => format!(
                "Next: {first}, the {} robot goes {}.",
                first.robot, first.direction
            ),
        };
    }

    fn solve(&mut self, solver: &mut dyn Solver, limits: &Limits) {
        let outcome = self.way_from_here(solver, limits);
        self.message = match &outcome {
            Outcome::Solved { solution, .. } if solution.is_empty() => {
                "The robot is on the target already.".to_owned()
            }
            Outcome::Solved { solution, .. } => {
                format!("{} from here: {solution}", plural(solution.len(), "move"))
            }
            _ => verdict(&outcome),
        };
    }
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

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| {
        first.to_uppercase().chain(letters).collect()
    })
}

#[cfg(test)]
mod tests {
    use ricochet::notation;
    use ricochet_solve::registry::SolverSpec;

    use super::*;

    fn game() -> Game {
        let puzzle = notation::parse_line("4x3..0012.R31")
            .unwrap()
            .validate()
            .unwrap();
        Game::new(puzzle, 7)
    }

    fn said(game: &mut Game, line: &str) -> String {
        let mut solver = "flagship".parse::<SolverSpec>().unwrap().build();
        for wish in Wish::parse_line(line).unwrap() {
            assert!(
                game.wish(wish, solver.as_mut(), &Limits::default())
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
            "The red robot at (0,0) cannot go north: a wall is in the way."
        );
        assert_eq!(said(&mut game, "right"), "");
        assert_eq!(game.line(), "1 move: RE");
        assert_eq!(said(&mut game, "u"), "Took back RE.");
        assert_eq!(said(&mut game, "u"), "There is no move to take back.");
        assert!(said(&mut game, "redo reset g").starts_with("Selected green"));
        assert_eq!(said(&mut game, "s"), "3 moves from here: RE GE RS");
        assert_eq!(
            said(&mut game, "ge re rs"),
            "Solved in 3 moves, the fewest possible!"
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
        let error = Wish::parse_line("RN jump").unwrap_err();
        assert!(
            error.contains("'jump' is not a move or a command"),
            "{error}"
        );
        assert_eq!(
            Wish::parse_line("silver w").unwrap(),
            [Wish::Select(Robot::SILVER); 2]
        );
    }
}
