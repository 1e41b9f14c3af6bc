//! What the set search needs to know of a board and a target.

use ricochet::{Board, Cell, Direction};

use super::set::{Portable, Set, bit, cells_of};

/// Complemented bytes of a packed entry: the ends of moves north and west are kept as `255 - cell`,
/// so that the nearer of two obstacles always has the smaller byte.
pub(crate) const FLIP: u32 = 0xff00_00ff;

/// The bound of a cell from which the target cannot be reached even if a robot could stop anywhere.
pub(crate) const UNREACHABLE: u8 = u8::MAX;

/// For each cell and direction (N, E, S, W) all cells further on, walls or not.
pub(crate) static RAYS: [[[u64; 4]; 4]; 256] = rays();

/// The set of each single cell.
pub(crate) static BITS: [[u64; 4]; 256] = bits();

const fn bits() -> [[u64; 4]; 256] {
    let mut bits = [[0; 4]; 256];
    let mut cell = 0;
    while cell < 256 {
        bits[cell] = bit(cell as u8);
        cell += 1;
    }
    bits
}

const fn rays() -> [[[u64; 4]; 4]; 256] {
    let mut rays = [[[0; 4]; 4]; 256];
    let mut cell = 0;
    while cell < 256 {
        let (x, y) = (cell % 16, cell / 16);
        let mut other = 0;
        while other < 256 {
            let (u, v) = (other % 16, other / 16);
            let direction = if u == x && v < y {
                0
            } else if v == y && u > x {
                1
            } else if u == x && v > y {
                2
            } else if v == y && u < x {
                3
            } else {
                4
            };
            if direction < 4 {
                rays[cell][direction][other / 64] |= 1 << (other % 64);
            }
            other += 1;
        }
        cell += 1;
    }
    rays
}

/// The cell number of the set search: rows of 16 whatever the board's width.
pub(crate) fn number(cell: Cell) -> u8 {
    cell.y * 16 + cell.x
}

/// The cell of a number.
pub(crate) fn cell(number: u8) -> Cell {
    Cell::new(number % 16, number / 16)
}

/// The step in cell numbers of one cell north, east, south, west.
pub(crate) const STEP: [u8; 4] = [16u8.wrapping_neg(), 1, 16, 1u8.wrapping_neg()];

/// A board of at most 16×16 without diagonals, and a target on it.
#[derive(Clone)]
pub(crate) struct Tables {
    walls: [u8; 256],
    /// Cells that can be entered heading N, E, S, W, as far as walls are concerned.
    pub(crate) enter: [[u64; 4]; 4],
    /// The slides' minimum-moves map.
    pub(crate) bound: [u8; 256],
    /// The cells of each bound, with empty sets behind the last.
    pub(crate) levels: Vec<[u64; 4]>,
    /// For a robot on p and another on o: the packed ends of p's four moves if o were the only
    /// other robot. A row is made when p is first used.
    ends: Vec<[u32; 256]>,
    /// Which rows are made.
    made: [bool; 256],
}

impl Tables {
    /// Room for a board; [`Tables::set_up`] fills it.
    pub(crate) fn new() -> Self {
        Self {
            walls: [15; 256],
            enter: [[0; 4]; 4],
            bound: [UNREACHABLE; 256],
            levels: Vec::new(),
            ends: vec![[0; 256]; 256],
            made: [false; 256],
        }
    }

    /// Whether a board fits.
    pub(crate) fn fits(board: &Board) -> bool {
        board.width() <= 16 && board.height() <= 16 && board.diagonals().is_empty()
    }

    /// Prepares a board and a target.
    pub(crate) fn set_up(&mut self, board: &Board, target: Cell) {
        self.set_board(board);
        self.set_target(number(target));
    }

    fn set_board(&mut self, board: &Board) {
        let width = board.width();
        let mut walls = [15; 256];
        for (row, masks) in board.walls().chunks_exact(width).enumerate() {
            walls[row * 16..row * 16 + width].copy_from_slice(masks);
        }
        if walls != self.walls {
            self.walls = walls;
            self.made = [false; 256];
        }
        // A cell can be entered heading d if it has no wall on the side it is entered through.
        let mut enter = [[0; 4]; 4];
        for word in 0..4 {
            for offset in 0..64 {
                let mask = u64::from(!walls[word * 64 + offset]);
                enter[Direction::North.index()][word] |= (mask >> 2 & 1) << offset;
                enter[Direction::East.index()][word] |= (mask >> 3 & 1) << offset;
                enter[Direction::South.index()][word] |= (mask & 1) << offset;
                enter[Direction::West.index()][word] |= (mask >> 1 & 1) << offset;
            }
        }
        self.enter = enter;
    }

    fn set_target(&mut self, target: u8) {
        self.bound = [UNREACHABLE; 256];
        self.levels.clear();
        let enter = self.enter.map(|words| Portable::load(&words));
        let mut level = Portable::load(&bit(target));
        let mut seen = level;
        while !level.is_empty() {
            let moves = self.levels.len() as u8;
            for cell in cells_of(level.words()) {
                self.bound[usize::from(cell)] = moves;
            }
            self.levels.push(level.words());
            let next = level
                .fill_north(enter[0])
                .or(level.fill_east(enter[1]))
                .or(level.fill_south(enter[2]))
                .or(level.fill_west(enter[3]))
                .minus(seen);
            seen = seen.or(next);
            level = next;
        }
        // Moves may raise the bound by one beyond the last level, and none lies below the first.
        self.levels.push([0; 4]);
        self.levels.push([0; 4]);
    }

    /// Makes the row of a cell, if it is not there yet.
    #[inline(always)]
    pub(crate) fn want(&mut self, cell: u8) {
        if !self.made[usize::from(cell)] {
            self.make_row(cell);
        }
    }

    /// Whether a wall stands on that side of a cell.
    pub(crate) fn has_wall(&self, cell: u8, side: Direction) -> bool {
        self.walls[usize::from(cell)] & side.wall_bit() != 0
    }

    /// Makes all rows, so that several threads can read them.
    pub(crate) fn want_all(&mut self) {
        for cell in 0..=255 {
            self.want(cell);
        }
    }

    /// The packed ends of the moves of a robot on `robot` if `other` is the only other robot. The
    /// row must have been asked for by [`Tables::want`].
    #[inline(always)]
    pub(crate) fn ends(&self, robot: u8, other: u8) -> u32 {
        self.ends[usize::from(robot)][usize::from(other)]
    }

    #[cold]
    fn make_row(&mut self, from: u8) {
        let mut ways: [Vec<u8>; 4] = Default::default();
        let mut open = FLIP;
        for direction in Direction::ALL {
            let d = direction.index();
            let mut at = from;
            while self.walls[usize::from(at)] & direction.wall_bit() == 0 {
                at = at.wrapping_add(STEP[d]);
                ways[d].push(at);
            }
            open ^= u32::from(at) << (8 * d);
        }
        let row = &mut self.ends[usize::from(from)];
        row.fill(open);
        for (d, way) in ways.iter().enumerate() {
            let mut before = from;
            for &other in way {
                let end = u32::from(before) << (8 * d) ^ FLIP & 0xff << (8 * d);
                row[usize::from(other)] = open & !(0xff << (8 * d)) | end;
                before = other;
            }
        }
        self.made[usize::from(from)] = true;
    }
}
