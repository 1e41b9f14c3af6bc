//! What is printed on a board beside its walls: diagonals and targets.

use std::fmt;

use crate::geometry::{Cell, Direction};
use crate::robot::Robot;

/// Which way a diagonal leans.
///
/// ```
/// use ricochet_core::Lean;
/// assert_eq!(Lean::from_symbol('/'), Some(Lean::Slash));
/// assert_eq!(Lean::Backslash.symbol(), '\\');
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Lean {
    /// `/`, from the south-west corner to the north-east one.
    Slash,
    /// `\`, from the north-west corner to the south-east one.
    Backslash,
}

impl Lean {
    /// Where a robot that comes in heading `direction` goes on.
    ///
    /// ```
    /// use ricochet_core::{Direction, Lean};
    /// assert_eq!(Lean::Slash.deflect(Direction::East), Direction::North);
    /// assert_eq!(Lean::Backslash.deflect(Direction::East), Direction::South);
    /// ```
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
    ///
    /// ```
    /// assert_eq!(ricochet_core::Lean::Slash.symbol(), '/');
    /// ```
    pub const fn symbol(self) -> char {
        match self {
            Self::Slash => '/',
            Self::Backslash => '\\',
        }
    }

    /// The lean of `/` or `\`.
    ///
    /// ```
    /// use ricochet_core::Lean;
    /// assert_eq!(Lean::from_symbol('\\'), Some(Lean::Backslash));
    /// assert_eq!(Lean::from_symbol('|'), None);
    /// ```
    pub const fn from_symbol(symbol: char) -> Option<Self> {
        match symbol {
            '/' => Some(Self::Slash),
            '\\' => Some(Self::Backslash),
            _ => None,
        }
    }

    /// The other lean.
    ///
    /// ```
    /// use ricochet_core::Lean;
    /// assert_eq!(Lean::Slash.flipped(), Lean::Backslash);
    /// ```
    pub const fn flipped(self) -> Self {
        match self {
            Self::Slash => Self::Backslash,
            Self::Backslash => Self::Slash,
        }
    }
}

/// A coloured diagonal: robots of its colour pass, others turn by a right angle and go on.
///
/// ```
/// use ricochet_core::{Board, Cell, Direction, Lean, Robot};
/// let at = Cell::new(2, 3);
/// let board = Board::builder(4, 4).diagonal(at, Lean::Slash, Robot::GREEN).build().unwrap();
/// let end = |robot| board.slide(robot, Cell::new(0, 3), Direction::East, &[]);
/// assert_eq!(end(Robot::GREEN), Cell::new(3, 3), "green passes");
/// assert_eq!(end(Robot::RED), Cell::new(2, 0), "red is turned to the north");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Diagonal {
    /// Where it stands.
    pub cell: Cell,
    /// How it leans.
    pub lean: Lean,
    /// The robot that passes straight through.
    pub color: Robot,
}

/// The picture on a target.
///
/// ```
/// use ricochet_core::Shape;
/// assert_eq!(Shape::Hexagon.to_string(), "hexagon");
/// assert_eq!(Shape::from_name("vortex"), Some(Shape::Vortex));
/// ```
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
    /// All five, in the order in which `DriftingDroids` numbers them.
    ///
    /// ```
    /// use ricochet_core::Shape;
    /// assert_eq!(Shape::ALL[4], Shape::Vortex);
    /// ```
    pub const ALL: [Self; 5] = [
        Self::Circle,
        Self::Triangle,
        Self::Square,
        Self::Hexagon,
        Self::Vortex,
    ];

    /// Lower case English name.
    ///
    /// ```
    /// assert_eq!(ricochet_core::Shape::Triangle.name(), "triangle");
    /// ```
    pub const fn name(self) -> &'static str {
        match self {
            Self::Circle => "circle",
            Self::Triangle => "triangle",
            Self::Square => "square",
            Self::Hexagon => "hexagon",
            Self::Vortex => "vortex",
        }
    }

    /// The shape of a name in lower case.
    ///
    /// ```
    /// use ricochet_core::Shape;
    /// for shape in Shape::ALL {
    ///     assert_eq!(Shape::from_name(shape.name()), Some(shape));
    /// }
    /// ```
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
///
/// ```
/// use ricochet_core::{Robot, Shape, quadrants::Edition};
/// let board = Edition::Of1999.layout(0).board();
/// let vortex = board.targets().iter().find(|target| target.shape == Shape::Vortex).unwrap();
/// assert_eq!(vortex.robot, None, "any robot may go there");
/// let red = board.targets().iter().filter(|target| target.robot == Some(Robot::RED));
/// assert_eq!(red.count(), 4);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Target {
    /// Where it is.
    pub cell: Cell,
    /// Who has to arrive; `None` for any robot.
    pub robot: Option<Robot>,
    /// Its picture.
    pub shape: Shape,
}
