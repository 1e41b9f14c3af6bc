//! Why a puzzle cannot be generated.

use std::fmt;

use super::GoalRobot;
use crate::geometry::MAX_SIDE;
use crate::robot::{MAX_ROBOTS, Robot};

/// Why a puzzle cannot be generated.
///
/// ```
/// use ricochet_core::generate::{GenerateError, RandomBoard, Recipe};
/// let error = Recipe::random(RandomBoard::new(40, 6)).puzzle(1, 0).unwrap_err();
/// assert_eq!(error, GenerateError::Size { width: 40, height: 6 });
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GenerateError {
    /// A side is not within 2..=32.
    Size {
        /// Columns requested.
        width: usize,
        /// Rows requested.
        height: usize,
    },
    /// The number of robots is not within 1..=8.
    Robots {
        /// How many were requested.
        asked: usize,
    },
    /// The robot that has to arrive does not exist.
    NoSuchRobot {
        /// The robot requested.
        robot: Robot,
        /// Number of robots.
        robots: usize,
    },
    /// There are too few open cells for robots and target.
    Crowded {
        /// Open cells.
        open: usize,
        /// Robots requested.
        robots: usize,
        /// Whether the target's cell must be free.
        free_target: bool,
    },
    /// The board is too small for a closed centre.
    ClosedCenter {
        /// Columns requested.
        width: usize,
        /// Rows requested.
        height: usize,
    },
    /// More corners, rim walls or diagonals than fit.
    NoRoomFor {
        /// What does not fit, in the plural.
        what: &'static str,
        /// How many were requested.
        asked: usize,
        /// The most that were placed.
        placed: usize,
    },
    /// The board has no such printed target.
    NoSuchTarget {
        /// The robot that has to arrive.
        robot: GoalRobot,
        /// Number of robots.
        robots: usize,
    },
    /// The filter dropped every candidate.
    NothingFound {
        /// The number of candidates.
        tried: u64,
    },
}

impl fmt::Display for GenerateError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Size { width, height } => write!(
                f,
                "a board of {width}×{height} cells is not supported: a side can have 2 to {MAX_SIDE} cells"
            ),
            Self::Robots { asked } => {
                write!(
                    f,
                    "{asked} robots are not supported: expected 1 to {MAX_ROBOTS}"
                )
            }
            Self::NoSuchRobot { robot, robots: 1 } => {
                write!(
                    f,
                    "the target is for the {robot} robot, but there is only one robot"
                )
            }
            Self::NoSuchRobot { robot, robots } => write!(
                f,
                "the target is for the {robot} robot, but there are only {robots} robots"
            ),
            Self::Crowded {
                open,
                robots,
                free_target,
            } => {
                write!(f, "{robots} robots ")?;
                if *free_target {
                    f.write_str("and a free target ")?;
                }
                let needed = robots + usize::from(*free_target);
                write!(f, "need {needed} open cells, the board has {open}")
            }
            Self::ClosedCenter { width, height } => write!(
                f,
                "a closed centre needs sides of at least 3 cells, not {width}×{height}"
            ),
            Self::NoRoomFor {
                what,
                asked,
                placed,
            } => write!(f, "{asked} {what} do not fit: room was found for {placed}"),
            Self::NoSuchTarget { robot, robots } => {
                match robot {
                    GoalRobot::AnyTarget => {
                        write!(
                            f,
                            "the board has no printed target for any of {robots} robots"
                        )
                    }
                    GoalRobot::OneRobot => {
                        write!(f, "the board has no target of a colour for {robots} robots")
                    }
                    GoalRobot::Robot(robot) => {
                        write!(f, "the board has no printed target for the {robot} robot")
                    }
                    GoalRobot::AnyRobot => {
                        f.write_str("the board has no printed target for any robot (a vortex)")
                    }
                }?;
                f.write_str("; any cell can be the target instead")
            }
            Self::NothingFound { tried } => {
                write!(f, "none of {tried} candidates in a row matches")
            }
        }
    }
}

impl std::error::Error for GenerateError {}
