//! Moves, solutions, and their replay by code that shares nothing with the solvers.

use std::fmt;
use std::str::FromStr;

use crate::geometry::{Cell, Direction};
use crate::puzzle::Puzzle;
use crate::robot::Robot;
use crate::slide::{Obstacle, slide_slowly};
use crate::state::State;

/// A move of one robot: `RN`, `GE`, …
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Move {
    /// The robot.
    pub robot: Robot,
    /// Its direction.
    pub direction: Direction,
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.robot.letter(), self.direction.letter())
    }
}

/// A text that is not a move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseMoveError {
    /// The text.
    pub text: String,
}

impl fmt::Display for ParseMoveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "'{}' is not a move: expected a robot ({}) and a direction (N, E, S, W), such as RN",
            self.text.escape_debug(),
            Robot::LETTERS
        )
    }
}

impl std::error::Error for ParseMoveError {}

impl FromStr for Move {
    type Err = ParseMoveError;

    fn from_str(text: &str) -> Result<Self, ParseMoveError> {
        let mut letters = text.chars();
        let parsed = (|| {
            let robot = Robot::from_letter(letters.next()?)?;
            let direction = Direction::from_letter(letters.next()?)?;
            letters
                .next()
                .is_none()
                .then_some(Self { robot, direction })
        })();
        parsed.ok_or_else(|| ParseMoveError {
            text: text.chars().take(40).collect(),
        })
    }
}

/// A sequence of moves. An empty one means 'already solved'.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Solution {
    moves: Vec<Move>,
}

impl Solution {
    /// The solution with these moves.
    pub fn new(moves: Vec<Move>) -> Self {
        Self { moves }
    }

    /// The moves in order.
    pub fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// The moves in order, by value.
    pub fn into_moves(self) -> Vec<Move> {
        self.moves
    }

    /// The number of moves.
    pub fn len(&self) -> usize {
        self.moves.len()
    }

    /// Whether there are no moves.
    pub fn is_empty(&self) -> bool {
        self.moves.is_empty()
    }

    /// Plays the moves cell by cell from the start of `puzzle` and checks that the goal is reached.
    ///
    /// ```
    /// use ricochet_core::{Board, Cell, Goal, Puzzle, Robot, Solution};
    /// let board = Board::builder(8, 8).build().unwrap();
    /// let goal = Goal { robot: Some(Robot::RED), cell: Cell::new(7, 7) };
    /// let puzzle = Puzzle::new(board, &[Cell::new(0, 0)], goal).unwrap();
    /// let trace = "RE RS".parse::<Solution>().unwrap().replay(&puzzle).unwrap();
    /// assert_eq!(trace.steps[1].to, Cell::new(7, 7));
    /// assert!("RE".parse::<Solution>().unwrap().replay(&puzzle).is_err());
    /// ```
    ///
    /// # Errors
    /// The first illegal move, or that the goal is not reached at the end.
    pub fn replay(&self, puzzle: &Puzzle) -> Result<Trace, ReplayError> {
        let trace = Trace::play(puzzle, &self.moves)?;
        if trace.solved {
            Ok(trace)
        } else {
            Err(ReplayError::NotSolved {
                trace: Box::new(trace),
            })
        }
    }
}

impl From<Vec<Move>> for Solution {
    fn from(moves: Vec<Move>) -> Self {
        Self::new(moves)
    }
}

impl fmt::Display for Solution {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, step) in self.moves.iter().enumerate() {
            if i > 0 {
                f.write_str(" ")?;
            }
            step.fmt(f)?;
        }
        Ok(())
    }
}

impl FromStr for Solution {
    type Err = ParseMoveError;

    /// Moves separated by white space or commas.
    fn from_str(text: &str) -> Result<Self, ParseMoveError> {
        text.split(|c: char| c.is_whitespace() || c == ',')
            .filter(|word| !word.is_empty())
            .map(str::parse)
            .collect::<Result<Vec<Move>, _>>()
            .map(Self::new)
    }
}

/// A move as it was played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// The move.
    pub play: Move,
    /// Where the robot was.
    pub from: Cell,
    /// Where it stopped.
    pub to: Cell,
    /// Every cell it entered, with the heading in which it entered.
    pub path: Vec<(Cell, Direction)>,
    /// What stopped it.
    pub obstacle: Obstacle,
    /// The state after the move.
    pub state: State,
}

/// A sequence of moves as it was played from a puzzle's start.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trace {
    /// The state before the first move.
    pub start: State,
    /// The moves.
    pub steps: Vec<Step>,
    /// Whether the goal is reached at the end, under the puzzle's rules.
    pub solved: bool,
    /// Under `must_ricochet`: the index of the first move with which a robot that may arrive has
    /// stopped on the target without having turned. No moves after it reach the goal.
    pub straight_arrival: Option<usize>,
}

impl Trace {
    /// Plays moves, whether or not they lead to the goal.
    ///
    /// ```
    /// use ricochet_core::{Trace, Solution, notation};
    /// let puzzle = notation::parse_line("8x8..00.R77").unwrap().validate().unwrap();
    /// let play = |text: &str| Trace::play(&puzzle, text.parse::<Solution>().unwrap().moves());
    /// assert!(!play("RE").unwrap().solved, "a legal beginning");
    /// assert_eq!(
    ///     play("RE RN").unwrap_err().to_string(),
    ///     "move 2 (RN): the red robot at (7,0) cannot go north: the rim is in the way"
    /// );
    /// ```
    ///
    /// # Errors
    /// The first move that is not legal or whose robot does not exist.
    pub fn play(puzzle: &Puzzle, moves: &[Move]) -> Result<Self, ReplayError> {
        let mut state = puzzle.start();
        let mut steps = Vec::with_capacity(moves.len());
        // Whether each robot has travelled along a row, and along a column.
        let mut travelled = [[false; 2]; crate::robot::MAX_ROBOTS];
        let (goal, must_ricochet) = (puzzle.goal(), puzzle.rules().must_ricochet);
        let may_arrive = |robot| goal.robot.is_none_or(|active| active == robot);
        let mut straight_arrival = None;
        for (number, &play) in moves.iter().enumerate() {
            if play.robot.index() >= state.len() {
                return Err(ReplayError::NoSuchRobot { number, play });
            }
            let from = state[play.robot];
            let slide = slide_slowly(
                puzzle.board(),
                play.robot,
                from,
                play.direction,
                state.cells(),
            );
            let to = slide.path.last().map_or(from, |&(cell, _)| cell);
            if to == from || slide.obstacle == Obstacle::Nothing {
                return Err(ReplayError::NoMovement {
                    number,
                    play,
                    at: from,
                    obstacle: slide.obstacle,
                });
            }
            for &(_, heading) in &slide.path {
                travelled[play.robot.index()][usize::from(!heading.is_horizontal())] = true;
            }
            let has_turned = travelled[play.robot.index()] == [true; 2];
            if must_ricochet && !has_turned && to == goal.cell && may_arrive(play.robot) {
                straight_arrival.get_or_insert(number);
            }
            state = state.with(play.robot, to);
            steps.push(Step {
                play,
                from,
                to,
                path: slide.path,
                obstacle: slide.obstacle,
                state,
            });
        }
        let arrived = state.iter().any(|(robot, cell)| {
            cell == goal.cell
                && may_arrive(robot)
                && (!must_ricochet || travelled[robot.index()] == [true; 2])
        });
        Ok(Self {
            start: puzzle.start(),
            steps,
            solved: arrived && straight_arrival.is_none(),
            straight_arrival,
        })
    }

    /// The state after the last move.
    pub fn end(&self) -> State {
        self.steps.last().map_or(self.start, |step| step.state)
    }
}

/// Why a sequence of moves is not a solution.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReplayError {
    /// A move names a robot that the puzzle does not have.
    NoSuchRobot {
        /// Index of the move, from 0.
        number: usize,
        /// The move.
        play: Move,
    },
    /// A move does not move the robot.
    NoMovement {
        /// Index of the move, from 0.
        number: usize,
        /// The move.
        play: Move,
        /// Where the robot is.
        at: Cell,
        /// What is in its way.
        obstacle: Obstacle,
    },
    /// All moves can be played, but the goal is not reached.
    NotSolved {
        /// What was played.
        trace: Box<Trace>,
    },
}

impl fmt::Display for ReplayError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoSuchRobot { number, play } => write!(
                f,
                "move {} ({play}): there is no {} robot",
                number + 1,
                play.robot
            ),
            Self::NoMovement {
                number,
                play,
                at,
                obstacle,
            } => {
                write!(
                    f,
                    "move {} ({play}): the {} robot at {at} cannot go {}: ",
                    number + 1,
                    play.robot,
                    play.direction
                )?;
                match obstacle {
                    Obstacle::Rim => f.write_str("the rim is in the way"),
                    Obstacle::Wall => f.write_str("a wall is in the way"),
                    Obstacle::Robot(cell) => write!(f, "a robot is in the way at {cell}"),
                    Obstacle::Nothing => f.write_str("the diagonals would never let it stop"),
                }
            }
            Self::NotSolved { trace } if let Some(number) = trace.straight_arrival => write!(
                f,
                "move {} ({}): the {} robot stops on the target before it has turned; with \
                 must_ricochet it has to take another route",
                number + 1,
                trace.steps[number].play,
                trace.steps[number].play.robot
            ),
            Self::NotSolved { trace } => match trace.steps.len() {
                0 => f.write_str("there are no moves, and the goal is not reached"),
                1 => f.write_str("the move can be played, but the goal is not reached"),
                2 => f.write_str("both moves can be played, but the goal is not reached"),
                moves => write!(
                    f,
                    "all {moves} moves can be played, but the goal is not reached"
                ),
            },
        }
    }
}

impl std::error::Error for ReplayError {}
