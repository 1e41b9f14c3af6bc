//! What the set search needs to know of a board and a target.

use ricochet::{Board, Cell, Direction};

use super::set::{Portable, Set, bit, cells_of};

/// Complemented bytes of a packed entry: the ends of moves north and west are kept as `255 - cell`,
/// so that the nearer of two obstacles always has the smaller byte.
pub(crate) const FLIP: u32 = 0xff00_00ff;

/// The bound of a cell from which the target cannot be reached even if a robot could stop anywhere.
pub(crate) const UNREACHABLE: u8 = u8::MAX;

/// In a row of relevance or dependence: a helper that ends here. Bits 0 to 3 are for one that
/// leaves here north, east, south or west.
const ENDS_HERE: u8 = 16;

/// 256 rows of 256: a byte always is a valid index, which saves the check.
type Rows<T> = Box<[[T; 256]; 256]>;

#[allow(clippy::unnecessary_box_returns)] // too large for the stack
fn rows<T: Copy + Default>() -> Rows<T> {
    let rows = vec![[T::default(); 256]; 256].into_boxed_slice();
    rows.try_into().ok().expect("256 rows")
}

/// A move of a helper: from where, which way (0 to 3 for N, E, S, W), and where it ends.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct HelperMove {
    pub(crate) from: u8,
    pub(crate) direction: u8,
    pub(crate) end: u8,
}

/// Whether a row of relevance or dependence names a move.
#[inline(always)]
fn names(row: &[u8; 256], step: HelperMove) -> bool {
    (row[usize::from(step.from)] >> step.direction & 1) | (row[usize::from(step.end)] & ENDS_HERE)
        != 0
}

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

#[allow(clippy::large_stack_arrays)] // evaluated by the compiler
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

fn add(set: &mut [u64; 4], cell: u8) {
    set[usize::from(cell >> 6)] |= 1 << (cell & 63);
}

/// The cell number of the set search: rows of 16 whatever the board's width.
pub(crate) fn number(cell: Cell) -> u8 {
    cell.y * 16 + cell.x
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
    ends: Rows<u32>,
    /// Which rows are made.
    made: [bool; 256],
    /// For a goal robot on c: which helper moves may give it a new move that lowers the bound. Of
    /// each other cell, bits 0 to 3: a helper that leaves it north, east, south, west; bit 4: one
    /// that ends there. A row is made when c is first used.
    relevance: Rows<u8>,
    made_relevance: [bool; 256],
    /// For a robot on c: which moves of another robot may have to do with its own, in the same form.
    /// A row is made when c is first used.
    dependence: Rows<u8>,
    made_dependence: [bool; 256],
}

impl Tables {
    /// Bytes that the rows take.
    pub(crate) const BYTES: u64 = 256 * 256 * (4 + 1 + 1);

    /// Room for a board; [`Tables::set_up`] fills it.
    pub(crate) fn new() -> Self {
        Self {
            walls: [15; 256],
            enter: [[0; 4]; 4],
            bound: [UNREACHABLE; 256],
            levels: Vec::new(),
            ends: rows(),
            made: [false; 256],
            relevance: rows(),
            made_relevance: [false; 256],
            dependence: rows(),
            made_dependence: [false; 256],
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
            self.made_dependence = [false; 256];
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
        self.made_relevance = [false; 256];
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

    /// The packed ends of the moves of a robot on `robot` if `other` is the only other robot. The
    /// row must have been asked for by [`Tables::want`].
    #[inline(always)]
    pub(crate) fn ends(&self, robot: u8, other: u8) -> u32 {
        self.ends[usize::from(robot)][usize::from(other)]
    }

    /// Makes the relevance row of a cell, if it is not there yet.
    #[inline(always)]
    pub(crate) fn want_relevance(&mut self, goal: u8) {
        if !self.made_relevance[usize::from(goal)] {
            self.make_relevance(goal);
        }
    }

    /// For each direction in which a helper may leave `from`, as a bit: whether that is relevant
    /// wherever it ends, with the goal robot on `goal`. The row must have been asked for by
    /// [`Tables::want_relevance`].
    #[inline(always)]
    pub(crate) fn relevant_directions(&self, goal: u8, from: u8) -> u32 {
        u32::from(self.relevance[usize::from(goal)][usize::from(from)] & 15)
    }

    /// Whether any helper move that ends on `end` is relevant.
    #[inline(always)]
    pub(crate) fn is_relevant_end(&self, goal: u8, end: u8) -> bool {
        self.relevance[usize::from(goal)][usize::from(end)] & ENDS_HERE != 0
    }

    /// Whether moves of a robot on `cell` may have to do with a helper's move: `false` if each of
    /// them goes the same way before and after it, and it the same way before and after each.
    #[inline(always)]
    pub(crate) fn depends(&mut self, cell: u8, step: HelperMove) -> bool {
        if !self.made_dependence[usize::from(cell)] {
            self.make_dependence(cell);
        }
        names(&self.dependence[usize::from(cell)], step)
    }

    /// With other robots out of the way, two moves depend on each other only if
    ///
    /// * the helper ends on a cell that the robot could enter, or next to the robot;
    /// * it leaves such a cell;
    /// * its way leads over a cell that the robot could stop on.
    ///
    /// All these are cells that the robot sees.
    #[cold]
    fn make_dependence(&mut self, cell: u8) {
        let mut seen = [0; 4];
        for direction in Direction::ALL {
            let mut at = cell;
            while self.walls[usize::from(at)] & direction.wall_bit() == 0 {
                at = at.wrapping_add(STEP[direction.index()]);
                add(&mut seen, at);
            }
        }
        let seen = Portable::load(&seen);
        let row = &mut self.dependence[usize::from(cell)];
        fill_row(row, &self.enter, seen, seen, seen);
        self.made_dependence[usize::from(cell)] = true;
    }

    /// A helper move is relevant if, with other robots out of the way, after it the goal robot may
    /// make a move to a cell with a lower bound (a *landing*) that it could not make before it, or
    /// the helper could not have made the same move after that one:
    ///
    /// * the helper ends behind a landing, and so stops the goal robot there;
    /// * it leaves a cell on the way to a landing, or the landing itself;
    /// * its way leads over a landing, on which the goal robot would have stopped it.
    ///
    /// (A helper that the goal robot stops is relevant too; the caller sees that.)
    #[cold]
    fn make_relevance(&mut self, goal: u8) {
        let lower = self.bound[usize::from(goal)].wrapping_sub(1);
        let (mut landings, mut behind, mut on_the_way) = ([0; 4], [0; 4], [0; 4]);
        for direction in Direction::ALL {
            let d = direction.index();
            let mut at = goal;
            let mut last_landing = goal;
            while self.walls[usize::from(at)] & direction.wall_bit() == 0 {
                at = at.wrapping_add(STEP[d]);
                if self.bound[usize::from(at)] == lower {
                    add(&mut landings, at);
                    last_landing = at;
                    if self.walls[usize::from(at)] & direction.wall_bit() == 0 {
                        add(&mut behind, at.wrapping_add(STEP[d]));
                    }
                }
            }
            let mut at = goal;
            while at != last_landing {
                at = at.wrapping_add(STEP[d]);
                add(&mut on_the_way, at);
            }
        }
        let (left, ended) = (Portable::load(&on_the_way), Portable::load(&behind));
        let row = &mut self.relevance[usize::from(goal)];
        fill_row(row, &self.enter, left, ended, Portable::load(&landings));
        self.made_relevance[usize::from(goal)] = true;
    }

    #[cold]
    fn make_row(&mut self, from: u8) {
        let mut wall_ends = [from; 4];
        let mut open = FLIP;
        for direction in Direction::ALL {
            let d = direction.index();
            let end = &mut wall_ends[d];
            while self.walls[usize::from(*end)] & direction.wall_bit() == 0 {
                *end = end.wrapping_add(STEP[d]);
            }
            open ^= u32::from(*end) << (8 * d);
        }
        let row = &mut self.ends[usize::from(from)];
        row.fill(open);
        for (d, &wall_end) in wall_ends.iter().enumerate() {
            let others = open & !(0xff << (8 * d));
            let mut before = from;
            while before != wall_end {
                let at = before.wrapping_add(STEP[d]);
                let end = (u32::from(before) << (8 * d)) ^ (FLIP & 0xff << (8 * d));
                row[usize::from(at)] = others | end;
                before = at;
            }
        }
        self.made[usize::from(from)] = true;
    }
}

/// Eight bits spread over the low bits of eight bytes.
static SPREAD: [u64; 256] = {
    let mut table = [0; 256];
    let mut bits = 0;
    while bits < 256 {
        let mut i = 0;
        while i < 8 {
            table[bits] |= ((bits as u64 >> i) & 1) << (8 * i);
            i += 1;
        }
        bits += 1;
    }
    table
};

/// Fills a row of relevance or dependence: helpers that leave a cell of `left`, whichever way, that
/// end on a cell of `ended`, or whose way leads over a cell of `crossed` as far as walls are
/// concerned.
fn fill_row(
    row: &mut [u8; 256],
    enter: &[[u64; 4]; 4],
    left: Portable,
    ended: Portable,
    crossed: Portable,
) {
    let enter = enter.map(|words| Portable::load(&words));
    // Who goes north comes from the south, and so on.
    let bits = [
        crossed.fill_south(enter[2]).or(left).words(),
        crossed.fill_west(enter[3]).or(left).words(),
        crossed.fill_north(enter[0]).or(left).words(),
        crossed.fill_east(enter[1]).or(left).words(),
        ended.words(),
    ];
    for (i, bytes) in row.as_chunks_mut::<8>().0.iter_mut().enumerate() {
        let mut spread = 0;
        for (b, words) in bits.iter().enumerate() {
            let eight = (words[i / 8] >> (8 * (i % 8))) as u8;
            spread |= SPREAD[usize::from(eight)] << b;
        }
        *bytes = spread.to_le_bytes();
    }
}
