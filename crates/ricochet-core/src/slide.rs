//! Slides: fast tables, and a slow oracle to test them against.
//!
//! A robot slides until a wall, the rim or another robot stops it. A diagonal of another colour
//! turns it by a right angle, and it continues; if something stops it there, it stays on the
//! diagonal's cell. Diagonals can form a ring in which a robot would never stop. Such a move is not
//! legal, nor is one that ends where it began.

use crate::board::{Board, Diagonal, Lean};
use crate::geometry::{Cell, Direction};
use crate::robot::Robot;

/// The length of the straight run from each cell in each direction: to the last cell before a wall, or
/// to the first cell with a diagonal.
#[derive(Clone)]
pub(crate) struct Runs {
    width: u8,
    /// One byte per run: a board of 16 by 16 takes 1 KB.
    lengths: Box<[[u8; 4]]>,
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
        Self {
            width: width as u8,
            lengths: run_lengths(width, walls, &marks),
            diagonals: marks.into_boxed_slice(),
        }
    }

    fn index(&self, cell: Cell) -> usize {
        usize::from(cell.y) * usize::from(self.width) + usize::from(cell.x)
    }
}

/// The length of every run.
fn run_lengths(width: usize, walls: &[u8], marks: &[u8]) -> Box<[[u8; 4]]> {
    // Whether runs continue beyond a cell: all bits or none.
    let mut passes = vec![0xff; walls.len()];
    for (passes, mark) in passes.iter_mut().zip(marks) {
        *passes = u8::from(*mark == 0).wrapping_neg();
    }
    let height = walls.len() / width;
    let runs = |side: Direction, step, longest| runs_to(side, step, longest, walls, &passes);
    let north = runs(Direction::North, width, height);
    let east = runs(Direction::East, 1, width);
    let south = runs(Direction::South, width, height);
    let west = runs(Direction::West, 1, width);
    let sides = north.iter().zip(&east).zip(&south).zip(&west);
    let together =
        |(((north, east), south), west): (((&u8, &u8), &u8), &u8)| [*north, *east, *south, *west];
    sides.map(together).collect()
}

/// The lengths of all runs in one direction; neighbours are `step` numbers apart.
///
/// Counts up to one cell, then two, four and so on: a run that is as long as counted so far is
/// extended by the count at its end. Each pass treats all cells alike, as the rim ends every run, so
/// compilers vectorise it.
fn runs_to(side: Direction, step: usize, longest: usize, walls: &[u8], passes: &[u8]) -> Vec<u8> {
    let is_open = |mask: &u8| u8::from(mask & side.wall_bit() == 0);
    let mut runs: Vec<u8> = walls.iter().map(is_open).collect();
    let mut longer = runs.clone();
    let mut counted = 1;
    while counted < longest {
        let away = counted * step;
        let near = walls.len() - away;
        // Cells that have another one `away` ahead of them, and those others.
        let (here, ahead) = match side {
            Direction::East | Direction::South => (0..near, away..walls.len()),
            Direction::North | Direction::West => (away..walls.len(), 0..near),
        };
        let beyond = runs[ahead.clone()].iter().zip(&passes[ahead]);
        let so_far = longer[here.clone()].iter_mut().zip(&runs[here]);
        for ((longer, run), (more, passes)) in so_far.zip(beyond) {
            let goes_on = u8::from(*run == counted as u8).wrapping_neg();
            *longer = *run + (more & passes & goes_on);
        }
        runs.copy_from_slice(&longer);
        counted *= 2;
    }
    runs
}

/// The axis that a robot travels along, as a bit: 1 for rows, 2 for columns.
const fn axis(direction: Direction) -> u8 {
    if direction.is_horizontal() { 1 } else { 2 }
}

/// Cells as numbers that grow by one per step in one direction.
///
/// The coordinate that changes is the low byte, complemented if it decreases; the other one is the
/// high byte. A robot is in the way of a run of `n` cells exactly if its number is larger than the
/// mover's by 1 to `n`, whatever the direction. So subtractions and minima find the nearest
/// obstacle, without a branch to mispredict.
#[derive(Clone, Copy)]
struct AxisNumbers {
    /// 0 if `x` changes, 8 if `y` does.
    turn: u32,
    /// `0xff` to complement the low byte, or 0.
    flip: u16,
}

impl AxisNumbers {
    #[inline]
    const fn new(direction: Direction) -> Self {
        // A table, not an `if`: directions are unpredictable.
        const FLIPS: [u16; 4] = [0xff, 0, 0, 0xff];
        Self {
            turn: (!(direction as u32) & 1) * 8,
            flip: FLIPS[direction.index()],
        }
    }

    #[inline]
    fn number(self, cell: Cell) -> u16 {
        u16::from_le_bytes([cell.x, cell.y]).rotate_left(self.turn) ^ self.flip
    }

    #[inline]
    fn cell(self, number: u16) -> Cell {
        let [x, y] = (number ^ self.flip).rotate_right(self.turn).to_le_bytes();
        Cell { x, y }
    }

    /// How far a run of `length` cells from `start` goes with these robots. A robot on the start is
    /// not in the way.
    #[inline]
    fn free(self, start: u16, length: u8, robots: impl Iterator<Item = Cell>) -> u16 {
        robots.fold(u16::from(length), |free, robot| {
            // A robot that is not ahead becomes a large number.
            free.min(self.number(robot).wrapping_sub(start).wrapping_sub(1))
        })
    }
}

/// Where a fast slide ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Slide {
    /// The last cell; the first one if the robot cannot move or would never stop.
    pub end: Cell,
    /// The axes travelled along: bit 0 for rows, bit 1 for columns; 0 if the robot cannot move.
    pub axes: u8,
}

impl Board {
    /// Where `robot` stops when it leaves `from` in `direction`; `from` itself if it cannot move.
    /// `robots` are the cells of all robots; it does not matter whether the mover is among them.
    ///
    /// This uses the tables; [`slide_slowly`] is the oracle.
    ///
    /// ```
    /// use ricochet_core::{Board, Cell, Direction, Robot};
    /// let board = Board::builder(8, 8).build().unwrap();
    /// let robots = [Cell::new(0, 0), Cell::new(5, 0)];
    /// let end = board.slide(Robot::RED, robots[0], Direction::East, &robots);
    /// assert_eq!(end, Cell::new(4, 0));
    /// ```
    #[inline]
    pub fn slide(&self, robot: Robot, from: Cell, direction: Direction, robots: &[Cell]) -> Cell {
        if !self.runs.diagonals.is_empty() {
            return self.slide_with_axes(robot, from, direction, robots).end;
        }
        let length = self.runs.lengths[self.runs.index(from)][direction.index()];
        let along = AxisNumbers::new(direction);
        let start = along.number(from);
        along.cell(start + along.free(start, length, robots.iter().copied()))
    }

    /// Like [`Board::slide`], with the axes along which the robot travelled.
    ///
    /// ```
    /// use ricochet_core::{Board, Cell, Direction, Lean, Robot};
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
            let length = runs.lengths[runs.index(cell)][heading.index()];
            let along = AxisNumbers::new(heading);
            let start = along.number(cell);
            // The mover has left its first cell, so that cell is free if it passes again.
            let others = robots.iter().copied().filter(|&robot| robot != from);
            let free = along.free(start, length, others);
            let stop = along.cell(start + free);
            if free > 0 {
                axes |= axis(heading);
            }
            let mark = runs
                .diagonals
                .get(runs.index(stop))
                .copied()
                .unwrap_or_default();
            if free < u16::from(length) || free == 0 || mark == 0 {
                return Slide {
                    end: stop,
                    axes: if stop == from { 0 } else { axes },
                };
            }
            cell = stop;
            if mark & COLOR != robot.index() as u8 {
                let lean = if mark & LEANS_BACK == 0 {
                    Lean::Slash
                } else {
                    Lean::Backslash
                };
                heading = lean.deflect(heading);
                // Slides are reversible, so a robot that never stops returns to its first turn.
                if first_turn == Some((cell, heading)) {
                    return Slide { end: from, axes: 0 };
                }
                first_turn.get_or_insert((cell, heading));
            }
        }
    }
}

/// What ended a slide.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Obstacle {
    /// The rim: the board ends there.
    Rim,
    /// A wall on the board, including those of closed cells.
    Wall,
    /// A robot on this cell.
    Robot(Cell),
    /// Nothing: the diagonals form a ring, so the move is not legal.
    Nothing,
}

/// A slide, cell by cell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SlowSlide {
    /// Every cell entered, in order, each with the heading in which it was entered; empty if the
    /// robot cannot move at all.
    pub path: Vec<(Cell, Direction)>,
    /// What ended it.
    pub obstacle: Obstacle,
}

/// Moves a robot cell by cell: slow, obvious, and independent of the tables, which are tested against
/// it. Replaying a solution uses it.
///
/// ```
/// use ricochet_core::{Board, Cell, Direction, Lean, Obstacle, Robot, slide_slowly};
/// let board = Board::builder(4, 4)
///     .diagonal(Cell::new(2, 3), Lean::Slash, Robot::GREEN)
///     .build()
///     .unwrap();
/// let slide = slide_slowly(&board, Robot::RED, Cell::new(0, 3), Direction::East, &[]);
/// assert_eq!(slide.path.last(), Some(&(Cell::new(2, 0), Direction::North)));
/// assert_eq!(slide.obstacle, Obstacle::Rim);
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
            let next = cell.step(heading);
            break if next.is_some_and(|next| board.contains(next)) {
                Obstacle::Wall
            } else {
                Obstacle::Rim
            };
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
