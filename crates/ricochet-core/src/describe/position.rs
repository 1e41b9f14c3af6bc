//! A whole position in words.

use super::error::DescriptionError;
use super::robots::Robots;
use super::target::GoalDescription;
use crate::puzzle::{Puzzle, Rules, Setup};
use crate::quadrants::Layout;

/// A position on a printed board, as a player describes it.
///
/// ```
/// use ricochet_core::describe::Position;
/// let position = Position {
///     layout: "4B3B2B1A".parse()?,
///     robots: "yellow c2, red c15, green a4, blue l3".parse()?,
///     target: "blue gear".parse()?,
///     must_ricochet: false,
/// };
/// let puzzle = position.setup()?.validate()?;
/// assert_eq!(ricochet_core::notation::to_line(&puzzle), "4B3B2B1A.2e03b221.B9c");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    /// The four sides of the board.
    pub layout: Layout,
    /// Where the robots stand.
    pub robots: Robots,
    /// What is to be reached.
    pub target: GoalDescription,
    /// Whether the robot that arrives must have turned at least once.
    pub must_ricochet: bool,
}

impl Position {
    /// The position as a setup.
    ///
    /// ```
    /// use ricochet_core::describe::Position;
    /// let position = Position {
    ///     layout: "1A 4B 3B 2B".parse()?,
    ///     robots: "R 0,0".parse()?,
    ///     target: "green hexagon".parse()?,
    ///     must_ricochet: false,
    /// };
    /// let error = position.setup().unwrap_err();
    /// assert!(error.to_string().starts_with("the green robot has to arrive"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If a robot has no place or the words fit no target.
    pub fn setup(&self) -> Result<Setup, DescriptionError> {
        let mut setup = Setup::from_board(self.layout.board());
        self.robots.place(&mut setup)?;
        self.target.aim(&mut setup)?;
        setup.rules = Rules {
            must_ricochet: self.must_ricochet,
        };
        Ok(setup)
    }

    /// The words for a puzzle, if its board is a printed one with everything that is printed on it.
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
