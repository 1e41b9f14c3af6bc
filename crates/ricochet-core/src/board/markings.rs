//! Diagonals and targets.

use std::fmt;

use crate::geometry::{Cell, Direction};
use crate::robot::Robot;

/// Which way a diagonal leans.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Lean {
    /// `/`, from the south-west corner to the north-east one.
    Slash,
    /// `\`, from the north-west corner to the south-east one.
    Backslash,
}

impl Lean {
    /// The new direction of a robot that enters heading `direction`.
    pub const fn deflect(self, direction: Direction) -> Direction {
        match (self, direction) {
            (Self::Slash, Direction::North) | (Self::Backslash, Direction::South) => {
                Direction::East
            }
            (Self::Slash, Direction::East) | (Self::Backslash, Direction::West) => Direction::North,
            (Self::Slash, Direction::South) | (Self::Backslash, Direction::North) => {
                Direction::West
            }
            (Self::Slash, Direction::West) | (Self::Backslash, Direction::East) => Direction::South,
        }
    }

    /// `/` or `\`.
    pub const fn symbol(self) -> char {
        match self {
            Self::Slash => '/',
            Self::Backslash => '\\',
        }
    }

    /// The lean of `/` or `\`.
    pub const fn from_symbol(symbol: char) -> Option<Self> {
        match symbol {
            '/' => Some(Self::Slash),
            '\\' => Some(Self::Backslash),
            _ => None,
        }
    }

    /// The other lean.
    pub const fn flipped(self) -> Self {
        match self {
            Self::Slash => Self::Backslash,
            Self::Backslash => Self::Slash,
        }
    }
}

/// A coloured diagonal: the robot of its colour passes, others turn by a right angle and continue.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Diagonal {
    /// Its cell.
    pub cell: Cell,
    /// Which way it leans.
    pub lean: Lean,
    /// The robot that passes straight through.
    pub color: Robot,
}

/// The picture on a target.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Shape {
    /// Drawn as a moon or disc.
    Circle,
    /// Drawn as a gear or triangle.
    Triangle,
    /// Drawn as a planet or square.
    Square,
    /// Drawn as a star or hexagon.
    Hexagon,
    /// The cosmic vortex, which any robot may reach.
    Vortex,
}

impl Shape {
    /// All five, in `DriftingDroids`' order.
    pub const ALL: [Self; 5] = [
        Self::Circle,
        Self::Triangle,
        Self::Square,
        Self::Hexagon,
        Self::Vortex,
    ];

    /// The English name in lower case.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Circle => "circle",
            Self::Triangle => "triangle",
            Self::Square => "square",
            Self::Hexagon => "hexagon",
            Self::Vortex => "vortex",
        }
    }

    /// The shape with this name in lower case.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|shape| shape.name() == name)
    }
}

impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A target printed on a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Target {
    /// Its cell.
    pub cell: Cell,
    /// The robot that has to arrive; `None` for any.
    pub robot: Option<Robot>,
    /// Its picture.
    pub shape: Shape,
}
