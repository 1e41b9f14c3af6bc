//! Helper configurations on boards of any size: 16 bits a helper.

use ricochet::{Board, Puzzle, Robot, State};

/// The most helpers that a puzzle has.
pub(crate) const MOST: usize = ricochet::MAX_ROBOTS - 1;

/// Which robots help, and which of them can be exchanged. Those that can are kept in ascending order
/// of their cells, after those that cannot.
#[derive(Clone, Debug)]
pub(crate) struct Helpers {
    pub(crate) active: Robot,
    /// By place in a key.
    pub(crate) robots: Vec<Robot>,
    /// How many of them, the first, cannot be exchanged: diagonals have their colour.
    apart: usize,
}

/// The cells of all helpers, by their place in the key.
pub(crate) type Cells = [u16; MOST];

impl Helpers {
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

    /// A position: the helpers' key, and the cell of the robot that has to arrive.
    pub(crate) fn pack(&self, board: &Board, state: State) -> (u128, u16) {
        let number = |robot| board.index(state[robot]) as u16;
        let mut cells = [0; MOST];
        for (cell, &robot) in cells.iter_mut().zip(&self.robots) {
            *cell = number(robot);
        }
        cells[self.apart..self.len()].sort_unstable();
        (key_of(&cells), number(self.active))
    }

    /// The key after one helper has moved.
    #[inline]
    pub(crate) fn moved(&self, cells: &Cells, mover: usize, end: u16) -> u128 {
        let mut cells = *cells;
        cells[mover] = end;
        if mover >= self.apart {
            let mut at = mover;
            while at > self.apart && cells[at - 1] > cells[at] {
                cells.swap(at - 1, at);
                at -= 1;
            }
            while at + 1 < self.len() && cells[at + 1] < cells[at] {
                cells.swap(at, at + 1);
                at += 1;
            }
        }
        key_of(&cells)
    }
}

#[inline]
fn key_of(cells: &Cells) -> u128 {
    cells
        .iter()
        .rev()
        .fold(0, |key, &cell| key << 16 | u128::from(cell))
}

#[inline]
pub(crate) fn cells_of_key(key: u128) -> Cells {
    std::array::from_fn(|i| (key >> (16 * i)) as u16)
}
