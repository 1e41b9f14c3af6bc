//! [`Setup`], which may contain any mistake, and [`Puzzle`], which is always valid.

use std::sync::Arc;

use crate::board::{Board, CLOSED, Diagonal, Target, add_rim, board_problems};
use crate::geometry::{Cell, Direction, Symmetry};
use crate::problem::{Problem, ValidationError};
use crate::quadrants::Layout;
use crate::robot::{MAX_ROBOTS, Robot};
use crate::state::State;

/// Which robot has to arrive where.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Goal {
    /// The active robot; `None` if any robot will do.
    pub robot: Option<Robot>,
    /// The target.
    pub cell: Cell,
}

/// Variants of the rules. The default is what published solvers use (`docs/sources.md`).
///
/// ```
/// use ricochet_core::{Rules, Solution, notation};
/// let puzzle = notation::parse_line("8x8..00.R70").unwrap().validate().unwrap();
/// let straight: Solution = "RE".parse().unwrap();
/// assert!(straight.replay(&puzzle).is_ok());
/// let strict = puzzle.with_rules(Rules { must_ricochet: true });
/// assert!(straight.replay(&strict).is_err());
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Rules {
    /// The robot that arrives must have travelled along a row and along a column; a turn at a
    /// diagonal counts. No robot that may arrive may stop on the target before it has. The printed
    /// rules require this, published solvers and their puzzles do not.
    pub must_ricochet: bool,
}

/// A position as a parser read it, which may contain any mistake. [`Setup::validate`] turns it into
/// a [`Puzzle`].
///
/// ```
/// use ricochet_core::{Cell, Problem, Setup};
/// let mut setup = Setup::empty(16, 16);
/// setup.robots = vec![Cell::new(0, 0), Cell::new(0, 0)];
/// setup.active = Some(2);
/// setup.target = Cell::new(99, 0);
/// let invalid = setup.validate().unwrap_err();
/// assert_eq!(invalid.problems.len(), 3, "all of them, not just the first");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setup {
    /// The name, if it has one.
    pub id: Option<String>,
    /// Columns.
    pub width: usize,
    /// Rows.
    pub height: usize,
    /// One mask per cell, row by row: N=1, E=2, S=4, W=8.
    pub walls: Vec<u8>,
    /// Diagonals.
    pub diagonals: Vec<Diagonal>,
    /// Printed targets (the goal need not be one).
    pub targets: Vec<Target>,
    /// Cells of the robots in the order of [`Robot::ALL`].
    pub robots: Vec<Cell>,
    /// Index of the robot that has to arrive; `None` for any.
    pub active: Option<usize>,
    /// The target's cell.
    pub target: Cell,
    /// Variants of the rules.
    pub rules: Rules,
    /// The optimal number of moves, if the source states it.
    pub optimal: Option<u32>,
    /// The board that walls, diagonals and targets were taken from, if any.
    source: SourceBoard,
}

/// The valid board that a setup was taken from: a cache for [`Setup::validate`], which comparisons of
/// setups ignore.
#[derive(Clone, Debug, Default)]
struct SourceBoard(Option<Arc<Board>>);

impl PartialEq for SourceBoard {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for SourceBoard {}

impl Setup {
    /// A board with nothing but its rim, no robots, and the goal 'any robot on (0,0)'.
    pub fn empty(width: usize, height: usize) -> Self {
        let mut walls = Vec::new();
        if (1..=255).contains(&width) && (1..=255).contains(&height) {
            walls.resize(width * height, 0);
            add_rim(width, height, &mut walls);
        }
        Self {
            id: None,
            width,
            height,
            walls,
            diagonals: Vec::new(),
            targets: Vec::new(),
            robots: Vec::new(),
            active: None,
            target: Cell::default(),
            rules: Rules::default(),
            optimal: None,
            source: SourceBoard::default(),
        }
    }

    /// A board with everything printed on it, no robots, and the goal 'any robot on (0,0)'. As long
    /// as walls, diagonals and targets are unchanged, [`Setup::validate`] reuses this board.
    pub fn from_board(board: impl Into<Arc<Board>>) -> Self {
        let board = board.into();
        Self {
            id: None,
            width: board.width(),
            height: board.height(),
            walls: board.walls().to_vec(),
            diagonals: board.diagonals().to_vec(),
            targets: board.targets().to_vec(),
            robots: Vec::new(),
            active: None,
            target: Cell::default(),
            rules: Rules::default(),
            optimal: None,
            source: SourceBoard(Some(board)),
        }
    }

    /// The targets printed on the quadrants that these walls belong to; none if they are not those of
    /// a printed board. Some formats keep only the goal.
    pub fn printed_targets(&self) -> Vec<Target> {
        let (width, height) = (self.width, self.height);
        let board = Board::from_parts(width, height, &self.walls, Vec::new(), Vec::new());
        let layout = board.ok().and_then(|board| Layout::from_walls(&board));
        layout.map_or_else(Vec::new, |layout| layout.board().targets().to_vec())
    }

    /// The board that the parts were taken from, if they are unchanged.
    fn unchanged_board(&mut self) -> Option<Arc<Board>> {
        let board = self.source.0.take()?;
        let same = (board.width(), board.height()) == (self.width, self.height)
            && board.walls() == self.walls
            && board.diagonals() == self.diagonals
            && board.targets() == self.targets;
        same.then_some(board)
    }

    /// Every reason why it is not a valid puzzle.
    pub fn problems(&self) -> Vec<Problem> {
        let mut problems = board_problems(
            self.width,
            self.height,
            &self.walls,
            &self.diagonals,
            &self.targets,
        );
        problems.extend(self.pieces().problems());
        problems
    }

    /// The robots and the goal.
    fn pieces(&self) -> Pieces<'_> {
        Pieces {
            width: self.width,
            height: self.height,
            walls: &self.walls,
            robots: &self.robots,
            active: self.active,
            target: self.target,
        }
    }

    /// Adds the missing sides of walls, and the rim; returns how many masks changed. Does nothing if
    /// the number of masks does not match the size.
    pub fn repair_walls(&mut self) -> usize {
        let (width, height) = (self.width, self.height);
        if width == 0 || height == 0 || width.checked_mul(height) != Some(self.walls.len()) {
            return 0;
        }
        let before = self.walls.clone();
        add_rim(width, height, &mut self.walls);
        for (index, &mask) in before.iter().enumerate() {
            let (x, y) = (index % width, index / width);
            for side in Direction::ALL {
                let next = match side {
                    Direction::North => (y > 0).then(|| index - width),
                    Direction::East => (x + 1 < width).then(|| index + 1),
                    Direction::South => (y + 1 < height).then(|| index + width),
                    Direction::West => (x > 0).then(|| index - 1),
                };
                if let Some(next) = next
                    && mask & side.wall_bit() != 0
                {
                    self.walls[next] |= side.opposite().wall_bit();
                }
            }
        }
        let changed = before.iter().zip(&self.walls).filter(|(a, b)| a != b);
        changed.count()
    }

    /// Turns it into a puzzle.
    ///
    /// # Errors
    /// Everything that is wrong.
    pub fn validate(mut self) -> Result<Puzzle, ValidationError> {
        let unchanged = self.unchanged_board();
        let problems = match &unchanged {
            Some(_) => self.pieces().problems(),
            None => self.problems(),
        };
        if !problems.is_empty() {
            return Err(ValidationError { problems });
        }
        let board = unchanged.unwrap_or_else(|| {
            Arc::new(Board::from_valid_parts(
                self.width,
                self.height,
                self.walls.into(),
                self.diagonals,
                self.targets,
            ))
        });
        let start = State::new(&self.robots).expect("at most eight robots");
        Ok(Puzzle {
            id: self.id,
            board,
            start,
            goal: Goal {
                robot: self.active.and_then(Robot::new),
                cell: self.target,
            },
            rules: self.rules,
            optimal: self.optimal,
        })
    }
}

/// The robots and the goal on a board.
struct Pieces<'a> {
    width: usize,
    height: usize,
    walls: &'a [u8],
    robots: &'a [Cell],
    active: Option<usize>,
    target: Cell,
}

impl Pieces<'_> {
    fn is_on_board(&self, cell: Cell) -> bool {
        usize::from(cell.x) < self.width && usize::from(cell.y) < self.height
    }

    fn is_closed(&self, cell: Cell) -> bool {
        // The size may be huge, and may not match the number of masks.
        usize::from(cell.y)
            .checked_mul(self.width)
            .and_then(|row| self.walls.get(row.checked_add(usize::from(cell.x))?))
            .is_some_and(|mask| mask & CLOSED == CLOSED)
    }

    /// Everything that is wrong with them.
    fn problems(&self) -> Vec<Problem> {
        let mut problems = Vec::new();
        if self.robots.is_empty() {
            problems.push(Problem::NoRobots);
        }
        if self.robots.len() > MAX_ROBOTS {
            problems.push(Problem::TooManyRobots {
                found: self.robots.len(),
            });
        }
        for (i, (robot, &cell)) in Robot::ALL.into_iter().zip(self.robots).enumerate() {
            if !self.is_on_board(cell) {
                problems.push(Problem::RobotOffBoard { robot, cell });
            } else if self.is_closed(cell) {
                problems.push(Problem::RobotClosed { robot, cell });
            }
            let is_first = !self.robots[..i].contains(&cell);
            let there = || {
                Robot::ALL
                    .into_iter()
                    .zip(self.robots)
                    .filter(|it| *it.1 == cell)
            };
            if is_first && there().count() > 1 {
                problems.push(Problem::RobotsCollide {
                    robots: there().map(|(robot, _)| robot).collect(),
                    cell,
                });
            }
        }
        if let Some(active) = self.active
            && active >= self.robots.len()
        {
            problems.push(Problem::NoSuchActiveRobot {
                active,
                robots: self.robots.len(),
            });
        }
        if !self.is_on_board(self.target) {
            problems.push(Problem::GoalOffBoard { cell: self.target });
        } else if self.is_closed(self.target) {
            problems.push(Problem::GoalClosed { cell: self.target });
        }
        problems
    }
}

/// A valid position with a goal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Puzzle {
    id: Option<String>,
    board: Arc<Board>,
    start: State,
    goal: Goal,
    rules: Rules,
    optimal: Option<u32>,
}

impl Puzzle {
    /// Puts robots and a goal on a board.
    ///
    /// # Errors
    /// Everything that is wrong.
    pub fn new(
        board: impl Into<Arc<Board>>,
        robots: &[Cell],
        goal: Goal,
    ) -> Result<Self, ValidationError> {
        let board = board.into();
        // The board is valid already, so only robots and goal are checked.
        let problems = Pieces {
            width: board.width(),
            height: board.height(),
            walls: board.walls(),
            robots,
            active: goal.robot.map(Robot::index),
            target: goal.cell,
        }
        .problems();
        if !problems.is_empty() {
            return Err(ValidationError { problems });
        }
        Ok(Self {
            id: None,
            board,
            start: State::new(robots).expect("at most eight robots"),
            goal,
            rules: Rules::default(),
            optimal: None,
        })
    }

    /// The same puzzle with a name.
    #[must_use]
    pub fn with_id(mut self, id: impl Into<String>) -> Self {
        self.id = Some(id.into());
        self
    }

    /// The same puzzle with other rules. A known optimum is dropped if the rules differ.
    #[must_use]
    pub fn with_rules(mut self, rules: Rules) -> Self {
        if rules != self.rules {
            self.optimal = None;
        }
        self.rules = rules;
        self
    }

    /// The same puzzle with a known optimum.
    #[must_use]
    pub fn with_optimal(mut self, optimal: Option<u32>) -> Self {
        self.optimal = optimal;
        self
    }

    /// Other robots and another goal on the same board, without name and optimum.
    ///
    /// # Errors
    /// Everything that is wrong.
    pub fn with_position(&self, robots: &[Cell], goal: Goal) -> Result<Self, ValidationError> {
        Ok(Self::new(Arc::clone(&self.board), robots, goal)?.with_rules(self.rules))
    }

    /// Its name.
    pub fn id(&self) -> Option<&str> {
        self.id.as_deref()
    }

    /// The board.
    pub fn board(&self) -> &Arc<Board> {
        &self.board
    }

    /// Where the robots start.
    pub fn start(&self) -> State {
        self.start
    }

    /// Which robot has to arrive where.
    pub fn goal(&self) -> Goal {
        self.goal
    }

    /// The rules.
    pub fn rules(&self) -> Rules {
        self.rules
    }

    /// The optimal number of moves, if the source of the puzzle states it. Solvers never use it.
    pub fn known_optimal(&self) -> Option<u32> {
        self.optimal
    }

    /// Whether a robot that may arrive is on the target. With `must_ricochet` this is necessary but
    /// not sufficient.
    pub fn is_on_target(&self, state: State) -> bool {
        match self.goal.robot {
            Some(robot) => state[robot] == self.goal.cell,
            None => state.cells().contains(&self.goal.cell),
        }
    }

    /// Whether the puzzle is solved before any move.
    pub fn is_solved(&self, state: State) -> bool {
        !self.rules.must_ricochet && self.is_on_target(state)
    }

    /// The interchangeable robots: all but the active one and those with a diagonal of their colour on
    /// the board. States that differ only by a permutation of these are equally far from the goal.
    ///
    /// With `must_ricochet` and an any-robot goal, the axes that each robot has travelled along must be
    /// permuted as well.
    ///
    /// ```
    /// use ricochet_core::{Robot, notation};
    /// let puzzle = notation::parse_line("8x8..001122.R77.dsG44").unwrap().validate().unwrap();
    /// // Red has to arrive, and green passes a diagonal that turns the others.
    /// assert_eq!(puzzle.interchangeable(), [Robot::BLUE]);
    /// ```
    pub fn interchangeable(&self) -> Vec<Robot> {
        self.start
            .robots()
            .filter(|&robot| {
                Some(robot) != self.goal.robot
                    && !self.board.diagonals().iter().any(|d| d.color == robot)
            })
            .collect()
    }

    /// The state after a move, found by the fast tables; `None` if the robot cannot move.
    #[inline]
    pub fn apply(&self, state: State, robot: Robot, direction: Direction) -> Option<State> {
        let from = state[robot];
        let end = self.board.slide(robot, from, direction, state.cells());
        (end != from).then(|| state.with(robot, end))
    }

    /// The image of the puzzle under a symmetry; it has the same optimum.
    #[must_use]
    pub fn transformed(&self, symmetry: Symmetry) -> Self {
        let image = |cell| symmetry.cell(cell, self.board.width(), self.board.height());
        let cells: Vec<Cell> = self.start.cells().iter().map(|&cell| image(cell)).collect();
        Self {
            id: self.id.clone(),
            board: Arc::new(self.board.transformed(symmetry)),
            start: State::new(&cells).expect("as many robots as before"),
            goal: Goal {
                robot: self.goal.robot,
                cell: image(self.goal.cell),
            },
            rules: self.rules,
            optimal: self.optimal,
        }
    }

    /// The puzzle as a setup.
    pub fn to_setup(&self) -> Setup {
        Setup {
            id: self.id.clone(),
            robots: self.start.cells().to_vec(),
            active: self.goal.robot.map(Robot::index),
            target: self.goal.cell,
            rules: self.rules,
            optimal: self.optimal,
            ..Setup::from_board(Arc::clone(&self.board))
        }
    }
}
