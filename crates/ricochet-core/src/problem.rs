//! Everything that can be wrong with a [`Setup`](crate::Setup).

use std::fmt;

use crate::describe::join_with_and;
use crate::geometry::{Cell, Direction, MAX_SIDE};
use crate::robot::{MAX_ROBOTS, Robot};

/// One thing that is wrong with a setup.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Problem {
    /// A side is not within 2..=32.
    Size {
        /// Columns.
        width: usize,
        /// Rows.
        height: usize,
    },
    /// The number of wall masks is not the number of cells.
    WallCount {
        /// Number of cells.
        expected: usize,
        /// Number of masks.
        found: usize,
    },
    /// A wall mask has bits other than N=1, E=2, S=4, W=8.
    WallMask {
        /// Where.
        cell: Cell,
        /// Its value.
        mask: u8,
    },
    /// A wall is off the board.
    WallOffBoard {
        /// Where.
        cell: Cell,
        /// Which side.
        side: Direction,
    },
    /// A wall has only one side. [`Setup::repair_walls`](crate::Setup::repair_walls) adds the other.
    OneSidedWall {
        /// The cell that has it.
        cell: Cell,
        /// On which side.
        side: Direction,
    },
    /// A cell at the rim has no outer wall. [`Setup::repair_walls`](crate::Setup::repair_walls) adds it.
    OpenRim {
        /// The cell.
        cell: Cell,
        /// Its outer side.
        side: Direction,
    },
    /// A diagonal is off the board.
    DiagonalOffBoard {
        /// Where.
        cell: Cell,
    },
    /// A diagonal is on a closed cell.
    DiagonalClosed {
        /// Where.
        cell: Cell,
    },
    /// Two diagonals share a cell.
    TwoDiagonals {
        /// Where.
        cell: Cell,
    },
    /// A printed target is off the board.
    TargetOffBoard {
        /// Where.
        cell: Cell,
    },
    /// A printed target is on a closed cell.
    TargetClosed {
        /// Where.
        cell: Cell,
    },
    /// Two printed targets share a cell.
    TwoTargets {
        /// Where.
        cell: Cell,
    },
    /// There is no robot.
    NoRobots,
    /// There are more than eight robots.
    TooManyRobots {
        /// How many.
        found: usize,
    },
    /// A robot is off the board.
    RobotOffBoard {
        /// Which.
        robot: Robot,
        /// Where.
        cell: Cell,
    },
    /// A robot is on a closed cell.
    RobotClosed {
        /// Which.
        robot: Robot,
        /// Where.
        cell: Cell,
    },
    /// Robots share a cell.
    RobotsCollide {
        /// All of them: two or more.
        robots: Vec<Robot>,
        /// Where.
        cell: Cell,
    },
    /// The robot that has to arrive does not exist.
    NoSuchActiveRobot {
        /// Its index.
        active: usize,
        /// Number of robots.
        robots: usize,
    },
    /// The goal is off the board.
    GoalOffBoard {
        /// Where.
        cell: Cell,
    },
    /// The goal is on a closed cell.
    GoalClosed {
        /// Where.
        cell: Cell,
    },
}

impl Problem {
    /// Whether [`Setup::repair_walls`](crate::Setup::repair_walls) repairs it.
    pub fn is_repairable(&self) -> bool {
        matches!(self, Self::OneSidedWall { .. } | Self::OpenRim { .. })
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Size { width, height } => write!(
                f,
                "a board of {width}×{height} cells is not supported: a side can have 2 to {MAX_SIDE} cells"
            ),
            Self::WallCount { expected, found } => {
                write!(f, "{found} wall masks for {expected} cells")
            }
            Self::WallMask { cell, mask } => {
                write!(f, "the wall mask {mask} of {cell} is not within 0..=15")
            }
            Self::WallOffBoard { cell, side } => {
                write!(f, "a wall on the {side} side of {cell} is off the board")
            }
            Self::OneSidedWall { cell, side } => write!(
                f,
                "the wall on the {side} side of {cell} is missing on its neighbour's side"
            ),
            Self::OpenRim { cell, side } => {
                write!(f, "the rim is open on the {side} side of {cell}")
            }
            Self::DiagonalOffBoard { cell } => write!(f, "the diagonal at {cell} is off the board"),
            Self::DiagonalClosed { cell } => {
                write!(f, "the diagonal at {cell} is on a closed cell")
            }
            Self::TwoDiagonals { cell } => write!(f, "two diagonals at {cell}"),
            Self::TargetOffBoard { cell } => {
                write!(f, "the printed target at {cell} is off the board")
            }
            Self::TargetClosed { cell } => {
                write!(f, "the printed target at {cell} is on a closed cell")
            }
            Self::TwoTargets { cell } => write!(f, "two printed targets at {cell}"),
            Self::NoRobots => f.write_str("no robots"),
            Self::TooManyRobots { found } => {
                write!(f, "{found} robots, at most {MAX_ROBOTS} are supported")
            }
            Self::RobotOffBoard { robot, cell } => {
                write!(f, "the {robot} robot at {cell} is off the board")
            }
            Self::RobotClosed { robot, cell } => {
                write!(f, "the {robot} robot at {cell} is on a closed cell")
            }
            Self::RobotsCollide { robots, cell } => {
                let names: Vec<String> =
                    robots.iter().map(|robot| format!("the {robot}")).collect();
                let all = if robots.len() == 2 { "both" } else { "all" };
                write!(f, "{} robot are {all} at {cell}", join_with_and(&names))
            }
            Self::NoSuchActiveRobot { active, robots } => {
                match Robot::new(*active) {
                    Some(robot) => write!(f, "the {robot} robot has to reach the target")?,
                    None => write!(f, "robot {active} has to reach the target")?,
                }
                match robots {
                    1 => f.write_str(", but there is only 1 robot"),
                    _ => write!(f, ", but there are only {robots} robots"),
                }
            }
            Self::GoalOffBoard { cell } => write!(f, "the target at {cell} is off the board"),
            Self::GoalClosed { cell } => write!(f, "the target at {cell} is on a closed cell"),
        }
    }
}

impl std::error::Error for Problem {}

/// The most problems listed in one message; a file can have millions.
const MAX_TOLD: usize = 20;

/// A setup that is not a puzzle, with everything that is wrong with it.
///
/// Its message lists the first twenty problems and counts the rest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ValidationError {
    /// At least one problem.
    pub problems: Vec<Problem>,
}

impl ValidationError {
    /// Whether [`Setup::repair_walls`](crate::Setup::repair_walls) would repair all of it.
    ///
    /// ```
    /// use ricochet_core::{Cell, Setup};
    /// let mut setup = Setup::empty(4, 4);
    /// setup.robots = vec![Cell::new(3, 3)];
    /// setup.walls[0] = 0; // the rim is open
    /// assert!(setup.clone().validate().unwrap_err().is_repairable());
    /// setup.repair_walls();
    /// assert!(setup.validate().is_ok());
    /// ```
    pub fn is_repairable(&self) -> bool {
        self.problems.iter().all(Problem::is_repairable)
    }
}

impl fmt::Display for ValidationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, problem) in self.problems.iter().take(MAX_TOLD).enumerate() {
            if i > 0 {
                f.write_str("; ")?;
            }
            problem.fmt(f)?;
        }
        if let more @ 1.. = self.problems.len().saturating_sub(MAX_TOLD) {
            write!(f, "; and {more} more")?;
        }
        if self.is_repairable() {
            f.write_str(" (these walls can be repaired)")?;
        }
        Ok(())
    }
}

impl std::error::Error for ValidationError {}
