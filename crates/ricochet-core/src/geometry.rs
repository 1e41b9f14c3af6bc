//! Cells, directions, sets of cells and the eight symmetries of a rectangle.
//!
//! Cells are 0-based: `x` grows to the east, `y` grows to the south.

use std::fmt;

/// The longest side a board may have.
pub const MAX_SIDE: usize = 32;

/// The most cells a board may have.
pub const MAX_CELLS: usize = MAX_SIDE * MAX_SIDE;

/// A pair of coordinates. It may lie off a given board: only [`Board`](crate::Board) knows its size.
///
/// Cells are ordered row by row.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Cell {
    /// Column, from the west.
    pub x: u8,
    /// Row, from the north.
    pub y: u8,
}

impl Cell {
    /// The cell in column `x` and row `y`.
    pub const fn new(x: u8, y: u8) -> Self {
        Self { x, y }
    }

    /// The neighbour in `direction`, unless its coordinates would leave `0..=255`.
    pub const fn step(self, direction: Direction) -> Option<Self> {
        let (x, y) = match direction {
            Direction::North => (Some(self.x), self.y.checked_sub(1)),
            Direction::East => (self.x.checked_add(1), Some(self.y)),
            Direction::South => (Some(self.x), self.y.checked_add(1)),
            Direction::West => (self.x.checked_sub(1), Some(self.y)),
        };
        match (x, y) {
            (Some(x), Some(y)) => Some(Self { x, y }),
            _ => None,
        }
    }
}

impl PartialOrd for Cell {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Cell {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        (self.y, self.x).cmp(&(other.y, other.x))
    }
}

impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "({},{})", self.x, self.y)
    }
}

/// One of the four directions. The order N, E, S, W is the order in which Fogleman's slides search.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum Direction {
    /// Towards row 0.
    North = 0,
    /// Towards the last column.
    East = 1,
    /// Towards the last row.
    South = 2,
    /// Towards column 0.
    West = 3,
}

impl Direction {
    /// All four, in the order N, E, S, W.
    pub const ALL: [Self; 4] = [Self::North, Self::East, Self::South, Self::West];

    /// The direction with this index in [`Direction::ALL`]; only the two low bits count.
    pub const fn from_index(index: usize) -> Self {
        Self::ALL[index & 3]
    }

    /// Its index in [`Direction::ALL`].
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The bit of this side in a wall mask: N=1, E=2, S=4, W=8.
    pub const fn wall_bit(self) -> u8 {
        1 << self as u8
    }

    /// The opposite direction.
    pub const fn opposite(self) -> Self {
        Self::ALL[(self as usize + 2) & 3]
    }

    /// A quarter turn clockwise.
    pub const fn clockwise(self) -> Self {
        Self::ALL[(self as usize + 1) & 3]
    }

    /// Whether it is along a row.
    pub const fn is_horizontal(self) -> bool {
        matches!(self, Self::East | Self::West)
    }

    /// `N`, `E`, `S` or `W`.
    pub const fn letter(self) -> char {
        ['N', 'E', 'S', 'W'][self as usize]
    }

    /// The direction of a letter, in either case.
    pub const fn from_letter(letter: char) -> Option<Self> {
        match letter.to_ascii_uppercase() {
            'N' => Some(Self::North),
            'E' => Some(Self::East),
            'S' => Some(Self::South),
            'W' => Some(Self::West),
            _ => None,
        }
    }

    /// The direction of a word or an arrow; up is north.
    ///
    /// ```
    /// use ricochet_core::Direction;
    /// assert_eq!(Direction::from_name("North"), Some(Direction::North));
    /// assert_eq!(Direction::from_name("left"), Some(Direction::West));
    /// assert_eq!(Direction::from_name("↓"), Some(Direction::South));
    /// assert_eq!(Direction::from_name("n"), None, "letters are for `from_letter`");
    /// ```
    pub fn from_name(name: &str) -> Option<Self> {
        match name.to_ascii_lowercase().as_str() {
            "north" | "up" | "↑" => Some(Self::North),
            "east" | "right" | "→" => Some(Self::East),
            "south" | "down" | "↓" => Some(Self::South),
            "west" | "left" | "←" => Some(Self::West),
            _ => None,
        }
    }
}

impl fmt::Display for Direction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::North => "north",
            Self::East => "east",
            Self::South => "south",
            Self::West => "west",
        })
    }
}

/// A set of cells, one bit each.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct CellSet {
    rows: [u32; MAX_SIDE],
}

impl CellSet {
    /// The empty set.
    pub const EMPTY: Self = Self {
        rows: [0; MAX_SIDE],
    };

    /// Adds a cell; returns whether it is new. A cell outside 32×32 is never added.
    pub fn insert(&mut self, cell: Cell) -> bool {
        let new = usize::from(cell.x) < MAX_SIDE
            && usize::from(cell.y) < MAX_SIDE
            && !self.contains(cell);
        if new {
            self.rows[usize::from(cell.y)] |= 1 << cell.x;
        }
        new
    }

    /// Removes a cell; returns whether it was there.
    pub fn remove(&mut self, cell: Cell) -> bool {
        let there = self.contains(cell);
        if there {
            self.rows[usize::from(cell.y)] &= !(1 << cell.x);
        }
        there
    }

    /// Whether the cell is in the set.
    pub fn contains(&self, cell: Cell) -> bool {
        usize::from(cell.x) < MAX_SIDE
            && self
                .rows
                .get(usize::from(cell.y))
                .is_some_and(|row| row >> cell.x & 1 == 1)
    }

    /// The number of cells.
    pub fn len(&self) -> usize {
        self.rows.iter().map(|row| row.count_ones() as usize).sum()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.rows.iter().all(|&row| row == 0)
    }

    /// The cells, row by row.
    pub fn iter(&self) -> impl Iterator<Item = Cell> + '_ {
        self.rows.iter().enumerate().flat_map(|(y, &row)| {
            (0..MAX_SIDE as u8)
                .filter(move |&x| row >> x & 1 == 1)
                .map(move |x| Cell::new(x, y as u8))
        })
    }
}

impl FromIterator<Cell> for CellSet {
    fn from_iter<T: IntoIterator<Item = Cell>>(cells: T) -> Self {
        let mut set = Self::EMPTY;
        for cell in cells {
            set.insert(cell);
        }
        set
    }
}

impl fmt::Debug for CellSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

/// One of the eight symmetries of a rectangle: an optional east–west reflection, then clockwise
/// quarter turns.
///
/// ```
/// use ricochet_core::{Cell, Direction, Symmetry};
/// let turn = Symmetry::ALL[1];
/// // A board 16 wide and 4 high, turned clockwise, is 4 wide and 16 high.
/// assert_eq!(turn.size(16, 4), (4, 16));
/// assert_eq!(turn.cell(Cell::new(0, 0), 16, 4), Cell::new(3, 0));
/// assert_eq!(turn.direction(Direction::North), Direction::East);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Symmetry {
    mirrored: bool,
    quarter_turns: u8,
}

impl Symmetry {
    /// All eight; the first is the identity, the first four are the rotations.
    pub const ALL: [Self; 8] = {
        let mut all = [Self {
            mirrored: false,
            quarter_turns: 0,
        }; 8];
        let mut i = 0;
        while i < 8 {
            all[i] = Self {
                mirrored: i >= 4,
                quarter_turns: (i % 4) as u8,
            };
            i += 1;
        }
        all
    };

    /// The size of the image of a board of the given size.
    pub const fn size(self, width: usize, height: usize) -> (usize, usize) {
        if self.quarter_turns.is_multiple_of(2) {
            (width, height)
        } else {
            (height, width)
        }
    }

    /// The image of a cell of a board of the given size.
    pub fn cell(self, cell: Cell, width: usize, height: usize) -> Cell {
        let (mut x, mut y) = (usize::from(cell.x), usize::from(cell.y));
        let (mut w, mut h) = (width, height);
        if self.mirrored {
            x = w - 1 - x;
        }
        for _ in 0..self.quarter_turns {
            (x, y) = (h - 1 - y, x);
            (w, h) = (h, w);
        }
        Cell::new(x as u8, y as u8)
    }

    /// The image of a direction.
    pub const fn direction(self, direction: Direction) -> Direction {
        let mirrored = if self.mirrored && direction.is_horizontal() {
            direction.opposite()
        } else {
            direction
        };
        Direction::from_index(mirrored.index() + self.quarter_turns as usize)
    }

    /// Whether `/` becomes `\` and vice versa.
    pub const fn flips_lean(self) -> bool {
        self.mirrored != (self.quarter_turns % 2 == 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn symmetries_are_permutations_that_commute_with_steps() {
        let (width, height) = (5, 3);
        for symmetry in Symmetry::ALL {
            let (w, h) = symmetry.size(width, height);
            let mut image = CellSet::EMPTY;
            for y in 0..height as u8 {
                for x in 0..width as u8 {
                    let cell = Cell::new(x, y);
                    let to = symmetry.cell(cell, width, height);
                    assert!(usize::from(to.x) < w && usize::from(to.y) < h);
                    assert!(image.insert(to), "two cells have one image");
                    for direction in Direction::ALL {
                        let Some(next) = cell.step(direction) else {
                            continue;
                        };
                        if usize::from(next.x) < width && usize::from(next.y) < height {
                            assert_eq!(
                                to.step(symmetry.direction(direction)),
                                Some(symmetry.cell(next, width, height))
                            );
                        }
                    }
                }
            }
            assert_eq!(image.len(), width * height);
        }
    }

    #[test]
    fn cells_outside_every_board_are_never_members() {
        let mut set = CellSet::EMPTY;
        assert!(!set.insert(Cell::new(32, 0)));
        assert!(!set.insert(Cell::new(0, 200)));
        assert!(set.is_empty());
        assert!(!set.remove(Cell::new(255, 255)));
    }
}
