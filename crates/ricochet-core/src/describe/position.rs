//! A whole position in words.

use std::fmt;
use std::str::FromStr;

use super::DescriptionError;
use super::goal::GoalDescription;
use super::words::{Token, cell_name, named, take_cell, tokens};
use crate::geometry::Cell;
use crate::notation::Item;
use crate::puzzle::{Puzzle, Rules, Setup};
use crate::quadrants::Layout;
use crate::robot::{MAX_ROBOTS, Robot};

/// A position on a printed board, as a player describes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    /// The four sides of the board.
    pub layout: Layout,
    /// The robots.
    pub robots: Robots,
    /// The goal.
    pub target: GoalDescription,
    /// Whether the robot that arrives must have turned at least once.
    pub must_ricochet: bool,
}

impl Position {
    /// The position as a setup.
    ///
    /// # Errors
    /// If a robot is missing or the words match no target.
    pub fn setup(&self) -> Result<Setup, DescriptionError> {
        let mut setup = Setup::from_board(self.layout.board());
        self.robots.place(&mut setup)?;
        self.target.apply_to(&mut setup)?;
        setup.rules = Rules {
            must_ricochet: self.must_ricochet,
        };
        Ok(setup)
    }

    /// The words for a puzzle, if its board is a complete printed one.
    ///
    /// ```
    /// use ricochet_core::{describe::Position, notation};
    /// let puzzle = notation::parse_line("1A4B3B2B.18c1f0c0.G6e")?.validate()?;
    /// let position = Position::from_puzzle(&puzzle).unwrap();
    /// assert_eq!(position.robots.to_string(), "R 1,8  G 12,1  B 15,0  Y 12,0");
    /// assert_eq!(position.target.to_string(), "green hexagon 6,14");
    /// assert_eq!(position.setup()?.validate()?, puzzle);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn from_puzzle(puzzle: &Puzzle) -> Option<Self> {
        let board = puzzle.board();
        let layout = Layout::from_board(board)?;
        if layout.board().targets() != board.targets() {
            return None;
        }
        let goal = puzzle.goal();
        let printed = board
            .targets()
            .iter()
            .find(|target| (target.cell, target.robot) == (goal.cell, goal.robot));
        Some(Self {
            layout,
            robots: Robots::new(puzzle.start().cells()),
            target: printed.map_or_else(|| goal.into(), |&target| target.into()),
            must_ricochet: puzzle.rules().must_ricochet,
        })
    }
}

/// Robots and their cells, such as `R 1,8  G 12,1`.
///
/// ```
/// use ricochet_core::{Cell, Robot, describe::Robots};
/// let robots: Robots = "green at m2, red 1,8".parse()?;
/// assert_eq!(robots.cell(Robot::GREEN), Some(Cell::new(12, 1)));
/// assert_eq!(robots.to_string(), "R 1,8  G 12,1");
/// # Ok::<(), ricochet_core::describe::DescriptionError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Robots {
    /// In the order of [`Robot::ALL`].
    cells: [Option<Cell>; MAX_ROBOTS],
}

impl Robots {
    /// The robots on these cells, in the order of [`Robot::ALL`].
    pub fn new(cells: &[Cell]) -> Self {
        let mut robots = Self::default();
        for (place, &cell) in robots.cells.iter_mut().zip(cells) {
            *place = Some(cell);
        }
        robots
    }

    /// The cell of a robot.
    pub fn cell(&self, robot: Robot) -> Option<Cell> {
        self.cells[robot.index()]
    }

    /// The robots that are named, with their cells.
    pub fn iter(&self) -> impl Iterator<Item = (Robot, Cell)> + '_ {
        Robot::ALL
            .into_iter()
            .filter_map(|robot| Some((robot, self.cell(robot)?)))
    }

    /// Puts these robots on a board; others stay where they are. Drops a stated optimum if a robot moves.
    ///
    /// ```
    /// use ricochet_core::{Cell, describe::Robots, notation};
    /// let mut setup = notation::parse_line("8x8..0034.R77")?;
    /// "green 5,5".parse::<Robots>()?.place(&mut setup)?;
    /// assert_eq!(setup.robots, [Cell::new(0, 0), Cell::new(5, 5)]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If a cell is off the board, or a robot before the named ones is missing.
    pub fn place(&self, setup: &mut Setup) -> Result<(), DescriptionError> {
        for (robot, cell) in self.iter() {
            if usize::from(cell.x) >= setup.width || usize::from(cell.y) >= setup.height {
                return Err(DescriptionError::new(format!(
                    "the {robot} robot at {cell}, or {}, is off the board: columns are 0 to {}, \
                     rows 0 to {}",
                    cell_name(cell),
                    setup.width.saturating_sub(1),
                    setup.height.saturating_sub(1)
                )));
            }
            let (index, count) = (robot.index(), setup.robots.len());
            if index > count {
                let before: Vec<&str> = Robot::ALL[..index].iter().map(|it| it.name()).collect();
                return Err(DescriptionError::new(format!(
                    "where is the {} robot? A position with the {robot} robot has all those before \
                     it: {}",
                    Robot::ALL[count],
                    before.join(", ")
                )));
            }
            if index == count {
                setup.robots.push(cell);
            } else if setup.robots[index] != cell {
                setup.robots[index] = cell;
                // The optimum was that of another position.
                setup.optimal = None;
            }
        }
        Ok(())
    }
}

impl FromStr for Robots {
    type Err = DescriptionError;

    fn from_str(text: &str) -> Result<Self, DescriptionError> {
        let tokens = tokens(text)?;
        let mut rest = tokens.as_slice();
        let mut robots = Self::default();
        while let Some(first) = rest.first() {
            let robot = match first {
                Token::Word(word) => robot_named(word),
                _ => None,
            };
            let Some(robot) = robot else {
                return Err(DescriptionError::new(format!(
                    "expected a robot (R or red, G or green, B or blue, Y or yellow, W or silver, …) \
                     and its cell, found {}",
                    named(Some(first))
                )));
            };
            let Some((cell, after)) = take_cell(&rest[1..])? else {
                return Err(DescriptionError::new(format!(
                    "expected the cell of the {robot} robot, {}, found {}",
                    Item::CellForms,
                    named(rest.get(1))
                )));
            };
            if robots.cells[robot.index()].replace(cell).is_some() {
                return Err(DescriptionError::new(format!(
                    "the {robot} robot is listed twice"
                )));
            }
            rest = after;
        }
        if robots == Self::default() {
            return Err(DescriptionError::new(
                "expected robots and their cells, such as R 1,8  G 12,1  B 15,0  Y 12,0",
            ));
        }
        Ok(robots)
    }
}

/// A robot's colour or letter.
pub(super) fn robot_named(word: &str) -> Option<Robot> {
    let mut letters = word.chars();
    match (letters.next(), letters.next()) {
        (Some(letter), None) => Robot::from_letter(letter),
        _ => Robot::from_name(word),
    }
}

impl fmt::Display for Robots {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, (robot, Cell { x, y })) in self.iter().enumerate() {
            let gap = if i > 0 { "  " } else { "" };
            write!(f, "{gap}{} {x},{y}", robot.letter())?;
        }
        Ok(())
    }
}
