//! One iteration of the search for the common puzzles: one active robot, no diagonals, no
//! `must_ricochet`. This is the fast one; `general.rs` does the rest, and the two are tested
//! against each other.
//!
//! What makes it fast:
//! - Cells are `y << 5 | x` on every board, so that one code serves all sizes without divisions.
//! - The robots of each row and column are bits of a word: a slide is a shift, a count of zeros and
//!   a minimum with the distance to the next wall.
//! - A child is tested (goal, depth, bound, memo) before its move is made; six of seven children
//!   never are.
//! - The key of a child is the parent's with one field replaced if the active robot moved;
//!   otherwise the others are sorted by a network.

use std::ops::{BitOr, BitXor, Shl};

use ricochet::{Cell, Direction, MAX_SIDE, Move, Puzzle, Robot};

use super::memo::{Memo, Slot};
use super::{Iteration, Search, Switches, Verdict};
use crate::Limit;
use crate::bound::MinMoves;
use crate::budget::Budget;

/// Bits of a coordinate.
const SIDE_BITS: u32 = 5;
/// Bits of a cell.
const CELL_BITS: u32 = 2 * SIDE_BITS;
const CELLS: usize = 1 << CELL_BITS;
/// The bound of a cell from which there is no way.
const NEVER: u16 = MinMoves::UNREACHABLE;

type At = u16;

fn at(cell: Cell) -> At {
    At::from(cell.y) << SIDE_BITS | At::from(cell.x)
}

/// What never changes during a search.
struct Tables {
    /// How far a robot could go from each cell in each direction if it were alone.
    run: Box<[[u8; 4]; CELLS]>,
    /// The minimum-moves map; all 0 if the bound is switched off.
    least: Box<[u16; CELLS]>,
}

impl Tables {
    fn new(puzzle: &Puzzle, switches: Switches) -> Self {
        let board = puzzle.board();
        let active = puzzle.goal().robot.expect("one active robot");
        let map = MinMoves::new(board, active, puzzle.goal().cell);
        let mut tables = Self {
            run: vec![[0; 4]; CELLS].try_into().expect("as long"),
            least: vec![0; CELLS].try_into().expect("as long"),
        };
        for cell in board.cells() {
            let here = usize::from(at(cell));
            if switches.bound {
                tables.least[here] = map.by_index()[board.index(cell)];
            }
            for direction in Direction::ALL {
                let end = board.slide(active, cell, direction, &[]);
                tables.run[here][direction.index()] =
                    end.x.abs_diff(cell.x) + end.y.abs_diff(cell.y);
            }
        }
        tables
    }
}

/// The robots on the board, the active one first.
struct Position<const N: usize> {
    robots: [At; N],
    rows: [u32; MAX_SIDE],
    columns: [u32; MAX_SIDE],
}

const LOW: At = MAX_SIDE as At - 1;

impl<const N: usize> Position<N> {
    fn new(robots: [At; N]) -> Self {
        let mut position = Self {
            robots,
            rows: [0; MAX_SIDE],
            columns: [0; MAX_SIDE],
        };
        for robot in robots {
            position.toggle(robot);
        }
        position
    }

    #[inline]
    fn toggle(&mut self, cell: At) {
        let (x, y) = (cell & LOW, cell >> SIDE_BITS & LOW);
        self.rows[usize::from(y)] ^= 1 << x;
        self.columns[usize::from(x)] ^= 1 << y;
    }

    #[inline]
    fn put(&mut self, robot: usize, cell: At) {
        self.toggle(self.robots[robot]);
        self.toggle(cell);
        self.robots[robot] = cell;
    }

    /// Where a robot on `cell` stops; `run` is how far it could go alone.
    #[inline]
    fn slide(&self, cell: At, direction: usize, run: u8) -> At {
        let (x, y) = (cell & LOW, cell >> SIDE_BITS & LOW);
        // In each word, the robots behind and at the mover are shifted out, so that zeros count the
        // free cells; the added bit keeps the count under 32, which no run reaches.
        let (line, along) = if direction & 1 == 0 {
            (self.columns[usize::from(x)], y)
        } else {
            (self.rows[usize::from(y)], x)
        };
        let ahead = if direction == 1 || direction == 2 {
            (line >> along >> 1 | 1 << 31).trailing_zeros()
        } else {
            (line << (31 - along) << 1 | 1).leading_zeros()
        };
        let steps = ahead.min(u32::from(run)) as At;
        match direction {
            0 => cell - (steps << SIDE_BITS),
            1 => cell + steps,
            2 => cell + (steps << SIDE_BITS),
            _ => cell - steps,
        }
    }
}

/// A position on the way from the root, with the moves that are still to be tried.
#[derive(Clone, Copy)]
struct Frame<S> {
    key: S,
    height: u32,
    /// The bound of the active robot here.
    least: u16,
    /// The next move to try, `4 * place + direction`, and the end of those allowed.
    next: u8,
    end: u8,
    /// The move back, which is not tried.
    reversal: u8,
    /// Whose move led here, and from where.
    moved: u8,
    from: At,
}

/// No such move.
const NONE: u8 = u8::MAX;

/// The search of one puzzle; the memo lives on from one iteration to the next.
pub(super) struct Plain<const N: usize, S> {
    tables: Tables,
    position: Position<N>,
    target: At,
    switches: Switches,
    memo: Memo<S>,
    /// The positions above the current one.
    frames: Vec<Frame<S>>,
    /// The robot in each place.
    order: Vec<Robot>,
}

/// What a key is made with.
pub(super) trait Packed:
    Slot + From<At> + BitOr<Output = Self> + BitXor<Output = Self> + Shl<u32, Output = Self>
{
}
impl Packed for u64 {}
impl Packed for u128 {}

impl<const N: usize, S: Packed> Plain<N, S> {
    pub(super) fn new(
        puzzle: &Puzzle,
        switches: Switches,
        budget: &mut Budget,
    ) -> Result<Self, Limit> {
        let order = super::search_order(puzzle);
        budget.take(size_of::<[u8; 4]>() as u64 * CELLS as u64)?;
        budget.take(size_of::<u16>() as u64 * CELLS as u64)?;
        Ok(Self {
            tables: Tables::new(puzzle, switches),
            position: Position::new(std::array::from_fn(|i| at(puzzle.start()[order[i]]))),
            target: at(puzzle.goal().cell),
            switches,
            memo: Memo::new(budget)?,
            frames: Vec::new(),
            order,
        })
    }

    /// The key of the robots in these places: the active one lowest, the others in order.
    #[inline]
    fn key(&self, mut robots: [At; N]) -> S {
        if self.switches.sort {
            sort_tail(&mut robots);
        }
        let mut key = S::default();
        for &robot in robots.iter().rev() {
            key = key << CELL_BITS | S::from(robot);
        }
        key << S::HEIGHT_BITS
    }

    /// The frame of a position: 'only the active robot moves when the bound is tight'.
    #[inline]
    fn frame(key: S, height: u32, least: u16, iteration: &mut Iteration) -> Frame<S> {
        let tight = u32::from(least) == height;
        iteration.cut |= tight;
        Frame {
            key,
            height,
            least,
            next: 0,
            end: if tight { 4 } else { 4 * N as u8 },
            reversal: NONE,
            moved: NONE,
            from: 0,
        }
    }

    /// The moves to the current position, and one more.
    fn path(&self, current: &Frame<S>, last: u8) -> Vec<Move> {
        self.frames
            .iter()
            .chain([current])
            .filter(|frame| frame.moved != NONE)
            .map(|frame| frame.reversal ^ 2)
            .chain([last])
            .map(|packed| Move {
                robot: self.order[usize::from(packed >> 2)],
                direction: Direction::from_index(usize::from(packed)),
            })
            .collect()
    }
}

impl<const N: usize, S: Packed> Search for Plain<N, S> {
    const MAX_HEIGHT: u32 = S::MAX_HEIGHT;

    fn stored(&self) -> usize {
        self.memo.len()
    }

    fn run(&mut self, iteration: &mut Iteration, budget: &mut Budget) -> Result<Verdict, Limit> {
        iteration.row.nodes += 1;
        let height = iteration.row.depth;
        let least = self.tables.least[usize::from(self.position.robots[0])];
        if u32::from(least) > height {
            iteration.cut |= least != NEVER;
            return Ok(Verdict::Exhausted);
        }
        iteration.row.inner += 1;
        let key = self.key(self.position.robots);
        if self.switches.memo {
            self.memo.is_searched(key, height);
        }
        let mut frame = Self::frame(key, height, least, iteration);
        loop {
            let child_height = frame.height - 1;
            if frame.next == frame.end {
                // All children are done: back to the parent.
                if frame.moved == NONE {
                    return Ok(Verdict::Exhausted);
                }
                self.position.put(usize::from(frame.moved), frame.from);
                frame = self.frames.pop().expect("only the root has no parent");
                continue;
            }
            let this = frame.next;
            frame.next += 1;
            if this == frame.reversal {
                continue;
            }
            let (place, direction) = (usize::from(this >> 2), usize::from(this & 3));
            let cell = self.position.robots[place];
            let run = self.tables.run[usize::from(cell)][direction];
            let to = self.position.slide(cell, direction, run);
            if to == cell {
                continue;
            }
            iteration.row.nodes += 1;
            let mut least = frame.least;
            if place == 0 {
                if to == self.target {
                    return Ok(Verdict::Solved(self.path(&frame, this)));
                }
                least = self.tables.least[usize::from(to)];
            }
            if child_height == 0 {
                iteration.cut = true;
                continue;
            }
            if u32::from(least) > child_height {
                iteration.cut |= least != NEVER;
                continue;
            }
            iteration.row.inner += 1;
            let key = if place == 0 {
                frame.key ^ S::from(cell ^ to) << S::HEIGHT_BITS
            } else {
                let mut robots = self.position.robots;
                robots[place] = to;
                self.key(robots)
            };
            if self.switches.memo {
                if self.memo.is_searched(key, child_height) {
                    iteration.row.hits += 1;
                    continue;
                }
                self.memo.make_room(budget)?;
            }
            iteration.check(budget)?;
            self.position.put(place, to);
            budget.make_room(&mut self.frames)?;
            self.frames.push(frame);
            frame = Frame {
                reversal: this ^ 2,
                moved: place as u8,
                from: cell,
                ..Self::frame(key, child_height, least, iteration)
            };
        }
    }
}

/// Sorts all but the first.
#[inline]
fn sort_tail<const N: usize>(robots: &mut [At; N]) {
    let mut order = |i: usize, j: usize| {
        let (a, b) = (robots[i], robots[j]);
        robots[i] = a.min(b);
        robots[j] = a.max(b);
    };
    match N {
        0..=2 => {}
        3 => order(1, 2),
        4 => {
            order(1, 2);
            order(2, 3);
            order(1, 2);
        }
        5 => {
            order(1, 2);
            order(3, 4);
            order(1, 3);
            order(2, 4);
            order(2, 3);
        }
        _ => robots[1..].sort_unstable(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn networks_sort() {
        fn check<const N: usize>() {
            let values = 4usize.pow(N as u32);
            for code in 0..values {
                let robots: [At; N] = std::array::from_fn(|i| (code >> (2 * i) & 3) as At);
                let (mut fast, mut slow) = (robots, robots);
                sort_tail(&mut fast);
                slow[1..].sort_unstable();
                assert_eq!(fast, slow);
            }
        }
        check::<1>();
        check::<2>();
        check::<3>();
        check::<4>();
        check::<5>();
        check::<6>();
    }
}
