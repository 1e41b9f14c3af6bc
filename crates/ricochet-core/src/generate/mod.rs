//! Seeded puzzles: official layouts or random walls, robots, a target.
//!
//! A [`Recipe`] describes the puzzles. [`Recipe::puzzle`] makes the puzzle with a given seed and
//! number, independently of others, so that work can be split and any puzzle can be made again.
//! [`Recipe::generator`] goes through the numbers. The same recipe, seed and number give the same
//! puzzle on every machine: the random numbers are our own ([`crate::rng`]), and tests pin them.
//!
//! A [`Filter`] keeps or drops each candidate; any closure will do. Filters that need a solver, such as
//! one by optimal length, are in `ricochet-solve`.
//!
//! ```
//! use ricochet_core::Puzzle;
//! use ricochet_core::generate::Recipe;
//! use ricochet_core::quadrants::Edition;
//!
//! // The red robot starts in the target's row.
//! let in_row = |puzzle: Puzzle| {
//!     let robot = puzzle.goal().robot?;
//!     (puzzle.start()[robot].y == puzzle.goal().cell.y).then_some(puzzle)
//! };
//! let mut generator = Recipe::official(Edition::Of1999).generator(42).with_filter(in_row);
//! let puzzle = generator.next().unwrap().unwrap();
//! assert_eq!(puzzle.start()[puzzle.goal().robot.unwrap()].y, puzzle.goal().cell.y);
//! assert!(generator.tried() >= 1);
//! ```
//!
//! All work is bounded: a request that cannot be met is a [`GenerateError`], never a hang.

mod board;
mod error;

use std::sync::Arc;

pub use board::RandomBoard;
pub use error::GenerateError;

use crate::board::{Board, Shape};
use crate::geometry::Cell;
use crate::puzzle::{Goal, Puzzle, Rules};
use crate::quadrants::{Edition, Layout};
use crate::rng::Rng;
use crate::robot::{MAX_ROBOTS, Robot};

/// The board of a puzzle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BoardSource {
    /// A random layout of an edition.
    Official(Edition),
    /// This layout.
    Layout(Layout),
    /// Random walls.
    Random(RandomBoard),
    /// This board.
    Board(Arc<Board>),
}

/// Which robot has to arrive.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum GoalRobot {
    /// As the board's targets have it: of 17 targets, only the vortex is for any robot.
    #[default]
    AnyTarget,
    /// Any single robot, not the vortex.
    OneRobot,
    /// This robot.
    Robot(Robot),
    /// Any robot (the vortex).
    AnyRobot,
}

impl GoalRobot {
    fn allows(self, robot: Option<Robot>) -> bool {
        match self {
            Self::AnyTarget => true,
            Self::OneRobot => robot.is_some(),
            Self::Robot(only) => robot == Some(only),
            Self::AnyRobot => robot.is_none(),
        }
    }
}

/// Where a robot has to arrive.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum GoalCell {
    /// On a printed target.
    #[default]
    PrintedTarget,
    /// On any open cell, printed or not.
    AnyCell,
}

/// What puzzles to generate.
///
/// ```
/// use ricochet_core::generate::{Recipe, GoalRobot};
/// use ricochet_core::quadrants::Edition;
/// let recipe = Recipe {
///     robots: 5,
///     goal_robot: GoalRobot::AnyRobot,
///     ..Recipe::official(Edition::Of2013)
/// };
/// let puzzle = recipe.puzzle(2024, 0).unwrap();
/// assert_eq!(puzzle.start().len(), 5);
/// assert_eq!(puzzle.goal().robot, None);
/// assert_eq!(recipe.puzzle(2024, 0), Ok(puzzle), "the same again");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recipe {
    /// The board.
    pub board: BoardSource,
    /// Number of robots, 1..=8.
    pub robots: usize,
    /// Which robot has to arrive.
    pub goal_robot: GoalRobot,
    /// Where it has to arrive.
    pub goal_cell: GoalCell,
    /// Whether any robot may start on the target.
    pub start_on_target: bool,
    /// The puzzle's rules.
    pub rules: Rules,
}

impl Recipe {
    /// Four robots on random layouts of an edition, any printed target.
    pub fn official(edition: Edition) -> Self {
        Self::on(BoardSource::Official(edition))
    }

    /// Four robots on one layout, any printed target.
    pub fn layout(layout: Layout) -> Self {
        Self::on(BoardSource::Layout(layout))
    }

    /// Four robots on random boards (fewer if there is no room for four), any printed target.
    pub fn random(board: RandomBoard) -> Self {
        let mut recipe = Self::on(BoardSource::Random(board));
        let open = (board.width.saturating_mul(board.height)).saturating_sub(1);
        recipe.robots = open.clamp(1, 4);
        recipe
    }

    /// Four robots and any printed target on the given kind of board.
    pub fn on(board: BoardSource) -> Self {
        Self {
            board,
            robots: 4,
            goal_robot: GoalRobot::default(),
            goal_cell: GoalCell::default(),
            start_on_target: false,
            rules: Rules::default(),
        }
    }

    /// Checks that the recipe is possible.
    ///
    /// ```
    /// use ricochet_core::generate::{RandomBoard, Recipe};
    /// let recipe = Recipe { robots: 4, ..Recipe::random(RandomBoard::new(2, 2)) };
    /// let error = recipe.check().unwrap_err();
    /// assert_eq!(error.to_string(), "4 robots and a free target need 5 open cells, the board has 4");
    /// ```
    ///
    /// # Errors
    /// The first reason why no seed can work.
    pub fn check(&self) -> Result<(), GenerateError> {
        if !(1..=MAX_ROBOTS).contains(&self.robots) {
            return Err(GenerateError::Robots { asked: self.robots });
        }
        if let GoalRobot::Robot(robot) = self.goal_robot
            && robot.index() >= self.robots
        {
            return Err(GenerateError::NoSuchRobot {
                robot,
                robots: self.robots,
            });
        }
        let open = match &self.board {
            BoardSource::Official(_) | BoardSource::Layout(_) => 252,
            BoardSource::Random(random) => {
                random.check()?;
                random.width * random.height - random.closed_cells()
            }
            BoardSource::Board(board) => open_cells(board).len(),
        };
        let needed = self.robots + usize::from(!self.start_on_target);
        if open < needed {
            return Err(GenerateError::Crowded {
                open,
                robots: self.robots,
                free_target: !self.start_on_target,
            });
        }
        Ok(())
    }

    /// The puzzle with this seed and number.
    ///
    /// # Errors
    /// Why the recipe is impossible, or why this seed and number fail (corners that did not fit, a board
    /// without such a target).
    pub fn puzzle(&self, seed: u64, number: u64) -> Result<Puzzle, GenerateError> {
        self.check()?;
        self.make(&mut Rng::stream(seed, number))
    }

    /// The puzzles of a seed, from number 0 on.
    ///
    /// ```
    /// use ricochet_core::generate::Recipe;
    /// use ricochet_core::quadrants::Edition;
    /// let recipe = Recipe::official(Edition::Of1999);
    /// let puzzles: Result<Vec<_>, _> = recipe.generator(1).take(3).collect();
    /// assert_eq!(puzzles.unwrap()[2], recipe.puzzle(1, 2).unwrap());
    /// ```
    pub fn generator(&self, seed: u64) -> Generator {
        Generator {
            recipe: self.clone(),
            seed,
            next: 0,
            tried: 0,
            max_attempts: Generator::<KeepAll>::DEFAULT_MAX_ATTEMPTS,
            stopped: false,
            filter: KeepAll,
        }
    }

    fn make(&self, rng: &mut Rng) -> Result<Puzzle, GenerateError> {
        let board = self.pick_board(rng)?;
        let open = open_cells(&board);
        let goal = self.pick_goal(&board, &open, rng)?;
        let robots = self.place_robots(open, goal.cell, rng);
        let puzzle = Puzzle::new(board, &robots, goal).expect("robots and goal are on open cells");
        Ok(puzzle.with_rules(self.rules))
    }

    fn pick_board(&self, rng: &mut Rng) -> Result<Arc<Board>, GenerateError> {
        Ok(match &self.board {
            BoardSource::Official(edition) => {
                let index = rng.below(edition.layout_count());
                Arc::new(edition.layout(index).board())
            }
            BoardSource::Layout(layout) => Arc::new(layout.board()),
            BoardSource::Board(board) => Arc::clone(board),
            BoardSource::Random(random) => {
                // The target in question is printed first, in case there is little room.
                let first = match (self.goal_cell, self.goal_robot) {
                    (GoalCell::AnyCell, _) | (_, GoalRobot::AnyTarget) => None,
                    (_, GoalRobot::AnyRobot) => Some((None, Shape::Vortex)),
                    (_, GoalRobot::OneRobot) => {
                        let robot = Robot::ALL[rng.below(self.robots)];
                        Some((Some(robot), Shape::ALL[rng.below(4)]))
                    }
                    (_, GoalRobot::Robot(robot)) => Some((Some(robot), Shape::ALL[rng.below(4)])),
                };
                Arc::new(random.build(self.robots, first, rng)?)
            }
        })
    }

    fn pick_goal(
        &self,
        board: &Board,
        open: &[Cell],
        rng: &mut Rng,
    ) -> Result<Goal, GenerateError> {
        let goals: Vec<Goal> = match self.goal_cell {
            GoalCell::PrintedTarget => board
                .targets()
                .iter()
                .filter(|target| {
                    self.goal_robot.allows(target.robot)
                        && target.robot.is_none_or(|robot| robot.index() < self.robots)
                })
                .map(|target| Goal {
                    robot: target.robot,
                    cell: target.cell,
                })
                .collect(),
            GoalCell::AnyCell => {
                let robot = match self.goal_robot {
                    GoalRobot::Robot(robot) => Some(robot),
                    GoalRobot::AnyRobot => None,
                    GoalRobot::OneRobot => Some(Robot::ALL[rng.below(self.robots)]),
                    // Four targets per robot and one vortex, as printed.
                    GoalRobot::AnyTarget => Robot::ALL[..self.robots]
                        .get(rng.below(4 * self.robots + 1) / 4)
                        .copied(),
                };
                let at = |&cell| Goal { robot, cell };
                open.iter().map(at).collect()
            }
        };
        rng.choose(&goals)
            .copied()
            .ok_or(GenerateError::NoSuchTarget {
                robot: self.goal_robot,
                robots: self.robots,
            })
    }

    fn place_robots(&self, mut open: Vec<Cell>, target: Cell, rng: &mut Rng) -> Vec<Cell> {
        if !self.start_on_target {
            open.retain(|&cell| cell != target);
        }
        (0..self.robots)
            .map(|_| open.swap_remove(rng.below(open.len())))
            .collect()
    }
}

/// The open cells.
fn open_cells(board: &Board) -> Vec<Cell> {
    board
        .cells()
        .filter(|&cell| !board.is_closed(cell))
        .collect()
}

/// Keeps a candidate, perhaps with a name or an optimum added, or drops it. Every closure from a puzzle
/// to an optional puzzle is a filter.
///
/// ```
/// use ricochet_core::Puzzle;
/// use ricochet_core::generate::{Filter, Recipe};
/// use ricochet_core::quadrants::Edition;
///
/// /// Keeps every other candidate.
/// struct EveryOther(bool);
///
/// impl Filter for EveryOther {
///     fn apply(&mut self, candidate: Puzzle) -> Option<Puzzle> {
///         self.0 = !self.0;
///         self.0.then_some(candidate)
///     }
/// }
///
/// let recipe = Recipe::official(Edition::Of1999);
/// let mut generator = recipe.generator(1).with_filter(EveryOther(false));
/// generator.next();
/// assert_eq!(generator.next().unwrap(), recipe.puzzle(1, 2));
/// ```
pub trait Filter {
    /// The candidate, if it is kept.
    fn apply(&mut self, candidate: Puzzle) -> Option<Puzzle>;
}

impl<F: FnMut(Puzzle) -> Option<Puzzle>> Filter for F {
    fn apply(&mut self, candidate: Puzzle) -> Option<Puzzle> {
        self(candidate)
    }
}

/// The filter that keeps everything.
#[derive(Clone, Copy, Debug, Default)]
pub struct KeepAll;

impl Filter for KeepAll {
    fn apply(&mut self, candidate: Puzzle) -> Option<Puzzle> {
        Some(candidate)
    }
}

/// The puzzles of a recipe and a seed by number. It ends only after an error.
///
/// Made by [`Recipe::generator`].
#[derive(Clone, Debug)]
pub struct Generator<W = KeepAll> {
    recipe: Recipe,
    seed: u64,
    next: u64,
    tried: u64,
    max_attempts: u64,
    stopped: bool,
    filter: W,
}

impl<W> Generator<W> {
    /// The default of [`Generator::max_attempts`].
    pub const DEFAULT_MAX_ATTEMPTS: u64 = 1_000_000;

    /// Yields only the candidates that the filter keeps. Replaces an earlier filter.
    pub fn with_filter<V: Filter>(self, filter: V) -> Generator<V> {
        Generator {
            recipe: self.recipe,
            seed: self.seed,
            next: self.next,
            tried: self.tried,
            max_attempts: self.max_attempts,
            stopped: self.stopped,
            filter,
        }
    }

    /// How many candidates in a row may be dropped before the generator gives up with
    /// [`GenerateError::NothingFound`].
    ///
    /// ```
    /// use ricochet_core::Puzzle;
    /// use ricochet_core::generate::{GenerateError, Recipe};
    /// use ricochet_core::quadrants::Edition;
    /// let never = |_: Puzzle| None;
    /// let mut generator = Recipe::official(Edition::Of1999).generator(1).with_filter(never).max_attempts(5);
    /// assert_eq!(generator.next(), Some(Err(GenerateError::NothingFound { tried: 5 })));
    /// assert_eq!(generator.next(), None);
    /// ```
    #[must_use]
    pub fn max_attempts(mut self, candidates: u64) -> Self {
        self.max_attempts = candidates;
        self
    }

    /// The number of candidates so far, kept or not.
    pub fn tried(&self) -> u64 {
        self.tried
    }

    /// The number of the latest candidate, to make that puzzle again; `None` before the first.
    ///
    /// ```
    /// use ricochet_core::generate::Recipe;
    /// use ricochet_core::quadrants::Edition;
    /// let recipe = Recipe::official(Edition::Of1999);
    /// let mut generator = recipe.generator(7);
    /// assert_eq!(generator.number(), None);
    /// let puzzle = generator.next().unwrap();
    /// assert_eq!(recipe.puzzle(7, generator.number().unwrap()), puzzle);
    /// ```
    pub fn number(&self) -> Option<u64> {
        (self.tried > 0).then(|| self.next.wrapping_sub(1))
    }
}

/// How many numbers in a row may fail because something does not fit: one failure does not prove that
/// the recipe is impossible.
pub const MAX_CROWDED_BOARDS: u32 = 16;

impl<W: Filter> Iterator for Generator<W> {
    type Item = Result<Puzzle, GenerateError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.stopped {
            return None;
        }
        let mut crowded = 0;
        for _ in 0..self.max_attempts {
            let candidate = self.recipe.puzzle(self.seed, self.next);
            self.next = self.next.wrapping_add(1);
            self.tried += 1;
            match candidate {
                Err(GenerateError::NoRoomFor { .. }) if crowded < MAX_CROWDED_BOARDS => {
                    crowded += 1;
                }
                Err(error) => {
                    self.stopped = true;
                    return Some(Err(error));
                }
                Ok(candidate) => {
                    if let Some(puzzle) = self.filter.apply(candidate) {
                        return Some(Ok(puzzle));
                    }
                }
            }
        }
        self.stopped = true;
        Some(Err(GenerateError::NothingFound {
            tried: self.max_attempts,
        }))
    }
}
