//! Where a move ends: the fast tables, and beside them the slow oracle that they are tested against.
//!
//! A robot slides until a wall, the rim or another robot stops it. A diagonal of another colour
//! turns it by a right angle and it goes on; if something stops it right there, it stands on the
//! diagonal's cell. Diagonals can form a ring in which a robot would never stop: such a move, like
//! one that ends where it began, goes nowhere and is not a move.

use crate::board::{Board, Diagonal, Lean};
use crate::geometry::{Cell, Direction};
use crate::robot::Robot;

/// For each cell and direction the end of the straight run: the last cell before a wall, or the
/// first cell with a diagonal.
#[derive(Clone)]
pub(crate) struct Runs {
    width: u8,
    ends: Box<[[Cell; 4]]>,
    /// For each cell 0, or `HAS_DIAGONAL | lean | colour`. Empty on a board without diagonals.
    diagonals: Box<[u8]>,
}

const HAS_DIAGONAL: u8 = 0x80;
const LEANS_BACK: u8 = 0x40;
const COLOR: u8 = 0x0f;

impl Runs {
    pub(crate) fn new(width: usize, height: usize, walls: &[u8], diagonals: &[Diagonal]) -> Self {
        let mut marks = vec![
            0;
            if diagonals.is_empty() {
                0
            } else {
                width * height
            }
        ];
        for diagonal in diagonals {
            let lean = match diagonal.lean {
                Lean::Slash => 0,
                Lean::Backslash => LEANS_BACK,
            };
            marks[usize::from(diagonal.cell.y) * width + usize::from(diagonal.cell.x)] =
                HAS_DIAGONAL | lean | diagonal.color.index() as u8;
        }
        let mut ends = vec![[Cell::default(); 4]; width * height].into_boxed_slice();
        // A run ends where the neighbour's run ends, unless there is no way to the neighbour or it
        // holds a diagonal: one pass from each corner fills two directions.
        let mut fill = |x: usize, y: usize, direction: Direction, next: usize| {
            let here = y * width + x;
            ends[here][direction.index()] = if walls[here] & direction.wall_bit() != 0 {
                Cell::new(x as u8, y as u8)
            } else if marks.get(next).is_some_and(|&mark| mark != 0) {
                Cell::new((next % width) as u8, (next / width) as u8)
            } else {
                ends[next][direction.index()]
            };
        };
        for y in 0..height {
            for x in 0..width {
                let here = y * width + x;
                fill(x, y, Direction::North, here.wrapping_sub(width));
                fill(x, y, Direction::West, here.wrapping_sub(1));
            }
        }
        for y in (0..height).rev() {
            for x in (0..width).rev() {
                let here = y * width + x;
                fill(x, y, Direction::South, here + width);
                fill(x, y, Direction::East, here + 1);
            }
        }
        Self {
            width: width as u8,
            ends,
            diagonals: marks.into_boxed_slice(),
        }
    }

    fn index(&self, cell: Cell) -> usize {
        usize::from(cell.y) * usize::from(self.width) + usize::from(cell.x)
    }
}

/// The axis that a robot travels along, as a bit: 1 for rows, 2 for columns.
const fn axis(direction: Direction) -> u8 {
    if direction.is_horizontal() { 1 } else { 2 }
}

/// `end`, or the cell before the first robot on the straight way from `cell` to it.
#[inline]
fn nearest_stop(cell: Cell, direction: Direction, end: Cell, robots: &[Cell], mover: Cell) -> Cell {
    let Cell { x, y } = cell;
    let mut stop = end;
    match direction {
        Direction::North => {
            for robot in robots {
                if robot.x == x && robot.y < y && robot.y >= stop.y && *robot != mover {
                    stop.y = robot.y + 1;
                }
            }
        }
        Direction::East => {
            for robot in robots {
                if robot.y == y && robot.x > x && robot.x <= stop.x && *robot != mover {
                    stop.x = robot.x - 1;
                }
            }
        }
        Direction::South => {
            for robot in robots {
                if robot.x == x && robot.y > y && robot.y <= stop.y && *robot != mover {
                    stop.y = robot.y - 1;
                }
            }
        }
        Direction::West => {
            for robot in robots {
                if robot.y == y && robot.x < x && robot.x >= stop.x && *robot != mover {
                    stop.x = robot.x + 1;
                }
            }
        }
    }
    stop
}

/// Where a fast slide ended.
///
/// ```
/// use ricochet::{Board, Cell, Direction, Robot, Slide};
/// let board = Board::builder(8, 8).build().unwrap();
/// let slide = board.slide_with_axes(Robot::RED, Cell::new(0, 0), Direction::East, &[]);
/// assert_eq!(slide, Slide { end: Cell::new(7, 0), axes: 1 });
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Slide {
    /// The last cell; the first one if the robot cannot move (or would never stop).
    pub end: Cell,
    /// The axes travelled along: bit 0 for rows, bit 1 for columns, both after a diagonal's turn;
    /// 0 if the robot cannot move.
    pub axes: u8,
}

impl Board {
    /// Where `robot` stops when it leaves `from` in `direction`; `from` itself if it cannot move.
    /// `robots` are the cells of all robots; it does not matter whether the mover is among them.
    ///
    /// This is the fast way, by tables; [`slide_slowly`] is the oracle.
    ///
    /// ```
    /// use ricochet::{Board, Cell, Direction, Robot};
    /// let board = Board::builder(8, 8).build().unwrap();
    /// let robots = [Cell::new(0, 0), Cell::new(5, 0)];
    /// let end = board.slide(Robot::RED, robots[0], Direction::East, &robots);
    /// assert_eq!(end, Cell::new(4, 0));
    /// ```
    #[inline]
    pub fn slide(&self, robot: Robot, from: Cell, direction: Direction, robots: &[Cell]) -> Cell {
        let end = self.runs.ends[self.runs.index(from)][direction.index()];
        if self.runs.diagonals.is_empty() {
            nearest_stop(from, direction, end, robots, from)
        } else {
            self.slide_with_axes(robot, from, direction, robots).end
        }
    }

    /// Like [`Board::slide`], and tells along which axes the robot went.
    ///
    /// ```
    /// use ricochet::{Board, Cell, Direction, Lean, Robot};
    /// let at = Cell::new(2, 3);
    /// let board = Board::builder(4, 4).diagonal(at, Lean::Slash, Robot::GREEN).build().unwrap();
    /// let slide = board.slide_with_axes(Robot::RED, Cell::new(0, 3), Direction::East, &[]);
    /// assert_eq!((slide.end, slide.axes), (Cell::new(2, 0), 3), "east, then north");
    /// ```
    pub fn slide_with_axes(
        &self,
        robot: Robot,
        from: Cell,
        direction: Direction,
        robots: &[Cell],
    ) -> Slide {
        let runs = &self.runs;
        let (mut cell, mut heading) = (from, direction);
        let mut axes = 0;
        let mut first_turn = None;
        loop {
            let end = runs.ends[runs.index(cell)][heading.index()];
            let stop = nearest_stop(cell, heading, end, robots, from);
            if stop != cell {
                axes |= axis(heading);
            }
            let mark = runs
                .diagonals
                .get(runs.index(end))
                .copied()
                .unwrap_or_default();
            if stop != end || stop == cell || mark == 0 {
                return Slide {
                    end: stop,
                    axes: if stop == from { 0 } else { axes },
                };
            }
            cell = end;
            if mark & COLOR != robot.index() as u8 {
                let lean = if mark & LEANS_BACK == 0 {
                    Lean::Slash
                } else {
                    Lean::Backslash
                };
                heading = lean.deflect(heading);
                // The way is reversible, so a robot that never stops comes back to its first turn.
                if first_turn == Some((cell, heading)) {
                    return Slide { end: from, axes: 0 };
                }
                first_turn.get_or_insert((cell, heading));
            }
        }
    }
}

/// What ended a slide.
///
/// ```
/// use ricochet::{Board, Cell, Direction, Obstacle, Robot, slide_slowly};
/// let board = Board::builder(8, 8).build().unwrap();
/// let other = Cell::new(5, 0);
/// let slide = slide_slowly(&board, Robot::RED, Cell::new(0, 0), Direction::East, &[other]);
/// assert_eq!(slide.obstacle, Obstacle::Robot(other));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Obstacle {
    /// A wall or the rim.
    Wall,
    /// A robot on this cell.
    Robot(Cell),
    /// Nothing: the diagonals form a ring, so the move is not one.
    Nothing,
}

/// A slide, cell by cell.
///
/// ```
/// use ricochet::{Board, Cell, Direction, Robot, slide_slowly};
/// let board = Board::builder(3, 3).build().unwrap();
/// let slide = slide_slowly(&board, Robot::RED, Cell::new(0, 0), Direction::East, &[]);
/// let cells: Vec<Cell> = slide.path.iter().map(|&(cell, _)| cell).collect();
/// assert_eq!(cells, [Cell::new(1, 0), Cell::new(2, 0)]);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SlowSlide {
    /// Every cell entered, in order, each with the heading in which it was entered; empty if the
    /// robot cannot move at all.
    pub path: Vec<(Cell, Direction)>,
    /// What ended it.
    pub obstacle: Obstacle,
}

/// Moves a robot cell by cell: slow, obvious, and independent of the tables. It is what the tables
/// are tested against and what replaying a solution uses.
///
/// ```
/// use ricochet::{Board, Cell, Direction, Lean, Obstacle, Robot, slide_slowly};
/// let board = Board::builder(4, 4)
///     .diagonal(Cell::new(2, 3), Lean::Slash, Robot::GREEN)
///     .build()
///     .unwrap();
/// let slide = slide_slowly(&board, Robot::RED, Cell::new(0, 3), Direction::East, &[]);
/// assert_eq!(slide.path.last(), Some(&(Cell::new(2, 0), Direction::North)));
/// assert_eq!(slide.obstacle, Obstacle::Wall);
/// ```
pub fn slide_slowly(
    board: &Board,
    robot: Robot,
    from: Cell,
    direction: Direction,
    robots: &[Cell],
) -> SlowSlide {
    let mut path = Vec::new();
    let (mut cell, mut heading) = (from, direction);
    let obstacle = loop {
        if board.has_wall(cell, heading) {
            break Obstacle::Wall;
        }
        let next = cell.step(heading).expect("the rim has walls");
        if next != from && robots.contains(&next) {
            break Obstacle::Robot(next);
        }
        if path.contains(&(next, heading)) {
            break Obstacle::Nothing;
        }
        path.push((next, heading));
        cell = next;
        if let Some(diagonal) = board.diagonal(cell)
            && diagonal.color != robot
        {
            heading = diagonal.lean.deflect(heading);
        }
    };
    SlowSlide { path, obstacle }
}
