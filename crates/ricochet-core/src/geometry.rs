//! Cells, directions, sets of cells and the eight symmetries of a rectangle.
//!
//! Cells are 0-based: `x` grows to the east, `y` grows to the south.

use std::fmt;

/// The longest side a board may have.
///
/// ```
/// use ricochet_core::{Board, MAX_SIDE};
/// assert!(Board::builder(MAX_SIDE, MAX_SIDE).build().is_ok());
/// assert!(Board::builder(MAX_SIDE + 1, 2).build().is_err());
/// ```
pub const MAX_SIDE: usize = 32;

/// The most cells a board may have.
///
/// ```
/// assert_eq!(ricochet_core::MAX_CELLS, 32 * 32);
/// ```
pub const MAX_CELLS: usize = MAX_SIDE * MAX_SIDE;

/// A pair of coordinates. It may lie off a given board: only [`Board`](crate::Board) knows its size.
///
/// Cells are ordered row by row, as one reads.
///
/// ```
/// use ricochet_core::Cell;
/// let cell = Cell::new(3, 4);
/// assert_eq!((cell.x, cell.y), (3, 4));
/// assert!(Cell::new(9, 0) < Cell::new(0, 1));
/// assert_eq!(cell.to_string(), "(3,4)");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Cell {
    /// Column, from the west.
    pub x: u8,
    /// Row, from the north.
    pub y: u8,
}

impl Cell {
    /// The cell in column `x` and row `y`.
    ///
    /// ```
    /// use ricochet_core::Cell;
    /// assert_eq!(Cell::new(3, 4), Cell { x: 3, y: 4 });
    /// ```
    pub const fn new(x: u8, y: u8) -> Self {
        Self { x, y }
    }

    /// The neighbour in `direction`, unless its coordinates would leave `0..=255`.
    ///
    /// ```
    /// use ricochet_core::{Cell, Direction};
    /// assert_eq!(Cell::new(3, 4).step(Direction::East), Some(Cell::new(4, 4)));
    /// assert_eq!(Cell::new(0, 4).step(Direction::West), None);
    /// ```
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

/// One of the four ways a robot can go. The order N, E, S, W is the slides' order of search.
///
/// ```
/// use ricochet_core::Direction;
/// assert_eq!(Direction::North.opposite(), Direction::South);
/// assert_eq!(Direction::ALL.map(Direction::letter), ['N', 'E', 'S', 'W']);
/// assert_eq!(Direction::East.to_string(), "east");
/// ```
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
    ///
    /// ```
    /// use ricochet_core::Direction;
    /// assert_eq!(Direction::ALL[1], Direction::East);
    /// ```
    pub const ALL: [Self; 4] = [Self::North, Self::East, Self::South, Self::West];

    /// The direction with the given index in [`Direction::ALL`]; only the two low bits count.
    ///
    /// ```
    /// use ricochet_core::Direction;
    /// for direction in Direction::ALL {
    ///     assert_eq!(Direction::from_index(direction.index()), direction);
    /// }
    /// ```
    pub const fn from_index(index: usize) -> Self {
        Self::ALL[index & 3]
    }

    /// Its index in [`Direction::ALL`].
    ///
    /// ```
    /// assert_eq!(ricochet_core::Direction::South.index(), 2);
    /// ```
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The bit of this side in a wall mask: N=1, E=2, S=4, W=8.
    ///
    /// ```
    /// use ricochet_core::Direction;
    /// assert_eq!(Direction::ALL.map(Direction::wall_bit), [1, 2, 4, 8]);
    /// ```
    pub const fn wall_bit(self) -> u8 {
        1 << self as u8
    }

    /// The way back.
    ///
    /// ```
    /// use ricochet_core::Direction;
    /// assert_eq!(Direction::West.opposite(), Direction::East);
    /// ```
    pub const fn opposite(self) -> Self {
        Self::ALL[(self as usize + 2) & 3]
    }

    /// A quarter turn clockwise.
    ///
    /// ```
    /// use ricochet_core::Direction;
    /// assert_eq!(Direction::North.clockwise(), Direction::East);
    /// ```
    pub const fn clockwise(self) -> Self {
        Self::ALL[(self as usize + 1) & 3]
    }

    /// Whether it runs along a row.
    ///
    /// ```
    /// use ricochet_core::Direction;
    /// assert!(Direction::West.is_horizontal() && !Direction::South.is_horizontal());
    /// ```
    pub const fn is_horizontal(self) -> bool {
        matches!(self, Self::East | Self::West)
    }

    /// `N`, `E`, `S` or `W`.
    ///
    /// ```
    /// assert_eq!(ricochet_core::Direction::East.letter(), 'E');
    /// ```
    pub const fn letter(self) -> char {
        ['N', 'E', 'S', 'W'][self as usize]
    }

    /// The direction of a letter, in either case.
    ///
    /// ```
    /// use ricochet_core::Direction;
    /// assert_eq!(Direction::from_letter('s'), Some(Direction::South));
    /// assert_eq!(Direction::from_letter('x'), None);
    /// ```
    pub const fn from_letter(letter: char) -> Option<Self> {
        match letter.to_ascii_uppercase() {
            'N' => Some(Self::North),
            'E' => Some(Self::East),
            'S' => Some(Self::South),
            'W' => Some(Self::West),
            _ => None,
        }
    }

    /// The direction of a word or an arrow: where north is, boards have their upper side.
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

/// A set of cells of any board, one bit each.
///
/// ```
/// use ricochet_core::{Cell, CellSet};
/// let mut set = CellSet::EMPTY;
/// assert!(set.insert(Cell::new(31, 31)));
/// assert!(!set.insert(Cell::new(31, 31)));
/// set.insert(Cell::new(2, 0));
/// assert_eq!(set.len(), 2);
/// assert_eq!(set.iter().collect::<Vec<_>>(), [Cell::new(2, 0), Cell::new(31, 31)]);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct CellSet {
    rows: [u32; MAX_SIDE],
}

impl CellSet {
    /// The set without cells.
    ///
    /// ```
    /// assert!(ricochet_core::CellSet::EMPTY.is_empty());
    /// ```
    pub const EMPTY: Self = Self {
        rows: [0; MAX_SIDE],
    };

    /// Adds a cell; returns whether it is new. A cell outside 32×32 is never added.
    ///
    /// ```
    /// use ricochet_core::{Cell, CellSet};
    /// let mut set = CellSet::EMPTY;
    /// assert!(set.insert(Cell::new(0, 31)) && !set.insert(Cell::new(0, 32)));
    /// ```
    pub fn insert(&mut self, cell: Cell) -> bool {
        let new = usize::from(cell.x) < MAX_SIDE
            && usize::from(cell.y) < MAX_SIDE
            && !self.contains(cell);
        if new {
            self.rows[usize::from(cell.y)] |= 1 << cell.x;
        }
        new
    }

    /// Takes a cell out; returns whether it was there.
    ///
    /// ```
    /// use ricochet_core::{Cell, CellSet};
    /// let mut set: CellSet = [Cell::new(1, 1)].into_iter().collect();
    /// assert!(set.remove(Cell::new(1, 1)) && !set.remove(Cell::new(1, 1)));
    /// assert!(set.is_empty());
    /// ```
    pub fn remove(&mut self, cell: Cell) -> bool {
        let there = self.contains(cell);
        if there {
            self.rows[usize::from(cell.y)] &= !(1 << cell.x);
        }
        there
    }

    /// Whether the cell is in the set.
    ///
    /// ```
    /// use ricochet_core::{Cell, CellSet};
    /// let set: CellSet = [Cell::new(1, 1)].into_iter().collect();
    /// assert!(set.contains(Cell::new(1, 1)) && !set.contains(Cell::new(99, 1)));
    /// ```
    pub fn contains(&self, cell: Cell) -> bool {
        usize::from(cell.x) < MAX_SIDE
            && self
                .rows
                .get(usize::from(cell.y))
                .is_some_and(|row| row >> cell.x & 1 == 1)
    }

    /// How many cells it has.
    ///
    /// ```
    /// use ricochet_core::{Cell, CellSet};
    /// let set: CellSet = [Cell::new(1, 1), Cell::new(1, 1)].into_iter().collect();
    /// assert_eq!(set.len(), 1);
    /// ```
    pub fn len(&self) -> usize {
        self.rows.iter().map(|row| row.count_ones() as usize).sum()
    }

    /// Whether it has none.
    ///
    /// ```
    /// use ricochet_core::{Cell, CellSet};
    /// let set: CellSet = [Cell::new(1, 1)].into_iter().collect();
    /// assert!(!set.is_empty());
    /// ```
    pub fn is_empty(&self) -> bool {
        self.rows.iter().all(|&row| row == 0)
    }

    /// The cells, row by row.
    ///
    /// ```
    /// use ricochet_core::{Cell, CellSet};
    /// let set: CellSet = [Cell::new(0, 1), Cell::new(5, 0)].into_iter().collect();
    /// assert_eq!(set.iter().next(), Some(Cell::new(5, 0)));
    /// ```
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

/// One of the eight symmetries of a rectangle: an optional mirroring east–west, then quarter turns
/// clockwise.
///
/// ```
/// use ricochet_core::{Cell, Direction, Symmetry};
/// let turn = Symmetry::ALL[1];
/// // A 16 wide and 4 high board, turned clockwise, is 4 wide and 16 high.
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
    /// All eight; the first is the identity, the first four are the turns.
    ///
    /// ```
    /// use ricochet_core::{Cell, Symmetry};
    /// assert_eq!(Symmetry::ALL[0].cell(Cell::new(3, 1), 8, 8), Cell::new(3, 1), "the identity");
    /// ```
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

    /// Whether left and right hand change places (and so the lean of a diagonal, before turning).
    ///
    /// ```
    /// use ricochet_core::Symmetry;
    /// assert!(!Symmetry::ALL[3].is_mirrored() && Symmetry::ALL[4].is_mirrored());
    /// ```
    pub const fn is_mirrored(self) -> bool {
        self.mirrored
    }

    /// The size of the image of a board of the given size.
    ///
    /// ```
    /// use ricochet_core::Symmetry;
    /// assert_eq!(Symmetry::ALL.map(|s| s.size(16, 4).0), [16, 4, 16, 4, 16, 4, 16, 4]);
    /// ```
    pub const fn size(self, width: usize, height: usize) -> (usize, usize) {
        if self.quarter_turns.is_multiple_of(2) {
            (width, height)
        } else {
            (height, width)
        }
    }

    /// The image of a cell of a board of the given size.
    ///
    /// ```
    /// use ricochet_core::{Cell, Symmetry};
    /// let mirror = Symmetry::ALL[4];
    /// assert_eq!(mirror.cell(Cell::new(0, 2), 16, 4), Cell::new(15, 2));
    /// ```
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
    ///
    /// ```
    /// use ricochet_core::{Direction, Symmetry};
    /// let mirror = Symmetry::ALL[4];
    /// assert_eq!(mirror.direction(Direction::East), Direction::West);
    /// assert_eq!(mirror.direction(Direction::North), Direction::North);
    /// ```
    pub const fn direction(self, direction: Direction) -> Direction {
        let mirrored = if self.mirrored && direction.is_horizontal() {
            direction.opposite()
        } else {
            direction
        };
        Direction::from_index(mirrored.index() + self.quarter_turns as usize)
    }

    /// Whether `/` becomes `\` and the other way round.
    ///
    /// ```
    /// use ricochet_core::Symmetry;
    /// let flips = Symmetry::ALL.map(Symmetry::flips_lean);
    /// assert_eq!(flips, [false, true, false, true, true, false, true, false]);
    /// ```
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
