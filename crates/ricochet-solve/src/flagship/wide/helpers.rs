//! Helper configurations on boards of any size, packed into a key of 8, 9 or 10 bits per helper.

use std::ops::{BitAnd, BitOr, Not, Shl, Shr, Sub};

use ricochet_core::{Board, Puzzle, Robot, State};

use crate::state_space::visited::PackedKey;

/// The largest number of helpers in a puzzle.
pub(crate) const MAX_HELPERS: usize = ricochet_core::MAX_ROBOTS - 1;

/// The key of a configuration: 64 bits, or 128 for seven helpers on more than 512 cells.
pub(crate) trait HelperKey:
    PackedKey
    + Send
    + Sync
    + From<u16>
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + Not<Output = Self>
    + Shl<u32, Output = Self>
    + Shr<u32, Output = Self>
    + Sub<Output = Self>
{
}

impl HelperKey for u64 {}
impl HelperKey for u128 {}

/// The helpers, and which of them are interchangeable. Those that are come last in a key, in
/// ascending order of their cells. `W` words hold the cells of the board.
#[derive(Clone, Debug)]
pub(crate) struct Helpers<const W: usize> {
    pub(crate) active: Robot,
    /// By index in a key.
    pub(crate) robots: Vec<Robot>,
    /// How many of them, counted from the first, are not interchangeable because there are
    /// diagonals of their colour.
    apart: usize,
}

/// The cells of all helpers, by index in the key; unused ones are 0.
pub(crate) type Cells = [u16; MAX_HELPERS];

impl<const W: usize> Helpers<W> {
    /// The number of bits per cell.
    const BITS: u32 = (W * 64).ilog2();

    pub(crate) fn new(puzzle: &Puzzle, active: Robot) -> Self {
        let diagonals = puzzle.board().diagonals();
        let helpers = puzzle.start().robots().filter(|&robot| robot != active);
        let (mut robots, alike): (Vec<_>, Vec<_>) =
            helpers.partition(|&robot| diagonals.iter().any(|d| d.color == robot));
        let apart = robots.len();
        robots.extend(alike);
        Self {
            active,
            robots,
            apart,
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.robots.len()
    }

    /// Packs a state: the helpers' key, and the goal robot's cell.
    pub(crate) fn pack<K: HelperKey>(&self, board: &Board, state: State) -> (K, u16) {
        let number = |robot| board.index(state[robot]) as u16;
        let mut cells = [0; MAX_HELPERS];
        for (cell, &robot) in cells.iter_mut().zip(&self.robots) {
            *cell = number(robot);
        }
        cells[self.apart..self.len()].sort_unstable();
        let helpers = cells[..self.len()].iter().rev();
        let key = helpers.fold(K::from(0), |key, &cell| key << Self::BITS | K::from(cell));
        (key, number(self.active))
    }

    /// The cells of a key.
    #[inline]
    pub(crate) fn cells<K: HelperKey>(&self, key: K) -> Cells {
        let mut cells = [0; MAX_HELPERS];
        let mut rest = key;
        for cell in &mut cells[..self.robots.len()] {
            *cell = rest.to_bits() as u16 & ((1 << Self::BITS) - 1);
            rest = rest >> Self::BITS;
        }
        cells
    }

    /// A key without one of its helpers; the ones behind it move up.
    #[inline]
    pub(crate) fn without<K: HelperKey>(key: K, mover: usize) -> K {
        let low = Self::below(mover);
        (key & low) | (key >> Self::BITS & !low)
    }

    /// The key after a helper has moved, from the key without it.
    #[inline]
    pub(crate) fn moved<K: HelperKey>(&self, cells: &Cells, mover: usize, rest: K, end: u16) -> K {
        let index = if mover < self.apart {
            mover
        } else {
            let alike = &cells[self.apart..self.robots.len()];
            let lower: usize = alike.iter().map(|&cell| usize::from(cell < end)).sum();
            self.apart + lower - usize::from(cells[mover] < end)
        };
        let low = Self::below::<K>(index);
        let end = K::from(end) << (Self::BITS * index as u32);
        (rest & low) | end | (rest & !low) << Self::BITS
    }

    /// A mask of the bits of all helpers before this index.
    #[inline]
    fn below<K: HelperKey>(index: usize) -> K {
        (K::from(1) << (Self::BITS * index as u32)) - K::from(1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ricochet_core::{Cell, Goal, Lean};

    /// Packs the robots again after each of a series of moves, and compares.
    fn keys_agree<const W: usize, K: HelperKey + std::fmt::Debug>(side: usize, robots: usize) {
        let mut board = Board::builder(side, side);
        for (x, robot) in [(3, Robot::GREEN), (5, Robot::RED)] {
            board = board.diagonal(Cell::new(x, 3), Lean::Slash, robot);
        }
        let mut cells: Vec<Cell> = (0..robots).map(|i| Cell::new(i as u8, 0)).collect();
        let goal = Goal {
            robot: Some(Robot::BLUE),
            cell: Cell::new(7, 7),
        };
        let board = board.build().unwrap();
        let puzzle = Puzzle::new(board.clone(), &cells, goal).unwrap();
        let helpers = Helpers::<W>::new(&puzzle, Robot::BLUE);
        assert_eq!(helpers.apart, 2);
        let mut seed = 9u32;
        for _ in 0..500 {
            let (key, _) = helpers.pack::<K>(&board, State::new(&cells).unwrap());
            let by_place = helpers.cells(key);
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let mover = seed as usize >> 20 & 0xff;
            let mover = mover % helpers.len();
            let end = board.cell((seed >> 8) as usize % (side * side));
            if cells.contains(&end) {
                continue;
            }
            let from = board.cell(usize::from(by_place[mover]));
            let rest = Helpers::<W>::without(key, mover);
            let moved = helpers.moved(&by_place, mover, rest, board.index(end) as u16);
            let robot = cells.iter().position(|&cell| cell == from).unwrap();
            cells[robot] = end;
            let (expected, _) = helpers.pack::<K>(&board, State::new(&cells).unwrap());
            assert!(moved == expected, "{from} to {end}");
        }
    }

    #[test]
    fn keys_after_moves_are_those_of_the_position() {
        keys_agree::<4, u64>(16, 8);
        keys_agree::<4, u64>(9, 4);
        keys_agree::<8, u64>(22, 8);
        keys_agree::<16, u64>(32, 7);
        keys_agree::<16, u128>(32, 8);
    }
}
